// The header of a safetensors file: the rules of the reference parser in its order, and our own refusals beside them.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_set>
#include <utility>

#include "engine/core/checked.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr std::size_t kMostTensors = 1'000'000;
constexpr std::size_t kHighestRank = 8;
constexpr std::uint64_t kLargestDimension = (std::uint64_t{1} << 48U) - 1;
constexpr std::string_view kMetadata = "__metadata__";

std::string label_of(const std::string& tensor) {
  return "tensor " + printable(tensor);
}

/// Fills the header from the JSON's events, entry by entry; nothing of the file is kept that is not needed.
class HeaderVisitor final : public JsonVisitor {
 public:
  HeaderVisitor(const std::string& file, SafetensorsHeader& header) : file_(file), header_(header) {}

  std::uint64_t* position() { return &position_; }
  const std::vector<std::uint64_t>& entry_offsets() const { return entry_offsets_; }

  void key(std::string&& name) override {
    if (ignored_ > 0) return;
    if (where_ == Where::top) {
      begin_entry(std::move(name));
    } else if (where_ == Where::metadata) {
      if (header_.metadata.contains(name)) refuse("duplicate key " + printable(name));
      metadata_key_ = std::move(name);
    } else if (where_ == Where::entry) {
      begin_field(name);
    }
  }

  void scalar(Json&& value) override {
    if (ignored_ > 0) return;
    switch (where_) {
      case Where::root:
        refuse("is not an object", describe(value), "an object of tensors");
      case Where::top:
        if (is_metadata_ && value.is_null()) return;
        refuse(is_metadata_ ? "is not an object of strings" : "the entry is not an object", describe(value), "an object");
      case Where::metadata:
        if (!value.is_string()) refuse("the value of " + printable(metadata_key_) + " is not a string", describe(value), "a string");
        header_.metadata.emplace(std::move(metadata_key_), value.get<std::string>());
        return;
      case Where::entry:
        return field_value(value);
      case Where::shape:
        return add_dimension(value);
      case Where::offsets:
        return add_offset(value);
    }
  }

  void begin_object() override {
    if (ignored_ > 0) {
      ++ignored_;
    } else if (where_ == Where::root) {
      where_ = Where::top;
    } else if (where_ == Where::top) {
      where_ = is_metadata_ ? Where::metadata : Where::entry;
    } else {
      begin_nested("an object");
    }
  }

  void end_object() override {
    if (ignored_ > 0) {
      --ignored_;
    } else if (where_ == Where::entry) {
      end_entry();
      where_ = Where::top;
    } else {
      where_ = where_ == Where::metadata ? Where::top : Where::root;
    }
  }

  void begin_array() override {
    if (ignored_ > 0) {
      ++ignored_;
    } else if (where_ == Where::entry && field_ == Field::shape) {
      where_ = Where::shape;
    } else if (where_ == Where::entry && field_ == Field::offsets) {
      where_ = Where::offsets;
    } else {
      begin_nested("an array");
    }
  }

  void end_array() override {
    if (ignored_ > 0) {
      --ignored_;
      // Refused only here, so that a deep nest of brackets is reported as one.
      if (ignored_ == 0 && where_ == Where::root) refuse("is not an object", "an array", "an object of tensors");
      return;
    }
    if (where_ == Where::offsets && offsets_.size() != 2) {
      refuse("data_offsets is wrong", fmt::format("{} numbers", offsets_.size()), "exactly two, begin and end");
    }
    where_ = Where::entry;
  }

 private:
  enum class Where : std::uint8_t { root, top, metadata, entry, shape, offsets };
  enum class Field : std::uint8_t { dtype, shape, offsets, unknown };

  void begin_entry(std::string&& name) {
    is_metadata_ = name == kMetadata;
    place_ = is_metadata_ ? std::string(kMetadata) : label_of(name);
    if (!names_.insert(name).second) refuse("duplicate name: the header has it twice");
    if (is_metadata_) return;
    if (name.find('\0') != std::string::npos) refuse("the name holds a NUL character");
    if (header_.tensors.size() == kMostTensors) refuse(fmt::format("the header has more than {} tensors", kMostTensors));
    tensor_ = {};
    tensor_.name = std::move(name);
    offsets_.clear();
    has_dtype_ = has_shape_ = has_offsets_ = false;
    entry_offsets_.push_back(position_);
  }

  void begin_field(const std::string& name) {
    field_ = name == "dtype" ? Field::dtype : name == "shape" ? Field::shape : name == "data_offsets" ? Field::offsets : Field::unknown;
    if (field_ == Field::unknown) return;
    bool& seen = field_ == Field::dtype ? has_dtype_ : field_ == Field::shape ? has_shape_ : has_offsets_;
    if (seen) refuse("duplicate field " + name);
    seen = true;
  }

