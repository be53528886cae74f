#include "app/session/mask_files.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/figure/png.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/npy.h"
#include "engine/formats/write_tensors.h"

namespace headlight {
namespace {

[[noreturn]] void refuse(const std::string& file, std::string problem, std::string found, std::string expected, std::string hint = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .field = "mask",
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

/// The size of the map that a mask is for, where it is known.
struct MapSize {
  Index queries = 0, keys = 0;
  bool operator==(const MapSize&) const = default;
};

[[noreturn]] void refuse_shape(const std::string& file, const std::string& found, const MapSize& wanted) {
  refuse(file, "this mask has another shape than the map", found, fmt::format("{} × {} (queries × keys)", wanted.queries, wanted.keys),
         "Rows are queries, columns are keys, one for every token of the text.");
}

constexpr Index kLongestSide = 8'192;  // of a mask for a map whose size is not known yet

/// Throws where another size is wanted, or where no map could be so large.
void check_size(const std::string& file, const MapSize& size, const std::optional<MapSize>& wanted, const std::string& unit = "") {
  const std::string found = fmt::format("{} × {}{}", size.queries, size.keys, unit);
  if (wanted && size != *wanted) refuse_shape(file, found, *wanted);
  if (size.queries >= 1 && size.keys >= 1 && size.queries <= kLongestSide && size.keys <= kLongestSide) return;
  refuse(file, "this is not the size of a mask", found, fmt::format("1 to {} queries and keys", kLongestSide));
}

// .npy

void write_numbers(const Mask& mask, const std::filesystem::path& path) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(mask.queries() * mask.keys()));
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) values.push_back(mask.allows(query, key) ? 1.0F : 0.0F);
  }
  write_npy(path, {"mask", {mask.queries(), mask.keys()}, values});
}

Mask mask_from_npy(const std::string& bytes, const std::string& file, const std::optional<MapSize>& wanted) {
  const NpyArray array(bytes, file);
  const std::vector<std::uint64_t>& shape = array.shape();
  if (shape.size() != 2) {
    const std::string found = shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " × "));
    if (wanted) refuse_shape(file, found, *wanted);
    refuse(file, "a mask has two axes", found, "queries × keys");
  }
  const MapSize size{static_cast<Index>(shape[0]), static_cast<Index>(shape[1])};
  check_size(file, size, wanted);
  Mask mask(size.queries, size.keys, false);
  for (std::uint64_t query = 0; query < shape[0]; ++query) {
    for (std::uint64_t key = 0; key < shape[1]; ++key) {
      const double value = array.value(std::array{query, key});
      if (value != 0 && value != 1) {
        refuse(file, fmt::format("the cell of query {} and key {} is no answer to whether it may attend", query, key),
               fmt::format("{}", value), "0 or 1", "A mask that is added to scores (0 and −∞) is turned into this one by mask == 0.");
      }
      mask.set(static_cast<Index>(query), static_cast<Index>(key), value == 1);
    }
  }
  return mask;
}

// .txt

std::string to_text(const Mask& mask) {
  std::string text;
  text.reserve(static_cast<std::size_t>(mask.queries() * (2 * mask.keys() + 1)));
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) {
      if (key > 0) text += ' ';
      text += mask.allows(query, key) ? '1' : '0';
    }
    text += '\n';
  }
  return text;
}

std::vector<std::uint8_t> read_row(std::string_view line, std::size_t number, const std::string& file) {
  std::vector<std::uint8_t> row;
  for (const char symbol : line) {
    if (symbol == '0' || symbol == '1') row.push_back(symbol == '1' ? 1 : 0);
    const bool is_between = symbol == ' ' || symbol == '\t' || symbol == ',' || symbol == '\r';
    if (symbol == '0' || symbol == '1' || is_between) continue;
    refuse(file, fmt::format("line {} holds something else than 0, 1 and blanks", number), fmt::format("\"{}\"", printable(line, 40)),
           "rows of 0 and 1");
  }
  return row;
}

Mask mask_from_text(std::string_view text, const std::string& file, const std::optional<MapSize>& wanted) {
  std::vector<std::vector<std::uint8_t>> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::vector<std::uint8_t> row = read_row(text.substr(0, end), number, file);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty()) continue;
    const std::string found = fmt::format("a row of {} in line {}", row.size(), number);
    if (wanted && std::ssize(row) != wanted->keys) refuse_shape(file, found, *wanted);
    if (!rows.empty() && row.size() != rows.front().size()) {
      refuse(file, "the rows of this mask differ in length", found, fmt::format("{}, as in the first row", rows.front().size()));
    }
    rows.push_back(std::move(row));
  }
  const MapSize size{std::ssize(rows), rows.empty() ? 0 : std::ssize(rows.front())};
  check_size(file, size, wanted);
  Mask mask(size.queries, size.keys, false);
  for (Index query = 0; query < size.queries; ++query) {
    const std::vector<std::uint8_t>& row = rows[static_cast<std::size_t>(query)];
    for (Index key = 0; key < size.keys; ++key) mask.set(query, key, row[static_cast<std::size_t>(key)] != 0);
  }
  return mask;
}

// .png

