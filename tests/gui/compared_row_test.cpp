// The row that Compare lists key by key.
#include <fmt/core.h>

#include <algorithm>

#include "app/document/mask_edits.h"
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

}  // namespace
}  // namespace headlight::testing
