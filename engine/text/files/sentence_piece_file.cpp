#include "engine/text/files/sentence_piece_file.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/byte_trie.h"
#include "engine/text/models/score_bpe.h"
#include "engine/text/models/unigram.h"
#include "engine/text/steps/charsmap.h"
#include "engine/text/unicode/rewriting.h"

namespace headlight {
namespace {

/// Reads the fields of one message, one after the other.
class Message {
 public:
  /// `offset` is where the bytes are in the file.
  Message(std::string_view bytes, std::uint64_t offset, const std::string& file) : bytes_(bytes), offset_(offset), file_(&file) {}

  /// Reads the next field; false at the end.
  bool next() {
    if (at_ == bytes_.size()) return false;
    const std::uint64_t key = read_varint();
    field_ = key >> 3U;
    wire_ = key & 7U;
    switch (wire_) {
      case 0:
        number_ = read_varint();
        break;
      case 1:
        content_ = take(8);
        break;
      case 2:
        content_ = take(read_varint());
        break;
      case 5:
        content_ = take(4);
        break;
      default:
        refuse("the file is not a SentencePiece model", fmt::format("a field of wire type {}", wire_));
    }
    return true;
  }

  std::uint64_t field() const { return field_; }
  std::uint64_t number() const {
    if (wire_ != 0) refuse("a field has the wrong type", fmt::format("wire type {} in field {}", wire_, field_));
    return number_;
  }
  std::string_view content() const {
    if (wire_ != 2) refuse("a field has the wrong type", fmt::format("wire type {} in field {}", wire_, field_));
    return content_;
  }
  float single() const {
    if (wire_ != 5) refuse("a field has the wrong type", fmt::format("wire type {} in field {}", wire_, field_));
    std::uint32_t bits = 0;
    for (std::size_t byte = 4; byte-- > 0;) bits = (bits << 8U) | static_cast<unsigned char>(content_[byte]);
    return std::bit_cast<float>(bits);
  }
  Message message() const { return {content(), offset_ + at_ - content_.size(), *file_}; }

  [[noreturn]] void refuse(std::string problem, std::string found = {}) const {
    throw Error(
        {.kind = ErrorKind::input, .file = *file_, .offset = offset_ + at_, .problem = std::move(problem), .found = std::move(found)});
  }

 private:
  std::uint64_t read_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    refuse("the file is not a SentencePiece model", "a number of more than 64 bits");
  }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_)
      refuse("the file ends too early", fmt::format("{} bytes announced, {} left", size, bytes_.size() - at_));
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += static_cast<std::size_t>(size);
    return taken;
  }

  std::string_view bytes_;
  std::uint64_t offset_;
  const std::string* file_;
  std::size_t at_ = 0;
  std::uint64_t field_ = 0;
  std::uint64_t wire_ = 0;
  std::uint64_t number_ = 0;
  std::string_view content_;
};

SentencePiece read_piece(Message message, std::size_t id) {
  SentencePiece piece;
  const auto refuse = [&](std::string_view problem, std::string found = {}) {
    message.refuse(fmt::format("piece {} {}", id, problem), std::move(found));
  };
  while (message.next()) {
    if (message.field() == 1) piece.text = message.content();
    if (message.field() == 2) piece.score = message.single();
    if (message.field() == 3) {
      if (message.number() < 1 || message.number() > 6) refuse("has an unknown type", std::to_string(message.number()));
      piece.type = static_cast<PieceType>(message.number());
    }
  }
  if (piece.text.empty()) refuse("is empty");
  if (repair_utf8(piece.text).replaced > 0) refuse("is not valid UTF-8", in_quotes(piece.text));
  if (!std::isfinite(piece.score)) refuse("has a score that is not a number");
  return piece;
}

void read_trainer(Message message, SentencePieceFile& file) {
  while (message.next()) {
    if (message.field() == 3) {
      if (message.number() < 1 || message.number() > 4) message.refuse("the algorithm is unknown", std::to_string(message.number()));
      file.algorithm = static_cast<SentencePieceFile::Algorithm>(message.number());
    }
    if (message.field() == 24) file.marks_blanks_behind = message.number() != 0;
    if (message.field() == 35) file.has_byte_fallback = message.number() != 0;
  }
}

void read_normalizer(Message message, SentencePieceFile& file) {
  while (message.next()) {
    if (message.field() == 2) file.charsmap = message.content();
    if (message.field() == 3) file.adds_dummy_prefix = message.number() != 0;
    if (message.field() == 4) file.removes_extra_blanks = message.number() != 0;
    if (message.field() == 5) file.escapes_blanks = message.number() != 0;
  }
}

class SentencePieceNormalizer final : public Normalizer {
 public:
  explicit SentencePieceNormalizer(const SentencePieceFile& file)
      : name_(file.name),
        adds_blank_before_(file.adds_dummy_prefix && !file.marks_blanks_behind),
        adds_blank_behind_(file.adds_dummy_prefix && file.marks_blanks_behind),
        removes_extra_(file.removes_extra_blanks),
        blank_(file.escapes_blanks ? "\xe2\x96\x81" : " ") {
    if (!file.charsmap.empty()) charsmap_.emplace(file.charsmap, PatternPlace{file.name, "normalizer_spec.precompiled_charsmap"});
    for (const SentencePiece& piece : file.pieces) {
      if (piece.type == PieceType::user_defined) user_defined_texts_.push_back(piece.text);
    }
    std::vector<ByteTrie::Item> items;
    for (const std::string& text : user_defined_texts_) items.push_back({text, 0});
    user_defined_ = ByteTrie(std::move(items), file.name);
  }

