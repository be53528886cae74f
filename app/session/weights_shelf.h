// The digests of models' weights, as the window asks for them (engine/model/files/weights_digest.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/model/files/weights_digest.h"

namespace headlight {

/// Computed on the desk's thread, beside the pictures; kept until a model's files change, and for later starts where a file is named.
/// Thread contract: the UI thread only.
class WeightsShelf {
 public:
  explicit WeightsShelf(Worker& worker);
  /// The file that keeps digests for later starts (kept_digests.h); empty: none does.
  void keep_in(std::filesystem::path file) { kept_in_ = std::move(file); }
  /// The digest of the weights that a model was read from, by its name in documents; empty until it is computed, and for what has no weights
  /// in files: the sandbox, and maps of another program. The files are looked at when another model is asked for, or the same was read again.
  std::string ask(const std::string& name, const std::shared_ptr<const Model>& model);

 private:
  /// What was computed, of these files.
  struct Digest {
    WeightsStamp stamp;
    std::string hex;  ///< empty: they could not be read
  };
  struct Request {
    std::filesystem::path place, kept_in;
    WeightsStamp stamp;
    bool operator==(const Request&) const = default;
  };
  static Digest compute(const Request& request, Progress& progress);

  std::filesystem::path kept_in_;
  std::string name_;  // of the model that was asked for last
  std::weak_ptr<const Model> model_;
  Request request_;  // for it
  std::vector<std::shared_ptr<const Digest>> kept_;
  Study<Request, Digest> study_;
};

}  // namespace headlight
