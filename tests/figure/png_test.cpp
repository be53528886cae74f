#include "engine/figure/painters/png.h"

#include <cairo.h>
#include <zlib.h>

#include <vector>

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

std::string packed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::vector<Bytef> bytes(size);
  compress(bytes.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// A picture with one more chunk after its first; its checksum, which reading texts does not need, is left out.
std::string with_chunk(const std::string& name, const std::string& data) {
  constexpr std::size_t kFirstEnd = 33;
  const std::string png = encode_png({1, 1, {255, 128, 0, 255}});
  std::string chunk;
  for (unsigned shift = 32; shift > 0;) chunk += static_cast<char>((data.size() >> (shift -= 8)) & 0xFFU);
  return png.substr(0, kFirstEnd) + chunk + name + data + std::string(4, '\0') + png.substr(kFirstEnd);
}

TEST(Png, APackedTextIsReadAndABrokenOrEndlessOneRefused) {
  const std::string key(kPngKeyword), zero(1, '\0'), text = "{\"how\": \"it was made\"}", wide("\1\0\0\0", 4);
  EXPECT_EQ(text_in_png(with_chunk("zTXt", key + zero + zero + packed(text)), key, "a.png"), text);
  EXPECT_EQ(text_in_png(with_chunk("iTXt", key + zero + wide + packed(text)), key, "a.png"), text);
  const auto refusal = [&](const std::string& data) {
    return error_of([&] { text_in_png(with_chunk("zTXt", key + zero + data), key, "a.png"); }).kind();
  };
  EXPECT_EQ(refusal(""), ErrorKind::input);
  EXPECT_EQ(refusal("\1" + packed(text)), ErrorKind::input) << "no such packing";
  EXPECT_EQ(refusal(zero + packed(text).substr(0, 12)), ErrorKind::input) << "cut short";
  EXPECT_EQ(refusal(zero + "no stream"), ErrorKind::input);
  EXPECT_EQ(refusal(zero + packed(std::string(std::size_t{65} << 20U, 'a'))), ErrorKind::limit);
}

TEST(Png, AnImageWithoutPixelsIsRefused) {
  EXPECT_EQ(error_of([] { encode_png({}); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight::testing
