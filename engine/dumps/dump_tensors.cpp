#include "engine/dumps/dump_tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/dumps/dump_json.h"
#include "engine/dumps/dump_steps.h"
#include "engine/dumps/dump_whole_text.h"
#include "engine/dumps/token_lists.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/formats/tensors/npy.h"
#include "engine/formats/tensors/npy_header.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/formats/zip_file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestDumpFile = std::uint64_t{4} << 30U;
constexpr std::uint64_t kLargestJsonDump = std::uint64_t{256} << 20U;
constexpr std::size_t kFewestDimensions = 3;

/// Whether a name speaks of attention weights: "attention.0", "attn_weights", "cross.attention.3", but not "attention_scores".
bool is_map_name(const std::string& name) {
  const std::string text = lower_case(name);
  const bool speaks = text.find("attention") != std::string::npos || text.find("attn") != std::string::npos;
  const auto holds = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  const bool is_parameter = text.ends_with(".weight") || text.ends_with(".bias") || holds("proj") || holds("norm");
  return speaks && !is_parameter && !holds("score") && !holds("mask");
}

/// The name without the number of a layer or of a text: "mask" of "mask.3", "tokens" of "tokens.2".
std::string_view without_number(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const bool has_number =
      dot != std::string_view::npos && dot + 1 < name.size() && name.find_first_not_of("0123456789", dot + 1) == std::string_view::npos;
  return has_number ? name.substr(0, dot) : name;
}

/// Of padding: which keys are tokens of the text. It says nothing of queries.
void note_unread_mask(const std::string& name, DumpFile& into) {
  if (without_number(name) == "attention_mask") into.unread_mask = name;
}

/// "mask", "mask.3", "encoder.mask.0".
bool is_mask_name(const std::string& name) {
  const std::string_view text = without_number(name);
  return text == "mask" || text.ends_with(".mask");
}

/// Metadata that holds a mask text: "headlight.mask", "headlight.mask.encoder".
bool is_mask_text_name(const std::string& name) {
  return name == "headlight.mask" || name.starts_with("headlight.mask.");
}

/// Marks which of the named arrays are read: those whose names say so, else all with three or more dimensions.
struct Candidate {
  std::string name;
  std::size_t rank = 0;
};
std::vector<bool> choose_maps(const std::vector<Candidate>& candidates) {
  const bool has_names = std::any_of(candidates.begin(), candidates.end(),
                                     [](const Candidate& candidate) { return is_map_name(candidate.name) && candidate.rank >= 2; });
  std::vector<bool> is_chosen;
  for (const Candidate& candidate : candidates) {
    const bool is_deep = candidate.rank >= kFewestDimensions && !is_mask_name(candidate.name);
    is_chosen.push_back(has_names ? is_map_name(candidate.name) && candidate.rank >= 2 : is_deep);
  }
  return is_chosen;
}

/// Whether a field whose name speaks of attention holds lists of lists of numbers: configurations have "attention_types": [[["global"… and
/// "attention_window": [512, …
bool names_maps(std::string_view json) {
  constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t open = json.find('"'); open != std::string_view::npos;) {
    const std::size_t close = json.find('"', open + 1);
    if (close == std::string_view::npos) return false;
    const std::string name(json.substr(open + 1, close - open - 1));
    std::size_t at = json.find_first_not_of(kBlanks, close + 1);
    const bool is_field = at != std::string_view::npos && json[at] == ':';
    if (is_field) at = json.find_first_not_of(kBlanks, at + 1);
    int lists = 0;
    for (; is_field && at != std::string_view::npos && json[at] == '['; ++lists) at = json.find_first_not_of(kBlanks, at + 1);
    const bool holds_numbers = at != std::string_view::npos && std::string_view("-0123456789NI").find(json[at]) != std::string_view::npos;
    if (lists >= 2 && holds_numbers && is_map_name(name)) return true;
    open = json.find('"', close + 1);
  }
  return false;
}

