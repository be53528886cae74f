// The row that Compare lists key by key.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "app/document/mask_edits.h"
#include "app/gui/panel/shown_figure.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

class ComparedRow : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
    Document next = document();
    next.query.text = "the cat sat on the mat";
    next.pins = {{{0, 0}}, {{1, 1}}};
    session.apply(next, false, false);
    show(View::compare);
    view.pinned_query = TokenPlace{Side::text, 3};
    window.frame(2);
  }
  Panel panel() {
    draft = document();
    return {context, snapshot(), session.worker().status(), draft, view, caches, {palette(Theme::dark), window.fonts, 1}, all_views()};
  }
  Document draft;
  bool is_written(std::string_view text) {
    const auto& texts = window.items.texts();
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& each) { return each.text == text; });
  }
};

TEST_F(ComparedRow, DoesNotCallMaskedKeysZero) {
  for (int key = 0; key <= 3; ++key) EXPECT_TRUE(window.has(fmt::format("Compared key {}", key)));
  EXPECT_FALSE(window.has("Compared key 4")) << "causal";
  EXPECT_TRUE(is_written("2 keys masked"));
}

TEST_F(ComparedRow, SaysMaskedWhereOnlyOneOfTheHeadsMayAttend) {
  Document next = document();
  rule_for(next.query.mask, {}).text = "none";
  rule_for(next.query.mask, {Scope::Kind::head, {0, 0}}).text = "causal";
  session.apply(next, false, false);
  settle();
  window.frame(2);
  EXPECT_TRUE(window.has("Compared key 4"));
  EXPECT_TRUE(is_written("masked"));
  EXPECT_FALSE(is_written("2 keys masked"));
}

/// The positions of the keys that a file lists below its maps, from what is said of their lines: "cat 1: A 0.5 …".
std::vector<int> keys_in(const Scene& scene) {
  std::vector<int> keys;
  for (const SceneSpot& spot : scene.spots) {
    const std::size_t colon = spot.words.find(": A "), blank = spot.words.rfind(' ', colon - 1);
    if (colon != std::string::npos) keys.push_back(std::stoi(spot.words.substr(blank + 1, colon - blank - 1)));
  }
  return keys;
}

TEST_F(ComparedRow, IsThatOfTheExportedFigureWhetherOneIsPinnedOrNot) {
  const auto check = [&](int row, const char* words) {
    const FigureRequest request = shown_figure(panel(), kCompareFigure);
    const Scene scene = make_figure(*snapshot(), request, window.painter.measure());
    std::vector<int> shown;
    for (int key = 0; key < 6; ++key) {
      if (window.has(fmt::format("Compared key {}", key))) shown.push_back(key);
    }
    std::vector<int> wanted(static_cast<std::size_t>(row) + 1);
    std::iota(wanted.begin(), wanted.end(), 0);
    EXPECT_EQ(shown, wanted) << "causal";
    EXPECT_EQ(keys_in(scene), shown);
    const auto is_it = [&](const SceneItem& item) {
      const auto* text = std::get_if<SceneText>(&item);
      return text != nullptr && text->text == words;
    };
    EXPECT_TRUE(std::any_of(scene.items.begin(), scene.items.end(), is_it)) << words;
  };
  check(3, "Row “on” 3");
  view.pinned_query.reset();
  window.hover(ImVec2{5, 5});  // nothing is pointed at
  window.frame(2);
  check(5, "Row “mat” 5");
}

}  // namespace
}  // namespace headlight::testing
