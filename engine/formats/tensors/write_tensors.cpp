#include "engine/formats/tensors/write_tensors.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/formats/replacing_file.h"

namespace headlight {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Pads so that `prefix` + header is a whole number of `alignment` bytes: readers may then use the data in place.
void pad(std::string& header, std::size_t prefix, std::size_t alignment) {
  const std::size_t over = (prefix + header.size()) % alignment;
  if (over != 0) header.append(alignment - over, ' ');
}

std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int at = 0; at < bytes; ++at) text.push_back(static_cast<char>((number >> (8 * at)) & 0xFFU));
  return text;
}

/// "(2, 3)", "(3,)", "()": a Python tuple.
std::string tuple_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Everything in a .npy file that comes before its data. Version 1.0 holds headers up to 65,535 bytes; ours stay far below.
std::string npy_header(const std::string& dtype, const std::vector<std::int64_t>& shape) {
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t kPrefix = kMagic.size() + 2;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, tuple_text(shape));
  pad(header, kPrefix + 1, 64);
  header += '\n';
  return std::string(kMagic) + little_endian(header.size(), 2) + header;
}

/// The code points of a text as NumPy stores them: 4 bytes each. Broken bytes become U+FFFD.
std::string to_utf32(std::string_view text) {
  std::string result;
  const std::string valid = OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  const auto whole = OrderedJson::parse(valid).get<std::string>();
  for (std::size_t at = 0; at < whole.size();) {
    const auto lead = static_cast<unsigned char>(whole[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t next = 1; next < length; ++next) code = (code << 6U) | (static_cast<unsigned char>(whole[at + next]) & 0x3FU);
    result += little_endian(code, 4);
    at += length;
  }
  return result;
}

[[maybe_unused]] bool is_whole(const TensorToWrite& tensor) {
  std::size_t count = 1;
  for (const std::int64_t dimension : tensor.shape) count *= static_cast<std::size_t>(dimension);
  return count == tensor.values.size() + tensor.doubles.size() && (tensor.values.empty() || tensor.doubles.empty());
}

std::string npy_header(const TensorToWrite& tensor) {
  return npy_header(tensor.doubles.empty() ? "<f4" : "<f8", tensor.shape);
}

/// A zip archive in progress; members are read from memory when close() writes it.
class ZipWriter {
 public:
  explicit ZipWriter(ReplacingFile& file) : file_(file) {
    int error = 0;
    zip_ = zip_open(file.lend().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
    if (zip_ == nullptr) fail();
  }
  ~ZipWriter() {
    if (zip_ != nullptr) zip_discard(zip_);
  }
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Both parts must stay alive until close().
  void add(const std::string& member, std::string_view header, std::span<const std::byte> data) {
    auto* parts = fragments_.emplace_back(std::make_unique<Parts>()).get();
    // libzip's type is not const, but it only reads fragments that it does not own.
    (*parts)[0] = {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(header.data())), header.size()};
    (*parts)[1] = {reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(data.data())), data.size()};
    zip_source_t* source = zip_source_buffer_fragment(zip_, parts->data(), data.empty() ? 1 : 2, 0);
    if (source == nullptr) fail();
    const zip_int64_t index = zip_file_add(zip_, member.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) zip_source_free(source);
    if (index < 0 || zip_set_file_compression(zip_, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0) != 0) fail();
    // A fixed date: the same numbers give the same bytes.
    if (zip_file_set_dostime(zip_, static_cast<zip_uint64_t>(index), 0, (1U << 5U) | 1U, 0) != 0) fail();
  }

  void close() {
    if (zip_close(zip_) != 0) fail();
    zip_ = nullptr;
  }

 private:
  using Parts = std::array<zip_buffer_fragment_t, 2>;
  [[noreturn]] void fail() const {
    if (zip_ != nullptr) errno = zip_error_code_system(zip_get_error(zip_));
    file_.fail("cannot be written");
  }

  ReplacingFile& file_;
  zip_t* zip_ = nullptr;
  std::vector<std::unique_ptr<Parts>> fragments_;
};

}  // namespace

std::span<const std::byte> bytes_of(const TensorToWrite& tensor) {
  return tensor.doubles.empty() ? std::as_bytes(tensor.values) : std::as_bytes(tensor.doubles);
}

void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata) {
  OrderedJson header = OrderedJson::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    assert(is_whole(tensor) && !header.contains(tensor.name));
    const std::uint64_t end = offset + bytes_of(tensor).size();
    header[tensor.name] = {{"dtype", tensor.doubles.empty() ? "F32" : "F64"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  pad(text, 0, 8);
  ReplacingFile file(path);
  file.write(little_endian(text.size(), 8));
  file.write(text);
  for (const TensorToWrite& tensor : tensors) file.write(bytes_of(tensor));
  file.commit();
}

void write_npz(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
               const std::map<std::string, std::string>& metadata) {
  struct Text {
    std::string header, data;
  };
  ReplacingFile file(path);
  std::vector<std::unique_ptr<const Text>> texts;  // alive until the archive is closed
  ZipWriter zip(file);
  for (const TensorToWrite& tensor : tensors) {
    assert(is_whole(tensor));
    const auto& text = *texts.emplace_back(std::make_unique<const Text>(Text{npy_header(tensor), {}}));
    zip.add(tensor.name + ".npy", text.header, bytes_of(tensor));
  }
  for (const auto& [name, value] : metadata) {
    std::string code_points = to_utf32(value);
    if (code_points.empty()) code_points = little_endian(0, 4);  // NumPy's texts have at least one place
    std::string header = npy_header(fmt::format("<U{}", code_points.size() / 4), {});
    const auto& text = *texts.emplace_back(std::make_unique<const Text>(Text{std::move(header), std::move(code_points)}));
    zip.add(name + ".npy", text.header, std::as_bytes(std::span(text.data)));
  }
  zip.close();
  file.commit();
}

void write_npy(const std::filesystem::path& path, const TensorToWrite& tensor) {
  assert(is_whole(tensor));
  ReplacingFile file(path);
  file.write(npy_header(tensor));
  file.write(bytes_of(tensor));
  file.commit();
}

}  // namespace headlight
