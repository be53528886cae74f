#include "engine/attention/attention_dump.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "engine/attention/dump_tensors.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/formats/tensor.h"
#include "engine/text/label.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestTokenFile = 16'000'000;
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

/// One layer's maps, still in the array that they came in.
struct LayerMaps {
  Stack stack = Stack::only;
  std::int64_t number = 0;
  std::int64_t heads = 0, queries = 0, keys = 0;
  const float* values = nullptr;
  std::string name;
};

Stack stack_of(const std::string& name) {
  const std::string text = lower_case(name);
  if (text.find("cross") != std::string::npos) return Stack::cross;
  if (text.find("encoder") != std::string::npos) return Stack::encoder;
  if (text.find("decoder") != std::string::npos) return Stack::decoder;
  return Stack::only;
}

/// The last number in a name: "attention.3", "layers.3.attn".
std::optional<std::int64_t> number_in(const std::string& name) {
  const std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return std::nullopt;
  std::size_t first = last;
  while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
  if (last - first >= 6) return std::nullopt;
  return std::stol(name.substr(first, last - first + 1));
}

std::string shown(const DumpTensor& tensor) {
  return "shape " + shape_text(tensor.shape);
}

/// [batch of 1, heads, q, k] and so on as [layers, heads, q, k].
std::vector<std::int64_t> four_sides(const DumpFile& file, const DumpTensor& tensor, bool is_one_layer) {
  std::vector<std::int64_t> shape = tensor.shape;
  const auto refuse_batch = [&](std::int64_t batch) {
    refuse_dump(file, tensor.name, fmt::format("holds a batch of {} texts", batch), shown(tensor), "maps of one text",
                "Write one of them: attention[0].");
  };
  if (shape.size() < 2 || shape.size() > 5)
    refuse_dump(file, tensor.name, "these are no attention maps: the rank is wrong", shown(tensor), kShapes);
  if (shape.size() == 5) {  // [layers, batch, heads, q, k]
    if (shape[1] != 1) refuse_batch(shape[1]);
    shape.erase(shape.begin() + 1);
  }
  if (shape.size() == 4 && is_one_layer && shape[0] != 1) refuse_batch(shape[0]);
  while (shape.size() < 4) shape.insert(shape.begin(), 1);
  if (shape[0] == 0 || shape[1] == 0) {
    refuse_dump(file, tensor.name, fmt::format("holds maps of {} layers and {} heads", shape[0], shape[1]), shown(tensor),
                "at least one of each");
  }
  if (shape[0] * shape[1] > kMostMaps || shape[0] > kMostMaps || shape[1] > kMostMaps) {
    refuse_dump(file, tensor.name, "holds too many maps", shown(tensor), fmt::format("at most {} layers × heads", kMostMaps));
  }
  if (shape[2] == 0 || shape[3] == 0 || shape[2] > kLongestSide || shape[3] > kLongestSide) {
    refuse_dump(file, tensor.name, "the sides of the maps are out of range", shown(tensor),
                fmt::format("1 to {} queries and keys", kLongestSide));
  }
  return shape;
}

std::vector<LayerMaps> find_layers(const DumpFile& file) {
  if (file.tensors.empty()) {
    std::error_code ignored;
    const bool is_in_model = fs::exists(fs::path(file.file).parent_path() / "config.json", ignored);
    refuse_dump(file, {}, "holds no attention maps", "no array of three dimensions or more that may be one", kShapes,
                is_in_model ? "These look like the weights of a model: give the folder."
                            : "Name them attention.0, attention.1, … one for each layer.");
  }
  std::vector<LayerMaps> layers;
  for (const DumpTensor& tensor : file.tensors) {
    const std::optional<std::int64_t> number = number_in(tensor.name);
    const bool is_one_layer = number.has_value() && (file.tensors.size() > 1 || tensor.shape.size() < 4);
    const std::vector<std::int64_t> shape = four_sides(file, tensor, is_one_layer);
    const auto step = static_cast<std::size_t>(shape[1] * shape[2] * shape[3]);
    for (std::int64_t layer = 0; layer < shape[0]; ++layer) {
      layers.push_back({stack_of(tensor.name), is_one_layer ? *number : layer, shape[1], shape[2], shape[3],
                        tensor.values.data() + static_cast<std::size_t>(layer) * step, tensor.name});
    }
  }
  return layers;
}

