// Figures for files: golden scenes (HEADLIGHT_UPDATE_GOLDEN=1 writes them anew; look at the difference before committing it) and what a
// figure must say.
#include <algorithm>
#include <limits>
#include <set>

#include "engine/figure/files/write_figure.h"
#include "engine/figure/painters/painters.h"
#include "engine/formats/file_reader.h"
#include "tests/figure/figure_testing.h"
#include "tests/figure/png_reading.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

const std::filesystem::path kGolden = std::filesystem::path(HEADLIGHT_TESTS_DIR) / "golden" / "figure";

std::shared_ptr<const Snapshot> small_snapshot() {
  return sandbox_snapshot("The cat's naïve plan, 日本 😀\nworked", 2, 3);
}

struct GoldenScene {
  std::string file;
  FigureRequest request;
};

std::vector<GoldenScene> golden_scenes() {
  FigureRequest head;
  head.head = {1, 2};
  FigureRequest grid;
  grid.kind = &kGridFigure;
  grid.style.theme = Theme::light;
  grid.style.map = ColourMap::blues;
  grid.style.scale = ScaleKind::linear;
  FigureRequest compare;
  compare.kind = &kCompareFigure;
  compare.heads = {{{0, 0}}, {{1, 1}}};
  compare.style.range = RangeKind::head;
  return {{"head.txt", head}, {"grid.txt", grid}, {"compare.txt", compare}};
}

/// Of an encoder–decoder: a cross map, all maps, and two maps of different sizes.
std::vector<GoldenScene> pair_scenes() {
  FigureRequest cross;
  cross.head = {3, 1};
  FigureRequest grid;
  grid.kind = &kGridFigure;
  FigureRequest compare;
  compare.kind = &kCompareFigure;
  compare.heads = {{{1, 0}}, {{3, 1}}};
  return {{"cross.txt", cross}, {"cross-grid.txt", grid}, {"cross-compare.txt", compare}};
}

std::shared_ptr<const Snapshot> small_pair() {
  return pair_snapshot("The cat sat on the mat", "Die Katze sass da");
}

/// Pictures of maps and boxes alone: text depends on the fonts of the machine.
struct GoldenImage {
  std::string file;
  Scene scene;
};

std::vector<GoldenImage> golden_images() {
  Matrix values(12, 12);
  auto mask = std::make_shared<Mask>(12, 12, true);
  for (Index row = 0; row < 12; ++row) {
    for (Index column = 0; column < 12; ++column) {
      values(row, column) = static_cast<float>((row * 7 + column * 5) % 13) / 12;
      mask->set(row, column, column <= row && row != 5);
    }
  }
  values(8, 3) = std::numeric_limits<float>::quiet_NaN();
  std::vector<GoldenImage> images;
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const bool is_dark = theme == Theme::dark;
    const Palette& colours = palette(theme);
    const HatchStyle hatch{colours.hatch_ground, colours.hatch};
    Scene scene{220, 110, colours.ground, "", {}};
    const auto weights = std::make_shared<MapPicture>(values, 1, 12, 12, mask, false);
    const Matrix signed_values = values.array() - 0.5F;
    const auto difference = std::make_shared<MapPicture>(signed_values, 1, 12, 12, mask, true);
    const ColourScale scale{default_map(theme), is_dark, ScaleKind::gamma, 0.6F, 0, 1};
    const ColourScale centred{ColourMap::coolwarm, is_dark, ScaleKind::linear, 1, -0.5F, 0.5F};
    scene.items.emplace_back(SceneMap{{8, 8, 84, 84}, weights, {0, 12, 0, 12}, scale, hatch});
    scene.items.emplace_back(SceneBox{.box = {8, 64, 63, 7}, .stroke = colours.query, .stroke_width = 1.5F});
    scene.items.emplace_back(SceneRamp{{100, 8, 10, 84}, scale});
    scene.items.emplace_back(SceneMap{{118, 8, 60, 60}, difference, {2.5F, 9, 0, 6.5F}, centred, hatch});
    scene.items.emplace_back(SceneBox{.box = {186, 8, 26, 18}, .fill = colours.panel, .stroke = colours.accent, .radius = 4});
    scene.items.emplace_back(SceneLine{{118, 80}, {178, 92}, colours.key, 2});
    images.push_back({is_dark ? "boxes-dark.png" : "boxes-light.png", scene});
  }
  return images;
}

bool is_updating() {
  return std::getenv("HEADLIGHT_UPDATE_GOLDEN") != nullptr;
}

void update(const std::string& file, const std::string& bytes) {
  write_file(kGolden / file, bytes);
}

