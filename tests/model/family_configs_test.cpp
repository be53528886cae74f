// Old and new spellings of config.json, and the switches by which families differ.
#include <cmath>
#include <map>

#include "engine/model/families/families.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

FileConfig read(Json json, const Json& more) {
  json.update(more);
  const JsonFields fields(json, "config.json");
  return read_family_config(find_family(fields), fields);
}

const Json kLlama = {{"model_type", "llama"},    {"num_hidden_layers", 4},  {"hidden_size", 64}, {"num_attention_heads", 8},
                     {"num_key_value_heads", 2}, {"intermediate_size", 96}, {"vocab_size", 300}, {"max_position_embeddings", 4096}};

Json kind(const char* type) {
  return {{"model_type", type}};
}

Json with(Json json, const Json& more) {
  json.update(more);
  return json;
}

TEST(FamilyConfigs, RotarySettingsInOldAndNewSpelling) {
  const Json old = {{"rope_theta", 500000.0},
                    {"rope_scaling",
                     {{"rope_type", "llama3"},
                      {"factor", 8.0},
                      {"low_freq_factor", 1.0},
                      {"high_freq_factor", 4.0},
                      {"original_max_position_embeddings", 8192}}}};
  Json now = old["rope_scaling"];
  now["rope_theta"] = 500000.0;
  const RotarySettings from_old = read(kLlama, old).sizes.positions.rotary;
  EXPECT_EQ(from_old, read(kLlama, {{"rope_parameters", now}}).sizes.positions.rotary);
  EXPECT_EQ(from_old.theta, 500000.0);
  EXPECT_EQ(from_old.scaling.kind, RotaryScaling::Kind::llama3);
  EXPECT_EQ(read(kLlama, {{"rope_scaling", {{"type", "linear"}, {"factor", 2.0}}}}).sizes.positions.rotary.scaling.kind,
            RotaryScaling::Kind::linear);
  EXPECT_EQ(read(kLlama, {{"rope_scaling", nullptr}}).sizes.positions.rotary.theta, 10000.0);
  const Error error = error_of([] { read(kLlama, {{"rope_scaling", {{"rope_type", "spiral"}}}}); });
  EXPECT_NE(error.message().find("\"spiral\""), std::string::npos) << error.message();
}

TEST(FamilyConfigs, LongTextsOfEachKindOfRotaryScaling) {
  const auto scaling_of = [](const Json& scaling, const Json& more = Json::object()) {
    return read(kLlama, with({{"rope_scaling", scaling}}, more)).sizes.positions.rotary.scaling;
  };
  const RotaryScaling dynamic = scaling_of({{"type", "dynamic"}, {"factor", 2.0}}, {{"original_max_position_embeddings", 7}});
  EXPECT_EQ(dynamic.kind, RotaryScaling::Kind::dynamic);
  EXPECT_EQ(dynamic.original_positions, 4096) << "dynamic grows from max_position_embeddings";

  const Json yarn = {{"rope_type", "yarn"}, {"factor", 40.0}, {"mscale", 1.0}, {"mscale_all_dim", 0.5}, {"truncate", false}};
  EXPECT_NEAR(scaling_of(yarn).attention_factor, (0.1 * std::log(40) + 1) / (0.05 * std::log(40) + 1), 1e-12);
  EXPECT_FALSE(scaling_of(yarn).has_whole_ramp);
  EXPECT_EQ(scaling_of(with(yarn, {{"attention_factor", 1.5}})).attention_factor, 1.5);

  const Json longrope = {
      {"type", "longrope"}, {"factor", 9.0}, {"short_factor", {1.0, 1.0, 1.0, 1.0}}, {"long_factor", {2.0, 3.0, 4.0, 5.0}}};
  EXPECT_EQ(scaling_of(longrope).factor, 9);
  EXPECT_EQ(scaling_of(longrope, {{"original_max_position_embeddings", 1024}}).factor, 9) << "a factor that is stated counts";
  Json without = longrope;
  without.erase("factor");
  EXPECT_EQ(scaling_of(without, {{"original_max_position_embeddings", 1024}}).factor, 4) << "else the config's two lengths say it";
}

