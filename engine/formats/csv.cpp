#include "engine/formats/csv.h"

#include <algorithm>

namespace headlight {

char csv_separator(std::string_view header) {
  bool is_quoted = false;
  char found = ',';
  for (const char character : header) {
    if (character == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (character == ',') return ',';
    if (character == ';' || (character == '\t' && found == ',')) found = character;
  }
  return found;
}

bool split_csv(const std::string& record, std::vector<std::string>& fields, char separator) {
  fields.clear();
  for (std::size_t at = 0; at <= record.size();) {
    std::string& field = fields.emplace_back();
    if (at < record.size() && record[at] == '"') {
      bool is_open = true;
      for (++at; at < record.size(); ++at) {
        if (record[at] != '"') {
          field += record[at];
        } else if (at + 1 < record.size() && record[at + 1] == '"') {
          field += record[at++];
        } else {
          is_open = false;
          ++at;
          break;
        }
      }
      if (is_open || (at < record.size() && record[at] != separator)) return false;
    } else {
      const std::size_t end = std::min(record.find(separator, at), record.size());
      field = record.substr(at, end - at);
      at = end;
    }
    if (at >= record.size()) return true;
    ++at;  // the separator
    if (at == record.size()) {
      fields.emplace_back();
      return true;
    }
  }
  return true;
}

void QuoteScanner::step(char character) {
  switch (state_) {
    case State::begin:
      state_ = character == '"' ? State::quoted : character == separator_ ? State::begin : State::plain;
      break;
    case State::plain:
      if (character == separator_) state_ = State::begin;
      break;
    case State::quoted:
      if (character == '"') state_ = State::after_quote;
      break;
    case State::after_quote:  // the end of the field, or the first of two
      state_ = character == '"' ? State::quoted : character == separator_ ? State::begin : State::broken;
      break;
    case State::broken:
      break;
  }
}

}  // namespace headlight
