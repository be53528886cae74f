#include "app/gui/views/inside/playing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/shapes.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/inside/inside_view.h"

namespace headlight {

void show_moment(InsidePage& page, InsideMoment moment) {
  page.moment = moment;
  page.is_playing = false;
  page.has_played = true;
}

void start_playing(InsidePage& page) {
  if (!page.has_played || page.moment.is_end()) page.moment = {InsideStep::query, 0};
  page.has_played = true;
  page.is_playing = true;
}

InsideMoment drawn_moment(const InsidePage& page, bool has_reduced_motion) {
  return has_reduced_motion && page.is_playing ? next_stop(page.moment) : page.moment;
}

void pass_time(InsidePage& page, float seconds) {
  if (!page.is_playing) return;
  page.moment = played(page.moment, seconds * kInsideSpeeds[static_cast<std::size_t>(page.speed)]);
  page.is_playing = !page.moment.is_end();
}

void keep_to(InsidePage& page, const Inside& inside) {
  if (page.of_head != inside.head || page.of_query != inside.query) {
    page.chosen_key.reset();
    page.ringed.reset();
    page.opened.clear();
    page.of_head = inside.head;
    page.of_query = inside.query;
  }
  if (page.chosen_key && *page.chosen_key >= inside.keys()) page.chosen_key.reset();
  if (page.ringed && !has_number(inside, *page.ringed)) page.ringed.reset();
}

std::string why_nothing_inside(const Panel& panel) {
  const std::string edit = edit_inside(panel.snapshot->query, panel.view.head, query_inside(panel));
  if (edit.empty()) return {};
  return fmt::format(
      "An edit puts other numbers in the place of what this head computes, so its steps do not lead to them: {}. Take it away in "
      "Intervene, or look at another head or query.",
      edit);
}

std::string why_no_ledger(const Panel& panel) {
  if (std::string edit = why_nothing_inside(panel); !edit.empty()) return edit;
  if (!panel.status.error || panel.status.is_busy) return {};
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  const bool is_of_this = found && found->question == InsideQuestion{panel.snapshot, panel.view.head, query_inside(panel)};
  return is_of_this ? "" : panel.status.error_message;
}

std::shared_ptr<const InsideFound> found_inside(const Panel& panel) {
  if (!why_nothing_inside(panel).empty()) return nullptr;
  return panel.context.session.insides().ask({panel.snapshot, panel.view.head, query_inside(panel)});
}

Index marked_key(const InsidePage& page, const Inside& inside) {
  return page.chosen_key.value_or(key_to_mark(inside));
}

InsideNumber shown_number(const InsidePage& page, const Inside& inside) {
  if (page.ringed) return *page.ringed;
  const Index key = marked_key(page, inside);
  switch (page.moment.step) {
    case InsideStep::query:
      return {InsideValue::query};
    case InsideStep::keys:
      return {InsideValue::key, key};
    case InsideStep::products:
      return {InsideValue::score, key};
    case InsideStep::scale: {
      const bool has_more = inside.row.capped.size() > 0 || inside.row.bias.size() > 0;
      return {has_more ? InsideValue::final_score : InsideValue::scaled, key};
    }
    case InsideStep::mask:
      return {InsideValue::mask, key};
    case InsideStep::softmax:
      return {InsideValue::weight, key};
    case InsideStep::values:
      return {InsideValue::z};
    case InsideStep::output:
      return {InsideValue::sum};
  }
  return {};
}

namespace {

/// The sign in a button: triangles and bars, in points from its middle.
enum class Sign : std::uint8_t { before, play, pause, after };

void draw_sign(const Look& look, ImVec2 middle, Sign sign, ImU32 colour) {
  ImDrawList& list = canvas();
  const auto at = [&](float x, float y) { return ImVec2{middle.x + x * look.scale, middle.y + y * look.scale}; };
  const auto bar = [&](float x) { list.AddRectFilled(at(x, -6), at(x + 2.5F, 6), colour); };
  const auto triangle = [&](float from, float to) { list.AddTriangleFilled(at(from, -6), at(from, 6), at(to, 0), colour); };
  switch (sign) {
    case Sign::before:
      bar(-6);
      list.AddTriangleFilled(at(5, -6), at(-3, 0), at(5, 6), colour);
      break;
    case Sign::play:
      triangle(-4, 7);
      break;
    case Sign::pause:
      bar(-5);
      bar(2.5F);
      break;
    case Sign::after:
      triangle(-5, 3);
      bar(3.5F);
      break;
  }
}

bool sign_button(const Look& look, const char* name, ImVec2 at, float width, float height, Sign sign, bool is_main) {
  const Press press = press_area(name, at, {width, height});
  const ImVec2 to{at.x + width, at.y + height};
  const Colour ground = is_main ? look.colours.accent : press.is_hovered ? look.colours.line : look.colours.raised;
  fill(look, at, to, is_main && press.is_hovered ? mix(ground, look.colours.text, 0.15F) : ground);
  if (!is_main) outline(look, at, to, look.colours.line);
  const bool is_bright = look.colours.accent.green > 140;
  const Colour on_accent = is_bright ? look.colours.ground : Colour{255, 255, 255, 255};
  draw_sign(look, {at.x + width / 2, at.y + height / 2}, sign, to_imgui(is_main ? on_accent : look.colours.text));
  return press.is_clicked;
}

/// The steps as pieces of a line, each as long as the others; the knob is where playing has come.
void draw_track(Panel& panel, float left, float right, const Box& bar) {
  const Look& look = panel.look;
  InsidePage& page = panel.view.inside;
  const float pitch = (right - left) / kInsideSteps, gap_width = look.px(3);
  const float label_y = bar.y + bar.height * 0.34F, line_y = std::round(bar.y + bar.height * 0.68F);
  const float height = std::max(2.0F, look.px(4));
  // Labels are pressed; the line below them is dragged.
  for (const InsideStepRow& row : inside_steps()) {
    const auto number = static_cast<int>(row.step);
    const float x = left + pitch * static_cast<float>(number);
    const bool is_current = page.moment.step == row.step;
    const std::string digit = std::to_string(number + 1);
    const float digit_width = text_width(look, Type::caption, digit) + look.px(3);
    const std::string title = elided(look, Type::caption, row.title, pitch - digit_width - gap_width);
    const bool has_title = title == row.title;
    const std::string name = "Step " + std::string(row.title);
    const Press press = press_area(name.c_str(), {x, bar.y + look.px(4)}, {pitch - gap_width, bar.height * 0.5F - look.px(4)});
    hint(look, row.headline.data());
    if (press.is_clicked) show_moment(page, end_of_step(number + 1));
    const Colour digit_colour = is_current ? look.colours.accent : look.colours.text_second;
    draw_text(look, x, label_y, Type::caption, digit_colour, digit);
    const Colour colour = is_current || press.is_hovered ? look.colours.text : look.colours.text_second;
    if (has_title) draw_text(look, x + digit_width, label_y, Type::caption, colour, title);
    const bool is_behind = number < static_cast<int>(page.moment.step);
    const float share = is_behind ? 1 : is_current ? page.moment.progress : 0;
    const auto piece = [&](float to, Colour fill_colour) {
      canvas().AddRectFilled({x, line_y - height / 2}, {x + (pitch - gap_width) * to, line_y + height / 2}, to_imgui(fill_colour),
                             height / 2);
    };
    piece(1, look.colours.line);
    if (share > 0) piece(share, is_current ? look.colours.accent : mix(look.colours.ground, look.colours.accent, 0.65F));
    for (int stop = 1; stop < row.stops; ++stop) {
      const float at = x + (pitch - gap_width) * static_cast<float>(stop) / static_cast<float>(row.stops);
      canvas().AddRectFilled({at - 1, line_y - height / 2}, {at + 1, line_y + height / 2}, to_imgui(look.colours.ground));
    }
  }
  const Press drag = press_area("Moment", {left, line_y - look.px(12)}, {right - left, look.px(24)});
  if (drag.is_held) show_moment(page, moment_at((ImGui::GetIO().MousePos.x - left) / std::max(1.0F, right - left)));
  const float knob = left + pitch * static_cast<float>(page.moment.step) + (pitch - gap_width) * page.moment.progress;
  canvas().AddCircleFilled({knob, line_y}, look.scale * (drag.is_hovered || drag.is_held ? 7.0F : 6.0F), to_imgui(look.colours.text), 24);
}

}  // namespace

void draw_transport(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  InsidePage& page = panel.view.inside;
  canvas().AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, to_imgui(look.colours.panel));
  canvas().AddRectFilled({box.x, box.y}, {box.right(), box.y + 1}, to_imgui(look.colours.line));
  const float height = look.px(32), width = look.px(32), top = std::round(box.y + (box.height - height) / 2);
  float left = box.x + look.px(kInsideCorner.x);
  if (sign_button(look, "Step back", {left, top}, width, height, Sign::before, false)) {
    show_moment(page, end_of_step(page.moment.number() - 1));
  }
  hint(look, "The step before (←). Shift goes back one stop.");
  left += width + look.px(6);
  const bool is_playing = page.is_playing;
  if (sign_button(look, is_playing ? "Pause" : "Play", {left, top}, width, height, is_playing ? Sign::pause : Sign::play, true)) {
    is_playing ? void(page.is_playing = false) : start_playing(page);
  }
  hint(look, is_playing ? "Hold it here (space)." : "Play the computation (space).");
  left += width + look.px(6);
  if (sign_button(look, "Step on", {left, top}, width, height, Sign::after, false)) {
    show_moment(page, end_of_step(page.moment.number() + (page.moment.progress >= 1 ? 1 : 0)));
  }
  hint(look, "The next step (→). Shift goes to the next stop.");
  left += width + look.px(kBetween);

  float right = box.right() - look.px(kInsideCorner.x);
  const float room = right - left;
  constexpr const char* kStill = "Still …";
  if (room > look.px(560)) {
    const float still = button_width(look, kStill);
    if (quiet_button(look, kStill, {right - still, top}, {still, height})) panel.view.dialogs.figure_export = true;
    hint(look, "Write this moment as a figure (E).");
    right -= still + look.px(12);
  }
  if (room > look.px(420)) {
    static const std::array<std::string, 3> kSpeeds{"½×", "1×", "2×"};
    const Row row{left, right, top + look.px(4), look.px(kControl), left, "How fast it plays ([ slower, ] faster)."};
    segmented(look, row, "Speed", kSpeeds, page.speed);
    right -= segments_width(look, kSpeeds) + look.px(kBetween);
  }
  draw_track(panel, left, right, box);
}

}  // namespace headlight
