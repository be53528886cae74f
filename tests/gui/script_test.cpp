#include "app/gui/script/script.h"

#include <gmock/gmock.h>

#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;

template <typename Kind>
Kind only(std::string_view text) {
  const Script script = parse_script(text, "tour.script");
  EXPECT_EQ(script.lines.size(), 1U);
  return std::get<Kind>(script.lines.at(0).command);
}

std::string refusal(std::string_view text) {
  const Error error = error_of([&] { parse_script(text, "tour.script"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  return error.message();
}

TEST(Script, PlacesAreLabelsCellsOrPixels) {
  EXPECT_EQ(only<ClickCommand>("click \"Next head\"").at, (ScriptPlace{.label = "Next head"}));
  EXPECT_EQ(only<ClickCommand>("ctrl-click Export").at.label, "Export");
  EXPECT_TRUE(only<ClickCommand>("ctrl-click Export").has_ctrl);
  EXPECT_EQ(only<ClickCommand>("double-click 10.5,-3").at.point, (Point{10.5F, -3}));
  EXPECT_EQ(only<MoveCommand>("hover \"map\" cell 3,4").to, (ScriptPlace{.label = "map", .cell = Cell{3, 4}}));
  const auto drag = only<DragCommand>("drag \"map\" cell 1,0 to \"map\" cell 1,5");
  EXPECT_EQ(drag.to.cell, (Cell{1, 5}));
  EXPECT_TRUE(only<DragCommand>("drag Layer by 40,0").is_by);
}

TEST(Script, CommentsAndBlankLinesAreCountedButNotPlayed) {
  const Script script = parse_script("# a tour\n\n  wait  # for the picture\r\nquit", "tour.script");
  ASSERT_EQ(script.lines.size(), 2U);
  EXPECT_EQ(script.lines[0].number, 3);
  EXPECT_EQ(script.lines[1].number, 4);
}

TEST(Script, QuotedTextKeepsSignsAndMarks) {
  EXPECT_EQ(only<TypeCommand>(R"(type "say \"hi\" # \\ 中文 😀")").text, "say \"hi\" # \\ 中文 😀");
  EXPECT_EQ(only<BenchCommand>("bench-frames 60 \"144 heads\"").name, "144 heads");
}

TEST(Script, ARefusalNamesFileLineAndWhatWasExpected) {
  EXPECT_THAT(refusal("wait\nclck \"Export\""),
              ::testing::AllOf(HasSubstr("tour.script"), HasSubstr("line 2"), HasSubstr("clck"), HasSubstr("click")));
  EXPECT_THAT(refusal("click"), HasSubstr("Label"));
  EXPECT_THAT(refusal("type \"never closed"), HasSubstr("quote"));
  EXPECT_THAT(refusal("resize 1600"), HasSubstr("WIDTHxHEIGHT"));
  EXPECT_THAT(refusal("resize 0x5"), HasSubstr("size"));
  EXPECT_THAT(refusal("frames -1"), HasSubstr("number"));
  EXPECT_THAT(refusal("frames 99999999999999999999"), HasSubstr("number"));
  EXPECT_THAT(refusal("drag Layer"), HasSubstr("end"));
  EXPECT_THAT(refusal("wait for it"), HasSubstr("\"for\""));
  EXPECT_THAT(refusal("wait\nlive"), HasSubstr("first"));
}

TEST(Script, EveryCommandIsInTheManual) {
  const std::string manual = script_manual();
  for (const char* name : {"click", "drag", "type", "wait", "screenshot", "dump-state", "bench-frames", "bench-wheel", "bench-drag",
                           "bench-views", "bench-keys", "live", "quit"}) {
    EXPECT_THAT(manual, HasSubstr(name));
  }
}

}  // namespace
}  // namespace headlight::testing
