#include "engine/figure/files/compare_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/error.h"
#include "engine/figure/files/json_file.h"
#include "engine/figure/files/provenance.h"
#include "engine/figure/files/read_record.h"
#include "engine/figure/files/write_arrays.h"
#include "engine/figure/painters/png.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/formats/tensors/npy.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/formats/zip_file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// "1 of 12 pixels differs", "2 of 12 pixels differ".
std::string counted(std::size_t differing, std::size_t all, std::string_view what) {
  return fmt::format("{} of {} {} differ{}", differing, all, what, differing == 1 ? "s" : "");
}

std::string compare_pixels(const fs::path& file, const fs::path& again) {
  const std::string name = printable(file.native());
  const std::string bytes = read_file(file, kLargestFigure), ours = read_file(again, kLargestFigure);
  const PngSize size = png_size(bytes, name), our_size = png_size(ours, name);
  if (size.width != our_size.width || size.height != our_size.height)  // and so a file cannot ask for more room than the figure takes
    return fmt::format("the picture has {} × {} pixels; made again it has {} × {}", size.width, size.height, our_size.width,
                       our_size.height);
  const Image a = decode_png(bytes, name), b = decode_png(ours, name);
  std::size_t differing = 0, first = 0;
  int largest = 0;
  for (std::size_t pixel = 0; pixel < a.pixels.size() / 4; ++pixel) {
    int farthest = 0;
    for (std::size_t part = pixel * 4; part < pixel * 4 + 4; ++part)
      farthest = std::max(farthest, std::abs(a.pixels[part] - b.pixels[part]));
    if (farthest == 0) continue;
    if (differing++ == 0) first = pixel;
    largest = std::max(largest, farthest);
  }
  if (differing == 0) return {};
  const auto width = static_cast<std::size_t>(a.width);
  return fmt::format("{}, the first at x {}, y {}, the most by {} of 255", counted(differing, a.pixels.size() / 4, "pixels"), first % width,
                     first / width, largest);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// `line` from a little before `at` on, where it begins to differ from another one.
std::string quoted_from(std::string_view line, std::size_t at) {
  constexpr std::size_t kBefore = 16, kShown = 48;
  std::size_t begin = at - std::min(at, kBefore), end = std::min(line.size(), begin + kShown);
  const auto is_inside = [&](std::size_t place) {
    return place < line.size() && (static_cast<unsigned char>(line[place]) & 0xC0U) == 0x80U;
  };
  while (begin > 0 && is_inside(begin)) --begin;  // whole characters
  while (end > begin && is_inside(end)) --end;
  return fmt::format("\"{}{}{}\"", begin > 0 ? "…" : "", printable(line.substr(begin, end - begin), 2 * kShown),
                     end < line.size() ? "…" : "");
}

std::string compare_lines(const fs::path& file, const fs::path& again) {
  const std::string bytes = read_file(file, kLargestFigure), ours = read_file(again, kLargestFigure);
  if (bytes == ours) return {};
  const std::vector<std::string_view> a = lines_of(bytes), b = lines_of(ours);
  const std::size_t shorter = std::min(a.size(), b.size()), longer = std::max(a.size(), b.size());
  std::size_t differing = longer - shorter, first = shorter;
  for (std::size_t line = shorter; line-- > 0;) {
    if (a[line] == b[line]) continue;
    ++differing;
    first = line;
  }
  std::size_t at = 0;  // where the two lines part
  if (first < shorter) {
    const std::size_t length = std::min(a[first].size(), b[first].size());
    while (at < length && a[first][at] == b[first][at]) ++at;
  }
  const auto shown = [&](const std::vector<std::string_view>& lines) {
    return first < lines.size() ? quoted_from(lines[first], at) : std::string("no such line");
  };
  return fmt::format("{}; line {} has {} at byte {}, made again {}", counted(differing, longer, "lines"), first + 1, shown(a), at + 1,
                     shown(b));
}

std::string compare_bytes(const fs::path& file, const fs::path& again) {
  const std::string a = read_file(file, kLargestFigure), b = read_file(again, kLargestFigure);
  if (a == b) return {};
  if (a.size() != b.size()) return fmt::format("the file has {} bytes; made again it has {}", a.size(), b.size());
  std::size_t differing = 0, first = a.size();
  for (std::size_t at = a.size(); at-- > 0;) {
    if (a[at] == b[at]) continue;
    ++differing;
    first = at;
  }
  return fmt::format("{}, the first is byte {}", counted(differing, a.size(), "bytes"), first);
}

/// Numbers and words of two files, one by one.
class Tally {
 public:
  void number(double a, double b, const std::string& place) {
    ++numbers_;
    const bool is_same = a == b || (std::isnan(a) && std::isnan(b));
    if (is_same) return;
    const double far = std::isfinite(a - b) ? std::abs(a - b) : INFINITY;
    if (differing_++ == 0 || far > largest_) {
      largest_ = far;
      where_ = fmt::format("{}: {} in the file, {} made again", place, a, b);
    }
  }
  void other(std::string words) {
    if (other_.empty()) other_ = std::move(words);
  }
  std::string words() const {
    std::string text = other_;
    if (differing_ == 0) return text;
    if (!text.empty()) text += "; ";
    return text + fmt::format("{}, the most by {:.6g} ({})", counted(differing_, numbers_, "numbers"), largest_, where_);
  }

 private:
  std::size_t numbers_ = 0, differing_ = 0;
  double largest_ = 0;
  std::string where_, other_;
};

void compare_values(const Json& a, const Json& b, const std::string& place, Tally& tally) {
  if (a.is_number() && b.is_number()) return tally.number(a.get<double>(), b.get<double>(), place);
  if (a.is_array() && b.is_array() && a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) compare_values(a[i], b[i], fmt::format("{}[{}]", place, i), tally);
  } else if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : b.items()) {
      const std::string inside = place.empty() ? printable(key, 40) : place + "." + printable(key, 40);
      if (place.empty() && key == "provenance") continue;
      if (const auto match = a.find(key); match != a.end()) {
        compare_values(*match, value, inside, tally);
      } else {
        tally.other(inside + " is missing");
      }
    }
    for (const auto& [key, value] : a.items()) {
      if (!b.contains(key)) tally.other(fmt::format("{} does not belong in the file", in_quotes(key)));
    }
  } else if (a != b) {
    tally.other(fmt::format("{} is {}, made again {}", place, describe(a), describe(b)));
  }
}

