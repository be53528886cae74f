#include "app/gui/views/output/output_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/subjects.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/saved_state.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/state/page_effects.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/views.h"
#include "app/gui/watching/target_here.h"
#include "engine/figure/effects/row_pen.h"
#include "engine/figure/predictions/predictions.h"

namespace headlight {
namespace {

using Page = OutputPage::Page;
constexpr auto kPages = name_table<Page>("predictions", "parts", "heads", "layers");
constexpr float kAbsenceWidth = 680;

struct PageRow {
  Page page;
  const char* title;
  const char* help;
  void (*draw)(Panel& panel, const Box& box);
  const FigureKind* figure;
};
constexpr std::array kPageRows{
    PageRow{Page::predictions, "Predictions", "What the model expects at every position.", draw_predictions_page, &kOutputFigure},
    PageRow{Page::parts, "Parts", "What a logit is made of: embedding, heads, feed-forward parts and biases, adding up to it.",
            draw_parts_page, &kAttributionFigure},
    PageRow{Page::heads, "Heads", "Every head changed alone, here or over a file of texts: how far it moves the target.", draw_heads_page,
            &kEffectsFigure},
    PageRow{Page::layers, "Layers", "What each layer would predict (logit lens).", draw_layers_page, &kLensFigure},
};

std::optional<Absence> absence_of_output(const Panel& panel) {
  if (panel.snapshot->is_dump()) {
    return Absence{"Maps alone predict nothing", "These maps come from a file. Predictions need the model that made them: open its folder.",
                   kAbsenceWidth};
  }
  if (panel.snapshot->model->config.has_logits) return std::nullopt;
  return Absence{"This model predicts no tokens",
                 "It has no language-model head: it was trained, or saved, only for its hidden states. The sandbox's weights are random "
                 "and it has none either. Choose a causal or a masked language model to see what it expects.",
                 kAbsenceWidth};
}

void draw_output_view(Panel& panel, const Box& box) {
  panel.view.output.pointed.reset();
  for (const PageRow& row : kPageRows) {
    if (row.page == panel.view.output.page) row.draw(panel, box);
  }
}

const FigureKind* figure_of_page(const Panel& panel) {
  if (panel.view.output.page == Page::heads)
    return &figure_of_heads(panel.view.output, study_of_page(panel.view.output, panel.context.session.corpora()).get());
  const auto* const row =
      std::find_if(kPageRows.begin(), kPageRows.end(), [&](const PageRow& each) { return each.page == panel.view.output.page; });
  return row == kPageRows.end() ? &kOutputFigure : row->figure;
}

/// The pages side by side, or as a list where there is no room for that beside the tabs.
float draw_output_menu(Panel& panel, Row row) {
  if (!panel.has_picture() || absence_of_output(panel)) return row.right;
  const Look& look = panel.look;
  std::vector<Choice> choices;
  std::vector<std::string> labels;
  int chosen = 0;
  for (std::size_t place = 0; place < kPageRows.size(); ++place) {
    choices.push_back({kPageRows[place].title, kPageRows[place].help});
    labels.emplace_back(kPageRows[place].title);
    if (kPageRows[place].page == panel.view.output.page) chosen = static_cast<int>(place);
  }
  const std::string shown = labels[static_cast<std::size_t>(chosen)];
  const float side_by_side = segments_width(look, labels);
  const bool is_list = row.right - side_by_side < row.control_left;  // tabs have room around their words
  const bool is_changed =
      is_list ? drop_down(look, row, "Page of Output", choices, chosen) : segmented(look, row, "Output", choices, chosen);
  if (is_changed) panel.view.output.page = kPageRows[static_cast<std::size_t>(chosen)].page;
  return row.right - (is_list ? drop_down_width(look, shown) : side_by_side);
}

void rest_output(Panel& panel) {
  Session& session = panel.context.session;
  session.predictions().rest();
  session.predictions_before().rest();
  session.effects().rest();
}

void save_output(const ViewState& view, Json& json) {
  Json& output = json["output"] = Json::object();
  output["page"] = saved_name(kPages, view.output.page);
  output["method"] = row_of(view.output.sweep).name;
  if (!view.output.texts.file.empty()) {
    output["texts"] = view.output.texts.file.string();
    if (!view.output.texts.column.empty()) output["texts column"] = view.output.texts.column;
  }
}

void restore_output(const Json& json, ViewState& view) {
  if (!json.contains("output") || !json["output"].is_object()) return;
  const Json& output = json["output"];
  read_saved(output, "page", kPages, view.output.page);
  const auto text = [&](const char* key) {
    return output.contains(key) && output[key].is_string() ? output[key].get<std::string>() : std::string();
  };
  if (const SweepRow* const row = find_sweep(text("method")); row != nullptr) view.output.sweep = row->kind;
  view.output.texts.file = text("texts");
  view.output.texts.column = text("texts column");
}

/// The head under the pointer, else the one that is looked at.
void toggle_head(Panel& panel) {
  toggle_switched_off(panel.draft.query, panel.view.output.pointed.value_or(panel.view.head));
}

std::string why_no_head(const Panel& panel) {
  if (!panel.has_picture()) return "There is no picture yet.";
  return panel.is_dump() ? "The maps come from a file, without the model." : "";
}

constexpr std::array kCommands{WindowCommand{.name = "Switch the head off, or on again",
                                             .words = "ablate zero toggle under the pointer selected",
                                             .keys = {ImGuiKey_X},
                                             .act = toggle_head,
                                             .why_not = why_no_head}};

template <Page page>
void show_page(Panel& panel) {
  panel.view.view = View::output;
  panel.view.output.page = page;
}

void add_output_pages(const Panel& /*panel*/, std::vector<Offer>& offers) {
  offers.push_back(
      {.name = "Output: Predictions", .note = "view", .words = "words written next probability", .act = show_page<Page::predictions>});
  offers.push_back({.name = "Output: Watch a number: type a target, or click a word",
                    .note = "view",
                    .words = "logit probability prob loss kl difference of two words position last",
                    .act = [](Panel& panel) {
                      show_page<Page::predictions>(panel);
                      panel.view.shell.right = Fold::open;
                    }});
  offers.push_back({.name = "Output: Parts of a logit",
                    .note = "view",
                    .words = "direct logit attribution where does it come from",
                    .act = show_page<Page::parts>});
  offers.push_back({.name = "Output: Every head changed alone",
                    .note = "view",
                    .words = "switched off ablation sweep importance effect mean resample patch gate pruning file of texts",
                    .act = show_page<Page::heads>});
  offers.push_back({.name = "Output: Every head changed alone, over a file of texts",
                    .note = "view",
                    .words = "importance study many corpus effect mean standard error patch pairs partners",
                    .act = [](Panel& panel) {
                      show_page<Page::heads>(panel);
                      panel.view.output.is_over_texts = true;
                    }});
  offers.push_back({.name = "Output: Layer by layer", .note = "view", .words = "logit lens", .act = show_page<Page::layers>});
}

constexpr std::array kParts{InspectorPart{draw_target_section, 0.6F}, InspectorPart{draw_effect_of_head, 0.4F}};

}  // namespace

ViewRow output_row() {
  return {.view = View::output,
          .title = "Output",
          .words = "show go to predictions target logit attribution ablation lens",
          .draw = draw_output_view,
          .absence = absence_of_output,
          .draw_menu = draw_output_menu,
          .rest = rest_output,
          .inspected = inspected_in_output,
          .figure = &kOutputFigure,
          .figure_here = figure_of_page,
          .uses_colours = false,
          .inspector = kParts,
          .commands = kCommands,
          .add_places = add_output_pages,
          .save = save_output,
          .restore = restore_output};
}

std::optional<LogitInFocus> logit_in_focus(Panel& panel) {
  const Snapshot& run = *panel.snapshot;
  const std::shared_ptr<const TargetFound> target = target_here(panel);
  if (!target) return std::nullopt;  // another logit would be taken apart in vain
  LogitInFocus focus;
  if (target->logit) {
    focus.question = *target->logit;
    focus.is_target = true;
  } else {
    const Index chosen = shown_position(panel);
    const std::shared_ptr<const PredictionsFound> found = panel.context.session.predictions().ask(page_with(panel.snapshot, chosen));
    if (!found || found->request.snapshot != panel.snapshot) return std::nullopt;
    const Index place = chosen - found->request.first;
    if (place < 0 || place >= std::ssize(found->predictions)) return std::nullopt;
    const Prediction& prediction = found->predictions[static_cast<std::size_t>(place)];
    if (prediction.likeliest.empty()) return std::nullopt;
    focus.question = {chosen, prediction.likeliest.front().id, {}};
  }
  const Tokenizer& tokenizer = *run.model->tokenizer;
  focus.token = vocabulary_label(tokenizer, focus.question.token);
  if (focus.question.against) focus.against = vocabulary_label(tokenizer, *focus.question.against);
  focus.at = vocabulary_label(tokenizer, predicted_text(run).tokens[static_cast<std::size_t>(focus.question.position)].id);
  return focus;
}

const std::array<Colour, 256>& effect_ramp(const Panel& panel) {
  return ramp(ColourMap::coolwarm, panel.draft.style.theme == Theme::dark);
}

Colour colour_of_effect(const Panel& panel, double value) {
  return effect_colour(value, panel.draft.style.theme);
}

void draw_logit_title(const Look& look, const Panel& panel, const LogitInFocus& logit) {
  const Colour plain = look.colours.text;
  std::vector<Span> spans{{"logit ", plain, Type::title}, {logit.token, look.colours.key, Type::title}};
  if (!logit.against.empty()) {
    spans.push_back({" − logit ", plain, Type::title});
    spans.push_back({logit.against, look.colours.key, Type::title});
  }
  const bool is_next = predicted_place(panel.snapshot->model->config) == PredictedPlace::next;
  spans.push_back({is_next ? " after " : " at ", look.colours.text_second, Type::title});
  spans.push_back({logit.at, look.colours.query, Type::title});
  spans.push_back({fmt::format(" {}", logit.question.position), look.colours.text_second, Type::number});
  paragraph(look, spans);
}

void draw_page_message(const Look& look, const Box& box, const char* title, const std::string& text) {
  begin_region(look, "Output", box, Colour{0, 0, 0, 0}, {24, kBetween}, ImGuiWindowFlags_None);
  text_line(look, Type::title, look.colours.text, title);
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second, text, std::min(ImGui::GetContentRegionAvail().x, look.px(kAbsenceWidth)));
  end_region();
}

}  // namespace headlight
