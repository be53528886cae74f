// Heads: every head changed alone, and how far that moves the target, as a grid of layers and heads.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/watching/target_here.h"
#include "engine/core/numbers.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/map/colour.h"

namespace headlight {
namespace {

constexpr double kAsksFrom = 20;       ///< seconds: a longer sweep is begun only when it is asked for
constexpr double kShareOfPass = 0.55;  ///< of a pass that one head takes, as it shares the layers below (headlight bench)
constexpr float kNarrowestCell = 14, kWidestCell = 64;
constexpr float kDigitsFrom = 30;  ///< points: narrower cells have no room for a number
constexpr float kAxis = 40;
constexpr double kClippedShare = 0.02;  ///< of the cells may lie outside the colours, which is said

struct MethodChoice {
  EffectMethod method;
  const char* label;
  const char* help;
};
constexpr std::array kMethods{
    MethodChoice{EffectMethod::zero, "off", "z of one head becomes 0 at every position; later layers see it."},
    MethodChoice{EffectMethod::gate, "gate gradient",
                 "How strongly the target answers to a small change of one head's strength (Michel et al. 2019)."},
};

double seconds_for(const Panel& panel) {
  std::size_t heads = 0;
  for (int layer = 0; layer < panel.snapshot->layers(); ++layer) heads += static_cast<std::size_t>(panel.snapshot->heads(layer));
  const RunCost& cost = panel.snapshot->cost;
  const double computed = std::max(1, cost.layers_computed);
  const double pass = cost.milliseconds / computed * panel.snapshot->layers() / 1000;
  return pass * static_cast<double>(heads) * kShareOfPass * (panel.view.output.method == EffectMethod::gate ? 2 : 1);
}

/// What colours reach to, in half steps of a decade: the value below which all but a few lie.
double reach_of(const SweepFound& found) {
  if (found.by_size.empty()) return 1;
  const auto beyond = static_cast<std::size_t>(kClippedShare * static_cast<double>(found.by_size.size()));
  const double size = std::max(std::abs(found.values[found.by_size[beyond]]), 1e-6);
  const double decade = std::pow(10, std::floor(std::log10(size)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (size <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return size;
}

std::size_t count_beyond(const std::vector<double>& values, double reach) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double value) { return std::abs(value) > reach; }));
}

/// "−.52", as short as a cell needs it.
std::string cell_text(double value) {
  std::string text = fmt::format("{:+.{}f}", value, std::abs(value) < 0.95 ? 2 : 1);
  if (const std::size_t zero = text.find("0."); zero == 1) text.erase(1, 1);
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

const EffectRow& row_of(const SweepFound& found) {
  return effect_row(found.request.method);
}

/// The legend: what colours mean, and how many cells lie beyond them.
void draw_legend(Panel& panel, const SweepFound& found, double reach) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const float width = look.px(120), half = look.px(4);
  const std::string low = "−" + number_text(reach, 2), high = "+" + number_text(reach, 2);
  float x = row.left;
  const auto put = [&](const std::string& text, Type type, Colour colour) {
    draw_text(look, x, row.middle(), type, colour, text);
    x += text_width(look, type, text) + look.px(kUnit);
  };
  put(found.request.method == EffectMethod::gate ? "gradient" : "Δ of the target", Type::body, look.colours.text_second);
  put(low, Type::number, look.colours.text_second);
  draw_ramp(effect_ramp(panel), {x, row.middle() - half}, {width, 2 * half});
  x += width + look.px(kUnit);
  put(high, Type::number, look.colours.text_second);
  if (const std::size_t beyond = count_beyond(found.values, reach); beyond > 0) {
    put(fmt::format("{} beyond", beyond), Type::caption, look.colours.text_second);
  }
}

struct Grid {
  float left = 0, top = 0, cell = 0;  ///< pixels
  bool has_digits = false;
};

void draw_head_cell(Panel& panel, const SweepFound& found, std::size_t place, const Grid& grid, double reach) {
  const Look& look = panel.look;
  const HeadId head = found.heads[place];
  const double value = found.values[place];
  const ImVec2 from{grid.left + grid.cell * static_cast<float>(head.head), grid.top + grid.cell * static_cast<float>(head.layer)};
  const float side = grid.cell - look.px(2);
  const std::array<Colour, 256>& colours = effect_ramp(panel);
  const double share = std::isfinite(value) ? std::clamp(value / reach, -1.0, 1.0) : 0;
  const Colour colour = colours[static_cast<std::size_t>(std::lround((share + 1) / 2 * 255))];
  const std::string name = short_name(*found.request.run, head);
  const Press press = press_area(("Effect " + name).c_str(), from, {side, side});
  fill(look, from, {from.x + side, from.y + side}, colour, 3);
  const bool is_off = std::binary_search(panel.draft.query.switched_off.begin(), panel.draft.query.switched_off.end(), head);
  if (is_off) outline(look, from, {from.x + side, from.y + side}, look.colours.text, 3);
  draw_mark(look, {from.x, from.y, side, side}, look.colours.accent,
            head == panel.view.head ? Mark::pinned
            : press.is_hovered      ? Mark::hovered
                                    : Mark::none,
            3);
  if (grid.has_digits && std::abs(value) >= 0.3 * reach) {
    draw_text(look, from.x + side / 2, from.y + side / 2, Type::caption, ink_on(colour), cell_text(value), AlignX::centre);
  }
  if (press.is_hovered) {
    panel.view.output.pointed = head;
    panel.view.pointed.head = head;
    const std::string now = target_number(found.unchanged + value);
    hint(look,
         found.request.method == EffectMethod::gate
             ? fmt::format("{}: |d target / d gate| = {}.", name, target_number(value)).c_str()
             : fmt::format("{} switched off: the target would be {} ({}).\nClick selects, double-click opens, the right button has more.",
                           name, now, target_change(value))
                   .c_str());
    if (is_right_click()) ask_menu(panel, {.kind = MenuKind::head, .head = {head}});
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.view.view = View::head;
  }
  if (press.is_clicked) panel.view.head = head;
}

void draw_grid(Panel& panel, const SweepFound& found, double reach) {
  const Look& look = panel.look;
  const Snapshot& run = *found.request.run;
  const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const auto layers = static_cast<float>(run.layers()), heads = static_cast<float>(run.heads());
  Grid grid;
  const float fitting = std::min((room.x - look.px(kAxis)) / heads, (room.y - look.px(kAxis + kLine)) / layers);
  grid.cell = std::floor(std::clamp(fitting, look.px(kNarrowestCell), look.px(kWidestCell)));
  grid.left = at.x + look.px(kAxis);
  grid.top = at.y;
  grid.has_digits = grid.cell >= look.px(kDigitsFrom);
  const int step = grid.cell >= look.px(18) ? 1 : 4;  // of the labels
  for (int layer = 0; layer < run.layers(); layer += step) {
    draw_text(look, grid.left - look.px(10), grid.top + grid.cell * (static_cast<float>(layer) + 0.5F) - look.px(1), Type::number,
              look.colours.text_second, std::to_string(layer), AlignX::right);
  }
  const float foot = grid.top + grid.cell * layers + look.px(12);
  draw_text(look, grid.left - look.px(10), foot, Type::caption, look.colours.text_second, "L \\ H", AlignX::right);
  for (int head = 0; head < run.heads(); head += step) {
    draw_text(look, grid.left + grid.cell * (static_cast<float>(head) + 0.5F) - look.px(1), foot, Type::number, look.colours.text_second,
              std::to_string(head), AlignX::centre);
  }
  ImGui::Dummy({look.px(kAxis) + grid.cell * heads, grid.cell * layers + look.px(28)});
  const ImVec2 after = ImGui::GetCursorScreenPos();
  for (std::size_t place = 0; place < found.heads.size(); ++place) draw_head_cell(panel, found, place, grid, reach);
  ImGui::SetCursorScreenPos(after);
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

/// The heads that move the target most.
void draw_ranking(Panel& panel, const SweepFound& found, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Ranked heads", box, look.colours.ground);
  gap(look, kUnit);
  text_line(look, Type::title, look.colours.text, "By size");
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second, "One text: a hint, not a finding. Over a file of texts: headlight importance.");
  gap(look, kUnit);
  const std::vector<std::size_t>& order = found.by_size;
  constexpr std::size_t kListed = 40;
  const double largest = order.empty() ? 1 : std::abs(found.values[order.front()]);
  for (std::size_t rank = 0; rank < std::min(order.size(), kListed); ++rank) {
    const HeadId head = found.heads[order[rank]];
    const double value = found.values[order[rank]];
    const std::string name = short_name(*found.request.run, head);
    const Row row = begin_row(look, "", nullptr, kNumberRow);
    const Press press = press_area(("Ranked " + name).c_str(), {row.left, row.top}, {row.right - row.left, row.height});
    draw_mark(look, {row.left, row.top, row.right - row.left, row.height}, look.colours.accent,
              head == panel.view.head ? Mark::pinned
              : press.is_hovered      ? Mark::hovered
                                      : Mark::none);
    if (press.is_clicked) panel.view.head = head;
    if (press.is_hovered) panel.view.output.pointed = head;
    if (press.is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.view.view = View::head;
    draw_text(look, row.left + look.px(kUnit), row.middle(), Type::number, look.colours.text, name);
    const float left = row.left + look.px(72), right = row.right - look.px(72), zero = (left + right) / 2;
    const float end = zero + static_cast<float>(largest > 0 ? value / largest : 0) * (right - left) / 2;
    canvas().AddLine({zero, row.top}, {zero, row.top + row.height}, to_imgui(look.colours.line));
    fill(look, {std::min(zero, end), row.middle() - look.px(5)}, {std::max(zero, end) + 1, row.middle() + look.px(5)},
         colour_of_effect(panel, value), 1);
    draw_text(look, row.right - look.px(kUnit), row.middle(), Type::number, look.colours.text, target_change(value), AlignX::right);
  }
  end_scrolling_region();
}

void draw_method(Panel& panel) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "Each head alone", "What is done to one head at a time.");
  std::vector<Choice> choices;
  int chosen = 0;
  for (std::size_t place = 0; place < kMethods.size(); ++place) {
    choices.push_back({kMethods[place].label, kMethods[place].help});
    if (kMethods[place].method == panel.view.output.method) chosen = static_cast<int>(place);
  }
  Row near = row;  // beside its label, not at the far edge of a wide view
  near.right = std::min(row.right, row.left + look.px(360));
  if (segmented(look, near, "Method", choices, chosen)) panel.view.output.method = kMethods[static_cast<std::size_t>(chosen)].method;
}

