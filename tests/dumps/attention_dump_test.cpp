#include "engine/dumps/attention_dump.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "engine/core/random.h"
#include "engine/dumps/dump_json.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// Rows that sum to 1: cell (head, query, key) of a layer is its own number among all, over the sum of its row.
std::vector<float> maps_of(int heads, int queries, int keys, int first = 1) {
  std::vector<float> values;
  for (int row = 0; row < heads * queries; ++row) {
    float sum = 0;
    for (int key = 0; key < keys; ++key) sum += static_cast<float>(first + row * keys + key);
    for (int key = 0; key < keys; ++key) values.push_back(static_cast<float>(first + row * keys + key) / sum);
  }
  return values;
}

std::vector<std::string> tokens_of(const Encoding& encoding) {
  std::vector<std::string> texts;
  for (const Token& token : encoding.tokens) texts.push_back(token.text);
  return texts;
}

class Dump : public ::testing::Test {
 protected:
  AttentionDump read(const std::filesystem::path& path) const {
    SilentProgress progress;
    return read_attention_dump(path, progress);
  }
  AttentionDump read(std::string_view name, std::string_view bytes) const { return read(folder_.file(name, bytes)); }
  std::string refusal(const std::filesystem::path& path) const {
    const Error error = error_of([&] { read(path); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.message(), HasSubstr(path.filename().string()));
    return error.message();
  }
  std::string json_refusal(std::string_view bytes) const { return refusal(folder_.file("m.json", bytes)); }
  std::filesystem::path write(std::string_view name, const std::vector<TensorToWrite>& tensors,
                              const std::map<std::string, std::string>& metadata = {}) const {
    const std::filesystem::path path = folder_ / name;
    (path.extension() == ".npz" ? write_npz : write_safetensors)(path, tensors, metadata);
    return path;
  }
  TemporaryFolder folder_;
};

TEST_F(Dump, LayersOfDifferentlyManyTextsAreRefused) {
  const std::vector<float> three(24, 0.5F), two(16, 0.5F);
  const auto path = write("a.safetensors", {{"attention.0", {3, 2, 2, 2}, three}, {"attention.1", {2, 2, 2, 2}, two}});
  SilentProgress progress;
  EXPECT_THAT(error_of([&] { read_attention_dump(path, progress, 0); }).message(),
              AllOf(HasSubstr("attention.1"), HasSubstr("different numbers of texts"), HasSubstr("3, as in attention.0")));
}

TEST_F(Dump, LayersAreFoundByTheirNumbersAndTokensInTheMetadata) {
  const std::vector<float> first = maps_of(2, 3, 3), second = maps_of(2, 3, 3, 50), scores(18, 7.0F);
  for (const char* name : {"a.safetensors", "a.npz"}) {
    const AttentionDump dump =
        read(write(name, {{"attention.1", {2, 3, 3}, second}, {"scores.0", {2, 3, 3}, scores}, {"attention.0", {2, 3, 3}, first}},
                   {{"tokens", R"(["a", "Ġb", "c"])"}, {"text", "\"a b c\""}}));
    ASSERT_EQ(dump.layers.size(), 2U) << name;
    EXPECT_EQ(dump.layers[0]->given.size(), 2U);
    EXPECT_EQ(dump.layers[0]->given[1].weights()(2, 1), first[9 + 7]);
    EXPECT_EQ(dump.layers[1]->given[0].weights()(1, 2), second[5]);
    EXPECT_THAT(tokens_of(*dump.encoding), ElementsAre("a", "Ġb", "c"));
    EXPECT_EQ(dump.encoding->text, "a b c");  // as the file says
    EXPECT_EQ(dump.decoder_encoding, nullptr);
    EXPECT_TRUE(dump.notices.empty()) << dump.notices.front();
    EXPECT_EQ(dump.model->config.layers, 2);
    EXPECT_EQ(dump.model->config.heads.count, 2);
  }
}

TEST_F(Dump, BatchesOfOneAndStackedLayersAreUnderstood) {
  const std::vector<float> maps = maps_of(6, 2, 2);
  EXPECT_EQ(read(write("a.safetensors", {{"attentions", {3, 2, 2, 2}, maps}})).layers.size(), 3U);
  EXPECT_EQ(read(write("b.safetensors", {{"attentions", {3, 1, 2, 2, 2}, maps}})).layers.size(), 3U);
  const AttentionDump one = read(write("c.safetensors", {{"attn_0", {1, 6, 2, 2}, maps}, {"attn_1", {1, 6, 2, 2}, maps}}));
  EXPECT_EQ(one.layers.size(), 2U);
  EXPECT_EQ(one.model->config.heads.count, 6);
  EXPECT_THAT(refusal(write("d.safetensors", {{"attn_0", {3, 2, 2, 2}, maps}, {"attn_1", {3, 2, 2, 2}, maps}})),
              HasSubstr("holds a batch of 3 texts"));
  const AttentionDump unnamed = read(write("e.npz", {{"arr_0", {6, 2, 2}, maps}, {"arr_1", {6, 2, 2}, maps}}));
  EXPECT_EQ(unnamed.layers.size(), 2U);
}

TEST_F(Dump, OneArrayOfNumPyWithItsTokensBesideIt) {
  const std::vector<float> maps = maps_of(4, 3, 3);
  write_npy(folder_ / "maps.npy", {"", {2, 2, 3, 3}, maps});
  EXPECT_THAT(tokens_of(*read(folder_ / "maps.npy").encoding), ElementsAre("0", "1", "2"));
  constexpr const char* kAxes =
      "The array [2, 2, 3, 3] is read as [layers, heads, query, key]. If its first axis counts the texts of a batch, choose one of them: "
      "First "
      "axis in the window, --item N on the command line.";
  EXPECT_THAT(read(folder_ / "maps.npy").notices, ElementsAre(HasSubstr("names no tokens"), kAxes));
  EXPECT_THAT(read(folder_ / "maps.npy").axes.assumed, ElementsAre("first axis taken as layers", "tokens only numbered"));
  folder_.file("maps.tokens.txt", "the\ncat\r\nsat\n");
  EXPECT_THAT(tokens_of(*read(folder_ / "maps.npy").encoding), ElementsAre("the", "cat", "sat"));
  EXPECT_THAT(read(folder_ / "maps.npy").axes.assumed, ElementsAre("first axis taken as layers"));
  folder_.file("maps.npy.tokens.json", R"(["a", "b", "c"])");
  EXPECT_THAT(tokens_of(*read(folder_ / "maps.npy").encoding), ElementsAre("a", "b", "c"));
  folder_.file("maps.npy.tokens.json", R"(["a", "b"])");
  EXPECT_THAT(read(folder_ / "maps.npy").notices, ElementsAre("2 tokens do not fit maps of 3: they are numbered.", kAxes));
}

TEST_F(Dump, JsonAsBertVizHasIt) {
  const AttentionDump dump = read("view.json", R"({"attention": [{"name": null, "attn": [[[[1, 0], [0.25, 0.75]], [[1, 0], [0.5, 0.5]]]],
                                                   "left_text": ["The", "cat"], "right_text": ["The", "cat"]}], "bidirectional": true})");
  ASSERT_EQ(dump.layers.size(), 1U);
  EXPECT_EQ(dump.layers[0]->given.size(), 2U);
  EXPECT_EQ(dump.layers[0]->given[0].weights()(1, 1), 0.75F);
  EXPECT_THAT(tokens_of(*dump.encoding), ElementsAre("The", "cat"));
  const AttentionDump plain = read("plain.json", "[[[1, 0], [0.5, 0.5]]]");
  EXPECT_EQ(plain.layers.size(), 1U);
  EXPECT_EQ(plain.model->config.heads.count, 1);
}

