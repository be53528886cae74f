// The header of a GGUF file: values, list of tensors, and where their bytes are.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/core/checked.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/gguf/gguf.h"
#include "engine/formats/gguf/gguf_cursor.h"

namespace headlight {
namespace {

constexpr std::string_view kGgufMagic = "GGUF";
constexpr std::uint64_t kMostGgufTensors = 100'000;
constexpr std::uint64_t kMostGgufValues = 100'000;
constexpr std::uint64_t kLeastValueBytes = 8 + 4 + 1;       // key's length, type, a byte
constexpr std::uint64_t kLeastTensorBytes = 8 + 4 + 4 + 8;  // name's length, rank, type, offset
constexpr std::uint32_t kHighestGgufRank = 4;               // GGML_MAX_DIMS
constexpr std::uint64_t kLargestGgufDimension = (std::uint64_t{1} << 48U) - 1;
constexpr std::uint64_t kLongestKey = 65'535;
constexpr std::uint64_t kUsualAlignment = 32;
constexpr std::uint64_t kLargestAlignment = 1U << 20U;

struct GgmlType {
  std::uint32_t code;
  DTypeRow row;
};

constexpr DTypeRow other_type(std::string_view name, int block, int bytes) {
  return {DType::other, name, bytes * 8, false, block};
}
constexpr DTypeRow known_type(DType type) {
  return {type, {}, 0, true, 1};  // the rest is in dtype_row
}

/// ggml.h, ggml_type; sizes of blocks from ggml-common.h.
constexpr std::array<GgmlType, 35> kGgmlTypes = {
    {{0, known_type(DType::f32)},         {1, known_type(DType::f16)},          {2, known_type(DType::q4_0)},
     {3, known_type(DType::q4_1)},        {6, known_type(DType::q5_0)},         {7, known_type(DType::q5_1)},
     {8, known_type(DType::q8_0)},        {9, other_type("Q8_1", 32, 36)},      {10, known_type(DType::q2_k)},
     {11, known_type(DType::q3_k)},       {12, known_type(DType::q4_k)},        {13, known_type(DType::q5_k)},
     {14, known_type(DType::q6_k)},       {15, other_type("Q8_K", 256, 292)},   {16, other_type("IQ2_XXS", 256, 66)},
     {17, other_type("IQ2_XS", 256, 74)}, {18, other_type("IQ3_XXS", 256, 98)}, {19, other_type("IQ1_S", 256, 50)},
     {20, known_type(DType::iq4_nl)},     {21, other_type("IQ3_S", 256, 110)},  {22, other_type("IQ2_S", 256, 82)},
     {23, known_type(DType::iq4_xs)},     {24, known_type(DType::i8)},          {25, known_type(DType::i16)},
     {26, known_type(DType::i32)},        {27, known_type(DType::i64)},         {28, known_type(DType::f64)},
     {29, other_type("IQ1_M", 256, 56)},  {30, known_type(DType::bf16)},        {34, other_type("TQ1_0", 256, 54)},
     {35, other_type("TQ2_0", 256, 66)},  {39, other_type("MXFP4", 32, 17)},    {40, other_type("NVFP4", 64, 36)},
     {41, other_type("Q1_0", 128, 18)},   {42, other_type("Q2_0", 64, 18)}}};

std::optional<DTypeRow> find_ggml_type(std::uint32_t code) {
  for (const GgmlType& type : kGgmlTypes) {
    if (type.code == code) return type.row.type == DType::other ? type.row : dtype_row(type.row.type);
  }
  return std::nullopt;
}

/// Bytes of one value; 0 for strings and arrays, which vary in length.
std::uint64_t value_bytes(GgufType type) {
  constexpr std::array<std::uint64_t, 13> kBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

GgufType read_value_type(GgufCursor& cursor) {
  const auto code = cursor.number<std::uint32_t>();
  if (code > static_cast<std::uint32_t>(GgufType::f64)) {
    cursor.refuse("the type of the value is unknown", std::to_string(code), "a number from 0 to 12");
  }
  return static_cast<GgufType>(code);
}

bool read_boolean(GgufCursor& cursor) {
  const auto byte = cursor.number<std::uint8_t>();
  if (byte > 1) cursor.refuse("a boolean is neither 0 nor 1", std::to_string(byte));
  return byte == 1;
}

/// Skips the elements, checking each string's length, so that reading them later cannot fail.
GgufArray read_array(GgufCursor& cursor) {
  GgufArray array;
  array.type = read_value_type(cursor);
  if (array.type == GgufType::array) cursor.refuse("arrays of arrays are not supported");
  array.count = cursor.number<std::uint64_t>();
  const std::uint64_t bytes = array.type == GgufType::text ? 8 : value_bytes(array.type);
  cursor.check_count(array.count, bytes, "elements");
  array.begin = cursor.position();
  if (array.type == GgufType::text) {
    for (std::uint64_t at = 0; at < array.count; ++at) cursor.skip_text();
  } else {
    cursor.skip(array.count * bytes);  // cannot overflow: it fits into the file
  }
  return array;
}

GgufValue read_value(GgufCursor& cursor, GgufType type) {
  const auto natural = [](auto number) { return GgufValue(static_cast<std::uint64_t>(number)); };
  const auto whole = [](auto number) { return GgufValue(static_cast<std::int64_t>(number)); };
  switch (type) {
    case GgufType::u8:
      return natural(cursor.number<std::uint8_t>());
    case GgufType::i8:
      return whole(cursor.number<std::int8_t>());
    case GgufType::u16:
      return natural(cursor.number<std::uint16_t>());
    case GgufType::i16:
      return whole(cursor.number<std::int16_t>());
    case GgufType::u32:
      return natural(cursor.number<std::uint32_t>());
    case GgufType::i32:
      return whole(cursor.number<std::int32_t>());
    case GgufType::u64:
      return natural(cursor.number<std::uint64_t>());
    case GgufType::i64:
      return whole(cursor.number<std::int64_t>());
    case GgufType::f32:
      return GgufValue(static_cast<double>(cursor.number<float>()));
    case GgufType::f64:
      return GgufValue(cursor.number<double>());
    case GgufType::boolean:
      return GgufValue(read_boolean(cursor));
    case GgufType::text:
      return GgufValue(cursor.text());
    case GgufType::array:
      return GgufValue(read_array(cursor));
  }
  return GgufValue(false);  // not reached: the type was checked
}

void read_metadata(GgufCursor& cursor, std::uint64_t count, GgufHeader& header) {
  for (std::uint64_t at = 0; at < count; ++at) {
    cursor.set_place(fmt::format("metadata, value {}", at));
    std::string key = cursor.text();
    cursor.set_place("metadata " + printable(key));
    if (key.empty() || key.size() > kLongestKey) {
      cursor.refuse("the length of the key is out of range", fmt::format("{} bytes", key.size()), fmt::format("1 to {}", kLongestKey));
    }
    if (header.metadata.contains(key)) cursor.refuse("duplicate key: the header has it twice");
    const GgufType type = read_value_type(cursor);
    header.metadata.emplace(std::move(key), read_value(cursor, type));
  }
}

std::uint64_t read_alignment(const FileReader& reader, const GgufHeader& header) {
  const auto item = header.metadata.find("general.alignment");
  if (item == header.metadata.end()) return kUsualAlignment;
  const auto* alignment = std::get_if<std::uint64_t>(&item->second);
  if (alignment != nullptr && *alignment >= 8 && *alignment <= kLargestAlignment && (*alignment & (*alignment - 1)) == 0) {
    return *alignment;
  }
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .field = "metadata general.alignment",
               .problem = "is not a tensor alignment",
               .found = alignment != nullptr ? std::to_string(*alignment) : "a value that is not an unsigned integer",
               .expected = fmt::format("a power of two from 8 to {}", kLargestAlignment)});
}

std::vector<std::int64_t> read_dimensions(GgufCursor& cursor) {
  const auto rank = cursor.number<std::uint32_t>();
  if (rank > kHighestGgufRank) {
    cursor.refuse("too many dimensions", std::to_string(rank), fmt::format("at most {}", kHighestGgufRank));
  }
  std::vector<std::int64_t> shape;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const auto dimension = cursor.number<std::uint64_t>();
    if (dimension == 0 || dimension > kLargestGgufDimension) {
      cursor.refuse("a dimension is out of range", std::to_string(dimension), "1 to 2^48 - 1");
    }
    shape.push_back(static_cast<std::int64_t>(dimension));
  }
  std::reverse(shape.begin(), shape.end());
  return shape;
}

