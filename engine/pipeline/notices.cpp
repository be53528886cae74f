#include "engine/pipeline/notices.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

/// "3", "3-5" or "*": a side of a block of cells, as --deny takes it.
std::string range_text(int begin, int end) {
  if (begin == 0 && end == std::numeric_limits<int>::max()) return "*";
  return end == begin + 1 ? std::to_string(begin) : fmt::format("{}-{}", begin, end - 1);
}

}  // namespace

void note_absent_heads(const Query& query, const ModelConfig& config, int heads, std::vector<std::string>& notices) {
  const int layers = config.layers;
  const auto note = [&](const char* what, HeadId head, bool has_head) {
    const std::string where = has_head ? fmt::format("head {}.{}", head.layer, head.head) : fmt::format("layer {}", head.layer);
    notices.push_back(fmt::format("{} {} does nothing: there are {} layers of {} heads, counted from 0.", what, where, layers, heads));
  };
  for (const HeadId& head : query.switched_off) {
    if (head.layer < 0 || head.layer >= layers || head.head < 0 || head.head >= heads) note("Switching off", head, true);
  }
  for (const Intervention& intervention : query.interventions) {
    for (const HeadId& place : intervention.heads) {
      const bool is_absent = place.layer < 0 || place.layer >= layers || place.head >= heads;
      if (is_absent) note(fmt::format("The edit \"{}\" of", row_of(intervention.kind).name).c_str(), place, place.head != kWholeLayer);
    }
  }
  for (const MaskRule& rule : query.mask.rules) {
    const HeadId& where = rule.scope.where;
    if (rule.scope.kind == Scope::Kind::stack && !config.is_encoder_decoder()) {
      notices.push_back(
          fmt::format("The mask of the {} heads does nothing: this model has one stack of layers.", name_of(rule.scope.stack)));
    }
    const bool has_layer = rule.scope.kind == Scope::Kind::layer || rule.scope.kind == Scope::Kind::head;
    const bool has_head = rule.scope.kind == Scope::Kind::head;
    const bool is_absent =
        (has_layer && (where.layer < 0 || where.layer >= layers)) || (has_head && (where.head < 0 || where.head >= heads));
    if (is_absent) note("The mask of", where, has_head);
  }
}

void note_cells_outside(const Snapshot& snapshot, std::vector<std::string>& notices) {
  std::vector<std::string> outside;
  std::string sizes;
  for (const MaskRule& rule : snapshot.query.mask.rules) {
    std::vector<int> layers;
    for (int layer = 0; layer < snapshot.layers(); ++layer) {
      const Stack stack = snapshot.model->config.place(layer).stack;
      if (rule.scope.contains({layer, rule.scope.where.head}, stack)) layers.push_back(layer);
    }
    for (const CellBlock& block : rule.strokes) {
      const auto is_outside = [&](int layer) {
        return block.query_begin >= snapshot.queries(layer) || block.key_begin >= snapshot.keys(layer);
      };
      if (layers.empty() || !std::all_of(layers.begin(), layers.end(), is_outside)) continue;
      if (outside.empty()) sizes = fmt::format("{} queries and {} keys", snapshot.queries(layers.front()), snapshot.keys(layers.front()));
      outside.push_back(fmt::format("{}:{}", range_text(block.query_begin, block.query_end), range_text(block.key_begin, block.key_end)));
    }
  }
  if (outside.empty() || snapshot.tokens() == 0) return;
  const std::string more = outside.size() > 1 ? fmt::format(" and {} more painted cells or blocks do", outside.size() - 1) : " does";
  notices.push_back(fmt::format("The mask's {}{} nothing: the map has {}, counted from 0.", outside.front(), more, sizes));
}

void note_uniform_heads(const Snapshot& snapshot, std::vector<std::string>& notices) {
  if (snapshot.model->is_random) return;
  int informative = 0;
  for (const auto& layer : snapshot.summaries) {
    for (const HeadSummary& summary : *layer) {
      if (summary.informative_rows == 0) continue;
      if (!(summary.value(kEvenness) > 0.9999)) return;
      ++informative;
    }
  }
  if (informative > 0) notices.emplace_back("Every head attends to all tokens equally: are these weights trained?");
}

}  // namespace headlight
