// The figure as its file has it, between rulers.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/amounts.h"
#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/dialogs/export/rulers.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"

namespace headlight {
namespace {

constexpr float kGround = 12;  ///< around a figure that is smaller than its place

/// A figure on the screen.
struct ShownSheet {
  Point mm;        ///< width and height in print
  float zoom = 1;  ///< 1: as in print
};

Point printed_size(const Scene& scene) {
  return {scene.width / kPointsPerMm, scene.height / kPointsPerMm};
}

/// The zoom with which a figure fills its place.
float fitting_zoom(const Look& look, Point mm, ImVec2 room) {
  const float width = room.x - 2 * look.px(kGround), height = room.y - 2 * look.px(kGround);
  const float point = kScreenPointsPerMm * look.scale;
  return std::max(0.02F, std::min(width / (mm.x * point), height / (mm.y * point)));
}

ShownSheet sheet_of(const Look& look, const ExportChoice& choice, const Scene& scene, ImVec2 room) {
  ShownSheet sheet{printed_size(scene), 1};
  if (choice.zoom == PreviewZoom::twice) sheet.zoom = 2;
  if (choice.zoom == PreviewZoom::fit) sheet.zoom = fitting_zoom(look, sheet.mm, room);
  return sheet;
}

/// Pixels of the image for each point of the scene: those of the screen, unless the figure has too many.
float density_of(const Scene& scene, float wanted) {
  constexpr float kLargestSide = 8192, kMostPixels = 24e6F;
  const float side = kLargestSide / std::max(scene.width, scene.height);
  return std::min({wanted, side, std::sqrt(kMostPixels / (scene.width * scene.height))});
}

/// What lies under a figure without a ground: light paper.
void draw_chequers(const Look& look, ImVec2 from, ImVec2 size) {
  constexpr Colour kPaper{255, 255, 255, 255}, kShade{226, 229, 234, 255};
  const float side = look.px(kUnit);
  canvas().PushClipRect(from, {from.x + size.x, from.y + size.y}, true);
  fill(look, from, {from.x + size.x, from.y + size.y}, kPaper, 0);
  for (float y = 0, row = 0; y < size.y; y += side, ++row) {
    for (float x = std::fmod(row, 2.0F) * side; x < size.x; x += 2 * side)
      fill(look, {from.x + x, from.y + y}, {from.x + x + side, from.y + y + side}, kShade, 0);
  }
  canvas().PopClipRect();
}

/// A size that differs from the image's by a rounding gives way to it: else a row of pixels would be lost half-way down, through letters.
ImVec2 on_its_pixels(ImVec2 size, const Image& image, float screen) {
  constexpr float kRounding = 2.5F;  // pixels
  const ImVec2 own{static_cast<float>(image.width) / screen, static_cast<float>(image.height) / screen};
  const bool is_same = std::abs(own.x - size.x) * screen < kRounding && std::abs(own.y - size.y) * screen < kRounding;
  return is_same ? own : size;
}

/// Shows the image, or the one of before at the new size until it is there. Returns where the figure lies.
Measured draw_sheet(Panel& panel, const std::shared_ptr<const FigurePreview>& preview, const ShownSheet& sheet, ImVec2 at, ImVec2 room) {
  const Look& look = panel.look;
  const float mm = sheet.zoom * kScreenPointsPerMm * look.scale;
  ImVec2 size{std::round(sheet.mm.x * mm), std::round(sheet.mm.y * mm)};
  const auto place = [&](float length, float all) { return length + 2 * look.px(kGround) <= all ? look.px(kGround) : 0.0F; };
  const ImVec2 from{std::round(at.x + place(size.x, room.x)), std::round(at.y + place(size.y, room.y))};
  const float screen = std::max(1.0F, ImGui::GetIO().DisplayFramebufferScale.x);
  FigurePreviews& previews = panel.context.session.figure_previews();
  const auto pixels = previews.pixels(preview, density_of(preview->scene, screen * size.x / preview->scene.width));
  if (pixels) size = on_its_pixels(size, *pixels->image, screen);
  if (preview->scene.background.alpha == 0) draw_chequers(look, from, size);
  if (pixels) panel.context.painter.show_image(pixels->image, from, {from.x + size.x, from.y + size.y}, "export preview");
  outline(look, from, {from.x + size.x, from.y + size.y}, look.colours.line, 0);
  name_area("Preview", {from.x, from.y, size.x, size.y});
  return {from, size, mm};
}

/// A note in the middle of the empty place.
void draw_note(const Look& look, const Box& box, Colour colour, const std::string& text) {
  const float width = std::min(look.px(320), box.width - 2 * look.px(kBetween));
  const float height = paragraph_height(look, Type::body, text, width);
  ImGui::SetCursorScreenPos({box.x + (box.width - width) / 2, box.y + (box.height - height) / 2});
  paragraph(look, Type::body, colour, text, width);
}

void draw_zoom(const Look& look, ExportChoice& choice, float fitting, const Row& row) {
  const std::array<std::string, 3> labels{"print size", "200 %", fmt::format("fit · {:.0f} %", 100 * fitting)};
  int zoom = static_cast<int>(choice.zoom);
  if (segmented(look, row, "Preview", labels, zoom)) choice.zoom = static_cast<PreviewZoom>(zoom);
}

/// "85 × 78 mm · vector, fonts embedded · 31 kB"
std::string facts_of(const FigurePreview& preview) {
  const Point mm = printed_size(preview.scene);
  const FigureFile& file = *preview.question.file;
  const std::string size = fmt::format("{:.0f} × {:.0f} mm", mm.x, mm.y);
  if (!file.is_drawn) return "The file holds the numbers behind this picture";
  const bool is_one_of_many = preview.question.sweep || !preview.question.of_texts.empty();
  const std::string bytes = preview.bytes == 0 ? std::string()
                            : is_one_of_many   ? fmt::format(" · about {} a figure", bytes_text(preview.bytes))
                                               : " · " + bytes_text(preview.bytes);
  if (!file.has_pixels) return fmt::format("{} · {}{}", size, file.what, bytes);
  return fmt::format("{} · {:.0f} × {:.0f} pixels{}", size, std::ceil(preview.scene.width * preview.question.output.pixels_per_point),
                     std::ceil(preview.scene.height * preview.question.output.pixels_per_point), bytes);
}

}  // namespace

void draw_export_preview(Panel& panel, ExportChoice& choice, const std::shared_ptr<const FigurePreview>& preview, const Box& box) {
  const Look& look = panel.look;
  const float ruler = look.px(kRuler);
  const float top = box.y + look.px(56), bottom = box.bottom() - look.px(36);
  const Box frame{box.x, top, box.width, bottom - top};
  const Box place{frame.x + ruler, frame.y + ruler, frame.width - ruler, frame.height - ruler};
  const ImVec2 room{place.width, place.height};
  const bool has_title = box.width >= look.px(400);
  if (has_title) draw_text(look, box.x, box.y + look.px(32), Type::body, look.colours.text_second, "Preview");
  fill(look, {place.x, place.y}, {place.right(), place.bottom()}, look.colours.ground, 0);
  const StudyStatus status = panel.context.session.figure_previews().status();
  if (status.error) {
    draw_note(look, place, look.colours.bad, status.error_message);
  } else if (!preview) {
    draw_note(look, place, look.colours.text_second, "Drawing …");
  }
  if (status.error || !preview) return;
  const ShownSheet sheet = sheet_of(look, choice, preview->scene, room);
  const Row row{box.x, box.right() - look.px(40), box.y + look.px(18), look.px(kRow), has_title ? box.x + look.px(72) : box.x};
  draw_zoom(look, choice, fitting_zoom(look, sheet.mm, room), row);
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::BeginChild("preview", room, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
  const Measured measured = draw_sheet(panel, preview, sheet, ImGui::GetCursorScreenPos(), room);
  ImGui::Dummy(measured.size);
  ImGui::EndChild();
  draw_rulers(look, frame, measured);
  const float foot = box.bottom() - look.px(18);
  constexpr const char* kSame = "the same bytes every time";
  const float left = box.width - text_width(look, Type::caption, kSame) - look.px(kBetween);
  draw_text(look, box.x, foot, Type::caption, look.colours.text_second, elided(look, Type::caption, facts_of(*preview), left));
  draw_text(look, box.right(), foot, Type::caption, look.colours.text_second, kSame, AlignX::right);
}

}  // namespace headlight
