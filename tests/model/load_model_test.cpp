#include "engine/model/files/load_model.h"

#include <gmock/gmock.h>

#include <atomic>
#include <limits>

#include "engine/core/guarded.h"
#include "engine/model/model.h"
#include "tests/model/gpt2_folder.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using testing::Gpt2Folder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kTinyConfig;
using testing::NamedTensor;
using testing::tiny_gpt2_tensors;

std::shared_ptr<const Model> load(const Gpt2Folder& folder) {
  SilentProgress progress;
  return load_model({.name = folder.path(), .sandbox = {}}, progress);
}

std::string refusal(const Gpt2Folder& folder) {
  const Error error = error_of([&] { load(folder); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.message();
}

/// The tiny configuration with one number in place of another.
std::string config_with(const std::string& from, const std::string& to) {
  std::string config(kTinyConfig);
  config.replace(config.find(from), from.size(), to);
  return config;
}

Matrix matrix_of(const NamedTensor& tensor) {
  return Eigen::Map<const Matrix>(tensor.values.data(), tensor.shape.size() == 1 ? 1 : tensor.shape[0], tensor.shape.back());
}

TEST(LoadModel, EveryNormCarriesTheKindAndTheEpsilonOfItsModel) {
  SilentProgress progress;
  const auto model = load_model({.name = HEADLIGHT_TESTS_DIR "/reference/models/gemma3-both-ways", .sandbox = {}}, progress);
  const LayerParameters& layer = model->parameters.layer(0);
  for (const Norm* norm : {&layer.norm_1, &layer.q_norm, &layer.branch_norm_2, &model->parameters.final_norm}) {
    EXPECT_EQ(norm->kind, NormKind::rms_norm);
    EXPECT_EQ(norm->epsilon, 1e-3F);
    EXPECT_GT(norm->gain.size(), 0);
  }
}

TEST(LoadModel, PutsEveryTensorInItsPlace) {
  const auto tensors = tiny_gpt2_tensors();
  const auto model = load(Gpt2Folder(kTinyConfig, tensors));
  const auto at = [&](const std::string& name) { return matrix_of(tensors.at("transformer." + name)); };
  const Parameters& parameters = model->parameters;
  EXPECT_EQ(std::get<StoredMatrix>(parameters.embedding.tokens).to_matrix(), at("wte.weight"));
  EXPECT_EQ(parameters.embedding.positions, at("wpe.weight"));
  EXPECT_EQ(parameters.final_norm.gain, RowVector(at("ln_f.weight").row(0)));
  EXPECT_EQ(parameters.prediction.table.size(), 0);  // tied
  const LayerParameters& layer = parameters.layers.at(1);
  EXPECT_EQ(layer.q.weight.to_matrix(), at("h.1.attn.c_attn.weight").leftCols(8));
  EXPECT_EQ(layer.k.weight.to_matrix(), at("h.1.attn.c_attn.weight").middleCols(8, 8));
  EXPECT_EQ(layer.v.weight.to_matrix(), at("h.1.attn.c_attn.weight").rightCols(8));
  EXPECT_EQ(layer.k.bias, RowVector(at("h.1.attn.c_attn.bias").row(0).segment(8, 8)));
  EXPECT_EQ(layer.o.weight.to_matrix(), at("h.1.attn.c_proj.weight"));
  EXPECT_EQ(layer.norm_1.bias, RowVector(at("h.1.ln_1.bias").row(0)));
  EXPECT_EQ(layer.norm_2.gain, RowVector(at("h.1.ln_2.weight").row(0)));
  EXPECT_EQ(layer.ff_in.weight.to_matrix(), at("h.1.mlp.c_fc.weight"));
  EXPECT_EQ(layer.ff_out.bias, RowVector(at("h.1.mlp.c_proj.bias").row(0)));
  EXPECT_THAT(model->notices, IsEmpty());
  EXPECT_FALSE(model->is_random);
}

TEST(LoadModel, ASnapshotOfTheHubIsNamedByItsId) {
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  const testing::TemporaryFolder cache;
  const std::filesystem::path snapshots = cache / "models--owner--name/snapshots";
  std::filesystem::create_directories(snapshots);
  std::filesystem::create_directory_symlink(folder.path(), snapshots / "c1");
  SilentProgress progress;
  EXPECT_EQ(load_model({(snapshots / "c1").string(), {}}, progress)->name, "owner/name");
}

TEST(LoadModel, TakesNamesWithAndWithoutPrefix) {
  const auto with = load(Gpt2Folder(kTinyConfig, tiny_gpt2_tensors("transformer.")));
  const auto without = load(Gpt2Folder(kTinyConfig, tiny_gpt2_tensors("")));
  EXPECT_EQ(with->parameters.layers[0].ff_in.weight.to_matrix(), without->parameters.layers[0].ff_in.weight.to_matrix());
  EXPECT_EQ(tally_parameters(with->parameters).numbers, tally_parameters(without->parameters).numbers);
}

TEST(LoadModel, TakesNamesOfAModelInsideAnotherModule) {
  const auto bare = load(Gpt2Folder(kTinyConfig, tiny_gpt2_tensors()));
  for (const std::string wrapper : {"module.", "_orig_mod.", "base_model.model.", "_orig_mod.module."}) {
    auto tensors = tiny_gpt2_tensors(wrapper + "transformer.");
    tensors[wrapper + "transformer.h.0.attn.masked_bias"] = testing::random_tensor("masked", {1});  // ignored, as without the wrapper
    const auto wrapped = load(Gpt2Folder(kTinyConfig, tensors));
    EXPECT_EQ(wrapped->parameters.layers[1].q.weight.to_matrix(), bare->parameters.layers[1].q.weight.to_matrix()) << wrapper;
    EXPECT_THAT(wrapped->notices, IsEmpty()) << wrapper;
  }
}

TEST(LoadModel, MaskBuffersOfOldFilesAreIgnoredSilently) {
  auto tensors = tiny_gpt2_tensors();
  tensors["transformer.h.0.attn.bias"] = testing::random_tensor("bias", {1, 1, 16, 16});
  tensors["transformer.h.1.attn.masked_bias"] = testing::random_tensor("masked", {1});
  tensors["lm_head.weight"] = tensors["transformer.wte.weight"];
  EXPECT_THAT(load(Gpt2Folder(kTinyConfig, tensors))->notices, IsEmpty());
}

TEST(LoadModel, AnUntiedHeadIsItsOwnTable) {
  auto tensors = tiny_gpt2_tensors();
  const std::string config = config_with("\"n_layer\"", "\"tie_word_embeddings\": false, \"n_layer\"");
  const std::string with_class =
      config_with("\"n_layer\"", "\"tie_word_embeddings\": false, \"architectures\": [\"GPT2LMHeadModel\"], \"n_layer\"");
  EXPECT_THAT(refusal(Gpt2Folder(with_class, tensors)), HasSubstr("lm_head.weight"));
  EXPECT_FALSE(load(Gpt2Folder(config, tensors))->config.has_logits) << "nothing says that there is a head";
  tensors["lm_head.weight"] = testing::random_tensor("head", {3, 8});
  for (const std::string& each : {config, with_class}) {
    EXPECT_EQ(load(Gpt2Folder(each, tensors))->parameters.prediction.table.to_matrix(), matrix_of(tensors["lm_head.weight"]));
  }
}

// Reliability F7: both numbers and both files.
TEST(LoadModel, AConfigThatDisagreesWithTheWeightsIsRefusedShowingBoth) {
  const auto tensors = tiny_gpt2_tensors();
  EXPECT_THAT(refusal(Gpt2Folder(config_with("\"n_embd\": 8", "\"n_embd\": 16"), tensors)),
              AllOf(HasSubstr("model.safetensors: transformer.wte.weight (byte "), HasSubstr("found shape [3, 8], expected [3, 16] by "),
                    HasSubstr("config.json (vocab_size 3, n_embd 16)")));
  EXPECT_THAT(refusal(Gpt2Folder(config_with("\"vocab_size\": 3", "\"vocab_size\": 50257"), tensors)), HasSubstr("vocab_size 50257"));
  EXPECT_THAT(refusal(Gpt2Folder(config_with("\"n_positions\": 16", "\"n_positions\": 1024"), tensors)),
              AllOf(HasSubstr("wpe.weight"), HasSubstr("n_positions 1024")));
  EXPECT_THAT(refusal(Gpt2Folder(config_with("\"n_embd\": 8", "\"n_embd\": 8, \"n_inner\": 64"), tensors)),
              AllOf(HasSubstr("mlp.c_fc"), HasSubstr("n_inner 64")));
}

TEST(LoadModel, MoreLayersThanTheWeightsHoldAreRefused) {
  const auto tensors = tiny_gpt2_tensors();
  EXPECT_THAT(
      refusal(Gpt2Folder(config_with("\"n_layer\": 2", "\"n_layer\": 3"), tensors)),
      HasSubstr("model.safetensors: 12 tensors are missing, of the 40 that GPT-2 with 3 layers has by config.json; found 28 tensors, "
                "expected also h.2.attn.c_attn.bias, h.2."));
  EXPECT_THAT(refusal(Gpt2Folder(config_with("\"n_layer\": 2", "\"n_layer\": 1000000000"), tensors)), HasSubstr("n_layer"));
}

TEST(LoadModel, FewerLayersThanTheWeightsHoldAreNoted) {
  const auto model = load(Gpt2Folder(config_with("\"n_layer\": 2", "\"n_layer\": 1"), tiny_gpt2_tensors()));
  EXPECT_THAT(model->notices, ElementsAre(AllOf(HasSubstr("12 tensors are not used"), HasSubstr("h.1.attn"), HasSubstr("config.json"))));
}

TEST(LoadModel, WhatBelongsToAnotherHeadIsNoted) {
  auto tensors = tiny_gpt2_tensors();
  tensors["score.weight"] = testing::random_tensor("score", {2, 8});
  EXPECT_THAT(load(Gpt2Folder(kTinyConfig, tensors))->notices,
              ElementsAre(HasSubstr("model.safetensors: 1 tensor is not used (GPT-2 with 2 layers by config.json): score.weight.")));
  tensors.erase("score.weight");
  tensors["lm_head.weight"] = testing::random_tensor("head", {3, 8});
  const std::string untied = config_with("\"n_layer\"", "\"tie_word_embeddings\": false, \"architectures\": [\"GPT2Model\"], \"n_layer\"");
  EXPECT_THAT(load(Gpt2Folder(untied, tensors))->notices, ElementsAre(HasSubstr("lm_head.weight"))) << "a table of its own, no copy";
}

TEST(LoadModel, AFilesOwnOutputHeadWinsOverTheFlagAndThatIsSaid) {
  auto tensors = tiny_gpt2_tensors();
  tensors["lm_head.weight"] = testing::random_tensor("head", {3, 8});
  const std::string tied = config_with("\"n_layer\"", "\"tie_word_embeddings\": true, \"n_layer\"");
  const auto model = load(Gpt2Folder(tied, tensors));
  EXPECT_EQ(model->parameters.prediction.table.to_matrix(), matrix_of(tensors["lm_head.weight"]));
  EXPECT_THAT(model->notices, ElementsAre(AllOf(HasSubstr("tie_word_embeddings is true"), HasSubstr("lm_head.weight"))));
  tensors["lm_head.weight"] = tensors.at("transformer.wte.weight");
  const auto copied = load(Gpt2Folder(tied, tensors));
  EXPECT_EQ(copied->parameters.prediction.table.size(), 0) << "a copy of the token table";
  EXPECT_THAT(copied->notices, IsEmpty());
}

TEST(LoadModel, FieldsThatNothingUsesAreNamed) {
  const std::string config = config_with("\"n_layer\"", "\"frobnicate\": 3, \"n_layer\"");
  EXPECT_THAT(load(Gpt2Folder(config, tiny_gpt2_tensors()))->notices,
              ElementsAre(HasSubstr("1 field is unknown and not applied: frobnicate")));
}

TEST(LoadModel, EveryMissingTensorIsNamed) {
  const auto tensors = tiny_gpt2_tensors();
  for (const auto& [name, tensor] : tensors) {
    auto fewer = tensors;
    fewer.erase(name);
    EXPECT_THAT(refusal(Gpt2Folder(kTinyConfig, fewer)), HasSubstr(name.substr(std::string("transformer.").size()) +
                                                                   ": this tensor is missing, of the 28 that GPT-2 with 2 layers"));
  }
}

TEST(LoadModel, AnEncoderOrADecoderAloneIsRecognized) {
  const std::string t5 = R"({"model_type": "t5", "num_layers": 1, "d_model": 8, "num_heads": 2, "d_kv": 4, "d_ff": 8, "vocab_size": 3})";
  const testing::TensorMap encoder = {{"shared.weight", testing::random_tensor("a", {3, 8})},
                                      {"decoder.embed_tokens.weight", testing::random_tensor("a", {3, 8})},
                                      {"encoder.final_layer_norm.weight", testing::random_tensor("b", {8})}};
  EXPECT_THAT(refusal(Gpt2Folder(t5, encoder)), AllOf(HasSubstr("T5 with 1 + 1 layers"), HasSubstr("The file holds an encoder alone")));
  const std::string bart = R"({"model_type": "bart", "encoder_layers": 1, "d_model": 8, "encoder_attention_heads": 2, "encoder_ffn_dim": 8,
                               "max_position_embeddings": 8, "vocab_size": 3})";
  const testing::TensorMap decoder = {{"model.decoder.layers.0.encoder_attn.k_proj.weight", testing::random_tensor("a", {8, 8})}};
  EXPECT_THAT(refusal(Gpt2Folder(bart, decoder)), HasSubstr("The file holds a decoder alone"));
}

