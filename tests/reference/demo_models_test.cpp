// The models under assets/models that tell stories do what their cards say: every figure again from the shipped weights, through the one
// door, on the text that the generator writes.
#include "tests/reference/story_model.h"

namespace headlight {
namespace {

using testing::StoryModel;

TEST_F(StoryModel, StoryGptDoesWhatItsCardSays) {
  open("story-gpt");
  add_held_out();
  add_lists();
  add_typed();
  compare();
  EXPECT_GE(value_of("previous token"), 0.95);
  EXPECT_GE(value_of("prefix matching"), 0.85);
  EXPECT_GE(lead_of("far subject"), 0.3);
  EXPECT_GE(lead_of("antecedent"), 0.3);
  EXPECT_GE(lead_of("object"), 0.2);
  EXPECT_GE(value_of("accepted"), 0.97);
  EXPECT_GE(value_of("right form"), 0.95);
}

TEST_F(StoryModel, StoryGptDoesNotWithItsWeightsShuffled) {
  open_untrained("story-gpt");
  add_held_out();
  add_lists();
  add_typed();
  compare_untrained();
}

TEST_F(StoryModel, StoryBertDoesWhatItsCardSays) {
  open("story-bert");
  add_held_out();
  compare();
  EXPECT_GE(value_of("right form"), 0.95);
  EXPECT_GE(lead_of("far subject"), 0.2);
}

TEST_F(StoryModel, StoryBertDoesNotWithItsWeightsShuffled) {
  open_untrained("story-bert");
  add_held_out();
  compare_untrained();
}

TEST(DemoModels, AreSmall) {
  std::uintmax_t total = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::models())) {
    if (entry.is_regular_file()) total += entry.file_size();
  }
  EXPECT_LT(total, 20'000'000U);
  for (const char* name : {"story-gpt", "story-bert", "induction-by-hand"})
    EXPECT_LE(std::filesystem::file_size(testing::models() / name / "model.safetensors"), 8'000'000U);
}

}  // namespace
}  // namespace headlight