void expect_recorded(const Snapshot& snapshot, const std::vector<GoldenScene>& scenes) {
  for (const GoldenScene& golden : scenes) {
    const std::string text = to_text(make_figure(snapshot, golden.request, plain_measure()));
    if (is_updating()) update(golden.file, text);
    EXPECT_EQ(text, bytes_of(kGolden / golden.file)) << golden.file;
  }
}

TEST(GoldenFigures, ScenesAreAsRecorded) {
  expect_recorded(*small_snapshot(), golden_scenes());
  expect_recorded(*small_pair(), pair_scenes());
}

TEST(GoldenFigures, PixelsAreAsRecorded) {
  for (const GoldenImage& golden : golden_images()) {
    if (is_updating()) update(golden.file, to_png(golden.scene, 2));
    const Image image = to_image(golden.scene, 2);
    const Image recorded = decode_png(kGolden / golden.file);
    ASSERT_EQ(image.width, recorded.width) << golden.file;
    ASSERT_EQ(image.height, recorded.height) << golden.file;
    std::size_t far = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) far += std::abs(image.pixels[i] - recorded.pixels[i]) > 6 ? 1 : 0;
    EXPECT_LE(far, image.pixels.size() / 1000) << golden.file;
  }
}

TEST(GoldenFigures, NoGoldenIsLeftThatNoTestReads) {
  std::set<std::string> read, present;
  for (const GoldenScene& golden : golden_scenes()) read.insert(golden.file);
  for (const GoldenScene& golden : pair_scenes()) read.insert(golden.file);
  for (const GoldenImage& golden : golden_images()) read.insert(golden.file);
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) present.insert(entry.path().filename().native());
  EXPECT_EQ(present, read);
}

bool says(const Scene& scene, std::string_view words) {
  const auto texts = items_of<SceneText>(scene);
  return std::any_of(texts.begin(), texts.end(), [&](const SceneText& text) { return text.text.find(words) != std::string::npos; });
}

TEST(MakeFigure, SaysModelHeadTextMaskScaleAndThatWeightsAreRandom) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2, "window:2");
  FigureRequest request;
  request.head = {1, 0};
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  for (const char* words : {"sandbox · layer 1 · head 0", "The cat sat", "mask window:2", "γ 0.6", "random", "queries", "keys"}) {
    EXPECT_TRUE(says(scene, words)) << words;
  }
}

TEST(MakeFigure, SaysWhenWeightsAreClippedOrRowsMasked) {
  const auto snapshot = sandbox_snapshot("The cat sat", 1, 1, "q > 0");
  FigureRequest request;
  request.style.range = RangeKind::fixed;
  request.style.fixed_high = 0.1F;
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  EXPECT_TRUE(says(scene, "weights above 0.1 clipped"));
  EXPECT_TRUE(says(scene, "∅ no key allowed (1 row)"));
}

void expect_on_page(const Scene& scene, const std::string& name) {
  for (const SceneText& item : items_of<SceneText>(scene)) {
    for (const Point corner : corners_of(item, plain_measure())) {
      EXPECT_TRUE(corner.x >= 0 && corner.x <= scene.width && corner.y >= 0 && corner.y <= scene.height) << name << " " << item.text;
    }
  }
  for (const SceneMap& map : items_of<SceneMap>(scene)) {
    EXPECT_TRUE(map.box.x >= 0 && map.box.right() <= scene.width && map.box.bottom() <= scene.height) << name;
  }
}

TEST(MakeFigure, EverythingIsOnThePage) {
  const std::vector<std::string> texts = {"Cat", "The animal didn't cross the street because it was too tired", "日本語 😀 مرحبا"};
  for (const std::string& text : texts) {
    const auto snapshot = sandbox_snapshot(text, 3, 4);
    for (const GoldenScene& golden : golden_scenes()) {
      expect_on_page(make_figure(*snapshot, golden.request, plain_measure()), golden.file);
    }
    for (const std::string& decoder_text : texts) {
      const auto pair = pair_snapshot(text, decoder_text);
      for (const GoldenScene& golden : pair_scenes()) {
        expect_on_page(make_figure(*pair, golden.request, plain_measure()), golden.file + ": " + text + ", " + decoder_text);
      }
    }
  }
}

// Seeds S2-8: drawn non-square, with the labels of both texts.
TEST(MakeFigure, ACrossMapHasSquareCellsAndTheTokensOfBothTexts) {
  const Scene scene = make_figure(*small_pair(), pair_scenes()[0].request, plain_measure());
  const auto maps = items_of<SceneMap>(scene);
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(maps[0].picture->rows(), 4);
  EXPECT_EQ(maps[0].picture->columns(), 6);
  EXPECT_FLOAT_EQ(maps[0].box.width / 6, maps[0].box.height / 4);
  std::vector<std::string> queries, keys;
  for (const SceneText& text : items_of<SceneText>(scene)) {
    if (text.align_x == AlignX::right && text.at.x == maps[0].box.x - 8) queries.push_back(text.text);
    if (text.degrees == 45) keys.push_back(text.text);
  }
  EXPECT_EQ(queries, (std::vector<std::string>{"Die", "Katze", "sass", "da"}));
  EXPECT_EQ(keys, (std::vector<std::string>{"The", "cat", "sat", "on", "the", "mat"}));
  for (const char* words : {"sandbox · cross 0 · head 1", "decoder queries", "encoder keys", "decoder: Die Katze", "mask none"}) {
    EXPECT_TRUE(says(scene, words)) << words;
  }
}