TEST(FamilyConfigs, GemmasActivationHasTwoNamesOfWhichEachGemmaReadsOne) {
  const auto activation_of = [](const char* type, const Json& more) {
    return read(kLlama, with(kind(type), more)).sizes.feed_forward.activation;
  };
  EXPECT_EQ(activation_of("gemma", Json::object()), Activation::gelu_tanh);
  EXPECT_EQ(activation_of("gemma", {{"hidden_act", "silu"}}), Activation::silu);
  EXPECT_EQ(activation_of("gemma", {{"hidden_act", "silu"}, {"hidden_activation", "gelu"}}), Activation::silu);
  EXPECT_EQ(activation_of("gemma2", {{"hidden_act", "silu"}}), Activation::gelu_tanh);
  EXPECT_EQ(activation_of("gemma2", {{"hidden_act", "silu"}, {"hidden_activation", "gelu"}}), Activation::gelu_erf);
}

TEST(FamilyConfigs, TheGeluOfTheFirstGemmaFilesIsTakenAtItsWordAndSaid) {
  const FileConfig file = read(kLlama, with(kind("gemma"), {{"hidden_act", "gelu"}}));
  EXPECT_EQ(file.sizes.feed_forward.activation, Activation::gelu_erf);
  ASSERT_EQ(file.notices.size(), 1U);
  EXPECT_NE(file.notices[0].find("gelu_pytorch_tanh"), std::string::npos) << file.notices[0];
}

TEST(FamilyConfigs, DecodersThatAreNotCausalSeeBothSides) {
  for (const char* type : {"llama", "qwen2", "gemma2", "phi3", "olmo2"}) {
    EXPECT_TRUE(read(kLlama, kind(type)).sizes.mask.is_causal) << type;
    EXPECT_FALSE(read(kLlama, with(kind(type), {{"is_causal", false}})).sizes.mask.is_causal) << type;
    EXPECT_FALSE(read(kLlama, with(kind(type), {{"is_causal", nullptr}})).sizes.mask.is_causal) << "null counts as false there";
  }
  EXPECT_EQ(read(kLlama, {{"is_causal", false}}).sizes.own_mask(0), "none");
  const ModelConfig mistral = read(kLlama, with(kind("mistral"), {{"is_causal", false}, {"sliding_window", 5}})).sizes;
  EXPECT_EQ(mistral.own_mask(0), "window:6") << "both ways, a window reaches as far as it says";
  EXPECT_EQ(read(kLlama, with(kind("gemma3_text"), {{"use_bidirectional_attention", true}, {"sliding_window", 6}})).sizes.own_mask(0),
            "window:4");
}

TEST(FamilyConfigs, EncodersLookBackOnlyAsDecodersThatAreCausal) {
  const auto is_causal = [](const char* type, const Json& more) { return read(kLlama, with(kind(type), more)).sizes.mask.is_causal; };
  EXPECT_FALSE(is_causal("bert", {{"is_causal", true}}));
  EXPECT_TRUE(is_causal("bert", {{"is_decoder", true}}));
  EXPECT_FALSE(is_causal("bert", {{"is_decoder", true}, {"is_causal", false}}));
  EXPECT_FALSE(is_causal("albert", {{"is_decoder", true}})) << "its code has no decoder";
}

TEST(FamilyConfigs, OnlySomeFamiliesTurnAPartOfEveryHead) {
  const auto turned = [](const char* type, const Json& more) {
    return read(kLlama, with(kind(type), more)).sizes.positions.rotary.dimensions;
  };
  EXPECT_EQ(turned("llama", {{"partial_rotary_factor", 0.5}}), 8);
  EXPECT_EQ(turned("llama", {{"rope_parameters", {{"partial_rotary_factor", 0.5}}}}), 8);
  EXPECT_EQ(turned("phi3", {{"partial_rotary_factor", 0.5}}), 4);
  EXPECT_EQ(turned("stablelm", {{"rope_parameters", {{"partial_rotary_factor", 0.5}}}}), 4);
  EXPECT_EQ(turned("gpt_neox", {{"rotary_pct", 0.5}}), 4);
}

