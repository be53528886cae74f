#include "engine/figure/files/json_file.h"

#include <span>

#include "engine/core/error.h"
#include "engine/figure/files/provenance.h"
#include "engine/figure/files/read_record.h"

namespace headlight {
namespace {

constexpr std::string_view kBeforeRecord = ",\n \"provenance\": ";

}  // namespace

JsonFile::JsonFile(const std::filesystem::path& path) : file_(path), name_(printable(path.native())), sum_(Digest::sha256()) {}

void JsonFile::write(std::string_view text) {
  size_ += text.size();
  if (size_ > kLargestFigure) {
    throw Error({.kind = ErrorKind::limit,
                 .file = name_,
                 .problem = "these numbers make a JSON file that is too large to be read again",
                 .expected = "at most 512 MiB",
                 .hint = "Write .npz or .safetensors, fewer heads or a shorter text"});
  }
  sum_.add(std::as_bytes(std::span(text)));
  file_.write(text);
}

void JsonFile::end(std::string_view close, std::string_view record) {
  write(close);
  if (record.empty()) {
    write("}\n");
    return file_.commit();
  }
  std::string made(record);
  const std::string sum = sum_.hex();
  if (const std::size_t seal = made.find(kUnsealed); seal != std::string::npos) made.replace(seal, kUnsealed.size(), sum);
  file_.write(kBeforeRecord);
  file_.write(made);
  file_.write("}\n");
  file_.commit();
}

std::string json_sum(std::string_view bytes) {
  const std::size_t end = bytes.rfind(kBeforeRecord);
  return end == std::string_view::npos ? "" : sha256_of(bytes.substr(0, end));
}

}  // namespace headlight
