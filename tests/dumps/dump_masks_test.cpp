#include "engine/dumps/dump_masks.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <cmath>
#include <limits>

#include "engine/dumps/attention_dump.h"
#include "engine/dumps/dump_sums.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Origin = GivenMask::Origin;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

class DumpMasks : public ::testing::Test {
 protected:
  AttentionDump read(const std::filesystem::path& path, std::optional<int> item = {}) const {
    SilentProgress progress;
    return read_attention_dump(path, progress, item);
  }
  AttentionDump json(const std::string& text) const { return read(folder_.file("maps.json", text)); }
  AttentionDump tensors(const std::vector<TensorToWrite>& all, const std::map<std::string, std::string>& metadata = {}) const {
    write_safetensors(folder_ / "maps.safetensors", all, metadata);
    return read(folder_ / "maps.safetensors");
  }
  testing::TemporaryFolder folder_;
};

/// Rows of 0 and 1, parted by "/".
std::string cells_of(const Mask& mask) {
  std::string text;
  for (Index query = 0; query < mask.queries(); ++query) {
    if (query > 0) text += "/";
    for (Index key = 0; key < mask.keys(); ++key) text += mask.allows(query, key) ? '1' : '0';
  }
  return text;
}

const std::vector<float> kCausal = {1, 0, 0, 0.5F, 0.5F, 0, 0.25F, 0.25F, 0.5F};
const std::vector<float> kFull(9, 1.0F / 3);

TEST_F(DumpMasks, TheItemsOfAOneLayerBatchHaveMasksOfTheirOwn) {
  std::vector<float> maps, masks;
  for (const int keys : {3, 1}) {  // the second text has but one key
    for (int row = 0; row < 3; ++row) {
      for (int key = 0; key < 3; ++key) {
        maps.push_back(key < keys ? 1.0F / static_cast<float>(keys) : 0);
        masks.push_back(key < keys ? 1 : 0);
      }
    }
  }
  write_npz(folder_ / "batch.npz", std::vector<TensorToWrite>{{"attention.0", {2, 1, 3, 3}, maps}, {"mask", {2, 1, 3, 3}, masks}}, {});
  const AttentionDump second = read(folder_ / "batch.npz", 1);
  EXPECT_EQ(second.layers.size(), 1U) << "the name has the layer's number: the first axis counts texts";
  EXPECT_EQ(cells_of(second.layers[0]->mask(0)), "100/100/100");
  std::vector<float> heads;  // two heads of each text
  for (int item = 0; item < 2; ++item) {
    for (int head = 0; head < 2; ++head) heads.insert(heads.end(), maps.begin() + item * 9, maps.begin() + item * 9 + 9);
  }
  heads.insert(heads.end(), kFull.begin(), kFull.end());  // a third text
  heads.insert(heads.end(), kFull.begin(), kFull.end());
  masks.insert(masks.end(), 9, 1.0F);
  write_npz(folder_ / "heads.npz", std::vector<TensorToWrite>{{"attention.0", {3, 2, 3, 3}, heads}, {"mask", {3, 3, 3}, masks}}, {});
  EXPECT_EQ(cells_of(read(folder_ / "heads.npz", 1).layers[0]->mask(1)), "100/100/100") << "[text, query, key]";
}

TEST_F(DumpMasks, OfPaddingIsNotReadAndSaysSo) {
  const std::vector<float> padding = {1, 1, 0};
  const AttentionDump dump = tensors({{"attention.0", {1, 3, 3}, kCausal}, {"attention_mask", {1, 3}, padding}});
  EXPECT_EQ(cells_of(dump.layers[0]->mask(0)), "100/110/111");
  EXPECT_THAT(dump.notices, ::testing::Contains(HasSubstr("attention_mask was ignored")));
}

TEST_F(DumpMasks, CausalIsAssumedOnlyWhereEveryWeightAboveTheDiagonalIsZero) {
  const AttentionDump causal = tensors({{"attention.0", {1, 3, 3}, kCausal}, {"attention.1", {1, 3, 3}, kFull}});
  EXPECT_EQ(causal.layers[0]->given_mask.origin, Origin::assumed);
  EXPECT_EQ(cells_of(causal.layers[0]->mask(0)), "100/110/111");
  EXPECT_EQ(causal.layers[1]->given_mask.origin, Origin::unknown);
  EXPECT_EQ(cells_of(causal.layers[1]->mask(0)), "111/111/111");
  std::vector<float> two = kCausal;
  two.insert(two.end(), kFull.begin(), kFull.end());
  EXPECT_EQ(tensors({{"attention.0", {2, 3, 3}, two}}).layers[0]->given_mask.origin, Origin::unknown) << "one head sees ahead";
  EXPECT_EQ(tensors({{"encoder.attention.0", {1, 3, 3}, kCausal}}).layers[0]->given_mask.origin, Origin::unknown);
}

