#include "engine/text/steps/decoder.h"

#include <fmt/core.h>

#include <utility>

#include "engine/text/byte_tokens.h"
#include "engine/text/part_table.h"
#include "engine/text/steps/pre_tokenizer.h"
#include "engine/text/unicode/byte_level.h"

namespace headlight {
namespace {

using DecoderPointer = std::unique_ptr<const Decoder>;
using Tokens = std::vector<std::string>;

constexpr std::string_view kBrokenByte = "\xef\xbf\xbd";  // U+FFFD

std::string together(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  if (old.empty()) return;
  std::string result;
  std::size_t last = 0;
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, last)) {
    result.append(text, last, at - last).append(by);
    last = at + old.size();
  }
  text = result.append(text, last);
}

/// A token that is not all in the byte alphabet stays as it is.
class ByteLevelDecoder final : public Decoder {
 public:
  Tokens apply(Tokens tokens) const override {
    std::string bytes;
    for (const std::string& token : tokens) bytes += characters_to_bytes(token).value_or(token);
    return {repair_utf8(bytes).text};
  }
};

/// Marks at the end of words become blanks.
class BpeDecoder final : public Decoder {
 public:
  explicit BpeDecoder(const JsonFields& fields) : suffix_(fields.text_or("suffix", "</w>")) {}

  Tokens apply(Tokens tokens) const override {
    for (std::size_t at = 0; at < tokens.size(); ++at) replace_all(tokens[at], suffix_, at + 1 == tokens.size() ? "" : " ");
    return tokens;
  }

 private:
  std::string suffix_;
};

/// Runs of byte tokens become characters, or one U+FFFD for each byte where they make none.
class ByteFallbackDecoder final : public Decoder {
 public:
  Tokens apply(Tokens tokens) const override {
    Tokens result;
    std::string bytes;
    const auto write_bytes = [&] {
      if (bytes.empty()) return;
      if (repair_utf8(bytes).replaced == 0) {
        result.push_back(bytes);
      } else {
        result.insert(result.end(), bytes.size(), std::string(kBrokenByte));
      }
      bytes.clear();
    };
    for (std::string& token : tokens) {
      if (const std::optional<unsigned char> byte = byte_of_token(token)) {
        bytes.push_back(static_cast<char>(*byte));
        continue;
      }
      write_bytes();
      result.push_back(std::move(token));
    }
    write_bytes();
    return result;
  }
};

class FuseDecoder final : public Decoder {
 public:
  Tokens apply(Tokens tokens) const override { return {together(tokens)}; }
};

class MetaspaceDecoder final : public Decoder {
 public:
  explicit MetaspaceDecoder(const JsonFields& fields) : options_(read_metaspace(fields)) {}

  Tokens apply(Tokens tokens) const override {
    const bool drops_first = options_.prepends != MetaspaceOptions::Prepends::never;
    for (std::size_t at = 0; at < tokens.size(); ++at) replace_all(tokens[at], options_.mark, at == 0 && drops_first ? "" : " ");
    return tokens;
  }

 private:
  MetaspaceOptions options_;
};

class ReplaceDecoder final : public Decoder {
 public:
  explicit ReplaceDecoder(const JsonFields& fields) : pattern_(make_pattern(fields, "pattern")), content_(fields.text("content")) {}

  Tokens apply(Tokens tokens) const override {
    for (std::string& token : tokens) {
      std::string result;
      std::size_t last = 0;
      for (const ByteRange& match : pattern_.find_all(token)) {
        result.append(token, last, match.begin - last).append(content_);
        last = match.end;
      }
      token = result.append(token, last);
    }
    return tokens;
  }

 private:
  Pattern pattern_;
  std::string content_;
};

/// Takes up to a given number of one character off the start and the end of each token.
class StripDecoder final : public Decoder {
 public:
  explicit StripDecoder(const JsonFields& fields)
      : content_(fields.text("content")), start_(fields.integer_or("start", 0, 0, kMost)), stop_(fields.integer_or("stop", 0, 0, kMost)) {
    if (code_point_index(content_).back() != 1) fields.refuse("content", "the content is wrong", in_quotes(content_), "one character");
  }

