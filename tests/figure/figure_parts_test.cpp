#include "engine/figure/figure_parts.h"

#include "engine/figure/axes.h"
#include "engine/figure/page/page_look.h"
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

TEST(Formula, IsSetInPiecesOfThreeLevels) {
  std::vector<std::pair<std::string, int>> parts;
  for (const FormulaPart& part : formula_parts("z_(i−1) ∝ exp(W_Q^T v / √d)_")) parts.emplace_back(part.text, part.level);
  EXPECT_EQ(parts,
            (std::vector<std::pair<std::string, int>>{{"z", 0}, {"i−1", -1}, {" ∝ exp(W", 0}, {"Q", -1}, {"T", 1}, {" v / √d)", 0}}));
}

TEST(Formula, ItsPiecesFollowEachOtherAndScriptsKeepTheirSizeInPrint) {
  const MeasureText measure = plain_measure();
  Scene scene;
  add_formula(scene, {10, 50}, "w_j^2", kStyle, Colour{}, measure);
  const std::vector<SceneText> texts = items_of<SceneText>(scene);
  ASSERT_EQ(texts.size(), 3U);
  float x = 10;
  for (const SceneText& text : texts) {
    EXPECT_FLOAT_EQ(text.at.x, x) << text.text;
    x += measure(text.text, text.face, text.size);
  }
  EXPECT_FLOAT_EQ(formula_width("w_j^2", kStyle, measure), x - 10);
  EXPECT_FALSE(is_script(texts[0]));
  EXPECT_TRUE(is_script(texts[1]) && is_script(texts[2]));
  const float line = 50 + baseline_below(AlignY::middle, kCaptionSize);
  EXPECT_GT(texts[1].at.y, line) << "below the line";
  EXPECT_LT(texts[2].at.y, line) << "above it";
  EXPECT_GE(texts[1].size * 7 / kCaptionSize, 6) << "points, where labels have 7";
  EXPECT_FLOAT_EQ(smallest_type(scene).points, kCaptionSize) << "scripts are smaller by themselves";
}

TEST(Formula, IsCutBetweenItsWords) {
  const MeasureText measure = plain_measure();
  const std::string formula = "Q = X_Q W_Q + b_Q";
  const float whole = formula_width(formula, kStyle, measure);
  EXPECT_EQ(shortened_formula(formula, whole, kStyle, measure), formula);
  for (float width = 0; width < whole; width += 3) {
    const std::string shown = shortened_formula(formula, width, kStyle, measure);
    EXPECT_TRUE(shown.empty() || shown.ends_with(" …")) << shown;
    EXPECT_LE(formula_width(shown, kStyle, measure), width);
  }
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
