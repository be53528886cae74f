#include "engine/text/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

Vocabulary read(const std::string& text, std::vector<std::string>& warnings) {
  const Json json = Json::parse(text);
  return Vocabulary(JsonFields(json, "tokenizer.json", "model.vocab"), warnings);
}

TEST(Vocabulary, FindsTokensAndIds) {
  std::vector<std::string> warnings;
  const Vocabulary vocabulary = read(R"({"a":0,"é":2147483647,"":5})", warnings);
  EXPECT_EQ(vocabulary.size(), 3U);
  EXPECT_EQ(vocabulary.id_of("é"), 2147483647);
  EXPECT_EQ(*vocabulary.token_of(5), "");
  EXPECT_EQ(vocabulary.id_of("b"), std::nullopt);
  EXPECT_EQ(vocabulary.token_of(1), nullptr);
  EXPECT_TRUE(warnings.empty());
}

TEST(Vocabulary, ABadIdIsRefusedNamingItsToken) {
  std::vector<std::string> warnings;
  for (const char* id : {"-1", "1.5", "1099511627776", "\"3\"", "null", "18446744073709551615", "[]"}) {
    const std::string message = error_of([&] { read(std::string(R"({"hello":)") + id + "}", warnings); }).message();
    EXPECT_THAT(message, HasSubstr("tokenizer.json: model.vocab.hello:")) << id;
  }
  EXPECT_THAT(error_of([&] { read("{}", warnings); }).message(), HasSubstr("model.vocab: the vocabulary is empty"));
}

TEST(Vocabulary, TwoTokensWithOneIdAreSaid) {
  std::vector<std::string> warnings;
  const Vocabulary vocabulary = read(R"({"b":1,"a":1})", warnings);
  EXPECT_EQ(*vocabulary.token_of(1), "a");
  EXPECT_EQ(vocabulary.id_of("b"), 1);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr(R"(tokens "a" and "b" share the id 1)"));
}

}  // namespace
}  // namespace headlight