/// Brings the layers into the order of a model: an encoder's, then those of the decoder, each followed by its cross-attention.
void sort_layers(const DumpFile& file, std::vector<LayerMaps>& layers) {
  const auto place = [](const LayerMaps& layer) {
    const bool has_decoder = layer.stack == Stack::decoder || layer.stack == Stack::cross;
    return std::tuple(has_decoder ? 1 : 0, layer.number, layer.stack == Stack::cross ? 1 : 0);
  };
  std::stable_sort(layers.begin(), layers.end(), [&](const LayerMaps& a, const LayerMaps& b) { return place(a) < place(b); });
  for (std::size_t at = 1; at < layers.size(); ++at) {
    if (place(layers[at]) != place(layers[at - 1])) continue;
    refuse_dump(file, layers[at].name, fmt::format("two arrays hold layer {}", layers[at].number), printable(layers[at - 1].name));
  }
  for (const LayerMaps& layer : layers) {
    if (layer.heads == layers.front().heads) continue;
    refuse_dump(file, layer.name, "the layers have different numbers of heads", std::to_string(layer.heads),
                std::to_string(layers.front().heads));
  }
}

/// How many layers of each stack there are. A whole encoder–decoder has all three; anything less is shown as one stack.
struct Stacks {
  int encoder = 0, decoder = 0, cross = 0;
  bool is_whole() const { return encoder > 0 && decoder > 0 && decoder == cross; }
};
Stacks count_stacks(const DumpFile& file, std::vector<LayerMaps>& layers) {
  Stacks stacks;
  int others = 0;
  for (const LayerMaps& layer : layers) {
    stacks.encoder += layer.stack == Stack::encoder;
    stacks.decoder += layer.stack == Stack::decoder;
    stacks.cross += layer.stack == Stack::cross;
    others += layer.stack == Stack::only;
  }
  const int kinds = (stacks.encoder > 0) + (stacks.decoder > 0) + (stacks.cross > 0) + (others > 0);
  if (kinds == 1) return {};
  if (stacks.is_whole() && others == 0) return stacks;
  refuse_dump(file, {}, "holds a part of an encoder–decoder model",
              fmt::format("{} encoder, {} decoder, {} cross-attention layers, {} without a name", stacks.encoder, stacks.decoder,
                          stacks.cross, others),
              "all three, with a cross-attention for each layer of the decoder, or one kind alone");
}

std::string side_text(const LayerMaps& layer) {
  return fmt::format("{} × {}", layer.queries, layer.keys);
}

/// The lengths of the text (keys) and of what the queries are; decoder is 0 where there is one text.
struct Lengths {
  std::int64_t text = 0, decoder = 0;
};
Lengths check_sides(const DumpFile& file, const std::vector<LayerMaps>& layers, bool is_whole) {
  Lengths lengths{layers.front().keys, 0};
  if (is_whole) {
    lengths.decoder = layers.back().queries;
  } else if (layers.front().queries != layers.front().keys) {
    lengths.decoder = layers.front().queries;
  }
  for (const LayerMaps& layer : layers) {
    const bool has_decoder_queries = is_whole ? layer.stack != Stack::encoder : lengths.decoder > 0;
    const bool has_decoder_keys = is_whole && layer.stack == Stack::decoder;
    const std::int64_t queries = has_decoder_queries ? lengths.decoder : lengths.text;
    const std::int64_t keys = has_decoder_keys ? lengths.decoder : lengths.text;
    if (layer.queries == queries && layer.keys == keys) continue;
    refuse_dump(file, layer.name, "the layers' maps have different sides", side_text(layer) + " queries × keys",
                fmt::format("{} × {}", queries, keys));
  }
  return lengths;
}