TEST(LoadModel, EveryWrongShapeIsRefused) {
  const auto tensors = tiny_gpt2_tensors();
  for (const auto& [name, tensor] : tensors) {
    for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{}, {0}, {0, 8}, {8, 8, 1}, {7}, {5, 9}}) {
      auto broken = tensors;
      broken[name] = testing::random_tensor("other", shape);
      EXPECT_THAT(refusal(Gpt2Folder(kTinyConfig, broken)), HasSubstr(name));
    }
  }
}

// Reliability F5.
TEST(LoadModel, NanInfiniteAndHugeValuesLoadWithOneNoteEach) {
  auto tensors = tiny_gpt2_tensors();
  tensors["transformer.wte.weight"].values[3] = std::numeric_limits<float>::quiet_NaN();
  tensors["transformer.wte.weight"].values[5] = -std::numeric_limits<float>::infinity();
  tensors["transformer.h.1.attn.c_attn.weight"].values[0] = 3e38F;
  const auto model = load(Gpt2Folder(kTinyConfig, tensors));
  EXPECT_THAT(model->notices, ElementsAre(AllOf(HasSubstr("wte.weight holds 1 NaN 1 Inf"), HasSubstr("model.safetensors")),
                                          AllOf(HasSubstr("h.1.attn.c_attn.weight"), HasSubstr("overflow"))));
}