TEST_F(DumpMasks, FewerQueriesThanKeysAreAlignedToTheLastKeys) {
  const std::vector<float> step = {0.5F, 0.25F, 0.25F, 0, 0.25F, 0.25F, 0.25F, 0.25F};
  const AttentionDump dump = tensors({{"attention.0", {1, 2, 4}, step}}, {{"tokens", R"(["a", "b", "c", "d"])"}});
  EXPECT_EQ(dump.layers[0]->given_mask.origin, Origin::assumed);
  EXPECT_EQ(cells_of(dump.layers[0]->mask(0)), "1110/1111");
  const AttentionDump said = tensors({{"attention.0", {1, 2, 4}, step}}, {{"headlight.mask", "causal + window:2"}});
  EXPECT_EQ(cells_of(said.layers[0]->mask(0)), "0110/0011");
  EXPECT_EQ(said.layers[0]->given[0].sums.forbidden_cells, 3);
  const AttentionDump other = tensors({{"attention.0", {1, 2, 4}, step}}, {{"query_tokens", R"(["x", "y"])"}});
  EXPECT_EQ(other.layers[0]->given_mask.origin, Origin::unknown) << "the queries are another text";
}

TEST_F(DumpMasks, AMaskOfTheFileIsReadInEveryFormat) {
  const std::string maps = R"("attention": [[[0.5, 0.5], [0, 1]]])";
  for (const char* mask : {R"("mask": [[1, 1], [0, 1]])", R"("mask": [[true, true], [false, true]])", R"("mask": [[[1, 1], [0, 1]]])",
                           R"("mask.0": [[1, 1], [0, 1]])", R"("mask": [[0, 0], [-Infinity, 0]])", R"("headlight.mask": "k >= q")",
                           R"("mask": "k >= q")", R"("metadata": {"headlight.mask": "k >= q"})"}) {
    const AttentionDump dump = json(fmt::format("{{{}, {}}}", maps, mask));
    EXPECT_EQ(cells_of(dump.layers[0]->mask(0)), "11/01") << mask;
    EXPECT_EQ(dump.layers[0]->given[0].sums.forbidden_cells, 0) << mask;
  }
  const std::vector<float> map = {0.5F, 0.5F, 0, 1}, mask = {1, 1, 0, 1}, added = {0, 0, kMinusInfinity, 0};
  for (const char* name : {"a.safetensors", "a.npz"}) {
    const auto write = std::string_view(name).ends_with("npz") ? write_npz : write_safetensors;
    for (const std::vector<float>& cells : {mask, added}) {
      write(folder_ / name, std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, map}, {"mask", {2, 2}, cells}}, {});
      EXPECT_EQ(cells_of(read(folder_ / name).layers[0]->mask(0)), "11/01") << name;
    }
    write(folder_ / name, std::vector<TensorToWrite>{{"attention.0", {1, 2, 2}, map}}, {{"headlight.mask", "k >= q"}});
    EXPECT_EQ(cells_of(read(folder_ / name).layers[0]->mask(0)), "11/01") << name;
  }
}

TEST_F(DumpMasks, LayersStacksAndHeadsHaveTheirOwn) {
  const std::vector<float> maps(8, 0.5F), none(4, 1), heads = {1, 0, 0, 1, 1, 1, 1, 1};
  const AttentionDump layers =
      tensors({{"attention.0", {2, 2, 2}, maps}, {"attention.1", {2, 2, 2}, maps}, {"mask", {2, 2}, none}, {"mask.1", {2, 2, 2}, heads}});
  EXPECT_EQ(cells_of(layers.layers[0]->mask(1)), "11/11");
  EXPECT_EQ(cells_of(layers.layers[1]->mask(0)), "10/01");
  EXPECT_EQ(cells_of(layers.layers[1]->mask(1)), "11/11");
  const AttentionDump stacks =
      tensors({{"encoder.attention.0", {2, 2, 2}, maps}, {"decoder.attention.0", {2, 2, 2}, maps}, {"cross.attention.0", {2, 2, 2}, maps}},
              {{"headlight.mask.encoder", "no-self"}, {"headlight.mask", "causal"}});
  EXPECT_EQ(cells_of(stacks.layers[0]->mask(0)), "01/10");
  EXPECT_EQ(cells_of(stacks.layers[1]->mask(0)), "10/11");
  EXPECT_EQ(cells_of(stacks.layers[2]->mask(0)), "11/11") << "causal means nothing between two texts";
}