TEST_F(Dump, EntriesOfBertVizAreReadByTheirNames) {
  // One layer of one head: 3 tokens for the encoder, 2 for the decoder; two layers of the decoder.
  const std::string encoder = "[[[[1, 0, 0], [0, 1, 0], [0, 0, 1]]], [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]]]";
  const std::string decoder = "[[[[1, 0], [0.5, 0.5]]], [[[1, 0], [0, 1]]]]";
  const std::string cross = "[[[[1, 0, 0], [0, 1, 0]]], [[[0, 0, 1], [0, 1, 0]]]]";
  const auto entry = [](const std::string& name, const std::string& maps, const std::string& left, const std::string& right) {
    return R"({"attn": )" + maps + R"(, "name": )" + name + R"(, "left_text": )" + left + R"(, "right_text": )" + right + "}";
  };
  const std::string three = R"(["a", "b", "c"])", two = R"(["x", "y"])";
  const AttentionDump all =
      read("t5.json", R"({"attn": [)" + entry(R"("Decoder")", decoder, two, two) + "," + entry(R"("Encoder")", encoder, three, three) +
                          "," + entry(R"("Cross")", cross, two, three) + "]}");
  EXPECT_EQ(all.model->config.stacks.encoder_layers, 2);
  ASSERT_EQ(all.layers.size(), 6U);
  EXPECT_EQ(all.layers[5]->given[0].weights()(0, 2), 1);
  EXPECT_THAT(tokens_of(*all.encoding), ElementsAre("a", "b", "c"));
  EXPECT_THAT(tokens_of(*all.decoder_encoding), ElementsAre("x", "y"));
  const AttentionDump pair = read("pair.json", R"({"attn": [)" + entry(R"("Sentence A -> Sentence B")", cross, two, three) + "," +
                                                   entry(R"("All")", encoder, three, three) + "]}");
  EXPECT_EQ(pair.layers.size(), 2U);
  EXPECT_THAT(tokens_of(*pair.encoding), ElementsAre("a", "b", "c"));
  const AttentionDump older = read("old.json", R"({"all": )" + entry("null", encoder, three, three) + R"(, "ab": )" +
                                                   entry("null", cross, two, three) + R"(, "attention": 1})");
  EXPECT_EQ(older.layers.size(), 2U);
  EXPECT_THAT(json_refusal(R"({"attn": [)" + entry(R"("A")", encoder, three, three) + "," + entry("null", encoder, three, three) + "]}"),
              HasSubstr(R"(holds several lists of maps; found "A", one without a name, expected one, or those that are named Encoder)"));
}

