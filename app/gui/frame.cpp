#include "app/gui/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/document/wording.h"
#include "app/gui/bars/bars.h"
#include "app/gui/bars/welcome.h"
#include "app/gui/columns/shown_columns.h"
#include "app/gui/commands/commands.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/commands/show_example.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/dialogs/dropped.h"
#include "app/gui/dialogs/export/export_dialog.h"
#include "app/gui/finding/asking.h"
#include "app/gui/finding/question_chips.h"
#include "app/gui/kit/region.h"
#include "app/gui/labs/labs.h"
#include "app/gui/lessons/lesson_column.h"
#include "app/gui/lessons/lesson_light.h"
#include "app/gui/lessons/lesson_steps.h"
#include "app/gui/lessons/lessons_dialog.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/rails/rails.h"
#include "app/gui/selection/selection.h"
#include "app/gui/shell/shell.h"
#include "app/gui/shell/tab_order.h"
#include "app/gui/views/flow/flow_view.h"
#include "app/gui/views/inside/inside_view.h"
#include "app/gui/views/links/links_view.h"
#include "app/gui/views/measures/measures_view.h"
#include "app/gui/views/output/output_view.h"
#include "app/gui/views/views.h"
#include "app/gui/watching/effect_columns.h"
#include "app/session/state.h"
#include "engine/model/files/model_places.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

/// Whether tooltips may show; remembers where a button was pressed.
bool settle_hints(std::optional<Point>& pressed_at, float scale) {
  constexpr float kAway = 24;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsAnyMouseDown()) pressed_at = Point{io.MousePos.x, io.MousePos.y};
  if (pressed_at && std::hypot(io.MousePos.x - pressed_at->x, io.MousePos.y - pressed_at->y) > kAway * scale) pressed_at.reset();
  return !pressed_at;
}

/// Moves the selected head, stage and brush to what the shown picture has.
void keep_in_reach(ViewState& view, const Snapshot& snapshot) {
  view.head.layer = std::clamp(view.head.layer, 0, std::max(0, snapshot.layers() - 1));
  view.head.head = std::clamp(view.head.head, 0, std::max(0, snapshot.heads(view.head.layer) - 1));
  for (Stage* stage : {&view.head_page.stage, &view.overview.stage}) {
    if (!has_stage(snapshot, *stage)) *stage = Stage::weights;
  }
  const bool paints_mask = view.finding.drawing == FindingPage::Drawing::off;  // what is asked can be drawn on any map
  if (snapshot.is_dump() && paints_mask) view.painting.brush = Brush::off;
}

/// Draws a sentence in place of a view.
void draw_emptiness(const Panel& panel, const Box& box) {
  const Look& look = panel.look;
  std::string title = "Working on the first picture …";
  std::string text = panel.status.step;
  if (panel.snapshot) {
    title = "Type a sentence";
    text = "Its tokens, and what every head does with them, appear here with each keystroke.";
    if (panel.snapshot->tokens() > 0) title = "Type what the decoder reads";
  } else if (panel.status.asked) {
    title = "This text is long";
    text = "The note says what it takes, and begins when you press Compute.";
  } else if (panel.status.error) {
    title = "There is no picture yet";
    text = "The note says why.";
  }
  begin_region(look, "Empty view", box, Colour{0, 0, 0, 0}, {0, 0});
  const float middle = box.y + box.height * 0.4F;
  draw_text(look, box.x + box.width / 2, middle, Type::title, look.colours.text, title, AlignX::centre);
  draw_text(look, box.x + box.width / 2, middle + look.px(kRow), Type::body, look.colours.text_second, text, AlignX::centre);
  end_region();
}

/// Says in place of the view why it has nothing to show.
void draw_absence(const Look& look, const ViewRow& row, const Absence& absence, const Box& box) {
  begin_region(look, row.title, box, Colour{0, 0, 0, 0}, {24, kBetween}, ImGuiWindowFlags_None);
  if (absence.title) {
    text_line(look, Type::title, look.colours.text, absence.title);
    gap(look, kInside);
  }
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = absence.width > 0 ? std::min(room, look.px(absence.width)) : 0;
  paragraph(look, Type::body, look.colours.text_second, absence.text, width);
  end_region();
}

