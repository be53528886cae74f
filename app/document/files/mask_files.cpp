#include "app/document/files/mask_files.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "app/document/mask_edits.h"
#include "engine/core/error.h"
#include "engine/figure/painters/png.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/tensors/npy.h"
#include "engine/formats/tensors/write_tensors.h"

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

/// The size of the map that a mask is for, if it is known.
struct MapSize {
  Index queries = 0, keys = 0;
  bool operator==(const MapSize&) const = default;
};

[[noreturn]] void refuse_shape(const std::string& file, const std::string& found, const MapSize& wanted) {
  refuse(file, "this mask does not have the shape of the map", found, fmt::format("{} × {} (queries × keys)", wanted.queries, wanted.keys),
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

// Numbers

/// What one number of a file means.
enum class Answer : std::uint8_t { zero, one, forbidden, none };

/// 0 and 1; or in a mask that is added to scores, 0 and a number so low that nothing is left of the weight (−∞, −1e9, −10000).
Answer answer_of(double number) {
  constexpr double kForbidden = -10'000;
  if (number == 0) return Answer::zero;
  if (number == 1) return Answer::one;
  return number <= kForbidden ? Answer::forbidden : Answer::none;
}

constexpr const char* kAnswers = "0 or 1, or 0 and -inf of a mask that is added to scores";

/// In a mask that is added to scores 0 may attend, in every other one it may not.
MaskFile mask_of_answers(const std::vector<Answer>& answers, const MapSize& size, const std::string& file) {
  const auto holds = [&](Answer answer) { return std::find(answers.begin(), answers.end(), answer) != answers.end(); };
  const bool is_additive = holds(Answer::forbidden);
  if (is_additive && holds(Answer::one))
    refuse(file, "this mask mixes two kinds of numbers", "1 together with numbers that are added to scores", kAnswers);
  MaskFile read{Mask(size.queries, size.keys, false)};
  for (Index query = 0; query < size.queries; ++query) {
    for (Index key = 0; key < size.keys; ++key) {
      const Answer answer = answers[static_cast<std::size_t>(query * size.keys + key)];
      read.mask.set(query, key, answer == (is_additive ? Answer::zero : Answer::one));
    }
  }
  if (is_additive)
    read.notes.push_back(file + ": taken as a mask that is added to scores: 0 may attend, -inf (or -10000 and below) may not.");
  if (!is_additive && !holds(Answer::one)) read.notes.push_back(file + ": holds nothing but 0: no query may attend to anything.");
  return read;
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

MaskFile mask_from_npy(const std::string& bytes, const std::string& file, const std::optional<MapSize>& wanted) {
  const NpyArray array(bytes, file);
  const std::vector<std::uint64_t>& shape = array.shape();
  if (shape.size() != 2) {
    const std::string found = shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " × "));
    if (wanted) refuse_shape(file, found, *wanted);
    refuse(file, "a mask has two axes", found, "queries × keys");
  }
  const MapSize size{static_cast<Index>(shape[0]), static_cast<Index>(shape[1])};
  check_size(file, size, wanted);
  std::vector<Answer> answers;
  answers.reserve(static_cast<std::size_t>(size.queries * size.keys));
  for (std::uint64_t query = 0; query < shape[0]; ++query) {
    for (std::uint64_t key = 0; key < shape[1]; ++key) {
      const double value = array.value(std::array{query, key});
      answers.push_back(answer_of(value));
      if (answers.back() != Answer::none) continue;
      refuse(file, fmt::format("the cell of query {} and key {} does not say whether the query may attend to the key", query, key),
             fmt::format("{}", value), kAnswers);
    }
  }
  return mask_of_answers(answers, size, file);
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

[[noreturn]] void refuse_line(const std::string& file, std::size_t number, std::string_view found) {
  refuse(file, fmt::format("line {} holds something other than 0, 1 and blanks", number), fmt::format("\"{}\"", printable(found, 40)),
         std::string("rows of ") + kAnswers);
}

/// "0110": a cell per character; "1.000e+00" or "-inf": one number.
void add_answers(std::vector<Answer>& row, std::string_view word, std::size_t line, const std::string& file) {
  if (word.find_first_not_of("01") == std::string_view::npos) {
    for (const char symbol : word) row.push_back(symbol == '1' ? Answer::one : Answer::zero);
    return;
  }
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = problem == std::errc{} && end == word.data() + word.size();
  if (!is_number || answer_of(value) == Answer::none) refuse_line(file, line, word);
  row.push_back(answer_of(value));
}

std::vector<Answer> read_row(std::string_view line, std::size_t number, const std::string& file) {
  constexpr std::string_view kBetween = " \t,;\r";
  std::vector<Answer> row;
  for (std::size_t begin = line.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    if (line[begin] == '#') break;
    const std::size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
    add_answers(row, line.substr(begin, end - begin), number, file);
    begin = line.find_first_not_of(kBetween, end);
  }
  return row;
}

MaskFile mask_from_text(std::string_view text, const std::string& file, const std::optional<MapSize>& wanted) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<Answer> answers;
  MapSize size;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<Answer> row = read_row(text.substr(0, end), number, file);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty()) continue;
    const std::string found = fmt::format("a row of {} in line {}", row.size(), number);
    if (wanted && std::ssize(row) != wanted->keys) refuse_shape(file, found, *wanted);
    if (size.queries > 0 && std::ssize(row) != size.keys) {
      refuse(file, "the rows of this mask differ in length", found, fmt::format("{}, as in the first row", size.keys));
    }
    size = {size.queries + 1, std::ssize(row)};
    answers.insert(answers.end(), row.begin(), row.end());
  }
  check_size(file, size, wanted);
  return mask_of_answers(answers, size, file);
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