TEST_F(DumpMasks, AMaskThatIsNoneIsRefused) {
  const auto refusal = [&](const std::string& mask) {
    const Error error = error_of([&] { json(R"({"attention": [[[0.5, 0.5], [0, 1]]], )" + mask + "}"); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.message();
  };
  EXPECT_THAT(refusal(R"("mask": [[1, 1, 1], [0, 1, 1]])"), AllOf(HasSubstr("does not fit"), HasSubstr("[2, 3]"), HasSubstr("[2, 2]")));
  EXPECT_THAT(refusal(R"("mask": [1, 1])"), HasSubstr("two to four axes"));
  EXPECT_THAT(refusal(R"("mask": [[NaN, 1], [0, 1]])"), HasSubstr("a mask cannot have"));
  EXPECT_THAT(refusal(R"("headlight.mask": "caussal")"), AllOf(HasSubstr("headlight.mask"), HasSubstr("caussal")));
}

TEST_F(DumpMasks, EditsAreLaidOverTheMaskOfTheFileAndShareItsMaps) {
  const AttentionDump dump = tensors({{"attention.0", {1, 3, 3}, kCausal}});
  const auto none = with_edits(dump.layers[0], 0, {{{{}, "none", {}}}}, Stack::only);
  EXPECT_EQ(cells_of(none->mask(0)), "111/111/111");
  EXPECT_EQ(none->given_mask.origin, Origin::edited);
  EXPECT_EQ(none->given[0].cells, dump.layers[0]->given[0].cells);
  const auto denied = with_edits(dump.layers[0], 0, {{{{}, "", {{2, 3, 0, 1, false}}}}}, Stack::only);
  EXPECT_EQ(cells_of(denied->mask(0)), "100/110/011");
  EXPECT_EQ(denied->given_mask.origin, Origin::assumed);
  EXPECT_EQ(denied->given[0].sums.forbidden_cells, 1);
  EXPECT_FALSE(denied->given[0].sums.are_weights());
  EXPECT_EQ(with_edits(dump.layers[0], 0, {}, Stack::only), dump.layers[0]);
}

// u + keys · (s/2 + 2^-24): float16 of 4,096 keys 4.9e-4 + 4,096 · 8.9e-8, bfloat16 of 64 keys 2^-8 + 64 · 2^-24.
TEST(SumTolerance, FollowsTheStoredTypeAndTheLength) {
  EXPECT_EQ(sum_tolerance(DType::f32, 64), 1e-3);
  EXPECT_EQ(sum_tolerance(DType::f16, 64), 1e-3);
  EXPECT_NEAR(sum_tolerance(DType::bf16, 64), 0.00390625 + 64 * 0x1p-24, 1e-12);
  EXPECT_NEAR(sum_tolerance(DType::f16, 65536), 0x1p-11 + 65536 * 0x1p-24 * 1.5, 1e-12);
}

/// The nearest number of bfloat16.
float to_bfloat16(double number) {
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  return static_cast<float>(std::ldexp(std::nearbyint(fraction * 256), exponent - 8));
}

TEST(SumTolerance, CoversWhatRoundingToBfloat16DoesToRowsAndNoMore) {
  for (const int keys : {2, 7, 64, 500}) {
    Matrix map(keys, keys);
    double worst = 0;
    for (int query = 0; query < keys; ++query) {
      double sum = 0, rounded = 0;
      for (int key = 0; key < keys; ++key) sum += std::exp(std::sin(query * 31.0 + key * 7.0));
      for (int key = 0; key < keys; ++key) {
        map(query, key) = to_bfloat16(std::exp(std::sin(query * 31.0 + key * 7.0)) / sum);
        rounded += static_cast<double>(map(query, key));
      }
      worst = std::max(worst, std::abs(rounded - 1));
    }
    EXPECT_TRUE(sums_of(map, DType::f32).are_weights()) << keys << ", off by " << worst << ": NumPy has no bfloat16";
    EXPECT_TRUE(sums_of(map, DType::bf16).are_weights()) << keys;
    map(0, 0) += 0.0078125F;
    EXPECT_FALSE(sums_of(map, DType::bf16).are_weights()) << keys;
  }
}

class DumpItems : public DumpMasks {};

TEST_F(DumpItems, ABatchThatAttendWroteIsAskedForItsItem) {
  std::vector<float> maps = kCausal;
  maps.insert(maps.end(), kFull.begin(), kFull.end());
  const std::vector<TensorToWrite> both = {{"attention", {2, 1, 3, 3}, maps}};
  for (const char* name : {"a.safetensors", "a.npz"}) {
    const std::filesystem::path path = folder_ / name;
    (path.extension() == ".npz" ? write_npz : write_safetensors)(path, both, {{"attend", "{}"}});
    const std::string refusal = error_of([&] { read(path); }).message();
    EXPECT_THAT(refusal, AllOf(HasSubstr("holds a batch of 2 texts"), HasSubstr("--item 0"), HasSubstr("--item 1")));
    const AttentionDump second = read(path, 1);
    ASSERT_EQ(second.layers.size(), 1U);
    EXPECT_EQ(second.layers[0]->given[0].weights()(0, 2), kFull[2]);
    EXPECT_EQ(read(path, 0).layers[0]->given[0].weights()(0, 0), 1);
    EXPECT_EQ(error_of([&] { read(path, 2); }).kind(), ErrorKind::usage);
  }
  write_safetensors(folder_ / "one.safetensors", std::vector<TensorToWrite>{{"attention", {1, 1, 3, 3}, kFull}}, {{"attend", "{}"}});
  EXPECT_EQ(read(folder_ / "one.safetensors").layers.size(), 1U);
}

TEST_F(DumpItems, HowFourAxesWereReadIsSaidWhereTheNameDoesNotSay) {
  const std::vector<float> maps(16, 0.5F);
  const auto notices = [&](const std::string& name, std::optional<int> item) {
    write_safetensors(folder_ / "four.safetensors", std::vector<TensorToWrite>{{name, {2, 2, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}});
    return read(folder_ / "four.safetensors", item).notices;
  };
  EXPECT_THAT(notices("attention", {}), ::testing::ElementsAre(HasSubstr("attention [2, 2, 2, 2] is read as [layers, heads, query, key]")));
  EXPECT_THAT(notices("attentions", {}), IsEmpty());
  EXPECT_THAT(notices("attention", 1), ::testing::ElementsAre(HasSubstr("one list of tokens for 2 texts")));
}

TEST_F(DumpItems, EachTextOfABatchHasItsOwnTokensWhereTheFileListsThem) {
  const std::vector<float> maps(16, 0.5F);
  const std::string tokens = R"([["The", "cat"], ["A", "horse"]])";
  const std::vector<TensorToWrite> both = {{"attention.0", {2, 2, 2, 2}, maps}};
  write_safetensors(folder_ / "batch.safetensors", both, {{"tokens", tokens}});
  write_npz(folder_ / "batch.npz", both, {{"tokens", tokens}});
  const std::string map = "[[[0.5, 0.5], [0.5, 0.5]]]";
  folder_.file("batch.json", R"({"attention": [)" + map + ", " + map + R"(], "tokens": )" + tokens + "}");
  for (const char* name : {"batch.safetensors", "batch.npz", "batch.json"}) {
    EXPECT_EQ(read(folder_ / name, 0).encoding->text, "The cat") << name;
    EXPECT_EQ(read(folder_ / name, 1).encoding->text, "A horse") << name;
    EXPECT_THAT(read(folder_ / name, 1).notices, IsEmpty()) << name;
  }
}

/// An array of texts as NumPy writes it: `shape` is Python's, texts of four characters.
std::string npy_of_texts(const std::string& shape, bool is_fortran, const std::vector<std::string>& texts) {
  std::string header = fmt::format("{{'descr': '<U4', 'fortran_order': {}, 'shape': {}, }}", is_fortran ? "True" : "False", shape);
  header.resize(117, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01", 7) + '\0' + static_cast<char>(header.size()) + '\0' + header;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < 4; ++at) bytes += std::string{at < text.size() ? text[at] : '\0', '\0', '\0', '\0'};
  }
  return bytes;
}

/// Members by name; the bytes must stay alive while it runs.
void write_archive(const std::filesystem::path& path, const std::map<std::string, std::string>& members) {
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const auto& [name, bytes] : members) {
    zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), ZIP_FL_ENC_UTF_8);
  }
  ASSERT_EQ(zip_close(archive), 0);
}

