#include "engine/figure/files/number_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headlight {

std::string_view number_cell(float value, std::array<char, 32>& buffer) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())};
}

std::string text_cell(const std::string& text) {
  std::string result = "\"";
  for (const char byte : text) {
    if (byte == '"') result += '"';
    result += byte;
  }
  result += '"';
  return result;
}

std::string spreadsheet_safe(const std::string& text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@'\t\r\n").find(text.front()) != std::string_view::npos;
  return is_formula ? "'" + text : text;
}

std::vector<std::string> tokens_of(const Snapshot& snapshot, const Encoding& encoding) {
  std::vector<std::string> tokens;
  for (const Token& token : encoding.tokens) tokens.push_back(snapshot.label(token).text);
  return tokens;
}

std::vector<std::string> token_cells(const Snapshot& snapshot, const Encoding& encoding, bool is_spreadsheet_safe) {
  std::vector<std::string> cells = tokens_of(snapshot, encoding);
  std::transform(cells.begin(), cells.end(), cells.begin(),
                 [&](const std::string& text) { return text_cell(is_spreadsheet_safe ? spreadsheet_safe(text) : text); });
  return cells;
}

std::string_view token_note(bool is_spreadsheet_safe) {
  return is_spreadsheet_safe ? " (spreadsheet-safe)" : "";
}

int number_of(const Snapshot& snapshot, int layer) {
  const LayerPlace place = snapshot.model->config.place(layer);
  return place.stack == Stack::only ? place.number : layer;
}

std::string in_json(const Json& value) {
  return json_text(value);
}

std::string in_json(std::span<const float> values) {
  std::array<char, 32> buffer{};
  std::string line = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    line.append(i == 0 ? "" : ",").append(std::isfinite(values[i]) ? number_cell(values[i], buffer) : "null");
  }
  return line + "]";
}

std::string texts_in_json(const Snapshot& run, const std::string& between) {
  std::string text = fmt::format("\"text\": {},", in_json(run.encoding->text));
  if (!run.encoding->text_pair.empty()) text += fmt::format(" \"text_pair\": {},", in_json(run.encoding->text_pair));
  text += fmt::format("{}\"tokens\": {},", between, in_json(tokens_of(run, *run.encoding)));
  if (!run.decoder_encoding) return text;
  return text + fmt::format("{}\"decoder_text\": {},{}\"decoder_tokens\": {},", between, in_json(run.decoder_encoding->text), between,
                            in_json(tokens_of(run, *run.decoder_encoding)));
}

std::string head_in_json(const Snapshot& run, HeadId head) {
  const bool is_named = run.decoder_encoding || run.model->config.place(head.layer).stack != Stack::only;
  const std::string name = is_named ? fmt::format(", \"attention\": {}", in_json(run.layer_name(head.layer))) : "";
  return fmt::format("\"layer\": {}, \"head\": {}{}", number_of(run, head.layer), head.head, name);
}

}  // namespace headlight
