// The layers that are there are shown while the others are read or computed.
#include <gmock/gmock.h>

#include <string>

#include "tests/gui/frame_fixture.h"
#include "tests/work/queries.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::long_query;
using ::testing::Not;
using testing::wait_until;

class FirstLayers : public testing::FrameTest {
 protected:
  /// A model of many layers, which takes its time.
  void open_large_model() {
    Document next = document();
    next.query = long_query(200);
    session.apply(next, false, false);
    wait_until([&] { return session.worker().part() != nullptr || session.worker().is_idle(); });
    ASSERT_NE(session.worker().part(), nullptr);
  }
  void TearDown() override { session.worker().cancel(); }
};

TEST_F(FirstLayers, StandWhereTheOverviewOfAnotherModelWas) {
  view.view = View::overview;
  open_large_model();
  const std::string words = drawn_words();
  EXPECT_THAT(words, HasSubstr("of 200 layers"));
  EXPECT_THAT(words, HasSubstr("layer 0"));
  EXPECT_THAT(words, HasSubstr("0.0")) << "the name of a head that is there";
}

TEST_F(FirstLayers, LeaveOtherViewsAsTheyAre) {
  show(View::head);
  open_large_model();
  EXPECT_THAT(drawn_words(), Not(HasSubstr("of 200 layers")));
}

TEST_F(FirstLayers, OfAnotherTextOfTheSameModelWait) {
  view.view = View::overview;
  Document next = document();
  next.query.model.sandbox.layers = 200;
  next.query.text = "a";
  session.apply(next, false, false);
  settle();
  next.query = long_query(200);
  session.apply(next, false, false);
  wait_until([&] { return session.worker().part() != nullptr || session.worker().is_idle(); });
  ASSERT_NE(session.worker().part(), nullptr);
  EXPECT_THAT(drawn_words(), Not(HasSubstr("of 200 layers")));
}

}  // namespace
}  // namespace headlight
