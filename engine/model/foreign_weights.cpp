#include "engine/model/foreign_weights.h"

#include <array>
#include <system_error>

namespace headlight {
namespace {

// Every tensor by its own name, with memory of its own: save_file refuses tensors that share it, as tied tables do. A class of
// transformers instead would drop the heads that it does not have.
constexpr std::string_view kFromPickle =
    "Convert them once, in this folder, with torch and safetensors installed: python3 -c 'import glob, torch; from safetensors.torch "
    "import save_file; w = {}; [w.update(torch.load(f, map_location=\"cpu\", weights_only=True)) for f in "
    "glob.glob(\"pytorch_model*.bin\")]; save_file({n: t.contiguous().clone() for n, t in w.items()}, \"model.safetensors\", "
    "{\"format\": \"pt\"})'";

/// The first row that fits is the one; rows that say more come first.
constexpr std::array<ForeignWeights, 1> kForms = {{
    {"pytorch_model", "", "weights as a Python pickle, which can run any program", kFromPickle},
}};

}  // namespace

const ForeignWeights* recognize_foreign_weights(std::string_view name) {
  for (const ForeignWeights& form : kForms) {
    if (name.starts_with(form.beginning) && name.ends_with(form.ending)) return &form;
  }
  return nullptr;
}

std::optional<ForeignFile> find_foreign_weights(const std::filesystem::path& folder) {
  std::optional<ForeignFile> best;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure); !failure && entry != std::filesystem::directory_iterator();
       entry.increment(failure)) {
    std::string name = entry->path().filename().string();
    const ForeignWeights* form = recognize_foreign_weights(name);
    const bool is_better = form && (!best || form < best->form || (form == best->form && name < best->name));
    if (is_better) best = ForeignFile{std::move(name), form};
  }
  return best;
}

}  // namespace headlight
