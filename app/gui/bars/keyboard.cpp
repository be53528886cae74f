#include <algorithm>

#include "app/document/subjects.h"
#include "app/gui/bars/bars.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/panel/shown_figure.h"

namespace headlight {
namespace {

bool is_pressed(ImGuiKey key, bool repeats = false) {
  return ImGui::IsKeyPressed(key, repeats);
}

void answer_commands(Panel& panel) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl) return;
  ViewState& view = panel.view;
  if (is_pressed(ImGuiKey_L)) panel.wants_sentence_focus = true;
  if (is_pressed(ImGuiKey_N)) want_new_document(panel);
  if (is_pressed(ImGuiKey_O)) view.dialogs.document_open = true;
  if (is_pressed(ImGuiKey_S)) io.KeyShift ? void(view.dialogs.document_save = true) : save_document(panel);
  if (is_pressed(ImGuiKey_E) && panel.has_picture()) view.dialogs.figure_export = true;
  if (is_pressed(ImGuiKey_Z, true)) (io.KeyShift ? panel.wants_redo : panel.wants_undo) = true;
  if (is_pressed(ImGuiKey_Y, true)) panel.wants_redo = true;
}

void release(ViewState& view) {
  if (view.pinned_query) {
    view.pinned_query.reset();
  } else {
    view.painting.brush = Brush::off;
  }
}

/// Handles keys that would type a character while a text box has the keyboard.
void answer_plain_keys(Panel& panel) {
  ViewState& view = panel.view;
  if (is_pressed(ImGuiKey_Escape)) release(view);
  for (const ViewRow& row : panel.views) {
    if (row.key != ImGuiKey_None && is_pressed(row.key)) view.view = row.view;
  }
  if (!panel.has_picture()) return;
  const int layers = panel.snapshot->layers();
  const int heads = panel.snapshot->heads(view.head.layer);
  if (is_pressed(ImGuiKey_LeftArrow, true)) view.head.head = std::max(0, view.head.head - 1);
  if (is_pressed(ImGuiKey_RightArrow, true)) view.head.head = std::min(heads - 1, view.head.head + 1);
  if (is_pressed(ImGuiKey_UpArrow, true)) view.head.layer = std::max(0, view.head.layer - 1);
  if (is_pressed(ImGuiKey_DownArrow, true)) view.head.layer = std::min(layers - 1, view.head.layer + 1);
  if (is_pressed(ImGuiKey_B)) toggle_baseline(panel);
  if (is_pressed(ImGuiKey_Space)) toggle_pin(panel.draft, view.head);
}

}  // namespace

void answer_keyboard(Panel& panel) {
  const OpenDialogs& dialogs = panel.view.dialogs;
  const bool has_dialog = dialogs.model_picker || dialogs.model_card || dialogs.figure_export || dialogs.help || dialogs.mask_file ||
                          dialogs.document_open || dialogs.document_save;
  if (is_pressed(ImGuiKey_F1)) panel.view.dialogs.help = !panel.view.dialogs.help;
  if (has_dialog) return;
  answer_commands(panel);
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.WantTextInput && !io.KeyCtrl && !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) answer_plain_keys(panel);
}

}  // namespace headlight
