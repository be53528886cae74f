// Which head does this on every screen that the program is made for.
#include <imgui_internal.h>

#include "app/gui/finding/asking.h"
#include "tests/gui/every_screen.h"

namespace headlight::testing {
namespace {

class EveryScreenFinding : public EveryScreen {};
INSTANTIATE_TEST_SUITE_P(Sizes, EveryScreenFinding, ::testing::ValuesIn(kScreens), name_of_screen);

TEST_P(EveryScreenFinding, QuestionsAndAnswers) {
  show(View::head);
  view.shell.left = Fold::open;
  window.key("ctrl+f");
  settle();
  expect_readable("nothing is asked");
  for (const HeadQuestion& question : {question_of(TargetPattern::previous), question_of_mask("k == q - 2 && q > 4 && k != 1"),
                                       question_of_cells({{5, 6, 1, 2, true}, {4, 5, 0, 1, true}}, tokens_of(*snapshot(), 0)),
                                       question_of_cells({{5, 6, 0, 4, true}, {5, 6, 1, 2, false}}, tokens_of(*snapshot(), 0))}) {
    view.finding.question = question;
    settle();
    expect_readable("an answer");
  }
  view.finding.question = question_of_mask("k > q");
  settle();
  expect_readable("no head can be asked");
  show(View::measures);
  expect_readable("and the table says why");
  show(View::overview);
  view.finding.question = question_of(TargetPattern::induction);
  view.overview.arrangement = {.sort = ColumnSort{"question:mass"}, .ranges = {}, .tint = "question:mass"};
  settle();
  expect_readable("nor the Overview be ordered by it");
  show(View::head);
  view.finding.question = {};
  view.finding.alike_to = HeadId{1, 2};
  settle();
  expect_readable("heads like one");
}

TEST_P(EveryScreenFinding, BesideTheFoldedRailAllOfTheAnswerStaysInTheWindow) {
  show(View::overview);
  view.shell.left = Fold::folded;
  for (const bool is_ordered : {false, true}) {
    if (is_ordered) view.overview.arrangement = {.sort = ColumnSort{"mean-distance"}, .ranges = {}, .tint = ""};
    settle();
    window.key("ctrl+f");
    settle();
    view.finding.question = question_of(TargetPattern::previous);
    settle();
    window.frame(2);
    const ImVector<ImGuiPopupData>& popups = ImGui::GetCurrentContext()->OpenPopupStack;
    ASSERT_EQ(popups.Size, 1);
    const ImGuiWindow& popover = *popups[0].Window;
    EXPECT_GE(popover.Pos.y, 0) << is_ordered;
    EXPECT_LE(popover.Pos.y + popover.Size.y, ImGui::GetIO().DisplaySize.y) << is_ordered;
    EXPECT_LE(popover.ContentSize.y + 2 * popover.WindowPadding.y - popover.Size.y, popover.ScrollMax.y + 1)
        << "the rest can be scrolled to";
    window.key("escape");
    settle();
    view.finding.question = {};
  }
}

TEST_P(EveryScreenFinding, ListsOfColumnsAreWhollyInTheWindow) {
  show(View::overview);
  for (const char* list : {"Order by", "Show only"}) {
    if (!window.has(list)) continue;
    window.click(list);
    window.frame(3);
    const auto& popups = ImGui::GetCurrentContext()->OpenPopupStack;
    ASSERT_EQ(popups.Size, 1) << list;
    EXPECT_GE(popups[0].Window->Pos.x, 0) << list;
    EXPECT_LE(popups[0].Window->Pos.x + popups[0].Window->Size.x, ImGui::GetIO().DisplaySize.x) << list;
    window.key("escape");
    settle();
  }
}

TEST_P(EveryScreenFinding, QuestionsAboveTheTableOfMeasures) {
  show(View::measures);
  expect_readable("chips");
  view.finding.question = question_of_cells({{5, 6, 1, 2, true}, {4, 5, 0, 1, true}}, tokens_of(*snapshot(), 0));
  settle();
  expect_readable("a question and its columns");
}

TEST_P(EveryScreenFinding, FramingInTheStrip) {
  view.finding.drawing = FindingPage::Drawing::relation;
  view.painting.brush = Brush::rectangle;
  expect_readable("framing a relation");
  view.finding.query = TokenPlace{Side::text, 2};
  expect_readable("with the word that looks");
}

}  // namespace
}  // namespace headlight::testing