/// Bytes that shape and type need; rows must be whole blocks.
std::uint64_t tensor_bytes(const GgufCursor& cursor, const TensorInfo& tensor, const DTypeRow& row) {
  const std::int64_t width = tensor.shape.empty() ? 1 : tensor.shape.back();
  if (width % row.block != 0) {
    cursor.refuse("the rows do not fill whole blocks", fmt::format("shape {} of {}", shape_text(tensor.shape), row.name),
                  fmt::format("rows whose length is a multiple of {}", row.block));
  }
  std::optional<std::uint64_t> elements = 1;
  for (const std::int64_t dimension : tensor.shape) {
    elements = elements ? checked_multiply(*elements, static_cast<std::uint64_t>(dimension)) : std::nullopt;
  }
  const std::optional<std::uint64_t> bytes = elements ? stored_bytes(row, *elements) : std::nullopt;
  if (!bytes) cursor.refuse("the size of the shape overflows 64 bits", fmt::format("shape {} of {}", shape_text(tensor.shape), row.name));
  return *bytes;
}

/// Its range still counts from the start of the data.
TensorInfo read_tensor_info(GgufCursor& cursor, std::uint64_t number, std::uint64_t alignment) {
  TensorInfo tensor;
  cursor.set_place(fmt::format("tensor {}", number));
  tensor.name = cursor.text();
  cursor.set_place("tensor " + printable(tensor.name));
  if (tensor.name.empty() || tensor.name.find('\0') != std::string::npos) cursor.refuse("the name is empty or holds a NUL character");
  tensor.shape = read_dimensions(cursor);
  const auto code = cursor.number<std::uint32_t>();
  const std::optional<DTypeRow> row = find_ggml_type(code);
  if (!row) cursor.refuse("the type is unknown", fmt::format("type {}", code), "one of the types of ggml.h");
  tensor.dtype = row->type;
  tensor.dtype_name = row->name;
  const std::uint64_t bytes = tensor_bytes(cursor, tensor, *row);
  tensor.begin = cursor.number<std::uint64_t>();
  if (tensor.begin % alignment != 0) {
    cursor.refuse("the offset is not aligned", std::to_string(tensor.begin), fmt::format("a multiple of {}", alignment));
  }
  const std::optional<std::uint64_t> end = checked_add(tensor.begin, bytes);
  if (!end || *end > cursor.reader().size()) {
    cursor.refuse("reaches past the end of the file", fmt::format("{} bytes from {} on", bytes, tensor.begin),
                  fmt::format("at most {} bytes in all", cursor.reader().size()), "The file may be cut: download or copy it again.");
  }
  tensor.end = *end;
  return tensor;
}