  Tokens apply(Tokens tokens) const override {
    for (std::string& token : tokens) {
      std::string_view rest = token;
      for (std::int64_t count = 0; count < start_ && rest.starts_with(content_); ++count) rest.remove_prefix(content_.size());
      for (std::int64_t count = 0; count < stop_ && rest.ends_with(content_); ++count) rest.remove_suffix(content_.size());
      token = std::string(rest);
    }
    return tokens;
  }

 private:
  static constexpr std::int64_t kMost = 1'000'000;
  std::string content_;
  std::int64_t start_;
  std::int64_t stop_;
};

class WordPieceDecoder final : public Decoder {
 public:
  WordPieceDecoder() : prefix_("##"), cleans_up_(true) {}
  explicit WordPieceDecoder(const JsonFields& fields)
      : prefix_(fields.text_or("prefix", "##")), cleans_up_(fields.boolean_or("cleanup", true)) {}

  Tokens apply(Tokens tokens) const override {
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      std::string& token = tokens[at];
      if (at > 0) token = token.starts_with(prefix_) ? token.substr(prefix_.size()) : " " + token;
      if (cleans_up_) clean_up(token);
    }
    return tokens;
  }

 private:
  /// English punctuation and contractions, in the order that the reference has.
  static void clean_up(std::string& token) {
    constexpr std::pair<std::string_view, std::string_view> kRules[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [old, by] : kRules) replace_all(token, old, by);
  }

  std::string prefix_;
  bool cleans_up_;
};

class DecoderSequence final : public Decoder {
 public:
  explicit DecoderSequence(const JsonFields& fields) {
    const Json& list = fields.array("decoders");
    for (std::size_t at = 0; at < list.size(); ++at) {
      DecoderPointer step = make_decoder(list[at], fields.file(), fmt::format("{}[{}]", fields.path_of("decoders"), at));
      if (step != nullptr) steps_.push_back(std::move(step));
    }
  }

  Tokens apply(Tokens tokens) const override {
    for (const DecoderPointer& step : steps_) tokens = step->apply(std::move(tokens));
    return tokens;
  }

 private:
  std::vector<DecoderPointer> steps_;
};

class SentencePieceDecoder final : public Decoder {
 public:
  explicit SentencePieceDecoder(bool drops_first_blank) : drops_first_blank_(drops_first_blank) {}

  Tokens apply(Tokens tokens) const override {
    for (std::string& token : tokens) replace_all(token, MetaspaceOptions().mark, " ");
    std::string text = together(ByteFallbackDecoder().apply(std::move(tokens)));
    if (drops_first_blank_ && text.starts_with(' ')) text.erase(0, 1);
    return {std::move(text)};
  }

 private:
  bool drops_first_blank_;
};

template <typename Class>
DecoderPointer make_decoder_of(const JsonFields& fields) {
  return std::make_unique<Class>(fields);
}
template <typename Class>
DecoderPointer make_plain_decoder(const JsonFields& /*fields*/) {
  return std::make_unique<Class>();
}

constexpr PartRow<DecoderPointer> kDecoders[] = {
    {"BPEDecoder", make_decoder_of<BpeDecoder>},         {"ByteFallback", make_plain_decoder<ByteFallbackDecoder>},
    {"ByteLevel", make_plain_decoder<ByteLevelDecoder>}, {"Fuse", make_plain_decoder<FuseDecoder>},
    {"Metaspace", make_decoder_of<MetaspaceDecoder>},    {"Replace", make_decoder_of<ReplaceDecoder>},
    {"Sequence", make_decoder_of<DecoderSequence>},      {"Strip", make_decoder_of<StripDecoder>},
    {"WordPiece", make_decoder_of<WordPieceDecoder>},
};

}  // namespace

DecoderPointer make_decoder(const Json& json, const std::string& file, const std::string& path) {
  return make_part<DecoderPointer>(json, file, path, kDecoders);
}

DecoderPointer make_byte_level_decoder() {
  return std::make_unique<ByteLevelDecoder>();
}

DecoderPointer make_word_piece_decoder() {
  return std::make_unique<WordPieceDecoder>();
}

DecoderPointer make_sentence_piece_decoder(bool drops_first_blank) {
  return std::make_unique<SentencePieceDecoder>(drops_first_blank);
}

}  // namespace headlight