TEST(FamilyConfigs, T5ScalesItsLogitsByAFieldOfItsOwnAndMt5Never) {
  const Json t5 = {{"num_layers", 2}, {"d_model", 16}, {"num_heads", 2}, {"d_kv", 3}, {"d_ff", 9}, {"vocab_size", 30}};
  const auto scale_of = [&](const char* type, const Json& more) { return read(with(t5, kind(type)), more).sizes.logits.scale; };
  EXPECT_EQ(scale_of("t5", Json::object()), 0.25F);
  EXPECT_EQ(scale_of("t5", {{"tie_word_embeddings", false}}), 1.0F);
  EXPECT_EQ(scale_of("t5", {{"tie_word_embeddings", true}, {"scale_decoder_outputs", false}}), 1.0F) << "flan-T5, saved by transformers 5";
  EXPECT_EQ(scale_of("mt5", {{"tie_word_embeddings", true}}), 1.0F);
}

TEST(FamilyConfigs, Gemma3LeavesOutTheCapsThatItsCodeLeavesOut) {
  const Json caps = {{"model_type", "gemma3_text"}, {"attn_logit_softcapping", 50.0}, {"final_logit_softcapping", 30.0}};
  const FileConfig text = read(kLlama, caps);
  EXPECT_EQ(text.sizes.scores.softcap, 0);
  EXPECT_EQ(text.sizes.logits.softcap, 30);
  ASSERT_EQ(text.notices.size(), 1U);
  EXPECT_NE(text.notices[0].find("attn_logit_softcapping 50 is not applied"), std::string::npos) << text.notices[0];
  const FileConfig whole = read({{"model_type", "gemma3"}, {"text_config", with(kLlama, caps)}}, Json::object());
  EXPECT_EQ(whole.sizes.logits.softcap, 0);
  EXPECT_EQ(whole.notices.size(), 2U);
}

TEST(FamilyConfigs, KeyValueHeadsMustGroupTheHeads) {
  EXPECT_EQ(read(kLlama, Json::object()).sizes.heads.kv_count, 2);
  const Error error = error_of([] { read(kLlama, {{"num_key_value_heads", 3}}); });
  EXPECT_NE(error.message().find("num_key_value_heads"), std::string::npos) << error.message();
}

TEST(FamilyConfigs, WindowsByFamily) {
  EXPECT_EQ(read(kLlama, with(kind("mistral"), {{"sliding_window", 6}})).sizes.mask.window, 6);
  EXPECT_EQ(read(kLlama, with(kind("mistral"), {{"sliding_window", nullptr}})).sizes.mask.window, 0);
  EXPECT_EQ(read(kLlama, kind("mistral")).sizes.mask.window, 4096);
  const Json qwen = {{"model_type", "qwen2"}, {"use_sliding_window", true}, {"sliding_window", 5}, {"max_window_layers", 3}};
  EXPECT_EQ(read(kLlama, qwen).sizes.mask.windows, (std::vector<int>{0, 0, 0, 5}));
  EXPECT_TRUE(read(kLlama, with(qwen, {{"use_sliding_window", false}})).sizes.mask.windows.empty());
  const Json types = {{"layer_types", {"sliding_attention", "full_attention", "full_attention", "full_attention"}}};
  EXPECT_EQ(read(kLlama, with(qwen, types)).sizes.mask.windows, (std::vector<int>{5, 0, 0, 0}))
      << "layer_types goes before max_window_layers";
  EXPECT_EQ(read(kLlama, with(kind("gemma2"), {{"sliding_window", 9}})).sizes.mask.windows, (std::vector<int>{9, 0, 9, 0}));
}