// Reliability F13. The way is into the same folder, where the tokenizer is, and keeps the tensors of every head.
TEST(LoadModel, AFolderWithOnlyAPickleIsRefusedWithTheWayToConvertIt) {
  for (const char* name : {"pytorch_model.bin", "pytorch_model-00001-of-00002.bin"}) {
    const Gpt2Folder folder;
    folder.folder().file(name, "PK");
    EXPECT_THAT(refusal(folder),
                AllOf(HasSubstr(std::string(name) + ": weights in this format are not opened; found weights as a Python pickle"),
                      HasSubstr("weights_only=True"), HasSubstr("\"model.safetensors\""), ::testing::Not(HasSubstr("from_pretrained"))));
  }
}

TEST(LoadModel, QuantizedWeightsAreRefusedNamingTheMethod) {
  const auto config = [](const std::string& settings) {
    return config_with("\"n_layer\"", "\"quantization_config\": " + settings + ", \"n_layer\"");
  };
  for (const std::string method : {"fp8", "gptq", "awq", "bitsandbytes"}) {
    EXPECT_THAT(
        refusal(Gpt2Folder(config(R"({"quant_method": ")" + method + R"("})"), tiny_gpt2_tensors())),
        AllOf(HasSubstr("config.json: quantization_config.quant_method: "), HasSubstr("found \"" + method + "\""), HasSubstr("GGUF")));
  }
  EXPECT_THAT(refusal(Gpt2Folder(config(R"({"load_in_8bit": true})"))), HasSubstr("found \"bitsandbytes\""));
  for (const std::string none : {"null", R"({"quant_method": "bitsandbytes", "load_in_8bit": false, "load_in_4bit": false})"}) {
    EXPECT_THAT(load(Gpt2Folder(config(none), tiny_gpt2_tensors()))->notices, IsEmpty()) << none;
  }
}

