// Figures on pages of a stated size.
#include "engine/figure/page/page_look.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/painters/painters.h"
#include "engine/figure/painters/png.h"
#include "engine/pipeline/pipeline.h"
#include "tests/figure/figure_testing.h"
#include "tests/figure/page_figures.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr float kColumn = 85;
bool page_says(const Scene& scene, const std::string& words) {
  const auto texts = items_of<SceneText>(scene);
  return std::any_of(texts.begin(), texts.end(), [&](const SceneText& text) { return text.text.find(words) != std::string::npos; });
}

TEST(PageLook, EveryFigureIsAsWideAsWasAsked) {
  const auto snapshot = predicting_story();
  ASSERT_EQ(figures_of(*snapshot).size(), figure_kinds().size());
  for (const FigureKind* kind : figures_of(*snapshot)) {
    for (const float width : {30.0F, kColumn, 400.0F}) {
      const Scene scene = scene_of(*snapshot, *kind, {.width_mm = width});
      EXPECT_NEAR(scene.width, width * kPointsPerMm, 1e-3F) << kind->name;
      EXPECT_TRUE(scene.has_print_size) << kind->name;
    }
  }
}

TEST(PageLook, NoFigureIsHigherThanWasAsked) {
  const auto snapshot = predicting_story();
  for (const FigureKind* kind : figures_of(*snapshot)) {
    for (const float height : {20.0F, 60.0F}) {
      const Scene scene = scene_of(*snapshot, *kind, {.width_mm = kColumn, .height_mm = height});
      EXPECT_LE(scene.height, height * kPointsPerMm + 1e-3F) << kind->name;
      EXPECT_NEAR(scene.width, kColumn * kPointsPerMm, 1e-3F) << kind->name;
    }
  }
}

TEST(PageLook, LabelsHaveThePointsThatWereAskedFor) {
  const auto snapshot = story();
  for (const float type : {6.0F, 7.0F, 9.5F}) {
    const PageLook look{.width_mm = 120, .type = type};
    const Scene scene = scene_of(*snapshot, kHeatmapFigure, look);
    EXPECT_NEAR(smallest_type(scene).points, type, 1e-3F);
    EXPECT_TRUE(fit_of(look, scene).keeps_type());
    EXPECT_EQ(text_of(fit_of(look, scene)), "");
  }
}

TEST(PageLook, SaysWhereNotEveryTokenHasItsLabel) {
  const auto snapshot = story();
  const auto said = [&](const FigureKind& kind, float width) {
    const PageLook look{.width_mm = width, .type = 7};
    return text_of(fit_of(look, scene_of(*snapshot, kind, look)));
  };
  EXPECT_EQ(said(kHeatmapFigure, 120), "");
  EXPECT_THAT(said(kHeatmapFigure, 45), HasSubstr("Only every fifth token has its label"));
  EXPECT_THAT(said(kCompareFigure, 40), HasSubstr("Only every "));
  const Scene scene = scene_of(*snapshot, kHeatmapFigure, {.width_mm = 45, .type = 7});
  std::size_t labels = 0;
  for (const SceneText& text : items_of<SceneText>(scene)) labels += text.text == "gallops" ? 1 : 0;
  EXPECT_LT(labels, 2U) << "which is true";
}

TEST(PageLook, ThreeMapsOnASlideKeepTheirLetters) {
  const auto snapshot = story();
  FigureRequest request = request_of(kCompareFigure, find_preset("slide")->look);
  request.heads = {{{0, 0}}, {{0, 2}}, {{1, 1}}};
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const PageFit fit = fit_of(request.page, scene);
  EXPECT_TRUE(fit.keeps_type()) << text_of(fit);
  EXPECT_LE(scene.height, request.page.height_mm * kPointsPerMm + 1e-3F);
  for (const SceneMap& map : items_of<SceneMap>(scene)) EXPECT_GT(map.box.width, 40) << "points of print";
}

TEST(PageLook, WhereTheHeightMakesLettersSmallerTheHeightThatWouldDoIsSaid) {
  const auto snapshot = story();
  FigureRequest request = request_of(kCompareFigure, {.width_mm = 85, .height_mm = 30, .type = 7});
  request.heads = {{{0, 0}}, {{0, 2}}, {{1, 1}}};
  const PageFit fit = fit_of(request.page, make_figure(*snapshot, request, plain_measure()));
  ASSERT_FALSE(fit.keeps_type());
  EXPECT_THAT(text_of(fit), HasSubstr("the figure needs a height of "));
  request.page.height_mm = fit.enough_mm;
  EXPECT_TRUE(fit_of(request.page, make_figure(*snapshot, request, plain_measure())).keeps_type()) << fit.enough_mm;
}