std::string compare_json(const fs::path& file, const fs::path& again) {
  const std::string name = printable(file.native());
  const JsonTree a = parse_json(read_file(file, kLargestFigure), name), b = parse_json(read_file(again, kLargestFigure), name);
  Tally tally;
  compare_values(*a, *b, "", tally);
  return tally.words();
}

/// Of lists also in full, as they are written.
struct ReadArray : FloatTensor {
  std::vector<double> doubles;
};

/// What is in a file of arrays.
struct ReadArrays {
  std::map<std::string, ReadArray> arrays;
  std::map<std::string, std::string> texts;
};

ReadArrays read_npz(const fs::path& path) {
  ReadArrays read;
  const ZipFile zip(path);
  for (const ZipMember& member : zip.members()) {
    constexpr std::string_view kEnding = ".npy";
    constexpr std::size_t kHeader = 128;  // which holds the type of the elements
    const std::string bytes = zip.read(member);
    const std::string name = member.name.ends_with(kEnding) ? member.name.substr(0, member.name.size() - kEnding.size()) : member.name;
    if (std::string_view(bytes).substr(0, kHeader).find("'<U") != std::string_view::npos) {
      const std::vector<std::string> texts = read_npy_texts(bytes, zip.name());
      read.texts[name] = texts.empty() ? "" : texts.front();
    } else {
      const NpyArray array(bytes, zip.name());
      ReadArray& own = read.arrays[name] = {{{array.shape().begin(), array.shape().end()}, array.floats()}, {}};
      const bool is_of_doubles = array.dtype() == "<f8" && own.shape.size() == 1;
      for (std::uint64_t at = 0; is_of_doubles && at < array.size(); ++at) own.doubles.push_back(array.value({&at, 1}));
    }
  }
  return read;
}

ReadArrays read_safetensors(const fs::path& path) {
  ReadArrays read;
  const SafetensorsFile file(path);
  for (const TensorInfo& tensor : file.tensors()) {
    ReadArray& own = read.arrays[tensor.name] = {file.read_floats(tensor), {}};
    if (tensor.dtype != DType::f64 || own.shape.size() != 1) continue;
    own.doubles.resize(own.values.size());
    file.reader().read(tensor.begin, std::as_writable_bytes(std::span(own.doubles)));
  }
  read.texts = file.metadata();
  return read;
}

