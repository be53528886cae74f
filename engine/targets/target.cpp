#include "engine/targets/target.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::array kTargetRows{
    TargetRow{TargetKind::logit, "logit", "logit:A-B@POS", 1, 2, false, false, "",
              "the logit of token A, less that of B where B is given, in the prediction at a position"},
    TargetRow{TargetKind::prob, "prob", "prob:A@POS", 1, 1, false, false, "", "the probability of token A in the prediction at a position"},
    TargetRow{TargetKind::loss, "loss", "loss", 0, 0, true, false, "nats",
              "how surprising the text is: mean -ln p of its own tokens; loss@5-10 of the predictions at these positions"},
    TargetRow{TargetKind::kl, "kl", "kl", 0, 0, false, true, "nats",
              "how far all predictions are from those of the unedited run: Kullback-Leibler divergence, mean over positions"},
    TargetRow{TargetKind::all_right, "all-right", "all-right", 0, 0, true, false, "",
              "1 where each of the text's own tokens is the first choice, else 0"},
};

[[noreturn]] void refuse(std::string_view text, std::size_t at, const std::string& expected) {
  throw Error({.kind = ErrorKind::usage,
               .field = "target",
               .problem = fmt::format("character {} cannot be read", at + 1),
               .found = "\"" + printable(text, 80) + "\"",
               .expected = expected,
               .hint = "Targets: " + target_forms()});
}

/// Reads a text from left to right.
class TargetReader {
 public:
  explicit TargetReader(std::string_view text) : text_(text) {}

  Target read() {
    Target target;
    const TargetRow& row = read_kind();
    target.kind = row.kind;
    if (row.most_tokens > 0) {
      expect(':', "a colon and a token");
      target.token = read_token(target.is_token_quoted);
      if (row.most_tokens > 1 && take('-')) target.other = read_token(target.is_other_quoted);
    }
    if (take('@')) read_positions(row, target);
    if (at_ != text_.size())
      refuse(text_, at_,
             row.most_tokens > 1 && target.other.empty() ? "- and a token, @ and a position, or the end" : "@ and a position, or the end");
    return target;
  }

 private:
  bool take(char wanted) {
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted, const std::string& what) {
    if (!take(wanted)) refuse(text_, at_, what);
  }

  const TargetRow& read_kind() {
    const std::size_t end = std::min(text_.find_first_of(":@"), text_.size());
    const auto row =
        std::find_if(kTargetRows.begin(), kTargetRows.end(), [&](const TargetRow& each) { return each.name == text_.substr(0, end); });
    if (row == kTargetRows.end()) refuse(text_, 0, "logit, prob, loss, kl or all-right");
    at_ = end;
    return *row;
  }

  std::string read_token(bool& is_quoted) {
    is_quoted = take('"');
    std::string token;
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_quoted ? text_[at_] != '"' : text_[at_] != '-' && text_[at_] != '@')) {
      if (is_quoted && text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      token += text_[at_++];
    }
    if (is_quoted) expect('"', "a quote after the token");
    if (token.empty()) refuse(text_, begin, "a token: a word, one in quotes, or #ID");
    return token;
  }

  int read_number() {
    int number = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (problem != std::errc() || number < 0) refuse(text_, at_, "a position from 0");
    at_ += static_cast<std::size_t>(end - begin);
    return number;
  }

  void read_positions(const TargetRow& row, Target& target) {
    target.first = read_number();
    if (row.most_tokens > 0) return;
    if (!take('-')) {
      target.last = target.first;
      return;
    }
    const std::size_t begin = at_;
    target.is_open = at_ == text_.size();
    if (target.is_open) return;
    target.last = read_number();
    if (*target.last < *target.first) refuse(text_, begin, fmt::format("a position from {}", *target.first));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string token_text(const std::string& token, bool is_quoted) {
  if (!is_quoted && token.find_first_of("-@") == std::string::npos && !token.starts_with('"')) return token;
  std::string text = "\"";
  for (const char character : token) {
    if (character == '"' || character == '\\') text += '\\';
    text += character;
  }
  return text + "\"";
}

std::string positions_text(const Target& target) {
  if (!target.first) return {};
  if (target_row(target.kind).most_tokens > 0 || target.first == target.last) return fmt::format("@{}", *target.first);
  return target.last ? fmt::format("@{}-{}", *target.first, *target.last) : fmt::format("@{}-", *target.first);
}

/// ", at position 5", " at positions 5 to 10".
std::string places_text(const Target& target) {
  if (!target.first) return {};
  if (target_row(target.kind).most_tokens > 0 || target.first == target.last) return fmt::format(" at position {}", *target.first);
  return target.last ? fmt::format(" at positions {} to {}", *target.first, *target.last)
                     : fmt::format(" from position {} on", *target.first);
}

}  // namespace

std::string in_words(const std::string& token) {
  return token.starts_with('#') ? token : fmt::format("“{}”", token);
}

std::span<const TargetRow> target_rows() {
  return kTargetRows;
}

const TargetRow& target_row(TargetKind kind) {
  return *std::find_if(kTargetRows.begin(), kTargetRows.end(), [&](const TargetRow& row) { return row.kind == kind; });
}

Target parse_target(std::string_view text) {
  return TargetReader(text).read();
}

std::string to_text(const Target& target) {
  std::string text(target_row(target.kind).name);
  if (!target.token.empty()) text.append(":").append(token_text(target.token, target.is_token_quoted));
  if (!target.other.empty()) text.append("-").append(token_text(target.other, target.is_other_quoted));
  return text.append(positions_text(target));
}

std::string describe_target(const Target& target) {
  const std::string where = places_text(target);
  switch (target.kind) {
    case TargetKind::logit:
      return target.other.empty() ? fmt::format("logit of {}{}", in_words(target.token), where)
                                  : fmt::format("logit of {} less that of {}{}", in_words(target.token), in_words(target.other), where);
    case TargetKind::prob:
      return fmt::format("probability of {}{}", in_words(target.token), where);
    case TargetKind::loss:
      return where.empty() ? "loss of the text" : "loss of the text" + where;
    case TargetKind::kl:
      return "KL divergence from the unedited run" + where;
    case TargetKind::all_right:
      return "whether every token is predicted right" + where;
  }
  return {};
}

std::string target_forms() {
  std::string forms;
  for (const TargetRow& row : kTargetRows) forms.append(forms.empty() ? "" : " | ").append(row.form);
  return forms;
}

}  // namespace headlight