[[noreturn]] void refuse_tensor(const FileReader& reader, const TensorInfo& tensor, std::string problem, std::string found,
                                std::string expected, std::string hint = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .field = "tensor " + printable(tensor.name),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

/// Makes ranges count from the start of the file, and refuses what reaches past its end or into another tensor.
void place_tensors(const FileReader& reader, std::uint64_t data_begin, std::vector<TensorInfo>& tensors) {
  const std::uint64_t data_bytes = reader.size() - std::min(reader.size(), data_begin);
  for (TensorInfo& tensor : tensors) {
    if (tensor.end > data_bytes) {
      refuse_tensor(reader, tensor, "reaches past the end of the file", fmt::format("bytes {} to {} of the data", tensor.begin, tensor.end),
                    fmt::format("at most {} bytes of data", data_bytes), "The file may be cut: download or copy it again.");
    }
    tensor.begin += data_begin;  // cannot overflow: both lie inside the file
    tensor.end += data_begin;
  }
  std::vector<const TensorInfo*> sorted;
  for (const TensorInfo& tensor : tensors) sorted.push_back(&tensor);
  std::sort(sorted.begin(), sorted.end(), [](const TensorInfo* a, const TensorInfo* b) { return a->begin < b->begin; });
  for (std::size_t at = 1; at < sorted.size(); ++at) {
    const TensorInfo& before = *sorted[at - 1];
    if (sorted[at]->begin >= before.end) continue;
    refuse_tensor(reader, *sorted[at], "shares bytes with tensor " + printable(before.name),
                  fmt::format("a start at {}", sorted[at]->begin), fmt::format("one from {} on", before.end));
  }
}

/// Says what the file is instead, where its first bytes tell.
void check_magic(GgufCursor& cursor) {
  const FileReader& reader = cursor.reader();
  std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(reader.size(), 64)), '\0');
  reader.read(0, std::as_writable_bytes(std::span(first)));
  if (first.starts_with(kGgufMagic)) return cursor.skip(kGgufMagic.size());
  const std::optional<FileKind> kind = recognize_kind(first);
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .offset = 0,
               .problem = "is not a GGUF file",
               .found = kind ? std::string(kind->name) : fmt::format("\"{}\"", printable(first.substr(0, 8), 40)),
               .expected = "the letters GGUF"});
}

