// The weights of several heads as one map: mean, maximum, minimum, median, or rollout.
#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "engine/core/memory_limit.h"
#include "engine/core/numbers.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/kinds/map_page.h"
#include "engine/figure/links/link_maps.h"

namespace headlight {
namespace {

bool is_rollout(const FlowRequest& flow) {
  return flow.settings.reduction == Reduction::rollout;
}

/// No query may attend to what follows it, in any of the heads.
bool is_causal(const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  std::set<const Mask*> seen;  // heads share masks
  return std::all_of(heads.begin(), heads.end(), [&](HeadId head) {
    const Mask& mask = snapshot.trace.layer(head.layer).mask(head.head);
    if (!seen.insert(&mask).second) return true;
    for (Index query = 0; query < mask.queries(); ++query) {
      for (Index key = query + 1; key < mask.keys(); ++key) {
        if (mask.allows(query, key)) return false;
      }
    }
    return true;
  });
}

/// Those that count: of rollout, up to the last layer.
std::vector<HeadId> counted_heads(const FlowRequest& flow) {
  std::vector<HeadId> heads = flow.heads;
  const int through = flow.settings.through;
  if (is_rollout(flow) && through >= 0) std::erase_if(heads, [&](HeadId head) { return head.layer > through; });
  std::sort(heads.begin(), heads.end());
  return heads;
}

FlowMap computed(const Snapshot& snapshot, const FlowRequest& flow) {
  const int layer = flow.heads.front().layer;
  require_memory(flow_bytes(snapshot.queries(layer), snapshot.keys(layer), flow.heads.size(), flow.settings), allowed_memory(),
                 {.field = "figure", .problem = "the text is too long for a flow of maps", .hint = "Choose a shorter text."});
  SilentProgress silent;
  return make_flow(snapshot.trace, flow.heads, flow.settings, silent);
}

Scene make_flow_figure(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  FreshMaps source(snapshot);
  FlowMap flow = computed(snapshot, request.flow);
  const MapFigureRequest map =
      flow_map_of(snapshot, request,
                  picture_of_derived(snapshot, request.style, request.flow.heads.front().layer, std::move(flow.values), flow.mask,
                                     has_weight_rows(request.flow.settings.reduction)),
                  source);
  const std::string what = flow_text(snapshot, request.flow);
  const auto notes = [&](std::initializer_list<std::string> more) {
    std::string text = "derived: " + what;
    for (const std::string& note : more) {
      if (!note.empty()) text += " · " + note;
    }
    return text;
  };
  const std::string caveat = flow_caveat(snapshot, request.flow), left_out = flow_left_out_text(request.style, request.flow, *map.picture);
  const std::string part = part_text(request, map.picture->rows(), map.picture->columns());
  return make_map_page(
      {snapshot.model->name + " · " + what, sentence_of(snapshot)},
      {notes({part, caveat, left_out, notes_of_derived(snapshot, request.style, counted_heads(request.flow))}), notes({caveat, left_out})},
      map, request, measure);
}

std::string flow_caption(const Snapshot& snapshot, const FigureRequest& request) {
  return flow_text(snapshot, request.flow);
}

DerivedMap derived_map(const Snapshot& snapshot, const FigureRequest& request) {
  FlowMap flow = computed(snapshot, request.flow);
  std::string what = flow_text(snapshot, request.flow);
  if (const std::string caveat = flow_caveat(snapshot, request.flow); !caveat.empty()) what += "; " + caveat;
  return {std::move(what), std::move(flow.values), request.flow.heads.front().layer};
}

/// Of a rollout: every layer's maps are of the text to itself, and attention weights.
std::string why_no_rollout(const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  for (const HeadId head : heads) {
    if (snapshot.model->config.place(head.layer).stack == Stack::cross || snapshot.queries(head.layer) != snapshot.keys(head.layer)) {
      return "Rollout multiplies maps of one text to itself. In cross-attention the queries are of another text than the keys: choose "
             "layers "
             "of the encoder or of the decoder, or another reduction.";
    }
    const LayerTrace& layer = snapshot.trace.layer(head.layer);
    if (!layer.given.empty() && !layer.given[static_cast<std::size_t>(head.head)].sums.are_weights()) {
      return fmt::format("Rollout needs attention weights, and the rows of head {}.{} are none.", head.layer, head.head);
    }
  }
  return {};
}

}  // namespace

std::string heads_text(const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<int> layers;
  for (const HeadId head : heads) {
    if (layers.empty() || layers.back() != head.layer) layers.push_back(head.layer);
  }
  const auto count_in = [&](int layer) {
    return std::count_if(heads.begin(), heads.end(), [&](HeadId head) { return head.layer == layer; });
  };
  const bool is_whole =
      !layers.empty() && std::all_of(layers.begin(), layers.end(), [&](int layer) { return count_in(layer) == snapshot.heads(layer); });
  const bool is_run = !layers.empty() && layers.back() - layers.front() + 1 == static_cast<int>(layers.size());
  if (is_whole && layers.size() == 1) return snapshot.layer_name(layers.front());
  const bool is_only = !layers.empty() && snapshot.model->config.place(layers.front()).stack == Stack::only;
  if (is_whole && is_run && is_only) {
    return fmt::format("layers {} to {}", snapshot.model->config.place(layers.front()).number,
                       snapshot.model->config.place(layers.back()).number);
  }
  if (is_whole && is_run) return fmt::format("{} to {}", snapshot.layer_name(layers.front()), snapshot.layer_name(layers.back()));
  std::string text;
  for (std::size_t place = 0; place < heads.size(); ++place) {
    if (place == kMostNamed) return text + fmt::format(", {} more", heads.size() - place);
    text += fmt::format("{}{}.{}", place == 0 ? "" : ", ", heads[place].layer, heads[place].head);
  }
  return text;
}

std::string flow_text(const Snapshot& snapshot, const FlowRequest& flow) {
  const std::vector<HeadId> heads = counted_heads(flow);
  const FlowSettings& settings = flow.settings;
  const std::string count = heads.size() == 1 ? "1 head" : fmt::format("{} heads", heads.size());
  std::string text = fmt::format("{} of {}: {}", row_of(settings.reduction).label, count, heads_text(snapshot, heads));
  if (!is_rollout(flow)) return text;
  const std::string own = settings.identity == 0.5F ? "" : fmt::format(", identity {:g}", settings.identity);
  return text + (settings.fuses_by_max ? ", maximum in each layer" : ", mean in each layer") + own;
}

std::string flow_caveat(const Snapshot& snapshot, const FlowRequest& flow) {
  const Reduction reduction = flow.settings.reduction;
  if (reduction == Reduction::mean) return {};
  if (!is_rollout(flow)) return flow.heads.size() == 1 ? std::string() : "rows do not sum to 1";
  std::string text;
  const auto add = [&](const char* note) { text += (text.empty() ? "" : " · ") + std::string(note); };
  const std::vector<HeadId> heads = counted_heads(flow);
  if (is_causal(snapshot, heads)) {
    add("causal: row 0 holds the first token alone, which absorbs more with every layer");
  }
  if (!heads.empty() && snapshot.model->config.place(heads.front().layer).stack == Stack::decoder) {
    add("what the decoder reads from the encoder is not in it");
  }
  return text;
}

std::string flow_left_out_text(const Style& style, const FlowRequest& flow, const MapPicture& picture) {
  return left_out_text(style, picture,
                       is_rollout(flow) ? " after the rollout, not in each head" : " after the mean over heads, not in each head");
}

std::string why_no_flow(const Snapshot& snapshot, const FlowRequest& flow) {
  if (flow.heads.empty()) return "No head is chosen.";
  for (const HeadId head : flow.heads) {
    if (!has_same_texts(snapshot, flow.heads.front().layer, head.layer)) {
      return fmt::format("{} and {} have other tokens along their axes: only maps of the same texts become one.",
                         snapshot.layer_name(flow.heads.front().layer), snapshot.layer_name(head.layer));
    }
  }
  if (!is_rollout(flow)) return {};
  if (counted_heads(flow).empty()) return "None of the chosen heads is in a layer that counts.";
  return why_no_rollout(snapshot, flow.heads);
}

MapFigureRequest flow_map_of(const Snapshot& snapshot, const FigureRequest& request, std::shared_ptr<const MapPicture> picture,
                             FigureSource& source) {
  MapFigureRequest map;
  const int layer = request.flow.heads.front().layer;
  map.picture = std::move(picture);
  map.scale = scale_of_derived(request.style, *map.picture);
  map.query_labels = source.labels(snapshot, snapshot.query_tokens(layer));
  map.key_labels = source.labels(snapshot, snapshot.key_tokens(layer));
  map.titles = axis_titles(snapshot, layer);
  map.second_queries = second_sentence(snapshot.query_tokens(layer));
  map.second_keys = second_sentence(snapshot.key_tokens(layer));
  map.window = part_of(request, map.picture->rows(), map.picture->columns());
  const MarkedTokens marked = marked_in(request.marked, snapshot, snapshot, layer);
  map.pinned_query = marked.query;
  map.pinned_key = marked.key;
  map.theme = request.style.theme;
  return map;
}

constexpr FigureKind kFlowFigure = {
    .name = "flow",
    .noun = "a flow",
    .what = "several heads as one map: mean, max, min, median or rollout",
    .file_name = "flow",
    .needs = {.shows_part = true, .marks_tokens = true, .has_flow = true, .has_bar = true, .has_cells = true},
    .caption = flow_caption,
    .scene = make_flow_figure,
    .numbers = {.derived = derived_map},
};

}  // namespace headlight
