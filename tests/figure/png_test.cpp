#include "engine/figure/painters/png.h"

#include <cairo.h>

#include "tests/testing.h"

namespace headlight::testing {
namespace {

TEST(Png, PixelsAreReadBackByCairo) {
  const TemporaryFolder folder;
  const auto path = folder.file("a.png", encode_png({2, 1, {255, 128, 0, 255, 10, 20, 30, 0}}));
  cairo_surface_t* surface = cairo_image_surface_create_from_png(path.c_str());
  ASSERT_EQ(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
  ASSERT_EQ(cairo_image_surface_get_width(surface), 2);
  const auto* words = reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(surface));
  EXPECT_EQ(words[0], 0xFFFF8000U);
  EXPECT_EQ(words[1], 0U);
  cairo_surface_destroy(surface);
}

TEST(Png, AnImageWithoutPixelsIsRefused) {
  EXPECT_EQ(error_of([] { encode_png({}); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight::testing
