#include "engine/dumps/dump_layers.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/tensors/tensor.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostMaps = 200'000;    // layers · heads
constexpr std::int64_t kLongestSide = 65'536;  // queries or keys

[[noreturn]] void refuse_dump(const DumpFile& file, const std::string& name, std::string problem, std::string found = {},
                              std::string expected = {}, std::string hint = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = file.file,
               .field = name.empty() ? "" : "array " + printable(name),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

constexpr const char* kShapes = "[heads, query, key] for each layer, or [layers, heads, query, key]";

Stack stack_of(const std::string& name) {
  const std::string text = lower_case(name);
  const auto holds = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (holds("cross") || (holds("decoder") && holds("encoder"))) return Stack::cross;  // "decoder.layers.0.encoder_attn"
  if (holds("encoder")) return Stack::encoder;
  return holds("decoder") ? Stack::decoder : Stack::only;
}

/// The last number in a name: "attention.3", "layers.3.attn".
std::optional<int> number_in(const std::string& name) {
  const std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return std::nullopt;
  std::size_t first = last;
  while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
  if (last - first >= 6) return std::nullopt;
  return std::stoi(name.substr(first, last - first + 1));
}

/// The separator before the number at the end of a name: '.' of "attention.3", '_' of "attn_3". None of "gpt2_attn".
std::optional<char> before_number(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool is_numbered =
      last != std::string::npos && last + 1 < name.size() && std::string_view("._-/").find(name[last]) != std::string_view::npos;
  return is_numbered ? std::optional(name[last]) : std::nullopt;
}

std::string shown(const DumpTensor& tensor) {
  return "shape " + shape_text(tensor.shape);
}

/// The axes of an array of maps, in the order in which they run.
struct Sides {
  std::int64_t layers = 1, batch = 1, heads = 1, queries = 0, keys = 0;
};

/// An array whose name has a layer's number. Of the only one in a file "attention.0" counts as that of a layer, and "attn_12" where its first
/// axis is not a stack of layers.
bool is_one_layer(const DumpFile& file, const DumpTensor& tensor) {
  if (!number_in(tensor.name)) return false;
  if (file.tensors.size() > 1) return true;
  const std::optional<char> before = before_number(tensor.name);
  const bool is_single = tensor.shape.size() < 4 || tensor.shape[0] == 1;
  return before == '.' || (before && is_single);
}

/// Whether the first of four axes counts texts.
bool begins_with_batch(const DumpFile& file, const DumpTensor& tensor, std::optional<int> item) {
  return item.has_value() || file.is_of_attend || is_one_layer(file, tensor);
}

Sides sides_of(const DumpFile& file, const DumpTensor& tensor, std::optional<int> item) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  const std::size_t rank = shape.size();
  if (rank < 2 || rank > 5)
    refuse_dump(file, tensor.name, "these are not attention maps: the number of axes is wrong", shown(tensor), kShapes);
  Sides sides;
  sides.keys = shape[rank - 1];
  sides.queries = shape[rank - 2];
  if (rank > 2) sides.heads = shape[rank - 3];
  if (rank == 4) (begins_with_batch(file, tensor, item) ? sides.batch : sides.layers) = shape[0];
  if (rank == 5) {
    sides.layers = shape[0];
    sides.batch = shape[1];
  }
  return sides;
}

void check_ranges(const DumpFile& file, const DumpTensor& tensor, const Sides& sides) {
  if (sides.layers == 0 || sides.heads == 0 || sides.batch == 0) {
    refuse_dump(file, tensor.name, fmt::format("holds maps of {} layers and {} heads", sides.layers, sides.heads), shown(tensor),
                "at least one of each");
  }
  if (sides.layers > kMostMaps || sides.heads > kMostMaps || sides.layers * sides.heads > kMostMaps) {  // the product last: no overflow
    refuse_dump(file, tensor.name, "holds too many maps", shown(tensor), fmt::format("at most {} layers × heads", kMostMaps));
  }
  if (sides.queries == 0 || sides.keys == 0 || sides.queries > kLongestSide || sides.keys > kLongestSide) {
    refuse_dump(file, tensor.name, "the sides of the maps are out of range", shown(tensor),
                fmt::format("1 to {} queries and keys", kLongestSide));
  }
}

