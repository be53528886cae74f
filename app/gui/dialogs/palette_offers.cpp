#include "app/gui/dialogs/palette_offers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/fields/style_fields.h"
#include "app/document/wording.h"
#include "app/gui/commands/commands.h"
#include "app/gui/commands/mask_presets.h"
#include "app/gui/commands/show_example.h"
#include "app/gui/finding/asking.h"
#include "app/gui/panel/choices.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

using Offers = std::vector<Offer>;

/// What single heads of the model are known for, by its card.
std::string known_for(const Panel& panel, HeadId head) {
  const auto told = panel.context.session.card_heads().ask(panel.draft.query.model.name);
  if (!told) return {};
  const auto row = std::find_if(told->heads.begin(), told->heads.end(), [&](const CardHead& each) { return each.head == head; });
  if (row == told->heads.end()) return {};
  const std::string figure = row->figure_text();
  return figure.empty() ? row->name : row->name + " · " + figure;
}

void add_heads(const Panel& panel, const PaletteQuestion& question, Offers& offers) {
  if (!panel.has_picture() || question.typed.empty()) return;
  for (int layer = 0; layer < panel.snapshot->layers(); ++layer) {
    for (int head = 0; head < panel.snapshot->heads(layer); ++head) {
      const HeadId id{layer, head};
      const std::string known = known_for(panel, id);
      offers.push_back({.name = "Head " + short_name(*panel.snapshot, id),
                        .note = known.empty() ? panel.snapshot->layer_name(layer) : known,
                        .words = short_name(id) + " " + known,
                        .act = [id](Panel& here) {
                          here.view.head = id;
                          here.view.view = View::head;
                        }});
    }
  }
}

/// The patterns that all heads can be ranked by.
void add_patterns(const Panel& panel, const PaletteQuestion& question, Offers& offers) {
  if (!panel.has_picture() || question.typed.empty()) return;
  for (const TargetPatternRow& row : target_patterns()) {
    offers.push_back({.name = fmt::format("Which head: {}", row.title),
                      .note = "rank the heads",
                      .words = fmt::format("which head does this find {}", row.meaning),
                      .act = [pattern = row.pattern](Panel& here) {
                        ask_question(here, question_of(pattern));
                        show_finding(here);
                      }});
  }
}

/// Those that fit: a text may have thousands.
void add_tokens_of(const Panel& panel, const Encoding& encoding, Side side, const PaletteQuestion& question, Offers& offers) {
  for (std::size_t i = 0; i < encoding.tokens.size(); ++i) {
    const std::string label = panel.snapshot->label(encoding.tokens[i]).text;
    if (!match(question.typed, label)) continue;
    const TokenPlace place{side, static_cast<Index>(i)};
    offers.push_back({.name = label,
                      .note = side == Side::decoder ? fmt::format("token {} of the decoder", i) : fmt::format("token {}", i),
                      .act = [place](Panel& here) { here.view.pinned_query = place; },
                      .is_remembered = false});
  }
}

void add_tokens(const Panel& panel, const PaletteQuestion& question, Offers& offers) {
  if (!panel.has_picture() || question.typed.empty()) return;
  add_tokens_of(panel, *panel.snapshot->encoding, Side::text, question, offers);
  if (panel.snapshot->decoder_encoding) add_tokens_of(panel, *panel.snapshot->decoder_encoding, Side::decoder, question, offers);
}

void add_models(const Panel& panel, const PaletteQuestion& question, Offers& offers) {
  const auto add = [&](const std::string& name, const std::string& about) {
    const bool is_open = panel.draft.query.model.name == name;
    offers.push_back({.name = "Open " + printable(short_model_name(name)),
                      .note = is_open ? "model · open now" : "model" + (about.empty() ? "" : " · " + about),
                      .words = "model " + name,
                      .act = [name](Panel& here) { choose_model(here, name); }});
  };
  if (const auto models = panel.context.session.models().built_in()) {
    for (const ModelLine& model : *models) add(model.name, model.summary);
  }
  add("sandbox", "random weights, sizes of your choice");
  for (const std::string& recent : question.dialogs.model_picker.recent_models) add(recent, "");
}

void add_examples(const Panel& panel, const PaletteQuestion& /*question*/, Offers& offers) {
  if (panel.is_dump()) return;
  const auto heads = panel.context.session.card_heads().ask(panel.draft.query.model.name);
  for (std::size_t i = 0; heads && i < heads->heads.size(); ++i) {
    const CardHead told = heads->heads[i];
    offers.push_back({.name = told.name,
                      .note = fmt::format("example · {} → {}   {}", told.from, told.to, short_name(told.head)),
                      .words = "example which head does " + told.text,
                      .act = [told](Panel& here) { show_card_head(here, told); }});
  }
  const auto examples = panel.context.session.examples().ask();
  for (std::size_t i = 0; examples && i < examples->sentences.size(); ++i) {
    const Example example = examples->sentences[i];
    offers.push_back({.name = example.name, .note = "example sentence", .words = "example " + example.text, .act = [example](Panel& here) {
                        show_example(here, example);
                      }});
  }
}