/// Tokens written as JSON text. False where it is something else.
bool read_json_texts(const std::string& json, const std::string& name, DumpFile& into) {
  if (json.find('[') == std::string::npos) return false;
  std::optional<std::vector<DumpTexts>> lists = token_lists(*parse_json(json, into.file, {.field = name}), name);
  if (lists) std::move(lists->begin(), lists->end(), std::back_inserter(into.texts));
  return lists.has_value();
}

bool is_token_name(std::string_view name) {
  name = without_number(name);
  return name.ends_with("tokens") || name.ends_with("left_text") || name.ends_with("right_text");
}

void read_safetensors_dump(const fs::path& path, DumpFile& into, Progress& progress) {
  const SafetensorsFile file(path);
  into.is_of_attend = file.metadata().contains("attend");
  for (const auto& [name, value] : file.metadata()) {
    if (is_mask_text_name(name)) into.mask_texts[name] = value;
    if (is_whole_text_name(name)) take_whole_text(name, value, TextForm::perhaps_json, into);
    if (!is_token_name(name)) continue;
    if (read_json_texts(value, name, into)) continue;
    into.unread_texts.push_back(fmt::format("{} is {}", printable(name), in_quotes(value)));
  }
  std::vector<Candidate> candidates;
  for (const TensorInfo& tensor : file.tensors()) candidates.push_back({tensor.name, tensor.shape.size()});
  const std::vector<bool> is_chosen = choose_maps(candidates);
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    progress.step(static_cast<double>(at) / static_cast<double>(candidates.size()), "reading maps");
    const TensorInfo& tensor = file.tensors()[at];
    const bool is_mask = is_mask_name(tensor.name);
    note_unread_mask(tensor.name, into);
    if (!is_chosen[at] && !is_mask) continue;
    (is_mask ? into.masks : into.tensors).push_back({tensor.name, tensor.shape, file.read_floats(tensor, progress).values, tensor.dtype});
  }
}

/// "<f2": float16; NumPy has no bfloat16.
DType type_of(const NpyArray& array) {
  const std::string& dtype = array.dtype();
  if (dtype.ends_with("f2")) return DType::f16;
  if (dtype.find('f') != std::string::npos) return DType::f32;
  return dtype.find('b') != std::string::npos ? DType::boolean : DType::i64;
}

DumpTensor tensor_of(std::string name, const NpyArray& array, const Watch& watch) {
  DumpTensor tensor{std::move(name), {}, array.floats(watch), type_of(array)};
  // Each side is at most the number of elements, unless there are no elements: it fits.
  for (const std::uint64_t side : array.shape()) tensor.shape.push_back(static_cast<std::int64_t>(side));
  return tensor;
}

void read_npz_member_texts(const std::string& bytes, const std::string& name, DumpFile& into) {
  std::vector<std::vector<std::string>> rows = read_npy_text_rows(bytes, into.file + ", " + name);
  if (rows.size() == 1) {
    std::vector<std::string>& texts = rows.front();
    const bool is_json = texts.size() == 1 && read_json_texts(texts.front(), name, into);  // as `headlight trace` writes it
    if (!is_json) into.texts.push_back({name, std::move(texts)});
    return;
  }
  for (std::size_t row = 0; row < rows.size(); ++row) into.texts.push_back({fmt::format("{}.{}", name, row), std::move(rows[row])});
}

/// A text, or offsets as JSON or as an array of numbers.
void take_npz_whole_text(const std::string& bytes, const std::string& name, DumpFile& into) {
  try {
    const std::vector<std::string> texts = read_npy_texts(bytes, into.file + ", " + name);
    if (texts.size() == 1) take_whole_text(name, texts.front(), TextForm::perhaps_json, into);
  } catch (const Error&) {  // no texts
    take_offsets(tensor_of(name, NpyArray(bytes, into.file + ", " + name), {}), into);
  }
}

/// Members that are not arrays of numbers: tokens, mask texts, and what `headlight attend` says of itself. False for all others.
bool read_npz_text(const ZipFile& zip, const ZipMember& member, const std::string& name, DumpFile& into) {
  if (is_token_name(name)) {
    read_npz_member_texts(zip.read(member), name, into);
  } else if (is_mask_text_name(name)) {
    const std::vector<std::string> texts = read_npy_texts(zip.read(member), into.file + ", " + name);
    if (!texts.empty()) into.mask_texts[name] = texts.front();
  } else if (is_whole_text_name(name)) {
    take_npz_whole_text(zip.read(member), name, into);
  } else if (name == "attend") {
    into.is_of_attend = true;
  } else {
    return false;
  }
  return true;
}