/// Which text of the batch is read.
std::int64_t chosen_item(const DumpFile& file, const DumpTensor& tensor, const Sides& sides, std::optional<int> item) {
  if (!item && sides.batch > 1) {
    refuse_dump(file, tensor.name, fmt::format("holds a batch of {} texts", sides.batch), shown(tensor), "maps of one text",
                fmt::format("Choose one with --item 0 to --item {}.", sides.batch - 1));
  }
  if (!item || *item < sides.batch) return item.value_or(0);
  throw Error({.kind = ErrorKind::usage,
               .file = file.file,
               .field = "--item",
               .problem = "there is no such item",
               .found = std::to_string(*item),
               .expected = sides.batch == 1 ? "0: the maps belong to one text" : fmt::format("0 to {}", sides.batch - 1)});
}

std::vector<LayerMaps> split_layers(const DumpFile& file, std::optional<int> item) {
  if (file.tensors.empty()) {
    std::error_code ignored;
    const bool is_in_model = fs::exists(fs::path(file.file).parent_path() / "config.json", ignored);
    refuse_dump(file, {}, "holds no attention maps", "no array of three dimensions or more that may be one", kShapes,
                is_in_model ? "These look like the weights of a model: give the folder."
                            : "Name them attention.0, attention.1, … one for each layer.");
  }
  std::vector<LayerMaps> layers;
  for (const DumpTensor& tensor : file.tensors) {
    const Sides sides = sides_of(file, tensor, item);
    check_ranges(file, tensor, sides);
    const std::int64_t chosen = chosen_item(file, tensor, sides, item);
    const auto step = static_cast<std::size_t>(sides.heads * sides.queries * sides.keys);
    for (std::int64_t layer = 0; layer < sides.layers; ++layer) {
      const int own = is_one_layer(file, tensor) ? *number_in(tensor.name) : static_cast<int>(layer);
      layers.push_back({.place = {stack_of(tensor.name), own},
                        .batch = sides.batch,
                        .heads = sides.heads,
                        .queries = sides.queries,
                        .keys = sides.keys,
                        .type = tensor.type,
                        .values = tensor.values.data() + static_cast<std::size_t>(layer * sides.batch + chosen) * step,
                        .name = tensor.name});
    }
  }
  return layers;
}

bool holds(const std::vector<LayerMaps>& layers, Stack stack) {
  return std::any_of(layers.begin(), layers.end(), [&](const LayerMaps& layer) { return layer.place.stack == stack; });
}

/// A decoder that also reads another text calls its own attention "attention" and the other one "cross".
void name_stacks(const DumpFile& file, std::vector<LayerMaps>& layers) {
  if (!holds(layers, Stack::only)) return;
  const bool has_encoder = holds(layers, Stack::encoder), has_decoder = holds(layers, Stack::decoder);
  if (has_encoder || has_decoder) {
    const auto unnamed =
        std::find_if(layers.begin(), layers.end(), [](const LayerMaps& layer) { return layer.place.stack == Stack::only; });
    refuse_dump(file, unnamed->name, "its stack is not named",
                fmt::format("the file also holds {} layers", name_of(has_encoder ? Stack::encoder : Stack::decoder)),
                "encoder, decoder or cross in the name");
  }
  if (!holds(layers, Stack::cross)) return;
  for (LayerMaps& layer : layers) {
    if (layer.place.stack == Stack::only) layer.place.stack = Stack::decoder;
  }
}

/// Brings the layers into the order of a model: an encoder's, then those of the decoder, each followed by its cross-attention.
void sort_layers(const DumpFile& file, std::vector<LayerMaps>& layers) {
  const auto order = [](const LayerMaps& layer) {
    const bool has_decoder = layer.place.stack == Stack::decoder || layer.place.stack == Stack::cross;
    return std::tuple(has_decoder ? 1 : 0, layer.place.number, layer.place.stack == Stack::cross ? 1 : 0);
  };
  std::stable_sort(layers.begin(), layers.end(), [&](const LayerMaps& a, const LayerMaps& b) { return order(a) < order(b); });
  for (std::size_t at = 1; at < layers.size(); ++at) {
    if (order(layers[at]) != order(layers[at - 1])) continue;
    refuse_dump(file, layers[at].name, fmt::format("two arrays hold {} {}", name_of(layers[at].place.stack), layers[at].place.number),
                printable(layers[at - 1].name));
  }
}