void draw_centre(Panel& panel, const Box& centre) {
  panel.view.pointed.cell.reset();
  panel.view.pointed.elsewhere.reset();
  panel.view.pointed.number.reset();
  panel.view.pointed.pictured.reset();
  panel.view.pointed.map.reset();
  const ViewRow* shown = panel.shown_view();
  std::optional<Absence> absence;
  if (shown && panel.has_picture() && shown->absence) absence = shown->absence(panel);
  const bool is_begun = shows_first_layers(panel);
  const bool is_drawn = shown && panel.has_picture() && !absence && !is_begun;
  for (const ViewRow& row : panel.views) {
    if (row.rest && !(is_drawn && row.view == shown->view)) row.rest(panel);
  }
  if (is_drawn) {
    shown->draw(panel, centre);
  } else if (is_begun) {
    draw_first_layers(panel, centre);
  } else if (absence) {
    draw_absence(panel.look, *shown, *absence, centre);
  } else {
    draw_emptiness(panel, centre);
  }
  const float foot = is_drawn ? panel.look.px(shown->foot) : 0;
  draw_notes(panel, {centre.x, centre.y, centre.width, centre.height - foot});
}

/// Forgets what was selected in the document before.
void forget_selection(FrameState& state) {
  ViewState& view = state.view;
  state.model_change.reset();
  view.pinned_query.reset();
  view.menu = {};
  view.painting.stroke.reset();
  view.rails.mask_entry = {};
  view.output.typed_target = {};
  view.head_page.zoom = {};
  view.finding = {};
  view.notes.banner.clear();
  view.notes.offered_document.clear();
  view.dialogs.model_picker = view.dialogs.document_open = false;
}

/// Replaces the shown document by one that was asked for and has been read; and takes note of one that was written.
void take_documents(FrameContext& context, FrameState& state) {
  Session& session = context.session;
  ViewState& view = state.view;
  std::string problem;
  const bool is_opened = session.take_opened(problem);
  if (is_opened) {
    forget_selection(state);
    if (session.unknown().contains(kLookField)) show_look(session.unknown()[kLookField], view, all_views());
  }
  if (!problem.empty()) view.notes.banner = as_sentence(std::move(problem)) + " The document you had open stays open.";
  problem.clear();
  const bool is_saved = session.take_saved(problem);
  if (is_saved && context.file_watch != nullptr) context.file_watch->accept(session.file());
  if (!problem.empty()) view.notes.banner = as_sentence(std::move(problem)) + " The document is not saved.";
  if ((is_opened || is_saved) && !session.file().empty()) remember_model(state.dialogs.documents.recent, session.file().string());
}

/// Carries out what was asked for, unless an edit would be lost: then the question stands (draw_document_dialogs).
void show_wanted_document(Panel& panel, FrameState& state) {
  std::optional<std::filesystem::path>& wanted = panel.view.dialogs.wanted_document;
  if (!wanted || would_be_lost(panel)) return;
  const std::filesystem::path path = *std::exchange(wanted, std::nullopt);
  Session& session = panel.context.session;
  if (!path.empty()) return session.open(path);
  Document next = document_of_model(session.document().query.model.name);
  if (panel.view.shell.theme) set_theme(next.style, *panel.view.shell.theme);
  session.replace(std::move(next));
  forget_selection(state);
}

/// Takes back the change to a model that could not be opened, so that the document names the model in the picture.
void settle_model_change(Panel& panel, std::optional<ModelChange>& change, std::vector<std::string>& recent_models) {
  if (!change || panel.status.finished < change->generation) return;
  const bool is_still_wanted = panel.draft.query.model.name == change->name;
  if (panel.status.error && is_still_wanted) {
    panel.view.notes.banner = as_sentence(panel.status.error_message) + " The previous model stays open.";
    panel.wants_model_before = true;
  } else if (is_still_wanted && change->name != "sandbox" && !find_built_in_model(change->name)) {
    remember_model(recent_models, change->name);
  }
  if (!panel.wants_model_before) change.reset();
}

