#include "engine/figure/map/map_atlas.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/testing.h"

namespace headlight::testing {
namespace {

/// Of `side` × `side` cells with the part above the diagonal hatched.
std::shared_ptr<const MapPicture> causal_picture(Index side, float first) {
  auto mask = std::make_shared<Mask>(side, side, true);
  Matrix values(side, side);
  for (Index row = 0; row < side; ++row) {
    for (Index column = 0; column < side; ++column) {
      values(row, column) = std::min(1.0F, first + 0.01F * static_cast<float>(row * side + column));
      if (column > row) mask->set(row, column, false);
    }
  }
  return std::make_shared<const MapPicture>(std::move(values), 1, side, side, mask, false);
}

AtlasMap map_of(const std::shared_ptr<const MapPicture>& picture, PixelBox place) {
  const auto rows = static_cast<float>(picture->rows()), columns = static_cast<float>(picture->columns());
  return {.picture = picture, .window = {0, rows, 0, columns}, .scale = {}, .hatch = {{20, 20, 20}, {200, 200, 200}, 7}, .place = place};
}

std::vector<std::uint8_t> cut(const Image& image, const PixelBox& place) {
  std::vector<std::uint8_t> pixels;
  for (int y = place.y; y < place.y + place.height; ++y) {
    const auto row = image.pixels.begin() + (static_cast<std::ptrdiff_t>(y) * image.width + place.x) * 4;
    pixels.insert(pixels.end(), row, row + std::ptrdiff_t{4} * place.width);
  }
  return pixels;
}

TEST(MapAtlas, AMapThatMovesIsCopiedAndLooksAsIfItWerePaintedThere) {
  ThreadPool pool(2);
  const auto one = causal_picture(5, 0), two = causal_picture(6, 0.3F), three = causal_picture(7, 0.5F);
  MapAtlas scrolled, fresh;
  EXPECT_TRUE(scrolled.show({map_of(one, {0, 0, 50, 50}), map_of(two, {0, 60, 50, 50})}, 50, 110, pool));
  EXPECT_FALSE(scrolled.show({map_of(one, {0, 0, 50, 50}), map_of(two, {0, 60, 50, 50})}, 50, 110, pool));
  EXPECT_EQ(scrolled.paints(), 2);
  EXPECT_TRUE(scrolled.show({map_of(two, {0, 3, 50, 50}), map_of(three, {0, 60, 50, 50})}, 50, 110, pool));
  EXPECT_EQ(scrolled.paints(), 3) << "the second moved up, and the third is new";
  fresh.show({map_of(two, {0, 3, 50, 50}), map_of(three, {0, 60, 50, 50})}, 50, 110, pool);
  for (const PixelBox& place : {PixelBox{0, 3, 50, 50}, PixelBox{0, 60, 50, 50}})
    EXPECT_EQ(cut(scrolled.image(), place), cut(fresh.image(), place));
}

TEST(MapAtlas, MapsThatChangePlacesWithEachOtherAreNotMixedUp) {
  ThreadPool pool(2);
  const auto one = causal_picture(5, 0), two = causal_picture(6, 0.3F);
  MapAtlas atlas, fresh;
  atlas.show({map_of(one, {0, 0, 40, 40}), map_of(two, {40, 0, 40, 40})}, 80, 40, pool);
  atlas.show({map_of(two, {0, 0, 40, 40}), map_of(one, {40, 0, 40, 40})}, 80, 40, pool);
  fresh.show({map_of(two, {0, 0, 40, 40}), map_of(one, {40, 0, 40, 40})}, 80, 40, pool);
  EXPECT_EQ(atlas.paints(), 2);
  EXPECT_EQ(atlas.image().pixels, fresh.image().pixels);
}

TEST(MapAtlas, WhatChangesAMapsPixelsPaintsItAnew) {
  ThreadPool pool(1);
  const auto picture = causal_picture(5, 0);
  MapAtlas atlas;
  AtlasMap map = map_of(picture, {0, 0, 40, 40});
  const auto paints = [&] {
    const int before = atlas.paints();
    atlas.show({map}, 40, 40, pool);
    return atlas.paints() - before;
  };
  EXPECT_EQ(paints(), 1);
  map.window.row_begin = 1;
  EXPECT_EQ(paints(), 1);
  map.scale.high = 0.5F;
  EXPECT_EQ(paints(), 1);
  map.hatch.spacing = 9;
  EXPECT_EQ(paints(), 1);
  map.place.width = 39;
  EXPECT_EQ(paints(), 1);
  map.picture = causal_picture(5, 0);
  EXPECT_EQ(paints(), 1) << "of other values, perhaps";
  EXPECT_EQ(paints(), 0);
}

TEST(MapAtlas, ALargeMapThatIsPaintedInPiecesIsTheSameAsInOne) {
  const auto picture = causal_picture(300, 0);
  ThreadPool pool(3);
  MapAtlas atlas;
  for (const int side : {900, 901}) {  // large enough for several tasks
    const AtlasMap map = map_of(picture, {3, 2, side, side});
    atlas.show({map}, side + 3, side + 2, pool);
    Image whole{side, side, std::vector<std::uint8_t>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * 4),
                ByteOrder::bgra};
    paint_map(*picture, map.window, map.scale, map.hatch, whole, {0, 0, side, side});
    EXPECT_EQ(cut(atlas.image(), map.place), whole.pixels);
  }
}

/// Of random numbers on both sides of zero, some of them masked, hidden or undefined.
std::shared_ptr<const MapPicture> picture_of_noise(Index side, bool is_difference) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> share(is_difference ? -1.0F : 0.0F, 1);
  auto mask = std::make_shared<Mask>(side, side, true);
  Matrix values(side, side);
  for (Index i = 0; i < values.size(); ++i) {
    const Index row = i / side, column = i % side;
    values(row, column) = i % 31 == 0 ? std::numeric_limits<float>::quiet_NaN() : i % 29 == 0 ? kHiddenCell : share(random);
    if (column > row) mask->set(row, column, false);
  }
  return std::make_shared<const MapPicture>(std::move(values), 1, side, side, mask, is_difference);
}