std::string side_text(const LayerMaps& layer) {
  return fmt::format("{} × {}", layer.queries, layer.keys);
}

}  // namespace

std::string note_on_axes(const DumpFile& file, std::optional<int> item) {
  for (const DumpTensor& tensor : file.tensors) {
    const std::string name = lower_case(tensor.name);
    const bool says_layers = name.find("layer") != std::string::npos || name.find("attentions") != std::string::npos;
    if (tensor.shape.size() != 4 || tensor.shape[0] == 1 || says_layers || begins_with_batch(file, tensor, item)) continue;
    return fmt::format(
        "{} is read as [layers, heads, query, key]. If its first axis counts the texts of a batch, choose one of them: First axis in the "
        "window, --item N on the command line.",
        (tensor.name.empty() ? "The array " : printable(tensor.name) + " ") + shape_text(tensor.shape));
  }
  return {};
}

bool holds_batch(const DumpFile& file) {
  return std::any_of(file.tensors.begin(), file.tensors.end(),
                     [&](const DumpTensor& tensor) { return sides_of(file, tensor, {}).batch > 1; });
}

std::vector<LayerMaps> find_layers(const DumpFile& file, std::optional<int> item) {
  std::vector<LayerMaps> layers = split_layers(file, item);
  name_stacks(file, layers);
  sort_layers(file, layers);
  return layers;
}

ModelConfig config_of(const std::vector<LayerMaps>& layers) {
  ModelConfig config;
  config.layers = static_cast<int>(layers.size());
  for (const LayerMaps& layer : layers) {
    config.heads.counts.push_back(static_cast<int>(layer.heads));
    config.heads.count = config.heads.kv_count = std::max(config.heads.count, config.heads.counts.back());
  }
  const auto is_most = [&](int heads) { return heads == config.heads.count; };
  if (std::all_of(config.heads.counts.begin(), config.heads.counts.end(), is_most)) config.heads.counts.clear();
  const auto count = [&](Stack stack) {
    return static_cast<int>(
        std::count_if(layers.begin(), layers.end(), [&](const LayerMaps& layer) { return layer.place.stack == stack; }));
  };
  const bool is_whole = count(Stack::decoder) > 0 && count(Stack::decoder) == count(Stack::cross);
  if (is_whole) config.stacks.encoder_layers = count(Stack::encoder);
  std::vector<LayerPlace> places;
  bool is_counted = true;
  for (const LayerMaps& layer : layers) {
    is_counted = is_counted && layer.place == config.place(static_cast<int>(places.size()));
    places.push_back(layer.place);
  }
  if (!is_counted) config.stacks.places = std::move(places);
  return config;
}

namespace {

void check_batches(const DumpFile& file, const std::vector<LayerMaps>& layers) {
  for (const LayerMaps& layer : layers) {
    if (layer.batch == layers.front().batch) continue;
    refuse_dump(file, layer.name, "the layers hold different numbers of texts", std::to_string(layer.batch),
                fmt::format("{}, as in {}", layers.front().batch, printable(layers.front().name)));
  }
}

}  // namespace

DumpLengths check_sides(const DumpFile& file, const std::vector<LayerMaps>& layers, const ModelConfig& config) {
  check_batches(file, layers);
  const bool has_decoder_keys = config.has_decoder_keys();
  const auto reads_decoder = [&](const LayerMaps& layer) { return has_decoder_keys && layer.place.stack == Stack::decoder; };
  DumpLengths lengths;
  for (const LayerMaps& layer : layers) {
    if (lengths.text == 0 && !reads_decoder(layer)) lengths.text = layer.keys;
    const bool has_other_queries = reads_decoder(layer) || layer.place.stack == Stack::cross || layer.queries != layer.keys;
    if (lengths.decoder == 0 && layer.place.stack != Stack::encoder && has_other_queries) lengths.decoder = layer.queries;
  }
  for (const LayerMaps& layer : layers) {
    const std::int64_t queries = layer.place.stack != Stack::encoder && lengths.decoder > 0 ? lengths.decoder : lengths.text;
    const std::int64_t keys = reads_decoder(layer) ? lengths.decoder : lengths.text;
    if (layer.queries == queries && layer.keys == keys) continue;
    refuse_dump(file, layer.name, "the layers' maps have different sides", side_text(layer) + " queries × keys",
                fmt::format("{} × {}", queries, keys));
  }
  return lengths;
}

}  // namespace headlight
