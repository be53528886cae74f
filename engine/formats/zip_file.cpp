#include "engine/formats/zip_file.h"

#include <fmt/core.h>
#include <zip.h>

#include <array>
#include <set>

#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/zip_names.h"

namespace headlight {
namespace {

constexpr std::int64_t kMostMembers = 10'000;
constexpr std::uint64_t kMostUnpacked = std::uint64_t{1} << 30U;
constexpr std::uint64_t kFreeOfRatio = 1U << 20U;
constexpr std::uint64_t kHighestRatio = 200;

[[noreturn]] void refuse_member(const std::string& file, const std::string& member, std::string problem, std::string found = {},
                                std::string expected = {}, ErrorKind kind = ErrorKind::input) {
  throw Error({.kind = kind,
               .file = file,
               .field = "member " + printable(member),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

/// "its first member is attn.npy, of compression 99", from the archive's first bytes; empty where there is none.
std::string describe_first_member(std::string_view first) {
  constexpr std::size_t kMethodAt = 8, kLengthAt = 26, kNameAt = 30;
  if (!first.starts_with("PK\x03\x04") || first.size() <= kNameAt) return {};
  const auto number_at = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(first[at])) | static_cast<unsigned>(static_cast<unsigned char>(first[at + 1]))
                                                                              << 8U;
  };
  return fmt::format("an archive whose first member is {}, of compression {}", printable(first.substr(kNameAt, number_at(kLengthAt))),
                     number_at(kMethodAt));
}

[[noreturn]] void refuse_archive(const FileReader& reader, const std::string& reason) {
  std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(reader.size(), 64)), '\0');
  reader.read(0, std::as_writable_bytes(std::span(first)));
  const std::string found = describe_first_member(first);
  const std::optional<FileKind> kind = first.starts_with("PK") ? std::nullopt : recognize_kind(first);
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .problem = "is not a valid zip archive: " + reason,
               .found = kind            ? std::string(kind->name)
                        : found.empty() ? fmt::format("{} bytes", reader.size())
                                        : found,
               .expected = "an .npz file as NumPy writes it",
               .hint = kind ? std::string(kind->advice) : std::string()});
}

/// Sums of all members' sizes. Packed, they cannot exceed the file unless members overlap.
struct Totals {
  std::uint64_t packed = 0, unpacked = 0;
};

void check_member(const std::string& file, const zip_stat_t& stat, std::uint64_t file_bytes, Totals& totals) {
  const std::string name = stat.name;
  if (stat.encryption_method != ZIP_EM_NONE) refuse_member(file, name, "is encrypted, which is not supported");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    refuse_member(file, name, "its compression method is not supported", fmt::format("method {}", stat.comp_method),
                  "0 (stored) or 8 (deflated)");
  }
  if (stat.comp_size > file_bytes || totals.packed > file_bytes - stat.comp_size) {
    refuse_member(file, name, "members overlap: together they would be larger than the file",
                  fmt::format("{} bytes and more", totals.packed), fmt::format("at most {}", file_bytes));
  }
  if (stat.size > kFreeOfRatio && stat.size / kHighestRatio > stat.comp_size) {
    refuse_member(file, name, "is compressed more than arrays of numbers can be", fmt::format("{} bytes in {}", stat.size, stat.comp_size),
                  fmt::format("at most {} times as many", kHighestRatio));
  }
  if (stat.size > kMostUnpacked || totals.unpacked > kMostUnpacked - stat.size) {
    refuse_member(file, name, "the archive would be too large once unpacked", fmt::format("{} bytes more", stat.size),
                  fmt::format("at most {} in all", kMostUnpacked), ErrorKind::limit);
  }
  totals.packed += stat.comp_size;
  totals.unpacked += stat.size;
}

}  // namespace

struct ZipFile::Archive {
  zip_t* zip = nullptr;
};

ZipFile::ZipFile(const std::filesystem::path& path) : archive_(std::make_unique<Archive>()) {
  const FileReader reader(path);  // a regular file: libzip would wait for a pipe
  name_ = reader.name();
  int code = 0;
  zip_t* zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (zip == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    refuse_archive(reader, reason);
  }
  archive_->zip = zip;
  const std::int64_t count = zip_get_num_entries(zip, 0);
  if (count > kMostMembers) {
    zip_discard(zip);
    throw Error({.kind = ErrorKind::limit,
                 .file = name_,
                 .problem = "the archive has too many members",
                 .found = std::to_string(count),
                 .expected = fmt::format("at most {}", kMostMembers)});
  }
  try {
    Totals totals;
    std::set<std::string> names;
    for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(count); ++number) {
      zip_stat_t stat;
      if (zip_stat_index(zip, number, ZIP_FL_ENC_GUESS, &stat) != 0) refuse_archive(reader, zip_strerror(zip));
      check_member(name_, stat, reader.size(), totals);
      if (!names.insert(stat.name).second) refuse_member(name_, stat.name, "two members have this name");
      members_.push_back({stat.name, stat.size, number});
    }
    check_zip_names(reader, members_);
  } catch (...) {
    zip_discard(zip);
    throw;
  }
}

ZipFile::~ZipFile() {
  zip_discard(archive_->zip);
}

std::string ZipFile::read(const ZipMember& member, const Watch& watch) const {
  zip_file_t* file = zip_fopen_index(archive_->zip, member.number, 0);
  if (file == nullptr) refuse_member(name_, member.name, fmt::format("cannot be read: {}", zip_strerror(archive_->zip)));
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> closing(file, zip_fclose);
  std::string bytes;
  std::array<char, 1U << 16U> piece;
  // In pieces: the size that the archive states is believed only as far as there are bytes. The checksum is compared at the end.
  for (;;) {
    watch.check();
    const zip_int64_t count = zip_fread(file, piece.data(), piece.size());
    if (count < 0) refuse_member(name_, member.name, fmt::format("cannot be unpacked: {}", zip_file_strerror(file)));
    if (count == 0) break;
    bytes.append(piece.data(), static_cast<std::size_t>(count));
    if (bytes.size() > member.bytes) break;
  }
  if (bytes.size() == member.bytes) return bytes;
  refuse_member(name_, member.name, "does not have the size that the archive says", fmt::format("{} bytes or more", bytes.size()),
                std::to_string(member.bytes));
}

}  // namespace headlight