TEST_F(Dump, JsonMayHoldNanAsPythonWritesIt) {
  const AttentionDump dump = read("nan.json", R"({"attention": [[[NaN, 1], [Infinity, -Infinity]]], "tokens": ["NaN", "\"Infinity"]})");
  const Matrix& map = dump.layers[0]->given[0].weights();
  EXPECT_TRUE(std::isnan(map(0, 0)));
  EXPECT_EQ(map(0, 1), 1);
  EXPECT_EQ(map(1, 0), std::numeric_limits<float>::infinity());
  EXPECT_EQ(map(1, 1), -std::numeric_limits<float>::infinity());
  EXPECT_THAT(tokens_of(*dump.encoding), ElementsAre("NaN", "\"Infinity"));
  EXPECT_THAT(json_refusal(R"([[[1, ""], [0, 1]]])"), HasSubstr("holds something else"));
  EXPECT_FALSE(json_refusal("[[[1, nan], [0, 1]]]").empty());
  EXPECT_FALSE(json_refusal("[[[1, NaNs], [0, 1]]]").empty());
}

TEST_F(Dump, TokensThatCannotBeReadAreSaid) {
  const std::vector<float> maps = maps_of(1, 2, 2);
  const AttentionDump text = read(write("a.safetensors", {{"attention.0", {1, 2, 2}, maps}}, {{"tokens", "The cat"}}));
  EXPECT_THAT(text.notices, ElementsAre(R"(The tokens are numbered: tokens is "The cat", not a JSON list of strings.)"));
  const AttentionDump json = read("b.json", R"({"attention": [[[1, 0], [0, 1]]], "tokens": "The cat"})");
  EXPECT_THAT(json.notices, ElementsAre(HasSubstr(R"(tokens is "The cat", not a JSON list)")));
  EXPECT_EQ(text.encoding->text, "0 1");
}

TEST_F(Dump, EveryBlankMarkIsTakenForWhatItIs) {
  const std::vector<float> maps = maps_of(1, 3, 3);
  const AttentionDump dump = read(write("a.safetensors", {{"attention.0", {1, 3, 3}, maps}}, {{"tokens", R"(["The", "Ġcat", "▁sat"])"}}));
  EXPECT_EQ(dump.encoding->text, "The cat sat");
  for (const Token& token : dump.encoding->tokens) EXPECT_EQ(dump.model->tokenizer->label(token).has_leading_blank, token.id > 0);
}