/// Every choice of the style that has a name: themes, colour maps, scales, ranges.
void add_styles(const Panel& panel, const PaletteQuestion& /*question*/, Offers& offers) {
  for (const Field<Style>& field : style_fields()) {
    for (const ChoiceWords& choice : field.control.texts) {
      const FieldValue value = std::string(choice.value);
      offers.push_back({.name = fmt::format("{}: {}", field.control.label, choice.label),
                        .note = field.value.get(panel.draft.style) == value ? "display · chosen now" : "display",
                        .words = "sink hidden left out display",
                        .act = [&field, value](Panel& here) { field.choose_value(here.draft.style, value); }});
    }
    if (field.value.names == nullptr || field.control.label == nullptr) continue;
    std::vector<ChoiceWords> choices(field.control.choices.begin(), field.control.choices.end());
    if (choices.empty()) {
      for (const std::string_view name : field.value.names()) choices.push_back({name});
    }
    for (const ChoiceWords& choice : choices) {
      const FieldValue value = choice.value;
      const bool is_chosen = field.value.get(panel.draft.style) == value;
      offers.push_back({.name = fmt::format("{}: {}", field.control.label, choice.label ? std::string_view(choice.label) : choice.value),
                        .note = is_chosen ? "display · chosen now" : "display",
                        .words = fmt::format("{} display colour map", choice.value),
                        .act = [&field, value](Panel& here) { field.choose_value(here.draft.style, value); }});
    }
  }
}

void add_masks(const Panel& panel, const PaletteQuestion& /*question*/, Offers& offers) {
  for (const MaskPreset& preset : mask_presets()) {
    offers.push_back({.name = fmt::format("Mask: {}", preset.label),
                      .note = is_preset_on(panel, preset) ? "mask · on now" : "mask",
                      .words = "preset",
                      .act = [&preset](Panel& here) { press_preset(here, preset); }});
  }
}

void add_documents(const Panel& panel, const PaletteQuestion& question, Offers& offers) {
  for (const std::string& recent : question.dialogs.documents.recent) {
    const std::filesystem::path path(recent);
    if (path == panel.context.session.file()) continue;
    offers.push_back(
        {.name = "Open " + printable(document_name(path)), .note = "document", .words = "document recent", .act = [path](Panel& here) {
           want_document(here, path);
         }});
  }
}

void add_fonts(const Panel& panel, const PaletteQuestion& question, Offers& offers) {
  if (question.typed.empty()) return;
  const auto add = [&](const std::string& family, const std::string& shown) {
    offers.push_back({.name = "Font: " + shown,
                      .note = panel.view.shell.font == family ? "setting · chosen now" : "setting",
                      .words = "font family type",
                      .act = [family](Panel& here) { here.view.shell.font = family; }});
  };
  add({}, "Built-in (Inter)");
  const auto families = panel.context.session.fonts().families();
  for (std::size_t i = 0; families && i < families->size(); ++i) add((*families)[i].name, printable((*families)[i].name, 60));
}

/// The sources of offers. What comes first wins where two fit equally well. A new kind of offer is a new row.
struct Source {
  void (*add)(const Panel& panel, const PaletteQuestion& question, Offers& offers);
  int bonus = 0;  ///< for what is asked for more often than other things that fit as well
};
constexpr std::array kSources{
    Source{[](const Panel& panel, const PaletteQuestion&, Offers& offers) { add_commands(panel, offers); }, 6},
    Source{add_heads, 2},
    Source{add_patterns},
    Source{add_styles},
    Source{add_masks},
    Source{add_examples, 2},
    Source{add_models},
    Source{add_documents},
    Source{add_tokens},
    Source{add_fonts},
};

constexpr int kRecent = 12, kCannot = -60;

}  // namespace

std::vector<RankedOffer> ranked_offers(const Panel& panel, const PaletteQuestion& question, std::size_t most) {
  const std::vector<std::string>& recent = panel.view.recent_commands;
  std::vector<RankedOffer> ranked;
  for (const Source& source : kSources) {
    Offers offers;
    source.add(panel, question, offers);
    for (Offer& offer : offers) {
      std::optional<Match> found = match(question.typed, offer.name, offer.words);
      if (!found) continue;
      const auto place = offer.is_remembered ? std::find(recent.begin(), recent.end(), offer.name) : recent.end();
      const bool is_recent = place != recent.end();
      found->score += source.bonus + (offer.why_not.empty() ? 0 : kCannot);
      if (is_recent) found->score += question.typed.empty() ? 1000 - static_cast<int>(place - recent.begin()) : kRecent;
      ranked.push_back({std::move(offer), *std::move(found), is_recent});
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedOffer& a, const RankedOffer& b) { return a.match.score > b.match.score; });
  if (ranked.size() > most) ranked.resize(most);
  return ranked;
}

}  // namespace headlight