[[noreturn]] void refuse_without_arrays(const ZipFile& zip, const std::string& file) {
  const auto is_pickle = [](const ZipMember& member) { return member.name.ends_with("data.pkl"); };
  const bool is_of_torch = std::any_of(zip.members().begin(), zip.members().end(), is_pickle);
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .problem = is_of_torch ? "is a file of PyTorch, a pickle that can run any program, and is not read" : "holds no arrays",
               .found = zip.members().empty() ? "no members"
                                              : fmt::format("{} member{}, the first is {}", zip.members().size(),
                                                            zip.members().size() == 1 ? "" : "s", printable(zip.members().front().name)),
               .expected = "members that end in .npy",
               .hint = is_of_torch ? "In Python: safetensors.torch.save_file({\"attention\": maps}, \"maps.safetensors\")" : ""});
}

void read_npz_dump(const fs::path& path, DumpFile& into, Progress& progress) {
  const ZipFile zip(path);
  std::vector<Candidate> candidates;
  std::vector<const ZipMember*> arrays;
  for (const ZipMember& member : zip.members()) {
    if (!member.name.ends_with(".npy")) continue;
    const std::string name = member.name.substr(0, member.name.size() - 4);
    if (read_npz_text(zip, member, name, into)) continue;
    candidates.push_back({name, kFewestDimensions});  // the shape is known only when it is unpacked
    arrays.push_back(&member);
  }
  if (arrays.empty()) refuse_without_arrays(zip, into.file);
  const std::vector<bool> is_chosen = choose_maps(candidates);
  const bool has_names = std::find(is_chosen.begin(), is_chosen.end(), false) != is_chosen.end();
  for (std::size_t at = 0; at < arrays.size(); ++at) {
    progress.step(static_cast<double>(at) / static_cast<double>(arrays.size()), "reading maps");
    const bool is_mask = is_mask_name(candidates[at].name);
    note_unread_mask(candidates[at].name, into);
    if (!is_chosen[at] && !is_mask) continue;
    const std::string bytes = zip.read(*arrays[at], progress);
    const NpyArray array(bytes, fmt::format("{}, {}", into.file, printable(arrays[at]->name)));
    if (is_mask) {
      into.masks.push_back(tensor_of(candidates[at].name, array, progress));
      continue;
    }
    const bool is_map = has_names || arrays.size() == 1 || array.shape().size() >= kFewestDimensions;
    if (is_map) into.tensors.push_back(tensor_of(candidates[at].name, array, progress));
  }
}

void read_json_dump(const fs::path& path, DumpFile& into, const Watch& watch) {
  DumpFile all;
  all.file = into.file;
  read_dump_json(read_file(path, kLargestJsonDump, watch), all, watch);
  std::vector<Candidate> candidates;
  for (const DumpTensor& tensor : all.tensors) candidates.push_back({tensor.name, tensor.shape.size()});
  const std::vector<bool> is_chosen = choose_maps(candidates);
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    note_unread_mask(candidates[at].name, into);
    if (is_mask_name(candidates[at].name)) {
      into.masks.push_back(std::move(all.tensors[at]));
    } else if (is_chosen[at]) {
      into.tensors.push_back(std::move(all.tensors[at]));
    }
  }
  for (const DumpTensor& tensor : all.tensors) {
    if (is_whole_text_name(tensor.name)) take_offsets(tensor, into);
  }
  for (DumpTexts& texts : all.texts) {
    if (is_token_name(texts.name)) into.texts.push_back(std::move(texts));
  }
  for (const auto& [prefix, text] : all.whole_texts) {
    into.whole_texts[prefix].text = text.text;
    into.whole_texts[prefix].pair = text.pair;
    if (!text.are_special.empty()) into.whole_texts[prefix].are_special = text.are_special;
  }
  into.unread_texts = std::move(all.unread_texts);
  into.mask_texts = std::move(all.mask_texts);
}

