#include "engine/model/files/gguf_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "tests/formats/gguf_writer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::GgufWriter;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

/// A header of `architecture` with small sizes; tensors are the test's to add.
GgufWriter sizes_of(const std::string& architecture) {
  GgufWriter file;
  file.text("general.architecture", architecture);
  file.natural(architecture + ".context_length", 128);
  file.natural(architecture + ".embedding_length", 32);
  file.natural(architecture + ".block_count", 2);
  file.natural(architecture + ".feed_forward_length", 64);
  file.natural(architecture + ".attention.head_count", 4);
  return file;
}
GgufWriter llama_sizes(const std::string& architecture = "llama") {
  GgufWriter file = sizes_of(architecture);
  file.number(architecture + ".attention.layer_norm_rms_epsilon", 1e-5F);
  return file;
}
void add_matrix(GgufWriter& file, const std::string& name, std::uint64_t in, std::uint64_t out) {
  file.floats(name, {in, out}, std::vector<float>(in * out));
}

class GgufModels : public ::testing::Test {
 protected:
  GgufModel read(const GgufWriter& writer) const { return read_gguf_model(GgufFile(folder_.file("m.gguf", writer.bytes()))); }
  std::map<std::string, GgufTensor> tensors_of(const GgufWriter& writer) const {
    std::map<std::string, GgufTensor> by_name;
    for (const GgufTensor& tensor : read(writer).tensors) by_name[tensor.name] = tensor;
    return by_name;
  }
  std::string refusal(const GgufWriter& writer) const {
    const Error error = error_of([&] { read(writer); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.message();
  }
  TemporaryFolder folder_;
};

TEST_F(GgufModels, LlamaSizesAreNamedAsInConfigJson) {
  GgufWriter file = llama_sizes();
  file.natural("llama.attention.head_count_kv", 2);
  file.number("llama.rope.freq_base", 500000.0F);
  add_matrix(file, "token_embd.weight", 32, 11);
  const Json config = read(file).config;
  const Json expected = {{"model_type", "llama"},
                         {"hidden_act", "silu"},
                         {"max_position_embeddings", 128},
                         {"hidden_size", 32},
                         {"num_hidden_layers", 2},
                         {"intermediate_size", 64},
                         {"num_attention_heads", 4},
                         {"num_key_value_heads", 2},
                         {"head_dim", 8},
                         {"rms_norm_eps", static_cast<double>(1e-5F)},
                         {"rope_theta", 500000.0},
                         {"attention_bias", false},
                         {"attn_output.bias", false},
                         {"mlp_bias", false},
                         {"vocab_size", 11},
                         {"tie_word_embeddings", true}};
  EXPECT_EQ(config, expected);
}

TEST_F(GgufModels, LlamaTensorsGetTheirOtherNamesAndTheMarkOfPermutedRows) {
  GgufWriter file = llama_sizes();
  add_matrix(file, "token_embd.weight", 32, 11);
  add_matrix(file, "output.weight", 32, 11);
  add_matrix(file, "blk.1.attn_q.weight", 32, 32);
  add_matrix(file, "blk.1.attn_v.weight", 32, 32);
  add_matrix(file, "blk.0.ffn_down.weight", 64, 32);
  add_matrix(file, "blk.x.ffn_down.weight", 64, 32);
  const auto tensors = tensors_of(file);
  EXPECT_TRUE(tensors.at("model.layers.1.self_attn.q_proj.weight").has_permuted_rows);
  EXPECT_FALSE(tensors.at("model.layers.1.self_attn.v_proj.weight").has_permuted_rows);
  EXPECT_EQ(tensors.at("model.layers.0.mlp.down_proj.weight").info.shape, (std::vector<std::int64_t>{32, 64}));
  EXPECT_EQ(tensors.at("lm_head.weight").info.name, "output.weight");
  EXPECT_TRUE(tensors.contains("blk.x.ffn_down.weight"));  // unknown: under its own name
  EXPECT_FALSE(read(file).config["tie_word_embeddings"].get<bool>());
}

TEST_F(GgufModels, Qwen2KeepsItsRowsAndHasBiases) {
  GgufWriter file = llama_sizes("qwen2");
  add_matrix(file, "token_embd.weight", 32, 11);
  add_matrix(file, "blk.0.attn_q.weight", 32, 32);
  file.floats("blk.0.attn_q.bias", {32}, std::vector<float>(32));
  const auto tensors = tensors_of(file);
  EXPECT_FALSE(tensors.at("model.layers.0.self_attn.q_proj.weight").has_permuted_rows);
  EXPECT_TRUE(tensors.contains("model.layers.0.self_attn.q_proj.bias"));
  EXPECT_EQ(read(file).config["model_type"], "qwen2");
  EXPECT_TRUE(read(file).config["attention_bias"].get<bool>());
}

TEST_F(GgufModels, Gpt2MatricesAreMarkedAsTransposed) {
  GgufWriter file = sizes_of("gpt2");
  file.number("gpt2.attention.layer_norm_epsilon", 1e-5F);
  add_matrix(file, "token_embd.weight", 32, 11);
  add_matrix(file, "position_embd.weight", 32, 128);
  add_matrix(file, "blk.0.attn_qkv.weight", 32, 96);
  file.floats("blk.0.attn_qkv.bias", {96}, std::vector<float>(96));
  const auto tensors = tensors_of(file);
  EXPECT_TRUE(tensors.at("transformer.h.0.attn.c_attn.weight").is_transposed);
  EXPECT_FALSE(tensors.at("transformer.h.0.attn.c_attn.bias").is_transposed);
  EXPECT_FALSE(tensors.at("transformer.wpe.weight").is_transposed);
  const Json config = read(file).config;
  EXPECT_EQ(config["n_positions"], 128);
  EXPECT_EQ(config["n_inner"], 64);
}

TEST_F(GgufModels, StretchedRotaryPositionsAreTranslated) {
  GgufWriter linear = llama_sizes();
  linear.text("llama.rope.scaling.type", "linear");
  linear.number("llama.rope.scaling.factor", 4.0F);
  add_matrix(linear, "token_embd.weight", 32, 11);
  EXPECT_EQ(read(linear).config["rope_scaling"], Json({{"rope_type", "linear"}, {"factor", 4.0}}));

  GgufWriter yarn = llama_sizes();
  yarn.text("llama.rope.scaling.type", "yarn");
  yarn.number("llama.rope.scaling.factor", 4.0F);
  yarn.natural("llama.rope.scaling.original_context_length", 32);
  add_matrix(yarn, "token_embd.weight", 32, 11);
  EXPECT_EQ(read(yarn).config["rope_scaling"], Json({{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32}}));

  GgufWriter bare = llama_sizes();  // llama.cpp: linear where no type is given, the context's length where no other is
  bare.number("llama.rope.scaling.factor", 2.0F);
  add_matrix(bare, "token_embd.weight", 32, 11);
  EXPECT_EQ(read(bare).config["rope_scaling"], Json({{"rope_type", "linear"}, {"factor", 2.0}}));
  bare.text("llama.rope.scaling.type", "yarn");
  EXPECT_EQ(read(bare).config["rope_scaling"]["original_max_position_embeddings"], 128);

  GgufWriter other = llama_sizes();
  other.text("llama.rope.scaling.type", "longrope");
  other.number("llama.rope.scaling.factor", 4.0F);
  add_matrix(other, "token_embd.weight", 32, 11);
  EXPECT_THAT(refusal(other), HasSubstr("found \"longrope\", expected none, linear or yarn"));
}

TEST_F(GgufModels, Llama3DivisorsAreRecognizedAndOthersTakenAsTheyAre) {
  constexpr double kTheta = 500000;
  std::vector<float> divisors;
  for (int at = 0; at < 64; ++at) {  // modeling_rope_utils.py of transformers, _compute_llama3_parameters
    const double wavelength = 2 * std::numbers::pi * std::pow(kTheta, at / 64.0);
    double divisor = 1;
    if (wavelength > 8192) {
      divisor = 8;
    } else if (wavelength >= 8192 / 4.0) {
      const double smooth = (8192 / wavelength - 1) / (4 - 1);
      divisor = 1 / ((1 - smooth) / 8 + smooth);
    }
    divisors.push_back(static_cast<float>(divisor));
  }
  GgufWriter file = llama_sizes();
  file.number("llama.rope.freq_base", static_cast<float>(kTheta));
  add_matrix(file, "token_embd.weight", 32, 11);
  GgufWriter odd = file, broken = file;
  file.floats("rope_freqs.weight", {64}, divisors);
  const GgufModel model = read(file);
  EXPECT_EQ(model.config["rope_scaling"]["rope_type"], "llama3");
  EXPECT_EQ(model.config["rope_scaling"]["factor"], 8.0);
  EXPECT_EQ(model.tensors.size(), 1U);
  divisors[40] *= 1.5F;
  odd.floats("rope_freqs.weight", {64}, divisors);
  GgufWriter twice = odd;
  twice.number("llama.rope.scaling.factor", 2.0F);
  EXPECT_THAT(refusal(twice), HasSubstr("scaled twice"));
  const Json scaling = read(odd).config["rope_scaling"];
  EXPECT_EQ(scaling["rope_type"], "longrope");
  EXPECT_EQ(scaling["short_factor"].get<std::vector<float>>(), divisors);
  divisors[3] = 0;
  broken.floats("rope_freqs.weight", {64}, divisors);
  EXPECT_THAT(refusal(broken), HasSubstr("not divisors of rotary frequencies; found 0.000000, expected numbers above 0"));
}

TEST_F(GgufModels, AWindowThatTheFileCannotCarryIsNoted) {
  const auto notices_of = [&](const std::string& architecture, const std::string& name, std::uint64_t window) {
    GgufWriter file = llama_sizes(architecture);
    if (!name.empty()) file.text("general.name", name);
    if (window > 0) file.natural(architecture + ".attention.sliding_window", static_cast<std::uint32_t>(window));
    add_matrix(file, "token_embd.weight", 32, 11);
    return read(file).notices;
  };
  EXPECT_THAT(notices_of("llama", "Mistral 7B", 0), ElementsAre(HasSubstr("sliding window")));
  EXPECT_THAT(notices_of("llama", "", 0), ElementsAre(HasSubstr("sliding window")));
  EXPECT_THAT(notices_of("llama", "Tiny Llama", 0), IsEmpty());
  EXPECT_THAT(notices_of("qwen3", "Qwen3 0.6B", 0), IsEmpty());
  EXPECT_THAT(notices_of("llama", "Tiny Llama", 16), ElementsAre(HasSubstr("llama.attention.sliding_window is 16, which is not applied")));
}

TEST_F(GgufModels, WhatCannotBeOpenedIsSaid) {
  EXPECT_THAT(refusal(sizes_of("falcon")), HasSubstr("found \"falcon\", expected one of: llama (Mistral too), qwen2, qwen3, olmo2, gpt2"));
  EXPECT_THAT(refusal(GgufWriter()), HasSubstr("general.architecture: the value is missing"));
  GgufWriter split = llama_sizes();
  split.natural("split.count", 3);
  EXPECT_THAT(refusal(split), HasSubstr("llama-gguf-split --merge"));
  GgufWriter adapter = llama_sizes();
  adapter.text("general.type", "adapter");
  EXPECT_THAT(refusal(adapter), HasSubstr("does not hold a whole model"));
  GgufWriter experts = llama_sizes();
  experts.natural("llama.expert_count", 8);
  EXPECT_THAT(refusal(experts), HasSubstr("experts"));
  EXPECT_THAT(refusal(llama_sizes()), HasSubstr("tensor token_embd.weight: the tensor is missing"));
  GgufWriter both_ways = llama_sizes();
  both_ways.boolean("llama.attention.causal", false);
  EXPECT_THAT(refusal(both_ways), HasSubstr("llama.attention.causal"));
  GgufWriter windows = llama_sizes("olmo2");
  windows.natural("olmo2.attention.sliding_window", 4096);
  EXPECT_THAT(refusal(windows), HasSubstr("OLMo 3's windows are not supported"));
  GgufWriter zero = sizes_of("llama");
  zero.natural("llama.attention.head_count_kv", 0);
  EXPECT_THAT(refusal(zero), HasSubstr("head_count_kv"));
}

TEST(GgufReference, TheRecordedFilesAreUnderstood) {
  int files = 0;
  for (const auto& folder : testing::reference_folders()) {
    if (!std::filesystem::is_directory(folder / "gguf")) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "gguf")) {
      if (entry.path().extension() != ".gguf") continue;
      ++files;
      const GgufModel model = read_gguf_model(GgufFile(entry.path()));
      EXPECT_EQ(model.config["hidden_size"], 256);
      EXPECT_EQ(model.config["num_key_value_heads"], 2);
      EXPECT_EQ(model.config["vocab_size"], 520);
      for (const GgufTensor& tensor : model.tensors) {
        EXPECT_TRUE(tensor.name.starts_with("model.") || tensor.name == "lm_head.weight") << tensor.name;
      }
    }
  }
  if (files == 0) testing::say_not_found("reference/gguf");
}

}  // namespace
}  // namespace headlight
