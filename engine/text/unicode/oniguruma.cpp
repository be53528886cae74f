#include "engine/text/unicode/oniguruma.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <utility>
#include <vector>

#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

// Each is the members of a class, without its brackets. Oniguruma takes ² ³ ¹ ¼ ½ ¾ for parts of words, but not inside brackets.
constexpr std::string_view kWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\xB2\xB3\xB9\xBC-\xBE)";
constexpr std::string_view kWordInBrackets = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
constexpr std::string_view kSpace = R"(\x09-\x0D\x20\x85\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
constexpr std::string_view kHex = "0-9A-Fa-f";
constexpr std::string_view kPunctInBrackets = R"(\p{P}\p{S})";  // [[:punct:]]; \p{Punct} has no symbols

struct Name {
  std::string_view posix;
  std::string_view members;
};
constexpr std::array<Name, 14> kPosixNames = {{{"alnum", R"(\p{Alphabetic}\p{Nd})"},
                                               {"alpha", R"(\p{Alphabetic})"},
                                               {"ascii", R"(\x00-\x7F)"},
                                               {"blank", R"(\x09\p{Zs})"},
                                               {"cntrl", R"(\p{Cc})"},
                                               {"digit", R"(\p{Nd})"},
                                               {"graph", R"(\x21-\x7E\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co})"},
                                               {"lower", R"(\p{Lowercase})"},
                                               {"print", R"(\x20-\x7E\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\p{Co})"},
                                               {"punct", R"(\p{P})"},
                                               {"space", kSpace},
                                               {"upper", R"(\p{Uppercase})"},
                                               {"word", kWord},
                                               {"xdigit", kHex}}};

/// The members of \w, \s, \h (or \W, \S, \H); empty for another letter.
std::string_view members_of_letter(char letter) {
  switch (letter) {
    case 'w':
    case 'W':
      return kWord;
    case 's':
    case 'S':
      return kSpace;
    case 'h':
    case 'H':
      return kHex;
    default:
      return {};
  }
}

bool is_upper(char letter) {
  return letter >= 'A' && letter <= 'Z';
}

std::string lower_letters(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
    }
  }
  return result;
}

/// Whether PCRE2 knows a script of this name.
bool is_script(std::string_view name) {
  const std::string expression = R"(\p{sc:)" + std::string(name) + "}";
  int error = 0;
  std::size_t offset = 0;
  const std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)> code(
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(), PCRE2_UTF, &error, &offset, nullptr),
      pcre2_code_free);
  return code != nullptr;
}

/// What one class stands for: members side by side, and parts that need an expression of their own.
struct Class {
  std::string members;
  std::vector<std::string> parts;

  /// An expression that matches one character.
  std::string expression() const {
    if (parts.empty()) return members.empty() ? "(?!)" : "[" + members + "]";
    std::string result = members.empty() ? "(?:" : "(?:[" + members + "]|";
    for (std::size_t at = 0; at < parts.size(); ++at) result += (at == 0 ? "" : "|") + parts[at];
    return result + ")";
  }
  std::string complement() const {
    if (parts.empty()) return members.empty() ? "(?s:.)" : "[^" + members + "]";
    return "(?:(?!" + expression() + ")(?s:.))";
  }
};

class Translation {
 public:
  explicit Translation(std::string_view expression) : text_(expression) {}

  std::string run() {
    while (at_ < text_.size()) {
      switch (text_[at_]) {
        case '\\':
          escape();
          break;
        case '[':
          atom_ = result_.size();
          result_ += character_class(0);
          break;
        case '(':
          open_group();
          break;
        case ')':
          close_group();
          break;
        case '{':
          interval();
          break;
        default:
          if (std::string_view("*+?|").find(text_[at_]) == std::string_view::npos) atom_ = result_.size();
          copy_character();
      }
    }
    return std::move(result_);
  }

 private:
  static constexpr int kDeepestClass = 50;

  bool is_next(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void copy_character() {
    do {
      result_.push_back(text_[at_++]);
    } while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U);
  }

  /// What an escape stands for: itself, or these members of a class (or all but them).
  struct Escape {
    std::string text;
    std::string_view members;
    bool is_inverted = false;
  };

