// How far a series of figures is, and what came of it.
#include <fmt/core.h>

#include <algorithm>

#include "app/document/amounts.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kBar = 160, kMostLines = 4;

std::string count_text(std::size_t count) {
  return grouped(static_cast<std::int64_t>(count));
}

/// "12 of 300 figures, about 40 s left"; at the end how many there are, and where.
std::string words_of(const Panel& panel, SeriesState state, const SeriesReport& report) {
  const std::string so_far = fmt::format("{} of {} figures", count_text(report.done), count_text(report.all));
  switch (state) {
    case SeriesState::none:
      return {};
    case SeriesState::running:
      if (report.all == 0) return "Reading …";
      return report.seconds_left && !panel.context.is_scripted ? so_far + ", " + time_left_text(*report.seconds_left) : so_far;
    case SeriesState::paused:
      return "Paused: " + so_far;
    case SeriesState::stopped:
      return "Stopped: " + so_far + ". What was written stays.";
    case SeriesState::refused:
      return report.problem;
    case SeriesState::finished:
      break;
  }
  std::string words = fmt::format("{} written", count_text(report.made));
  if (report.kept > 0) words += fmt::format(", {} there already", count_text(report.kept));
  const std::size_t failed = report.failures.size();
  if (failed > 0) words += fmt::format(", {} problem{}", count_text(failed), failed == 1 ? "" : "s");
  return words + ": " + printable(report.result.string(), 400);
}

SeriesReport newest(FigureSeries& series) {
  const std::shared_ptr<const SeriesReport> report = series.report();
  return report ? *report : SeriesReport();
}

float failures_height(const Look& look, const SeriesReport& report) {
  return std::min(kMostLines, static_cast<float>(report.failures.size())) * look.px(kLine);
}

void draw_bar(const Look& look, float left, float middle, double done) {
  const float half = look.px(2), right = left + look.px(kBar);
  fill(look, {left, middle - half}, {right, middle + half}, look.colours.line, 2);
  fill(look, {left, middle - half}, {left + static_cast<float>(std::clamp(done, 0.0, 1.0)) * look.px(kBar), middle + half},
       look.colours.accent, 2);
  name_area("Series progress", {left, middle - look.px(10), look.px(kBar), look.px(20)});
}

/// Pause and stop, go on, or away with it. Returns the left edge of the buttons.
float draw_buttons(Panel& panel, FigureSeries& series, SeriesState state, const SeriesReport& report, const Box& row) {
  const Look& look = panel.look;
  const float height = look.px(kControl), top = row.y + (row.height - height) / 2;
  float right = row.right();
  const auto button = [&](const char* name, const char* help) {
    const float width = button_width(look, name);
    right -= width;
    const bool is_pressed = quiet_button(look, name, {right, top}, {width, height});
    hint(look, help);
    right -= look.px(kUnit);
    return is_pressed;
  };
  const bool is_running = state == SeriesState::running, is_paused = state == SeriesState::paused;
  if (!is_running && !is_paused) {
    if (close_button(look, "Close series", {right - height / 2, row.y + row.height / 2})) series.close();
    right -= height + look.px(kUnit);
  }
  if (is_running || is_paused) {
    if (button("Stop series", "What was written stays; it can go on from there.")) series.stop();
  }
  if (is_running && button("Pause series", "It can go on at any time.")) series.pause();
  if ((is_paused || state == SeriesState::stopped) && button("Go on", "Files that are there already are not made again.")) series.go_on();
  if (state == SeriesState::finished && button("Copy place", "The path of what was written, to be opened in a browser.")) {
    ImGui::SetClipboardText(report.result.string().c_str());
  }
  return right;
}

void draw_failures(const Look& look, const SeriesReport& report, const Box& box) {
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::BeginChild("failures", {box.width, box.height}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground);
  for (const std::string& failure : report.failures)
    paragraph(look, Type::caption, look.colours.text_second, failure, box.width - look.px(kBetween));
  ImGui::EndChild();
}

}  // namespace

float series_height(const Panel& panel) {
  FigureSeries& series = panel.context.session.figure_series();
  if (series.state() == SeriesState::none) return 0;
  return panel.look.px(kRow + kUnit) + failures_height(panel.look, newest(series));
}

void tell_end_of_series(Panel& panel, ExportChoice& choice) {
  FigureSeries& series = panel.context.session.figure_series();
  const SeriesState state = series.state();
  const bool is_over = state == SeriesState::finished || state == SeriesState::refused;
  if (is_over && choice.is_series_watched) panel.view.notes.copied = words_of(panel, state, newest(series));
  choice.is_series_watched = state == SeriesState::running || state == SeriesState::paused;
}

void draw_series(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  FigureSeries& series = panel.context.session.figure_series();
  const SeriesState state = series.state();
  if (state == SeriesState::none) return;
  const SeriesReport report = newest(series);
  const Box row{box.x, box.y, box.width, look.px(kRow)};
  const float right = draw_buttons(panel, series, state, report, row), middle = row.y + row.height / 2;
  float left = box.x;
  if (state == SeriesState::running || state == SeriesState::paused) {
    draw_bar(look, left, middle, report.all == 0 ? 0 : static_cast<double>(report.done) / static_cast<double>(report.all));
    left += look.px(kBar + 12);
  }
  const bool is_bad = state == SeriesState::refused || !report.failures.empty();
  const Colour colour = is_bad ? look.colours.bad : state == SeriesState::finished ? look.colours.good : look.colours.text;
  const std::string words = words_of(panel, state, report);
  const std::string shown = elided_middle(look, Type::body, words, right - left - look.px(kUnit));
  press_area("Series words", {left, row.y}, {right - left, row.height});
  if (shown != words) hint(look, words.c_str());
  draw_text(look, left, middle, Type::body, colour, shown);
  if (!report.failures.empty()) draw_failures(look, report, {box.x, row.y + row.height, box.width, failures_height(look, report)});
}

}  // namespace headlight
