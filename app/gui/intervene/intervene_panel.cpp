#include "app/gui/intervene/intervene_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/document/fields/interventions.h"
#include "app/document/wording.h"
#include "app/gui/kit/shapes.h"
#include "engine/core/error.h"
#include "engine/forward/layer_edits.h"
#include "engine/studies/importance/text_set.h"

namespace headlight {
namespace {

using On = InterveneEntry::On;

/// What is changed: heads, or all of a layer; of the stream a layer.
std::vector<HeadId> places_of(const Panel& panel, const InterventionRow& row, On on) {
  const HeadId head = panel.view.head;
  if (on == On::layer || row.replaces == ReplacedPart::stream) return {{head.layer, kWholeLayer}};
  if (on == On::head) return {head};
  return {panel.view.brushed.begin(), panel.view.brushed.end()};
}

/// In words: "head 2.1", "layer 2", "3 brushed heads".
std::string places_in_words(const Panel& panel, On on) {
  const Snapshot& run = *panel.snapshot;
  if (on == On::layer) return run.layer_name(panel.view.head.layer);
  if (on == On::head) return "head " + short_name(run, panel.view.head);
  return fmt::format("{} brushed heads", panel.view.brushed.size());
}

void draw_places(Panel& panel, InterveneEntry& entry) {
  const bool has_brush = !panel.view.brushed.empty();
  if (!has_brush && entry.on == On::brushed) entry.on = On::head;
  const std::array choices{Choice{"head", "The head that is looked at: " + short_name(*panel.snapshot, panel.view.head) + "."},
                           Choice{"layer", "All heads of its layer."},
                           Choice{"brushed", "The heads that are brushed in Measures. None is brushed now.", has_brush}};
  int chosen = static_cast<int>(entry.on);
  const Row row = begin_row(panel.look, "On", "Which heads are changed.");
  if (segmented(panel.look, row, "Intervene on", choices, chosen)) entry.on = static_cast<On>(chosen);
}

void draw_kinds(Panel& panel, InterveneEntry& entry) {
  std::vector<Choice> choices;
  int chosen = 0;
  for (const InterventionRow& each : intervention_rows()) {
    if (each.kind == entry.kind) chosen = static_cast<int>(choices.size());
    choices.push_back({std::string(each.title), std::string(each.replaced)});
  }
  const Row row = begin_row(panel.look, "Instead", "What takes the place of what these heads do.");
  if (drop_down(panel.look, row, "Intervention", choices, chosen)) {
    entry.kind = intervention_rows()[static_cast<std::size_t>(chosen)].kind;
    entry.problem.clear();
  }
}

void draw_box(const Look& look, const char* label, const char* placeholder, const char* help, std::string& text) {
  const Row row = begin_row(look, label, help);
  const float left = row.left + look.px(72);
  text_box(look, label, placeholder, text, {left, row.top + look.px(2)}, row.right - left);
}

/// The file whose texts a mean is taken over.
void draw_texts(Panel& panel, const InterveneEntry& entry) {
  const Look& look = panel.look;
  const Row row =
      begin_row(look, "Texts", "The file of texts that the mean is taken over: a text a line (.txt), a column (.csv) or a field (.jsonl).");
  constexpr const char* kChoose = "Choose …";
  const float width = button_width(look, kChoose);
  ImGui::PushID("intervene texts");
  if (quiet_button(look, kChoose, {row.right - width, row.middle() - look.px(kControl) / 2}, {width, look.px(kControl)}))
    panel.view.dialogs.texts = OpenDialogs::TextsFor::intervene;
  ImGui::PopID();
  const std::string file = entry.texts.empty() ? "none yet" : std::filesystem::path(entry.texts).filename().string();
  const float right = row.right - width - look.px(kUnit);
  press_area("Texts of the mean", {row.control_left, row.top}, {right - row.control_left, row.height});
  if (!entry.texts.empty()) hint(look, entry.texts.c_str());
  draw_text(look, right, row.middle(), Type::body, entry.texts.empty() ? look.colours.text_second : look.colours.text,
            elided_middle(look, Type::body, file, right - row.control_left), AlignX::right);
}

/// What the kind needs besides heads.
void draw_needs(Panel& panel, const InterventionRow& row, InterveneEntry& entry) {
  const Look& look = panel.look;
  if (row.need == InterventionNeed::head) draw_box(look, "Map of", "1.3", "The head whose map is taken, as LAYER.HEAD.", entry.from);
  if (row.need == InterventionNeed::text) draw_box(look, "Text", "another text", "The text that it is taken from.", entry.text);
  if (row.need == InterventionNeed::texts) draw_texts(panel, entry);
  if (row.takes_positions) draw_box(look, "At", "all positions", "Positions of tokens, from 0: 3-5, 8.", entry.positions);
}

/// What is set. Throws Error: usage for a head or positions that cannot be read and for too many texts, input for a file that cannot be read.
Intervention intervention_of(const Panel& panel, const InterventionRow& row, const InterveneEntry& entry) {
  Intervention made;
  made.kind = row.kind;
  made.heads = places_of(panel, row, entry.on);
  if (row.need == InterventionNeed::head) made.from = parse_map_source(entry.from);
  if (row.need == InterventionNeed::text) made.text = entry.text;
  if (row.need == InterventionNeed::texts)
    made.texts = read_text_set(entry.texts, entry.texts, corpus_format(entry.texts, entry.texts_column, false), "texts");
  if (row.takes_positions && !entry.positions.empty()) made.positions = parse_positions(entry.positions);
  return made;
}

/// Why it cannot be put in place yet; empty if it can.
std::string missing(const InterventionRow& row, const InterveneEntry& entry) {
  if (row.need == InterventionNeed::head && entry.from.empty()) return "Type the head whose map is taken.";
  if (row.need == InterventionNeed::text && entry.text.empty()) return "Type the other text.";
  if (row.need == InterventionNeed::texts && entry.texts.empty()) return "Choose the file of texts that the mean is taken over.";
  return {};
}

void put_in_place(Panel& panel, const InterventionRow& row, InterveneEntry& entry) {
  try {
    const Intervention made = intervention_of(panel, row, entry);
    Query query = panel.draft.query;
    add_intervention(query, made);
    const ModelConfig& config = *panel.config();
    for (const HeadId place : made.heads)  // what no run could do is refused here, where it can be mended
      edits_of_layer_heads(query, config, place.layer, query.heads.value_or(config.heads_of(place.layer)));
    panel.draft.query = std::move(query);
    panel.view.head_page.hides_other_text = false;
    entry.problem.clear();
  } catch (const Error& error) {
    entry.problem = as_sentence(error.what());
  }
}

/// Its first head in Head, beside the map of the text that it takes from.
void show_edited_head(Panel& panel, const Intervention& edit) {
  const HeadId place = edit.heads.front(), shown = panel.view.head;
  const bool is_of_layer = place.head == kWholeLayer || row_of(edit.kind).replaces == ReplacedPart::stream;
  panel.view.head = is_of_layer ? HeadId{place.layer, place.layer == shown.layer ? shown.head : 0} : place;
  panel.view.view = View::head;
  panel.view.head_page.hides_other_text = false;
}

/// What is in place, each with a × that takes it away.
void draw_in_place(Panel& panel) {
  const Look& look = panel.look;
  const std::vector<Intervention> all = interventions_of(panel.draft.query);
  for (std::size_t place = 0; place < all.size(); ++place) {
    const Row row = begin_row(look, "", nullptr, kNumberRow);
    const std::string words = describe_intervention(all[place]);
    const float close = look.px(kControl);
    const InterventionRow& kind = row_of(all[place].kind);
    const Press press =
        press_area(fmt::format("In place {}", place).c_str(), {row.left, row.top}, {row.right - row.left - close, row.height});
    if (press.is_hovered) {
      hint(look, fmt::format("{}: {}\n{}\nA click shows the head{}.", words, kind.replaced, kind.limits,
                             kind.need == InterventionNeed::text ? " beside its map on the other text" : "")
                     .c_str());
    }
    if (press.is_clicked && panel.snapshot->contains({all[place].heads.front().layer, 0})) show_edited_head(panel, all[place]);
    draw_text(look, row.left, row.middle(), Type::body, look.colours.text,
              elided(look, Type::body, words, row.right - row.left - close - look.px(kInside)));
    if (close_button(look, fmt::format("Take away {}", place).c_str(), {row.right - close / 2, row.middle()})) {
      remove_intervention(panel.draft.query, all[place]);
    }
    hint(look, "Take it away; undo brings it back.");
  }
}

}  // namespace

void draw_intervene_panel(Panel& panel) {
  const Look& look = panel.look;
  const std::size_t count = interventions_of(panel.draft.query).size();
  if (!section(look, "Intervene", panel.view.rails.folded, count == 0 ? "" : std::to_string(count))) return;
  if (!panel.has_picture() || panel.config() == nullptr) return;
  InterveneEntry& entry = panel.view.rails.intervene;
  const InterventionRow& kind = row_of(entry.kind);
  draw_places(panel, entry);
  draw_kinds(panel, entry);
  draw_needs(panel, kind, entry);
  const std::string where =
      kind.replaces == ReplacedPart::stream ? panel.snapshot->layer_name(panel.view.head.layer) : places_in_words(panel, entry.on);
  paragraph(look, Type::caption, look.colours.text_second, fmt::format("{}: {}", where, kind.replaced));
  gap(look, kInside);
  const std::string problem = missing(kind, entry);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  constexpr const char* kPut = "Put in place";
  const float width = button_width(look, kPut);
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  ImGui::PushID("intervene");
  if (quiet_button(look, kPut, {right - width, at.y}, {width, look.px(kControl)}, problem.empty())) put_in_place(panel, kind, entry);
  hint(look, problem.empty() ? "Later layers see it. Output shows the target before and after." : problem.c_str());
  ImGui::PopID();
  ImGui::Dummy({1, look.px(kControl)});
  if (!entry.problem.empty()) paragraph(look, Type::caption, look.colours.bad, entry.problem);
  draw_in_place(panel);
  gap(look, kInside);
}

}  // namespace headlight
