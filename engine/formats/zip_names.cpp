#include "engine/formats/zip_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::string_view kMember = "PK\x03\x04", kEntry = "PK\x01\x02", kEnd = "PK\x05\x06", kLongEnd = "PK\x06\x06",
                           kLongEndPlace = "PK\x06\x07";
constexpr std::uint64_t kEndBytes = 22, kEntryBytes = 46, kMemberBytes = 30, kLongEndPlaceBytes = 20, kLongEndBytes = 56;
constexpr std::uint64_t kIsLong = std::numeric_limits<std::uint32_t>::max();

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t byte = size; byte-- > 0;) number = number << 8U | static_cast<unsigned char>(bytes[at + byte]);
  return number;
}

/// `member`: whose header it is; empty where it belongs to no member.
[[noreturn]] void refuse_place(const FileReader& reader, std::uint64_t offset, std::string problem, std::string_view member = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .field = member.empty() ? "" : "member " + printable(member),
               .offset = offset,
               .problem = "is not a valid zip archive: " + std::move(problem),
               .expected = "an .npz file as NumPy writes it"});
}

/// The bytes [offset, offset + count), which must be in the file and start with `mark`.
std::string read_part(const FileReader& reader, std::uint64_t offset, std::uint64_t count, std::string_view mark,
                      std::string_view member = {}) {
  if (offset > reader.size() || count > reader.size() - offset) refuse_place(reader, offset, "a header lies beyond the end", member);
  std::string bytes(static_cast<std::size_t>(count), '\0');
  reader.read(offset, std::as_writable_bytes(std::span(bytes)));
  if (!bytes.starts_with(mark)) refuse_place(reader, offset, "a header is missing", member);
  return bytes;
}

/// Where the directory begins.
std::uint64_t directory_of(const FileReader& reader) {
  constexpr std::uint64_t kLongestComment = 65535;
  const std::uint64_t count = std::min(reader.size(), kEndBytes + kLongestComment);
  const std::uint64_t first = reader.size() - count;
  const std::string tail = read_part(reader, first, count, "");
  const auto has_comment_length = [&](std::size_t at) { return number_at(tail, at + 20, 2) == tail.size() - at - kEndBytes; };
  std::size_t end = tail.size() < kEndBytes ? std::string::npos : tail.rfind(kEnd, tail.size() - kEndBytes);
  while (end != std::string::npos && !has_comment_length(end)) end = end == 0 ? std::string::npos : tail.rfind(kEnd, end - 1);
  if (end == std::string::npos) refuse_place(reader, first, "its directory has no end");
  const std::uint64_t offset = number_at(tail, end + 16, 4);
  if (offset != kIsLong) return offset;
  const std::uint64_t place = first + end;
  if (place < kLongEndPlaceBytes) refuse_place(reader, place, "the position of its directory is missing");
  const std::string found = read_part(reader, place - kLongEndPlaceBytes, kLongEndPlaceBytes, kLongEndPlace);
  return number_at(read_part(reader, number_at(found, 8, 8), kLongEndBytes, kLongEnd), 48, 8);
}

/// Where the member of an entry begins. Where an offset does not fit 32 bits, it is in the extra field 1 after the sizes that do not fit.
std::optional<std::uint64_t> place_of(std::string_view entry, std::string_view extra) {
  const std::uint64_t offset = number_at(entry, 42, 4);
  if (offset != kIsLong) return offset;
  const std::size_t before = (number_at(entry, 24, 4) == kIsLong ? 8U : 0U) + (number_at(entry, 20, 4) == kIsLong ? 8U : 0U);
  while (extra.size() >= 4) {
    const std::size_t size = number_at(extra, 2, 2);
    if (size > extra.size() - 4) return std::nullopt;
    if (number_at(extra, 0, 2) == 1) return size >= before + 8 ? std::optional(number_at(extra, 4 + before, 8)) : std::nullopt;
    extra.remove_prefix(4 + size);
  }
  return std::nullopt;
}

}  // namespace

void check_zip_names(const FileReader& reader, const std::vector<ZipMember>& members) {
  if (members.empty()) return;
  std::uint64_t at = directory_of(reader);
  for (const ZipMember& member : members) {
    const std::string entry = read_part(reader, at, kEntryBytes, kEntry);
    const std::uint64_t name_bytes = number_at(entry, 28, 2), extra_bytes = number_at(entry, 30, 2),
                        comment_bytes = number_at(entry, 32, 2);
    const std::string rest = read_part(reader, at + kEntryBytes, name_bytes + extra_bytes, "");
    const std::string name = rest.substr(0, name_bytes);
    const std::optional<std::uint64_t> place = place_of(entry, std::string_view(rest).substr(name_bytes));
    if (!place) refuse_place(reader, at, "its directory does not say where the member " + printable(member.name) + " is");
    const std::string header = read_part(reader, *place, kMemberBytes, kMember, member.name);
    const std::string own = read_part(reader, *place + kMemberBytes, number_at(header, 26, 2), "", member.name);
    if (own != name) {
      throw Error(
          {.kind = ErrorKind::input,
           .file = reader.name(),
           .field = "member " + printable(member.name),
           .offset = *place,
           .problem = "has one name in its own header and another in the archive's directory: two programs would read different files",
           .found = "\"" + printable(own) + "\"",
           .expected = "\"" + printable(name) + "\"",
           .hint = "Save the file again with the program that wrote it"});
    }
    at += kEntryBytes + name_bytes + extra_bytes + comment_bytes;
  }
}

}  // namespace headlight
