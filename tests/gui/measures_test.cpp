// What the inspector of Measures says of chance, and where names of points stand; and: a measure that the table of the snapshot has is on the card of a head, under the pointer, beside compared heads and in the state's JSON.
#include <algorithm>
#include <cmath>

#include "app/gui/panel/focus.h"
#include "app/gui/rails/rails.h"
#include "app/gui/script/state_dump.h"
#include "app/gui/views/measures/chance.h"
#include "app/gui/views/measures/scatter_plot.h"
#include "app/gui/views/views.h"
#include "tests/extra_measure.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// The views of a snapshot that was measured by a longer table than the program's.
class LongerTable : public testing::FrameTest {
 protected:
  void SetUp() override {
    testing::FrameTest::SetUp();
    Pipeline pipeline(1);
    pipeline.measure_by(longer);
    SilentProgress progress;
    measured = pipeline.run(document().query, progress);
    window.draw = [this] {
      Document draft = document();
      draft.pins = {{{0, 0}}, {{1, 1}}};
      caches.pictures.begin_frame(measured);
      const Look look{palette(draft.style.theme), window.fonts, 1, true};
      Panel panel{context, measured, session.worker().status(), draft, view, caches, look, all_views()};
      draw_centre(panel, {0, 0, 1100, 1400});
      draw_inspector(panel, {1100, 0, 400, 1400}, RailForm::open, false);
    };
  }

  const std::vector<Measure> longer = testing::measures_and(testing::kLastKey);
  std::shared_ptr<const Snapshot> measured;
  std::function<void(Panel&, const Box&)> draw_centre = draw_compare_view;
};

TEST_F(LongerTable, OneMoreMeasureIsOnTheCardAndBesideComparedHeads) {
  EXPECT_TRUE(window.has("measure last_key"));
  EXPECT_TRUE(window.has("compared last_key"));
  EXPECT_FALSE(window.has("measure confidence")) << "only where heads are compared";
  EXPECT_TRUE(window.has("compared confidence"));
  EXPECT_GT(window.box_of("compared last_key").y, window.box_of("compared mean-distance").y) << "in the order of the table";
}

TEST_F(LongerTable, OneMoreMeasureIsUnderThePointerInOverview) {
  draw_centre = draw_overview;
  window.hover("head 1.2");
  int lines = 0;
  for (const DrawnItem& item : window.items.items()) lines += item.label == "measure last_key" ? 1 : 0;
  EXPECT_EQ(lines, 2) << "on the card and in the bubble";
}

TEST(StateDump, HoldsEveryMeasureOfEveryHead) {
  Session session{sandbox_document(), 1};
  testing::NullWindow window;
  window.settle(session);
  const Json measures = dump_state(session, {}, {})["snapshot"]["measures"];
  const Snapshot& snapshot = *session.snapshot();
  ASSERT_EQ(measures.size(), static_cast<std::size_t>(snapshot.layers()));
  for (int head = 0; head < snapshot.heads(); ++head) {
    const Json& of_head = measures[1][static_cast<std::size_t>(head)];
    EXPECT_EQ(of_head.size(), head_measures().size());
    for (const Measure& measure : head_measures()) {
      EXPECT_EQ(of_head[std::string(measure.id)].get<double>(), snapshot.summary({1, head}).value(measure.id)) << measure.id;
    }
  }
}

class ChanceOfAHead : public ::testing::Test {
 protected:
  void SetUp() override {
    column_.values.set({0, 0}, 0.998);
    chance_.draws = 8;
    chance_.mean = 0.5;
    chance_.deviation = 0.25;  // over heads, of which no z is made
  }
  void set_chance(double mean, double deviation) {
    chance_.means.set({0, 0}, mean);
    chance_.deviations.set({0, 0}, deviation);
  }
  std::string why() const {
    const auto found = why_no_z(column_, chance_, {0, 0});
    return found ? found->words : "";
  }
  HeadColumn column_;
  ColumnBaseline chance_{.name = "random weights"};
};

TEST_F(ChanceOfAHead, IsTheMeanAndTheDeviationThatZIsMadeOf) {
  set_chance(0.124, 0.03125);
  EXPECT_EQ(why(), "");
  EXPECT_EQ(chance_text(column_, chance_, {0, 0}), "0.124 ± 0.0312");
  EXPECT_EQ(how_z_is_made(column_, chance_, {0, 0}), "(value − mean) / deviation = (0.998 − 0.124) / 0.03125 = 28.0");
}

TEST_F(ChanceOfAHead, SaysWhyThereIsNoZ) {
  const double none = std::nan("");
  set_chance(0.124, none);
  EXPECT_EQ(why(), "one draw");
  EXPECT_EQ(chance_text(column_, chance_, {0, 0}), "0.124");
  set_chance(0.124, 0);
  EXPECT_EQ(why(), "deviation 0");
  set_chance(none, none);
  EXPECT_EQ(why(), "undefined by chance");
  set_chance(0.124, none);
  chance_.draws = 0;
  EXPECT_EQ(why(), "not drawn");
  column_.values.set({0, 0}, none);
  EXPECT_EQ(why(), "no value");
}

TEST(NamesInTheScatterPlot, LieInTheFieldAndOnNoPoint) {
  const Box field{0, 0, 100, 100};
  const std::vector<ScatterPoint> points{{{0, 0}, {50, 50}, 4}, {{0, 1}, {70, 50}, 4}, {{0, 2}, {96, 96}, 4}, {{0, 3}, {75, 96}, 4}};
  const auto covers_a_point = [&](const Box& box) {
    return std::any_of(points.begin(), points.end(), [&](const ScatterPoint& point) {
      return point.at.x > box.x && point.at.x < box.right() && point.at.y > box.y && point.at.y < box.bottom();
    });
  };
  std::vector<Box> taken;
  for (const ScatterPoint& point : points) {
    const std::optional<Box> box = box_of_name(field, points, point, {20, 16}, 4, taken);
    ASSERT_TRUE(box) << point.head.head;
    EXPECT_FALSE(covers_a_point(*box)) << point.head.head;
    EXPECT_TRUE(box->x >= 0 && box->y >= 0 && box->right() <= 100 && box->bottom() <= 100) << point.head.head;
    for (const Box& other : taken)
      EXPECT_TRUE(box->x >= other.right() || other.x >= box->right() || box->y >= other.bottom() || other.y >= box->bottom());
    taken.push_back(*box);
  }
  EXPECT_FALSE(box_of_name(field, points, points[0], {200, 16}, 4, {})) << "it would be cut off";
}

}  // namespace
}  // namespace headlight
