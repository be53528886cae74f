#include "engine/text/byte_trie.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/text/flat_index.h"
#include "tests/testing.h"

namespace headlight {
namespace {

TEST(ByteTrie, FindsTheLongestTextThatASubjectStartsWith) {
  TrieSteps steps(100, "f");
  const ByteTrie trie({{"a", 1}, {"abc", 2}, {"", 3}, {"b", 4}, {"abc", 5}}, "f");
  EXPECT_EQ(trie.longest("abcd", steps).bytes, 3U);
  EXPECT_EQ(trie.longest("abcd", steps).value, 5U) << "the last of equal texts";
  EXPECT_EQ(trie.longest("abd", steps).bytes, 1U);
  EXPECT_EQ(trie.longest("cab", steps).bytes, 0U) << "an empty text is never found";
  EXPECT_TRUE(ByteTrie().empty());
  EXPECT_FALSE(trie.empty());
}

TEST(ByteTrie, EqualsASearchThroughAllTextsOnRandomOnes) {
  std::mt19937 random(3);
  const auto word = [&](std::size_t longest) {
    std::string letters;
    for (std::size_t size = random() % longest + 1; size > 0; --size) letters += static_cast<char>("ab\xff"[random() % 3]);
    return letters;
  };
  for (int round = 0; round < 50; ++round) {
    std::map<std::string, std::uint32_t> texts;
    for (std::uint32_t value = 0; value < 30; ++value) texts[word(6)] = value;
    std::vector<ByteTrie::Item> items;
    for (const auto& [text, value] : texts) items.push_back({text, value});
    const ByteTrie trie(items, "f");
    for (int subject = 0; subject < 30; ++subject) {
      const std::string letters = word(12);
      std::size_t longest = 0;
      for (const auto& [text, value] : texts) longest = letters.starts_with(text) ? std::max(longest, text.size()) : longest;
      TrieSteps steps(100, "f");
      EXPECT_EQ(trie.longest(letters, steps).bytes, longest);
    }
  }
}

TEST(ByteTrie, StepsHaveALimit) {
  TrieSteps steps(0, "t.model");
  const Error error = testing::error_of([&] {
    while (true) steps.take(1'000'000);
  });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_NE(error.message().find("t.model"), std::string::npos);
}

TEST(FlatIndex, FindsWhatWasInsertedThroughEveryCollision) {
  constexpr std::uint32_t kEntries = 500;
  FlatIndex index(kEntries);
  const auto hash_of = [](std::uint32_t entry) { return static_cast<std::uint64_t>(entry % 7); };
  const auto is = [](std::uint32_t entry) { return [entry](std::uint32_t other) { return other == entry; }; };
  for (std::uint32_t entry = 0; entry < kEntries; ++entry) {
    EXPECT_EQ(index.find(hash_of(entry), is(entry)), FlatIndex::kNone);
    EXPECT_TRUE(index.insert(hash_of(entry), entry, is(entry)).second);
  }
  for (std::uint32_t entry = 0; entry < kEntries; ++entry) {
    EXPECT_EQ(index.find(hash_of(entry), is(entry)), entry);
    EXPECT_FALSE(index.insert(hash_of(entry), entry, is(entry)).second);
  }
}

}  // namespace
}  // namespace headlight
