// How often reading maps asks whether to go on. Counted, not timed.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/dumps/attention_dump.h"
#include "engine/dumps/dump_masks.h"
#include "engine/dumps/dump_sums.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

constexpr int kSide = 300;

struct CountingProgress final : Progress {
  void step(double, std::string_view) override { check(); }
  void check() override {
    if (++checks > most) throw Cancelled{};
  }
  int checks = 0;
  int most = std::numeric_limits<int>::max();
};

/// A causal map that attends evenly: 1, 1/2 1/2, 1/3 1/3 1/3 …
std::vector<float> even_map() {
  std::vector<float> map(std::size_t{kSide} * kSide, 0.0F);
  for (int query = 0; query < kSide; ++query) {
    for (int key = 0; key <= query; ++key) {
      map[static_cast<std::size_t>(query) * kSide + static_cast<std::size_t>(key)] = 1.0F / static_cast<float>(query + 1);
    }
  }
  return map;
}

std::string as_json(const std::vector<float>& map) {
  std::string text = "[[";
  for (std::size_t at = 0; at < map.size(); ++at) {
    text += fmt::format("{}{}", at == 0 ? "[" : at % kSide == 0 ? "],[" : ",", map[at]);
  }
  return text + "]]]";
}

class DumpCancel : public ::testing::Test {
 protected:
  /// Checks of one reading; and a reading that is cancelled half way ends there.
  int checks_of(const std::filesystem::path& path) const {
    CountingProgress counting;
    EXPECT_EQ(read_attention_dump(path, counting).layers.at(0)->given_mask.origin, GivenMask::Origin::assumed);
    CountingProgress cancelling;
    cancelling.most = counting.checks / 2;
    EXPECT_THROW(read_attention_dump(path, cancelling), Cancelled);
    EXPECT_EQ(cancelling.checks, cancelling.most + 1);
    return counting.checks;
  }
  std::filesystem::path tensors() const {
    const std::vector<float> map = even_map();
    const std::vector<TensorToWrite> maps = {{"attention.0", {1, kSide, kSide}, map}};
    write_safetensors(folder_ / "maps.safetensors", maps, {});
    return folder_ / "maps.safetensors";
  }
  testing::TemporaryFolder folder_;
};

// Rows: the type of the numbers, sums, whether the map is causal, and weight outside the mask.
constexpr int kPassesOverRows = 4;

TEST_F(DumpCancel, MapsAreMeasuredRowByRow) {
  EXPECT_GE(checks_of(tensors()), kPassesOverRows * kSide);
}

TEST_F(DumpCancel, JsonIsReadNumberByNumber) {
  EXPECT_GE(checks_of(folder_.file("maps.json", as_json(even_map()))), kSide * kSide);
}

TEST_F(DumpCancel, EditedMasksAreComparedRowByRow) {
  SilentProgress silent;
  const AttentionDump dump = read_attention_dump(tensors(), silent);
  CountingProgress counting;
  with_edits(dump.layers[0], 0, {{{{}, "prefix:3", {}}}}, Stack::only, counting);
  EXPECT_GE(counting.checks, 2 * kSide);
}

}  // namespace
}  // namespace headlight
