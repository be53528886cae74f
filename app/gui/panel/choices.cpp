#include "app/gui/panel/choices.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/document/document.h"
#include "app/gui/panel/saved_view.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

/// A model may have a sentence of its own, where others show nothing: it comes and goes with the model.
void settle_text(Query& query, const std::optional<BuiltInCard>& card, const std::optional<BuiltInCard>& left) {
  const bool has_own = card && !card->text.empty();
  const bool leaves_own = left && !left->text.empty() && query.text == left->text;
  if (has_own || leaves_own) query.text = document_of_model(query.model.name).query.text;
}

/// Of the longest text that is a key of some layer.
Index keys_here(const Panel& panel) {
  Index keys = 0;
  for (int layer = 0; layer < panel.snapshot->layers(); ++layer) keys = std::max(keys, panel.snapshot->keys(layer));
  return keys;
}

/// The hidden positions after the last token.
std::vector<std::int64_t> beyond(const Panel& panel) {
  std::vector<std::int64_t> positions;
  if (!panel.has_picture() || panel.draft.style.hidden.positions.empty()) return positions;
  const Index keys = keys_here(panel);
  for (const std::int64_t position : panel.draft.style.hidden.positions) {
    if (position >= keys) positions.push_back(position);
  }
  return positions;
}

}  // namespace

void choose_model(Panel& panel, const std::string& name) {
  ViewState& view = panel.view;
  view.dialogs.model_picker = false;
  const std::string lasting = lasting_name(name);
  Query& query = panel.draft.query;
  const Session& session = panel.context.session;
  const std::optional<BuiltInCard> card = card_of_built_in(lasting);
  const int version = card ? card->version : 0;
  if (query.model.name == lasting && query.model.version == version) {
    if (panel.status.error) panel.context.session.retry();  // it may be there by now
    return;
  }
  panel.model_change = ModelChange{0,          lasting,     query.model.name, query.model.version,
                                   query.item, query.heads, query.kv_heads,   session.history().labels().size(),
                                   query.text, {}};
  query.model.name = lasting;
  query.model.version = version;
  query.item.reset();
  query.heads.reset();
  query.kv_heads.reset();
  settle_text(query, card, card_of_built_in(panel.model_change->before));
  if (query.text != panel.model_change->text) view.pinned_query.reset();  // the row of another sentence
  panel.model_change->own_text = query.text;
  view.notes.banner.clear();
}

void want_document(Panel& panel, const std::filesystem::path& path) {
  panel.view.dialogs.wanted_document = path;
}

void want_new_document(Panel& panel) {
  panel.view.dialogs.wanted_document.emplace();
}

void save_document_to(Panel& panel, const std::filesystem::path& path) {
  panel.context.session.save(path, look_of(panel.view, panel.views));
}

void save_document(Panel& panel) {
  const Session& session = panel.context.session;
  if (session.file().empty()) {
    panel.view.dialogs.document_save = true;
  } else {
    save_document_to(panel, session.file());
  }
}

bool would_be_lost(const Panel& panel) {
  const Keeping& keeping = panel.context.keeping;
  const bool is_kept = !keeping.state_folder.empty() && keeping.problem.empty();
  return panel.context.session.is_modified() && !is_kept;
}

void layer_slider(const Panel& panel, const Row& row, const char* name, int& layer) {
  constexpr float kNameRoom = 76;  // "decoder 12"
  const int last = panel.snapshot->layers() - 1;
  const int shown = std::clamp(layer, 0, last);
  const LayerPlace place = panel.snapshot->model->config.place(shown);
  if (place.stack != Stack::only) {
    slider(panel.look, row, name, layer, 0, last, panel.snapshot->layer_name(shown), kNameRoom);
  } else if (!panel.snapshot->model->config.stacks.places.empty()) {
    slider(panel.look, row, name, layer, 0, last, std::to_string(place.number));  // the number that the file gives the layer
  } else {
    slider(panel.look, row, name, layer, 0, last);
  }
}

std::string note_on_hidden(const Panel& panel) {
  const std::vector<std::int64_t> positions = beyond(panel);
  if (positions.empty()) return {};
  const Index keys = keys_here(panel);
  const std::string has = keys == 1 ? "one token, 0" : fmt::format("{} tokens, 0 to {}", keys, keys - 1);
  return fmt::format("This text has {}: {} {} nothing in it.", has, fmt::join(positions, ", "), positions.size() == 1 ? "hides" : "hide");
}

bool hides_nothing_here(const Panel& panel) {
  const KeySet& hidden = panel.draft.style.hidden;
  const bool has_others = hidden.has_special || hidden.has_punctuation || !hidden.ids.empty();
  return !has_others && !hidden.positions.empty() && beyond(panel).size() == hidden.positions.size();
}

}  // namespace headlight