/// Names tokens by their own text; blank marks of the common alphabets are taken for what they are.
class DumpTokenizer final : public Tokenizer {
 public:
  explicit DumpTokenizer(LabelScheme scheme) : scheme_(scheme) {}
  Encoding encode(std::string_view, std::optional<std::string_view>, EncodeOptions) const override { return {}; }
  std::string decode(std::span<const std::int64_t>, bool) const override { return {}; }
  std::optional<std::string> token_of(std::int64_t) const override { return std::nullopt; }
  TokenLabel label(const Token& token) const override { return make_label(token.text, scheme_); }
  std::string description() const override { return "the tokens of a file"; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  LabelScheme scheme_;
  std::vector<std::string> warnings_;
};

LabelScheme scheme_of(const std::vector<std::string>& tokens) {
  const auto holds = [&](std::string_view mark) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) { return token.find(mark) != std::string::npos; });
  };
  if (holds("\xc4\xa0")) return LabelScheme::byte_level;                       // "Ġ"
  return holds("\xe2\x96\x81") ? LabelScheme::metaspace : LabelScheme::plain;  // "▁"
}

/// A JSON list of strings, or one token a line.
std::vector<std::string> read_token_file(const fs::path& path) {
  const std::string bytes = read_file(path, kLargestTokenFile);
  const std::string file = printable(path.string(), 4096);
  std::vector<std::string> tokens;
  if (path.extension() == ".json") {
    const Json list = parse_json(bytes, file);
    const bool is_list = list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& item) { return item.is_string(); });
    if (!is_list)
      throw Error({.kind = ErrorKind::input,
                   .file = file,
                   .problem = "is no list of tokens",
                   .found = describe(list),
                   .expected = "a JSON list of strings"});
    for (const Json& item : list) tokens.push_back(item.get<std::string>());
    return tokens;
  }
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string line = repair_utf8(std::string_view(bytes).substr(begin, end - begin)).text;
    if (line.ends_with('\r')) line.pop_back();
    tokens.push_back(std::move(line));
    begin = end + 1;
  }
  return tokens;
}

/// A list of tokens from a file beside the maps.
std::optional<std::vector<std::string>> find_token_file(const fs::path& path) {
  for (const fs::path& candidate :
       {fs::path(path.string() + ".tokens.json"), fs::path(path.string() + ".tokens.txt"), fs::path(path).replace_extension(".tokens.json"),
        fs::path(path).replace_extension(".tokens.txt"), path.parent_path() / "tokens.json", path.parent_path() / "tokens.txt"}) {
    std::error_code ignored;
    if (candidate != path && fs::is_regular_file(candidate, ignored)) return read_token_file(candidate);
  }
  return std::nullopt;
}

/// By the whole name, else by its last part: "attention.0.left_text".
const std::vector<std::string>* find_texts(const DumpFile& file, std::initializer_list<std::string_view> names) {
  for (const bool is_part : {false, true}) {
    for (const std::string_view name : names) {
      for (const DumpTexts& texts : file.texts) {
        if (texts.name == name || (is_part && texts.name.ends_with(fmt::format(".{}", name)))) return &texts.texts;
      }
    }
  }
  return nullptr;
}

std::shared_ptr<const Encoding> make_encoding(const std::vector<std::string>* tokens, std::int64_t length, const std::string& what,
                                              std::vector<std::string>& notices) {
  const bool fits = tokens != nullptr && std::ssize(*tokens) == length;
  if (!fits) {
    notices.push_back(tokens == nullptr
                          ? fmt::format("The file names no {}tokens: they are numbered.", what)
                          : fmt::format("{} {}tokens do not fit maps of {}: they are numbered.", tokens->size(), what, length));
  }
  auto encoding = std::make_shared<Encoding>();
  for (std::int64_t at = 0; at < length; ++at) {
    Token token;
    token.id = at;
    token.text = fits ? (*tokens)[static_cast<std::size_t>(at)] : std::to_string(at);
    encoding->tokens.push_back(std::move(token));
  }
  return encoding;
}