MaskFile mask_from_png(const std::string& bytes, const std::string& file, const std::optional<MapSize>& wanted) {
  const PngSize stated = png_size(bytes, file);
  const MapSize size{static_cast<Index>(stated.height), static_cast<Index>(stated.width)};
  check_size(file, size, wanted, " pixels (rows × columns)");
  const Image image = decode_png(bytes, file);
  MaskFile read{Mask(size.queries, size.keys, false)};
  int unclear = 0;
  for (Index query = 0; query < size.queries; ++query) {
    for (Index key = 0; key < size.keys; ++key) {
      const std::uint8_t* pixel = image.pixels.data() + 4 * (query * size.keys + key);
      const int sum = pixel[0] + pixel[1] + pixel[2];
      constexpr int kHalf = 3 * 128, kWhite = 3 * 255;
      read.mask.set(query, key, sum >= kHalf);
      unclear += (sum != 0 && sum != kWhite) || pixel[3] != 255 ? 1 : 0;
    }
  }
  if (unclear > 0) {
    read.notes.push_back(
        fmt::format("{}: {} of {} pixels are neither black nor white: those may attend whose red, green and blue have a mean of "
                    "at least 128 of 255.",
                    file, unclear, size.queries * size.keys));
  }
  return read;
}

[[noreturn]] void refuse_ending(const std::filesystem::path& path) {
  throw Error({.kind = ErrorKind::usage,
               .file = printable(path.string()),
               .field = "mask",
               .problem = "the ending of a mask file says what it is",
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

MaskFile read_mask_of(const std::filesystem::path& path, const std::optional<MapSize>& wanted) {
  const std::string ending = path.extension().string();
  if (ending != ".npy" && ending != ".txt" && ending != ".png") refuse_ending(path);
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 20U;  // for headers and blank lines
  const MapSize largest = wanted.value_or(MapSize{kLongestSide, kLongestSide});
  const auto cells = static_cast<std::uint64_t>(largest.queries) * static_cast<std::uint64_t>(largest.keys);
  constexpr std::uint64_t kBytesPerCell = 32;  // numpy.savetxt writes 25
  const std::string bytes = read_file(path, kBytesPerCell * cells + kRoom);
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

MaskFile read_mask(const std::filesystem::path& path) {
  return read_mask_of(path, {});
}

MaskFile read_mask(const std::filesystem::path& path, Index queries, Index keys) {
  return read_mask_of(path, MapSize{queries, keys});
}

void check_mask_size(const Mask& mask, const std::filesystem::path& path, Index queries, Index keys) {
  check_size(printable(path.string()), {mask.queries(), mask.keys()}, MapSize{queries, keys});
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
  rule_for(edits, scope).strokes = std::move(strokes);
}

}  // namespace headlight
