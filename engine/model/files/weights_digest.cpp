#include "engine/model/files/weights_digest.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "engine/formats/digest.h"
#include "engine/formats/file_names.h"
#include "engine/formats/gguf/gguf.h"
#include "engine/model/files/weight_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPiece = 1 << 20;

/// What is read of one tensor, and how far all of them have come.
class TensorDigest {
 public:
  TensorDigest(Progress& progress, std::uint64_t bytes) : progress_(progress), bytes_(bytes) {}

  void add(const FileReader& reader, const TensorInfo& tensor, const std::string& name) {
    const std::string line = fmt::format("{} {} {}\n", name, tensor.dtype_name, fmt::join(tensor.shape, "x"));
    sha_.add(std::as_bytes(std::span(line)));
    std::vector<std::byte> piece;
    for (std::uint64_t at = tensor.begin; at < tensor.end; at += piece.size()) {
      progress_.step(bytes_ > 0 ? static_cast<double>(done_) / static_cast<double>(bytes_) : 0, "checking the weights");
      piece.resize(static_cast<std::size_t>(std::min(kPiece, tensor.end - at)));
      reader.read(at, piece);
      sha_.add(piece);
      done_ += piece.size();
    }
  }
  std::string hex() { return sha_.hex(); }

 private:
  Progress& progress_;
  std::uint64_t bytes_, done_ = 0;
  Digest sha_ = Digest::sha256();
};

std::string digest_of_gguf(const fs::path& path, Progress& progress) {
  const GgufFile file(path);
  std::map<std::string_view, const TensorInfo*> by_name;
  for (const TensorInfo& tensor : file.tensors()) by_name[tensor.name] = &tensor;
  TensorDigest digest(progress, file.bytes());
  for (const auto& [name, tensor] : by_name) digest.add(file.reader(), *tensor, std::string(name));
  return digest.hex();
}

}  // namespace

std::string weights_digest(const fs::path& model, Progress& progress) {
  if (is_gguf(model)) return digest_of_gguf(model, progress);
  const WeightFiles files(model);
  TensorDigest digest(progress, files.bytes());
  for (const auto& [name, tensor] : files.tensors()) digest.add(*tensor.reader, *tensor.info, name);
  return digest.hex();
}

WeightsStamp weights_stamp(const fs::path& model) {
  WeightsStamp stamp;
  std::error_code failure;
  const auto add = [&](const fs::path& path) {
    const std::uintmax_t size = fs::file_size(path, failure);
    if (failure) return;
    const fs::file_time_type time = fs::last_write_time(path, failure);
    if (!failure) stamp.files.push_back({path, size, time});
  };
  if (model.extension() == ".gguf") add(model);
  for (const std::string& name : file_names_in(model)) {
    if (name.ends_with(".safetensors")) add(model / name);
  }
  return stamp;
}

}  // namespace headlight