TEST(MakeFigure, TheGridOfAnEncoderDecoderNamesItsRowsAndKeepsTheShapeOfMaps) {
  const Scene scene = make_figure(*small_pair(), pair_scenes()[1].request, plain_measure());
  for (const char* words : {"encoder 0", "encoder 1", "decoder 0", "cross 0", "decoder 1", "cross 1", "mask causal in the decoder"}) {
    EXPECT_TRUE(says(scene, words)) << words;
  }
  for (const SceneMap& map : items_of<SceneMap>(scene)) {
    const float cell = map.box.width / static_cast<float>(map.picture->columns());
    EXPECT_NEAR(map.box.height / static_cast<float>(map.picture->rows()), cell, 0.01F);
  }
}

TEST(MakeFigure, MapsOfDifferentSizesStandSideBySideWithoutADifference) {
  const Scene scene = make_figure(*small_pair(), pair_scenes()[2].request, plain_measure());
  EXPECT_EQ(items_of<SceneMap>(scene).size(), 2U);
  for (const char* words : {"encoder 1 · head 0", "cross 0 · head 1", "Katze", "mat", "no A − B: the maps are of different sizes"}) {
    EXPECT_TRUE(says(scene, words)) << words;
  }
}

TEST(MakeFigure, ComparedHeadsWithMasksOfTheirOwnAreNotedOneByOne) {
  const auto snapshot = small_pair();
  FigureRequest request;
  request.kind = &kCompareFigure;
  request.heads = {{{3, 0}}, {{2, 0}}};
  EXPECT_TRUE(says(make_figure(*snapshot, request, plain_measure()), "mask A none, B causal · "));
  request.heads = {{{3, 0}}, {{5, 0}}};
  EXPECT_TRUE(says(make_figure(*snapshot, request, plain_measure()), "mask none · "));
}

TEST(MakeFigure, AnEmptyDecoderTextIsRefused) {
  const auto mute = pair_snapshot("The cat", "");
  EXPECT_EQ(error_of([&] { make_figure(*mute, {}, plain_measure()); }).kind(), ErrorKind::usage);
}

TEST(MakeFigure, ComparisonsShareOneScaleAndCentreTheDifference) {
  const auto snapshot = small_snapshot();
  FigureRequest request = golden_scenes()[2].request;
  const auto maps = items_of<SceneMap>(make_figure(*snapshot, request, plain_measure()));
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].scale, maps[1].scale);
  EXPECT_TRUE(maps[2].picture->is_difference());
  EXPECT_TRUE(maps[2].scale.is_zero_centred());
  request.heads.push_back({{0, 2}});
  EXPECT_EQ(items_of<SceneMap>(make_figure(*snapshot, request, plain_measure())).size(), 3U) << "no difference of three";
}

TEST(MakeFigure, TheLastSlantedKeyOfEveryComparedMapIsWritten) {
  const auto snapshot = sandbox_snapshot("The animal crossed the street at midnight", 1, 3);
  FigureRequest request;
  request.kind = &kCompareFigure;
  request.heads = {{{0, 0}}, {{0, 1}}, {{0, 2}}};
  int keys = 0;
  for (const SceneText& text : items_of<SceneText>(make_figure(*snapshot, request, plain_measure()))) {
    if (text.degrees != 45) continue;
    EXPECT_EQ(text.text.find("…"), std::string::npos) << text.text;
    keys += text.text == "midnight" ? 1 : 0;
  }
  EXPECT_EQ(keys, 3);
}

TEST(MakeFigure, RefusesWhatIsNotThere) {
  const auto snapshot = small_snapshot();
  FigureRequest request;
  request.head = {7, 0};
  const Error error = error_of([&] { make_figure(*snapshot, request, plain_measure()); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.message().find("layers 0…1"), std::string::npos) << error.message();
  request.kind = &kCompareFigure;
  EXPECT_EQ(error_of([&] { make_figure(*snapshot, request, plain_measure()); }).kind(), ErrorKind::usage);
  const auto empty = sandbox_snapshot("", 1, 1);
  EXPECT_EQ(error_of([&] { make_figure(*empty, {}, plain_measure()); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace headlight::testing