  void field_value(const Json& value) {
    if (field_ == Field::unknown) return;
    if (field_ == Field::shape) refuse("shape has the wrong type", describe(value), "an array of unsigned integers");
    if (field_ == Field::offsets) refuse("data_offsets has the wrong type", describe(value), "an array of two unsigned integers");
    if (!value.is_string()) refuse("dtype has the wrong type", describe(value), "a string such as \"F32\"");
    const DTypeRow* row = find_dtype(value.get_ref<const std::string&>());
    if (row == nullptr) refuse("dtype is unknown", describe(value), "one of the names of the safetensors format, such as \"F32\"");
    tensor_.dtype = row->type;
    tensor_.dtype_name = row->name;
  }

  void add_dimension(const Json& value) {
    // "-0" is signed to the parser, so this is a test for a plain unsigned integer, as the reference makes it.
    if (!value.is_number_unsigned()) refuse("shape holds a value that is not an unsigned integer", describe(value));
    if (tensor_.shape.size() == kHighestRank)
      refuse("shape has too many dimensions", "more", fmt::format("a rank of at most {}", kHighestRank));
    const auto dimension = value.get<std::uint64_t>();
    if (dimension > kLargestDimension) refuse("shape has a dimension that is too large", describe(value), "at most 2^48 - 1");
    tensor_.shape.push_back(static_cast<std::int64_t>(dimension));
  }

  void add_offset(const Json& value) {
    if (!value.is_number_unsigned()) refuse("data_offsets holds a value that is not an unsigned integer", describe(value));
    if (offsets_.size() == 2) refuse("data_offsets is wrong", "more than two numbers", "exactly two, begin and end");
    offsets_.push_back(value.get<std::uint64_t>());
  }

  void begin_nested(std::string_view kind) {
    if (where_ == Where::root || (where_ == Where::entry && field_ == Field::unknown)) {
      ignored_ = 1;
      return;
    }
    switch (where_) {
      case Where::root:
        return;  // ignored above
      case Where::top:
        refuse(is_metadata_ ? "is not an object of strings" : "the entry is not an object", std::string(kind), "an object");
      case Where::metadata:
        refuse("the value of " + printable(metadata_key_) + " is not a string", std::string(kind), "a string");
      case Where::entry:
        return field_value(kind == "an array" ? Json::array() : Json::object());
      case Where::shape:
        refuse("shape holds a value that is not an unsigned integer", std::string(kind));
      case Where::offsets:
        refuse("data_offsets holds a value that is not an unsigned integer", std::string(kind));
    }
  }

  void end_entry() {
    if (!has_dtype_) refuse("dtype is missing");
    if (!has_shape_) refuse("shape is missing");
    if (!has_offsets_) refuse("data_offsets is missing");
    tensor_.begin = offsets_[0];
    tensor_.end = offsets_[1];
    header_.tensors.push_back(std::move(tensor_));
  }

  [[noreturn]] void refuse(std::string problem, std::string found = {}, std::string expected = {}) const {
    throw Error({.kind = ErrorKind::input,
                 .file = file_,
                 .field = place_,
                 .offset = position_,
                 .problem = std::move(problem),
                 .found = std::move(found),
                 .expected = std::move(expected)});
  }

  const std::string& file_;
  SafetensorsHeader& header_;
  std::uint64_t position_ = 0;
  Where where_ = Where::root;
  Field field_ = Field::unknown;
  int ignored_ = 0;  // depth inside a field that the format does not know
  bool is_metadata_ = false;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  bool has_offsets_ = false;
  std::string place_ = "header";
  std::string metadata_key_;
  TensorInfo tensor_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint64_t> entry_offsets_;  // in the order of header_.tensors
  std::unordered_set<std::string> names_;
};

/// Says what the file is instead, where its first bytes tell. A file whose ninth byte opens a JSON object is a damaged safetensors file:
/// its header length may well look like the first bytes of another kind (35615 is how a gzip file starts).
[[noreturn]] void refuse_file(const FileReader& reader, ErrorDetail detail) {
  std::string first(std::min<std::uint64_t>(reader.size(), 64), '\0');
  reader.read(0, std::as_writable_bytes(std::span(first)));
  const bool has_other_kind = first.size() > kLengthBytes && first[kLengthBytes] != '{';
  const std::optional<FileKind> kind = has_other_kind ? recognize_kind(first) : std::nullopt;
  if (!kind) {
    detail.kind = ErrorKind::input;
    detail.file = reader.name();
    throw Error(std::move(detail));
  }
  throw Error({.kind = ErrorKind::input,
               .file = reader.name(),
               .offset = 0,
               .problem = "is not a safetensors file",
               .found = std::string(kind->name),
               .expected = "a header length and a JSON header",
               .hint = std::string(kind->advice)});
}

