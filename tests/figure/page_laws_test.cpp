// What holds on pages of any size: no word leaves them or covers another, and letters that come out smaller are told.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/figure/page_figures.h"

namespace headlight::testing {
namespace {

/// Random looks; the same in every run.
std::vector<PageLook> random_looks(std::size_t count) {
  std::mt19937 random(20);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same looks every time
  std::uniform_real_distribution<float> width(40, 300), type(5, 12), chance(0, 1);
  std::vector<PageLook> looks;
  for (std::size_t i = 0; i < count; ++i) {
    PageLook look{.width_mm = std::round(width(random)), .type = std::round(2 * type(random)) / 2};
    if (chance(random) < 0.3F) look.height_mm = std::round(width(random));
    if (chance(random) < 0.3F) look.letter = "(b)";
    for (const PagePart part : kEveryValue<PagePart>) {
      if (chance(random) < 0.3F) look.without.insert(part);
    }
    looks.push_back(look);
  }
  return looks;
}

std::string name_of(const FigureKind& kind, const PageLook& look) {
  return fmt::format("{} {} mm, {} pt, height {}", kind.name, look.width_mm, look.type, look.height_mm);
}

void expect_words_on_page(const Scene& scene, const std::string& name) {
  constexpr float kRounding = 0.1F;
  for (const SceneText& item : items_of<SceneText>(scene)) {
    for (const Point corner : corners_of(item, plain_measure())) {
      const bool is_inside =
          corner.x >= -kRounding && corner.x <= scene.width + kRounding && corner.y >= -kRounding && corner.y <= scene.height + kRounding;
      ASSERT_TRUE(is_inside) << name << ": " << item.text << " at " << corner.x << ", " << corner.y << " of " << scene.width << " × "
                             << scene.height;
    }
  }
  for (const SceneMap& map : items_of<SceneMap>(scene)) {
    ASSERT_TRUE(map.box.x >= 0 && map.box.right() <= scene.width + kRounding && map.box.bottom() <= scene.height + kRounding) << name;
  }
}

void expect_words_apart(const Scene& scene, const std::string& name) {
  const std::vector<SceneText> texts = items_of<SceneText>(scene);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      if (texts[i].degrees != texts[j].degrees) continue;
      SceneText a = texts[i], b = texts[j];
      a.size *= 0.95F;  // lines may touch
      b.size *= 0.95F;
      ASSERT_FALSE(overlap(a, b, plain_measure())) << name << ": " << a.text << " | " << b.text;
    }
  }
}

TEST(PageLaws, NoWordLeavesThePage) {
  for (const char* text : {"Cat", "The horse that the sailors follow gallops. It knows itself.", "日本語 😀 مرحبا incomprehensibilities"}) {
    const auto snapshot = sandbox_snapshot(text, 3, 5);
    for (const PageLook& look : random_looks(40)) {
      for (const FigureKind* kind : figures_of(*snapshot))
        expect_words_on_page(scene_of(*snapshot, *kind, look), name_of(*kind, look) + " " + text);
    }
  }
  const auto predicting = predicting_story();
  for (const PageLook& look : random_looks(40)) {
    for (const FigureKind* kind : kOfPredictions) expect_words_on_page(scene_of(*predicting, *kind, look), name_of(*kind, look));
  }
}

TEST(PageLaws, NoTwoWordsCoverEachOther) {
  for (const char* text : {"Cat", "The horse that the sailors follow gallops. It knows itself."}) {
    const auto snapshot = sandbox_snapshot(text, 3, 5);
    for (const PageLook& look : random_looks(40)) {
      for (const FigureKind* kind : {&kHeatmapFigure, &kGridFigure, &kCompareFigure, &kCompareMeasuresFigure, &kLinksFigure, &kFlowFigure,
                                     &kTextFigure, &kLabFigure})
        expect_words_apart(scene_of(*snapshot, *kind, look), name_of(*kind, look) + " " + text);
    }
  }
  const auto predicting = predicting_story();
  for (const PageLook& look : random_looks(40)) {
    for (const FigureKind* kind : kOfPredictions) expect_words_apart(scene_of(*predicting, *kind, look), name_of(*kind, look));
  }
}

TEST(PageLaws, NothingIsBelowTheAskedTypeUnlessItIsSaid) {
  const auto snapshot = predicting_story();
  std::size_t kept = 0;
  for (const PageLook& look : random_looks(60)) {
    for (const FigureKind* kind : figures_of(*snapshot)) {
      const Scene scene = scene_of(*snapshot, *kind, look);
      const PageFit fit = fit_of(look, scene);
      EXPECT_EQ(fit.keeps_type(), fit.smallest.points >= look.type - 0.02F) << name_of(*kind, look);
      EXPECT_EQ(text_of(fit).empty(), fit.keeps_type() && fit.label_stride == 1) << name_of(*kind, look);
      kept += fit.keeps_type() && kind != &kInsideFigure ? 1 : 0;
      if (look.width_mm >= 85 && look.type <= 7 && look.height_mm == 0 && kind != &kInsideFigure) {
        EXPECT_TRUE(fit.keeps_type()) << name_of(*kind, look) << ": " << text_of(fit);
      }
    }
  }
  EXPECT_GT(kept, 150U) << "of 300";
}

}  // namespace
}  // namespace headlight::testing
