// Predictions: the likeliest token at every position at the left, the whole list of the chosen one at the right. A word of the list becomes the
// target by a click; + writes it after the text.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/watching/target_here.h"

namespace headlight {
namespace {

constexpr float kListShare = 0.56F, kNarrowShare = 0.5F;  ///< of the view's width, for the left part
constexpr float kNarrowBelow = 640;                       ///< points of the view's width
constexpr float kNumbersWidth = 34;                       ///< of a position, in points
constexpr float kProbability = 48;                        ///< of a probability
constexpr float kActual = 76;                             ///< of the column of the token that is there
constexpr float kActualChange = 84;                       ///< of its change since the baseline
constexpr float kLeastName = 72;                          ///< of a token: where there is less, the bars give way to it
constexpr float kWordsAlone = 320;                        ///< of a row, below which words and probabilities take all of it
constexpr float kListedName = 36;                         ///< left of a listed word: its rank
constexpr float kChange = 64;                             ///< of "before" and "change", each
constexpr float kShortestBar = 24;
constexpr float kAppend = 24;       ///< of the + at the end of a row
constexpr float kNumbersInset = 6;  ///< from the right of a listed word's mark to its numbers

Side predicted_side(const Snapshot& snapshot) {
  return snapshot.decoder_encoding ? Side::decoder : Side::text;
}

/// What the baseline, or without one the run without edits, predicted at the same positions; or why it cannot be subtracted.
struct Before {
  std::shared_ptr<const PredictionChanges> changes;  ///< null: there is no baseline, or see `problem`
  std::string problem;
};

Before ask_before(Panel& panel, const std::shared_ptr<const PredictionsFound>& now) {
  const bool has_baseline = panel.draft.baseline.has_value();
  if (!has_baseline && !has_edits(now->request.snapshot->query)) return {};
  Session& session = panel.context.session;
  const SubjectRun run = has_baseline ? session.run_of(panel.draft, *panel.draft.baseline) : session.unedited_run();
  if (!run.snapshot) {
    return {nullptr, !run.problem.empty() ? run.problem
                     : has_baseline       ? "The baseline is still being computed."
                                          : "The run without edits is still being computed."};
  }
  if (std::string problem = why_not_subtracted(*now->request.snapshot, *run.snapshot); !problem.empty()) return {nullptr, problem};
  std::shared_ptr<const PredictionChanges> changes = panel.context.session.predictions_before().ask({now, run.snapshot});
  if (changes && !changes->problem.empty()) return {nullptr, changes->problem};
  return {changes, {}};
}

/// Under the explanation of the list: why there is no Δ, or that its words differ.
void draw_before_note(const Look& look, const PredictionsFound& found, const Before& before) {
  std::string note;
  if (!before.problem.empty()) note = "No Δ: " + before.problem;
  if (before.changes && before.changes->tokens != found.tokens) {
    note = "The texts differ: word now / word before. Δ is of the words as they are now.";
  }
  if (note.empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  name_area(note, {at.x, at.y, ImGui::GetContentRegionAvail().x, look.px(kNumberRow)});
  paragraph(look, Type::caption, look.colours.text_second, note);
}

/// "+0.103"; "–" where one of the two is not a number.
std::string change_text(const TokenChange& token) {
  const double change = token.change();
  return std::isfinite(change) ? fmt::format("{}{}", change > 0 ? "+" : "", weight_text(change)) : "–";
}

/// How many of "before" and "Δ" the list of one position has room for, beside a word and its probability; "before" gives way first.
int change_columns(const Look& look, float row_width) {
  return row_width >= look.px(kListedName + kLeastName + kProbability + 2 * kChange + kAppend) ? 2 : 1;
}

/// Draws them in `columns` columns that end at `right`. Returns their left edge.
float draw_before(const Look& look, float right, float middle, const TokenChange& token, int columns) {
  draw_text(look, right, middle, Type::number, look.colours.text, change_text(token), AlignX::right);
  if (columns == 1) return right - look.px(kChange);
  const std::string before = std::isfinite(token.before.probability) ? weight_text(token.before.probability) : "–";
  draw_text(look, right - look.px(kChange), middle, Type::number, look.colours.text_second, before, AlignX::right);
  return right - look.px(2 * kChange);
}

/// The bar of a probability, and its number right of it.
void draw_probability(const Look& look, float left, float right, float middle, double probability) {
  const float end = right - look.px(kProbability);
  const auto share = static_cast<float>(probability);
  const float half = look.px(3);
  if (end - left >= look.px(kShortestBar)) {
    const float width = std::max(look.px(1), (end - left) * share);
    ImGui::GetWindowDrawList()->AddRectFilled({left, middle - half}, {left + width, middle + half},
                                              to_imgui(mix(look.colours.raised, look.colours.key, 0.35F + 0.65F * share)), look.px(2));
  }
  draw_text(look, right, middle, Type::number, look.colours.text, weight_text(probability), AlignX::right);
}

/// Where the columns of the left list are, in pixels.
struct Columns {
  float number_right, token, token_width, guess, guess_width, bar, bar_right, actual_right, change_right;
  bool has_actual, has_change;  ///< columns that words leave no room for are left out
};
Columns columns_of(const Look& look, const Row& row, bool has_before) {
  Columns at{};
  at.number_right = row.left + look.px(kNumbersWidth);
  at.token = at.number_right + look.px(12);
  at.change_right = row.right - look.px(kUnit);
  at.has_actual = row.right - row.left >= look.px(kWordsAlone);
  at.has_change = has_before && at.has_actual;
  at.actual_right = at.change_right - look.px(at.has_change ? kActualChange : 0);
  at.bar_right = at.actual_right - look.px(at.has_actual ? kActual : 0);
  const float room = at.bar_right - look.px(kProbability) - at.token;
  const float names = room * (room * 0.36F < look.px(kLeastName) ? 0.5F : 0.36F);
  at.token_width = at.guess_width = names - look.px(12);
  at.guess = at.token + names;
  at.bar = at.guess + names;
  return at;
}

void draw_list_head(const Look& look, PredictedPlace place, bool has_before) {
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const Columns at = columns_of(look, row, has_before);
  const auto put = [&](float x, const char* text, AlignX align = AlignX::left) {
    draw_text(look, x, row.middle(), Type::caption, look.colours.text_second, text, align);
    const float width = text_width(look, Type::caption, text);
    const float left = align == AlignX::left ? x : x - width;
    name_area(std::string("Column ") + text, {left, row.top, width, row.height});
  };
  put(at.token, place == PredictedPlace::next ? "after" : "at");
  put(at.guess, "likeliest");
  const float room = at.bar_right - at.guess - text_width(look, Type::caption, "likeliest") - look.px(kUnit);
  put(at.bar_right, text_width(look, Type::caption, "probability") > room ? "p" : "probability", AlignX::right);
  if (at.has_actual) put(at.actual_right, place == PredictedPlace::next ? "next word" : "word here", AlignX::right);
  if (at.has_change) put(at.change_right, place == PredictedPlace::next ? "Δ next word" : "Δ word here", AlignX::right);
}

/// Draws one position.
Press draw_position(const Look& look, const PredictionsFound& found, const PredictionChanges* before, std::size_t place, Mark mark,
                    bool is_chosen) {
  const Prediction& prediction = found.predictions[place];
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const Columns at = columns_of(look, row, before != nullptr);
  const std::string name = fmt::format("Position {}", prediction.position);
  const Press press = press_area(name.c_str(), {row.left, row.top}, {row.right - row.left, row.height});
  if (is_chosen && mark != Mark::pinned) fill(look, {row.left, row.top}, {row.right, row.top + row.height}, look.colours.raised);
  if (press.is_hovered && mark == Mark::none) mark = Mark::hovered;
  draw_mark(look, {row.left, row.top, row.right - row.left, row.height}, look.colours.query, mark);
  const auto on_mark = [&](Colour colour) { return mark == Mark::pinned ? look.colours.text : colour; };
  const auto put = [&](float x, Type type, Colour colour, const std::string& text, AlignX align = AlignX::left) {
    draw_text(look, x, row.middle(), type, colour, text, align);
  };
  put(at.number_right, Type::number, on_mark(look.colours.text_second), std::to_string(prediction.position), AlignX::right);
  put(at.token, Type::body, on_mark(look.colours.query),
      elided(look, Type::body, (before ? before->tokens : found.tokens)[place], at.token_width));
  if (prediction.likeliest.empty()) {
    put(at.guess, Type::body, on_mark(look.colours.text_second), "not a number");
    return press;
  }
  put(at.guess, Type::body, on_mark(look.colours.key), elided(look, Type::body, found.labels[place].front(), at.guess_width));
  draw_probability(look, at.bar, at.bar_right, row.middle(), prediction.likeliest.front().probability);
  if (!prediction.actual || !at.has_actual) return press;
  put(at.actual_right, Type::number, on_mark(look.colours.text_second), weight_text(prediction.actual->probability), AlignX::right);
  if (at.has_change && before->positions[place].actual) {
    const TokenChange& actual = *before->positions[place].actual;
    put(at.change_right, Type::number, look.colours.text, change_text(actual), AlignX::right);
    const std::string text = fmt::format("{}: {} now, {} before, both of the word that the text has now.", before->tokens[place],
                                         weight_text(actual.now.probability), weight_text(actual.before.probability));
    hint(look, text.c_str());
  }
  return press;
}

/// Scrolls to the position that has just been chosen, where it is out of sight. Called where the list begins.
void reveal_position(OutputPage& page, const PredictionsFound& found, Index chosen, float row) {
  if (page.revealed == chosen) return;
  page.revealed = chosen;
  const float top = ImGui::GetCursorPosY() + row * static_cast<float>(chosen - found.request.first);
  const float scroll = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
  if (top >= scroll && top + row <= scroll + height) return;
  ImGui::SetScrollY(std::max(0.0F, std::round(top - height / 2)));
}

void draw_positions(Panel& panel, const PredictionsFound& found, const Before& baseline, Index chosen, const Box& box) {
  const PredictionChanges* before = baseline.changes.get();
  const Look& look = panel.look;
  const Snapshot& snapshot = *found.request.snapshot;
  const PredictedPlace place = predicted_place(snapshot.model->config);
  begin_scrolling_region(look, "Positions", box, look.colours.ground);
  gap(look, kUnit);
  text_line(look, Type::title, look.colours.text, place == PredictedPlace::next ? "The next token" : "Prediction at each position");
  gap(look, kInside);
  paragraph(
      look, Type::body, look.colours.text_second,
      place == PredictedPlace::next ? "What the model expects after each token, and the probability of the token that really follows."
      : found.mask_text.empty()
          ? "What the model expects at each position."
          : fmt::format("What the model expects at each position. Type {} in place of a word to let the model guess it.", found.mask_text));
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  if (found.request.count < tokens) {
    paragraph(look, Type::caption, look.colours.text_second,
              fmt::format("Positions {} to {} of {}; pin another token in the strip to see those around it.", found.request.first,
                          found.request.first + found.request.count - 1, tokens));
  }
  draw_before_note(look, found, baseline);
  gap(look, kUnit);
  draw_list_head(look, place, before != nullptr);
  reveal_position(panel.view.output, found, chosen, look.px(kNumberRow) + ImGui::GetStyle().ItemSpacing.y);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.predictions.size()), look.px(kNumberRow) + ImGui::GetStyle().ItemSpacing.y);
  while (clipper.Step()) {
    for (int line = clipper.DisplayStart; line < clipper.DisplayEnd; ++line) {
      const TokenPlace here{predicted_side(snapshot), found.predictions[static_cast<std::size_t>(line)].position};
      const Press press = draw_position(look, found, before, static_cast<std::size_t>(line), mark_of(panel, here), here.token == chosen);
      if (press.is_hovered) panel.view.pointed.listed = here;
      if (press.is_hovered && is_right_click()) ask_token_menu(panel, here);
      if (!press.is_clicked) continue;
      panel.view.pinned_query = panel.view.pinned_query == here ? std::nullopt : std::optional(here);
      panel.view.output.revealed = here.token;  // it is under the pointer
    }
  }
  end_scrolling_region();
}

/// What is drawn of the list of one position, and what its words lead to.
struct LikelyList {
  Panel& panel;
  const Snapshot& run;
  Index position = 0;
  bool can_append = false;                    ///< a word written after the text comes right after this position
  std::optional<LogitQuestion> watched = {};  ///< of the target, where it is about this position
};

/// A click watches the word; with shift it is subtracted from the watched one.
void watch_pressed(const LikelyList& list, std::int64_t id) {
  const bool subtracts = ImGui::GetIO().KeyShift && list.watched && list.watched->token != id;
  if (subtracts) return watch_token(list.panel.draft, list.run, list.position, list.watched->token, id);
  watch_token(list.panel.draft, list.run, list.position, id);
}

/// The text that is predicted, with the word behind it.
void append_token(Panel& panel, const Snapshot& run, std::int64_t id) {
  const std::string word = run.model->tokenizer->decode(std::array{id}, false);
  Query& query = panel.draft.query;
  if (!run.decoder_encoding) {
    query.text += word;
  } else {
    query.decoder_text = predicted_text(run).text + word;
  }
  panel.view.pinned_query.reset();  // the new last position is asked
}

/// "target", or "−" where it is subtracted; empty of any other word.
std::string_view role_of(const LikelyList& list, std::int64_t id) {
  if (!list.watched) return {};
  if (list.watched->token == id) return "target";
  return list.watched->against == id ? "subtracted" : std::string_view();
}

/// A token of the list. `number` is its rank; empty for one that is no longer listed.
void draw_likely_token(const LikelyList& list, const std::string& number, const LikelyToken& likely, const std::string& label,
                       const TokenChange* before) {
  const Look& look = list.panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const float number_right = row.left + look.px(24);
  const float name = row.left + look.px(kListedName);
  const float row_right = row.right - (list.can_append ? look.px(kAppend) : 0);
  const float numbers_right = row_right - look.px(kNumbersInset);
  const int changes = before ? change_columns(look, row.right - row.left) : 0;
  const float end = numbers_right - look.px(kProbability + kChange * static_cast<float>(changes));
  const float usual = name + (row_right - name) * 0.42F;
  const float bar = end - usual >= look.px(kShortestBar) ? usual : end;  // with no room for bars, words take it
  const std::string_view role = role_of(list, likely.id);
  const Box area{row.left, row.top, row_right - row.left, row.height};
  const std::string item = number.empty() ? "Lost " + label : "Rank " + number;
  const Press press = press_area(item.c_str(), {area.x, area.y}, {area.width, area.height});
  hint(look,
       fmt::format("Id {}, logit {:.4f}, probability {}, {}.\nClick to watch this logit; shift+click subtracts it from the watched one.",
                   likely.id, likely.logit, weight_text(likely.probability, 6), choice_text(likely.rank))
           .c_str());
  draw_mark(look, area, look.colours.accent, !role.empty() ? Mark::pinned : press.is_hovered ? Mark::hovered : Mark::none);
  draw_text(look, number_right, row.middle(), Type::number, look.colours.text_second, number, AlignX::right);
  const float role_width = role.empty() ? 0 : text_width(look, Type::caption, role) + look.px(kUnit);
  const std::string shown = elided(look, Type::body, label, bar - name - look.px(kUnit) - role_width);
  draw_text(look, name, row.middle(), Type::body, look.colours.text, shown);
  if (!role.empty()) {
    draw_text(look, name + text_width(look, Type::body, shown) + look.px(kUnit), row.middle(), Type::caption, look.colours.text, role);
  }
  const float right = before ? draw_before(look, numbers_right, row.middle(), *before, changes) : numbers_right;
  draw_probability(look, bar, right, row.middle(), likely.probability);
  if (press.is_clicked) watch_pressed(list, likely.id);
  if (!list.can_append) return;
  ImGui::PushID(item.c_str());
  const float size = look.px(kControl) - look.px(4);
  if (quiet_button(look, "+", {row.right - size, row.middle() - size / 2}, {size, size})) append_token(list.panel, list.run, likely.id);
  hint(look, "Write this word after the text.");
  ImGui::PopID();
}

/// Over the columns of the list, while there is something before. `inset`: pixels that rows leave free at their right.
void draw_before_head(const Look& look, float inset) {
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const auto put = [&](float right, const char* text) {
    draw_text(look, right, row.middle(), Type::caption, look.colours.text_second, text, AlignX::right);
  };
  const int columns = change_columns(look, row.right - row.left);
  put(row.right - inset - look.px(kChange * static_cast<float>(columns)), "now");
  if (columns == 2) put(row.right - inset - look.px(kChange), "before");
  put(row.right - inset, "Δ");
  name_area("now, before, Δ", {row.left, row.top, row.right - row.left, row.height});
}

/// Now's likeliest tokens, and below them those that were listed before.
void draw_list(const LikelyList& list, const Prediction& prediction, const std::vector<std::string>& labels,
               const PositionChanges* before) {
  const Look& look = list.panel.look;
  if (before) draw_before_head(look, look.px(kNumbersInset + (list.can_append ? kAppend : 0)));
  for (std::size_t rank = 0; rank < prediction.likeliest.size(); ++rank) {
    draw_likely_token(list, std::to_string(rank), prediction.likeliest[rank], labels[rank], before ? &before->listed[rank] : nullptr);
  }
  if (!before || before->lost.empty()) return;
  gap(look, kUnit);
  text_line(look, Type::caption, look.colours.text_second,
            fmt::format("Among the {} likeliest before, and no longer", prediction.likeliest.size()));
  for (const TokenChange& lost : before->lost) draw_likely_token(list, "", lost.now, lost.label, &lost);
}

/// "The text continues with “bank”: probability 0.412, first choice."
void draw_actual(const Look& look, PredictedPlace place, const LikelyToken& actual, const std::string& name) {
  const Colour plain = look.colours.text_second;
  const std::array spans{Span{place == PredictedPlace::next ? "The text continues with " : "The text has ", plain},
                         Span{"“" + name + "”", look.colours.text},
                         Span{fmt::format(": probability {}, {}.", weight_text(actual.probability), choice_text(actual.rank)), plain}};
  paragraph(look, spans);
}

/// Where a word that is written after the text comes right after the last position: no special token follows it there.
bool can_append(const Panel& panel, const Snapshot& run, Index position) {
  const std::vector<Token>& tokens = predicted_text(run).tokens;
  const bool is_typed = run.query.ids.empty() && panel.draft.query.text == run.query.text;
  return is_typed && predicted_place(run.model->config) == PredictedPlace::next && position + 1 == std::ssize(tokens) &&
         !(tokens.back().is_special && tokens.size() > 1);
}

void draw_chosen(Panel& panel, const PredictionsFound& found, const PredictionChanges* before, Index chosen, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Chosen position", box, look.colours.ground);
  gap(look, kUnit);
  const PredictedPlace place = predicted_place(found.request.snapshot->model->config);
  const Index last = found.request.first + found.request.count - 1;
  const auto at = static_cast<std::size_t>(std::clamp(chosen, found.request.first, last) - found.request.first);
  const Prediction& prediction = found.predictions[at];
  const std::array title{Span{place == PredictedPlace::next ? "After " : "At ", look.colours.text, Type::title},
                         Span{"“" + (before ? before->tokens : found.tokens)[at] + "”", look.colours.query, Type::title},
                         Span{fmt::format(" {}", prediction.position), look.colours.text_second, Type::number}};
  paragraph(look, title);
  gap(look, kInside);
  if (prediction.likeliest.empty()) {
    paragraph(look, Type::body, look.colours.text_second, "The logits of this position are not numbers: there is nothing to rank.");
    return end_scrolling_region();
  }
  paragraph(look, Type::body, look.colours.text_second, certainty_text(prediction.entropy));
  gap(look, kUnit);
  const Snapshot& run = *found.request.snapshot;
  LikelyList list{panel, run, prediction.position, can_append(panel, run, prediction.position)};
  const std::shared_ptr<const TargetFound> target = target_here(panel);
  if (target && target->logit && target->logit->position == prediction.position) list.watched = target->logit;
  draw_list(list, prediction, found.labels[at], before ? &before->positions[at] : nullptr);
  gap(look, kUnit);
  const std::size_t actual = place == PredictedPlace::next ? at + 1 : at;
  if (prediction.actual && actual < found.tokens.size()) draw_actual(look, place, *prediction.actual, found.tokens[actual]);
  end_scrolling_region();
}

}  // namespace

void draw_predictions_page(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const Index chosen = shown_position(panel);
  const std::shared_ptr<const PredictionsFound> found = panel.context.session.predictions().ask(page_with(panel.snapshot, chosen));
  if (!found || found->predictions.empty())
    return draw_page_message(look, box, "Predicting …", "The logits of every position are being computed.");
  const float left = std::round(box.width * (box.width < look.px(kNarrowBelow) ? kNarrowShare : kListShare));
  const Before before = ask_before(panel, found);
  const float inset = look.px(kUnit);  // text begins where that of other views does
  draw_positions(panel, *found, before, chosen, {box.x + inset, box.y, left - inset, box.height});
  draw_chosen(panel, *found, before.changes.get(), chosen, {box.x + left, box.y, box.width - left - inset, box.height});
  ImGui::GetBackgroundDrawList()->AddLine({box.x + left, box.y}, {box.x + left, box.bottom()}, to_imgui(look.colours.line));
}

}  // namespace headlight