TEST_F(DumpItems, TokensOfABatchMayBeAnArrayOfTwoAxes) {
  const std::vector<float> maps(16, 0.5F);
  write_npy(folder_ / "maps.npy", {"", {2, 2, 2, 2}, maps});
  const std::string attention = testing::bytes_of(folder_ / "maps.npy");
  for (const bool is_fortran : {false, true}) {
    const std::vector<std::string> rows = {"The", "cat", "A", "hen"}, columns = {"The", "A", "cat", "hen"};
    const std::string tokens = npy_of_texts("(2, 2)", is_fortran, is_fortran ? columns : rows);
    write_archive(folder_ / "batch.npz", {{"attention.0.npy", attention}, {"tokens.npy", tokens}});
    EXPECT_EQ(read(folder_ / "batch.npz", 0).encoding->text, "The cat");
    EXPECT_EQ(read(folder_ / "batch.npz", 1).encoding->text, "A hen");
    EXPECT_THAT(read(folder_ / "batch.npz", 1).notices, IsEmpty());
  }
  write_archive(folder_ / "cube.npz", {{"attention.0.npy", attention}, {"tokens.npy", npy_of_texts("(1, 2, 1)", false, {"The", "cat"})}});
  EXPECT_THAT(error_of([&] { read(folder_ / "cube.npz", 0); }).message(), HasSubstr("at most two dimensions"));
}

