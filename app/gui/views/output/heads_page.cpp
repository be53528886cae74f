// Heads: every head changed alone, and how far that moves the target, as a grid and a table; of this text, or over a file of texts.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/columns/arranged_heads.h"
#include "app/gui/corpus/corpus_bar.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/output/shown_effects.h"
#include "app/gui/watching/effect_columns.h"
#include "app/gui/watching/target_here.h"
#include "app/work/corpora/corpus_columns.h"
#include "engine/figure/effects/effect_grid.h"

namespace headlight {
namespace {

using Beside = OutputPage::Beside;

double seconds_for(const Panel& panel, const SweepRequest& request) {
  std::size_t places = panel.snapshot->all_heads().size();
  if (row_of(request.kinds.front()).is_by_position())
    places = static_cast<std::size_t>(panel.snapshot->layers() * panel.snapshot->tokens());
  double times = 0;
  for (const SweepKind kind : request.kinds) times += kind == SweepKind::gate ? 2 : 1;
  return seconds_of_pass(*panel.snapshot) * static_cast<double>(places) * kShareOfPass * times;
}

/// How far it is, with a way to pause; nothing once it is done.
void draw_progress(Panel& panel, Effects& effects) {
  const Look& look = panel.look;
  const StudyStatus status = effects.sweep_status();
  if (status.state == StudyState::resting) return;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const bool is_paused = status.state == StudyState::paused;
  std::string text = percent_text(status.done) + " of the heads";
  if (is_paused) text += " · paused";
  if (status.seconds_left && !is_paused && !panel.context.is_scripted)
    text += fmt::format(" · {:.0f} s left", std::ceil(*status.seconds_left));
  const char* const label = is_paused ? "Go on" : "Pause";
  const float width = button_width(look, label);
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second, text);
  const float x = row.left + text_width(look, Type::caption, text) + look.px(kBetween);
  if (quiet_button(look, label, {x, row.middle() - look.px(10)}, {width, look.px(20)}))
    is_paused ? effects.resume_sweep() : effects.pause_sweep();
}

/// Buttons side by side under the grid, and below each other where there is no room.
class Buttons {
 public:
  explicit Buttons(const Look& look) : look_(look), row_(begin_row(look, "", nullptr, kRow)), x_(row_.left) {}
  bool press(const char* label, const char* help, bool is_enabled = true) {
    const float width = button_width(look_, label);
    if (x_ > row_.left && x_ + width > row_.right) {
      row_ = begin_row(look_, "", nullptr, kRow);
      x_ = row_.left;
    }
    const bool is_pressed =
        quiet_button(look_, label, {x_, row_.middle() - look_.px(kControl) / 2}, {width, look_.px(kControl)}, is_enabled);
    hint(look_, help);
    x_ += width + look_.px(kUnit);
    return is_pressed;
  }

