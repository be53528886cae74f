#include "app/recipe/model_digest.h"

#include <algorithm>
#include <vector>

#include "app/recipe/kept_digests.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/digest.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/model_places.h"
#include "engine/model/files/weights_digest.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string digest_of_file(const fs::path& path, Progress& progress) {
  constexpr std::uint64_t kPiece = 1 << 20;
  const FileReader reader(path);
  Digest sha = Digest::sha256();
  std::vector<std::byte> piece;
  for (std::uint64_t at = 0; at < reader.size(); at += piece.size()) {
    progress.step(static_cast<double>(at) / static_cast<double>(reader.size()), "checking the maps");
    piece.resize(static_cast<std::size_t>(std::min(kPiece, reader.size() - at)));
    reader.read(at, piece);
    sha.add(piece);
  }
  return sha.hex();
}

}  // namespace

std::string digest_of_model(const ModelChoice& model, const fs::path& kept_in, Progress& progress) {
  if (model.name == "sandbox") return {};
  const fs::path place = model_path(model.name);
  if (names_attention_dump(model.name)) return digest_of_file(place, progress);
  const WeightsStamp stamp = weights_stamp(place);
  std::string digest = find_kept_digest(kept_in, stamp);
  if (!digest.empty()) return digest;
  digest = weights_digest(place, progress);
  if (weights_stamp(place) == stamp) keep_digest(kept_in, {stamp, digest});  // nobody wrote them meanwhile
  return digest;
}

std::string portable_name(const std::string& name) {
  const std::string lasting = lasting_name(name);
  return fs::path(lasting).is_absolute() ? short_model_name(lasting) : lasting;
}

}  // namespace headlight
