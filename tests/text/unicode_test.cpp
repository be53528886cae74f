#include "engine/text/unicode/unicode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace headlight {
namespace {

using ::testing::ElementsAre;

const std::string kBroken = "\xef\xbf\xbd";

/// The broken text with each U+FFFD shown as '?', and how many there are.
std::string repaired(std::string_view bytes) {
  const RepairedText result = repair_utf8(bytes);
  std::string shown;
  std::size_t count = 0;
  for (std::string_view rest = result.text; !rest.empty();) {
    const bool is_broken = rest.starts_with(kBroken);
    count += is_broken ? 1 : 0;
    shown += is_broken ? "?" : rest.substr(0, 1);
    rest.remove_prefix(is_broken ? 3 : 1);
  }
  EXPECT_EQ(count, result.replaced);
  return shown;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  for (const ByteRange& range : split_words(text)) result.push_back(text.substr(range.begin, range.end - range.begin));
  return result;
}

TEST(RepairUtf8, KeepsValidTextWhole) {
  const std::string text("a\0é€😀\x7f\U0010FFFF\xef\xbf\xbe", 19);
  EXPECT_EQ(repair_utf8(text).text, text);
  EXPECT_EQ(repair_utf8(text).replaced, 0U);
}

// The examples of Unicode 15, tables 3-8 to 3-11.
TEST(RepairUtf8, ReplacesMaximalSubparts) {
  EXPECT_EQ(repaired("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"), "????????A");
  EXPECT_EQ(repaired("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"), "????????A");
  EXPECT_EQ(repaired("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"), "?????A??B");
  EXPECT_EQ(repaired("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), "????A");
}

TEST(RepairUtf8, ATextCutAtAnyByteLosesOneCharacterAtMost) {
  const std::string text = "aé€😀";
  for (std::size_t size = 0; size <= text.size(); ++size) EXPECT_LE(repair_utf8(text.substr(0, size)).replaced, 1U) << size;
}

TEST(RepairUtf8, IsIdempotentOnRandomBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(50, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() & 0xFFU);
    const RepairedText once = repair_utf8(bytes);
    EXPECT_EQ(repair_utf8(once.text).text, once.text);
  }
}

TEST(SplitWords, FollowsAnnex29AndDropsBlanks) {
  EXPECT_THAT(words("The cat can't sit, 3.14 times!"), ElementsAre("The", "cat", "can't", "sit", ",", "3.14", "times", "!"));
  EXPECT_THAT(words("naïve　日本 👩‍👩‍👧 e\xcc\x81t"), ElementsAre("naïve", "日", "本", "👩‍👩‍👧", "e\xcc\x81t"));
  EXPECT_THAT(words(" \t\r\n\xc2\xa0\xe3\x80\x80"), ElementsAre());
  EXPECT_THAT(words(""), ElementsAre());
}

TEST(CodePointIndex, CountsCharactersBeforeEachByte) {
  EXPECT_THAT(code_point_index("aé€b"), ElementsAre(0, 1, 2, 2, 3, 3, 3, 4));
  EXPECT_THAT(code_point_index(""), ElementsAre(0));
}

TEST(CodePoints, AppendedOnesAreReadBack) {
  for (const char32_t value : {U'\0', U'a', U'\x7f', U'\x80', U'é', U'\x7ff', U'\x800', U'€', U'\xfffd', U'\x10000', U'😀', U'\x10ffff'}) {
    std::string text = "x";
    append_utf8(text, value);
    const CodePoint code_point = code_point_at(text, 1);
    EXPECT_EQ(code_point.value, value);
    EXPECT_EQ(code_point.bytes, text.size() - 1);
    EXPECT_EQ(repair_utf8(text).replaced, 0U);
  }
}

}  // namespace
}  // namespace headlight
