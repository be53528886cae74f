#include "engine/formats/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

constexpr std::string_view kText =
    "{\n"              // 1
    "  \"a\": 12\n"    // 2
    "  ,\n"            // 3
    "  \"list\": [\n"  // 4
    "    1,\n"         // 5
    "    {\"b\":\n"    // 6
    "      \"x\"},\n"  // 7
    "    [\n"          // 8
    "      true]\n"    // 9
    "  ]\n"            // 10
    "}\n";

TEST(JsonLines, AFieldHasTheLineOfItsNameAndAnItemThatOfItsValue) {
  const JsonLines lines(kText, "f.json");
  EXPECT_EQ(lines.line_of("a"), 2) << "the line break after a number is not its line";
  EXPECT_EQ(lines.line_of("list"), 4);
  EXPECT_EQ(lines.line_of("list[0]"), 5);
  EXPECT_EQ(lines.line_of("list[1]"), 6);
  EXPECT_EQ(lines.line_of("list[1].b"), 6);
  EXPECT_EQ(lines.line_of("list[2][0]"), 9);
}

TEST(JsonLines, WhatIsNotThereHasTheLineOfWhatIsAroundIt) {
  const JsonLines lines(kText, "f.json");
  EXPECT_EQ(lines.line_of("list[1].c.d[4]"), 6);
  EXPECT_EQ(lines.line_of("list[2][7]"), 8);
  EXPECT_EQ(lines.line_of("nothing"), 1);
  EXPECT_EQ(JsonLines("\n\n  3", "f.json").line_of(""), 3);
}

TEST(JsonLines, ARefusalOfTheTextNamesTheLine) {
  const auto refusal = [](std::string_view text) { return error_of([&] { parse_lined_json(text, "f.json"); }).message(); };
  EXPECT_THAT(refusal("{\n  \"a\": 1,\n  \"a\": 2\n}"), HasSubstr("f.json: line 3, a: duplicate key"));
  EXPECT_THAT(refusal("{\n  \"a\": 1\n  \"b\": 2\n}"), HasSubstr("f.json: line 3: is not valid JSON"));
  EXPECT_THAT(refusal("{\n  \"a\": 1,\n"), HasSubstr("f.json: line 2: is not valid JSON"));
  EXPECT_THAT(refusal(""), HasSubstr("f.json: line 1: is not valid JSON"));
  EXPECT_THAT(refusal("\xef\xbb\xbf{\n  \"a\": 1\n  x"), HasSubstr("f.json: line 3: is not valid JSON"));
}

TEST(JsonLines, AByteOrderMarkMovesNoLine) {
  const LinedJson lined = parse_lined_json("\xef\xbb\xbf{\n\"a\":\n1}", "f.json");
  EXPECT_EQ((*lined.json)["a"], 1);
  EXPECT_EQ(lined.lines.line_of("a"), 2);
}

}  // namespace
}  // namespace headlight