TEST(LoadModel, AFolderWithoutWeightsIsRefused) {
  EXPECT_THAT(
      refusal(Gpt2Folder()),
      HasSubstr("model.safetensors: there are no weights in this folder; found config.json, tokenizer.json, expected model.safetensors"));
}

TEST(LoadModel, WeightsOfOtherFormsAreRefusedWithWhatTheyAre) {
  const std::map<std::string, std::pair<std::string, std::string>> forms = {
      {"tf_model.h5", {"TensorFlow's weights", "from_tf=True"}},
      {"flax_model.msgpack", {"Flax's weights", "from_flax=True"}},
      {"model.fp16.safetensors", {"safetensors of a variant", "copy it to model.safetensors"}},
      {"model-00001-of-00002.safetensors", {"shards without their index", "model.safetensors.index.json"}},
      {"consolidated.safetensors", {"names as the model's authors have them", "version with model.safetensors"}},
      {"adapter_model.safetensors", {"an adapter (LoRA)", "merge_and_unload"}},
      {"model.Q8_0.gguf", {"a GGUF file", "give the path of the file"}},
      {"other.safetensors", {"safetensors under another name", "copy it to model.safetensors"}}};
  for (const auto& [name, says] : forms) {
    const Gpt2Folder folder;
    folder.folder().file(name, "x");
    EXPECT_THAT(refusal(folder),
                AllOf(HasSubstr(name + ": weights in this format are not opened; found "), HasSubstr(says.first), HasSubstr(says.second)));
    std::filesystem::remove(folder.folder() / "config.json");
    EXPECT_THAT(refusal(folder), AllOf(HasSubstr("config.json: this file is missing"), HasSubstr(says.first), HasSubstr(says.second)));
  }
}

