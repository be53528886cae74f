#include <fmt/core.h>

#include <array>
#include <string_view>

#include "app/document/files/mask_files.h"
#include "app/document/mask_edits.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// "mask-0-3.npy", or "mask-cross-0-3.npy" in an encoder-decoder model.
std::string mask_file_name(const Panel& panel) {
  const HeadId head = panel.view.head;
  const LayerPlace place = panel.snapshot->model->config.place(head.layer);
  const std::string stack = place.stack == Stack::only ? "" : fmt::format("{}-", name_of(place.stack));
  return fmt::format("mask-{}{}-{}.npy", stack, place.number, head.head);
}

fs::path mask_target(const Panel& panel, const MaskFileChoice& choice) {
  const fs::path path(choice.path.empty() ? mask_file_name(panel) : choice.path);
  std::error_code failure;
  return path.is_absolute() ? path : fs::current_path(failure) / path;
}

const LayerTrace& layer_of(const Panel& panel) {
  return panel.snapshot->trace.layer(panel.view.head.layer);
}

/// The heads that a mask read from the file applies to.
Scope read_scope(const Panel& panel) {
  const HeadId head = panel.view.head;
  return stroke_scope_at(panel.view.painting.scope, head, panel.snapshot->model->config.place(head.layer).stack);
}

constexpr const char* kReplaceMask = "Replace file";

void draw_mask_result(const Panel& panel, const MaskFileChoice& choice) {
  const Look& look = panel.look;
  const ExportStatus status = panel.context.session.exporter().status();
  if (choice.asked == mask_target(panel, choice)) {
    draw_replace_question(look, mask_target(panel, choice), kReplaceMask);
  } else if (status.is_busy) {
    paragraph(look, Type::body, look.colours.text_second, "Working …");
  } else if (status.finished > choice.finished_before) {
    paragraph(look, Type::body, status.is_failure ? look.colours.bad : look.colours.good, status.message);
  } else {
    paragraph(look, Type::caption, look.colours.text_second, printable(mask_target(panel, choice).string(), 400));
  }
}

void draw_buttons(const Panel& panel, MaskFileChoice& choice) {
  const Look& look = panel.look;
  Exporter& exporter = panel.context.session.exporter();
  const Row row = begin_row(look, "", nullptr, 32);
  const float read = button_width(look, "Read mask");
  const char* const button = choice.asked == mask_target(panel, choice) ? kReplaceMask : "Write mask";
  const float write = button_width(look, button);
  const float write_left = row.right - write;
  const std::shared_ptr<const Mask>& mask = layer_of(panel).rule(panel.view.head.head).mask;
  const bool is_free = !exporter.status().is_busy;
  if (quiet_button(look, "Read mask", {write_left - look.px(kUnit) - read, row.top}, {read, row.height}, is_free)) {
    choice.read = {mask_target(panel, choice), read_scope(panel), mask->queries(), mask->keys()};
    exporter.read_mask(choice.read->scope, choice.read->queries, choice.read->keys, choice.read->path);
  }
  hint(look, "The file's mask replaces brush strokes of this scope. One undo takes it back.");
  const bool is_pressed = main_button(look, button, {write_left, row.top}, {write, row.height}, is_free);
  if (is_pressed && may_write(mask_target(panel, choice), choice.asked)) {
    exporter.write_mask(mask, mask_target(panel, choice));
    choice.read.reset();  // what it holds from now on is what is shown
  }
  hint(look, "Writes the mask of the head that is shown, with all edits.");
}

}  // namespace

void draw_mask_file_dialog(Panel& panel, MaskFileChoice& choice) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  if (!panel.has_picture()) view.dialogs.mask_file = false;
  if (!begin_dialog(look, "Mask file", 520, view.dialogs.mask_file)) return;
  if (ImGui::IsWindowAppearing()) {
    choice.finished_before = panel.context.session.exporter().status().finished;
    choice.asked.clear();
  }
  const Mask& mask = layer_of(panel).mask(view.head.head);
  paragraph(look, Type::body, look.colours.text_second,
            fmt::format("Write: the mask of {}, head {}, {} queries × {} keys. Read: a mask of this size becomes brush strokes for {}.",
                        panel.snapshot->layer_name(view.head.layer), view.head.head, mask.queries(), mask.keys(),
                        scope_name(read_scope(panel), panel.snapshot->model->config)));
  gap(look, kInside);
  const ScopeChoices scopes = scope_choices(panel.snapshot->model->config.place(view.head.layer).stack, false);
  int kind = scopes.place_of(view.painting.scope);
  const Row scope = begin_row(look, "Applies to", "The heads whose mask is replaced by the one in the file.", 36);
  if (segmented(look, scope, "Mask scope", scopes.labels, kind)) view.painting.scope = scopes.kinds[static_cast<std::size_t>(kind)];
  const Row row = begin_row(look, "File", nullptr, 36);
  const float left = row.left + look.px(kControlColumn);
  const std::string placeholder = mask_file_name(panel);
  text_box(look, "Mask path", placeholder.c_str(), choice.path, {left, row.top + look.px(kInside)}, row.right - left, kRow);
  paragraph(
      look, Type::caption, look.colours.text_second,
      "The ending says what it is: .npy numbers, .txt rows of 0 and 1, .png a picture with one pixel per cell. 1, or white: may attend.");
  gap(look, kInside);
  draw_mask_result(panel, choice);
  gap(look, 12);
  draw_buttons(panel, choice);
  end_dialog(view.dialogs.mask_file);
}

void take_read_mask(Panel& panel) {
  std::optional<ReadMask> read = panel.context.session.exporter().take_mask();
  if (read) paint_mask(panel.draft.query.mask, read->scope, std::move(read->strokes));
}

}  // namespace headlight
