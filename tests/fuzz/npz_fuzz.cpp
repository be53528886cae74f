// A .npz file as it is, where the input begins as a zip archive does; else an archive around the input, whose checksum then holds, so
// that what is mutated is the member and not always refused for its checksum.
#include "engine/dumps/attention_dump.h"
#include "engine/formats/tensors/npy.h"
#include "engine/formats/zip_file.h"
#include "tests/fuzz/fuzzing.h"

namespace {

std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
  }
  return ~crc;
}

void put(std::string& into, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8U) into += static_cast<char>(value & 0xFFU);
}

/// One stored member: PKWARE's APPNOTE.TXT 4.3.7 (local header), 4.3.12 (central header) and 4.3.16 (end record).
std::string archive_around(std::string_view member) {
  const std::string_view name = "attention.npy";
  std::string sizes;  // what both headers say, from the version needed to the length of the extra field
  put(sizes, 20, 2);
  put(sizes, 0, 8);  // flags, method "stored", time, date
  put(sizes, crc32_of(member), 4);
  put(sizes, member.size(), 4);
  put(sizes, member.size(), 4);
  put(sizes, name.size(), 2);
  put(sizes, 0, 2);
  std::string archive = "PK\3\4" + sizes;
  archive.append(name).append(member);
  const std::size_t directory = archive.size();
  archive += "PK\1\2";
  put(archive, 20, 2);
  archive += sizes;
  put(archive, 0, 14);  // comment, disk, attributes, place of the local header
  archive += name;
  const std::size_t directory_bytes = archive.size() - directory;
  archive += "PK\5\6";
  put(archive, 0, 4);
  put(archive, 1, 2);
  put(archive, 1, 2);
  put(archive, directory_bytes, 4);
  put(archive, directory, 4);
  put(archive, 0, 2);
  return archive;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  const std::string_view input = fuzzing::as_text(data, size);
  const bool is_archive = input.starts_with("PK");
  const auto path = fuzzing::write_scratch("fuzz.npz", is_archive ? std::string(input) : archive_around(input));
  fuzzing::expect_answer([&] {
    const ZipFile file(path);
    if (!is_archive && file.read(file.members().at(0)) != input) std::abort();
    for (const ZipMember& member : file.members()) {
      fuzzing::expect_answer([&] {
        const std::string bytes = file.read(member);
        NpyArray(bytes, member.name).floats();
      });
    }
  });
  fuzzing::expect_answer([&] {
    SilentProgress progress;
    read_attention_dump(path, progress);
  });
  return 0;
}
