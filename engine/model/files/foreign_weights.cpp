#include "engine/model/files/foreign_weights.h"

#include <array>

namespace headlight {
namespace {

// Every tensor under its own name, in memory of its own: save_file refuses tensors that share memory, as tied tables do. Loading with a
// class of transformers instead would drop the heads that the class does not have.
constexpr std::string_view kFromPickle =
    "Convert them once, in this folder, with torch and safetensors installed: python3 -c 'import glob, torch; from safetensors.torch "
    "import save_file; w = {}; [w.update(torch.load(f, map_location=\"cpu\", weights_only=True)) for f in "
    "glob.glob(\"pytorch_model*.bin\")]; save_file({n: t.contiguous().clone() for n, t in w.items()}, \"model.safetensors\", "
    "{\"format\": \"pt\"})'";

// The class that config.json names keeps every head. Transformers 5 reads neither form any more.
constexpr std::string_view kFromTensorFlow =
    "Convert them once, in this folder, with torch, tensorflow and transformers 4 installed: python3 -c 'import transformers as t; "
    "c = t.AutoConfig.from_pretrained(\".\"); getattr(t, c.architectures[0]).from_pretrained(\".\", from_tf=True).save_pretrained(\".\")'";
constexpr std::string_view kFromFlax =
    "Convert them once, in this folder, with torch, flax and transformers 4 installed: python3 -c 'import transformers as t; "
    "c = t.AutoConfig.from_pretrained(\".\"); getattr(t, c.architectures[0]).from_pretrained(\".\", "
    "from_flax=True).save_pretrained(\".\")'";
constexpr std::string_view kFromAdapter =
    "Add it to the model that it was trained on, once, in this folder, with torch and peft installed: python3 -c 'from peft import "
    "AutoPeftModel; AutoPeftModel.from_pretrained(\".\").merge_and_unload().save_pretrained(\"merged\")'; then copy that model's tokenizer "
    "into merged";
constexpr std::string_view kOtherForm = "Take the model's version with model.safetensors";

/// The first row that fits is the one; rows that say more come first.
constexpr std::array<ForeignWeights, 14> kForms = {{
    {"pytorch_model", "", "weights as a Python pickle, which can run any program", kFromPickle},
    {"model.", ".safetensors", "safetensors of a variant, such as fp16",
     "Where it is one file, copy it to model.safetensors; shards need the version without a variant"},
    {"model-", ".safetensors", "shards without their index", "Take model.safetensors.index.json from the model's page too"},
    {"consolidated", ".safetensors", "safetensors with names as the model's authors have them", kOtherForm},
    {"adapter_model", "", "an adapter (LoRA), which is added to another model", kFromAdapter},
    {"adapter_config.json", "", "an adapter (LoRA), which is added to another model", kFromAdapter},
    {"tf_model", ".h5", "TensorFlow's weights", kFromTensorFlow},
    {"flax_model", ".msgpack", "Flax's weights", kFromFlax},
    {"consolidated", ".pth", "weights as a Python pickle, which can run any program", kOtherForm},
    {"", ".gguf", "a GGUF file", "It is a model by itself: give the path of the file"},
    {"", ".safetensors", "safetensors under another name", "Where config.json describes it, copy it to model.safetensors"},
    {"", ".onnx", "an ONNX graph", kOtherForm},
    {"", ".pt", "weights as a Python pickle, which can run any program", kOtherForm},
    {"", ".ckpt", "another program's checkpoint", kOtherForm},
}};

}  // namespace

const ForeignWeights* recognize_foreign_weights(std::string_view name) {
  if (name == "model.safetensors") return nullptr;
  for (const ForeignWeights& form : kForms) {
    if (name.starts_with(form.beginning) && name.ends_with(form.ending)) return &form;
  }
  return nullptr;
}

std::optional<ForeignFile> find_foreign_weights(const std::vector<std::string>& names) {
  std::optional<ForeignFile> best;
  for (const std::string& name : names) {
    const ForeignWeights* form = recognize_foreign_weights(name);
    if (form != nullptr && (!best || form < best->form)) best = ForeignFile{name, form};
  }
  return best;
}

}  // namespace headlight
