// A tiny GPT-2 folder to be broken in every way: two layers, d_model 8, two heads, 16 positions, words a, b, c.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/testing.h"

namespace headlight::testing {

struct NamedTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};
using TensorMap = std::map<std::string, NamedTensor>;

inline NamedTensor random_tensor(const std::string& name, std::vector<std::int64_t> shape) {
  RandomStream stream(1, name);
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  NamedTensor tensor{std::move(shape), {}};
  for (std::int64_t at = 0; at < size; ++at) tensor.values.push_back(0.3F * stream.next_normal());
  return tensor;
}

inline TensorMap tiny_gpt2_tensors(const std::string& prefix = "transformer.") {
  TensorMap tensors;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
    tensors[prefix + name] = random_tensor(name, std::move(shape));
  };
  add("wte.weight", {3, 8});
  add("wpe.weight", {16, 8});
  for (const std::string layer : {"h.0.", "h.1."}) {
    for (const std::string norm : {"ln_1.", "ln_2."}) {
      add(layer + norm + "weight", {8});
      add(layer + norm + "bias", {8});
    }
    add(layer + "attn.c_attn.weight", {8, 24});
    add(layer + "attn.c_attn.bias", {24});
    add(layer + "attn.c_proj.weight", {8, 8});
    add(layer + "attn.c_proj.bias", {8});
    add(layer + "mlp.c_fc.weight", {8, 32});
    add(layer + "mlp.c_fc.bias", {32});
    add(layer + "mlp.c_proj.weight", {32, 8});
    add(layer + "mlp.c_proj.bias", {8});
  }
  add("ln_f.weight", {8});
  add("ln_f.bias", {8});
  return tensors;
}

inline void write_tensors(const std::filesystem::path& path, const TensorMap& tensors) {
  std::vector<TensorToWrite> list;
  for (const auto& [name, tensor] : tensors) list.push_back({name, tensor.shape, tensor.values});
  write_safetensors(path, list, {});
}

inline constexpr std::string_view kTinyConfig =
    R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2, "n_positions": 16, "vocab_size": 3})";

/// A folder with configuration and tokenizer; the weights are the test's to write.
class Gpt2Folder {
 public:
  explicit Gpt2Folder(std::string_view config = kTinyConfig) {
    folder_.file("config.json", config);
    folder_.file("tokenizer.json",
                 R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
                     "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null, "decoder": null,
                     "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "c": 2}, "unk_token": "a"}})");
  }
  Gpt2Folder(std::string_view config, const TensorMap& tensors) : Gpt2Folder(config) { write("model.safetensors", tensors); }

  void write(std::string_view name, const TensorMap& tensors) const { write_tensors(folder_ / name, tensors); }
  const TemporaryFolder& folder() const { return folder_; }
  std::string path() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace headlight::testing