TEST(FamilyConfigs, Gemma3WithImagesStaysCausalAndHasTheHeadThatItsOwnClassNames) {
  const Json text = with(kLlama, {{"model_type", "gemma3_text"}, {"use_bidirectional_attention", true}, {"sliding_window", 6}});
  const FileConfig bare = read({{"model_type", "gemma3"}, {"architectures", {"Gemma3Model"}}, {"text_config", text}}, Json::object());
  EXPECT_EQ(bare.sizes.own_mask(0), "causal + window:4");
  EXPECT_THAT(bare.notices, ::testing::Contains(::testing::HasSubstr("the mask stays causal")));
  EXPECT_FALSE(bare.sizes.has_logits);
  const Json both_ways = with(text, {{"is_causal", false}});
  const FileConfig whole =
      read({{"model_type", "gemma3"}, {"architectures", {"Gemma3ForConditionalGeneration"}}, {"text_config", both_ways}}, Json::object());
  EXPECT_FALSE(whole.sizes.mask.is_causal);
  EXPECT_TRUE(whole.sizes.has_logits);
}

TEST(FamilyConfigs, Gemma3KeepsTwoKindsOfFrequencies) {
  const Json old = {{"model_type", "gemma3_text"},
                    {"sliding_window", 7},
                    {"sliding_window_pattern", 3},
                    {"rope_theta", 1e6},
                    {"rope_local_base_freq", 1e4}};
  const Json now = {{"model_type", "gemma3_text"},
                    {"sliding_window", 7},
                    {"layer_types", {"sliding_attention", "sliding_attention", "full_attention", "sliding_attention"}},
                    {"rope_parameters", {{"full_attention", {{"rope_theta", 1e6}}}, {"sliding_attention", {{"rope_theta", 1e4}}}}}};
  for (const Json& spelling : {old, now}) {
    const ModelConfig sizes = read(kLlama, spelling).sizes;
    EXPECT_EQ(sizes.mask.windows, (std::vector<int>{7, 7, 0, 7}));
    EXPECT_EQ(sizes.rotary_of(2).theta, 1e6);
    EXPECT_EQ(sizes.rotary_of(0).theta, 1e4);
  }
}

// attribute_map of transformers: what a configuration class takes under either name.
TEST(FamilyConfigs, NamesThatAllFamiliesShareAreReadToo) {
  const auto expect_same = [](const Json& own, const std::map<std::string, std::string>& others) {
    Json other = own;
    for (const auto& [key, name] : others) {
      other[name] = own.at(key);
      other.erase(key);
    }
    EXPECT_EQ(read(own, Json::object()).sizes, read(other, Json::object()).sizes) << other;
  };
  const Json gpt2 = {{"model_type", "gpt2"}, {"n_layer", 3}, {"n_embd", 8}, {"n_head", 2}, {"n_positions", 16}, {"vocab_size", 30}};
  expect_same(gpt2, {{"n_layer", "num_hidden_layers"},
                     {"n_embd", "hidden_size"},
                     {"n_head", "num_attention_heads"},
                     {"n_positions", "max_position_embeddings"}});
  expect_same(gpt2, {{"n_layer", "num_hidden_layers"}});
  const Json neo = {{"model_type", "gpt_neo"},
                    {"num_layers", 2},
                    {"hidden_size", 8},
                    {"num_heads", 2},
                    {"vocab_size", 30},
                    {"attention_layers", {"global", "local"}},
                    {"max_position_embeddings", 16}};
  expect_same(neo, {{"num_layers", "num_hidden_layers"}, {"num_heads", "num_attention_heads"}});
  const Json distil = {{"model_type", "distilbert"}, {"n_layers", 2}, {"dim", 8}, {"n_heads", 2}, {"hidden_dim", 20}, {"vocab_size", 30}};
  expect_same(distil, {{"n_layers", "num_hidden_layers"}, {"dim", "hidden_size"}, {"n_heads", "num_attention_heads"}});
  const Json t5 = {{"model_type", "t5"}, {"num_layers", 2}, {"d_model", 8}, {"num_heads", 2}, {"d_kv", 3}, {"d_ff", 9}, {"vocab_size", 30}};
  expect_same(
      t5, {{"num_layers", "num_hidden_layers"}, {"d_model", "hidden_size"}, {"num_heads", "num_attention_heads"}, {"d_kv", "head_dim"}});
  for (const char* type : {"bart", "marian"}) {
    const Json pair = {{"model_type", type},           {"encoder_layers", 2}, {"d_model", 8},
                       {"encoder_attention_heads", 2}, {"vocab_size", 30},    {"max_position_embeddings", 16}};
    expect_same(pair,
                {{"encoder_layers", "num_hidden_layers"}, {"d_model", "hidden_size"}, {"encoder_attention_heads", "num_attention_heads"}});
  }
}