TEST_F(DumpItems, TokensBesideAFileMayBeAListForEachText) {
  const std::vector<float> maps(16, 0.5F);
  write_npy(folder_ / "maps.npy", {"", {2, 2, 2, 2}, maps});
  folder_.file("maps.tokens.json", R"([["The", "cat"], ["A", "hen"]])");
  EXPECT_EQ(read(folder_ / "maps.npy", 0).encoding->text, "The cat");
  EXPECT_EQ(read(folder_ / "maps.npy", 1).encoding->text, "A hen");
  EXPECT_THAT(read(folder_ / "maps.npy", 1).notices, IsEmpty());
  folder_.file("maps.tokens.json", R"([["The", "cat"], "A"])");
  EXPECT_THAT(error_of([&] { read(folder_ / "maps.npy", 0); }).message(), HasSubstr("one such list for each text of a batch"));
}

TEST_F(DumpItems, MasksAndLayersOfABatchAreOfTheSameItem) {
  std::vector<float> maps(2 * 2 * 4, 0.5F), mask = {1, 1, 1, 1, 1, 0, 0, 1};
  maps[12] = 0.25F;  // layer 1, item 1
  write_safetensors(folder_ / "five.safetensors",
                    std::vector<TensorToWrite>{{"attentions", {2, 2, 1, 2, 2}, maps}, {"mask", {2, 1, 2, 2}, mask}}, {});
  const AttentionDump dump = read(folder_ / "five.safetensors", 1);
  ASSERT_EQ(dump.layers.size(), 2U);
  EXPECT_EQ(dump.layers[1]->given[0].weights()(0, 0), 0.25F);
  EXPECT_EQ(cells_of(dump.layers[0]->mask(0)), "10/01");
}

TEST_F(DumpMasks, TokensWithoutBlankMarksAreReadAsWords) {
  const auto text = [&](const std::string& tokens, int count) {
    const std::vector<float> map(static_cast<std::size_t>(count * count), 1.0F / static_cast<float>(count));
    return tensors({{"attention.0", {1, count, count}, map}}, {{"tokens", tokens}}).encoding->text;
  };
  EXPECT_EQ(text(R"(["The", "horse", "gallops"])", 3), "The horse gallops");
  EXPECT_EQ(text(R"(["[CLS]", "gal", "##lops", "##"])", 4), "[CLS] gallops ##");
  EXPECT_EQ(text(R"(["the</w>", "gal", "lops</w>"])", 3), "the gallops");
  EXPECT_EQ(text(R"(["The", " horse", "!"])", 3), "The horse!");
  EXPECT_EQ(text(R"(["The", "Ġhorse", "!"])", 3), "The horse!");
}

}  // namespace
}  // namespace headlight
