#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/random.h"
#include "engine/text/tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SandboxTokenizer, TheSameWordIsAlwaysTheSameToken) {
  const auto tokenizer = make_sandbox_tokenizer(SandboxUnit::words);
  const Encoding encoding = tokenizer->encode("The cat saw the cat.", std::nullopt);
  ASSERT_EQ(encoding.tokens.size(), 6U);
  EXPECT_EQ(encoding.tokens[1], (Token{static_cast<std::int64_t>(fnv1a("cat") & 0x1FFFFFFFFFFFFF), "cat", {4, 7}}));
  EXPECT_EQ(encoding.tokens[1].id, encoding.tokens[4].id);
  EXPECT_NE(encoding.tokens[0].id, encoding.tokens[3].id) << "The and the";
  EXPECT_EQ(tokenizer->token_of(encoding.tokens[1].id), std::nullopt);
}

TEST(SandboxTokenizer, BytesShareTheRangeOfTheirCharacter) {
  const auto tokenizer = make_sandbox_tokenizer(SandboxUnit::bytes);
  const Encoding encoding = tokenizer->encode("a é", std::nullopt);
  std::vector<std::string> labels;
  for (const Token& token : encoding.tokens) labels.push_back(tokenizer->label(token).text);
  EXPECT_THAT(labels, ElementsAre("a", "␣", "<0xC3>", "<0xA9>"));
  EXPECT_EQ(encoding.tokens[3], (Token{0xA9, "<0xA9>", {2, 4}}));
  for (std::int64_t id = 0; id < 256; ++id) EXPECT_TRUE(tokenizer->token_of(id).has_value());
  EXPECT_EQ(tokenizer->token_of(256), std::nullopt);
  EXPECT_EQ(tokenizer->token_of(-1), std::nullopt);
}

TEST(SandboxTokenizer, APairIsTwoSequences) {
  const Encoding encoding = make_sandbox_tokenizer(SandboxUnit::words)->encode("a b", "c");
  ASSERT_EQ(encoding.tokens.size(), 3U);
  EXPECT_EQ(encoding.tokens[2].type_id, 1);
  EXPECT_EQ(encoding.tokens[2].sequence, 1);
  EXPECT_EQ(encoding.tokens[2].bytes, (ByteRange{0, 1}));
  EXPECT_EQ(encoding.text_pair, "c");
}

TEST(SandboxTokenizer, BrokenTextIsRepairedAndSaid) {
  const Encoding encoding = make_sandbox_tokenizer(SandboxUnit::words)->encode("a\xff\xc3 b", std::nullopt);
  EXPECT_EQ(encoding.text, "a\xef\xbf\xbd\xef\xbf\xbd b");
  ASSERT_EQ(encoding.notices.size(), 1U);
  EXPECT_THAT(encoding.notices[0], HasSubstr("not valid UTF-8: 2 broken sequences were replaced"));
}

TEST(SandboxTokenizer, AnEmptyTextHasNoTokens) {
  for (const SandboxUnit unit : {SandboxUnit::words, SandboxUnit::bytes}) {
    EXPECT_TRUE(make_sandbox_tokenizer(unit)->encode("", std::nullopt).tokens.empty());
  }
}

TEST(SandboxTokenizer, ATextOverTheLimitIsRefused) {
  const std::string text((std::size_t{1} << 26U) + 1, 'a');
  EXPECT_EQ(testing::error_of([&] { make_sandbox_tokenizer(SandboxUnit::words)->encode(text, std::nullopt); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight
