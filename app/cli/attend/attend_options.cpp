#include "app/cli/attend/attend_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/cli/options/options.h"

namespace headlight {
namespace {

constexpr std::string_view kKeyPrefix = "headlight.";

template <typename Number>
bool read_number(const std::string& text, Number lowest, Number highest, Number& into) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size() || !(number >= lowest && number <= highest)) return false;
  into = number;
  return true;
}

template <typename Value, std::size_t count>
bool read_name(const std::string& text, const std::array<std::pair<std::string_view, Value>, count>& names, Value& into) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.first == text; });
  if (found == names.end()) return false;
  into = found->second;
  return true;
}

constexpr std::array<std::pair<std::string_view, TensorLayout>, 2> kLayouts = {
    {{"batch-first", TensorLayout::batch_first}, {"sequence-first", TensorLayout::sequence_first}}};
constexpr std::array<std::pair<std::string_view, MaskMeaning>, 4> kMeanings = {{{"auto", MaskMeaning::automatic},
                                                                                {"allow", MaskMeaning::allow},
                                                                                {"forbid", MaskMeaning::forbid},
                                                                                {"additive", MaskMeaning::additive}}};
constexpr std::array<std::pair<std::string_view, ScoreStage>, 4> kStages = {
    {{"scaled", ScoreStage::scaled}, {"capped", ScoreStage::capped}, {"masked", ScoreStage::masked}, {"weights", ScoreStage::weights}}};
constexpr std::array<std::pair<std::string_view, SoftmaxPrecision>, 3> kPrecisions = {
    {{"float32", SoftmaxPrecision::float32}, {"float16", SoftmaxPrecision::float16}, {"bfloat16", SoftmaxPrecision::bfloat16}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kSwitch = {{{"on", true}, {"off", false}}};
constexpr std::array<std::string_view, 5> kAttendParts = {"scores", "q", "k", "v", "z"};

constexpr float kLargestFactor = 1e30F;
constexpr int kMostHeads = 1'000'000;

bool read_count(const std::string& text, std::optional<int>& into) {
  return read_number(text, 1, kMostHeads, into.emplace());
}

bool read_score(const std::string& text, ScoreKind& into) {
  for (const ScoreFunction& function : score_functions()) {
    if (function.name != text) continue;
    into = function.kind;
    return true;
  }
  return false;
}

bool read_include(const std::string& text, std::set<std::string, std::less<>>& into) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    if (std::find(kAttendParts.begin(), kAttendParts.end(), name) == kAttendParts.end()) return false;
    into.insert(name);
    begin = end + 1;
  }
  return true;
}

/// One choice: its name in metadata, its type and help as an option, and how its text is read.
struct Choice {
  std::string_view name;
  const char* type;
  const char* help;
  const char* expected;
  bool (*read)(AttendChoices& choices, const std::string& text);
};

constexpr std::array<Choice, 18> kChoices = {{
    {"heads", "N", "Heads to split into; needed unless the tensors are split already", "a whole number from 1",
     [](AttendChoices& choices, const std::string& text) { return read_count(text, choices.attention.heads); }},
    {"kv_heads", "N", "Key/value heads that groups of heads share (default: as many as heads)", "a whole number from 1",
     [](AttendChoices& choices, const std::string& text) { return read_count(text, choices.attention.kv_heads); }},
    {"score", "NAME", "Score function: dot, cosine, additive, relative", "dot, cosine, additive or relative",
     [](AttendChoices& choices, const std::string& text) { return read_score(text, choices.attention.score); }},
    {"scale", "X", "Factor of the scores (default: 1/sqrt(d_head), and 1 for cosine and additive); off: 1", "a number, or off",
     [](AttendChoices& choices, const std::string& text) {
       return read_number(text == "off" ? "1" : text, -kLargestFactor, kLargestFactor, choices.attention.scale.emplace());
     }},
    {"softcap", "X", "Soft-cap c: scores become c * tanh(score / c); 0: none", "0 or a positive number",
     [](AttendChoices& choices, const std::string& text) { return read_number(text, 0.0F, kLargestFactor, choices.attention.softcap); }},
    {"sink", "X", "Score of a sink, which takes its share of every row and has no value; the tensor sinks has one for each head",
     "a number",
     [](AttendChoices& choices, const std::string& text) {
       return read_number(text, -kLargestFactor, kLargestFactor, choices.attention.sink.emplace());
     }},
    {"softmax_precision", "NAME", "Type that scores are rounded to before the softmax and weights after it: float32, float16, bfloat16",
     "float32, float16 or bfloat16",
     [](AttendChoices& choices, const std::string& text) { return read_name(text, kPrecisions, choices.attention.softmax_precision); }},
    {"mask", "TEXT",
     "Mask text besides the file's mask: causal, window:8, left:2, right:1, prefix:5, padding:6,\nblocks:4, no-self or a comparison of q, "
     "k and n (the number of keys)",
     "a mask text",
     [](AttendChoices& choices, const std::string& text) {
       choices.attention.mask_text = text;
       return !text.empty();
     }},
    {"offset", "N", "Position of the first query among the keys, for --mask (default: the length of past_key)", "a whole number",
     [](AttendChoices& choices, const std::string& text) {
       return read_number<Index>(text, -kMostHeads, kMostHeads, choices.attention.first_position.emplace());
     }},
    {"layout", "NAME", "Order of axes: batch-first [batch, tokens, width], sequence-first [tokens, batch, width]",
     "batch-first or sequence-first",
     [](AttendChoices& choices, const std::string& text) { return read_name(text, kLayouts, choices.attention.layout); }},
    {"mask_meaning", "NAME",
     "What 1 means in the file's mask: allow, forbid, or additive (added to the scores; -inf forbids);\nauto: additive for floats, else "
     "allow",
     "auto, allow, forbid or additive",
     [](AttendChoices& choices, const std::string& text) { return read_name(text, kMeanings, choices.attention.mask_meaning); }},
    {"bias", "on|off", "Use q.bias, k.bias, v.bias and o.bias", "on or off",
     [](AttendChoices& choices, const std::string& text) { return read_name(text, kSwitch, choices.attention.has_bias); }},
    {"output_projection", "on|off", "Use o.weight and o.bias; off: the output is the joined heads", "on or off",
     [](AttendChoices& choices, const std::string& text) { return read_name(text, kSwitch, choices.attention.has_output_projection); }},
    {"include", "NAME,...", "More tensors to write: scores, q, k, v, z (joined heads)", "scores, q, k, v, z, separated by commas",
     [](AttendChoices& choices, const std::string& text) { return read_include(text, choices.include); }},
    {"stage", "NAME",
     "Where --include scores takes them: scaled, capped (after the soft-cap),\nmasked (after biases and mask, -inf where forbidden), "
     "weights",
     "scaled, capped, masked or weights",
     [](AttendChoices& choices, const std::string& text) { return read_name(text, kStages, choices.attention.stage.emplace()); }},
    {"atol", "X",
     "How far numbers of the file's own attention, output, scores and z may be from ours (default: 1e-4); beyond it the exit\nstatus is 7",
     "a number from 0",
     [](AttendChoices& choices, const std::string& text) { return read_number(text, 0.0F, kLargestFactor, choices.tolerance); }},
    {"dropout", "P", "Dropout of your layer: accepted and not applied, as in inference", "a number from 0 to less than 1",
     [](AttendChoices& choices, const std::string& text) { return read_number(text, 0.0F, 0.999999F, choices.dropout); }},
    {"only_project", "on|off", "Stop after the projections: write q, k, v as [..., heads, d_head]; inputs may be [batch, width]",
     "on or off", [](AttendChoices& choices, const std::string& text) { return read_name(text, kSwitch, choices.only_projects); }},
}};

/// "kv_heads" as an option: --kv-heads, and as it is spelt in metadata.
std::string option_names(std::string_view name) {
  std::string hyphened(name);
  std::replace(hyphened.begin(), hyphened.end(), '_', '-');
  const std::string plain = fmt::format("--{}", name), option = "--" + hyphened;
  return option == plain ? option : option + "," + plain;
}

/// "--kv-heads"
std::string typed_name(std::string_view name) {
  const std::string names = option_names(name);
  return names.substr(0, names.find(','));
}

const Choice* find_choice(std::string_view name) {
  const auto* found = std::find_if(kChoices.begin(), kChoices.end(), [&](const Choice& choice) { return choice.name == name; });
  return found == kChoices.end() ? nullptr : found;
}

[[noreturn]] void refuse_metadata(const SafetensorsFile& source, const std::string& key, const std::string& problem,
                                  const std::string& found, const std::string& expected) {
  throw Error({.kind = ErrorKind::input,
               .file = source.name(),
               .field = "metadata " + printable(key, 80),
               .problem = problem,
               .found = found,
               .expected = expected});
}

/// The choice that a key of the metadata names, if any. Keys of other programs are ignored.
const Choice* choice_of_key(const SafetensorsFile& source, const std::string& key) {
  if (!key.starts_with(kKeyPrefix)) return find_choice(key);
  const Choice* choice = find_choice(std::string_view(key).substr(kKeyPrefix.size()));
  if (choice != nullptr) return choice;
  std::vector<std::string_view> names;
  names.reserve(kChoices.size());
  for (const Choice& each : kChoices) names.push_back(each.name);
  refuse_metadata(source, key, "there is no such choice", "", fmt::format("after \"{}\" one of {}", kKeyPrefix, fmt::join(names, ", ")));
}

}  // namespace

AttendOptions::AttendOptions(CLI::App& command) {
  command.add_option("file", file, "The tensors: .safetensors")->type_name("FILE");
  command.add_option("-o,--output", output, "The file to write: .safetensors or .npz")->type_name("FILE");
  for (const Choice& choice : kChoices) {
    const auto keep = [this, name = std::string(choice.name)](const std::string& text) { flags_[name] = text; };
    command.add_option_function<std::string>(option_names(choice.name), keep, choice.help)->type_name(choice.type)->group("Attention");
  }
  command.add_option("--write-example", example, "Write a file to start from: the toy run of Dive into Deep Learning, section 10.3")
      ->type_name("FILE");
  command.add_option("--threads", threads, "Threads to compute with; 0: one per core")
      ->check(CLI::Range(0, 1024).description(""))
      ->type_name("N");
}

AttendChoices AttendOptions::choices(const SafetensorsFile& source) const {
  AttendChoices choices;
  for (const auto& [key, text] : source.metadata()) {
    const Choice* choice = choice_of_key(source, key);
    if (choice == nullptr || flags_.contains(choice->name) || choice->read(choices, text)) continue;
    refuse_metadata(source, key, "this cannot be read", "\"" + printable(text, 60) + "\"", choice->expected);
  }
  for (const auto& [name, text] : flags_) {
    const Choice& choice = *find_choice(name);
    if (choice.read(choices, text)) continue;
    refuse_option(typed_name(name), "this cannot be read", "\"" + printable(text, 60) + "\"", choice.expected);
  }
  TensorAttentionOptions& attention = choices.attention;
  if (attention.stage) choices.include.insert("scores");
  if (choices.include.contains("scores") && !attention.stage) attention.stage = ScoreStage::scaled;
  attention.keeps_parts = choices.include.size() > choices.include.count("scores");
  return choices;
}

Error AttendOptions::placed(const Error& error, const SafetensorsFile& source) const {
  ErrorDetail detail = error.detail();
  if (!detail.file.empty()) return error;
  const auto has_key = [&](const std::string& name) {
    return source.metadata().contains(name) || source.metadata().contains(std::string(kKeyPrefix) + name);
  };
  const std::string name = detail.field.starts_with("mask") ? "mask" : detail.field;
  if (detail.kind == ErrorKind::usage && !flags_.contains(name) && has_key(name)) {
    detail.kind = ErrorKind::input;
    detail.field = "metadata " + detail.field;
  }
  if (detail.kind != ErrorKind::usage) detail.file = source.name();
  if (detail.kind == ErrorKind::usage && find_choice(detail.field)) detail.field = typed_name(detail.field);
  return Error(detail);
}

}  // namespace headlight