TEST(PageLook, ATypeAloneMakesTheWholeFigureSmaller) {
  const auto snapshot = story();
  const Scene usual = scene_of(*snapshot, kHeatmapFigure, {.type = kCaptionSize}), small = scene_of(*snapshot, kHeatmapFigure, {.type = 6});
  EXPECT_NEAR(small.width, usual.width / 2, 1e-3F);
  EXPECT_NEAR(small.height, usual.height / 2, 1e-3F);
}

TEST(PageLook, WhatDoesNotFitIsMadeSmallerAndTheWidthThatWouldDoIsSaid) {
  const auto snapshot = story();
  for (const FigureKind* kind : {&kHeatmapFigure, &kGridFigure, &kLinksFigure, &kInsideFigure}) {
    const PageLook look{.width_mm = 20, .type = 11};
    const PageFit fit = fit_of(look, scene_of(*snapshot, *kind, look));
    EXPECT_LT(fit.smallest.points, 11) << kind->name;
    EXPECT_EQ(fit.asked, 11) << kind->name;
    EXPECT_THAT(text_of(fit), HasSubstr(" pt, not 11: ")) << kind->name;
    const PageLook wider{.width_mm = fit.enough_mm, .type = 11};
    EXPECT_TRUE(fit_of(wider, scene_of(*snapshot, *kind, wider)).keeps_type()) << kind->name << " " << fit.enough_mm;
  }
}

TEST(PageLook, PartsCanBeLeftOut) {
  const auto snapshot = story();
  const PageLook whole{.width_mm = kColumn};
  EXPECT_TRUE(page_says(scene_of(*snapshot, kHeatmapFigure, whole), "sandbox · "));
  EXPECT_TRUE(page_says(scene_of(*snapshot, kHeatmapFigure, whole), "mask"));
  const PageLook bare{.width_mm = kColumn, .without = {PagePart::title, PagePart::caption, PagePart::bar, PagePart::footer}};
  const Scene scene = scene_of(*snapshot, kHeatmapFigure, bare);
  for (const char* words : {"sandbox", "The horse", "mask", "0.5"}) EXPECT_FALSE(page_says(scene, words)) << words;
  EXPECT_TRUE(items_of<SceneRamp>(scene).empty());
  EXPECT_EQ(scene.title, scene_of(*snapshot, kHeatmapFigure, whole).title) << "the file still says what it shows";
  const PageLook without_legend{.width_mm = kColumn, .without = {PagePart::legend}};
  const auto squares = [&](const PageLook& look) { return items_of<SceneBox>(scene_of(*snapshot, kLinksFigure, look)).size(); };
  EXPECT_EQ(squares(whole), squares(without_legend) + 2) << "a square for each head";
}

/// All words of the page in a row, as its lines are broken anywhere.
std::string said_on(const Scene& scene) {
  std::string words;
  for (const SceneText& text : items_of<SceneText>(scene)) words += text.text + " ";
  return words;
}

TEST(PageLook, WhatIsDerivedIsSaidWithoutTheFooterToo) {
  const auto snapshot = predicting_story();
  for (const PagePreset& preset : page_presets()) {
    ASSERT_FALSE(preset.look.has(PagePart::footer)) << preset.name;
    for (const FigureKind* kind : {&kHeatmapFigure, &kGridFigure, &kFlowFigure, &kLinksFigure, &kTextFigure, &kCompareFigure}) {
      FigureRequest request = request_of(*kind, preset.look);
      request.style.hidden = parse_key_set("first-token");
      request.style.hiding = Hiding::renormalise;
      const std::string words = said_on(make_figure(*snapshot, request, plain_measure()));
      EXPECT_THAT(words, HasSubstr("renormalised")) << kind->name << " " << preset.name;
      EXPECT_THAT(words, HasSubstr("of the weight hidden")) << kind->name << " " << preset.name;
      EXPECT_THAT(words, Not(HasSubstr("mask causal"))) << kind->name << " " << preset.name;
    }
    FigureRequest rollout = request_of(kFlowFigure, preset.look);
    rollout.flow.settings.reduction = Reduction::rollout;
    const std::string words = said_on(make_figure(*snapshot, rollout, plain_measure()));
    EXPECT_THAT(words, HasSubstr("derived: rollout")) << preset.name;
    EXPECT_THAT(words, HasSubstr("causal: row 0 holds the first token alone")) << preset.name;
    FigureRequest staged = request_of(kGridFigure, preset.look);
    staged.stage = Stage::value_weights;
    EXPECT_THAT(said_on(make_figure(*snapshot, staged, plain_measure())), HasSubstr("derived: weight")) << preset.name;
  }
}