/// The text as its tokens read: blanks where they begin one.
void write_text(Encoding& encoding, const Tokenizer& tokenizer) {
  bool is_first = true;
  for (Token& token : encoding.tokens) {
    const TokenLabel label = tokenizer.label(token);
    if (label.has_leading_blank && !is_first) encoding.text += ' ';
    const auto begin = static_cast<std::uint32_t>(encoding.text.size());
    encoding.text += label.text;
    token.bytes = {begin, static_cast<std::uint32_t>(encoding.text.size())};
    is_first = false;
  }
}

/// Rows that are no attention: they do not sum to 1, or hold numbers that no weight can be.
GivenSums sums_of(const Matrix& map) {
  constexpr double kTolerance = 1e-3;  // of a sum of numbers in half precision
  GivenSums sums;
  for (Index query = 0; query < map.rows(); ++query) {
    const auto row = map.row(query).array();
    const double sum = row.cast<double>().sum();
    if (row.isNaN().any()) {
      ++sums.nan_rows;
    } else if (row.isInf().any()) {
      ++sums.infinite_rows;
    } else if ((row == 0.0F).all()) {
      ++sums.zero_rows;
    } else if (std::abs(sum - 1) > kTolerance) {
      sums.add({.odd_rows = 1, .lowest = sum, .highest = sum});
    } else {
      sums.negative_rows += (row < 0.0F).any();
    }
  }
  return sums;
}

std::shared_ptr<const LayerTrace> make_layer(const LayerMaps& maps) {
  auto layer = std::make_shared<LayerTrace>();
  layer->heads = layer->kv_heads = static_cast<int>(maps.heads);
  HeadRule rule;
  rule.mask = std::make_shared<Mask>(maps.queries, maps.keys, true);
  const std::int64_t size = maps.queries * maps.keys;
  for (std::int64_t head = 0; head < maps.heads; ++head) {
    GivenMap given;
    given.weights = Eigen::Map<const Matrix>(maps.values + head * size, maps.queries, maps.keys);
    given.sums = sums_of(given.weights);
    layer->given.push_back(std::move(given));
    layer->rules.push_back(rule);
  }
  return layer;
}

/// One sentence for each kind of rows that are no attention.
void note_sums(const AttentionDump& dump, std::vector<std::string>& notices) {
  std::int64_t heads = 0, odd_heads = 0, nan_heads = 0, infinite_heads = 0, negative_heads = 0;
  GivenSums all;
  for (const auto& layer : dump.layers) {
    for (const GivenMap& map : layer->given) {
      ++heads;
      odd_heads += map.sums.odd_rows > 0;
      nan_heads += map.sums.nan_rows > 0;
      infinite_heads += map.sums.infinite_rows > 0;
      negative_heads += map.sums.negative_rows > 0;
      all.add(map.sums);
    }
  }
  if (odd_heads > 0) {
    notices.push_back(
        fmt::format("Not normalised: rows of {} of {} heads do not sum to 1 (sums from {:.4g} to {:.4g}). They are shown as they are.",
                    odd_heads, heads, all.lowest, all.highest));
  }
  const auto note = [&](std::int64_t count, const char* what) {
    if (count > 0) notices.push_back(fmt::format("{} of {} heads hold {}.", count, heads, what));
  };
  note(nan_heads, "NaN");
  note(infinite_heads, "infinities");
  note(negative_heads, "numbers below 0");
}

