// Which words a vocabulary knows, on the tokenizers of the built-in models.
#include "engine/text/familiarity.h"

#include <fstream>

#include "engine/text/files/load_tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::filesystem::path models() {
  return std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets/models";
}

/// Whether a person is told that the model does not know the words.
bool is_told(const Familiarity& found) {
  return found.spelled > 0 || found.is_mostly_unknown();
}

class FamiliarityTest : public ::testing::TestWithParam<const char*> {
 protected:
  Familiarity of(const std::string& text) const { return familiarity_of(tokenizer_->encode(text, std::nullopt)); }

 private:
  std::shared_ptr<const Tokenizer> tokenizer_ = load_tokenizer(models() / GetParam());
};

using OfWordModels = FamiliarityTest;
INSTANTIATE_TEST_SUITE_P(BuiltIn, OfWordModels, ::testing::Values("story-gpt", "story-bert"),
                         [](const auto& model) { return std::string(model.param).substr(6); });

TEST_P(OfWordModels, EverydaySentencesAreKnown) {
  std::ifstream lines(models() / "make/typed.txt");
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Familiarity found = of(line);
    EXPECT_FALSE(is_told(found)) << line << ": " << found.in_pieces << " of " << found.words
                                 << " in pieces, spelled: " << found.first_spelled;
  }
  EXPECT_EQ(count, 300);
}

TEST_P(OfWordModels, GibberishAndOtherLanguagesAreNot) {
  for (const char* text :
       {"asdf qwer zxcv hjkl", "xkcd qqq vvvv", "Der Hund läuft über die Straße und bellt.", "Le chat noir dort sur le canapé.",
        "Привет, как дела?", "これはペンです", "lorem ipsum dolor sit amet consectetur"}) {
    const Familiarity found = of(text);
    EXPECT_TRUE(is_told(found)) << text << ": " << found.in_pieces << " of " << found.words << " in pieces";
  }
}

using OfLetters = FamiliarityTest;
INSTANTIATE_TEST_SUITE_P(BuiltIn, OfLetters, ::testing::Values("induction-by-hand"), [](const auto&) { return "letters"; });

TEST_P(OfLetters, EveryWordFallsApart) {
  const Familiarity found = of("The cat sat on the mat.");
  EXPECT_EQ(found.words, 6);
  EXPECT_EQ(found.spelled, 5) << "on is too short to tell";
  EXPECT_EQ(found.first_spelled, "The");
}

TEST(Familiarity, AWordIsSpelledByItsLettersOrBytes) {
  EXPECT_TRUE(is_spelled(1, 3)) << "the bytes of one character";
  EXPECT_TRUE(is_spelled(4, 4));
  EXPECT_TRUE(is_spelled(6, 4));
  EXPECT_FALSE(is_spelled(4, 3)) << "k-il-o";
  EXPECT_FALSE(is_spelled(7, 3)) << "Qu-ant-um";
  EXPECT_FALSE(is_spelled(2, 2)) << "P-M";
  EXPECT_FALSE(is_spelled(1, 1));
}

TEST(Familiarity, NumbersSignsAndEndingsAreNoWords) {
  const auto tokenizer = load_tokenizer(models() / "story-gpt");
  const auto of = [&](const char* text) { return familiarity_of(tokenizer->encode(text, std::nullopt)); };
  EXPECT_EQ(of("123456789 … — !!!").words, 0);
  EXPECT_EQ(of("Anna's").words, 1);
  EXPECT_EQ(of("Anna's").in_pieces, 0);
  EXPECT_EQ(of("").words, 0);
}

TEST(Familiarity, AWordThatIsBeingTypedDoesNotCountYet) {
  const auto tokenizer = load_tokenizer(models() / "story-gpt");
  const auto of = [&](const char* text) { return familiarity_of(tokenizer->encode(text, std::nullopt), true); };
  EXPECT_EQ(of("The xqzv").spelled, 0);
  EXPECT_EQ(of("The xqzv ").spelled, 1);
  EXPECT_EQ(of("The xqzv ").first_spelled, "xqzv");
}

TEST(Familiarity, ReadsNoFurtherThanItIsAsked) {
  const auto tokenizer = load_tokenizer(models() / "story-gpt");
  const Encoding encoding = tokenizer->encode("The cat sat on the mat", std::nullopt);
  EXPECT_EQ(familiarity_of(encoding, false, 4).words, 2) << "a word at the cut may be cut";
}

}  // namespace
}  // namespace headlight
