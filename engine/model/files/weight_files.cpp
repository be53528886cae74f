#include "engine/model/files/weight_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/core/error.h"
#include "engine/formats/file_names.h"
#include "engine/formats/json.h"
#include "engine/model/files/foreign_weights.h"

namespace headlight {
namespace {

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr std::uint64_t kLargestIndex = 100'000'000;
constexpr std::size_t kMostShards = 500;  // each is an open file

/// Letters, digits, dot, hyphen and underscore, as the hub's own names are: no folder, drive, device or URL can be written with these.
bool is_plain_file_name(std::string_view name) {
  const auto is_plain = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '-' ||
           letter == '_' || letter == '.';
  };
  return name.size() <= 255 && !name.starts_with('.') && name.ends_with(".safetensors") && std::all_of(name.begin(), name.end(), is_plain);
}

std::map<std::string, std::string> read_weight_map(const JsonFields& index) {
  index.object("weight_map");  // refuses anything but an object
  std::map<std::string, std::string> shard_of;
  for (const auto& [tensor, shard] : index.at("weight_map").items()) {
    const std::string field = index.path_of("weight_map") + "." + tensor;
    if (!shard.is_string()) {
      throw Error({.kind = ErrorKind::input,
                   .file = index.file(),
                   .field = field,
                   .problem = "no file name",
                   .found = describe(shard),
                   .expected = "a string"});
    }
    auto name = shard.get<std::string>();
    if (!is_plain_file_name(name)) {
      throw Error({.kind = ErrorKind::input,
                   .file = index.file(),
                   .field = field,
                   .problem = "not the name of a file beside the index",
                   .found = fmt::format("\"{}\"", printable(name)),
                   .expected = "a name such as model-00001-of-00002.safetensors"});
    }
    shard_of[tensor] = std::move(name);
  }
  return shard_of;
}

/// total_size, as those who save shards write it: the bytes of all tensors, without the headers of their files.
void note_total_size(const JsonFields& index, std::uint64_t bytes, std::vector<std::string>& notices) {
  if (!index.has("metadata") || !index.at("metadata").is_object()) return;
  const Json& metadata = index.at("metadata");
  const auto total = metadata.find("total_size");
  if (total == metadata.end()) return;
  const bool is_whole = total->is_number_float() && total->get<double>() == static_cast<double>(bytes);  // some write 1024.0
  if (is_whole || (total->is_number_unsigned() && total->get<std::uint64_t>() == bytes)) return;
  if (!total->is_number_unsigned()) {
    notices.push_back(fmt::format("{}: metadata.total_size is not a size: {}.", index.file(), describe(*total)));
    return;
  }
  notices.push_back(
      fmt::format("{}: metadata.total_size is {}, but the tensors of the listed files add up to {} bytes: the index or a file may "
                  "be of another version.",
                  index.file(), total->get<std::uint64_t>(), bytes));
}

[[noreturn]] void refuse_folder_without_weights(const std::filesystem::path& folder) {
  if (const std::optional<ForeignFile> foreign = find_foreign_weights(file_names_in(folder))) {
    throw Error({.kind = ErrorKind::input,
                 .file = (folder / foreign->name).string(),
                 .problem = "weights in this format are not opened",
                 .found = std::string(foreign->form->what),
                 .expected = fmt::format("{} or {}", kSingle, kIndex),
                 .hint = std::string(foreign->form->way)});
  }
  const std::vector<std::string> names = file_names_in(folder);
  throw Error({.kind = ErrorKind::input,
               .file = (folder / kSingle).string(),
               .problem = "there are no weights in this folder",
               .found = names.empty() ? "no files" : name_list(names),
               .expected = fmt::format("{} or {}", kSingle, kIndex)});
}

/// Adds the index's name to any error about a file that it lists.
std::unique_ptr<const SafetensorsFile> open_shard(const std::filesystem::path& path, const std::string& index) {
  try {
    return std::make_unique<const SafetensorsFile>(path);
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.hint = fmt::format("The file is listed in {}.{}{}", index, detail.hint.empty() ? "" : " ", detail.hint);
    throw Error(detail);
  }
}

using StoredTensors = std::map<std::string, StoredTensor, std::less<>>;

bool all_begin_with(const StoredTensors& tensors, const std::string& beginning) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const auto& tensor) { return tensor.first.starts_with(beginning); });
}

/// PyTorch's parallel modules, its compiler, and PEFT put the model inside a module of their own, some inside one another.
std::string find_wrapper(const StoredTensors& tensors) {
  constexpr std::array<std::string_view, 3> kWrappers = {"module.", "_orig_mod.", "base_model.model."};
  constexpr int kDeepest = 4;
  std::string wrapper;
  for (int depth = 0; depth < kDeepest; ++depth) {
    const auto next = std::find_if(kWrappers.begin(), kWrappers.end(),
                                   [&](std::string_view each) { return all_begin_with(tensors, wrapper + std::string(each)); });
    if (next == kWrappers.end()) break;
    wrapper += *next;
  }
  return wrapper;
}

}  // namespace

