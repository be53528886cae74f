// The numbers beside a colour bar.
#include <gtest/gtest.h>

#include "engine/figure/axes.h"
#include "engine/figure/map_layout.h"
#include "tests/figure/figure_testing.h"

namespace headlight::testing {
namespace {

TEST(BarNumbers, OfTinyRangesKeepTheirDigits) {
  ColourScale scale;
  scale.high = 3.1e-6F;
  EXPECT_EQ(bar_number(3.1e-6F, scale), "3.1e-6");
  EXPECT_EQ(bar_number(0, scale), "0");
  scale.high = 0.5F;
  EXPECT_EQ(bar_number(0.5F, scale), "0.50");
  scale.kind = ScaleKind::log;
  EXPECT_EQ(bar_number(0.00005F, scale), "5.0e-5");
}

TEST(BarMarks, AreRoundNumbersAtTheirOwnPlacesForEveryRangeAndScale) {
  for (const float high : {1.0F, 1.5F, 2.0F, 0.3F, 4.0F, 0.05F, 6.0F, 80.0F}) {
    for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::gamma}) {
      for (const float low : {0.0F, -high}) {
        ColourScale scale;
        scale.kind = kind;
        scale.low = low;
        scale.high = high;
        const std::vector<BarMark> marks = bar_marks(scale, 400);
        ASSERT_GE(marks.size(), 3U) << high;
        EXPECT_EQ(marks.front().place, 0);
        EXPECT_EQ(marks.back().place, 1);
        for (const BarMark& mark : marks) {
          const float value = scale.value_at(mark.place);
          const float shown = std::stof(
              mark.text.starts_with("−") || mark.text.starts_with("+") ? mark.text.substr(mark.text.starts_with("+") ? 1 : 3) : mark.text);
          EXPECT_NEAR(shown, std::abs(value), 2e-3F * high) << "not rounded";
          const float share = std::abs(value) / high * 60;  // halves, thirds, quarters and fifths of the end
          EXPECT_NEAR(share, std::round(share), 0.05F) << value << " of " << high;
        }
      }
    }
  }
}

TEST(BarMarks, NeverTouchHoweverLowTheBar) {
  ColourScale scale;
  scale.kind = ScaleKind::gamma;
  for (const float gamma : {0.2F, 0.6F, 1.0F, 2.0F}) {
    scale.gamma = gamma;
    for (float height = 40; height < 400; height += 20) {
      const std::vector<BarMark> marks = bar_marks(scale, height);
      for (std::size_t i = 1; i < marks.size(); ++i) EXPECT_GE((marks[i].place - marks[i - 1].place) * height, kCaptionPitch - 0.01F);
    }
  }
}

}  // namespace
}  // namespace headlight::testing
