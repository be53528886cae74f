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
#include "tests/testing.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr float kColumn = 85;
constexpr std::array kOfPredictions{&kOutputFigure, &kAttributionFigure, &kEffectsFigure, &kLensFigure};

FigureRequest request_of(const FigureKind& kind, const PageLook& page) {
  FigureRequest request;
  request.kind = &kind;
  request.heads = {{{0, 0}}, {{1, 1}}};
  request.links.heads = request.flow.heads = {{0, 0}, {0, 1}};
  request.measures.ids = {"normalised-entropy", "mean-distance"};
  request.page = page;
  request.style.theme = Theme::light;
  return request;
}

/// Numbers of every size, one for each head.
std::shared_ptr<const HeadEffects> some_effects(const Snapshot& snapshot) {
  HeadEffects effects{.unchanged = 1.5, .heads = snapshot.all_heads()};
  for (std::size_t place = 0; place < effects.heads.size(); ++place)
    effects.values.push_back(std::pow(-1.7, static_cast<double>(place)) / 9);
  return std::make_shared<const HeadEffects>(std::move(effects));
}

Scene scene_of(const Snapshot& snapshot, const FigureKind& kind, const PageLook& page) {
  FigureRequest request = request_of(kind, page);
  if (kind.needs.has_target) request.effects.found = some_effects(snapshot);
  return make_figure(snapshot, request, plain_measure());
}

std::shared_ptr<const Snapshot> story() {
  return sandbox_snapshot("The horse that the sailors follow gallops. It knows itself.", 2, 3);
}

/// A model that predicts, which the sandbox does not.
std::shared_ptr<const Snapshot> predicting_story() {
  Query query;
  query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  query.text = "The horse that the sailors follow gallops. It knows itself.";
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

/// Those that a run has something for.
std::vector<const FigureKind*> figures_of(const Snapshot& snapshot) {
  const FigureKinds all = figure_kinds();
  std::vector<const FigureKind*> kinds;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kinds),
               [&](const FigureKind* kind) { return why_no_figure(*kind, snapshot).empty(); });
  return kinds;
}

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
    if (kind->needs.has_target) requests.back().effects.found = some_effects(*snapshot);
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
      const bool is_long = request.measures.ids.size() > 2 || (request.kind == &kLinksFigure && snapshot->tokens() > 15);
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
      for (const FigureKind* kind :
           {&kHeatmapFigure, &kGridFigure, &kCompareFigure, &kCompareMeasuresFigure, &kLinksFigure, &kFlowFigure, &kTextFigure})
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
