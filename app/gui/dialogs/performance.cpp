// The dialog that says what the last picture cost, where memory goes, and how long frames take.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/amounts.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "engine/core/memory_limit.h"
#include "engine/model/model.h"

namespace headlight {
namespace {

constexpr float kPerformanceWidth = 640, kBetweenColumns = 32;
constexpr float kBarHeight = 4;        // points
constexpr float kChartHeight = 48;     // points
constexpr float kSmoothFrame = 16.7F;  // milliseconds: 60 frames a second
constexpr std::size_t kMostStages = 14;

/// A label and its number, and below them its share of a whole.
void share_row(const Look& look, const std::string& label, const std::string& number, double share, const char* help = nullptr) {
  number_row(look, label, number, help, kLine);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = look.px(kBarHeight);
  fill(look, at, {at.x + width, at.y + height}, look.colours.raised, 2);
  const float filled = width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (filled >= 1) fill(look, at, {at.x + filled, at.y + height}, look.colours.accent, 2);
  gap(look, kBarHeight + kInside);
}

void heading(const Look& look, const char* title) {
  text_line(look, Type::heading, look.colours.text_second, title);
  gap(look, kInside);
}

/// The longest stages, in their order; the others as one.
std::vector<StageTime> shown_stages(const std::vector<StageTime>& all) {
  if (all.size() <= kMostStages) return all;
  std::vector<double> times;
  for (const StageTime& stage : all) times.push_back(stage.milliseconds);
  std::nth_element(times.begin(), times.begin() + kMostStages - 2, times.end(), std::greater<>());
  const double least = times[kMostStages - 2];
  std::vector<StageTime> shown;
  StageTime rest;
  for (const StageTime& stage : all) {
    const bool is_shown = stage.milliseconds >= least && shown.size() < kMostStages - 1;
    is_shown ? shown.push_back(stage) : void(rest.milliseconds += stage.milliseconds);
  }
  rest.stage = fmt::format("{} shorter stages", all.size() - shown.size());
  shown.push_back(std::move(rest));
  return shown;
}

/// What was there from the run before, and needed no time.
void draw_reuse(const Look& look, const Snapshot& snapshot) {
  const RunCost& cost = snapshot.cost;
  number_row(look, "layers reused", fmt::format("{} of {}", cost.layers_reused, cost.layers_reused + cost.layers_computed),
             "Layers below an edit do not change, so they are not computed again.", kLine);
  if (snapshot.is_dump() || snapshot.is_empty()) return;
  const Index known = cost.layers_computed == 0 ? snapshot.tokens() : std::max<Index>(0, snapshot.tokens() - cost.rows_computed);
  number_row(look, "tokens reused", fmt::format("{} of {}", grouped(known), grouped(snapshot.tokens())),
             "In a causal model earlier tokens do not see what is typed after them.", kLine);
}

void draw_last_picture(const Look& look, const Snapshot& snapshot) {
  const RunCost& cost = snapshot.cost;
  heading(look, "Last picture");
  number_row(look, "total", time_text(cost.milliseconds), "From the change to the finished numbers, without drawing.", kLine);
  for (const StageTime& stage : shown_stages(cost.stages))
    share_row(look, stage.stage, time_text(stage.milliseconds), stage.milliseconds / std::max(1e-9, cost.milliseconds));
  draw_reuse(look, snapshot);
}

/// Bytes of a kind, as a share of all that the program holds.
struct Kind {
  std::string name;
  std::uint64_t bytes = 0;
  const char* help = nullptr;
};

std::vector<Kind> kinds_of_memory(const Panel& panel, const MapCacheUse& maps) {
  std::vector<Kind> kinds;
  if (panel.snapshot && !panel.snapshot->is_dump())
    kinds.push_back({"weights of the model", tally_parameters(panel.snapshot->model->parameters).bytes, "In the type they are stored in."});
  if (panel.snapshot) {
    std::size_t all = 0;
    for (const MemoryPart& part : panel.snapshot->cost.memory) {
      kinds.push_back({part.kind, part.bytes, "Activations that the picture keeps."});
      all += part.bytes;
    }
    kinds.push_back({"small maps and measures", panel.snapshot->cost.bytes - std::min(all, panel.snapshot->cost.bytes), "Of the picture."});
  }
  kinds.push_back({"full maps", maps.bytes, "Maps of heads you looked at. Computed on demand; the oldest are dropped first."});
  return kinds;
}

void draw_memory(const Panel& panel) {
  const Look& look = panel.look;
  const MapCacheUse maps = panel.context.session.worker().map_cache_use();
  const auto all = std::max<std::uint64_t>(1, resident_memory());
  std::uint64_t rest = all;
  heading(look, "Memory");
  number_row(look, "total", bytes_text(all), "Memory in use now.", kLine);
  for (const Kind& kind : kinds_of_memory(panel, maps)) {
    if (kind.bytes == 0) continue;
    share_row(look, kind.name, bytes_text(kind.bytes), static_cast<double>(kind.bytes) / static_cast<double>(all), kind.help);
    rest -= std::min(rest, kind.bytes);
  }
  share_row(look, "other", bytes_text(rest), static_cast<double>(rest) / static_cast<double>(all),
            "Fonts, window buffers, other subjects and studies, and freed memory not yet returned to the system.");
  number_row(look, "full maps kept",
             fmt::format("{}, of {} made", grouped(static_cast<std::int64_t>(maps.maps)), grouped(static_cast<std::int64_t>(maps.made))),
             fmt::format("At most {} of them are kept.", bytes_text(maps.most_bytes)).c_str(), kLine);
}

/// One bar a frame, the newest at the right, and a line at 60 frames a second.
void draw_chart(const Look& look, const std::vector<float>& times) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = look.px(kChartHeight), bottom = at.y + height;
  const float highest =
      std::clamp(*std::max_element(times.begin(), times.end()), 2 * kSmoothFrame, 4 * kSmoothFrame);  // longer ones are cut
  const float step = width / static_cast<float>(FrameTimes::kMost);
  const float first = at.x + width - step * static_cast<float>(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const float left = first + step * static_cast<float>(i), top = bottom - height * std::min(1.0F, times[i] / highest);
    const Colour colour = times[i] > kSmoothFrame ? look.colours.bad : look.colours.accent;
    ImGui::GetWindowDrawList()->AddRectFilled({left, std::min(top, bottom - 1)}, {left + std::max(1.0F, step - 0.5F), bottom},
                                              to_imgui(colour));
  }
  const float line = std::round(bottom - height * kSmoothFrame / highest);
  ImGui::GetWindowDrawList()->AddLine({at.x, line}, {at.x + width, line}, to_imgui(look.colours.line));
  name_area("Frame times", {at.x, at.y, width, height});
  gap(look, kChartHeight + kInside);
}

void draw_frames(const Panel& panel) {
  const Look& look = panel.look;
  heading(look, "Frames");
  std::vector<float> times = panel.caches.frame_times.times();
  if (times.empty()) return paragraph(look, Type::caption, look.colours.text_second, "No frame timed yet.");
  draw_chart(look, times);
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return static_cast<double>(times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]);
  };
  paragraph(
      look, Type::caption, look.colours.text_second,
      fmt::format("Median {}, 95 % below {}, longest {} of the last {} frames. The line is at 16.7 ms: 60 frames a second. Frames are "
                  "drawn only when something changes.",
                  time_text(at(0.5)), time_text(at(0.95)), time_text(at(1)), times.size()));
}

}  // namespace

void draw_performance(Panel& panel) {
  const Look& look = panel.look;
  if (!begin_dialog(look, "Performance", kPerformanceWidth, panel.view.dialogs.performance)) return;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = std::floor((width - look.px(kBetweenColumns)) / 2);
  const auto draw_column = [&](const char* name, float left, const auto& draw) {
    ImGui::SetCursorScreenPos({left, start.y});
    ImGui::BeginChild(name, {column, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AutoResizeY, ImGuiWindowFlags_NoBackground);
    draw();
    ImGui::EndChild();
    return ImGui::GetItemRectMax().y;
  };
  const float left = draw_column("last picture", start.x, [&] {
    if (panel.snapshot) draw_last_picture(look, *panel.snapshot);
  });
  const float right = draw_column("memory", start.x + width - column, [&] { draw_memory(panel); });
  ImGui::SetCursorScreenPos({start.x, std::max(left, right) + look.px(kUnit)});
  draw_frames(panel);
  end_dialog(panel.view.dialogs.performance);
}

}  // namespace headlight