void draw_sweep(Panel& panel, const SweepFound& found, Effects& effects, const Box& box) {
  const Look& look = panel.look;
  constexpr float kGridShare = 0.6F;
  const float left = std::round(box.width * kGridShare), inset = look.px(kUnit);
  const double reach = reach_of(found);
  begin_scrolling_region(look, "Effects of heads", {box.x + inset, box.y, left - inset, box.height}, look.colours.ground);
  gap(look, kUnit);
  text_line(look, Type::title, look.colours.text,
            found.request.method == EffectMethod::gate ? "Each head's gate, alone" : "Each head switched off, alone");
  gap(look, kInside);
  paragraph(
      look, Type::body, look.colours.text_second,
      fmt::format("{}: {} now. {}", describe_target(found.request.target), target_number(found.unchanged), row_of(found).measure.meaning));
  draw_method(panel);
  draw_legend(panel, found, reach);
  draw_progress(panel, effects);
  gap(look, kInside);
  draw_grid(panel, found, reach);
  end_scrolling_region();
  draw_ranking(panel, found, {box.x + left, box.y, box.width - left - inset, box.height});
  ImGui::GetBackgroundDrawList()->AddLine({box.x + left, box.y}, {box.x + left, box.bottom()}, to_imgui(look.colours.line));
}

