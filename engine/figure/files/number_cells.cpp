#include "engine/figure/files/number_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <variant>

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

bool has_named_layers(const Snapshot& run) {
  return run.decoder_encoding || run.model->config.place(0).stack != Stack::only;
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

namespace {

/// The shortest digits that read back; nothing where there is no number.
template <typename Number>
std::string digits_of(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return {};
  }
  return fmt::format("{}", value);
}

}  // namespace

std::string list_cell(const ListCell& cell, bool is_spreadsheet_safe) {
  if (const auto* text = std::get_if<std::string>(&cell)) return text_cell(is_spreadsheet_safe ? spreadsheet_safe(*text) : *text);
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return digits_of(value);
        return std::string();
      },
      cell);
}

std::string line_in_json(const NumberList& list, const std::vector<ListCell>& line) {
  std::string text = "{";
  for (std::size_t column = 0; column < line.size(); ++column) {
    const auto* words = std::get_if<std::string>(&line[column]);
    const std::string value = words ? in_json(Json(*words)) : list_cell(line[column], false);
    text += fmt::format("{}\"{}\": {}", column == 0 ? "" : ", ", list.columns[column], value.empty() ? "null" : value);
  }
  return text + "}";
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
  const std::string name = has_named_layers(run) ? fmt::format(", \"attention\": {}", in_json(run.layer_name(head.layer))) : "";
  return fmt::format("\"layer\": {}, \"head\": {}{}", number_of(run, head.layer), head.head, name);
}

}  // namespace headlight
