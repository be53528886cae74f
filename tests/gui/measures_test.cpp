// A measure that the table of the snapshot has is on the card of a head, under the pointer, beside compared heads and in the state's JSON.
#include <cmath>

#include "app/gui/panel/focus.h"
#include "app/gui/rails/rails.h"
#include "app/gui/script/state_dump.h"
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

}  // namespace
}  // namespace headlight