TEST_F(Dump, JsonThatIsNotRectangularIsRefused) {
  EXPECT_THAT(json_refusal("[[[1, 0], [0.5]]]"), HasSubstr("not equally long"));
  EXPECT_THAT(json_refusal("[[[1, 0], 3]]"), HasSubstr("not nested equally deep"));
  EXPECT_THAT(json_refusal(R"([[[1, "x"], [0, 1]]])"), HasSubstr("holds something else"));
  EXPECT_THAT(json_refusal(R"([[[1, null], [0, 1]]])"), HasSubstr("holds something else"));
  EXPECT_THAT(json_refusal(R"({"a": 1, "b": ["x"]})"), HasSubstr("holds no attention maps"));
  EXPECT_THAT(json_refusal("[[[[[[[[[1]]]]]]]]]"), HasSubstr("too many dimensions"));
  EXPECT_FALSE(json_refusal("[[[1, 2").empty());
}

TEST_F(Dump, AListInThePlaceOfANumberIsRefused) {
  for (const char* text : {"[1,[]]", "[1,[[]]]", "[[1],[[]]]", "[[[1,0],[0,[]]]]", R"({"attention": [1, [], 2]})", "[1,[[1]]]"}) {
    EXPECT_THAT(json_refusal(text), AllOf(HasSubstr("not nested equally deep"), HasSubstr("a list in"))) << text;
  }
  EXPECT_FALSE(json_refusal("[[1],[]]").empty());
  EXPECT_FALSE(json_refusal("[[],[1,[]]]").empty());
}

/// A JSON text of lists, objects and scalars in which every kind may stand anywhere.
std::string random_json(RandomStream& stream, int depth) {
  constexpr std::array<const char*, 8> kScalars = {"1", "0.5", "NaN", "-Infinity", "\"a\"", "true", "null", "0"};
  constexpr std::array<const char*, 6> kKeys = {"attention", "tokens", "name", "attn", "mask", "0"};
  const std::uint64_t choice = stream.next() % (depth > 0 ? 12 : 8);
  if (choice < 8) return kScalars[stream.next() % 3 == 0 ? choice : 0];
  const bool is_object = choice == 8;
  std::string text = is_object ? "{" : "[";
  const std::uint64_t count = stream.next() % 4;
  for (std::uint64_t at = 0; at < count; ++at) {
    if (at > 0) text += ",";
    if (is_object) text += fmt::format("\"{}{}\":", kKeys[stream.next() % kKeys.size()], at);
    text += random_json(stream, depth - 1);
  }
  return text + (is_object ? "}" : "]");
}

TEST_F(Dump, EveryJsonIsReadOrRefusedWithAnError) {
  RandomStream stream(1, "json");
  int refused = 0, read_whole = 0;
  for (int round = 0; round < 20'000; ++round) {
    DumpFile into;
    try {
      read_dump_json(random_json(stream, 6), into);
      ++read_whole;
      for (const DumpTensor& tensor : into.tensors) {
        std::int64_t size = 1;
        for (const std::int64_t side : tensor.shape) size *= side;
        ASSERT_EQ(size, std::ssize(tensor.values));
      }
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input) << error.message();
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read_whole, 1000);
}

TEST_F(Dump, EncoderDecoderMapsKeepTheirThreeStacks) {
  const std::vector<float> encoder = maps_of(2, 3, 3), decoder = maps_of(2, 2, 2), cross = maps_of(2, 2, 3);
  const std::vector<TensorToWrite> all = {
      {"encoder.attention.0", {2, 3, 3}, encoder}, {"decoder.attention.0", {2, 2, 2}, decoder}, {"cross.attention.0", {2, 2, 3}, cross}};
  const AttentionDump dump = read(write("t5.safetensors", all, {{"tokens", R"(["a", "b", "c"])"}, {"decoder.tokens", R"(["x", "y"])"}}));
  EXPECT_EQ(dump.model->config.stacks.encoder_layers, 1);
  ASSERT_EQ(dump.layers.size(), 3U);
  EXPECT_EQ(dump.layers[2]->given[1].weights()(1, 2), cross[11]);
  EXPECT_THAT(tokens_of(*dump.encoding), ElementsAre("a", "b", "c"));
  EXPECT_THAT(tokens_of(*dump.decoder_encoding), ElementsAre("x", "y"));
  EXPECT_TRUE(dump.model->config.stacks.places.empty()) << "counted as a model's";
}