  /// at_ is on the backslash, and past the escape afterwards.
  Escape read_escape(bool is_in_brackets) {
    const std::size_t begin = at_;
    const char letter = begin + 1 < text_.size() ? text_[begin + 1] : '\\';
    at_ = std::min(begin + 2, text_.size());
    if (const std::string_view members = members_of_letter(letter); !members.empty()) {
      return {{}, is_in_brackets && members == kWord ? kWordInBrackets : members, is_upper(letter)};
    }
    if (letter == 'v') return {R"(\x0B)", {}, false};
    if (letter == 'u' && text_.size() - at_ >= 4) {
      at_ += 4;
      return {R"(\x{)" + std::string(text_.substr(begin + 2, 4)) + "}", {}, false};
    }
    if (std::string_view("pPxkg").find(letter) != std::string_view::npos && is_next("{")) {
      at_ = std::min(text_.find('}', at_), text_.size() - 1) + 1;
    } else if (letter == 'x') {
      for (int digits = 0; digits < 2 && at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])) != 0; ++digits) ++at_;
    } else {
      while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U) ++at_;
    }
    const std::string_view escape = text_.substr(begin, at_ - begin);
    const bool is_property = (letter == 'p' || letter == 'P') && escape.size() > 4;
    if (!is_property) return {std::string(escape), {}, false};
    std::string_view name = escape.substr(3, escape.size() - 4);
    const bool is_inverted = name.starts_with('^');
    if (is_inverted) name.remove_prefix(1);
    const bool is_complement = is_inverted != (letter == 'P');
    // Names of categories have two letters at most.
    if (name.size() > 2 && is_script(name)) return {(is_complement ? R"(\P{sc:)" : R"(\p{sc:)") + std::string(name) + "}", {}, false};
    return {std::string(escape), members_of_name(name), is_complement};
  }

  /// The members that \p{name} or [:name:] stand for where the name is one of POSIX's.
  static std::string_view members_of_name(std::string_view name) {
    const std::string letters = lower_letters(name);
    const auto item = std::find_if(kPosixNames.begin(), kPosixNames.end(), [&](const Name& known) { return known.posix == letters; });
    return item == kPosixNames.end() ? std::string_view() : item->members;
  }

  void escape() {
    atom_ = result_.size();
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\\';
    if (letter == 'b' || letter == 'B') {
      at_ += 2;
      std::string word = "[";
      word.append(kWord).push_back(']');
      result_ += letter == 'b' ? "(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))"
                               : "(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + "))";
      return;
    }
    const Escape escape = read_escape(false);
    if (escape.members.empty()) {
      result_ += escape.text;
    } else {
      result_.append(escape.is_inverted ? "[^" : "[").append(escape.members).append("]");
    }
  }

  static void add_members(std::string_view members, bool is_inverted, Class& into) {
    if (is_inverted) {
      into.parts.push_back("[^" + std::string(members) + "]");
    } else {
      into.members += members;
    }
  }

  /// at_ is on the "[", and past the "]" afterwards.
  std::string character_class(int depth) {
    ++at_;
    const bool is_negated = is_next("^");
    if (is_negated) ++at_;
    std::vector<Class> sides(1);  // of &&
    for (bool is_first = true; at_ < text_.size() && (is_first || !is_next("]")); is_first = false) {
      if (is_next("&&")) {
        at_ += 2;
        sides.emplace_back();
      } else if (is_next("[:")) {
        add_posix(sides.back());
      } else if (is_next("[") && depth < kDeepestClass) {
        add_inner(depth, sides.back());
      } else {
        add_range(sides.back());
      }
    }
    at_ = std::min(at_ + 1, text_.size());
    Class whole = sides.front();
    if (sides.size() > 1) {
      std::string common;
      for (std::size_t side = 0; side + 1 < sides.size(); ++side) common += "(?=" + sides[side].expression() + ")";
      whole = {{}, {"(?:" + common + sides.back().expression() + ")"}};
    }
    return is_negated ? whole.complement() : whole.expression();
  }

  /// A class inside a class: its members where it has nothing else.
  void add_inner(int depth, Class& into) {
    std::string inner = character_class(depth + 1);
    if (inner.starts_with('[') && !inner.starts_with("[^")) {
      into.members += inner.substr(1, inner.size() - 2);
    } else {
      into.parts.push_back(std::move(inner));
    }
  }

  void add_posix(Class& into) {
    const std::size_t end = text_.find(":]", at_);
    const bool is_inverted = text_.substr(at_ + 2).starts_with('^');
    const std::size_t begin = at_ + (is_inverted ? 3 : 2);
    const std::string_view name = end == std::string_view::npos || end < begin ? std::string_view() : text_.substr(begin, end - begin);
    const std::string letters = lower_letters(name);
    const std::string_view members = letters == "punct" ? kPunctInBrackets : letters == "word" ? kWordInBrackets : members_of_name(name);
    if (members.empty()) {
      into.members += R"(\[)";  // not a POSIX name: a bracket like any other
      ++at_;
      return;
    }
    at_ = end + 2;
    add_members(members, is_inverted, into);
  }

  /// A character, a range of characters, or an escape for many.
  void add_range(Class& into) {
    const std::string first = read_member(into);
    if (first.empty()) return;
    into.members += first;
    const bool is_range = is_next("-") && at_ + 1 < text_.size() && text_[at_ + 1] != ']' && text_[at_ + 1] != '[';
    if (!is_range) return;
    ++at_;
    Class last;
    const std::string end = read_member(last);
    into.members += end.empty() ? R"(\-)" : "-" + end;
    into.members += last.members;
    into.parts.insert(into.parts.end(), last.parts.begin(), last.parts.end());
  }

  /// One character of a class as PCRE2 takes it; empty where it was an escape for many, which is added to `into`.
  std::string read_member(Class& into) {
    if (text_[at_] != '\\') {
      const std::size_t begin = at_;
      at_ = std::min(at_ + code_point_at(text_, at_).bytes, text_.size());
      const std::string_view character = text_.substr(begin, at_ - begin);
      const bool is_special = std::string_view(R"([]^-\)").find(character) != std::string_view::npos;
      std::string member = is_special ? "\\" : "";
      return member.append(character);
    }
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\\';
    const Escape escape = read_escape(true);
    if (!escape.members.empty()) {
      add_members(escape.members, escape.is_inverted, into);
      return {};
    }
    const bool is_many = std::string_view("dDpPRX").find(letter) != std::string_view::npos;
    if (!is_many) return escape.text;
    into.members += escape.text;
    return {};
  }

  void open_group() {
    groups_.push_back(result_.size());
    if (is_next("(?#")) {
      const std::size_t end = std::min(text_.find(')', at_), text_.size() - 1);
      groups_.pop_back();
      at_ = end + 1;
      return;
    }
    result_.push_back(text_[at_++]);
    if (!is_next("?")) return;
    result_.push_back(text_[at_++]);
    // Options, as in (?mi-x: … ); anything else is a group of another kind and stays as it is.
    const std::size_t end = text_.find_first_not_of("imx-", at_);
    if (end == std::string_view::npos || end == at_ || (text_[end] != ':' && text_[end] != ')')) return;
    for (; at_ < end; ++at_) result_.push_back(text_[at_] == 'm' ? 's' : text_[at_]);
  }

  void close_group() {
    result_.push_back(text_[at_++]);
    if (groups_.empty()) return;
    atom_ = groups_.back();
    groups_.pop_back();
  }

  void interval() {
    const std::size_t end = text_.find_first_not_of("0123456789,", at_ + 1);
    const bool is_interval = end != std::string_view::npos && text_[end] == '}' && end > at_ + 1 && text_.substr(at_, end - at_) != "{,";
    if (!is_interval) {
      atom_ = result_.size();
      copy_character();
      return;
    }
    if (is_next("{,")) {
      result_ += "{0";
      ++at_;
    }
    result_.append(text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    if (!is_next("+")) return;
    result_.insert(atom_, "(?:");
    result_.push_back(')');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string result_;
  std::size_t atom_ = 0;  // where in the result the operand of a repeat begins
  std::vector<std::size_t> groups_;
};

}  // namespace

std::string from_oniguruma(std::string_view expression) {
  return Translation(expression).run();
}

}  // namespace headlight
