#include "app/document/drawn_map.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/core/error.h"

namespace headlight {

Matrix wanted_map(const DrawnMap& drawn_map, Index queries, Index keys) {
  Matrix wanted = Matrix::Zero(queries, keys);
  for (const CellBlock& block : drawn_map.strokes) {
    const Index top = std::max(block.query_begin, 0), bottom = std::min<Index>(block.query_end, queries);
    const Index left = std::max(block.key_begin, 0), right = std::min<Index>(block.key_end, keys);
    if (top < bottom && left < right) wanted.block(top, left, bottom - top, right - left).setConstant(block.is_allowed ? 1.0F : 0.0F);
  }
  return wanted;
}

namespace {

constexpr Index kMostCellFrames = 4096;  // more cells are too small to tell their frames apart

/// The end of the stretch of wanted cells in a row that begins at `key`.
Index stretch_end(const Matrix& wanted, Index query, Index key) {
  while (key < wanted.cols() && wanted(query, key) > 0.0F) ++key;
  return key;
}

/// A frame around each stretch of wanted cells in a row, and around equal stretches of rows that follow each other.
std::vector<MapFrame> frames_of_areas(const Matrix& wanted) {
  std::vector<MapFrame> frames;
  std::map<std::pair<Index, Index>, std::size_t> above, here;  // the frames that reach the row above or this one, by their keys
  for (Index query = 0; query < wanted.rows(); ++query, above = std::exchange(here, {})) {
    for (Index key = 0; key < wanted.cols(); ++key) {
      const Index end = stretch_end(wanted, query, key);
      if (end == key) continue;
      const auto same = above.find({key, end});
      const std::size_t number = same == above.end() ? frames.size() : same->second;
      if (same == above.end()) frames.push_back({FrameKind::drawn_map, query, query, key, end});
      frames[number].query_end = query + 1;
      here[{key, end}] = number;
      key = end;
    }
  }
  return frames;
}

}  // namespace

std::vector<MapFrame> frames_of(const Matrix& wanted) {
  if ((wanted.array() > 0.0F).count() > kMostCellFrames) return frames_of_areas(wanted);
  std::vector<MapFrame> frames;
  for (Index query = 0; query < wanted.rows(); ++query) {
    for (Index key = 0; key < wanted.cols(); ++key) {
      if (wanted(query, key) > 0.0F) frames.push_back({FrameKind::drawn_map, query, query + 1, key, key + 1});
    }
  }
  return frames;
}

std::vector<MapFrame> frames_of(const DrawnMap& drawn_map, const Snapshot& snapshot, HeadId head) {
  const bool is_trainable =
      snapshot.query.model.name == "sandbox" && snapshot.contains(head) && snapshot.model->config.place(head.layer).stack != Stack::cross;
  if (!is_trainable || drawn_map.head != head) return {};
  const Mask& mask = snapshot.trace.layers[static_cast<std::size_t>(head.layer)]->mask(head.head);
  Matrix wanted = wanted_map(drawn_map, mask.queries(), mask.keys());
  drop_masked(wanted, mask);
  return frames_of(wanted);
}

Index drop_masked(Matrix& wanted, const Mask& mask) {
  Index dropped = 0;
  for (Index query = 0; query < wanted.rows(); ++query) {
    for (Index key = 0; key < wanted.cols(); ++key) {
      if (mask.allows(query, key) || !(wanted(query, key) > 0.0F)) continue;
      wanted(query, key) = 0.0F;
      ++dropped;
    }
  }
  return dropped;
}

std::shared_ptr<const TrainedHead> train_head(const std::shared_ptr<const Snapshot>& snapshot, const TargetMap& drawn_map, int steps,
                                              Progress& progress) {
  auto trained = std::make_shared<TrainedHead>();
  trained->snapshot = snapshot;
  trained->head = drawn_map.head;
  trained->wanted = drawn_map.wanted;
  try {
    const LayerTrace& layer = snapshot->trace.layer(drawn_map.head.layer);
    trained->fit = fit_head(*snapshot->model, layer, drawn_map, steps, progress);
  } catch (const Error& error) {
    trained->refusal = error.message();
  }
  return trained;
}

void apply_parameters(SandboxSpec& spec, const ParameterEdit& edit) {
  const auto covers = [&](const ParameterEdit& old) {
    return old.tensor == edit.tensor && old.row >= edit.row && old.column >= edit.column && old.row + old.rows <= edit.row + edit.rows &&
           old.column + old.columns <= edit.column + edit.columns;
  };
  std::erase_if(spec.edits, covers);
  spec.edits.push_back(edit);
}

void apply_fit(SandboxSpec& spec, const HeadFit& fit) {
  apply_parameters(spec, fit.q);
  apply_parameters(spec, fit.k);
}

bool is_where_fit_led(const TrainedHead& trained, const Query& query) {
  const Query& before = trained.snapshot->query;
  SandboxSpec after = before.model.sandbox;
  apply_fit(after, trained.fit);
  return query.model.sandbox == after && query.text == before.text && query.text_pair == before.text_pair &&
         query.decoder_text == before.decoder_text;
}

void LossCurve::add(std::shared_ptr<const TrainedHead> trained) {
  const bool goes_on = last && last->refusal.empty() && last->head == trained->head && last->wanted.rows() == trained->wanted.rows() &&
                       last->wanted.cols() == trained->wanted.cols() && last->wanted == trained->wanted &&
                       is_where_fit_led(*last, trained->snapshot->query);
  if (!goes_on) losses.clear();
  const std::vector<double>& further = trained->fit.losses;
  const bool has_start = !losses.empty() && !further.empty();  // it is the loss that the last fit ended with
  losses.insert(losses.end(), further.begin() + (has_start ? 1 : 0), further.end());
  last = std::move(trained);
}

}  // namespace headlight
