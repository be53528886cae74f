#include "app/gui/panel/relations.h"

#include <algorithm>

namespace headlight {
namespace {

/// A lesson asks where the row looks: what is known of its head waits.
bool is_asked(const Panel& panel) {
  return panel.context.session.lessons().hides_weights();
}

}  // namespace

std::pair<std::shared_ptr<const Examples>, const Example*> shown_example(const Panel& panel) {
  auto examples = panel.context.session.examples().ask();
  const std::string& shown = panel.snapshot->encoding->text;
  const Example* example = examples && shown != panel.view.notes.closed_example ? find_example(examples->sentences, shown) : nullptr;
  return {std::move(examples), example};
}

std::pair<std::shared_ptr<const Examples>, const Example*> example_of_picture(const Panel& panel) {
  auto examples = panel.context.session.examples().ask();
  const Example* example = examples && panel.has_picture() ? find_example(examples->sentences, panel.snapshot->encoding->text) : nullptr;
  return {std::move(examples), example};
}

std::shared_ptr<const Ranking> ranking_of_example(const Panel& panel) {
  HeadRankings& rankings = panel.context.session.head_rankings();
  const auto [examples, example] = example_of_picture(panel);
  const bool has_one_text = panel.has_picture() && !panel.snapshot->is_dump() && !panel.snapshot->decoder_encoding;
  if (example == nullptr || !has_one_text) {
    rankings.rest_frames();
    return nullptr;
  }
  RankingRequest request{panel.snapshot, {}};
  for (const Relation& relation : example->relations) {
    if (const auto cells = cells_of(relation, *panel.snapshot->encoding)) request.frames.push_back(*cells);
  }
  return rankings.ask(request);
}

std::optional<CardHead> told_head(const Panel& panel) {
  if (is_asked(panel) || !panel.has_picture() || panel.snapshot->query.model.name != panel.draft.query.model.name) return std::nullopt;
  const auto told = panel.context.session.card_heads().ask(panel.draft.query.model.name);
  if (!told) return std::nullopt;
  const auto row = std::find_if(told->heads.begin(), told->heads.end(), [&](const CardHead& each) {
    return each.head == panel.view.head && each.text == panel.snapshot->encoding->text;
  });
  return row == told->heads.end() ? std::nullopt : std::optional(*row);
}

MapFrame frame_of(const ShownRelation& shown) {
  const CellBlock& cells = shown.cells;
  return {FrameKind::relation, cells.query_begin, cells.query_end, cells.key_begin, cells.key_end};
}

std::vector<ShownRelation> shown_relations(const Panel& panel) {
  std::vector<ShownRelation> shown;
  if (panel.context.session.lessons().is_taken()) return shown;  // it says itself where to look
  const int layer = panel.view.head.layer;
  const Snapshot& snapshot = *panel.snapshot;
  if (query_side(snapshot, layer) != Side::text || key_side(snapshot, layer) != Side::text) return shown;
  const auto [examples, example] = shown_example(panel);
  if (example == nullptr) return shown;
  const Mask& mask = snapshot.trace.layer(layer).mask(panel.view.head.head);
  for (const Relation& relation : example->relations) {
    const std::optional<CellBlock> cells = cells_of(relation, *snapshot.encoding);
    if (!cells) continue;
    bool is_masked = true;
    for (int query = cells->query_begin; query < cells->query_end; ++query) {
      for (int key = cells->key_begin; key < cells->key_end; ++key) is_masked = is_masked && !mask.allows(query, key);
    }
    shown.push_back({relation, *cells, is_masked});
  }
  return shown;
}

}  // namespace headlight