std::uint64_t read_header_length(const FileReader& reader) {
  if (reader.size() < kLengthBytes) {
    refuse_file(reader, {.field = "header length",
                         .offset = 0,
                         .problem = "the file is too short",
                         .found = fmt::format("{} bytes", reader.size()),
                         .expected = "at least 8 bytes"});
  }
  std::uint64_t length = 0;
  reader.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > kLargestHeader) {
    refuse_file(reader, {.field = "header length",
                         .offset = 0,
                         .problem = "the header is too large",
                         .found = fmt::format("{} bytes", length),
                         .expected = fmt::format("at most {} bytes", kLargestHeader)});
  }
  if (length > reader.size() - kLengthBytes) {
    refuse_file(reader, {.field = "header length",
                         .offset = 0,
                         .problem = "the header does not fit into the file",
                         .found = fmt::format("{} bytes", length),
                         .expected = fmt::format("at most the {} bytes that follow", reader.size() - kLengthBytes),
                         .hint = "The file may be cut: download or copy it again."});
  }
  return length;
}

/// Bytes that shape and type need. Throws where the product wraps or does not fill whole bytes.
std::uint64_t needed_bytes(const std::string& file, const TensorInfo& tensor, std::uint64_t entry) {
  const auto refuse = [&](std::string problem) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = label_of(tensor.name),
                 .offset = entry,
                 .problem = std::move(problem),
                 .found = fmt::format("shape {} of {}", shape_text(tensor.shape), tensor.dtype_name)});
  };
  std::optional<std::uint64_t> bits = 1;
  for (const std::int64_t dimension : tensor.shape) {
    bits = checked_multiply(*bits, static_cast<std::uint64_t>(dimension));
    if (!bits) refuse("the product of the shape overflows 64 bits");
  }
  bits = checked_multiply(*bits, static_cast<std::uint64_t>(find_dtype(tensor.dtype_name)->bits));
  if (!bits) refuse("the size of the shape overflows 64 bits");
  if (*bits % 8 != 0) refuse("the elements do not fill whole bytes");
  return *bits / 8;
}

/// The tensors must follow each other without gap or overlap, from the first byte after the header to the last of the file.
void check_offsets(const FileReader& reader, SafetensorsHeader& header, const std::vector<std::uint64_t>& entries,
                   std::uint64_t data_begin) {
  std::vector<std::size_t> order(header.tensors.size());
  for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const TensorInfo& first = header.tensors[a];
    const TensorInfo& second = header.tensors[b];
    return std::pair(first.begin, first.end) < std::pair(second.begin, second.end);
  });
  const std::uint64_t data_bytes = reader.size() - data_begin;
  std::uint64_t end = 0;
  std::vector<TensorInfo> sorted;
  sorted.reserve(order.size());
  for (const std::size_t at : order) {
    TensorInfo& tensor = header.tensors[at];
    const auto refuse = [&](std::string problem, std::string found, std::string expected, std::string hint = {}) {
      throw Error({.kind = ErrorKind::input,
                   .file = reader.name(),
                   .field = label_of(tensor.name),
                   .offset = entries[at],
                   .problem = std::move(problem),
                   .found = std::move(found),
                   .expected = std::move(expected),
                   .hint = std::move(hint)});
    };
    const std::string range = fmt::format("data_offsets [{},{}]", tensor.begin, tensor.end);
    if (tensor.begin != end || tensor.end < tensor.begin) refuse("is out of place", range, fmt::format("to start at {}", end));
    const std::uint64_t needed = needed_bytes(reader.name(), tensor, entries[at]);
    if (tensor.end - tensor.begin != needed) {
      refuse("shape and range do not agree", fmt::format("{} holding {} bytes", range, tensor.end - tensor.begin),
             fmt::format("{} bytes for shape {} of {}", needed, shape_text(tensor.shape), tensor.dtype_name));
    }
    if (tensor.end > data_bytes) {
      refuse("reaches past the end of the file", range, fmt::format("at most {} bytes of data", data_bytes),
             "The file may be cut: download or copy it again.");
    }
    end = tensor.end;
    tensor.begin += data_begin;  // cannot overflow: both lie inside the file
    tensor.end += data_begin;
    sorted.push_back(std::move(tensor));
  }
  if (end != data_bytes) {
    throw Error({.kind = ErrorKind::input,
                 .file = reader.name(),
                 .field = "data",
                 .offset = data_begin + end,
                 .problem = fmt::format("{} bytes follow the last tensor", data_bytes - end),
                 .expected = "the end of the file"});
  }
  header.tensors = std::move(sorted);
}

}  // namespace

SafetensorsHeader read_safetensors_header(const FileReader& reader) {
  std::string text(static_cast<std::size_t>(read_header_length(reader)), '\0');
  reader.read(kLengthBytes, std::as_writable_bytes(std::span(text)));
  SafetensorsHeader header;
  HeaderVisitor visitor(reader.name(), header);
  try {
    scan_json(text, reader.name(), {.first_byte = kLengthBytes, .field = "header"}, visitor, visitor.position());
  } catch (const Error& error) {
    refuse_file(reader, error.detail());
  }
  if (!text.starts_with('{')) header.warnings.push_back(reader.name() + ": the header starts with blanks before its '{'");
  check_offsets(reader, header, visitor.entry_offsets(), kLengthBytes + text.size());
  return header;
}

}  // namespace headlight
