#include "engine/model/families/config_fields.h"

#include <gmock/gmock.h>

#include "engine/formats/file_reader.h"
#include "engine/model/families/families.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What config_fields.py wrote of the reference's configuration classes: by model_type, every field and its default.
const Json& reference_fields() {
  static const Json fields = [] {
    const std::string path = std::string(HEADLIGHT_TESTS_DIR) + "/model/config_fields.json";
    return parse_json(read_file(path, 1'000'000), path);
  }();
  return fields;
}

std::vector<std::string> notes_on(const std::string& model_type, Json config) {
  config["model_type"] = model_type;
  std::vector<std::string> notices;
  note_fields(JsonFields(config, "config.json"), model_type, notices);
  return notices;
}

/// Values that a field could have as well.
std::vector<Json> other_values(const Json& value) {
  if (value.is_boolean()) return {!value.get<bool>()};
  if (value.is_number()) return {value.get<double>() + 1};
  if (value.is_string()) return {"other"};
  return {true, 3};
}

TEST(ConfigFields, EveryFieldOfTheReferencesClassesHasARow) {
  for (const FamilyRow& family : families()) {
    const std::string type(family.model_type);
    ASSERT_TRUE(reference_fields().contains(type)) << type;
    for (const auto& [field, value] : reference_fields().at(type).items()) {
      EXPECT_NE(find_field(type, field), nullptr) << type << " " << field;
    }
  }
}

TEST(ConfigFields, RowsSayWhyAFieldIsNotApplied) {
  for (const FamilyRow& family : families()) {
    ASSERT_FALSE(fields_of_family(family.model_type).empty()) << family.model_type;
    for (const auto groups : {fields_of_family(family.model_type), fields_of_all()}) {
      for (const FieldGroup& group : groups) {
        EXPECT_EQ(group.use == FieldUse::used, group.why.empty()) << family.model_type << " " << group.names;
      }
    }
  }
}

TEST(ConfigFields, DefaultsOfTheReferenceAreNotNoted) {
  for (const auto& [type, defaults] : reference_fields().items()) EXPECT_THAT(notes_on(type, defaults), IsEmpty()) << type;
}

TEST(ConfigFields, AValueThatIsNotAppliedIsNotedAndOneWithoutEffectIsNot) {
  for (const auto& [type, defaults] : reference_fields().items()) {
    for (const auto& [field, value] : defaults.items()) {
      for (const Json& other : other_values(value)) {
        const std::vector<std::string> notices = notes_on(type, {{field, other}});
        if (find_field(type, field)->use == FieldUse::noted) {
          EXPECT_THAT(notices, ElementsAre(HasSubstr("config.json: " + field + " is "))) << type;
        } else {
          EXPECT_THAT(notices, IsEmpty()) << type << " " << field;
        }
      }
    }
  }
}

TEST(ConfigFields, UnknownFieldsAreNamedInOneNote) {
  EXPECT_THAT(notes_on("llama", {{"frobnicate", 3}}), ElementsAre("config.json: 1 field is unknown and not applied: frobnicate."));
  EXPECT_THAT(notes_on("llama", {{"b", 3}, {"a", false}, {"c", nullptr}}),
              ElementsAre(HasSubstr("2 fields are unknown and not applied: a, b")));
}

TEST(ConfigFields, TheShareOfAHeadThatIsTurnedIsNotedWhereTheFamilyHasNone) {
  const Json inside = {{"rope_parameters", {{"partial_rotary_factor", 0.5}}}};
  EXPECT_THAT(notes_on("llama", {{"partial_rotary_factor", 0.5}}), ElementsAre(HasSubstr("partial_rotary_factor is 0.5")));
  EXPECT_THAT(notes_on("llama", inside), ElementsAre(HasSubstr("rope_parameters.partial_rotary_factor is 0.5")));
  EXPECT_THAT(notes_on("llama", {{"partial_rotary_factor", 1}}), IsEmpty());
  EXPECT_THAT(notes_on("phi3", inside), IsEmpty());
}

TEST(ConfigFields, CodeOfTheModelsOwnIsSaidToBeLeftOut) {
  EXPECT_THAT(notes_on("phi3", {{"auto_map", {{"AutoModelForCausalLM", "modeling_own.OwnModel"}}}}),
              ElementsAre(AllOf(HasSubstr("auto_map"), HasSubstr("modeling_own.OwnModel"), HasSubstr("not run"))));
}

// As they lie on the hub: what these files state beyond the sizes changes nothing, and is not noise.
TEST(ConfigFields, CommonFilesOfTheHubGetNoNote) {
  EXPECT_THAT(notes_on("gpt2", Json::parse(R"({"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1,
      "bos_token_id": 50256, "embd_pdrop": 0.1, "initializer_range": 0.02, "layer_norm_epsilon": 1e-05, "n_ctx": 1024, "n_embd": 768,
      "n_head": 12, "n_layer": 12, "n_positions": 1024, "resid_pdrop": 0.1, "summary_activation": null, "summary_first_dropout": 0.1,
      "summary_proj_to_labels": true, "summary_type": "cls_index", "summary_use_proj": true, "vocab_size": 50257,
      "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}}})")),
              IsEmpty());
  EXPECT_THAT(notes_on("bert", Json::parse(R"({"gradient_checkpointing": false, "position_embedding_type": "absolute", "use_cache": true,
      "directionality": "bidi", "pooler_fc_size": 768, "pooler_type": "first_token_transform", "transformers_version": "4.6.0.dev0"})")),
              IsEmpty());
  EXPECT_THAT(notes_on("bart", Json::parse(R"({"_num_labels": 3, "add_bias_logits": false, "add_final_layer_norm": false,
      "classif_dropout": 0.1, "early_stopping": true, "forced_eos_token_id": 2, "normalize_before": false, "normalize_embedding": true,
      "num_beams": 4, "static_position_embeddings": false, "extra_pos_embeddings": 2, "torch_dtype": "float32"})")),
              IsEmpty());
  EXPECT_THAT(notes_on("qwen2", Json::parse(R"({"use_mrope": false, "max_window_layers": 21, "sliding_window": 32768, "rope_theta": 1e6,
      "use_sliding_window": false, "torch_dtype": "bfloat16"})")),
              IsEmpty());
  EXPECT_THAT(notes_on("t5", Json::parse(R"({"n_positions": 512, "output_past": true, "is_encoder_decoder": true, "d_kv": 64})")),
              IsEmpty());
}

}  // namespace
}  // namespace headlight
