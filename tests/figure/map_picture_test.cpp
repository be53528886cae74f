#include "engine/figure/map/map_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/core/random.h"

namespace headlight::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const HatchStyle kPlainHatch{{9, 8, 7}, {9, 8, 7}, 7};  // one colour: a masked pixel is easily told

Image blank(int width, int height) {
  return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)};
}

Colour pixel(const Image& image, int x, int y) {
  const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4;
  return {image.pixels[at], image.pixels[at + 1], image.pixels[at + 2], image.pixels[at + 3]};
}

MapPicture picture_of(Matrix values, std::shared_ptr<const Mask> mask = nullptr, bool is_difference = false) {
  const Index rows = values.rows(), columns = values.cols();
  return {std::move(values), 1, rows, columns, std::move(mask), is_difference};
}

CellWindow all_of(const MapPicture& picture) {
  return {0, static_cast<float>(picture.rows()), 0, static_cast<float>(picture.columns())};
}

Image painted(const MapPicture& picture, const CellWindow& window, const ColourScale& scale, int width, int height) {
  Image image = blank(width, height);
  paint_map(picture, window, scale, kPlainHatch, image, {0, 0, width, height});
  return image;
}

ColourScale linear() {
  return {ColourMap::grey, true, ScaleKind::linear, 1, 0, 1};
}

/// The rule of the header, cell by cell: which cells of one axis a pixel shows.
bool shows(float begin, float end, int pixels, int at, Index cell) {
  const double step = (static_cast<double>(end) - begin) / pixels;
  const double from = begin + at * step, to = begin + (at + 1) * step;
  if (step <= 1) return static_cast<Index>(std::floor(begin + (at + 0.5) * step)) == cell;
  const double middle = static_cast<double>(cell) + 0.5;
  if (middle >= from && middle < to) return true;
  // The window cuts this cell and its middle is outside: the outermost pixel shows it.
  const bool is_cut = static_cast<double>(cell) + 1 > begin && static_cast<double>(cell) < end;
  return is_cut && ((at == 0 && middle < from) || (at == pixels - 1 && middle >= to));
}

struct Seen {
  std::optional<float> value;  ///< none: masked
};

Seen slow_pixel(const Matrix& values, const Mask& mask, bool is_difference, const CellWindow& window, int width, int height, int x, int y) {
  Seen seen;
  for (Index row = 0; row < values.rows(); ++row) {
    if (!shows(window.row_begin, window.row_end, height, y, row)) continue;
    for (Index column = 0; column < values.cols(); ++column) {
      if (!shows(window.column_begin, window.column_end, width, x, column) || !mask.allows(row, column)) continue;
      const float value = values(row, column);
      const bool is_first = !seen.value || std::isnan(*seen.value);
      const bool is_larger = seen.value && (is_difference ? std::abs(value) > std::abs(*seen.value) : value > *seen.value);
      if (is_first || (is_larger && !std::isnan(value))) {
        if (!std::isnan(value) || !seen.value) seen.value = value;
      }
    }
  }
  return seen;
}

int distance(Colour a, Colour b) {
  return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

TEST(PaintMap, EqualsASlowPainterOnRandomWindows) {
  RandomStream stream(3, "paint");
  const auto part = [&](float of) { return static_cast<float>(stream.next() % 4096) / 4096 * of; };
  for (int trial = 0; trial < 60; ++trial) {
    const bool is_difference = trial % 3 == 2;
    const Index rows = 2 + static_cast<Index>(part(50)), columns = 2 + static_cast<Index>(part(50));
    Matrix values(rows, columns);
    auto mask = std::make_shared<Mask>(rows, columns, true);
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; ++column) {
        values(row, column) = part(1) * part(1) - (is_difference ? part(0.7F) : 0);
        if (part(1) < 0.05F) values(row, column) = kNan;
        if (part(1) < 0.4F) mask->set(row, column, false);
      }
    }
    const auto r = static_cast<float>(rows), c = static_cast<float>(columns);
    CellWindow window{0, r, 0, c};
    if (trial % 2 == 1) window = {part(r / 2), r - part(r / 3), part(c / 2), c - part(c / 3)};
    const int width = 15 + static_cast<int>(part(70)), height = 15 + static_cast<int>(part(70));  // under 4 cells per pixel
    const ColourScale scale{is_difference ? ColourMap::coolwarm : ColourMap::magma,
                            true,
                            trial % 4 == 0   ? ScaleKind::linear
                            : trial % 4 == 1 ? ScaleKind::log
                                             : ScaleKind::gamma,
                            0.6F,
                            is_difference ? -1.0F : 0.0F,
                            1};
    const Image image = painted(picture_of(values, mask, is_difference), window, scale, width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const Seen seen = slow_pixel(values, *mask, is_difference, window, width, height, x, y);
        const Colour expected = seen.value ? scale.colour(*seen.value) : kPlainHatch.ground;
        // One colour of the ramp aside: values on the very edge between two colours may round either way.
        ASSERT_LE(distance(pixel(image, x, y), expected), seen.value && !std::isnan(*seen.value) ? 6 : 0)
            << "trial " << trial << " pixel " << x << ", " << y;
      }
    }
  }
}

