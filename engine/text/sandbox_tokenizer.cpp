// The sandbox's tokenizer: no vocabulary; every word or byte is its own token.
#include <fmt/core.h>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/text/label.h"
#include "engine/text/tokenizer.h"
#include "engine/text/typed_text.h"

namespace headlight {
namespace {

constexpr std::uint64_t kExactInJson = (std::uint64_t{1} << 53U) - 1;

std::int64_t id_of_word(std::string_view word) {
  return static_cast<std::int64_t>(fnv1a(word) & kExactInJson);
}

/// Visible ASCII characters and the blank as themselves, other bytes by their number.
std::string name_of_byte(unsigned char byte) {
  if (byte >= ' ' && byte < 0x7F) return {static_cast<char>(byte)};
  return fmt::format("<0x{:02X}>", byte);
}

class SandboxTokenizer final : public Tokenizer {
 public:
  explicit SandboxTokenizer(SandboxUnit unit) : unit_(unit) {}

  /// There are no special tokens: the options change nothing.
  Encoding encode(std::string_view text, std::optional<std::string_view> text_pair, EncodeOptions /*options*/) const override {
    Encoding encoding;
    encoding.text = take_typed_text(text, encoding.notices);
    add_tokens(encoding.text, 0, encoding.tokens);
    if (text_pair) {
      encoding.text_pair = take_typed_text(*text_pair, encoding.notices);
      add_tokens(encoding.text_pair, 1, encoding.tokens);
    }
    return encoding;
  }

  std::string decode(std::span<const std::int64_t> ids, bool /*skips_special*/) const override {
    std::string bytes;
    for (const std::int64_t id : ids) {
      if (token_of(id)) bytes.push_back(static_cast<char>(static_cast<unsigned char>(id)));
    }
    return repair_utf8(bytes).text;
  }

  std::optional<std::string> token_of(std::int64_t id) const override {
    // A word cannot be told from its hash.
    if (unit_ == SandboxUnit::words || id < 0 || id > 0xFF) return std::nullopt;
    return name_of_byte(static_cast<unsigned char>(id));
  }

  TokenLabel label(const Token& token) const override { return make_label(token.text, LabelScheme::plain); }
  std::string description() const override { return unit_ == SandboxUnit::words ? "words, any" : "bytes, 256 tokens"; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  void add_tokens(const std::string& text, int sequence, std::vector<Token>& into) const {
    if (unit_ == SandboxUnit::words) {
      for (const ByteRange& range : split_words(text)) {
        std::string word = text.substr(range.begin, range.end - range.begin);
        const std::int64_t id = id_of_word(word);
        into.push_back({id, std::move(word), range, sequence, false, sequence});
      }
      return;
    }
    into.reserve(into.size() + text.size());
    for (std::uint32_t at = 0; at < text.size();) {
      const std::uint32_t end = at + code_point_at(text, at).bytes;
      const ByteRange whole{at, end};  // bytes of one character share its range
      for (; at < end; ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        into.push_back({byte, name_of_byte(byte), whole, sequence, false, sequence});
      }
    }
  }

  SandboxUnit unit_;
  std::vector<std::string> warnings_;  // there is nothing to load that could warn
};

}  // namespace

std::shared_ptr<const Tokenizer> make_sandbox_tokenizer(SandboxUnit unit) {
  return std::make_shared<const SandboxTokenizer>(unit);
}

}  // namespace headlight
