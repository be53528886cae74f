// One forward pass of many kinds of models, as hashes of every bit that it leaves behind: equal in every build, on every processor, and for
// any number of threads. tests/CMakeLists.txt runs this for each instruction set. A change of a kernel that changes a hash changes
// everybody's figures: it has to be meant.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>

#include "engine/kernels/instruction_set.h"
#include "engine/pipeline/pipeline.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"

namespace headlight {
namespace {

using testing::query_of;
using testing::run;

/// FNV-1a, 64 bits, of numbers as they lie in memory.
class Hash {
 public:
  void add(const Matrix& matrix) {
    for (Index at = 0; at < matrix.size(); ++at) {
      const auto bits = std::bit_cast<std::uint32_t>(matrix.data()[at]);
      for (unsigned shift = 0; shift < 32; shift += 8) hash_ = (hash_ ^ ((bits >> shift) & 0xFFU)) * 0x100000001B3U;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

std::uint64_t hash_of(const SandboxSpec& spec, const ScoreSettings& score, int threads) {
  Pipeline pipeline(threads);
  Query query = query_of("Anna thanked the sailors because they had helped her carry seventeen heavy boxes up the hill.");
  query.model.sandbox = spec;
  query.score = score;
  const auto snapshot = run(pipeline, query);
  Hash hash;
  for (const auto& layer : snapshot->trace.layers) {
    hash.add(*layer->q.whole());
    for (const SharedRows* rows : {&layer->k, &layer->v, &layer->z, &layer->resid_post}) hash.add(*rows->whole());
    for (int head = 0; head < layer->heads; ++head) hash.add(rebuild_head(*layer, head).weights);
  }
  hash.add(*snapshot->trace.final_hidden.whole());
  return hash.value();
}

struct Golden {
  const char* name;
  SandboxSpec spec;
  ScoreSettings score;
  std::uint64_t hash;
};

std::array<Golden, 8> goldens() {
  return {{
      {"GPT-like", {.layers = 3, .positions = PositionKind::learned}, {}, 4424332749166197679U},
      {"BERT-like",
       {.layers = 3, .kind = SandboxKind::bidirectional, .norm_place = NormPlace::after, .activation = Activation::gelu_erf},
       {},
       15152185922585373987U},
      {"Llama-like",
       {.layers = 3, .kv_heads = 2, .positions = PositionKind::rotary, .norm = NormKind::rms_norm, .activation = Activation::silu},
       {},
       7840443742628669710U},
      {"T5-like",
       {.layers = 2, .kind = SandboxKind::encoder_decoder, .positions = PositionKind::t5_buckets, .activation = Activation::relu},
       {},
       3004201191902384397U},
      {"ALiBi",
       {.layers = 2, .d_model = 60, .heads = 6, .positions = PositionKind::alibi, .activation = Activation::gelu_quick},
       {},
       14691524854937595225U},
      {"soft-capped, with a sink", {.layers = 2}, {.softcap = 5.0F, .sink = 0.5F}, 10971819546281080345U},
      {"cosine", {.layers = 2}, {.kind = ScoreKind::cosine}, 2710403901107524553U},
      {"relative", {.layers = 2}, {.kind = ScoreKind::relative}, 2712280975799964177U},
  }};
}

TEST(GoldenBits, OfAForwardPassAreThoseOfEveryOtherMachine) {
  RecordProperty("instructions", instruction_set().name);
  for (const Golden& golden : goldens()) {
    for (const int threads : {1, 3}) {
      EXPECT_EQ(hash_of(golden.spec, golden.score, threads), golden.hash) << golden.name << ", " << instruction_set().name;
    }
  }
}

}  // namespace
}  // namespace headlight
