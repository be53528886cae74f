#include "engine/text/steps/post_processor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"
#include "tests/text/steps.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::json_of;
using ::testing::Pair;

Token token(const std::string& text, std::uint32_t begin, std::uint32_t end) {
  return {0, text, {begin, end}};
}

std::unique_ptr<const PostProcessor> make(const std::string& json) {
  return make_post_processor(json_of(json), "tokenizer.json", "post_processor");
}

std::vector<std::pair<int, int>> ranges(const std::vector<TokenPart>& parts) {
  std::vector<std::pair<int, int>> result;
  for (const TokenPart& part : parts) {
    for (const Token& each : part.tokens) result.emplace_back(each.bytes.begin, each.bytes.end);
  }
  return result;
}
/// "[CLS]0 a0 …": texts with type ids.
std::string shown(const std::vector<TokenPart>& parts) {
  std::string result;
  for (const TokenPart& part : parts) {
    for (const Token& each : part.tokens) result += (result.empty() ? "" : " ") + each.text + std::to_string(each.type_id);
  }
  return result;
}

// The case of Hugging Face's own test of this step (processors/sequence.rs).
TEST(PostProcessor, ByteLevelTrimsBlanksFromRanges) {
  const std::string text = "     Hello    Hello  Hello      ";
  std::vector<TokenPart> parts(1);
  parts[0].text = text;
  parts[0].tokens = {token("Ġ", 0, 1), token("ĠĠĠĠHelloĠĠ", 0, 11), token("ĠĠHello", 11, 18), token("HelloĠĠ", 18, 25),
                     token("ĠĠĠĠ", 25, 29)};
  make(R"({"type":"Sequence","processors":[{"type":"ByteLevel","trim_offsets":true,"add_prefix_space":true,"use_regex":true}]})")
      ->apply(parts);
  EXPECT_THAT(ranges(parts), ElementsAre(Pair(0, 0), Pair(4, 9), Pair(13, 18), Pair(18, 23), Pair(29, 29)));
}

TEST(PostProcessor, TrimmingCountsCharactersNotBytes) {
  std::vector<TokenPart> parts(1);
  parts[0].text = "x\u3000é\u3000";
  parts[0].tokens = {token("\u3000é\u3000", 1, 9)};
  make(R"({"type":"ByteLevel","trim_offsets":true,"add_prefix_space":false})")->apply(parts);
  EXPECT_THAT(ranges(parts), ElementsAre(Pair(4, 6)));
}

TEST(PostProcessor, WithoutTrimmingByteLevelChangesNothing) {
  std::vector<TokenPart> parts(1);
  parts[0].text = " a";
  parts[0].tokens = {token("Ġa", 0, 2)};
  make(R"({"type":"ByteLevel","trim_offsets":false,"add_prefix_space":true})")->apply(parts);
  EXPECT_THAT(ranges(parts), ElementsAre(Pair(0, 2)));
}

const std::string kBert = R"({"type":"TemplateProcessing",
  "single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],
  "pair":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}},
          {"Sequence":{"id":"B","type_id":1}},{"SpecialToken":{"id":"[SEP]","type_id":1}}],
  "special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[3,4],"tokens":["[SEP]","[X]"]}}})";

TEST(PostProcessor, ATemplatePutsSpecialTokensAroundSentences) {
  std::vector<TokenPart> single(1);
  single[0].tokens = {token("a", 0, 1)};
  make(kBert)->apply(single);
  EXPECT_EQ(shown(single), "[CLS]0 a0 [SEP]0 [X]0");
  EXPECT_TRUE(single[0].tokens[0].is_special);
  EXPECT_EQ(single[2].tokens[1].id, 4);
  std::vector<TokenPart> pair(2);
  pair[0].tokens = {token("a", 0, 1)};
  pair[1].tokens = {token("b", 0, 1)};
  make(kBert)->apply(pair);
  EXPECT_EQ(shown(pair), "[CLS]0 a0 [SEP]0 [X]0 b1 [SEP]1 [X]1");
}

TEST(PostProcessor, RobertaSeparatesWithTwoTokensAndOneType) {
  std::vector<TokenPart> parts(2);
  parts[0].text = "a";
  parts[0].tokens = {token("a", 0, 1)};
  parts[1].text = " b";
  parts[1].tokens = {{9, "Ġb", {0, 2}, 1, false, 1}};
  make(R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":false})")->apply(parts);
  EXPECT_EQ(shown(parts), "<s>0 a0 </s>0 </s>0 Ġb0 </s>0");
  EXPECT_EQ(parts[1].tokens[1].bytes, (ByteRange{1, 2}));
  EXPECT_EQ(parts[1].tokens[1].sequence, 1);
}

TEST(PostProcessor, ATemplateBehindATemplateNeedsOneOrTwoParts) {
  const std::string special = R"("special_tokens":{"x":{"id":"x","ids":[7],"tokens":["x"]}}})";
  const std::string a = R"({"Sequence":{"id":"A","type_id":0}})", b = R"({"Sequence":{"id":"B","type_id":1}})";
  const std::string x = R"({"SpecialToken":{"id":"x","type_id":2}})";
  const std::string inner =
      R"({"type":"TemplateProcessing","single":[)" + a + "," + x + R"(],"pair":[)" + a + "," + x + "," + b + "]," + special;
  const auto twice = make(R"({"type":"Sequence","processors":[)" + inner + "," + inner + "]}");
  std::vector<TokenPart> parts(1);
  parts[0].tokens = {{5, "a", {0, 1}}};
  twice->apply(parts);
  EXPECT_EQ(shown(parts), "a0 x2 x1") << "the token of the first template is taken for the second sentence";
  parts.assign(2, {});
  EXPECT_THAT(error_of([&] { twice->apply(parts); }).message(), HasSubstr("post_processor.processors[1]: the template comes after"));
}

TEST(PostProcessor, WrongSettingsAreRefusedNamingTheField) {
  const auto refusal = [](const std::string& json) { return error_of([&] { make(json); }).message(); };
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string json = kBert;
    json.replace(json.find(from), from.size(), to);
    return json;
  };
  EXPECT_THAT(refusal(changed("\"id\":\"[CLS]\",\"type_id\"", "\"id\":\"[BOS]\",\"type_id\"")),
              HasSubstr("post_processor.single[0].SpecialToken.id"));
  EXPECT_THAT(refusal(changed("\"id\":\"A\"", "\"id\":\"B\"")), HasSubstr("there is no such sentence here; found \"B\", expected A"));
  EXPECT_THAT(refusal(changed("[3,4]", "[3]")), HasSubstr("special_tokens.[SEP].ids"));
  EXPECT_THAT(refusal(changed("[3,4]", "[3,-4]")), HasSubstr("an id is wrong; found -4"));
  EXPECT_THAT(refusal(R"({"type":"RobertaProcessing","sep":["</s>"],"cls":["<s>",0]})"), HasSubstr("post_processor.sep"));
  EXPECT_THAT(refusal(R"({"type":"Telepathy"})"), HasSubstr("Telepathy"));
}

}  // namespace
}  // namespace headlight
