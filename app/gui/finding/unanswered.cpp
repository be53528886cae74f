#include "app/gui/finding/unanswered.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/gui/finding/asking.h"
#include "app/gui/kit/widgets.h"

namespace headlight {
namespace {

std::optional<MissingTargets> missing_here(const Panel& panel) {
  const std::shared_ptr<const AnsweredQuestion> answer = answered_question(panel);
  return answer ? answer->missing : std::nullopt;
}

/// A button that changes the text or shows what can be changed.
struct Help {
  const char* name;
  const char* hint;
  void (*act)(Panel& panel);
};

/// A word that the model has in several tokens; null: none of these.
const char* long_word(const Panel& panel) {
  constexpr std::array kWords{"unquestionably", "incomprehensibility", "Antidisestablishmentarianism"};
  const std::shared_ptr<const Tokenizer>& tokenizer = panel.snapshot->model->tokenizer;
  if (!tokenizer) return nullptr;
  const std::size_t others = tokenizer->encode("a", std::nullopt).tokens.size();  // with special tokens, where it adds any
  const auto* const found = std::find_if(kWords.begin(), kWords.end(), [&](const char* word) {
    return tokenizer->encode(std::string("a ") + word, std::nullopt).tokens.size() > others + 1;
  });
  return found == kWords.end() ? nullptr : *found;
}

void repeat_text(Panel& panel) {
  panel.draft.query.text += " " + panel.draft.query.text;
}

void add_long_word(Panel& panel) {
  if (const char* word = long_word(panel)) panel.draft.query.text += std::string(" ") + word;
}

void show_mask(Panel& panel) {
  panel.view.shell.is_presenting = false;
  panel.view.rails.wanted_section = "Mask";
}

std::optional<Help> help_for(const Panel& panel, TargetRemedy remedy) {
  const Query& query = panel.draft.query;
  const bool has_typed_text = !panel.is_dump() && query.ids.empty() && !query.decoder_text && !query.text.empty();
  switch (remedy) {
    case TargetRemedy::none:
      return std::nullopt;
    case TargetRemedy::repeat_text:
      if (!has_typed_text) return std::nullopt;
      return Help{"Write the text twice", "The same words once more: then their tokens have earlier copies. Ctrl+Z takes it back.",
                  repeat_text};
    case TargetRemedy::long_word:
      if (!has_typed_text || long_word(panel) == nullptr) return std::nullopt;
      return Help{"Add a long word", "Adds a word that this model has in several tokens. Ctrl+Z takes it back.", add_long_word};
    case TargetRemedy::wider_mask:
      break;
  }
  if (panel.is_dump()) return std::nullopt;
  return Help{"Show the mask", "Opens Mask in the left rail, where other cells can be allowed.", show_mask};
}

}  // namespace

std::string why_unanswered(const Panel& panel) {
  const std::optional<MissingTargets> missing = missing_here(panel);
  return missing ? missing->why : std::string();
}

void draw_unanswered(Panel& panel) {
  const Look& look = panel.look;
  const std::optional<MissingTargets> missing = missing_here(panel);
  if (!missing) return;
  paragraph(look, Type::caption, look.colours.text, missing->why);
  const std::optional<Help> help = help_for(panel, missing->remedy);
  if (!help) return;
  const Row row = begin_row(look, "", nullptr, kControl);
  const float width = std::min(button_width(look, help->name), row.right - row.left);
  if (quiet_button(look, help->name, {row.left, row.top}, {width, look.px(kControl)})) help->act(panel);
  hint(look, help->hint);
}

float draw_unanswered(Panel& panel, const Box& line) {
  const Look& look = panel.look;
  const std::optional<MissingTargets> missing = missing_here(panel);
  if (!missing) return line.x;
  const std::optional<Help> help = help_for(panel, missing->remedy);
  const float button = help ? button_width(look, help->name) + look.px(kBetween) : 0;
  const std::string why = elided(look, Type::body, missing->why, line.width - button);
  const float middle = line.y + line.height / 2;
  draw_text(look, line.x, middle, Type::body, look.colours.accent, why);
  if (why != missing->why) {
    press_area("Why there is no answer", {line.x, line.y}, {line.width - button, line.height});
    hint(look, missing->why.c_str());
  }
  const float end = line.x + text_width(look, Type::body, why);
  if (!help) return end;
  const float left = end + look.px(kBetween), height = look.px(kControl);
  if (quiet_button(look, help->name, {left, middle - height / 2}, {button - look.px(kBetween), height})) help->act(panel);
  hint(look, help->hint);
  return end + button;
}

}  // namespace headlight
