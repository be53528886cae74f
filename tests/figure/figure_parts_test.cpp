#include "engine/figure/figure_parts.h"

#include "engine/figure/axes.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

const LabelStyle kStyle;

bool is_utf8(const std::string& text) {
  return repair_utf8(text).replaced == 0;
}

TEST(Shortened, KeepsWhatFitsAndCutsWholeCharacters) {
  const MeasureText measure = plain_measure();
  EXPECT_EQ(shortened("because", 100, kStyle, measure), "because");
  for (const std::string text : {"internationalisation", "日本語の長いラベル", "naïveté 😀😀😀😀"}) {
    const float whole = measure(text, kStyle.face, kStyle.size);
    for (float width = 0; width < whole + 10; width += 1.5F) {
      const std::string shown = shortened(text, width, kStyle, measure);
      ASSERT_TRUE(is_utf8(shown)) << shown;
      ASSERT_LE(measure(shown, kStyle.face, kStyle.size), std::max(width, 0.0F));
      if (width >= whole) {
        ASSERT_EQ(shown, text);
      }
    }
  }
}

TEST(Shortened, AnEndlessLabelIsNeverMeasuredWhole) {
  std::size_t longest = 0;
  const MeasureText measure = [&](const std::string& text, FontFace, float) {
    longest = std::max(longest, text.size());
    return static_cast<float>(text.size());
  };
  std::string endless;
  for (int i = 0; i < 100000; ++i) endless += "e\u0301";
  const std::string shown = shortened(endless, 50, kStyle, measure);
  EXPECT_LE(longest, 500U);
  EXPECT_TRUE(is_utf8(shown));
  EXPECT_EQ(widest(std::vector<std::string>{endless}, 80, kStyle, measure), 80);
}

TEST(Widest, FindsTheWidestOfManyByMeasuringFew) {
  int measured = 0;
  const MeasureText measure = [&](const std::string& text, FontFace face, float size) {
    ++measured;
    return plain_measure()(text, face, size);
  };
  std::vector<std::string> labels(5000, "token");
  labels[3210] = "a much longer token";
  EXPECT_FLOAT_EQ(widest(labels, 1000, kStyle, measure), plain_measure()(labels[3210], kStyle.face, kStyle.size));
  EXPECT_LT(measured, 20);
  EXPECT_EQ(widest({}, 1000, kStyle, measure), 0);
}

TEST(LabelStride, IsTheSmallestRoundNumberThatKeepsLabelsApart) {
  EXPECT_EQ(label_stride(20, 14), 1);
  EXPECT_EQ(label_stride(7, 14), 2);
  EXPECT_EQ(label_stride(4, 14), 5);
  EXPECT_EQ(label_stride(1.3F, 14), 20);
  for (float step = 0.001F; step < 50; step *= 1.3F) EXPECT_GE(static_cast<float>(label_stride(step, 14)) * step, 14);
}

TEST(Wrapped, BreaksAtBlanksAndLosesNothingButTheEnd) {
  const MeasureText measure = plain_measure();
  const std::string text = "The animal didn't cross the street because it was too tired";
  const auto all = wrapped(text, 150, 10, kStyle, measure);
  std::string joined;
  for (const std::string& line : all) {
    EXPECT_LE(measure(line, kStyle.face, kStyle.size), 150);
    joined += (joined.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(joined, text);
  EXPECT_GT(all.size(), 2U);
  const auto two = wrapped(text, 150, 2, kStyle, measure);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0], all[0]);
  EXPECT_TRUE(two[1].ends_with("…"));
  EXPECT_TRUE(wrapped("", 150, 2, kStyle, measure).empty());
}

TEST(AxisLabel, ShowsBlanksAndControlsAsCharacters) {
  EXPECT_EQ(axis_label({"animal", true}), "animal");
  EXPECT_EQ(axis_label({" ", false}), "␣");
  EXPECT_EQ(axis_label({"", true}), "␣");
  EXPECT_EQ(axis_label({"", false}), "∅");
  EXPECT_EQ(axis_label({"\n\n", false}), "↵↵");
  EXPECT_EQ(axis_label({"a\x01\u202Eb", false}), "a\\x01U+202Eb");
}

}  // namespace
}  // namespace headlight::testing