  AlignedText apply(AlignedText text) const override {
    TrieSteps steps(text.text.size(), name_);
    const auto size = static_cast<std::uint32_t>(text.text.size());
    std::uint32_t at = 0;
    while (removes_extra_ && at < size) {
      const Prefix prefix = prefix_at(text.text, at, steps);
      if (prefix.text != " ") break;
      at += prefix.bytes;
    }
    AlignedText result;
    if (at == size) return result;
    if (adds_blank_before_) result.append(blank_, text.origin[at]);
    bool follows_blank = removes_extra_;
    while (at < size) {
      Prefix prefix = prefix_at(text.text, at, steps);
      while (follows_blank && prefix.text.starts_with(' ')) prefix.text.remove_prefix(1);
      append(prefix.text, text.origin_of({at, at + prefix.bytes}), result);
      refuse_growth(text, result.text.size(), name_, "normalizer_spec.precompiled_charsmap");
      if (!prefix.text.empty()) follows_blank = removes_extra_ && prefix.text.ends_with(' ');
      at += prefix.bytes;
    }
    while (removes_extra_ && result.text.ends_with(blank_)) {
      result.text.resize(result.text.size() - blank_.size());
      result.origin.resize(result.text.size());
    }
    if (adds_blank_behind_) result.append(blank_, text.origin.back());
    return result;
  }

 private:
  /// What a text begins with, rewritten.
  struct Prefix {
    std::uint32_t bytes = 0;  // of the text
    std::string_view text;
  };
  Prefix prefix_at(std::string_view text, std::uint32_t at, TrieSteps& steps) const {
    const std::string_view rest = text.substr(at);
    const std::uint32_t user_defined = user_defined_.empty() ? 0 : user_defined_.longest(rest, steps).bytes;
    if (user_defined > 0) return {user_defined, rest.substr(0, user_defined)};
    if (charsmap_) {
      const Charsmap::Match match = charsmap_->longest(rest);
      steps.take(match.bytes);
      if (match.bytes > 0) return {static_cast<std::uint32_t>(match.bytes), match.replacement};
    }
    const std::uint32_t character = code_point_at(text, at).bytes;
    return {character, rest.substr(0, character)};
  }
  void append(std::string_view text, ByteRange from, AlignedText& into) const {
    for (std::size_t byte = 0; byte < text.size(); ++byte) into.append(text[byte] == ' ' ? blank_ : text.substr(byte, 1), from);
  }

  std::string name_;
  bool adds_blank_before_;
  bool adds_blank_behind_;
  bool removes_extra_;
  std::string_view blank_;
  std::optional<Charsmap> charsmap_;
  std::vector<std::string> user_defined_texts_;
  ByteTrie user_defined_;
};

}  // namespace

SentencePieceFile read_sentence_piece_file(std::string_view bytes, const std::string& name) {
  SentencePieceFile file;
  file.name = name;
  Message message(bytes, 0, name);
  std::size_t unknown = 0;
  while (message.next()) {
    if (message.field() == 1) {
      file.pieces.push_back(read_piece(message.message(), file.pieces.size()));
      unknown += file.pieces.back().type == PieceType::unknown ? 1 : 0;
    }
    if (message.field() == 2) read_trainer(message.message(), file);
    if (message.field() == 3) read_normalizer(message.message(), file);
  }
  if (file.pieces.empty()) message.refuse("the file is not a SentencePiece model, or has no pieces");
  if (unknown != 1) message.refuse("there is not exactly one unknown piece", std::to_string(unknown));
  return file;
}

std::unique_ptr<const TokenModel> make_sentence_piece_model(const SentencePieceFile& file, std::vector<std::string>& warnings) {
  UnknownPieces unknown;
  unknown.has_byte_fallback = file.has_byte_fallback;
  unknown.are_fused = !file.has_byte_fallback;
  if (file.algorithm == SentencePieceFile::Algorithm::unigram) {
    return std::make_unique<UnigramModel>(file.pieces, UnigramOptions{unknown, true}, file.name, warnings);
  }
  if (file.algorithm == SentencePieceFile::Algorithm::bpe) {
    return std::make_unique<ScoreBpeModel>(file.pieces, unknown, file.name, warnings);
  }
  throw Error({.kind = ErrorKind::input,
               .file = file.name,
               .field = "trainer_spec.model_type",
               .problem = "the algorithm is not supported",
               .found = file.algorithm == SentencePieceFile::Algorithm::word ? "word" : "char",
               .expected = "unigram or bpe"});
}

std::unique_ptr<const Normalizer> make_sentence_piece_normalizer(const SentencePieceFile& file) {
  return std::make_unique<SentencePieceNormalizer>(file);
}

}  // namespace headlight