constexpr const char* kMaps = "attention maps";

/// Weights have arrays of all ranks, and names that end in .weight and .bias.
bool holds_maps(const SafetensorsFile& file) {
  const auto is_named = [](const TensorInfo& tensor) { return is_map_name(tensor.name) && tensor.shape.size() >= 2; };
  const auto is_deep = [](const TensorInfo& tensor) { return tensor.shape.size() >= kFewestDimensions; };
  const std::vector<TensorInfo>& tensors = file.tensors();
  if (std::any_of(tensors.begin(), tensors.end(), is_named)) return true;
  return !tensors.empty() && std::all_of(tensors.begin(), tensors.end(), is_deep);
}

std::string describe_npy(const fs::path& path) {
  constexpr std::uint64_t kHeader = 64 << 10;
  const NpyHeader header = read_npy_header(read_beginning(path, kHeader), {});
  if (header.shape.size() < 2) return {};
  return fmt::format("array of {}", fmt::join(header.shape, " × "));
}

std::string describe_npz(const fs::path& path) {
  const ZipFile zip(path);
  const auto is_array = [](const ZipMember& member) { return member.name.ends_with(".npy"); };
  const auto is_map = [&](const ZipMember& member) { return is_array(member) && is_map_name(member.name); };
  if (std::any_of(zip.members().begin(), zip.members().end(), is_map)) return kMaps;
  return std::any_of(zip.members().begin(), zip.members().end(), is_array) ? "arrays" : "";
}

/// A list of strings names tokens, and holds no maps.
bool lists_texts(const fs::path& path) {
  const std::string first = read_beginning(path, 256);
  const std::size_t begin = first.find_first_not_of(" \t\r\n[");
  return first.find('[') < begin && begin != std::string::npos && first[begin] == '"';
}

}  // namespace

std::string describe_dump_file(const fs::path& path) {
  const std::string ending = ending_of(path);
  try {
    if (ending == ".safetensors") return holds_maps(SafetensorsFile(path)) ? kMaps : "";
    if (ending == ".npy") return describe_npy(path);
    if (ending == ".npz") return describe_npz(path);
    if (ending == ".json") return speaks_of_attention(path) && !lists_texts(path) ? kMaps : "";
  } catch (const Error&) {
    return {};  // said when it is opened
  }
  return {};
}

bool speaks_of_attention(const fs::path& path) {
  constexpr std::uint64_t kLookedAt = 4096;
  try {
    const std::string first = read_beginning(path, kLookedAt);
    const std::size_t begin = first.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) return false;
    const auto has_field = [&](const char* name) { return first.find(fmt::format("\"{}\"", name)) != std::string::npos; };
    return first[begin] == '[' || has_field("attention") || has_field("attentions") || has_field("attn") || names_maps(first);
  } catch (const Error&) {
    return false;
  }
}

bool is_dump_name(const fs::path& path) {
  const std::string ending = ending_of(path);
  return ending == ".safetensors" || ending == ".npy" || ending == ".npz" || ending == ".json";
}

DumpFile read_dump_file(const fs::path& path, Progress& progress) {
  DumpFile dump;
  dump.file = printable(path.string(), 4096);
  progress.step(0, "reading maps");
  const std::uint64_t size = FileReader(path).size();
  if (size > kLargestDumpFile) {
    throw Error({.kind = ErrorKind::limit,
                 .file = dump.file,
                 .problem = "is too large for a file of attention maps",
                 .found = fmt::format("{} bytes", size),
                 .expected = fmt::format("at most {} bytes", kLargestDumpFile)});
  }
  const std::string ending = ending_of(path);
  if (ending == ".npy") {
    const std::string bytes = read_file(path, kLargestDumpFile, progress);
    dump.tensors.push_back(tensor_of({}, NpyArray(bytes, dump.file), progress));
  } else if (ending == ".npz") {
    read_npz_dump(path, dump, progress);
  } else if (ending == ".json") {
    read_json_dump(path, dump, progress);
  } else {
    read_safetensors_dump(path, dump, progress);
  }
  join_steps(dump, progress);
  return dump;
}

}  // namespace headlight