/// Asks before it takes long. Returns whether the sweep is wanted.
bool is_agreed(Panel& panel, const Box& box) {
  const double seconds = seconds_for(panel);
  double& agreed = panel.view.output.agreed_seconds;
  if (seconds < kAsksFrom || seconds <= agreed || panel.context.is_scripted) return true;
  const Look& look = panel.look;
  begin_region(look, "Output", box, Colour{0, 0, 0, 0}, {24, kBetween}, ImGuiWindowFlags_None);
  text_line(look, Type::title, look.colours.text, "Each head switched off, alone");
  gap(look, kInside);
  paragraph(
      look, Type::body, look.colours.text_second,
      fmt::format("Running the text once for every head takes about {:.0f} s here. It goes on beside everything else and can be paused.",
                  std::ceil(seconds)));
  gap(look, kUnit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (quiet_button(look, "Run it", at, {button_width(look, "Run it"), look.px(kControl)})) agreed = 2 * seconds;
  end_region();
  return false;
}

}  // namespace

void draw_heads_page(Panel& panel, const Box& box) {
  const std::shared_ptr<const TargetFound> target = target_here(panel);
  if (target && !target->now.reason.empty()) return draw_page_message(panel.look, box, "The target has no value here", target->now.reason);
  if (!is_agreed(panel, box)) return;
  Effects& effects = panel.context.session.effects();
  const std::shared_ptr<const SweepFound> found = effects.sweep({panel.snapshot, panel.draft.target, panel.view.output.method});
  if (found && found->problem.empty()) return draw_sweep(panel, *found, effects, box);
  const StudyStatus status = effects.sweep_status();
  if (status.error)
    return draw_page_message(panel.look, box, "Heads cannot be switched off one by one here", as_sentence(status.error_message));
  draw_page_message(panel.look, box, "Each head switched off, alone", found ? found->problem : "The first layer is being computed.");
}

}  // namespace headlight