/// Removes the change of model from the history as if it had never been made. If edits followed it, they stay and only the model goes back.
void go_back_to_model_before(Panel& panel, const ModelChange& change) {
  Session& session = panel.context.session;
  const bool is_last_step = session.history().labels().size() == change.steps + 1;
  if (is_last_step && session.take_back()) return;
  Query& query = panel.draft.query;
  query.model.name = change.before;
  query.model.version = change.version_before;
  if (query.text == change.own_text) query.text = change.text;
  query.item = change.item;
  query.heads = change.heads;
  query.kv_heads = change.kv_heads;
  session.apply(panel.draft, false, false);
}

void hand_over(Panel& panel, std::optional<ModelChange>& change) {
  Session& session = panel.context.session;
  if (panel.wants_model_before) return go_back_to_model_before(panel, *std::exchange(change, std::nullopt));
  if (panel.wants_undo) return session.undo();
  if (panel.wants_redo) return session.redo();
  if (panel.wants_step) return session.go_to(*panel.wants_step);
  const bool is_gesture = ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsAnyItemActive();
  session.apply(panel.draft, is_gesture, ImGui::GetIO().WantTextInput && !is_gesture);
  if (!panel.model_change) return;
  change = std::move(panel.model_change);
  change->generation = session.worker().status().requested;
}

void draw_corpus_dialogs(Panel& panel, DialogStates& dialogs) {
  draw_corpus_dialog(panel, dialogs.corpus);
  draw_corpus_save_dialog(panel, dialogs.corpus_saving);
  draw_patch_save_dialog(panel, dialogs.patch_saving);
  draw_other_texts_dialog(panel, dialogs.other_texts);
}

void draw_dialogs(Panel& panel, DialogStates& dialogs) {
  draw_model_picker(panel, dialogs.model_picker);
  draw_export_dialog(panel, dialogs.figure_export);
  draw_parameters_dialog(panel, dialogs.parameters);
  draw_mask_file_dialog(panel, dialogs.mask_file);
  draw_model_card(panel, dialogs.model_card);
  draw_performance(panel);
  draw_document_dialogs(panel, dialogs.documents);
  draw_corpus_dialogs(panel, dialogs);
  draw_settings(panel, dialogs.typed_font);
  draw_palette(panel, dialogs);
  draw_help(panel);
  draw_lessons_dialog(panel);
}

constexpr std::array kOverviewCommands{
    WindowCommand{.name = "Open the selected head",
                  .words = "go to head map large",
                  .keys = {ImGuiKey_Enter, ImGuiKey_KeypadEnter},
                  .act = [](Panel& panel) { panel.view.view = View::head; },
                  .why_not = [](const Panel& panel) { return std::string(panel.has_picture() ? "" : "There is no picture yet."); }},
};

const std::array kViews{
    ViewRow{.view = View::overview,
            .title = "Overview",
            .words = "show go to which head all heads grid",
            .draw = draw_overview,
            .draw_menu = draw_overview_menu,
            .settings = {"Order", draw_overview_settings, overview_state},
            .rest = rest_overview,
            .inspected = inspected_in_overview,
            .figure = &kGridFigure,
            .commands = kOverviewCommands,
            .add_places = add_overview_orders,
            .save = save_overview,
            .restore = restore_overview},
    ViewRow{.view = View::head,
            .title = "Head",
            .draw = draw_head_view,
            .draw_menu = draw_head_menu,
            .inspected = inspected_in_head,
            .figure_here = [](const Panel& panel) { return maps_of_both_texts(panel).empty() ? &kHeatmapFigure : &kCompareFigure; },
            .shows_steps = true,
            .save = save_head_view,
            .restore = restore_head_view},
    inside_row(),
    ViewRow{.view = View::links,
            .title = "Links",
            .draw = draw_links_view,
            .draw_menu = draw_links_menu,
            .settings = {"Lines", draw_links_settings, links_state},
            .rest = rest_links_view,
            .inspected = inspected_in_links,
            .figure = &kLinksFigure,
            .uses_colours = false,
            .shows_weights = true,
            .save = save_links_view,
            .restore = restore_links_view},
    ViewRow{.view = View::flow,
            .title = "Flow",
            .words = "show go to rollout mean maximum minimum median average of heads",
            .draw = draw_flow_view,
            .draw_menu = draw_flow_menu,
            .settings = {"As one map", draw_flow_settings, flow_state},
            .rest = rest_flow_view,
            .inspected = inspected_in_flow,
            .figure = &kFlowFigure,
            .save = save_flow_view,
            .restore = restore_flow_view},
    ViewRow{.view = View::compare,
            .title = "Compare",
            .draw = draw_compare_view,
            .count = [](const Panel& panel) { return panel.draft.pins.empty() ? std::string() : std::to_string(panel.draft.pins.size()); },
            .draw_menu = draw_compare_menu,
            .inspected = inspected_in_compare,
            .figure = &kCompareFigure,
            .save = save_compare_view,
            .restore = restore_compare_view},
    measures_row(),
    output_row(),
    ViewRow{.view = View::lab,
            .title = "Labs",
            .draw = draw_labs_view,
            .absence = absence_of_labs,
            .rest = [](Panel& panel) { panel.context.session.labs().rest(); },
            .figure = &kLabFigure,
            .has_inspector = false,
            .add_places = add_lab_places,
            .save = save_labs,
            .restore = restore_labs},
};

