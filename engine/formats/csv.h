// Tables as text: RFC 4180, with a separator that need not be a comma.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// What separates the names in the first line of a table: a comma where there is one, else a semicolon, as spreadsheets write it where the
/// comma is in numbers, else a tab. A comma for a single name.
char csv_separator(std::string_view header);
/// The fields of one record; a quote inside a field that does not begin with one is a character like others. False: a quote that is not
/// closed, or text after a closing one.
bool split_csv(const std::string& record, std::vector<std::string>& fields, char separator = ',');

/// Follows a record of a table, to say whether it goes on in the next line. Only a quote at the beginning of a field opens one.
class QuoteScanner {
 public:
  explicit QuoteScanner(char separator = ',') : separator_(separator) {}
  void add(std::string_view text) {
    for (const char character : text) step(character);
  }
  bool is_open() const { return state_ == State::quoted; }
  bool is_broken() const { return state_ == State::broken; }

 private:
  enum class State : std::uint8_t { begin, plain, quoted, after_quote, broken };
  void step(char character);
  State state_ = State::begin;
  const char separator_;
};

}  // namespace headlight
