#include "engine/figure/files/provenance.h"

#include <fmt/core.h>

#include <array>
#include <span>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/digest.h"

namespace headlight {
namespace {

constexpr std::string_view kSealKey = "\"picture_sha256\":\"";
constexpr int kDeepest = 32;
constexpr int kLargestScale = 16;  // as --pixels

/// ASCII as a PDF may have it: the hexadecimal digits of UTF-16 (ISO 32000-1, 7.9.2.2), as cairo writes them.
std::string in_utf16_digits(std::string_view text) {
  std::string digits;
  for (const char byte : text) digits += fmt::format("{:04X}", static_cast<unsigned>(byte));
  return digits;
}

/// A file's bytes with another seal; as they are where `seal` does not occur.
std::string with_seal(std::string bytes, std::string_view seal, std::string_view by) {
  const std::string key(kSealKey);
  if (const std::size_t at = bytes.find(key + std::string(seal)); at != std::string::npos)
    return bytes.replace(at + key.size(), seal.size(), by);
  const std::string wide_key = in_utf16_digits(key), wide_seal = in_utf16_digits(seal);
  if (const std::size_t at = bytes.find(wide_key + wide_seal); at != std::string::npos)
    return bytes.replace(at + wide_key.size(), wide_seal.size(), in_utf16_digits(by));
  return bytes;
}

/// A sum of a file: absent, or 64 digits.
std::string read_sum(const JsonFields& fields, const std::string& key) {
  std::string sum = fields.text_or(key, "");
  const bool is_sum = sum.size() == kUnsealed.size() && sum.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!sum.empty() && !is_sum) fields.refuse(key, "this is not a SHA-256", in_quotes(sum), "64 hexadecimal digits");
  return sum;
}

}  // namespace

std::string to_text(const Provenance& provenance) {
  Json models = Json::array();
  for (const FigureModel& model : provenance.models) {
    models.push_back({{"name", model.name}});
    if (!model.sha256.empty()) models.back()["weights_sha256"] = model.sha256;
  }
  Json json = {{"format", kRecordFormat},       {"format_version", kRecordVersion}, {"headlight", provenance.version},
               {"command", provenance.command}, {"models", std::move(models)},      {"document", provenance.document},
               {"figure", provenance.figure}};
  if (provenance.pixels_per_point > 0) json["pixels_per_point"] = provenance.pixels_per_point;
  if (provenance.has_titles) json["titles"] = true;
  if (!provenance.numbers_sha256.empty()) json["numbers_sha256"] = provenance.numbers_sha256;
  if (!provenance.type_sha256.empty()) json["type_sha256"] = provenance.type_sha256;
  if (!provenance.picture_sha256.empty()) json["picture_sha256"] = provenance.picture_sha256;
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Provenance provenance_from(std::string_view text, const std::string& file) {
  const JsonTree json = parse_json(text, file, {.depth = kDeepest, .field = "provenance"});
  const JsonFields fields(*json, file, "provenance");
  if (fields.text("format") != kRecordFormat) fields.refuse("format", "this is not what Headlight writes", {}, std::string(kRecordFormat));
  fields.integer("format_version", 1, kRecordVersion);
  Provenance provenance{.version = fields.text("headlight"), .command = fields.text("command")};
  for (const Json& item : fields.array("models")) {
    const JsonFields model(item, file, fields.path_of("models"));
    provenance.models.push_back({model.text("name"), read_sum(model, "weights_sha256")});
  }
  provenance.document = fields.object("document").value();
  provenance.figure = fields.object("figure").value();
  provenance.pixels_per_point = static_cast<float>(fields.number_or("pixels_per_point", 0, 0, kLargestScale));
  provenance.has_titles = fields.boolean_or("titles", false);
  provenance.numbers_sha256 = read_sum(fields, "numbers_sha256");
  provenance.type_sha256 = read_sum(fields, "type_sha256");
  provenance.picture_sha256 = read_sum(fields, "picture_sha256");
  return provenance;
}

std::string sha256_of(std::string_view bytes) {
  Digest sha = Digest::sha256();
  sha.add(std::as_bytes(std::span(bytes)));
  return sha.hex();
}

std::string pixels_sha256(const Image& image) {
  Digest sha = Digest::sha256();
  const std::array size{image.width, image.height};
  sha.add(std::as_bytes(std::span(size)));
  sha.add(std::as_bytes(std::span(image.pixels)));
  return sha.hex();
}

std::string unsealed_sha256(std::string bytes, std::string_view seal) {
  return sha256_of(with_seal(std::move(bytes), seal, kUnsealed));
}

std::string sealed(std::string bytes) {
  const std::string sum = sha256_of(bytes);
  return with_seal(std::move(bytes), kUnsealed, sum);
}

}  // namespace headlight
