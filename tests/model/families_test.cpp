#include "engine/model/families/families.h"

#include <algorithm>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

constexpr std::string_view kTiny = R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2, "n_positions": 16, "vocab_size": 30})";

/// kTiny with one field set to another value (as JSON), or taken away where the value is empty.
Json tiny_with(const std::string& key, std::string_view value) {
  Json config = Json::parse(kTiny);
  config.erase(key);
  if (!value.empty()) config[key] = Json::parse(value);
  return config;
}

FileConfig read(const Json& json) {
  const JsonFields fields(json, "config.json");
  return read_family_config(find_family(fields), fields);
}

std::string refusal(const std::string& key, std::string_view value) {
  const Json json = tiny_with(key, value);
  const Error error = error_of([&] { read(json); });
  EXPECT_EQ(error.kind(), ErrorKind::input) << key;
  return error.message();
}

TEST(Gpt2Config, IsReadWithTheDefaultsOfItsFamily) {
  const ModelConfig sizes = read(Json::parse(kTiny)).sizes;
  EXPECT_EQ(sizes.family, "GPT-2");
  EXPECT_EQ(sizes.heads.d_head, 4);
  EXPECT_EQ(sizes.feed_forward.d_ff, 32);
  EXPECT_EQ(sizes.feed_forward.activation, Activation::gelu_tanh);
  EXPECT_TRUE(sizes.scores.is_scaled && !sizes.scores.is_scaled_by_layer && sizes.mask.is_causal && sizes.has_logits);
  EXPECT_TRUE(read(Json::parse(kTiny)).is_tied);
}

TEST(Gpt2Config, SwitchesAreRead) {
  EXPECT_EQ(read(tiny_with("n_inner", "20")).sizes.feed_forward.d_ff, 20);
  EXPECT_EQ(read(tiny_with("n_inner", "null")).sizes.feed_forward.d_ff, 32);
  EXPECT_EQ(read(tiny_with("activation_function", "\"gelu\"")).sizes.feed_forward.activation, Activation::gelu_erf);
  EXPECT_EQ(read(tiny_with("activation_function", "\"relu\"")).sizes.feed_forward.activation, Activation::relu);
  EXPECT_FALSE(read(tiny_with("scale_attn_weights", "false")).sizes.scores.is_scaled);
  EXPECT_TRUE(read(tiny_with("scale_attn_by_inverse_layer_idx", "true")).sizes.scores.is_scaled_by_layer);
  EXPECT_FALSE(read(tiny_with("architectures", "[\"GPT2Model\"]")).sizes.has_logits);
  EXPECT_TRUE(read(tiny_with("architectures", "[\"GPT2LMHeadModel\"]")).sizes.has_logits);
  EXPECT_FALSE(read(tiny_with("tie_word_embeddings", "false")).is_tied);
}

TEST(Gpt2Config, OlderFilesNameThePositionsNCtx) {
  Json config = tiny_with("n_positions", "");
  config["n_ctx"] = 12;
  EXPECT_EQ(read(config).sizes.positions.most, 12);
}

// Reliability F6.
TEST(Gpt2Config, EveryBadSizeIsRefusedNamingFileAndField) {
  for (const std::string key : {"n_layer", "n_embd", "n_head", "vocab_size", "n_positions"}) {
    for (const std::string_view value : {"0", "-2", "1.5", "\"12\"", "null", "1e300", "1099511627776", "[1]"}) {
      const std::string message = refusal(key, value);
      EXPECT_NE(message.find("config.json: " + key), std::string::npos) << message;
    }
  }
  for (const std::string key : {"n_layer", "n_embd", "n_head", "vocab_size"}) {
    EXPECT_NE(refusal(key, "").find("config.json: " + key), std::string::npos);
  }
  EXPECT_NE(refusal("n_layer", "1000000000").find("n_layer"), std::string::npos);
}

TEST(Gpt2Config, HeadsThatDoNotDivideAreRefusedWithBothNumbers) {
  EXPECT_NE(refusal("n_head", "3").find("config.json: n_head: 3 heads do not divide n_embd 8"), std::string::npos);
  EXPECT_NE(refusal("n_head", "16").find("16 heads do not divide n_embd 8"), std::string::npos);
}

TEST(Gpt2Config, OddEpsilonsAreRefusedOrNoted) {
  EXPECT_NE(refusal("layer_norm_epsilon", "-1").find("config.json: layer_norm_epsilon"), std::string::npos);
  const FileConfig config = read(tiny_with("layer_norm_epsilon", "0"));
  ASSERT_EQ(config.notices.size(), 1U);
  EXPECT_NE(config.notices.front().find("layer_norm_epsilon"), std::string::npos);
}

TEST(Gpt2Config, UnknownActivationIsRefusedNamingTheKnownOnes) {
  EXPECT_NE(refusal("activation_function", "\"swishy\"").find("found \"swishy\", expected one of gelu_new"), std::string::npos);
}

TEST(Families, AnUnsupportedTypeIsRefusedNamingItAndTheSupportedOnes) {
  const std::string message = refusal("model_type", "\"mamba\"");
  EXPECT_NE(message.find("config.json: model_type"), std::string::npos);
  EXPECT_NE(message.find("\"mamba\", expected one of: gpt2"), std::string::npos);
  EXPECT_NE(refusal("model_type", "").find("model_type"), std::string::npos);
  EXPECT_NE(refusal("model_type", "3").find("model_type"), std::string::npos);
}

TEST(Families, NoTrainedTensorIsPassedOverInSilence) {
  for (const FamilyRow& row : families()) {
    for (const char* head : {"pooler.dense.weight", "cls.seq_relationship.weight", "sop_classifier.classifier.weight",
                             "discriminator_predictions.dense.weight", "vision_tower.patch.weight", "score.weight"}) {
      const bool is_ignored =
          std::any_of(row.ignored.begin(), row.ignored.end(), [&](std::string_view pattern) { return matches_pattern(pattern, head); });
      EXPECT_FALSE(is_ignored) << row.model_type << " " << head;
    }
  }
}

TEST(Patterns, MatchNumbersInThePlaceOfTheHole) {
  EXPECT_TRUE(matches_pattern("h.{}.attn.bias", "h.11.attn.bias"));
  EXPECT_FALSE(matches_pattern("h.{}.attn.bias", "h.x.attn.bias"));
  EXPECT_FALSE(matches_pattern("h.{}.attn.bias", "h..attn.bias"));
  EXPECT_FALSE(matches_pattern("h.{}.attn.bias", "h.1.attn.bias2"));
  EXPECT_TRUE(matches_pattern("lm_head.weight", "lm_head.weight"));
  EXPECT_FALSE(matches_pattern("lm_head.weight", "lm_head.bias"));
}

}  // namespace
}  // namespace headlight