bool have_same_numbers(const StoredTensor& a, const StoredTensor& b) {
  const std::uint64_t size = a.info->end - a.info->begin;
  if (a.info->dtype != b.info->dtype || a.info->shape != b.info->shape || size != b.info->end - b.info->begin) return false;
  constexpr std::uint64_t kBlock = 1 << 20;
  std::vector<std::byte> of_a(std::min(size, kBlock)), of_b(of_a.size());
  for (std::uint64_t begin = 0; begin < size; begin += kBlock) {
    const std::uint64_t count = std::min(size - begin, kBlock);
    a.reader->read(a.info->begin + begin, {of_a.data(), count});
    b.reader->read(b.info->begin + begin, {of_b.data(), count});
    if (!std::equal(of_a.begin(), of_a.begin() + static_cast<std::ptrdiff_t>(count), of_b.begin())) return false;
  }
  return true;
}

WeightFiles::WeightFiles(const std::filesystem::path& folder) {
  std::error_code ignored;
  const bool has_single = std::filesystem::exists(folder / kSingle, ignored);
  const bool has_index = std::filesystem::exists(folder / kIndex, ignored);
  if (!has_single && !has_index) refuse_folder_without_weights(folder);
  if (has_single) {
    add_file(std::make_unique<const SafetensorsFile>(folder / kSingle));
    name_ = files_.front()->name();
    if (const std::optional<ForeignFile> other = find_foreign_weights(file_names_in(folder));
        other && other->name.starts_with("adapter_")) {
      notices_.push_back(fmt::format("{}: an adapter (LoRA), which is not applied.", printable((folder / other->name).string(), 4096)));
    }
    if (has_index) notices_.push_back(fmt::format("{} and {} are both there: {} was used.", kSingle, kIndex, kSingle));
  } else {
    open_index(folder);
  }
  if (tensors_.empty()) throw Error({.kind = ErrorKind::input, .file = name_, .problem = "the file holds no tensors"});
  wrapper_ = find_wrapper(tensors_);
}

WeightFiles::WeightFiles(std::shared_ptr<const GgufFile> file, std::vector<GgufTensor> tensors)
    : name_(file->name()), gguf_(std::move(file)), gguf_tensors_(std::move(tensors)) {
  for (const GgufTensor& tensor : gguf_tensors_) {
    tensors_.try_emplace(tensor.name, StoredTensor{&gguf_->reader(), &tensor.info, tensor.has_permuted_rows, tensor.is_transposed});
  }
}

void WeightFiles::open_index(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kIndex;
  name_ = printable(path.string(), 4096);
  const JsonTree json = parse_json(read_file(path, kLargestIndex), name_, {}, &notices_);
  const JsonFields index(*json, name_);
  open_shards(folder, read_weight_map(index));
  std::uint64_t bytes = 0;
  for (const auto& [name, stored] : tensors_) bytes += stored.info->end - stored.info->begin;
  std::vector<std::string> of_index;
  note_total_size(index, bytes, of_index);
  notices_.insert(notices_.begin(), of_index.begin(), of_index.end());  // before those of its files
}

void WeightFiles::open_shards(const std::filesystem::path& folder, const std::map<std::string, std::string>& shard_of) {
  std::set<std::string> names;
  for (const auto& [tensor, shard] : shard_of) names.insert(shard);
  if (names.size() > kMostShards) {
    throw Error({.kind = ErrorKind::limit,
                 .file = name_,
                 .field = "weight_map",
                 .problem = "too many files",
                 .found = std::to_string(names.size()),
                 .expected = fmt::format("at most {}", kMostShards)});
  }
  for (const std::string& shard : names) add_file(open_shard(folder / shard, name_));

  for (const auto& [tensor, shard] : shard_of) {
    const auto stored = tensors_.find(tensor);
    if (stored != tensors_.end() && std::filesystem::path(stored->second.reader->name()).filename() == shard) continue;
    throw Error(
        {.kind = ErrorKind::input,
         .file = name_,
         .field = "weight_map." + tensor,
         .problem = fmt::format("{} does not hold this tensor", shard),
         .found = stored == tensors_.end() ? "it in none of the listed files" : fmt::format("it in {}", stored->second.reader->name())});
  }
  for (const auto& [tensor, stored] : tensors_) {
    if (!shard_of.contains(tensor)) {
      notices_.push_back(fmt::format("{}: {} holds {}, which the index does not list.", name_, stored.reader->name(), printable(tensor)));
    }
  }
}

void WeightFiles::add_file(std::unique_ptr<const SafetensorsFile> file) {
  for (const TensorInfo& info : file->tensors()) {
    const auto [stored, is_new] = tensors_.try_emplace(info.name, StoredTensor{&file->reader(), &info});
    if (is_new) continue;
    throw Error({.kind = ErrorKind::input,
                 .file = name_,
                 .field = info.name,
                 .problem = fmt::format("the tensor is in two files, {} and {}", stored->second.reader->name(), file->name())});
  }
  notices_.insert(notices_.end(), file->warnings().begin(), file->warnings().end());
  files_.push_back(std::move(file));
}

std::uint64_t WeightFiles::bytes() const {
  std::uint64_t total = gguf_ ? gguf_->bytes() : 0;
  for (const auto& file : files_) total += file->bytes();
  return total;
}

}  // namespace headlight