void note_numbers(const std::vector<LayerMaps>& layers, bool is_whole, std::vector<std::string>& notices) {
  if (is_whole) return;
  std::string numbers;
  bool is_plain = true;
  for (std::size_t at = 0; at < layers.size(); ++at) {
    is_plain = is_plain && layers[at].number == static_cast<std::int64_t>(at);
    if (at < 8) numbers += fmt::format("{}{}", at == 0 ? "" : ", ", layers[at].number);
  }
  if (!is_plain) notices.push_back(fmt::format("The file's layers {}{} are counted from 0 here.", numbers, layers.size() > 8 ? " …" : ""));
}

std::shared_ptr<const Model> make_model(const fs::path& path, const std::vector<LayerMaps>& layers, const Stacks& stacks,
                                        LabelScheme scheme) {
  auto model = std::make_shared<Model>();
  model->name = printable(path.filename().string());
  model->source = "maps from " + printable(path.string(), 4096);
  model->tokenizer = std::make_shared<DumpTokenizer>(scheme);
  ModelConfig& config = model->config;
  config.family = "attention maps";
  config.layers = static_cast<int>(layers.size());
  config.heads = config.kv_heads = static_cast<int>(layers.front().heads);
  config.encoder_layers = stacks.encoder;
  config.is_causal = false;  // whatever the mask was, the maps hold it
  config.positions = PositionKind::none;
  return model;
}

}  // namespace

bool names_attention_dump(const std::string& model_name) {
  std::error_code ignored;
  const fs::path path(model_name);
  if (!is_dump_name(path) || !fs::is_regular_file(path, ignored)) return false;
  return path.extension() != ".json" || speaks_of_attention(path);
}

AttentionDump read_attention_dump(const fs::path& path, Progress& progress) {
  const DumpFile file = read_dump_file(path, progress);
  std::vector<LayerMaps> found = find_layers(file);
  sort_layers(file, found);
  const Stacks stacks = count_stacks(file, found);
  const Lengths lengths = check_sides(file, found, stacks.is_whole());
  AttentionDump dump;
  const std::vector<std::string>* tokens = find_texts(file, {"key_tokens", "right_text", "tokens", "left_text"});
  const std::vector<std::string>* decoder_tokens = find_texts(file, {"decoder.tokens", "query_tokens", "decoder_tokens", "left_text"});
  std::optional<std::vector<std::string>> beside;
  if (tokens == nullptr && (beside = find_token_file(path))) tokens = &*beside;
  dump.model = make_model(path, found, stacks, tokens != nullptr ? scheme_of(*tokens) : LabelScheme::plain);
  const auto encode = [&](const std::vector<std::string>* texts, std::int64_t length, const std::string& what) {
    auto encoding = std::make_shared<Encoding>(*make_encoding(texts, length, what, dump.notices));
    write_text(*encoding, *dump.model->tokenizer);
    return encoding;
  };
  dump.encoding = encode(tokens, lengths.text, "");
  if (lengths.decoder > 0) {
    // Queries fewer than keys and without names of their own: the last tokens, as a model that goes on writing has them.
    std::vector<std::string> last;
    if (decoder_tokens == nullptr && !stacks.is_whole() && tokens != nullptr && std::ssize(*tokens) == lengths.text &&
        lengths.decoder < lengths.text) {
      last.assign(tokens->end() - static_cast<std::ptrdiff_t>(lengths.decoder), tokens->end());
      decoder_tokens = &last;
      dump.notices.push_back(fmt::format("{} queries, {} keys: the queries are taken for the last tokens.", lengths.decoder, lengths.text));
    }
    dump.decoder_encoding = encode(decoder_tokens, lengths.decoder, "query ");
  }
  for (const LayerMaps& layer : found) {
    progress.step(static_cast<double>(dump.layers.size()) / static_cast<double>(found.size()), "reading maps");
    dump.layers.push_back(make_layer(layer));
  }
  note_numbers(found, stacks.is_whole(), dump.notices);
  note_sums(dump, dump.notices);
  return dump;
}

}  // namespace headlight