TEST_F(Dump, EveryPartOfAnEncoderDecoderOpensAndKeepsItsStacks) {
  const std::vector<float> encoder = maps_of(2, 3, 3), decoder = maps_of(2, 2, 2), cross = maps_of(2, 2, 3);
  const TensorToWrite e{"encoder.attention.0", {2, 3, 3}, encoder}, d{"decoder.attention.0", {2, 2, 2}, decoder},
      c{"cross.attention.0", {2, 2, 3}, cross};
  const std::map<std::string, std::string> tokens = {{"tokens", R"(["a", "b", "c"])"}, {"decoder_tokens", R"(["x", "y"])"}};
  const auto stacks = [&](const std::vector<TensorToWrite>& tensors) {
    const AttentionDump dump = read(write("part.safetensors", tensors, tokens));
    EXPECT_TRUE(dump.notices.empty()) << dump.notices.front();
    std::string text;
    for (int layer = 0; layer < dump.model->config.layers; ++layer) text.append(name_of(dump.model->config.place(layer).stack)).append(" ");
    return text;
  };
  EXPECT_EQ(stacks({c, d}), "decoder cross ");
  EXPECT_EQ(stacks({d, e}), "encoder decoder ");
  EXPECT_EQ(stacks({c, e}), "encoder cross ");
  EXPECT_EQ(stacks({c}), "cross ");
  EXPECT_EQ(stacks({{"attention.0", {2, 2, 2}, decoder}, c}), "decoder cross ") << "GPT-2 with cross-attention names its own maps so";
  EXPECT_THAT(refusal(write("mixed.safetensors", {{"attention.0", {2, 3, 3}, encoder}, e})), HasSubstr("its stack is not named"));
}

TEST_F(Dump, QueriesOfCrossAttentionAreNeverTheTextsTokens) {
  const std::vector<float> cross = maps_of(2, 2, 3), square = maps_of(2, 3, 3);
  const std::string text = R"(["a", "b", "c"])";
  const AttentionDump unnamed = read(write("cross.safetensors", {{"cross.attention.0", {2, 2, 3}, cross}}, {{"tokens", text}}));
  EXPECT_THAT(tokens_of(*unnamed.encoding), ElementsAre("a", "b", "c"));
  EXPECT_THAT(tokens_of(*unnamed.decoder_encoding), ElementsAre("0", "1"));
  EXPECT_THAT(unnamed.notices, ElementsAre("The file names no query tokens: they are numbered. Name them decoder_tokens."));
  const AttentionDump even = read(write("square.safetensors", {{"cross.attention.0", {2, 3, 3}, square}}, {{"tokens", text}}));
  ASSERT_NE(even.decoder_encoding, nullptr);
  EXPECT_THAT(tokens_of(*even.decoder_encoding), ElementsAre("0", "1", "2"));
  EXPECT_THAT(even.notices, ElementsAre(HasSubstr("no query tokens")));
  folder_.file("cross.decoder_tokens.txt", "x\ny\n");
  EXPECT_THAT(tokens_of(*read(folder_ / "cross.safetensors").decoder_encoding), ElementsAre("x", "y"));
  const AttentionDump other = read(write("only.safetensors", {{"cross.attention.0", {2, 3, 3}, square}}, {{"decoder.tokens", text}}));
  EXPECT_THAT(tokens_of(*other.encoding), ElementsAre("0", "1", "2")) << "the decoder's tokens are not the keys";
  EXPECT_THAT(tokens_of(*other.decoder_encoding), ElementsAre("a", "b", "c"));
}