TEST(PaintMap, ColoursAreThoseOfTheScale) {
  for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log, ScaleKind::gamma}) {
    for (const float gamma : {0.3F, 0.6F, 1.5F}) {
      for (const float low : {0.0F, -3.0F}) {
        const ColourScale scale{ColourMap::viridis, true, kind, gamma, low, 3};
        Matrix values(1, 2000);
        for (Index i = 0; i < 2000; ++i) values(0, i) = low - 0.1F + static_cast<float>(i) * (3.2F - low) / 2000;
        const Image image = painted(picture_of(values), {0, 1, 0, 2000}, scale, 2000, 1);
        for (int i = 0; i < 2000; ++i) {
          ASSERT_LE(distance(pixel(image, i, 0), scale.colour(values(0, i))), 6) << name_of(kind) << " " << gamma << " " << values(0, i);
        }
      }
    }
  }
}

TEST(PaintMap, ALargeIdentityKeepsItsDiagonalInAFewPixels) {
  const Image image = painted(picture_of(Matrix::Identity(4096, 4096)), {0, 4096, 0, 4096}, linear(), 64, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(pixel(image, i, i), linear().colour(1)) << i;
    if (i > 1) {
      EXPECT_EQ(pixel(image, i, i - 2), linear().colour(0)) << i;
    }
  }
}

TEST(PaintMap, ASpikeOfOneCellIsSeenWhereverItIs) {
  RandomStream stream(5, "spikes");
  for (int head = 0; head < 144; ++head) {
    const auto row = static_cast<Index>(stream.next() % 512), column = static_cast<Index>(stream.next() % 512);
    Matrix map = Matrix::Zero(512, 512);
    map(row, column) = 1;
    const Image image = painted(picture_of(map), {0, 512, 0, 512}, linear(), 80, 80);
    int lit = 0;
    for (int y = 0; y < 80; ++y) {
      for (int x = 0; x < 80; ++x) lit += pixel(image, x, y) == linear().colour(1) ? 1 : 0;
    }
    ASSERT_EQ(lit, 1) << "spike at " << row << ", " << column;
    const int x = static_cast<int>(column * 80 / 512), y = static_cast<int>(row * 80 / 512);
    EXPECT_TRUE(pixel(image, x, y) == linear().colour(1) || pixel(image, std::min(x + 1, 79), y) == linear().colour(1) ||
                pixel(image, x, std::min(y + 1, 79)) == linear().colour(1) ||
                pixel(image, std::min(x + 1, 79), std::min(y + 1, 79)) == linear().colour(1))
        << "spike at " << row << ", " << column;
  }
}

TEST(PaintMap, PooledPicturesLieWhereTheTrueMapLies) {
  // 513 cells pooled by 2: the last pooled cell stands for one cell only.
  Matrix pooled = Matrix::Zero(257, 257);
  pooled(100, 256) = 1;
  const MapPicture picture(std::move(pooled), 2, 513, 513, nullptr, false);
  const Image image = painted(picture, all_of(picture), linear(), 513, 513);
  EXPECT_EQ(pixel(image, 512, 200), linear().colour(1));
  EXPECT_EQ(pixel(image, 512, 201), linear().colour(1));
  EXPECT_EQ(pixel(image, 511, 200), linear().colour(0));
  EXPECT_EQ(pixel(image, 512, 202), linear().colour(0));
}

TEST(PaintMap, CellEdgesAreCrispAndDoNotDependOnTheWindowsSize) {
  Matrix map(1, 3);
  map << 0, 1, 0.5F;
  const MapPicture picture = picture_of(map);
  const Image image = painted(picture, {0, 1, 0, 3}, linear(), 10, 1);
  for (int x = 0; x < 10; ++x) EXPECT_EQ(pixel(image, x, 0), linear().colour(map(0, static_cast<Index>((x + 0.5) * 0.3)))) << x;
}

TEST(PaintMap, APixelWithOneAllowedCellShowsItAndOthersAreHatched) {
  Matrix map = Matrix::Constant(8, 8, 0.9F);
  auto mask = std::make_shared<Mask>(8, 8, false);
  mask->set(5, 2, true);
  map(5, 2) = 0;
  const Image image = painted(picture_of(map, mask), {0, 8, 0, 8}, linear(), 4, 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      EXPECT_EQ(pixel(image, x, y), x == 1 && y == 2 ? linear().colour(0) : kPlainHatch.ground) << x << ", " << y;
    }
  }
}

TEST(PaintMap, HatchOfNeighbouringMapsJoins) {
  const MapPicture picture = picture_of(Matrix::Zero(4, 4), std::make_shared<Mask>(4, 4, false));
  const HatchStyle hatch{{0, 0, 0}, {255, 255, 255}, 7.5F};
  Image one = blank(60, 30), two = blank(60, 30);
  paint_map(picture, all_of(picture), linear(), hatch, one, {0, 0, 60, 30});
  paint_map(picture, all_of(picture), linear(), hatch, two, {0, 0, 23, 30});
  paint_map(picture, all_of(picture), linear(), hatch, two, {23, 0, 37, 30});
  EXPECT_EQ(one.pixels, two.pixels);
  for (int y = 0; y + 1 < 30; ++y) EXPECT_EQ(pixel(one, 20, y + 1), pixel(one, 21, y)) << "45 degrees, rising to the right";
  EXPECT_NE(pixel(one, 0, 0), pixel(one, 3, 0));
}

