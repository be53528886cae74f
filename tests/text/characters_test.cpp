// What each step of a tokenizer takes every single character for. Recorded from Hugging Face's tokenizers, whose steps ask libraries of
// different Unicode versions; the recording holds a hash for each run of equal blocks of 4096 code points.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "engine/formats/file_reader.h"
#include "engine/text/steps/normalizer.h"
#include "engine/text/steps/pre_tokenizer.h"
#include "engine/text/unicode/pattern.h"
#include "engine/text/unicode/unicode_forms.h"
#include "tests/testing.h"

namespace headlight {
namespace {

constexpr char32_t kBlock = 0x1000, kEnd = 0x40000;  // beyond are private and unassigned planes, and tags

Json recorded() {
  const std::filesystem::path path = std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference/tokenizer-steps/characters.json";
  return parse_json(read_file(path, 10'000'000), path.native());
}

std::string utf8(char32_t value) {
  std::string text;
  append_utf8(text, value);
  return text;
}

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

template <typename Visit>
void for_each_character(char32_t block, Visit visit) {
  for (char32_t value = block * kBlock; value < (block + 1) * kBlock; ++value) {
    if (value < 0xD800 || value > 0xDFFF) visit(value);
  }
}

/// `answers_of(block)`: what is found of the characters of a block, each closed by ";".
void expect_blocks(const Json& step, const std::function<std::string(char32_t)>& answers_of) {
  std::map<std::uint32_t, std::string> hashes;
  for (const Json& run : step.at("blocks")) hashes[run.at(0).get<std::uint32_t>()] = run.at(1).get<std::string>();
  for (char32_t block = 0; block < kEnd / kBlock; ++block) {
    const std::string& hash = std::prev(hashes.upper_bound(block))->second;
    EXPECT_EQ(fmt::format("{:016x}", fnv(answers_of(block))), hash)
        << step.dump().substr(0, 120)
        << fmt::format(" differs for some of U+{:04X} to U+{:04X}", std::uint32_t{block * kBlock}, std::uint32_t{(block + 1) * kBlock - 1});
  }
}

/// Where the pieces of a text begin and end, in characters: "0 1 1 3".
std::string cuts_of(const PreTokenizer& step, const std::string& text) {
  PieceList list;
  list.text = AlignedText::of(text);
  list.pieces.push_back({{0, static_cast<std::uint32_t>(text.size())}});
  step.apply(list);
  const std::vector<std::uint32_t> index = code_point_index(text);
  std::string cuts;
  for (const Piece& piece : list.pieces) {
    if (piece.range.begin == piece.range.end) continue;
    const ByteRange origin = list.text.origin_of(piece.range);
    cuts += fmt::format("{}{} {}", cuts.empty() ? "" : " ", index[origin.begin], index[origin.end]);
  }
  return cuts;
}

TEST(EveryCharacter, IsCutFromItsNeighboursAsRecorded) {
  const Json all = recorded();
  for (const Json& recording : all.at("splits")) {
    const auto step = make_pre_tokenizer(recording.at("step"), "tokenizer.json", "pre_tokenizer");
    const std::string beside = recording.at("beside");
    expect_blocks(recording, [&](char32_t block) {
      std::string answers;
      for_each_character(block, [&](char32_t value) { answers += cuts_of(*step, beside + utf8(value) + beside) + ";"; });
      return answers;
    });
  }
}

TEST(EveryCharacter, MatchesTheClassesOfPatternsAsRecorded) {
  const Json all = recorded();
  for (const Json& recording : all.at("patterns")) {
    const Pattern pattern = Pattern::regex(recording.at("pattern"), {"tokenizer.json", "pattern"});
    expect_blocks(recording, [&](char32_t block) {
      std::string answers;
      for_each_character(block, [&](char32_t value) { answers += pattern.find_all(utf8(value)).empty() ? "0;" : "1;"; });
      return answers;
    });
  }
}

TEST(EveryCharacter, IsRewrittenAsRecorded) {
  const Json all = recorded();
  for (const Json& recording : all.at("rewritings")) {
    const auto step = make_normalizer(recording.at("step"), "tokenizer.json", "normalizer");
    expect_blocks(recording, [&](char32_t block) {
      std::string answers;
      for_each_character(block, [&](char32_t value) { answers += step->apply(AlignedText::of(utf8(value))).text + ";"; });
      return answers;
    });
  }
}

TEST(EveryCharacter, ChangesPlacesWithMarksAsRecorded) {
  const auto nfd = [](const std::string& text) { return to_unicode_form(AlignedText::of(text), UnicodeForm::nfd).text; };
  const Json all = recorded();
  for (const Json& recording : all.at("orders")) {
    const std::string before = recording.at("before"), after = recording.at("after");
    expect_blocks(recording, [&](char32_t block) {
      std::string answers;
      for_each_character(
          block, [&](char32_t value) { answers += nfd(before + utf8(value) + after) == before + nfd(utf8(value)) + after ? "0;" : "1;"; });
      return answers;
    });
  }
}

TEST(EveryCharacter, ThatBecamePunctuationAfterUnicode8IsNoneForBert) {
  const auto bert = make_pre_tokenizer({{"type", "BertPreTokenizer"}}, "tokenizer.json", "pre_tokenizer");
  for (const char32_t value : {U'\u061D', U'\u0C84', U'\u09FD'}) EXPECT_EQ(cuts_of(*bert, "a" + utf8(value) + "a"), "0 3");
  EXPECT_EQ(cuts_of(*bert, "a\u061Ba"), "0 1 1 2 2 3") << "the semicolon is older";
}

}  // namespace
}  // namespace headlight