TEST(LoadModel, AnAdapterBesideTheWeightsIsSaidNotToBeApplied) {
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  folder.folder().file("adapter_model.safetensors", "x");
  EXPECT_THAT(load(folder)->notices, ElementsAre(AllOf(HasSubstr("adapter_model.safetensors"), HasSubstr("not applied"))));
}

TEST(LoadModel, NoFolderAFileAndAnEmptyFolderAreTold) {
  SilentProgress progress;
  const testing::TemporaryFolder folder;
  const auto message = [&](const std::string& name) {
    return error_of([&] { load_model({.name = name, .sandbox = {}}, progress); }).message();
  };
  EXPECT_THAT(message((folder / "none").string()), HasSubstr("no such model"));
  EXPECT_THAT(message(folder.file("model.bin", "x").string()), HasSubstr("this file is not a model"));
  EXPECT_THAT(message(folder.path().string()), HasSubstr("config.json"));
}

TEST(LoadModel, CanBeCancelledBetweenTensors) {
  struct Cancelling final : Progress {
    std::atomic<int> steps = 0;
    void step(double, std::string_view) override {
      if (++steps >= 5) throw Cancelled{};
    }
  } cancelling;
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  ThreadPool two(2);
  EXPECT_THROW(load_model({.name = folder.path(), .sandbox = {}}, two, cancelling), Cancelled);
  EXPECT_LE(cancelling.steps, 6) << "each thread asks once";
}

TEST(LoadModel, ProgressIsTheShareOfTheBytes) {
  struct Watching final : Progress {
    Mutex mutex;
    std::vector<double> done HEADLIGHT_GUARDED_BY(mutex);
    void step(double share, std::string_view) override {
      const Lock lock(mutex);
      done.push_back(share);
    }
  } watching;
  const auto tensors = tiny_gpt2_tensors();
  std::size_t numbers = 0;
  for (const auto& [name, tensor] : tensors) numbers += tensor.values.size();
  load_model({.name = Gpt2Folder(kTinyConfig, tensors).path(), .sandbox = {}}, watching);
  const Lock lock(watching.mutex);
  ASSERT_EQ(watching.done.size(), tensors.size());
  EXPECT_EQ(watching.done[0], 0.0);
  EXPECT_DOUBLE_EQ(watching.done[2], (3.0 + 16.0) * 8 / static_cast<double>(numbers)) << "behind the tables of tokens and positions";
}

TEST(InspectModel, SaysWhatTheFolderHolds) {
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  const ModelFacts facts = inspect_model(folder.path());
  EXPECT_EQ(facts.parameters, tally_parameters(load(folder)->parameters).numbers);
  EXPECT_EQ(facts.dtype, "F32");
  EXPECT_EQ(facts.bytes, std::filesystem::file_size(folder.folder() / "model.safetensors"));
  EXPECT_EQ(facts.config.family, "GPT-2");
  EXPECT_THAT(facts.tokenizer, HasSubstr("3"));
  EXPECT_THAT(facts.warnings, IsEmpty());
}

}  // namespace
}  // namespace headlight
