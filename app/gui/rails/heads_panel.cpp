#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "app/document/subjects.h"
#include "app/gui/finding/asking.h"
#include "app/gui/kit/items.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/head_counts.h"
#include "app/gui/rails/rails.h"
#include "engine/forward/layer_edits.h"
#include "engine/forward/surgery.h"

namespace headlight {
namespace {

/// The model that head counts have to fit, the count that it was made with, the chosen one, and the possible ones.
struct HeadSizes {
  ModelConfig config;
  int own = 0, chosen = 0;
  std::vector<int> legal;
};

HeadSizes head_sizes(const Panel& panel, ModelConfig config) {
  const Query& query = panel.draft.query;
  const int own = panel.is_sandbox() ? SandboxSpec{}.heads : config.heads.count;
  const int chosen = query.heads.value_or(config.heads.count);
  if (panel.is_sandbox()) {  // redrawn for any head count (set_heads)
    config.heads.kv_count = config.heads.count;
    config.positions.rotary.dimensions = 0;
  }
  std::vector<int> legal = legal_head_counts(config);
  return {std::move(config), own, chosen, std::move(legal)};
}

/// The head sizes of a sandbox whose sizes do not fit together.
HeadSizes head_sizes(const SandboxSpec& spec) {
  ModelConfig config;
  config.d_model = config.heads.d_head = std::max(1, spec.d_model);
  config.heads.count = config.heads.kv_count = 1;
  config.positions.kind = spec.positions;
  std::vector<int> legal = legal_head_counts(config);
  return {std::move(config), SandboxSpec{}.heads, spec.heads, std::move(legal)};
}

void choose_heads(Panel& panel, int heads) {
  Query& query = panel.draft.query;
  if (panel.is_sandbox()) {
    set_heads(query.model.sandbox, heads);
    query.heads.reset();
  } else if (panel.config() != nullptr && heads == panel.config()->heads.count) {
    query.heads.reset();
  } else {
    query.heads = heads;
  }
  // If the key/value heads no longer divide the new count, the model's own are used again.
  const std::optional<ModelConfig> config = draft_config(panel);
  if (!config || !query.kv_heads) return;
  const std::vector<int> legal = legal_kv_head_counts(*config, query.heads);
  if (std::find(legal.begin(), legal.end(), *query.kv_heads) == legal.end()) query.kv_heads.reset();
}

/// A typed count. Only Enter applies it, or typing "12" would first apply "1".
void draw_typed_count(Panel& panel, const HeadSizes& sizes) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "Another");
  std::string& typed = panel.view.rails.typed_heads;
  send_typing_to_next_box(typed);
  text_box(look, "Head count", "a number, then Enter", typed, {row.control_left, row.top + look.px(2)}, row.right - row.control_left);
  keep_caret_behind_typing();
  const bool is_typed_in = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  const bool is_entered = is_typed_in && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (typed.empty()) return;
  const TypedHeadCount read = read_head_count(sizes.config, typed);
  if (!read.problem.empty()) return paragraph(look, Type::caption, look.colours.bad, read.problem);
  const int d_head = sizes.config.heads.count * sizes.config.heads.d_head / read.count;
  paragraph(look, Type::caption, look.colours.text_second, fmt::format("Enter: {} of width {}", read.count, d_head));
  if (!is_entered) return;
  choose_heads(panel, read.count);
  ImGui::CloseCurrentPopup();
}

/// Every legal count, and a box that explains the others.
void draw_all_counts(Panel& panel, const HeadSizes& sizes) {
  const Look& look = panel.look;
  ImGui::SetNextWindowSize({look.px(280), 0});
  if (!begin_popup("All head counts")) return;
  const std::string left_out = describe_left_out(sizes.config);
  const int width = sizes.config.heads.count * sizes.config.heads.d_head;
  text_line(look, Type::caption, look.colours.text_second, fmt::format("Head counts that divide the width {}", width));
  if (!left_out.empty()) paragraph(look, Type::caption, look.colours.text_second, left_out);
  gap(look, kInside);
  constexpr int kColumns = 5;
  const float side = (ImGui::GetContentRegionAvail().x - look.px(kInside) * (kColumns - 1)) / kColumns;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t rows = (sizes.legal.size() + kColumns - 1) / kColumns;
  ImGui::Dummy({0, static_cast<float>(rows) * look.px(kRow)});
  for (std::size_t i = 0; i < sizes.legal.size(); ++i) {
    const auto column = static_cast<float>(i % kColumns);
    const std::size_t whole_lines = i / kColumns;
    const auto line = static_cast<float>(whole_lines);
    ImGui::PushID("all");
    const std::string name = std::to_string(sizes.legal[i]);
    const ImVec2 place{at.x + column * (side + look.px(kInside)), at.y + line * look.px(kRow)};
    if (quiet_button(look, name.c_str(), place, {side, look.px(kControl)})) {
      choose_heads(panel, sizes.legal[i]);
      ImGui::CloseCurrentPopup();
    }
    if (sizes.legal[i] == sizes.chosen) ImGui::SetItemDefaultFocus();
    ImGui::PopID();
  }
  gap(look, kInside);
  draw_typed_count(panel, sizes);
  ImGui::EndPopup();
}