TEST(PageLook, WhatIsDerivedMakesNoPageHigherThanWasAsked) {
  const auto snapshot = predicting_story();
  for (const FigureKind* kind : {&kHeatmapFigure, &kGridFigure, &kFlowFigure, &kLinksFigure, &kCompareFigure}) {
    FigureRequest request = request_of(*kind, {.width_mm = kColumn, .height_mm = 60, .without = {PagePart::footer}});
    request.style.hidden = parse_key_set("first-token");
    const Scene scene = make_figure(*snapshot, request, plain_measure());
    EXPECT_LE(scene.height, 60 * kPointsPerMm + 1e-3F) << kind->name;
    EXPECT_NEAR(scene.width, kColumn * kPointsPerMm, 1e-3F) << kind->name;
  }
}

TEST(PageLook, ThePanelsLetterIsBoldInTheUpperLeftCorner) {
  const auto snapshot = story();
  for (const FigureKind* kind : figures_of(*snapshot)) {
    const Scene scene = scene_of(*snapshot, *kind, {.width_mm = 174, .letter = "a", .without = {PagePart::title}});
    const auto texts = items_of<SceneText>(scene);
    const auto letter = std::find_if(texts.begin(), texts.end(), [](const SceneText& text) { return text.text == "a"; });
    ASSERT_NE(letter, texts.end()) << kind->name;
    EXPECT_EQ(letter->face, FontFace::ui_bold);
    for (const SceneText& other : texts) EXPECT_LE(letter->at.x, other.at.x + 1e-3F) << kind->name << " " << other.text;
  }
}

