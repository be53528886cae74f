#include "app/session/weights_shelf.h"

#include <algorithm>
#include <optional>

#include "app/recipe/kept_digests.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"

namespace headlight {

WeightsShelf::WeightsShelf(Worker& worker)
    : study_(worker.desk(), [](const Request& request, StepContext& context) { return compute(request, context.progress); }) {}

WeightsShelf::Digest WeightsShelf::compute(const Request& request, Progress& progress) {
  Digest digest{request.stamp, find_kept_digest(request.kept_in, request.stamp)};
  if (!digest.hex.empty()) return digest;
  try {
    digest.hex = weights_digest(request.place, progress);
    const bool is_unchanged = weights_stamp(request.place) == request.stamp;  // nobody wrote them meanwhile
    if (is_unchanged) keep_digest(request.kept_in, {request.stamp, digest.hex});
  } catch (const Error&) {  // the picture says why the model cannot be read
  }
  return digest;
}

std::string WeightsShelf::ask(const std::string& name, const std::shared_ptr<const Model>& model) {
  if (name != name_ || model_.lock() != model) {
    name_ = name;
    model_ = model;
    const std::optional<std::filesystem::path> place = name == "sandbox" ? std::nullopt : find_model(name);
    request_ = place ? Request{*place, kept_in_, weights_stamp(*place)} : Request{};
  }
  if (request_.stamp.files.empty()) return {};
  const auto known =
      std::find_if(kept_.begin(), kept_.end(), [&](const std::shared_ptr<const Digest>& each) { return each->stamp == request_.stamp; });
  if (known != kept_.end()) return (*known)->hex;
  const std::shared_ptr<const Digest> found = study_.ask(request_);
  if (!found || found->stamp != request_.stamp) return {};
  kept_.push_back(found);
  return found->hex;
}

}  // namespace headlight
