#include "engine/figure/files/read_record.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "engine/core/error.h"
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
using Record = std::optional<std::string>;

/// What is between the last `begin` and the `end` after it.
Record between(std::string_view bytes, std::string_view begin, std::string_view end) {
  const std::size_t from = bytes.rfind(begin);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t to = bytes.find(end, from + begin.size());
  if (to == std::string_view::npos) return std::nullopt;
  return std::string(bytes.substr(from + begin.size(), to - from - begin.size()));
}

Record record_in_png(const fs::path& path, const std::string& file) {
  return text_in_png(read_file(path, kLargestFigure), kPngKeyword, file);
}

/// The content of an element whose text is ASCII.
Record record_in_svg(const fs::path& path, const std::string&) {
  const Record element = between(read_file(path, kLargestFigure), "<figure xmlns=\"urn:headlight:figure\">", "</figure>");
  if (!element) return element;
  constexpr std::array<std::pair<std::string_view, char>, 5> kNames{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string text;
  for (std::string_view rest = *element; !rest.empty();) {
    const auto* const name = std::find_if(kNames.begin(), kNames.end(), [&](const auto& each) { return rest.starts_with(each.first); });
    text += name == kNames.end() ? rest.front() : name->second;
    rest.remove_prefix(name == kNames.end() ? 1 : name->first.size());
  }
  return text;
}

/// The content of a script element that is data (to_html); "<" is escaped in it, as JSON has it.
Record record_in_html(const fs::path& path, const std::string&) {
  return between(read_file(path, kLargestFigure), "<script type=\"application/json\" id=\"headlight-figure\">", "</script>");
}

/// A literal string of a PDF from `at` on, after its parenthesis (ISO 32000-1, 7.3.4.2).
Record literal_string(std::string_view bytes, std::size_t at) {
  std::string text;
  for (int open = 1; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (byte == '\\' && at + 1 < bytes.size()) {
      text += bytes[++at];
      continue;
    }
    open += byte == '(' ? 1 : byte == ')' ? -1 : 0;
    if (open == 0) return text;
    text += byte;
  }
  return std::nullopt;
}

/// The same in hexadecimal digits of UTF-16 (7.3.4.3); none where it is not ASCII.
Record wide_string(std::string_view bytes, std::size_t at) {
  constexpr std::size_t kDigits = 4;
  std::string text;
  for (; at + kDigits < bytes.size() && bytes[at] != '>'; at += kDigits) {
    unsigned code = 0;
    const auto [end, problem] = std::from_chars(bytes.data() + at, bytes.data() + at + kDigits, code, 16);
    if (problem != std::errc{} || end != bytes.data() + at + kDigits || code > 0x7F) return std::nullopt;
    text += static_cast<char>(code);
  }
  return at < bytes.size() && bytes[at] == '>' ? Record(text) : std::nullopt;
}

/// The keywords of the document information.
Record record_in_pdf(const fs::path& path, const std::string&) {
  constexpr std::string_view kKey = "/Keywords ", kWide = "<FEFF";
  const std::string bytes = read_file(path, kLargestFigure);
  const std::size_t begin = bytes.rfind(kKey);
  if (begin == std::string::npos) return std::nullopt;
  const std::string_view value = std::string_view(bytes).substr(begin + kKey.size());
  if (value.starts_with(kWide)) return wide_string(value, kWide.size());
  return value.starts_with('(') ? literal_string(value, 1) : std::nullopt;
}

Record record_in_json(const fs::path& path, const std::string& file) {
  const JsonTree json = parse_json(read_file(path, kLargestFigure), file);
  if (!json->is_object() || !json->contains("provenance")) return std::nullopt;
  return json->at("provenance").dump();
}

Record record_in_npz(const fs::path& path, const std::string& file) {
  const ZipFile zip(path);
  const std::string name = std::string(kRecordName) + ".npy";
  for (const ZipMember& member : zip.members()) {
    if (member.name != name) continue;
    const std::vector<std::string> texts = read_npy_texts(zip.read(member), file);
    return texts.size() == 1 ? Record(texts.front()) : std::nullopt;
  }
  return std::nullopt;
}

Record record_in_safetensors(const fs::path& path, const std::string&) {
  const SafetensorsFile tensors(path);
  const auto found = tensors.metadata().find(kRecordName);
  return found == tensors.metadata().end() ? std::nullopt : Record(found->second);
}

struct RecordPlace {
  std::string_view ending;
  Record (*read)(const fs::path& path, const std::string& file);
};
constexpr std::array kPlaces{RecordPlace{".png", record_in_png},
                             RecordPlace{".svg", record_in_svg},
                             RecordPlace{".pdf", record_in_pdf},
                             RecordPlace{".html", record_in_html},
                             RecordPlace{".json", record_in_json},
                             RecordPlace{".npz", record_in_npz},
                             RecordPlace{".safetensors", record_in_safetensors}};

const RecordPlace* place_of(const fs::path& path) {
  const std::string ending = ending_of(path);
  const auto* const found = std::find_if(kPlaces.begin(), kPlaces.end(), [&](const RecordPlace& each) { return each.ending == ending; });
  return found == kPlaces.end() ? nullptr : found;
}

std::string endings_of_places() {
  std::string text;
  for (const RecordPlace& each : kPlaces) text.append(text.empty() ? "" : &each == &kPlaces.back() ? " or " : ", ").append(each.ending);
  return text;
}

}  // namespace

std::uint64_t largest_figure(const fs::path& path) {
  const std::string ending = ending_of(path);
  const bool is_whole = has_record_by_ending(path) && ending != ".npz" && ending != ".safetensors";  // is read at once
  return is_whole ? kLargestFigure : kLargestArrays;
}

bool has_record_by_ending(const fs::path& path) {
  return place_of(path) != nullptr;
}

Provenance read_provenance(const fs::path& path) {
  const std::string file = printable(path.native());
  const RecordPlace* place = place_of(path);
  if (place == nullptr) {
    const std::string ending = ending_of(path);
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .problem = "files of this kind cannot say how they were made",
                 .found = ending.empty() ? "no ending" : printable(ending),
                 .expected = endings_of_places()});
  }
  if (const std::uint64_t most = largest_figure(path); FileReader(path).size() > most) {
    throw Error({.kind = ErrorKind::limit,
                 .file = file,
                 .problem = "larger than any figure",
                 .expected = most == kLargestFigure ? "at most 512 MiB" : "at most 64 GiB"});
  }
  const Record record = place->read(path, file);
  if (!record) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .problem = "this file does not say how it was made",
                 .hint = "Headlight writes that into every figure it exports; another program may have dropped it, or made the file"});
  }
  return provenance_from(*record, file);
}

}  // namespace headlight