TEST(PageLook, AGridOfManyHeadsNumbersItsColumnsWhereTilesHaveNoRoomForNames) {
  const auto snapshot = sandbox_snapshot("The cat sat on the mat", 12, 12);
  const PageLook column{.width_mm = kColumn};
  const Scene scene = scene_of(*snapshot, kGridFigure, column);
  EXPECT_TRUE(fit_of(column, scene).keeps_type());
  EXPECT_LT(scene.height, 1.5F * scene.width);
  EXPECT_EQ(items_of<SceneMap>(scene).size(), 144U);
  std::vector<std::string> numbers;
  for (const SceneText& text : items_of<SceneText>(scene)) {
    if (text.face == FontFace::mono && text.align_x == AlignX::centre) numbers.push_back(text.text);
  }
  EXPECT_THAT(numbers, ::testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"));
  EXPECT_FALSE(page_says(scene, "number: ")) << "there are none";
  EXPECT_TRUE(page_says(scene_of(*story(), kGridFigure, {.width_mm = 174}), "number: "));
}

TEST(PageLook, ALetterTakesNoLineWhereTheCornerOfTheFigureIsFree) {
  const auto snapshot = story();
  const PageLook bare{.width_mm = kColumn, .without = {PagePart::title, PagePart::caption}};
  PageLook lettered = bare;
  lettered.letter = "a";
  const auto height = [&](const FigureKind& kind, const PageLook& look) { return scene_of(*snapshot, kind, look).height; };
  EXPECT_EQ(height(kHeatmapFigure, lettered), height(kHeatmapFigure, bare));
  EXPECT_GT(height(kGridFigure, lettered), height(kGridFigure, bare));
}

TEST(PageLook, SaysHowManyWordsWereShortened) {
  const auto snapshot = sandbox_snapshot("incomprehensibilities are incomprehensible", 1, 1);
  const auto shortened = [&](float width) {
    const PageLook look{.width_mm = width};
    return fit_of(look, scene_of(*snapshot, kHeatmapFigure, look)).shortened;
  };
  EXPECT_GT(shortened(50), 0U);
  EXPECT_EQ(shortened(174), 0U);
}

TEST(PageLook, ATransparentFigureHasNoGround) {
  const auto snapshot = story();
  const Scene scene = scene_of(*snapshot, kHeatmapFigure, {.width_mm = kColumn, .is_transparent = true});
  const Image image = to_image(scene, 2);
  EXPECT_EQ(image.pixels[3], 0) << "the corner";
  EXPECT_TRUE(std::any_of(image.pixels.begin(), image.pixels.end(), [](std::uint8_t part) { return part == 255; }));
  const Image opaque = to_image(scene_of(*snapshot, kHeatmapFigure, {.width_mm = kColumn}), 2);
  for (std::size_t alpha = 3; alpha < opaque.pixels.size(); alpha += 4) ASSERT_EQ(opaque.pixels[alpha], 255);
  const std::string svg = to_svg(scene), ground = "<rect width=\"240.94\"";
  EXPECT_THAT(svg, Not(HasSubstr(ground)));
  EXPECT_THAT(to_svg(scene_of(*snapshot, kHeatmapFigure, {.width_mm = kColumn})), HasSubstr(ground));
}

TEST(PageLook, ATransparentPngIsReadAsItWasWritten) {
  const auto snapshot = story();
  const std::string png = to_png(scene_of(*snapshot, kHeatmapFigure, {.width_mm = kColumn, .is_transparent = true}), 2);
  const Image once = decode_png(png, "a.png");
  std::size_t clear = 0, partly = 0;
  for (std::size_t alpha = 3; alpha < once.pixels.size(); alpha += 4) {
    clear += once.pixels[alpha] == 0 ? 1 : 0;
    partly += once.pixels[alpha] > 0 && once.pixels[alpha] < 255 ? 1 : 0;
  }
  EXPECT_GT(clear, once.pixels.size() / 40);
  EXPECT_GT(partly, 0U) << "edges of letters";
}

TEST(PageLook, FilesSayHowLargeTheyArePrinted) {
  const auto snapshot = story();
  const Scene scene = scene_of(*snapshot, kHeatmapFigure, {.width_mm = kColumn});
  EXPECT_THAT(to_svg(scene), HasSubstr(" width=\"85mm\" height=\""));
  const Image image = to_image(scene, pixels_at(300));
  EXPECT_EQ(image.width, 1004) << "85 mm at 300 dpi are 1003.9 pixels";
  const Image slide = to_image(scene_of(*snapshot, kHeatmapFigure, {.width_mm = 254}), pixels_at(192));
  EXPECT_EQ(slide.width, 1920);
}

TEST(PageLook, EveryPresetCanBeMadeOfEveryFigure) {
  const auto snapshot = predicting_story();
  for (const PagePreset& preset : page_presets()) {
    EXPECT_EQ(find_preset(preset.name), &preset);
    for (const FigureKind* kind : figures_of(*snapshot)) {
      const Scene scene = scene_of(*snapshot, *kind, preset.look);
      EXPECT_NEAR(scene.width, preset.look.width_mm * kPointsPerMm, 1e-2F) << preset.name << " " << kind->name;
    }
  }
  EXPECT_EQ(find_preset("postcard"), nullptr);
}

/// In a column of a paper no letters are smaller than 6 points, whatever the figure; on a slide they are those of the slide. A table of many
/// numbers and links of many tokens have no room on a slide, and say how high it would have to be.
TEST(PageLook, PresetsKeepTheirLetters) {
  const auto snapshot = predicting_story();
  std::vector<FigureRequest> requests;
  for (const FigureKind* kind : figures_of(*snapshot)) {
    requests.push_back(request_of(*kind, {}));
    if (kind->needs.has_target) requests.back().effects = made_studies(*snapshot);
    if (kind->needs.has_lab) requests.back().lab.found = some_sheet(*snapshot);
  }
  for (int step = 1; step <= kInsideSteps; ++step) {
    requests.push_back(request_of(kInsideFigure, {}));
    requests.back().moment_inside = end_of_step(step);
  }
  FigureRequest all = request_of(kMeasuresFigure, {});
  all.measures.ids.clear();
  for (std::string_view rest = kUsualMeasures; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    all.measures.ids.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  requests.push_back(all);
  const std::vector<std::pair<const char*, float>> least{{"column", 6}, {"page", 7.9F}, {"slide", 11.9F}, {"poster", 23.9F}};
  for (const auto& [name, points] : least) {
    for (FigureRequest& request : requests) {
      request.page = find_preset(name)->look;
      const bool is_long =
          request.measures.ids.size() > 2 || request.kind == &kLabFigure || (request.kind == &kLinksFigure && snapshot->tokens() > 15);
      const bool has_no_room = std::string(name) == "slide" && is_long;
      const PageFit fit = fit_of(request.page, make_figure(*snapshot, request, plain_measure()));
      const std::string figure = fmt::format("{} {} step {}", name, request.kind->name, request.moment_inside.number());
      EXPECT_TRUE(has_no_room || fit.smallest.points >= points) << figure << ": " << fit.smallest.points << " " << fit.smallest.text;
      EXPECT_TRUE(!has_no_room || !text_of(fit).empty()) << figure;
    }
  }
}

TEST(PageLook, NamesThatCouldBreakAFileAreRefused) {
  for (const char* name : {"a\"b", "x' onload='y", "<b>", "a;b", "a\nb", "Inter, Arial"}) EXPECT_NE(why_no_family(name), "") << name;
  for (const char* name : {"", "Georgia", "Noto Sans CJK JP", "Source Sans 3", "serif"}) EXPECT_EQ(why_no_family(name), "") << name;
  EXPECT_NE(why_no_family(std::string(kLongestFamily + 1, 'a')), "");
  for (const char* letter : {"a", "(b)", "A1", "é"}) EXPECT_EQ(why_no_letter(letter), "") << letter;
  for (const char* letter : {"\n", "a very long one", "\x01"}) EXPECT_NE(why_no_letter(letter), "");
}

}  // namespace
}  // namespace headlight::testing
