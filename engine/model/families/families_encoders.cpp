// Encoders: BERT and its relatives. Norms come after each part, and heads see both sides.
#include <fmt/core.h>

#include "engine/model/families/family_config.h"
#include "engine/model/families/family_stores.h"
#include "engine/model/families/family_tables.h"

namespace headlight {
namespace encoder_layouts {
namespace {

using enum Axis;
using store::L;
using P = Parameters;

constexpr ConfigKeys kKeys{.usual_epsilon = 1e-12};

FileConfig read_encoder(const JsonFields& fields, const ConfigKeys& keys) {
  FileConfig file = read_sizes(fields, keys, "gelu");
  ModelConfig& sizes = file.sizes;
  sizes.mask.is_causal = sizes.mask.is_causal && fields.boolean_or("is_decoder", false);
  const bool claims_causal = fields.has("is_causal") && fields.boolean_or("is_causal", false) && !sizes.mask.is_causal;
  if (claims_causal) {
    file.notices.push_back(
        fmt::format("{}: is_causal is true, which is not applied: without is_decoder every token sees both sides.", fields.file()));
  }
  sizes.norm.place = NormPlace::after;
  if (sizes.positions.most == 0) sizes.positions.most = 512;
  sizes.logits.activation = sizes.feed_forward.activation;
  file.types = read_size_or(fields, "type_vocab_size", 2, kMostRows);
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  const std::string positions = fields.text_or("position_embedding_type", "absolute");
  if (positions != "absolute") {
    fields.refuse("position_embedding_type", "this position encoding is not supported", in_quotes(positions), "\"absolute\"");
  }
  return file;
}

/// BERT (Devlin et al. 2019, arXiv 1810.04805).
FileConfig read_bert(const JsonFields& fields) {
  return read_encoder(fields, kKeys);
}

/// RoBERTa (Liu et al. 2019, arXiv 1907.11692), XLM-R, CamemBERT: positions begin after the padding's.
FileConfig read_roberta(const JsonFields& fields) {
  FileConfig file = read_encoder(fields, kKeys);
  file.position_offset = static_cast<int>(fields.integer_or("pad_token_id", 1, 0, kMostRows - 1)) + 1;
  if (file.position_offset >= file.sizes.positions.most) {
    fields.refuse("max_position_embeddings", "no positions after the padding's", std::to_string(file.sizes.positions.most),
                  "more than pad_token_id + 1");
  }
  file.sizes.positions.most -= file.position_offset;
  file.sizes.logits.activation = Activation::gelu_erf;
  return file;
}

/// ELECTRA (Clark et al. 2020, arXiv 2003.10555): a table that may be narrower than the stream.
FileConfig read_electra(const JsonFields& fields) {
  FileConfig file = read_encoder(fields, kKeys);
  file.d_embedding = read_size_or(fields, "embedding_size", file.sizes.d_model, kWidest);
  file.set(Part::projection, file.d_embedding != file.sizes.d_model);
  file.sizes.logits.activation = Activation::gelu_erf;
  return file;
}

/// ALBERT (Lan et al. 2020, arXiv 1909.11942): layers that share parameters, and a narrow table.
FileConfig read_albert(const JsonFields& fields) {
  FileConfig file = read_encoder(fields, kKeys);
  file.sizes.mask.is_causal = false;  // its code has no decoder
  file.sizes.feed_forward.activation = read_activation(fields, "hidden_act", "gelu_new");
  file.sizes.logits.activation = file.sizes.feed_forward.activation;
  file.d_embedding = read_size_or(fields, "embedding_size", 128, kWidest);
  file.groups = read_size_or(fields, "num_hidden_groups", 1, kMostLayers);
  if (file.groups > file.sizes.layers) fields.refuse("num_hidden_groups", "more groups than layers", std::to_string(file.groups));
  if (const int inner = read_size_or(fields, "inner_group_num", 1, kMostLayers); inner != 1) {
    fields.refuse("inner_group_num", "several layers in a group are not supported", std::to_string(inner), "1");
  }
  return file;
}

constexpr KeySpelling kDistilOthers[] = {{"n_layers", "num_hidden_layers"}, {"dim", "hidden_size"}, {"n_heads", "num_attention_heads"}};
constexpr ConfigKeys kDistilKeys{.layers = "n_layers",
                                 .d_model = "dim",
                                 .heads = "n_heads",
                                 .d_ff = "hidden_dim",
                                 .positions = "max_position_embeddings",
                                 .epsilon = {},
                                 .activation = "activation",
                                 .others = kDistilOthers};

/// DistilBERT (Sanh et al. 2019, arXiv 1910.01108). The positions of sinusoidal_pos_embds are stored like learned ones.
FileConfig read_distilbert(const JsonFields& fields) {
  FileConfig file = read_encoder(fields, kDistilKeys);
  file.sizes.mask.is_causal = false;  // its code has no decoder
  file.sizes.norm.epsilon = 1e-12F;
  file.types = 0;
  return file;
}

// The rows of BERT's layout.
constexpr TensorRow kWords{"embeddings.word_embeddings.weight", {vocabulary, d_embedding}, store::table};
constexpr TensorRow kPositions{"embeddings.position_embeddings.weight", {positions, d_embedding}, store::positions};
constexpr TensorRow kTypes{"embeddings.token_type_embeddings.weight", {types, d_embedding}, store::types};
constexpr TensorRow kEmbeddingGain{"embeddings.LayerNorm.weight", {d_embedding}, store::embedding_gain};
constexpr TensorRow kEmbeddingShift{"embeddings.LayerNorm.bias", {d_embedding}, store::embedding_shift};
constexpr TensorRow kQ{"encoder.layer.{}.attention.self.query.weight", {q_width, d_model}, store::weight<&L::q>};
constexpr TensorRow kQBias{"encoder.layer.{}.attention.self.query.bias", {q_width}, store::bias<&L::q>};
constexpr TensorRow kK{"encoder.layer.{}.attention.self.key.weight", {kv_width, d_model}, store::weight<&L::k>};
constexpr TensorRow kKBias{"encoder.layer.{}.attention.self.key.bias", {kv_width}, store::bias<&L::k>};
constexpr TensorRow kV{"encoder.layer.{}.attention.self.value.weight", {kv_width, d_model}, store::weight<&L::v>};
constexpr TensorRow kVBias{"encoder.layer.{}.attention.self.value.bias", {kv_width}, store::bias<&L::v>};
constexpr TensorRow kO{"encoder.layer.{}.attention.output.dense.weight", {d_model, q_width}, store::weight<&L::o>};
constexpr TensorRow kOBias{"encoder.layer.{}.attention.output.dense.bias", {d_model}, store::bias<&L::o>};
constexpr TensorRow kGain1{"encoder.layer.{}.attention.output.LayerNorm.weight", {d_model}, store::gain<&L::norm_1>};
constexpr TensorRow kShift1{"encoder.layer.{}.attention.output.LayerNorm.bias", {d_model}, store::shift<&L::norm_1>};
constexpr TensorRow kInner{"encoder.layer.{}.intermediate.dense.weight", {d_ff, d_model}, store::weight<&L::ff_in>};
constexpr TensorRow kInnerBias{"encoder.layer.{}.intermediate.dense.bias", {d_ff}, store::bias<&L::ff_in>};
constexpr TensorRow kOuter{"encoder.layer.{}.output.dense.weight", {d_model, d_ff}, store::weight<&L::ff_out>};
constexpr TensorRow kOuterBias{"encoder.layer.{}.output.dense.bias", {d_model}, store::bias<&L::ff_out>};
constexpr TensorRow kGain2{"encoder.layer.{}.output.LayerNorm.weight", {d_model}, store::gain<&L::norm_2>};
constexpr TensorRow kShift2{"encoder.layer.{}.output.LayerNorm.bias", {d_model}, store::shift<&L::norm_2>};

constexpr std::array kBertLayers = {kWords,     kPositions, kTypes, kEmbeddingGain, kEmbeddingShift, kQ,      kQBias, kK,         kKBias,
                                    kV,         kVBias,     kO,     kOBias,         kGain1,          kShift1, kInner, kInnerBias, kOuter,
                                    kOuterBias, kGain2,     kShift2};

constexpr TensorRow kBertHead[] = {
    {"cls.predictions.transform.dense.weight", {d_model, d_model}, store::prediction_dense, Part::logits},
    {"cls.predictions.transform.dense.bias", {d_model}, store::prediction_dense_bias, Part::logits},
    {"cls.predictions.transform.LayerNorm.weight", {d_model}, store::prediction_gain, Part::logits},
    {"cls.predictions.transform.LayerNorm.bias", {d_model}, store::prediction_shift, Part::logits},
    {"cls.predictions.bias", {vocabulary}, store::prediction_bias, Part::logits},
    {"cls.predictions.decoder.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, kWords.name},
    {"cls.predictions.decoder.bias", {vocabulary}, store::prediction_bias, Part::logits_if_stored, Stack::only, "cls.predictions.bias"},
};
constexpr auto kBertTensors = joined_tables(kBertLayers, std::to_array(kBertHead));
constexpr std::string_view kBertPrefixes[] = {"bert."};
constexpr std::string_view kBertIgnored[] = {"embeddings.position_ids"};

constexpr TensorRow kRobertaHead[] = {
    {"lm_head.dense.weight", {d_model, d_model}, store::prediction_dense, Part::logits},
    {"lm_head.dense.bias", {d_model}, store::prediction_dense_bias, Part::logits},
    {"lm_head.layer_norm.weight", {d_model}, store::prediction_gain, Part::logits},
    {"lm_head.layer_norm.bias", {d_model}, store::prediction_shift, Part::logits},
    {"lm_head.bias", {vocabulary}, store::prediction_bias, Part::logits},
    {"lm_head.decoder.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, kWords.name},
    {"lm_head.decoder.bias", {vocabulary}, store::prediction_bias, Part::logits_if_stored, Stack::only, "lm_head.bias"},
};
constexpr auto kRobertaTensors = joined_tables(kBertLayers, std::to_array(kRobertaHead));
constexpr std::string_view kRobertaPrefixes[] = {"roberta."};
constexpr std::string_view kRobertaIgnored[] = {"embeddings.position_ids"};

constexpr TensorRow kElectraHead[] = {
    {"embeddings_project.weight", {d_model, d_embedding}, store::embedding_projection, Part::projection},
    {"embeddings_project.bias", {d_model}, store::embedding_projection_bias, Part::projection},
    {"generator_predictions.dense.weight", {d_embedding, d_model}, store::prediction_dense, Part::logits},
    {"generator_predictions.dense.bias", {d_embedding}, store::prediction_dense_bias, Part::logits},
    {"generator_predictions.LayerNorm.weight", {d_embedding}, store::prediction_gain, Part::logits},
    {"generator_predictions.LayerNorm.bias", {d_embedding}, store::prediction_shift, Part::logits},
    {"generator_lm_head.bias", {vocabulary}, store::prediction_bias, Part::logits},
    {"generator_lm_head.weight", {vocabulary, d_embedding}, store::prediction_table, Part::own_logits, Stack::only, kWords.name},
};
constexpr auto kElectraTensors = joined_tables(kBertLayers, std::to_array(kElectraHead));
constexpr std::string_view kElectraPrefixes[] = {"electra."};
constexpr std::string_view kElectraIgnored[] = {"embeddings.position_ids"};

constexpr TensorRow kAlbertTensors[] = {
    kWords,
    kPositions,
    kTypes,
    kEmbeddingGain,
    kEmbeddingShift,
    {"encoder.embedding_hidden_mapping_in.weight", {d_model, d_embedding}, store::embedding_projection},
    {"encoder.embedding_hidden_mapping_in.bias", {d_model}, store::embedding_projection_bias},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.query.weight", {q_width, d_model}, store::weight<&L::q>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.query.bias", {q_width}, store::bias<&L::q>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.key.weight", {kv_width, d_model}, store::weight<&L::k>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.key.bias", {kv_width}, store::bias<&L::k>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.value.weight", {kv_width, d_model}, store::weight<&L::v>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.value.bias", {kv_width}, store::bias<&L::v>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.dense.weight", {d_model, q_width}, store::weight<&L::o>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.dense.bias", {d_model}, store::bias<&L::o>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.LayerNorm.weight", {d_model}, store::gain<&L::norm_1>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.attention.LayerNorm.bias", {d_model}, store::shift<&L::norm_1>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn.weight", {d_ff, d_model}, store::weight<&L::ff_in>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn.bias", {d_ff}, store::bias<&L::ff_in>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn_output.weight", {d_model, d_ff}, store::weight<&L::ff_out>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.ffn_output.bias", {d_model}, store::bias<&L::ff_out>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.full_layer_layer_norm.weight", {d_model}, store::gain<&L::norm_2>},
    {"encoder.albert_layer_groups.{}.albert_layers.0.full_layer_layer_norm.bias", {d_model}, store::shift<&L::norm_2>},
    {"predictions.dense.weight", {d_embedding, d_model}, store::prediction_dense, Part::logits},
    {"predictions.dense.bias", {d_embedding}, store::prediction_dense_bias, Part::logits},
    {"predictions.LayerNorm.weight", {d_embedding}, store::prediction_gain, Part::logits},
    {"predictions.LayerNorm.bias", {d_embedding}, store::prediction_shift, Part::logits},
    {"predictions.bias", {vocabulary}, store::prediction_bias, Part::logits},
    {"predictions.decoder.weight", {vocabulary, d_embedding}, store::prediction_table, Part::own_logits, Stack::only, kWords.name},
    {"predictions.decoder.bias", {vocabulary}, store::prediction_bias, Part::logits_if_stored, Stack::only, "predictions.bias"},
};
constexpr std::string_view kAlbertPrefixes[] = {"albert."};
constexpr std::string_view kAlbertIgnored[] = {"embeddings.position_ids"};

constexpr TensorRow kDistilTensors[] = {
    kWords,
    kPositions,
    kEmbeddingGain,
    kEmbeddingShift,
    {"transformer.layer.{}.attention.q_lin.weight", {q_width, d_model}, store::weight<&L::q>},
    {"transformer.layer.{}.attention.q_lin.bias", {q_width}, store::bias<&L::q>},
    {"transformer.layer.{}.attention.k_lin.weight", {kv_width, d_model}, store::weight<&L::k>},
    {"transformer.layer.{}.attention.k_lin.bias", {kv_width}, store::bias<&L::k>},
    {"transformer.layer.{}.attention.v_lin.weight", {kv_width, d_model}, store::weight<&L::v>},
    {"transformer.layer.{}.attention.v_lin.bias", {kv_width}, store::bias<&L::v>},
    {"transformer.layer.{}.attention.out_lin.weight", {d_model, q_width}, store::weight<&L::o>},
    {"transformer.layer.{}.attention.out_lin.bias", {d_model}, store::bias<&L::o>},
    {"transformer.layer.{}.sa_layer_norm.weight", {d_model}, store::gain<&L::norm_1>},
    {"transformer.layer.{}.sa_layer_norm.bias", {d_model}, store::shift<&L::norm_1>},
    {"transformer.layer.{}.ffn.lin1.weight", {d_ff, d_model}, store::weight<&L::ff_in>},
    {"transformer.layer.{}.ffn.lin1.bias", {d_ff}, store::bias<&L::ff_in>},
    {"transformer.layer.{}.ffn.lin2.weight", {d_model, d_ff}, store::weight<&L::ff_out>},
    {"transformer.layer.{}.ffn.lin2.bias", {d_model}, store::bias<&L::ff_out>},
    {"transformer.layer.{}.output_layer_norm.weight", {d_model}, store::gain<&L::norm_2>},
    {"transformer.layer.{}.output_layer_norm.bias", {d_model}, store::shift<&L::norm_2>},
    {"vocab_transform.weight", {d_model, d_model}, store::prediction_dense, Part::logits},
    {"vocab_transform.bias", {d_model}, store::prediction_dense_bias, Part::logits},
    {"vocab_layer_norm.weight", {d_model}, store::prediction_gain, Part::logits},
    {"vocab_layer_norm.bias", {d_model}, store::prediction_shift, Part::logits},
    {"vocab_projector.bias", {vocabulary}, store::prediction_bias, Part::logits},
    {"vocab_projector.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, kWords.name},
};
constexpr std::string_view kDistilPrefixes[] = {"distilbert."};
constexpr std::string_view kDistilIgnored[] = {"embeddings.position_ids"};

constexpr FamilyRow kRows[] = {
    {"bert", "BERT", read_bert, kBertPrefixes, kBertTensors, kBertIgnored, "cls.predictions.transform.dense.weight"},
    {"distilbert", "DistilBERT", read_distilbert, kDistilPrefixes, kDistilTensors, kDistilIgnored, "vocab_transform.weight"},
    {"roberta", "RoBERTa", read_roberta, kRobertaPrefixes, kRobertaTensors, kRobertaIgnored, "lm_head.dense.weight"},
    {"xlm-roberta", "XLM-R", read_roberta, kRobertaPrefixes, kRobertaTensors, kRobertaIgnored, "lm_head.dense.weight"},
    {"camembert", "CamemBERT", read_roberta, kRobertaPrefixes, kRobertaTensors, kRobertaIgnored, "lm_head.dense.weight"},
    {"albert", "ALBERT", read_albert, kAlbertPrefixes, kAlbertTensors, kAlbertIgnored, "predictions.dense.weight"},
    {"electra", "ELECTRA", read_electra, kElectraPrefixes, kElectraTensors, kElectraIgnored, "generator_predictions.dense.weight"},
};

}  // namespace
}  // namespace encoder_layouts

std::span<const FamilyRow> encoder_families() {
  return encoder_layouts::kRows;
}

}  // namespace headlight
