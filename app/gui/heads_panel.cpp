#include <fmt/core.h>

#include <algorithm>

#include "app/gui/head_counts.h"
#include "app/gui/panel.h"

namespace headlight {
namespace {

/// The width that head counts have to divide, and the count that the model was made with.
struct HeadSizes {
  int d_model = 0, own = 0, chosen = 0;
};

HeadSizes head_sizes(const Panel& panel) {
  const Query& query = panel.draft.query;
  if (panel.is_sandbox()) {
    const SandboxSpec& spec = query.model.sandbox;
    return {spec.d_model, SandboxSpec{}.heads, query.heads.value_or(spec.heads)};
  }
  const ModelConfig* config = panel.config();
  if (config == nullptr) return {};
  return {config->d_model, config->heads, query.heads.value_or(config->heads)};
}

void choose_heads(Panel& panel, int heads) {
  Query& query = panel.draft.query;
  if (panel.is_sandbox()) {
    query.model.sandbox.heads = heads;
    query.heads.reset();
  } else if (panel.config() != nullptr && heads == panel.config()->heads) {
    query.heads.reset();
  } else {
    query.heads = heads;
  }
}

/// Every legal count, and a box that explains the others.
void draw_all_counts(Panel& panel, const HeadSizes& sizes) {
  const Look& look = panel.look;
  ImGui::SetNextWindowSize({look.px(280), 0});
  if (!begin_popup("All head counts")) return;
  text_line(look, Type::caption, look.colours.text_second, fmt::format("Every count that divides d_model {}", sizes.d_model));
  gap(look, kInside);
  constexpr int kColumns = 5;
  const std::vector<int> counts = legal_head_counts(sizes.d_model);
  const float side = (ImGui::GetContentRegionAvail().x - look.px(kInside) * (kColumns - 1)) / kColumns;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t rows = (counts.size() + kColumns - 1) / kColumns;
  ImGui::Dummy({0, static_cast<float>(rows) * look.px(kRow)});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto column = static_cast<float>(i % kColumns);
    const std::size_t whole_lines = i / kColumns;
    const auto line = static_cast<float>(whole_lines);
    ImGui::PushID("all");
    const std::string name = std::to_string(counts[i]);
    const ImVec2 place{at.x + column * (side + look.px(kInside)), at.y + line * look.px(kRow)};
    if (quiet_button(look, name.c_str(), place, {side, look.px(kControl)})) {
      choose_heads(panel, counts[i]);
      ImGui::CloseCurrentPopup();
    }
    ImGui::PopID();
  }
  gap(look, kInside);
  const Row row = begin_row(look, "Another");
  std::string& typed = panel.view.typed_heads;
  text_box(look, "Head count", "a number", typed, {row.control_left, row.top + look.px(2)}, row.right - row.control_left);
  if (!typed.empty()) {
    const TypedHeadCount read = read_head_count(sizes.d_model, typed);
    if (read.problem.empty()) {
      choose_heads(panel, read.count);
    } else {
      paragraph(look, Type::caption, look.colours.bad, read.problem);
    }
  }
  ImGui::EndPopup();
}

void draw_count(Panel& panel, const HeadSizes& sizes) {
  const Look& look = panel.look;
  const Row row = begin_row(
      look, "Count", "How many heads every layer's queries, keys and values are split into. Each head gets d_model ÷ count columns.");
  const std::vector<int> offered = offered_head_counts(sizes.d_model, sizes.own);
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
    panel.view.typed_heads.clear();
    ImGui::OpenPopup("All head counts");
  } else if (pressed >= 0) {
    choose_heads(panel, offered[static_cast<std::size_t>(pressed)]);
  }
  ImGui::SetNextWindowPos({row.left, row.top + row.height}, ImGuiCond_Appearing);
  draw_all_counts(panel, sizes);
}

}  // namespace

void draw_heads_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Heads", panel.view.folded)) return;
  const HeadSizes sizes = head_sizes(panel);
  if (sizes.d_model > 0) {
    draw_count(panel, sizes);
    const std::string split = sizes.d_model % sizes.chosen == 0
                                  ? fmt::format("d_head {} · parameters unchanged", sizes.d_model / sizes.chosen)
                                  : fmt::format("{} does not divide d_model {}", sizes.chosen, sizes.d_model);
    text_line(look, Type::caption, look.colours.text_second, split);
    gap(look, kInside);
  }
  if (!panel.has_picture()) return;
  slider(look, begin_row(look, "Layer", "The layer that Head and the inspector show (up and down)."), "Layer slider", panel.view.head.layer,
         0, panel.snapshot->layers() - 1);
  slider(look, begin_row(look, "Head", "The head that Head and the inspector show (left and right)."), "Head slider", panel.view.head.head,
         0, panel.snapshot->heads() - 1);
}

}  // namespace headlight
