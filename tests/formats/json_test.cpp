#include "engine/formats/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  return error_of([&] { parse_json(text, "f.json"); }).message();
}

TEST(ParseJson, BuildsWhatIsWritten) {
  const Json json = parse_json(R"( {"a":[1,-2,2.5,"\u00e9",true,null,{}],"b":{"c":[]}} )", "f.json");
  EXPECT_EQ(json, Json::parse(R"({"a":[1,-2,2.5,"é",true,null,{}],"b":{"c":[]}})"));
  EXPECT_EQ(*parse_json("3", "f.json"), 3);
}

TEST(ParseJson, RefusesADuplicateKeyNamingItsPathAndByte) {
  EXPECT_EQ(refusal(R"({"a":{"b":[{"x":1},{"k":1,"k":2}]}})"), "f.json: a.b.k (byte 29): duplicate key: an object has the same name twice");
  EXPECT_THAT(refusal(R"({"k":1,"\u006b":2})"), HasSubstr("duplicate key"));
  EXPECT_NO_THROW(parse_json(R"([{"k":1},{"k":2}])", "f.json"));
}

TEST(ParseJson, RefusesWhatIsNotStrictJson) {
  for (const char* text : {"", "{", "[1,]", "{'a':1}", "NaN", "[Infinity]", "01", "1 2", "{} // no", "\"\n\"", "\"\\ud800\"", "\"\\udc00\"",
                           "\"\\ude00\\ud83d\"", "1e400", "\"\xff\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "tru"}) {
    EXPECT_THAT(refusal(text), HasSubstr("f.json")) << text;
  }
}

TEST(ParseJson, ANulByteIsNotTheEnd) {
  EXPECT_THAT(refusal(std::string_view("{}\0", 3)), HasSubstr("(byte 2): is not valid JSON: it holds a NUL byte"));
  EXPECT_EQ(parse_json(R"("\u0000")", "f.json")->get<std::string>().size(), 1U);
}

TEST(ParseJson, DepthIsCountedWithoutRecursion) {
  const std::string open(64, '['), close(64, ']');
  EXPECT_NO_THROW(parse_json(open + close, "f.json"));
  EXPECT_THAT(refusal("[" + open + close + "]"), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("nested"));
}

TEST(ParseJson, AByteOrderMarkIsSkippedAndSaid) {
  std::vector<std::string> warnings;
  EXPECT_EQ(*parse_json("\xef\xbb\xbf[1]", "f.json", {}, &warnings), Json::array({1}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("byte order mark"));
}

TEST(JsonTree, GoesOnWithItsValueWhereverItIsMoved) {
  JsonTree tree = parse_json(R"({"a":[{"b":[1,2]},3]})", "f.json");
  const Json expected = *tree;
  JsonTree moved = std::move(tree);
  EXPECT_EQ(*moved, expected);
  JsonTree assigned = parse_json("[[1]]", "f.json");
  assigned = std::move(moved);
  EXPECT_EQ(*assigned, expected);
  const Json bare = std::move(assigned);
  EXPECT_EQ(bare, expected);
}

TEST(JsonFields, ReadsFieldsOfTheRightKind) {
  const Json json = Json::parse(R"({"n":12,"x":0.5,"s":"é","b":true,"none":null,"o":{"deep":1},"a":[1]})");
  const JsonFields fields(json, "config.json");
  EXPECT_EQ(fields.integer("n", 1, 12), 12);
  EXPECT_EQ(fields.integer_or("absent", 5, 1, 10), 5);
  EXPECT_EQ(fields.integer_or("none", 5, 1, 10), 5);
  EXPECT_EQ(fields.number_or("x", 0, 0, 1), 0.5);
  EXPECT_EQ(fields.number_or("n", 0, 0, 100), 12.0);
  EXPECT_EQ(fields.text("s"), "é");
  EXPECT_TRUE(fields.boolean_or("b", false));
  EXPECT_FALSE(fields.has("none"));
  EXPECT_EQ(fields.object("o").integer("deep", 0, 1), 1);
  EXPECT_EQ(fields.object("o").path_of("deep"), "o.deep");
  EXPECT_EQ(fields.array("a").size(), 1U);
}

TEST(JsonFields, AMismatchNamesFileFieldFoundAndExpected) {
  const Json json = Json::parse(R"({"n_head":"12","f":1.5,"big":18446744073709551615,"o":{"list":[1,2]}})");
  const JsonFields fields(json, "config.json");
  EXPECT_EQ(error_of([&] { fields.integer("n_head", 1, 1000000); }).message(),
            "config.json: n_head: is out of range or has the wrong type; found \"12\", expected an integer from 1 to 1000000");
  EXPECT_THAT(error_of([&] { fields.integer("f", 0, 9); }).message(), HasSubstr("found 1.5"));
  EXPECT_THAT(error_of([&] { fields.integer("big", -9, 9); }).message(), HasSubstr("18446744073709551615"));
  EXPECT_THAT(error_of([&] { fields.integer("absent", 0, 9); }).message(), HasSubstr("absent: is missing"));
  EXPECT_THAT(error_of([&] { fields.object("o").text("list"); }).message(), HasSubstr("o.list: has the wrong type; found an array of 2"));
  EXPECT_THAT(error_of([&] { fields.object("n_head"); }).message(), HasSubstr("expected an object"));
  EXPECT_THAT(error_of([&] { fields.number_or("n_head", 0, 0, 1); }).message(), HasSubstr("a number from 0 to 1"));
}

}  // namespace
}  // namespace headlight