void draw_count(Panel& panel, const HeadSizes& sizes) {
  const Look& look = panel.look;
  const Row row = begin_row(
      look, "Count", "How many heads every layer's queries, keys and values are split into. Each head gets d_model ÷ count columns.");
  const std::vector<int> offered = offered_head_counts(sizes.legal, sizes.own);
  std::vector<std::string> labels;
  std::vector<bool> is_on;
  for (const int count : offered) {
    labels.push_back(std::to_string(count));
    is_on.push_back(count == sizes.chosen);
  }
  // The last segment opens the list of all; a count from there shows in it.
  const bool is_other = std::find(offered.begin(), offered.end(), sizes.chosen) == offered.end();
  is_on.push_back(is_other);
  labels.emplace_back("…");
  const std::vector<std::string> names = labels;
  if (is_other) labels.back() = std::to_string(sizes.chosen) + " …";
  const int pressed = segmented_many(look, row, "Heads", labels, is_on, names);
  if (pressed == static_cast<int>(offered.size())) {
    panel.view.rails.typed_heads.clear();
    ImGui::OpenPopup("All head counts");
  } else if (pressed >= 0) {
    choose_heads(panel, offered[static_cast<std::size_t>(pressed)]);
  }
  ImGui::SetNextWindowPos({row.left, row.top + row.height}, ImGuiCond_Appearing);
  draw_all_counts(panel, sizes);
}

/// What a choice of key/value heads means, in a few words.
std::string kv_help(int kv_heads, int stored, int heads) {
  if (kv_heads == stored) return "As many as the model has.";
  if (kv_heads > stored) return fmt::format("Each of the {} is repeated {} times: the same maps.", stored, kv_heads / stored);
  return fmt::format("{} of {} are averaged into each; {} heads share one.", stored / kv_heads, stored, heads / kv_heads);
}

/// The first entry is the way back to the model's own.
void draw_kv_heads(Panel& panel, const ModelConfig& config) {
  const Look& look = panel.look;
  Query& query = panel.draft.query;
  const HeadCounts own = resolve_head_counts(config, query.heads, {});
  const std::vector<int> legal = legal_kv_head_counts(config, query.heads);
  std::vector<Choice> choices{{fmt::format("model's own · {}", own.stored_kv_heads), "As many as the k and v projections have."}};
  int chosen = 0;
  for (const int kv_heads : legal) {
    if (query.kv_heads == kv_heads) chosen = static_cast<int>(choices.size());
    choices.push_back({std::to_string(kv_heads), kv_help(kv_heads, own.stored_kv_heads, own.heads)});
  }
  const Row row = begin_row(
      look, "K/V heads",
      "Key/value heads: heads can share keys and values in groups. Fewer than the model has: neighbours are averaged, as grouped-query "
      "models are initialised (Ainslie et al. 2023, arXiv 2305.13245). 1: multi-query attention. How many K/V heads the sandbox's "
      "weights have is another choice: Sandbox, More, K/V heads of weights.");
  if (drop_down(look, row, "Key/value heads", choices, chosen)) {
    query.kv_heads = chosen == 0 ? std::nullopt : std::optional(legal[static_cast<std::size_t>(chosen - 1)]);
  }
}

std::string_view name_of(Worth worth) {
  return worth == Worth::exact ? "exact" : worth == Worth::what_if ? "what if" : "approximation";
}

/// The sentence begins with the badge's word: "Exact: each of …" becomes "Each of …".
std::string without_word(const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  std::string rest = colon == std::string::npos ? sentence : sentence.substr(colon + 2);
  if (!rest.empty()) rest[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(rest[0])));
  return rest;
}

/// How exact an edit of heads is, and why.
void draw_note(const Look& look, const SurgeryNote& note) {
  gap(look, 2);
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const Colour colour = note.worth == Worth::exact     ? look.colours.good
                        : note.worth == Worth::what_if ? look.colours.accent
                                                       : look.colours.query;
  draw_badge(look, row.left, row.middle(), name_of(note.worth), colour);
  paragraph(look, Type::caption, look.colours.text_second, without_word(note.sentence));
  gap(look, kInside);
}