TEST(PaintMap, WhatLiesOutsideTheImageIsLeftOutAndTheRestUntouched) {
  Matrix map(4, 4);
  for (Index i = 0; i < 16; ++i) map.data()[i] = static_cast<float>(i) / 15;
  const MapPicture picture = picture_of(map);
  Image whole = blank(40, 40), part = blank(20, 20);
  paint_map(picture, all_of(picture), linear(), kPlainHatch, whole, {0, 0, 40, 40});
  paint_map(picture, all_of(picture), linear(), kPlainHatch, part, {-25, -5, 40, 40});
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 20; ++x)
      EXPECT_EQ(pixel(part, x, y), x < 15 ? pixel(whole, x + 25, y + 5) : (Colour{0, 0, 0, 0})) << x << ", " << y;
  }
}

TEST(PaintMap, ADifferenceShowsWhatIsFartherFromZero) {
  Matrix map = Matrix::Zero(4, 4);
  map(0, 0) = 0.3F;
  map(1, 1) = -0.5F;
  map(2, 2) = 0.9F;
  map(3, 3) = -0.2F;
  const ColourScale scale{ColourMap::coolwarm, true, ScaleKind::linear, 1, -1, 1};
  const Image image = painted(picture_of(map, nullptr, true), {0, 4, 0, 4}, scale, 2, 2);
  EXPECT_LE(distance(pixel(image, 0, 0), scale.colour(-0.5F)), 6);
  EXPECT_LE(distance(pixel(image, 1, 1), scale.colour(0.9F)), 6);
}

TEST(MapPicture, ValueOfARectangleSkipsMaskedAndUndefinedCells) {
  Matrix map(2, 2);
  map << 1, kNan, -3, 0.25F;
  auto mask = std::make_shared<Mask>(2, 2, true);
  mask->set(0, 0, false);
  EXPECT_EQ(picture_of(map, mask).value(0, 2, 0, 2), 0.25F);
  EXPECT_EQ(picture_of(map, mask, true).value(0, 2, 0, 2), -3);
  EXPECT_TRUE(std::isnan(picture_of(map, mask).value(0, 1, 0, 1)));
  EXPECT_TRUE(std::isnan(picture_of(map, mask).value(0, 1, 1, 2)));
}

TEST(MapPicture, APooledCellIsMaskedWhereNoneOfItsCellsIsAllowed) {
  constexpr Index kQueries = 61, kKeys = 75;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::array<float, 6> kinds{0.5F, -2, kNan, kInfinity, -kInfinity, 0};
  for (const Index pool : {1, 2, 3, 4, 5, 6, 8, 12, 80}) {
    RandomStream random(static_cast<std::uint64_t>(pool), "pooled mask");
    auto mask = std::make_shared<Mask>(kQueries, kKeys, false);
    for (Index cell = 0; cell < kQueries * kKeys / (pool * pool) + 1; ++cell) {
      mask->set(static_cast<Index>(random.next_uniform() * kQueries), static_cast<Index>(random.next_uniform() * kKeys), true);
    }
    Matrix values((kQueries + pool - 1) / pool, (kKeys + pool - 1) / pool);
    for (Index at = 0; at < values.size(); ++at) values.data()[at] = kinds[static_cast<std::size_t>(at) % kinds.size()];
    Matrix expected = values;
    for (Index row = 0; row < values.rows(); ++row) {
      for (Index column = 0; column < values.cols(); ++column) {
        const float value = values(row, column);
        expected(row, column) = std::isnan(value) ? kUndefinedCell : std::clamp(value, -kLargestValue, kLargestValue);
        bool is_allowed = false;
        for (Index query = row * pool; query < std::min((row + 1) * pool, kQueries); ++query) {
          for (Index key = column * pool; key < std::min((column + 1) * pool, kKeys); ++key) is_allowed |= mask->allows(query, key);
        }
        if (!is_allowed) expected(row, column) = kMaskedCell;
      }
    }
    EXPECT_EQ(MapPicture(values, pool, kQueries, kKeys, mask, false).largest().level(0), expected) << pool;
  }
}

TEST(MapPicture, FullyMaskedRowsAreKnown) {
  auto mask = std::make_shared<Mask>(3, 3, true);
  for (Index key = 0; key < 3; ++key) mask->set(1, key, false);
  const MapPicture picture = picture_of(Matrix::Zero(3, 3), mask);
  EXPECT_FALSE(picture.is_row_masked(0));
  EXPECT_TRUE(picture.is_row_masked(1));
  EXPECT_FALSE(picture_of(Matrix::Zero(3, 3)).is_row_masked(1));
}

}  // namespace
}  // namespace headlight::testing