/// "attention[0, 3, 2]"
std::string place_in(const std::string& name, const std::vector<std::int64_t>& shape, std::size_t at) {
  std::string index;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    index = fmt::format("{}{}{}", at % size, index.empty() ? "" : ", ", index);
    at /= size;
  }
  return fmt::format("{}[{}]", name, index);
}

template <ReadArrays (*read)(const fs::path&)>
std::string compare_arrays(const fs::path& file, const fs::path& again) {
  const ReadArrays a = read(file), b = read(again);
  Tally tally;
  for (const auto& [name, array] : b.arrays) {
    const auto match = a.arrays.find(name);
    if (match == a.arrays.end()) {
      tally.other(fmt::format("the array {} is missing", in_quotes(name)));
    } else if (match->second.shape != array.shape) {
      tally.other(fmt::format("{} is {}, made again {}", in_quotes(name), shape_text(match->second.shape), shape_text(array.shape)));
    } else {
      for (std::size_t at = 0; at < array.values.size(); ++at) {
        const bool are_doubles = !match->second.doubles.empty() && !array.doubles.empty();  // older files have float32
        const double value = are_doubles ? match->second.doubles[at] : static_cast<double>(match->second.values[at]);
        const double made = are_doubles ? array.doubles[at] : static_cast<double>(array.values[at]);
        if (std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(made)) {
          tally.number(0, 0, {});
        } else {
          tally.number(value, made, place_in(name, array.shape, at));
        }
      }
    }
  }
  for (const auto& [name, array] : a.arrays) {
    if (!b.arrays.contains(name)) tally.other(fmt::format("the array {} does not belong in the file", in_quotes(name)));
  }
  for (const auto& [name, text] : b.texts) {
    const auto match = a.texts.find(name);
    if (name == kRecordName || (match != a.texts.end() && match->second == text)) continue;
    tally.other(fmt::format("the text {} is another one", in_quotes(name)));
  }
  return tally.words();
}

std::string seal_of_pixels(const fs::path& file, const std::string&) {
  return pixels_sha256(decode_png(read_file(file, kLargestFigure), printable(file.native())));
}

std::string seal_of_bytes(const fs::path& file, const std::string& seal) {
  return unsealed_sha256(read_file(file, kLargestFigure), seal);
}

std::string seal_of_json(const fs::path& file, const std::string&) {
  return json_sum(read_file(file, kLargestFigure));
}

template <ReadArrays (*read)(const fs::path&)>
std::string seal_of_arrays(const fs::path& file, const std::string&) {
  const ReadArrays found = read(file);
  std::vector<TensorToWrite> arrays;
  for (const auto& [name, array] : found.arrays)
    arrays.push_back(
        {name, array.shape, array.doubles.empty() ? std::span<const float>(array.values) : std::span<const float>(), array.doubles});
  return arrays_sum(std::move(arrays), found.texts);
}

struct Comparison {
  std::string_view ending;
  std::string (*compare)(const fs::path& file, const fs::path& again);
  std::string (*seal)(const fs::path& file, const std::string& seal);
};
constexpr std::array kComparisons{Comparison{".png", compare_pixels, seal_of_pixels},
                                  Comparison{".svg", compare_lines, seal_of_bytes},
                                  Comparison{".html", compare_lines, seal_of_bytes},
                                  Comparison{".pdf", compare_bytes, seal_of_bytes},
                                  Comparison{".json", compare_json, seal_of_json},
                                  Comparison{".npz", compare_arrays<read_npz>, seal_of_arrays<read_npz>},
                                  Comparison{".safetensors", compare_arrays<read_safetensors>, seal_of_arrays<read_safetensors>}};

const Comparison& comparison_of(const fs::path& file) {
  const std::string ending = ending_of(file);
  const auto* const row =
      std::find_if(kComparisons.begin(), kComparisons.end(), [&](const Comparison& each) { return each.ending == ending; });
  if (row == kComparisons.end()) throw Error({.file = printable(file.native()), .problem = "files of this kind are not compared"});
  return *row;
}

}  // namespace

std::string difference_between(const fs::path& file, const fs::path& again) {
  return comparison_of(file).compare(file, again);
}

std::string seal_of(const fs::path& file, const std::string& seal) {
  return comparison_of(file).seal(file, seal);
}

}  // namespace headlight
