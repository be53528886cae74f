// GGUF files of every layout, written here from the tensors of a recorded model's folder as llama.cpp's converters lay them out: they must
// give what the folder gives.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"
#include "tests/formats/gguf_writer.h"
#include "tests/reference/recorded.h"

namespace headlight {
namespace {

using testing::GgufWriter;
using testing::TemporaryFolder;

/// A tensor's new name, and what the converter does to it.
struct Layout {
  std::string_view gguf, hugging_face;
  enum class Change { none, transposed, rotary_pairs } change = Change::none;
};

// gguf-py/gguf/tensor_mapping.py and convert_hf_to_gguf.py of llama.cpp.
const std::vector<Layout> kGpt2 = {{"token_embd", "transformer.wte"},
                                   {"position_embd", "transformer.wpe"},
                                   {"output_norm", "transformer.ln_f"},
                                   {"blk.{}.attn_norm", "transformer.h.{}.ln_1"},
                                   {"blk.{}.attn_qkv", "transformer.h.{}.attn.c_attn", Layout::Change::transposed},
                                   {"blk.{}.attn_output", "transformer.h.{}.attn.c_proj", Layout::Change::transposed},
                                   {"blk.{}.ffn_norm", "transformer.h.{}.ln_2"},
                                   {"blk.{}.ffn_up", "transformer.h.{}.mlp.c_fc", Layout::Change::transposed},
                                   {"blk.{}.ffn_down", "transformer.h.{}.mlp.c_proj", Layout::Change::transposed}};

std::vector<Layout> llama_layout(Layout::Change of_queries_and_keys) {
  return {{"token_embd", "model.embed_tokens"},
          {"output_norm", "model.norm"},
          {"output", "lm_head"},
          {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
          {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj", of_queries_and_keys},
          {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj", of_queries_and_keys},
          {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
          {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
          {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
          {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
          {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
          {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"}};
}

/// A folder's tensors and config, written anew.
class Conversion {
 public:
  Conversion(const std::filesystem::path& folder, const std::string& architecture)
      : config_(testing::read_json(folder / "config.json")), weights_(folder / "model.safetensors"), architecture_(architecture) {
    file_.text("general.architecture", architecture);
    file_.text("tokenizer.ggml.model", "gpt2");
    file_.text("tokenizer.ggml.pre", "gpt-2");
    std::vector<std::string> tokens;  // the test gives ids
    for (int id = 0; id < config_.at("vocab_size").get<int>(); ++id) tokens.push_back(fmt::format("t{}", id));
    file_.texts("tokenizer.ggml.tokens", tokens);
    file_.texts("tokenizer.ggml.merges", {});
  }

  void natural(std::string_view gguf, std::uint32_t value) { file_.natural(fmt::format("{}.{}", architecture_, gguf), value); }
  void size(std::string_view gguf, const char* hugging_face) { natural(gguf, config_.at(hugging_face).get<std::uint32_t>()); }
  void number(std::string_view gguf, double value) { file_.number(fmt::format("{}.{}", architecture_, gguf), static_cast<float>(value)); }
  void text(std::string_view gguf, std::string_view value) { file_.text(fmt::format("{}.{}", architecture_, gguf), value); }
  const Json& config() const { return config_; }

  void tensors(const std::vector<Layout>& layouts, int layers) {
    for (const Layout& layout : layouts) {
      const bool is_of_layer = layout.gguf.find("{}") != std::string_view::npos;
      for (int layer = 0; layer < (is_of_layer ? layers : 1); ++layer) {
        for (const char* kind : {".weight", ".bias"}) add(layout, layer, kind);
      }
    }
  }
  std::string bytes() const { return file_.bytes(); }
  int written() const { return written_; }
  std::size_t stored() const { return weights_.tensors().size(); }

 private:
  static std::string with_layer(std::string_view name, int layer) {
    std::string filled(name);
    if (const std::size_t hole = filled.find("{}"); hole != std::string::npos) filled.replace(hole, 2, std::to_string(layer));
    return filled;
  }

  void add(const Layout& layout, int layer, const char* kind) {
    const TensorInfo* info = weights_.find(with_layer(layout.hugging_face, layer) + kind);
    if (!info) return;
    FloatTensor tensor = weights_.read_floats(*info);
    const bool is_matrix = info->shape.size() == 2;
    if (layout.change == Layout::Change::transposed && is_matrix) tensor = transposed(tensor);
    if (layout.change == Layout::Change::rotary_pairs) tensor = with_neighbouring_pairs(tensor);
    std::vector<std::uint64_t> dimensions;
    for (const std::int64_t extent : tensor.shape) dimensions.insert(dimensions.begin(), static_cast<std::uint64_t>(extent));
    file_.floats(with_layer(layout.gguf, layer) + kind, dimensions, tensor.values);
    ++written_;
  }

  static FloatTensor transposed(const FloatTensor& tensor) {
    FloatTensor turned{{tensor.shape[1], tensor.shape[0]}, {}};
    for (std::int64_t column = 0; column < tensor.shape[1]; ++column) {
      for (std::int64_t row = 0; row < tensor.shape[0]; ++row) {
        turned.values.push_back(tensor.values[static_cast<std::size_t>(row * tensor.shape[1] + column)]);
      }
    }
    return turned;
  }

  /// Row 2n of a head is its row n, row 2n + 1 its row d_head / 2 + n.
  FloatTensor with_neighbouring_pairs(const FloatTensor& tensor) const {
    const auto width = static_cast<std::size_t>(tensor.shape.size() == 2 ? tensor.shape[1] : 1);
    const auto d_head = config_.at("hidden_size").get<std::size_t>() / config_.at("num_attention_heads").get<std::size_t>();
    FloatTensor permuted{tensor.shape, {}};
    for (std::size_t row = 0; row < tensor.values.size() / width; ++row) {
      const std::size_t within = row % d_head, source = row - within + within / 2 + (within % 2) * (d_head / 2);
      const auto begin = tensor.values.begin() + static_cast<std::ptrdiff_t>(source * width);
      permuted.values.insert(permuted.values.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    return permuted;
  }

  Json config_;
  SafetensorsFile weights_;
  std::string architecture_;
  GgufWriter file_;
  int written_ = 0;
};

std::string gpt2_file(const std::filesystem::path& folder) {
  Conversion file(folder, "gpt2");
  file.size("context_length", "n_positions");
  file.size("embedding_length", "n_embd");
  file.size("block_count", "n_layer");
  file.size("attention.head_count", "n_head");
  file.number("attention.layer_norm_epsilon", file.config().at("layer_norm_epsilon").get<double>());
  const Json& inner = file.config().at("n_inner");
  file.natural("feed_forward_length", inner.is_null() ? 4 * file.config().at("n_embd").get<std::uint32_t>() : inner.get<std::uint32_t>());
  file.tensors(kGpt2, file.config().at("n_layer").get<int>());
  EXPECT_EQ(file.written(), static_cast<int>(file.stored())) << "every tensor of the folder has its place";
  return file.bytes();
}

std::string llama_file(const std::filesystem::path& folder, const std::string& architecture) {
  Conversion file(folder, architecture);
  const Json& config = file.config();
  file.size("context_length", "max_position_embeddings");
  file.size("embedding_length", "hidden_size");
  file.size("block_count", "num_hidden_layers");
  file.size("feed_forward_length", "intermediate_size");
  file.size("attention.head_count", "num_attention_heads");
  file.size("attention.head_count_kv", "num_key_value_heads");
  file.number("attention.layer_norm_rms_epsilon", config.at("rms_norm_eps").get<double>());
  file.number("rope.freq_base", config.at("rope_theta").get<double>());
  if (const Json scaling = config.value("rope_scaling", Json()); scaling.is_object() && scaling.at("rope_type") == "yarn") {
    file.text("rope.scaling.type", "yarn");
    file.number("rope.scaling.factor", scaling.at("factor").get<double>());
    file.size("rope.scaling.original_context_length", "max_position_embeddings");
  }
  const bool has_pairs = architecture == "llama";
  file.tensors(llama_layout(has_pairs ? Layout::Change::rotary_pairs : Layout::Change::none), config.at("num_hidden_layers").get<int>());
  EXPECT_EQ(file.written(), static_cast<int>(file.stored())) << "every tensor of the folder has its place";
  return file.bytes();
}

std::shared_ptr<const Snapshot> run(const std::filesystem::path& model, Pipeline& pipeline) {
  Query query;
  query.model.name = model.string();
  for (int at = 1; at < 16; ++at) query.ids.push_back((7 * at) % 40);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

void expect_same_run(const std::filesystem::path& folder, const std::string& bytes) {
  const TemporaryFolder temporary;
  Pipeline pipeline;
  const auto of_folder = run(folder, pipeline), of_file = run(temporary.file("converted.gguf", bytes), pipeline);
  ASSERT_EQ(of_file->layers(), of_folder->layers());
  for (int layer = 0; layer < of_folder->layers(); ++layer) {
    ASSERT_EQ(of_file->heads(layer), of_folder->heads(layer));
    for (int head = 0; head < of_folder->heads(layer); ++head) {
      const Matrix difference = of_file->maps({layer, head}).weights - of_folder->maps({layer, head}).weights;
      EXPECT_LE(difference.cwiseAbs().maxCoeff(), 2e-6F) << "layer " << layer << " head " << head;
    }
  }
  const Matrix difference = compute_logits(*of_file->model, *of_file->trace.final_hidden.whole(), pipeline.pool()) -
                            compute_logits(*of_folder->model, *of_folder->trace.final_hidden.whole(), pipeline.pool());
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-5F);
}

std::filesystem::path recorded_model(const char* name) {
  return std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / name;
}

TEST(GgufLayouts, Gpt2GivesWhatItsFolderGives) {
  expect_same_run(recorded_model("gpt2"), gpt2_file(recorded_model("gpt2")));
}

TEST(GgufLayouts, Qwen2WithBiasesAndYarnGivesWhatItsFolderGives) {
  expect_same_run(recorded_model("qwen2-yarn"), llama_file(recorded_model("qwen2-yarn"), "qwen2"));
}

/// Its dynamic stretching, which GGUF has no word for, begins beyond the 16 positions of training: this text is shorter.
TEST(GgufLayouts, LlamaWithBiasesGivesWhatItsFolderGives) {
  expect_same_run(recorded_model("llama-dynamic"), llama_file(recorded_model("llama-dynamic"), "llama"));
}

}  // namespace
}  // namespace headlight
