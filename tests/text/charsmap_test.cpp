// The trie is written here by the definition of its units (github.com/s-yata/darts-clone): node n has its children at
// n ^ offset ^ label, and its value, where it has one, at n ^ offset.
#include "engine/text/steps/charsmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

const PatternPlace kPlace{"tokenizer.json", "normalizer.precompiled_charsmap"};

std::string u32(std::uint32_t value) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

/// A charsmap of rules; every node gets a block of 256 units of its own.
std::string charsmap_of(const std::map<std::string, std::string>& rules) {
  std::vector<std::string> nodes = {""};
  for (const auto& [text, replacement] : rules) {
    for (std::size_t size = 1; size <= text.size(); ++size) {
      if (std::find(nodes.begin(), nodes.end(), text.substr(0, size)) == nodes.end()) nodes.push_back(text.substr(0, size));
    }
  }
  const auto block_of = [&](const std::string& node) {
    return static_cast<std::uint32_t>(256 * (1 + std::find(nodes.begin(), nodes.end(), node) - nodes.begin()));
  };
  const auto unit_place = [&](const std::string& node) {
    return node.empty() ? 0U : block_of(node.substr(0, node.size() - 1)) ^ static_cast<unsigned char>(node.back());
  };
  std::vector<std::uint32_t> units(256 * (nodes.size() + 1));
  std::string replacements;
  for (const std::string& node : nodes) {
    const std::uint32_t place = unit_place(node);
    const std::uint32_t label = node.empty() ? 0 : static_cast<unsigned char>(node.back());
    units[place] |= label | ((place ^ block_of(node)) << 10U);
    const auto rule = rules.find(node);
    if (rule == rules.end()) continue;
    units[place] |= 0x100U;
    units[block_of(node)] |= 0x80000000U | static_cast<std::uint32_t>(replacements.size());
    replacements += rule->second + '\0';
  }
  std::string trie;
  for (const std::uint32_t unit : units) trie += u32(unit);
  return u32(static_cast<std::uint32_t>(trie.size())) + trie + replacements;
}

TEST(Charsmap, FindsTheShortestAndTheLongestRule) {
  const Charsmap map(charsmap_of({{"a", "A"}, {"abc", "xyz"}, {"ﬁ", "fi"}, {"q", ""}}), kPlace);
  EXPECT_EQ(map.shortest("abcd").bytes, 1U);
  EXPECT_EQ(map.shortest("abcd").replacement, "A");
  EXPECT_EQ(map.longest("abcd").bytes, 3U);
  EXPECT_EQ(map.longest("abcd").replacement, "xyz");
  EXPECT_EQ(map.longest("abd").bytes, 1U);
  EXPECT_EQ(map.longest("ﬁn").replacement, "fi");
  EXPECT_EQ(map.longest("q").bytes, 1U);
  EXPECT_EQ(map.longest("q").replacement, "");
  EXPECT_EQ(map.longest("ba").bytes, 0U);
  EXPECT_EQ(map.longest("").bytes, 0U);
}

TEST(Charsmap, BrokenTablesAreRefusedOrFindNothing) {
  const auto refusal = [](const std::string& blob) { return error_of([&] { Charsmap(blob, kPlace); }).message(); };
  EXPECT_THAT(refusal("abc"), HasSubstr("precompiled_charsmap: the table of replacements is too short"));
  EXPECT_THAT(refusal(u32(0) + "x"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal(u32(8) + "1234"), HasSubstr("found 8 bytes"));
  EXPECT_THAT(refusal(u32(4) + "1234\xff"), HasSubstr("not valid UTF-8"));
  const Charsmap far(u32(4) + u32(0xFFFFFC00U), kPlace);
  EXPECT_EQ(far.longest("a").bytes, 0U) << "a unit that points outside the table";
  std::string good = charsmap_of({{"a", "A"}});
  for (std::size_t at = 4; at < 4 + 3 * 256 * 4; at += 5) {
    std::string bad = good;
    bad[at] = static_cast<char>(0xA5);
    try {
      EXPECT_LE(Charsmap(bad, kPlace).longest("aaaa").bytes, 4U);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
  }
}

TEST(Base64, DecodesAndRefuses) {
  EXPECT_EQ(decode_base64("aGVsbG8=", kPlace), "hello");
  EXPECT_EQ(decode_base64("aGVsbA==", kPlace), "hell");
  EXPECT_EQ(decode_base64("+/8A", kPlace), std::string("\xfb\xff\x00", 3));
  EXPECT_EQ(decode_base64("", kPlace), "");
  EXPECT_THAT(error_of([] { decode_base64("aGVsbG8", kPlace); }).message(), HasSubstr("not base64; found 7 letters"));
  EXPECT_THAT(error_of([] { decode_base64("aG*sbG8=", kPlace); }).message(), HasSubstr("at character 2"));
  EXPECT_THAT(error_of([] { decode_base64("a===", kPlace); }).message(), HasSubstr("not base64"));
}

}  // namespace
}  // namespace headlight
