// Texts inside a PNG file: its chunks are a length, a name, the bytes and a checksum.
#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/figure/painters/png.h"

namespace headlight {
namespace {

constexpr std::size_t kMagic = 8, kAround = 12;  // length, name and checksum of a chunk
constexpr std::size_t kFirstChunkEnd = kMagic + kAround + 13;

constexpr std::array<std::uint32_t, 256> kSums = [] {
  std::array<std::uint32_t, 256> sums{};
  for (std::uint32_t byte = 0; byte < sums.size(); ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? 0xEDB88320U ^ (sum >> 1U) : sum >> 1U;
    sums[byte] = sum;
  }
  return sums;
}();

std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char byte : bytes) sum = kSums[(sum ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (sum >> 8U);
  return ~sum;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (unsigned shift = 32; shift > 0;) bytes += static_cast<char>((number >> (shift -= 8)) & 0xFFU);
  return bytes;
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4)) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

/// `named`: its name of four letters and its bytes.
std::string chunk_of(const std::string& named) {
  return big_endian(static_cast<std::uint32_t>(named.size() - 4)) + named + big_endian(crc_of(named));
}

/// tEXt where the text is ASCII, which every program reads; else iTXt.
std::string chunk_of(const PngText& text) {
  const bool is_ascii = std::all_of(text.text.begin(), text.text.end(), [](char byte) { return byte > 0; });
  constexpr std::string_view kPlain("\0\0\0\0\0", 5);  // after the keyword: not compressed, no language, no translated keyword
  std::string named = is_ascii ? "tEXt" : "iTXt";
  named.append(text.keyword).append(is_ascii ? kPlain.substr(0, 1) : kPlain).append(text.text);
  return chunk_of(named);
}

/// The bytes of a zlib stream (RFC 1950), at most kMostUnpacked of them.
std::string unpacked(std::string_view packed, const std::string& file) {
  constexpr std::size_t kMostUnpacked = std::size_t{64} << 20U, kPiece = std::size_t{64} << 10U;
  const auto refuse = [&](ErrorKind kind, std::string problem) {
    throw Error({.kind = kind, .file = file, .problem = std::move(problem)});
  };
  struct Stream {
    z_stream zlib = {};
    ~Stream() { inflateEnd(&zlib); }
  } stream;
  if (inflateInit(&stream.zlib) != Z_OK) refuse(ErrorKind::limit, "no memory to unpack its text");
  stream.zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib only reads it
  stream.zlib.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    const std::size_t done = text.size();
    text.resize(done + kPiece);
    stream.zlib.next_out = reinterpret_cast<Bytef*>(text.data() + done);
    stream.zlib.avail_out = static_cast<uInt>(kPiece);
    state = inflate(&stream.zlib, Z_NO_FLUSH);
    text.resize(done + kPiece - stream.zlib.avail_out);
    if (text.size() > kMostUnpacked) refuse(ErrorKind::limit, "its packed text is larger than any that Headlight writes");
    if (state != Z_OK && state != Z_STREAM_END) refuse(ErrorKind::input, "its packed text is broken");
  }
  return text;
}

/// The text of a zTXt chunk's bytes, after the keyword and its zero (PNG specification, 11.3.4.4).
std::string packed_text(std::string_view bytes, const std::string& file) {
  if (bytes.empty() || bytes[0] != 0)
    throw Error({.kind = ErrorKind::input, .file = file, .problem = "its text is packed in a way that PNG does not have"});
  return unpacked(bytes.substr(1), file);
}

/// The same of an iTXt chunk, packed or not (11.3.4.5).
std::string wide_text(std::string_view bytes, const std::string& file) {
  constexpr std::size_t kFlags = 2;  // compression flag and method
  if (bytes.size() < kFlags) throw Error({.kind = ErrorKind::input, .file = file, .problem = "its text has no end"});
  const bool is_packed = bytes[0] != 0;
  bytes.remove_prefix(kFlags);
  for (int name = 0; name < 2; ++name) {
    const std::size_t end = bytes.find('\0');
    if (end == std::string_view::npos) throw Error({.kind = ErrorKind::input, .file = file, .problem = "its text has no end"});
    bytes.remove_prefix(end + 1);
  }
  return is_packed ? unpacked(bytes, file) : std::string(bytes);
}

}  // namespace

std::string with_texts(const std::string& png, std::span<const PngText> texts) {
  std::string bytes = png.substr(0, kFirstChunkEnd);
  for (const PngText& text : texts) bytes += chunk_of(text);
  return bytes + png.substr(kFirstChunkEnd);
}

std::string with_density(const std::string& png, float dpi) {
  constexpr double kInchesOfMetre = 1 / 0.0254;
  const std::string dots = big_endian(static_cast<std::uint32_t>(std::lround(static_cast<double>(dpi) * kInchesOfMetre)));
  constexpr char kOfMetre = 1;
  return png.substr(0, kFirstChunkEnd) + chunk_of("pHYs" + dots + dots + kOfMetre) + png.substr(kFirstChunkEnd);
}

std::optional<std::string> text_in_png(std::string_view bytes, std::string_view keyword, const std::string& file) {
  png_size(bytes, file);
  for (std::size_t at = kMagic; at < bytes.size();) {
    const std::size_t left = bytes.size() - at;
    const std::uint32_t length = left < kAround ? 0 : number_at(bytes, at);
    if (left < kAround || length > left - kAround) {
      throw Error({.kind = ErrorKind::input,
                   .file = file,
                   .offset = at,
                   .problem = "this PNG picture is cut short",
                   .found = fmt::format("{} bytes", left),
                   .expected = fmt::format("{}", std::uint64_t{length} + kAround)});
    }
    const std::string_view data = bytes.substr(at + 8, length);
    const std::string_view name = bytes.substr(at + 4, 4);
    const bool is_meant = data.starts_with(keyword) && data.size() > keyword.size() && data[keyword.size()] == '\0';
    if (is_meant && name == "tEXt") return std::string(data.substr(keyword.size() + 1));
    if (is_meant && name == "iTXt") return wide_text(data.substr(keyword.size() + 1), file);
    if (is_meant && name == "zTXt") return packed_text(data.substr(keyword.size() + 1), file);
    at += kAround + length;
  }
  return std::nullopt;
}

std::string broken_chunk(std::string_view png) {
  for (std::size_t at = kMagic; at < png.size();) {
    const std::size_t left = png.size() - at;
    const std::uint32_t size = left >= 4 ? number_at(png, at) : 0;
    if (left < kAround || size > left - kAround) return fmt::format("it ends within the part that begins at byte {}", at);
    const std::string_view named = png.substr(at + 4, size + 4);
    if (number_at(png, at + 8 + size) != crc_of(named))
      return fmt::format("the part {} at byte {} does not have its checksum", printable(named.substr(0, 4), 16), at);
    if (named.starts_with("IEND")) return {};
    at += size + kAround;
  }
  return "it ends before its last part";
}

}  // namespace headlight