std::string to_png(const Mask& mask) {
  Image image{static_cast<int>(mask.keys()), static_cast<int>(mask.queries()), {}};
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) {
      const std::uint8_t light = mask.allows(query, key) ? 255 : 0;
      image.pixels.insert(image.pixels.end(), {light, light, light, 255});
    }
  }
  return encode_png(image);
}

Mask mask_from_png(const std::string& bytes, const std::string& file, const std::optional<MapSize>& wanted) {
  const PngSize stated = png_size(bytes, file);
  const MapSize size{static_cast<Index>(stated.height), static_cast<Index>(stated.width)};
  check_size(file, size, wanted, " pixels (rows × columns)");
  const Image image = decode_png(bytes, file);
  Mask mask(size.queries, size.keys, false);
  for (Index query = 0; query < size.queries; ++query) {
    for (Index key = 0; key < size.keys; ++key) {
      const std::uint8_t* pixel = image.pixels.data() + 4 * (query * size.keys + key);
      constexpr int kHalf = 3 * 128;
      mask.set(query, key, pixel[0] + pixel[1] + pixel[2] >= kHalf);
    }
  }
  return mask;
}

[[noreturn]] void refuse_ending(const std::filesystem::path& path) {
  throw Error({.kind = ErrorKind::usage,
               .file = printable(path.string()),
               .field = "mask",
               .problem = "a mask file is told by its ending",
               .found = fmt::format("\"{}\"", printable(path.extension().string(), 40)),
               .expected = ".npy, .txt or .png"});
}

/// The rectangle of cells of one value that begins at (query, key): as wide as it goes, then as high.
CellBlock rectangle_at(const Mask& mask, const Mask& is_done, Index query, Index key) {
  const bool value = mask.allows(query, key);
  const auto belongs = [&](Index row, Index column) { return mask.allows(row, column) == value && !is_done.allows(row, column); };
  Index key_end = key + 1;
  while (key_end < mask.keys() && belongs(query, key_end)) ++key_end;
  Index query_end = query + 1;
  const auto is_whole_row = [&](Index row) {
    for (Index column = key; column < key_end; ++column) {
      if (!belongs(row, column)) return false;
    }
    return true;
  };
  while (query_end < mask.queries() && is_whole_row(query_end)) ++query_end;
  return {static_cast<int>(query), static_cast<int>(query_end), static_cast<int>(key), static_cast<int>(key_end), value};
}

Mask read_mask_of(const std::filesystem::path& path, const std::optional<MapSize>& wanted) {
  const std::string ending = path.extension().string();
  if (ending != ".npy" && ending != ".txt" && ending != ".png") refuse_ending(path);
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 20U;  // for headers and blank lines
  const MapSize largest = wanted.value_or(MapSize{kLongestSide, kLongestSide});
  const auto cells = static_cast<std::uint64_t>(largest.queries) * static_cast<std::uint64_t>(largest.keys);
  const std::string bytes = read_file(path, 8 * cells + kRoom);
  const std::string file = printable(path.string());
  if (ending == ".npy") return mask_from_npy(bytes, file, wanted);
  if (ending == ".txt") return mask_from_text(bytes, file, wanted);
  return mask_from_png(bytes, file, wanted);
}

}  // namespace

void write_mask(const Mask& mask, const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".npy") return write_numbers(mask, path);
  if (ending == ".txt") return write_file(path, to_text(mask));
  if (ending == ".png") return write_file(path, to_png(mask));
  refuse_ending(path);
}

Mask read_mask(const std::filesystem::path& path) {
  return read_mask_of(path, {});
}

Mask read_mask(const std::filesystem::path& path, Index queries, Index keys) {
  return read_mask_of(path, MapSize{queries, keys});
}

std::vector<CellBlock> strokes_of(const Mask& mask) {
  // Everything gets the value that is more frequent, then rectangles of the other one are painted over it.
  Index allowed = 0;
  for (Index query = 0; query < mask.queries(); ++query) allowed += mask.allowed_in_row(query);
  const bool ground = 2 * allowed > mask.queries() * mask.keys();
  std::vector<CellBlock> strokes{{0, static_cast<int>(mask.queries()), 0, static_cast<int>(mask.keys()), ground}};
  Mask is_done(mask.queries(), mask.keys(), false);
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) {
      if (mask.allows(query, key) == ground || is_done.allows(query, key)) continue;
      if (strokes.size() == kMostRectangles) {
        throw Error({.kind = ErrorKind::limit,
                     .field = "mask",
                     .problem = "this mask is too ragged to be kept as strokes",
                     .expected = fmt::format("at most {} rectangles", kMostRectangles)});
      }
      const CellBlock& block = strokes.emplace_back(rectangle_at(mask, is_done, query, key));
      for (Index row = block.query_begin; row < block.query_end; ++row) {
        for (Index column = block.key_begin; column < block.key_end; ++column) is_done.set(row, column, true);
      }
    }
  }
  return strokes;
}

void paint_mask(MaskEdits& edits, const Scope& scope, std::vector<CellBlock> strokes) {
  const auto rule = std::find_if(edits.rules.begin(), edits.rules.end(), [&](const MaskRule& each) { return each.scope == scope; });
  if (rule != edits.rules.end()) {
    rule->strokes = std::move(strokes);
  } else {
    edits.rules.push_back({scope, {}, std::move(strokes)});
  }
}

}  // namespace headlight