TEST(MapAtlas, OtherColoursOfTheSameMapsLookAsIfTheyWerePaintedSo) {
  ThreadPool pool(2);
  for (const bool is_difference : {false, true}) {
    // Cells larger than pixels, smaller, and far smaller.
    std::vector<AtlasMap> maps{map_of(picture_of_noise(9, is_difference), {0, 0, 60, 50}),
                               map_of(picture_of_noise(90, is_difference), {60, 7, 50, 60}),
                               map_of(picture_of_noise(400, is_difference), {0, 60, 40, 70})};
    MapAtlas dragged;
    dragged.show(maps, 120, 130, pool);
    for (const float gamma : {0.6F, 1.0F, 0.3F}) {
      for (AtlasMap& map : maps) {
        map.scale.kind = ScaleKind::gamma;
        map.scale.gamma = gamma;
        map.scale.low = is_difference ? -0.8F : 0.0F;
        map.scale.high = 0.8F;
      }
      EXPECT_TRUE(dragged.show(maps, 120, 130, pool));
      MapAtlas fresh;
      fresh.show(maps, 120, 130, pool);
      EXPECT_EQ(dragged.image().pixels, fresh.image().pixels) << gamma << (is_difference ? " of a difference" : "");
      EXPECT_EQ(dragged.paints(), 6) << "painted once, and once more to keep what is shown";
    }
    // What was kept is of other maps now.
    std::swap(maps[0].picture, maps[1].picture);
    std::swap(maps[0].window, maps[1].window);
    dragged.show(maps, 120, 130, pool);
    for (AtlasMap& map : maps) map.scale.gamma = 0.9F;
    dragged.show(maps, 120, 130, pool);
    MapAtlas fresh;
    fresh.show(maps, 120, 130, pool);
    EXPECT_EQ(dragged.image().pixels, fresh.image().pixels);
  }
}

TEST(MapAtlas, HasTheBytesOfAWindow) {
  ThreadPool pool(1);
  const auto picture = causal_picture(5, 0);
  const AtlasMap map = map_of(picture, {0, 0, 40, 40});
  MapAtlas atlas;
  atlas.show({map}, 40, 40, pool);
  Image file{40, 40, std::vector<std::uint8_t>(std::size_t{40} * 40 * 4)};
  paint_map(*picture, map.window, map.scale, map.hatch, file, map.place);
  for (std::size_t byte = 0; byte < file.pixels.size(); byte += 4) std::swap(file.pixels[byte], file.pixels[byte + 2]);
  EXPECT_EQ(atlas.image().order, ByteOrder::bgra);
  EXPECT_EQ(atlas.image().pixels, file.pixels);
}

TEST(MapAtlas, TheImageKeepsItsSizeUnlessItIsTooSmallOrFarTooLarge) {
  ThreadPool pool(1);
  const auto picture = causal_picture(5, 0);
  MapAtlas atlas;
  const auto height_for = [&](int height) {
    atlas.show({map_of(picture, {0, 0, 40, 40})}, 40, height, pool);
    return atlas.image().height;
  };
  EXPECT_EQ(height_for(100), 100);
  EXPECT_EQ(height_for(90), 100) << "a line less is in sight";
  EXPECT_EQ(height_for(120), 120);
  EXPECT_EQ(height_for(45), 45);
  EXPECT_EQ(atlas.paints(), 1) << "it was copied";
}

}  // namespace
}  // namespace headlight::testing