TEST_F(Dump, LayersKeepTheNumbersOfTheFile) {
  const std::vector<float> maps = maps_of(2, 2, 2), cross = maps_of(2, 3, 2);
  const auto places = [&](const std::vector<TensorToWrite>& tensors) {
    return read(write("gap.safetensors", tensors, {{"tokens", R"(["a", "b"])"}})).model->config.stacks.places;
  };
  EXPECT_THAT(places({{"attention.10", {2, 2, 2}, maps}, {"attention.2", {2, 2, 2}, maps}}),
              ElementsAre(LayerPlace{Stack::only, 2}, LayerPlace{Stack::only, 10}));
  EXPECT_THAT(places({{"attention.3", {1, 2, 2, 2}, maps}}), ElementsAre(LayerPlace{Stack::only, 3}));
  EXPECT_THAT(places({{"gpt2_attn", {2, 2, 2}, maps}}), ElementsAre()) << "a name is not a number";
  EXPECT_THAT(places({{"cross.attention.5", {2, 3, 2}, cross}}), ElementsAre(LayerPlace{Stack::cross, 5}));
  EXPECT_THAT(places({{"attention.0", {2, 2, 2}, maps}, {"attention.1", {2, 2, 2}, maps}}), ElementsAre());
}

TEST_F(Dump, QueriesFewerThanKeysAreTheLastTokens) {
  const std::vector<float> maps = maps_of(2, 1, 4);
  const AttentionDump dump =
      read(write("step.safetensors", {{"attention.0", {1, 2, 1, 4}, maps}}, {{"tokens", R"(["a", "b", "c", "d"])"}}));
  EXPECT_THAT(tokens_of(*dump.decoder_encoding), ElementsAre("d"));
  EXPECT_THAT(dump.notices, ElementsAre(HasSubstr("taken as the last tokens")));
}

TEST_F(Dump, SumsAreCountedAndNothingIsRescaled) {
  std::vector<float> maps = maps_of(2, 3, 3);
  maps[0] += 1;                                          // one row of head 0
  for (std::size_t at = 9; at < 12; ++at) maps[at] = 0;  // a row of zeros is a masked one
  maps[15] = std::numeric_limits<float>::quiet_NaN();    // a row of head 1
  const AttentionDump dump = read(write("odd.safetensors", {{"attention.0", {2, 3, 3}, maps}}, {{"tokens", R"(["a", "b", "c"])"}}));
  const GivenMap& first = dump.layers[0]->given[0];
  EXPECT_EQ(first.weights()(0, 0), maps[0]);
  EXPECT_EQ(first.sums.odd_rows, 1);
  EXPECT_NEAR(first.sums.highest, 2, 1e-6);
  EXPECT_EQ(dump.layers[0]->given[1].sums.odd_rows, 0);
  EXPECT_EQ(dump.layers[0]->given[1].sums.nan_rows, 1);
  EXPECT_THAT(dump.notices, ElementsAre(HasSubstr("1 of 2 heads do not sum to 1"), HasSubstr("1 of 2 heads holds NaN")));
}

TEST(GivenSums, AreSaidKindByKind) {
  GivenSums sums;
  EXPECT_TRUE(sums.are_weights());
  EXPECT_EQ(sums_text(sums), "");
  sums.add({.zero_rows = 1});
  EXPECT_TRUE(sums.are_weights());
  EXPECT_EQ(sums_text(sums), "1 row is all zeros");
  for (const GivenSums& one : {GivenSums{.odd_rows = 1, .lowest = 3, .highest = 3}, GivenSums{.nan_rows = 1}, GivenSums{.infinite_rows = 1},
                               GivenSums{.negative_rows = 1}}) {
    EXPECT_FALSE(one.are_weights());
    sums.add(one);
    sums.add(one);
  }
  EXPECT_EQ(sums_text(sums),
            "not normalised: 2 rows sum to 3, 2 rows hold NaN, 2 rows hold infinities, 2 rows hold numbers below 0, 1 row is all zeros");
  sums.add({.odd_rows = 1, .lowest = 0.5, .highest = 0.5});
  EXPECT_THAT(sums_text(sums), HasSubstr("3 rows sum to 0.5 … 3,"));
}