void draw_parts(Panel& panel, FrameState& state, const Layout& layout) {
  draw_lines(panel.look, layout);
  draw_top_bar(panel, layout.top_bar);
  draw_lesson(panel, layout.lesson);
  draw_left_rail(panel, layout.left_rail, layout.left, state.left_rail);
  draw_tabs(panel, layout.tabs);
  draw_rail_switches(panel, layout);
  draw_centre(panel, draw_welcome(panel, layout.centre));
  draw_inspector(panel, layout.inspector, layout.right, layout.is_drawer);
  draw_token_strip(panel, layout.strip, state.strip_layouts);
  if (layout.status.height > 0) draw_status_bar(panel, layout.status);
  end_tab_order(state.tab_walk, layout);
  draw_edges(panel, layout);
  draw_lesson_light(panel, layout.centre);
  draw_spotlight(panel);
  draw_dialogs(panel, state.dialogs);
  draw_context_menu(panel);
}

}  // namespace

std::span<const ViewRow> all_views() {
  return kViews;
}

void draw_frame(FrameContext& context, FrameState& state, std::span<const ViewRow> views) {
  ViewState& view = state.view;
  DialogStates& dialogs = state.dialogs;
  take_documents(context, state);
  context.session.name_shown_item();
  context.session.check_weights();
  Document draft = context.session.document();
  const Look look{palette(draft.style.theme), context.fonts, context.fonts.scale, settle_hints(state.pressed_at, context.fonts.scale)};
  Panel panel{context, context.session.snapshot(), context.session.worker().status(), draft, view, state.caches, look, views};
  panel.part = context.session.worker().part();
  state.caches.maps.begin_frame();
  if (context.frame_milliseconds > 0) state.caches.frame_times.add(context.frame_milliseconds);
  state.caches.pictures.begin_frame(panel.snapshot);
  if (panel.snapshot) keep_in_reach(view, *panel.snapshot);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = make_layout(size.x, size.y, look.scale, view.shell, needs_of(panel));
  begin_places(panel, state.lesson_places);
  settle_model_change(panel, state.model_change, dialogs.model_picker.recent_models);
  open_dropped(panel);
  take_imports(panel);
  take_download(panel, dialogs.model_picker);
  take_read_mask(panel);
  take_training(panel);
  rest_finding(panel);
  feed_question_columns(panel);
  begin_tab_order(state.tab_walk);
  panel.left_form = layout.left;
  panel.right_form = layout.right;
  take_from_palette(panel, dialogs.palette);
  settle_example(panel);
  settle_corpus(panel);
  settle_effect_columns(panel);
  watch_shown_files(panel, dialogs);
  answer_keyboard(panel);
  settle_lesson(panel);
  view.shell.is_black ? draw_black_screen(look) : draw_parts(panel, state, layout);
  answer_copy(panel);  // after all that may have asked for it
  reload_wanted(panel, dialogs);
  hand_over(panel, state.model_change);
  show_wanted_document(panel, state);
}

}  // namespace headlight