TEST(FamilyConfigs, TheFamilysOwnNameGoesFirst) {
  const Json gpt2 = {{"model_type", "gpt2"}, {"n_layer", 3}, {"n_embd", 8}, {"n_head", 2}, {"n_positions", 16}, {"vocab_size", 30}};
  EXPECT_EQ(read(gpt2, {{"num_hidden_layers", 5}, {"n_ctx", 4}}).sizes.layers, 3);
  EXPECT_EQ(read(gpt2, {{"n_ctx", 4}}).sizes.positions.most, 16);
}

TEST(FamilyConfigs, MessagesHaveTheNameOfTheFile) {
  const Json config = {{"model_type", "gpt2"},     {"num_hidden_layers", 3}, {"hidden_size", 8},
                       {"num_attention_heads", 3}, {"n_positions", 16},      {"vocab_size", 30}};
  const Error error = error_of([&] { read(config, Json::object()); });
  EXPECT_NE(error.message().find("num_attention_heads: 3 heads do not divide hidden_size 8"), std::string::npos) << error.message();
}

TEST(FamilyConfigs, GptNeoCountsOutItsLayers) {
  const Json config = {
      {"model_type", "gpt_neo"},      {"num_layers", 4}, {"hidden_size", 8}, {"num_heads", 2}, {"vocab_size", 30}, {"window_size", 5},
      {"max_position_embeddings", 16}};
  EXPECT_EQ(read(config, Json::parse(R"({"attention_types": [[["global", "local"], 2]]})")).sizes.mask.windows,
            (std::vector<int>{0, 5, 0, 5}));
  EXPECT_EQ(read(config, {{"attention_layers", {"global", "local", "local", "local"}}}).sizes.mask.windows, (std::vector<int>{0, 5, 5, 5}));
  const Error error = error_of([&] { read(config, Json::parse(R"({"attention_types": [[["global", "local"], 3]]})")); });
  EXPECT_NE(error.message().find("attention_types"), std::string::npos) << error.message();
}

TEST(FamilyConfigs, ADecoderMayHaveOtherHeads) {
  const Json config = {{"model_type", "bart"},
                       {"encoder_layers", 1},
                       {"decoder_layers", 2},
                       {"d_model", 48},
                       {"vocab_size", 30},
                       {"encoder_attention_heads", 4},
                       {"decoder_attention_heads", 6},
                       {"encoder_ffn_dim", 96},
                       {"decoder_ffn_dim", 80},
                       {"max_position_embeddings", 16},
                       {"eos_token_id", 2}};
  const FileConfig file = read(config, Json::object());
  EXPECT_EQ(file.sizes.layers, 5);
  EXPECT_EQ(file.sizes.heads_of(0), 4);
  EXPECT_EQ(file.sizes.heads_of(1), 6);
  EXPECT_EQ(file.sizes.heads_of(2), 6);
  EXPECT_EQ(length_of(file, Axis::decoder_d_ff), 80);
  EXPECT_EQ(length_of(file, Axis::positions), 18);
  EXPECT_EQ(file.sizes.stacks.decoder_start, 2);
  EXPECT_NE(error_of([&] {
              read(config, {{"decoder_attention_heads", 5}});
            })
                .message()
                .find("5 heads do not divide d_model 48"),
            std::string::npos);
}

TEST(FamilyConfigs, OnlyLanguageHeadsMakeLogits) {
  EXPECT_TRUE(read(kLlama, {{"architectures", {"LlamaForCausalLM"}}}).sizes.has_logits);
  EXPECT_FALSE(read(kLlama, {{"architectures", {"LlamaModel"}}}).sizes.has_logits);
  EXPECT_FALSE(read(kLlama, {{"architectures", {"LlamaForSequenceClassification"}}}).sizes.has_logits);
}

}  // namespace
}  // namespace headlight