 private:
  const Look& look_;
  Row row_;
  float x_;
};

void draw_saving_of_patches(Panel& panel, const std::shared_ptr<const SweepFound>& found, Buttons& buttons) {
  const bool is_finished = patches_of(*found, panel.view.output.sweep) != nullptr;
  if (buttons.press("Save as …", "The numbers as a table (.csv) or as .json, as headlight patch writes them.", is_finished))
    panel.view.output.patches_to_save = found;
}

/// Where else the numbers can be seen, and how they are kept.
void draw_uses(Panel& panel, const ShownEffects& effects, const std::shared_ptr<const SweepFound>& sweep) {
  const bool is_finished = effects.column().values.size() == effects.heads.size();
  const std::string name(effects.column().row->name);
  const std::string column = sweep != nullptr ? std::string(kEffectColumn) + name : name;
  Buttons buttons(panel.look);
  if (buttons.press("Order the Overview", "Shows the maps in this order, tinted by the change.", is_finished)) {
    arrange_overview(panel, {.sort = ColumnSort{column}, .ranges = {}, .tint = column});
    panel.view.view = View::overview;
  }
  if (buttons.press("In Measures", "A column beside the measures of the maps.", is_finished)) panel.view.view = View::measures;
  if (sweep == nullptr) return;  // the bar above has it
  if (effects.column().row->part) return draw_saving_of_patches(panel, sweep, buttons);
  if (!buttons.press("Save as …", "A study that opens again, or a table (.csv, .jsonl) for other programs.", is_finished)) return;
  panel.view.corpus.to_save = std::make_shared<const StoredStudy>(study_of(*sweep, panel.context.session.shown_weights()));
  panel.view.dialogs.corpus_save = true;
}

void choose_beside(Panel& panel) {
  const std::vector<Choice> choices{{"by size", "The heads that move the target most."},
                                    {"side by side", "Several ways to change heads in one table, and how alike they rank the heads."},
                                    {"pruning", "Heads switched off one after another, the least important first."}};
  int chosen = static_cast<int>(panel.view.output.beside);
  Row row = begin_row(panel.look, "");
  row.control_left = row.left;
  std::vector<std::string> labels;
  for (const Choice& choice : choices) labels.push_back(choice.label);
  const bool has_room = segments_width(panel.look, labels) <= row.right - row.left;
  const bool is_changed =
      has_room ? segmented(panel.look, row, "Beside", choices, chosen) : drop_down(panel.look, row, "Beside", choices, chosen);
  if (is_changed) panel.view.output.beside = static_cast<Beside>(chosen);
}

void explain_places(const Look& look) {
  paragraph(look, Type::body, look.colours.text_second,
            "A cell is one layer at one position. Its share says how much of the difference between both texts comes back when only this "
            "place is taken from the other one: near 1, it is carried here; near 0, it is not.");
  gap(look, kUnit);
}

/// `places`: of a kind that goes by position; null where there are none.
void draw_beside(Panel& panel, const ShownEffects* effects, const PlaceGrid* places, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Ranked heads", box, look.colours.ground);
  gap(look, kUnit);
  choose_beside(panel);
  gap(look, kInside);
  if (panel.view.output.beside == Beside::pruning) {
    draw_pruning(panel);
  } else if (row_of(panel.view.output.sweep).is_by_position() || places != nullptr) {
    explain_places(look);
    if (places != nullptr && !places->text) draw_place_texts(panel);
    if (places != nullptr) draw_place_ranking(panel, *places);
  } else if (effects != nullptr) {
    if (effects->texts == 1)
      paragraph(look, Type::body, look.colours.text_second, "One text: a hint, not a finding. Choose a file of texts beside Over.");
    gap(look, kUnit);
    if (!effects->unchanged) draw_effect_texts(panel, *effects);
    panel.view.output.beside == Beside::methods ? draw_effect_methods(panel, *effects) : draw_effect_ranking(panel, *effects);
  }
  end_scrolling_region();
}

/// The two halves of the page; the left begins with what is shown and how it is chosen.
struct Halves {
  Box left, right;
};
Halves halves_of(const Look& look, const Box& box) {
  constexpr float kGridShare = 0.6F;
  const float width = std::round(box.width * kGridShare), inset = look.px(kUnit);
  return {{box.x + inset, box.y, width - inset, box.height}, {box.x + width, box.y, box.width - width - inset, box.height}};
}

void begin_left(const Look& look, const Halves& halves, const std::string& title, const std::string& words) {
  ImGui::GetBackgroundDrawList()->AddLine({halves.right.x, halves.right.y}, {halves.right.x, halves.right.bottom()},
                                          to_imgui(look.colours.line));
  begin_scrolling_region(look, "Effects of heads", halves.left, look.colours.ground);
  gap(look, kUnit);
  text_line(look, Type::title, look.colours.text, title);
  gap(look, kInside);
  if (!words.empty()) paragraph(look, Type::body, look.colours.text_second, words);
  gap(look, kInside);
}

/// `sweep`: null over many texts.
void draw_head_effects(Panel& panel, const ShownEffects& effects, const std::shared_ptr<const SweepFound>& sweep) {
  const Look& look = panel.look;
  const EffectColumn& column = effects.column();
  const double reach = effect_reach(column.values);
  draw_effect_legend(panel, column.row->is_gradient() ? "gradient" : "Δ of the target", reach, count_beyond(column.values, reach));
  if (sweep != nullptr) draw_progress(panel, panel.context.session.effects());
  gap(look, kInside);
  draw_effect_grid(panel, effects, reach);
  draw_uses(panel, effects, sweep);
}

/// Why the sweep that is set cannot begin; empty: it can.
std::string missing(const OutputPage& page) {
  const SweepNeed need = row_of(page.sweep).need;
  if (need == SweepNeed::text && page.other_text.empty())
    return "Type the other text: one that differs from this text in what you are asking about, with equally many tokens.";
  if (need == SweepNeed::texts && page.texts.file.empty())
    return "Choose the file of texts that means and other z are taken from: a text a line (.txt), a column (.csv) or a field (.jsonl).";
  return {};
}

/// A sentence in the place of the grid.
void say(const Look& look, const std::string& words, bool is_bad = false) {
  gap(look, kUnit);
  paragraph(look, Type::body, is_bad ? look.colours.bad : look.colours.text_second, words);
}

/// The sweep of this text; null: it is not there, and why is said.
std::shared_ptr<const SweepFound> sweep_here(Panel& panel) {
  const Look& look = panel.look;
  if (const std::string why = missing(panel.view.output); !why.empty()) {
    say(look, why);
    return nullptr;
  }
  const SweepRequest request = sweep_request(panel);
  const double seconds = seconds_for(panel, request);
  const std::string words =
      fmt::format("Running the text once for every head takes about {:.0f} s here. It goes on beside everything else and can be paused.",
                  std::ceil(seconds));
  if (!is_agreed(panel, seconds, words, "Run it")) return nullptr;
  Effects& effects = panel.context.session.effects();
  const std::shared_ptr<const SweepFound> found = effects.sweep(request);
  const StudyStatus status = effects.sweep_status();
  if (found && !found->problem.empty()) {
    say(look, found->problem, true);
  } else if (!found && status.error) {
    say(look, as_sentence(status.error_message), true);
  } else if (!found) {
    say(look, "The first layer is being computed.");
  }
  return found;
}

void draw_this_text(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const Halves halves = halves_of(look, box);
  const SweepRow& row = row_of(panel.view.output.sweep);
  const std::shared_ptr<const TargetFound> target = target_here(panel);
  const std::string now = target ? ": " + target_number(target->now.value) + " now." : ".";
  begin_left(look, halves, std::string(row.title), describe_target(panel.draft.target) + now + " " + std::string(row.help));
  draw_sweep_controls(panel, false);
  const std::shared_ptr<const SweepFound> found = sweep_here(panel);
  std::shared_ptr<const ShownEffects> effects;
  if (found) effects = effects_of(panel, found);
  std::optional<PlaceGrid> places;
  if (found && row.is_by_position() && !found->places.values.empty()) places = places_of(*found);
  if (places) {
    paragraph(
        look, Type::body, look.colours.text_second,
        fmt::format("{} in the other text. Colours: the share of the difference that comes back.", target_number(found->places.other)));
    std::vector<double> shares;
    for (const PatchValue& patched : found->places.values) shares.push_back(found->places.recovered(patched));
    draw_effect_legend(panel, "share", 1, count_beyond(shares, 1.05));
    draw_progress(panel, panel.context.session.effects());
    gap(look, kInside);
    draw_place_grid(panel, *places);
    Buttons buttons(look);
    draw_saving_of_patches(panel, found, buttons);
  } else if (effects) {
    if (row.part) say(look, fmt::format("{} in the other text.", target_number(effects->column().other)));
    draw_head_effects(panel, *effects, found);
  } else if (found && found->problem.empty()) {
    say(look, row.need == SweepNeed::texts ? "The texts are being read for their means." : "The first layer is being computed.");
  }
  end_scrolling_region();
  draw_beside(panel, effects.get(), places ? &*places : nullptr, halves.right);
}

/// What is watched in every text that is run.
std::string watched_in_texts(const Panel& panel) {
  return "Watched: " + describe_over_texts(target_over_texts(panel), panel.snapshot->model->config) + ".";
}

void offer_file(Panel& panel) {
  const Look& look = panel.look;
  say(look,
      row_of(panel.view.output.sweep).part
          ? "One pair of texts gives hints, many give findings. Choose a table of texts in which another column holds the text that "
            "each is patched from: the mean of what that does to the target is shown here while they are run."
          : "One text gives hints, many texts give findings. Choose a file of texts: every head is changed alone on each of them, and "
            "the mean of what that does to the target is shown here while they are run.");
  say(look, watched_in_texts(panel));
  gap(look, kUnit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  constexpr const char* kChoose = "Choose a file of texts …";
  if (quiet_button(look, kChoose, at, {button_width(look, kChoose), look.px(kControl)})) {
    panel.view.dialogs.corpus = true;
    panel.view.corpus.wants_effects = true;
  }
}

std::string words_over_texts(const ShownEffects& effects) {
  const SweepRow& row = *effects.column().row;
  const std::string words = fmt::format("{}. Mean over {} texts. ", effects.target, grouped(effects.texts));
  if (!effects.patches) return words + std::string(row.help);
  const PatchStudy& patches = *effects.patches;
  return fmt::format("{}{} Target {} unpatched, {} in the partner texts.", words, find_patch_measure(row.name)->meaning,
                     target_number(patches.unpatched.mean()), target_number(patches.other.mean()));
}

void draw_places_over_texts(Panel& panel, const PlaceGrid& places) {
  const Look& look = panel.look;
  if (places.places.empty()) return say(look, "No text has been patched yet.");
  paragraph(look, Type::body, look.colours.text_second,
            "Colours: the mean change as a share of the mean difference. Shorter texts have no tokens at later positions.");
  draw_effect_legend(panel, "share", 1, 0);
  gap(look, kInside);
  draw_place_grid(panel, places);
}

void draw_many_texts(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const CorpusStudies& corpora = panel.context.session.corpora();
  const std::shared_ptr<const MeasuredCorpus> shown = corpora.shown();
  const bool is_asked = corpora.request() != nullptr && corpora.request()->effects.has_value();
  const bool is_of_effects = shown && shown->stored && effect_job_of(shown->stored->manifest).has_value();
  const float bar = is_asked || is_of_effects ? corpus_bar_height(panel, box) : 0;
  const float inset = look.px(3 * kUnit);
  if (bar > 0) draw_corpus_bar(panel, {box.x + inset, box.y, box.width - 2 * inset, bar});
  const Halves halves = halves_of(look, {box.x, box.y + bar, box.width, box.height - bar});
  std::shared_ptr<const ShownEffects> effects;
  if (is_of_effects) effects = effects_of(panel, shown->stored);
  const bool is_of_partners = row_of(panel.view.output.sweep).part.has_value();
  const std::string title = effects          ? std::string(effects->column().row->title)
                            : is_of_partners ? "Texts patched from their partners"
                                             : "Each head changed alone, over many texts";
  begin_left(look, halves, title, effects ? words_over_texts(*effects) : "");
  draw_sweep_controls(panel, true);
  std::optional<PlaceGrid> places;
  if (effects && effects->column().row->is_by_position()) places = places_of(*effects->patches);
  if (places) {
    draw_places_over_texts(panel, *places);
  } else if (effects) {
    draw_head_effects(panel, *effects, nullptr);
  } else if (is_of_effects) {
    say(look, "This study is of a model with other heads than the one that is open.");
  } else if (is_asked) {
    say(look, "The first texts are being run.");
  } else {
    offer_file(panel);
  }
  end_scrolling_region();
  draw_beside(panel, effects.get(), places ? &*places : nullptr, halves.right);
}

}  // namespace

void draw_heads_page(Panel& panel, const Box& box) {
  if (panel.view.output.is_over_texts) return draw_many_texts(panel, box);
  const std::shared_ptr<const TargetFound> target = target_here(panel);
  if (target && !target->now.reason.empty()) return draw_page_message(panel.look, box, "The target has no value here", target->now.reason);
  draw_this_text(panel, box);
}

}  // namespace headlight