/// The width of a head; and where its line has room the way to the question that everyone asks first.
void draw_width_and_door(Panel& panel, const std::string& width) {
  constexpr const char* kDoor = "Which head does this?";
  const Look& look = panel.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  text_line(look, Type::caption, look.colours.text_second, width);
  const bool has_room = text_width(look, Type::caption, width) + text_width(look, Type::caption, kDoor) + look.px(2 * kUnit) <= room;
  if (!has_room || !panel.has_picture()) return;
  if (word_button(look, kDoor, kDoor, at.x + room, {at.x, at.y, room, look.px(kLine)}).is_clicked) show_finding(panel);
  hint(look, "Ranks all heads by a pattern, or by the words that you point at (ctrl+F).");
}

/// What the choice of heads means. The sandbox is drawn for its head count, a loaded model's projections are split differently.
void draw_consequence(Panel& panel, const ModelConfig& config) {
  const Look& look = panel.look;
  const Query& query = panel.draft.query;
  const HeadCounts counts = resolve_head_counts(config, query.heads, query.kv_heads);
  const bool is_edited = counts.heads != config.heads.count || counts.kv_heads != config.heads.kv_count;
  // If a sandbox's key/value heads or distance biases are drawn for each head, another count means another number of parameters.
  const SandboxSpec& spec = query.model.sandbox;
  const bool is_drawn_alike = !panel.is_sandbox() || (spec.kv_heads == 0 && spec.positions != PositionKind::t5_buckets);
  const bool is_changed = is_edited || (panel.is_sandbox() && counts.heads != SandboxSpec{}.heads);
  const bool keeps_parameters = is_changed && is_drawn_alike && counts.kv_heads == counts.stored_kv_heads;
  draw_width_and_door(panel, fmt::format("d_head {}{}", counts.d_head, keeps_parameters ? " · parameters unchanged" : ""));
  if (keeps_parameters) name_area("Parameters unchanged", {0, 0, 1, 1});
  if (is_edited) draw_note(look, describe_surgery(config, counts));
  gap(look, kInside);
}

bool is_possible(const ModelConfig& config, const Query& query) {
  const std::vector<int> heads = legal_head_counts(config);
  if (std::find(heads.begin(), heads.end(), query.heads.value_or(config.heads.count)) == heads.end()) return false;
  if (!query.kv_heads) return true;
  const std::vector<int> kv_heads = legal_kv_head_counts(config, query.heads);
  return std::find(kv_heads.begin(), kv_heads.end(), *query.kv_heads) != kv_heads.end();
}

void draw_surgery_rows(Panel& panel) {
  const std::optional<ModelConfig> config = draft_config(panel);
  if (!config || !is_possible(*config, panel.draft.query)) return;
  draw_kv_heads(panel, *config);
  draw_consequence(panel, *config);
}

/// Switches the head that is looked at off or on; says how exact that is while any head is off.
void draw_switch(Panel& panel) {
  const Look& look = panel.look;
  const std::vector<HeadId>& switched_off = panel.draft.query.switched_off;  // sorted
  const bool was_off = std::binary_search(switched_off.begin(), switched_off.end(), panel.view.head);
  bool is_off = was_off;
  const Row row = begin_row(look, "Switch this head off", "Removes its output: see what the later layers do without it.");
  if (on_off(look, row, "Switch this head off", is_off) && is_off != was_off) toggle_switched_off(panel.draft.query, panel.view.head);
  if (!is_off && is_switched_off(panel.draft.query, panel.view.head))
    paragraph(look, Type::caption, look.colours.text_second, "An edit switches it off: see Intervene.");
  if (!panel.has_picture()) return;
  const std::vector<HeadId> all = panel.snapshot->all_heads();
  const auto off = std::count_if(all.begin(), all.end(), [&](HeadId head) { return is_switched_off(panel.draft.query, head); });
  if (off > 0) draw_note(look, describe_switched_off(static_cast<std::size_t>(off)));
}

}  // namespace

void draw_heads_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Heads", panel.view.rails.folded)) return;
  if (const std::optional<ModelConfig> config = draft_config(panel)) {
    draw_count(panel, head_sizes(panel, *config));
    draw_surgery_rows(panel);
  } else if (panel.is_sandbox()) {
    // Sizes that do not fit together come from a document or a command line: say why, and offer a way out.
    const SandboxSpec& spec = panel.draft.query.model.sandbox;
    draw_count(panel, head_sizes(spec));
    paragraph(look, Type::caption, look.colours.bad, problem_of(spec));
  }
  if (!panel.has_picture()) return;
  layer_slider(panel, begin_row(look, "Layer", "The layer that Head and the inspector show (up and down)."), "Layer slider",
               panel.view.head.layer);
  slider(look, begin_row(look, "Head", "The head that Head and the inspector show (left and right)."), "Head slider", panel.view.head.head,
         0, panel.snapshot->heads() - 1);
  draw_switch(panel);
}

}  // namespace headlight