std::uint32_t read_version(GgufCursor& cursor) {
  const auto version = cursor.number<std::uint32_t>();
  if (version == 2 || version == 3) return version;
  if (version != 0 && (version & 0xFFFFU) == 0) {
    cursor.refuse("the file is big-endian, which is not supported", {}, "a little-endian file", "Use the model's little-endian file.");
  }
  cursor.refuse("the version is not supported", std::to_string(version), "2 or 3",
                version == 1 ? "Use a newer file of this model: version 1 was only used for a few weeks in 2023." : "");
}

}  // namespace

GgufHeader read_gguf_header(const FileReader& reader) {
  GgufCursor cursor(reader, 0);
  check_magic(cursor);
  GgufHeader header;
  header.version = read_version(cursor);
  const auto tensors = cursor.number<std::uint64_t>();
  const auto values = cursor.number<std::uint64_t>();
  if (tensors > kMostGgufTensors) cursor.refuse("too many tensors", std::to_string(tensors), fmt::format("at most {}", kMostGgufTensors));
  if (values > kMostGgufValues)
    cursor.refuse("too many metadata values", std::to_string(values), fmt::format("at most {}", kMostGgufValues));
  cursor.check_count(values, kLeastValueBytes, "values of metadata");
  read_metadata(cursor, values, header);
  const std::uint64_t alignment = read_alignment(reader, header);
  cursor.set_place("GGUF header");
  cursor.check_count(tensors, kLeastTensorBytes, "tensors");
  std::set<std::string> names;
  for (std::uint64_t number = 0; number < tensors; ++number) {
    TensorInfo tensor = read_tensor_info(cursor, number, alignment);
    if (!names.insert(tensor.name).second) cursor.refuse("duplicate name: two tensors have it");
    header.tensors.push_back(std::move(tensor));
  }
  const std::uint64_t end = cursor.position();
  place_tensors(reader, end + (alignment - end % alignment) % alignment, header.tensors);
  return header;
}

}  // namespace headlight