TEST_F(Dump, ShapesThatDoNotFitTogetherAreRefused) {
  const std::vector<float> small = maps_of(2, 2, 2), large = maps_of(2, 3, 3);
  EXPECT_THAT(refusal(write("a.safetensors", {{"attention.0", {2, 2, 2}, small}, {"attention.1", {2, 3, 3}, large}})),
              HasSubstr("found 3 × 3 queries × keys, expected 2 × 2"));
  EXPECT_THAT(refusal(write("c.safetensors", {{"attention.0", {2, 2, 2}, small}, {"attn.0", {2, 2, 2}, small}})),
              HasSubstr("two arrays hold layer 0"));
  EXPECT_THAT(refusal(write("d.safetensors", {{"w", {8}, small}})), HasSubstr("holds no attention maps"));
  EXPECT_THAT(refusal(write("e.safetensors", {{"attention.0", {0, 2, 2}, {}}})), HasSubstr("0 heads"));
  EXPECT_THAT(refusal(write("f.safetensors", {{"attention.0", {2, 0, 0}, {}}})), HasSubstr("sides of the maps"));
  folder_.file("config.json", "{}");
  EXPECT_THAT(refusal(write("g.safetensors", {{"h.0.attn.c_attn.weight", {2, 4}, small}})), HasSubstr("give the folder"));
}

TEST_F(Dump, OnlyFilesOfMapsAreTakenForThem) {
  const std::vector<float> maps = maps_of(1, 2, 2);
  EXPECT_TRUE(names_attention_dump(write("a.safetensors", {{"attention.0", {1, 2, 2}, maps}}).string()));
  EXPECT_TRUE(names_attention_dump(folder_.file("list.json", " [[[1]]]").string()));
  for (const char* named :
       {R"({"attention.0": [[[1, 0], [0.5, 0.5]]], "attention.1": [[[1]]]})", R"({"tokens": ["a", "b"], "layers.0.attn": [ [ [NaN]]]})"})
    EXPECT_TRUE(names_attention_dump(folder_.file("named.json", named).string())) << named;
  for (const char* config : {R"({"attention_types": [[["global", "local"], 12]], "attention_dropout": 0.1})",
                             R"({"attention_window": [512, 512], "attention_mask": [[1, 1]], "a": "b"})"})
    EXPECT_FALSE(names_attention_dump(folder_.file("settings.json", config).string())) << config;
  EXPECT_FALSE(names_attention_dump(folder_.file("a.headlight.json", R"({"version": 1, "query": {}})").string()));
  EXPECT_FALSE(names_attention_dump((folder_ / "absent.npy").string()));
  EXPECT_FALSE(names_attention_dump("sandbox"));
  EXPECT_FALSE(names_attention_dump(folder_.path().string()));
}

TEST_F(Dump, EveryTruncationIsRefused) {
  const std::vector<float> maps = maps_of(1, 2, 2);
  for (const char* name : {"a.npz", "a.safetensors"}) {
    const std::string bytes = testing::bytes_of(write(name, {{"attention.0", {1, 2, 2}, maps}}, {{"tokens", R"(["a", "b"])"}}));
    for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(refusal(folder_.file(name, bytes.substr(0, size))).empty());
  }
}

TEST(DumpReference, RecordedMapsOfGpt2Open) {
  int files = 0;
  for (const auto& reference : testing::reference_folders()) {
    if (!std::filesystem::is_directory(reference / "gpt2-attention")) continue;
    for (const auto& entry : std::filesystem::directory_iterator(reference / "gpt2-attention")) {
      if (entry.path().extension() != ".safetensors") continue;
      ++files;
      SilentProgress progress;
      const AttentionDump dump = read_attention_dump(entry.path(), progress);
      EXPECT_EQ(dump.layers.size(), 12U);
      EXPECT_EQ(dump.model->config.heads.count, 12);
      EXPECT_TRUE(dump.notices.empty()) << dump.notices.front();
      for (const auto& layer : dump.layers) {
        for (const GivenMap& map : layer->given) EXPECT_NEAR(map.weights()(0, 0), 1, 1e-5);  // causal: the first token has itself alone
      }
    }
  }
  if (files == 0) testing::say_not_found("reference/gpt2-attention");
}

}  // namespace
}  // namespace headlight
