// The models under assets/models that tell stories do what their cards say: every figure again from the shipped weights, through the one
// door, on the text that the generator writes.
#include <algorithm>
#include <string>

#include "engine/model/files/load_model.h"
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

const Json& figure_of(const Json& card, const std::string& name) {
  const Json& figures = card.at("figures");
  const auto found =
      std::find_if(figures.begin(), figures.end(), [&](const Json& figure) { return testing::Figure{figure}.name() == name; });
  return *found;
}

std::string percent(const Json& share, int digits = 0) {
  return fmt::format("{:.{}f}", 100 * share.get<double>(), digits);
}

/// README.md of assets/models repeats some figures of the cards, which the tests above recompute.
TEST(DemoModels, AreToldInTheirReadmeAsInTheirCards) {
  const std::string readme = testing::bytes_of(testing::models() / "README.md");
  const Json gpt = testing::read_json(testing::models() / "story-gpt" / "card.json");
  const Json bert = testing::read_json(testing::models() / "story-bert" / "card.json");
  const auto expect = [&](const std::string& words) { EXPECT_NE(readme.find(words), std::string::npos) << words; };
  const Json &far = figure_of(gpt, "far subject, from the word before"), &antecedent = figure_of(gpt, "antecedent, from the word before");
  expect(fmt::format("previous token {}", testing::three(figure_of(gpt, "previous token").at("value").get<double>())));
  expect(fmt::format("prefix matching {:.2f}", figure_of(gpt, "prefix matching").at("value").get<double>()));
  expect(fmt::format("far subjects {} % right (best fixed distance {} %)", percent(far.at("value")), percent(far.at("baseline"))));
  expect(fmt::format("antecedents of pronouns {} % ({} %)", percent(antecedent.at("value")), percent(antecedent.at("baseline"))));
  expect(fmt::format("next word accepted by the grammar {} %", percent(figure_of(gpt, "accepted").at("value"), 1)));
  const Json& masked = figure_of(bert, "far subject, from the word");
  expect(fmt::format("far subjects {} % right ({} %)", percent(masked.at("value")), percent(masked.at("baseline"))));
  int rows = 0;
  for (const Json& head : gpt.at("heads")) {
    const std::size_t at = readme.find(fmt::format("| [{}.{}](", head.at("layer").get<int>(), head.at("head").get<int>()));
    if (at == std::string::npos) continue;
    const std::string row = readme.substr(at, readme.find('\n', at) - at);
    for (const std::string& cell :
         {head.at("name").get<std::string>(), "\"" + head.at("text").get<std::string>() + "\"",
          "→ " + head.at("to").get<std::string>() + " | " + testing::three(head.at("weight").get<double>()) + " |"})
      EXPECT_NE(row.find(cell), std::string::npos) << cell << " in " << row;
    const double value = head.at("value").get<double>();
    EXPECT_NE(row.find(value == 1 ? "12 of 12" : testing::three(value)), std::string::npos) << row;
    ++rows;
  }
  EXPECT_EQ(rows, 5);
}

/// "2,931,840 parameters" and "Version 3" of a model's own README.md.
TEST(DemoModels, HaveTheParametersAndTheVersionThatTheirReadmesTell) {
  for (const char* name : {"story-gpt", "story-bert"}) {
    const std::filesystem::path folder = testing::models() / name;
    const std::string readme = testing::bytes_of(folder / "README.md");
    SilentProgress progress;
    ModelChoice choice;
    choice.name = folder.string();
    const auto model = load_model(choice, progress);
    const std::string count = std::to_string(model->stored_parameters);
    const std::string told =
        count.substr(0, count.size() - 6) + "," + count.substr(count.size() - 6, 3) + "," + count.substr(count.size() - 3);
    EXPECT_NE(readme.find(told + " parameters"), std::string::npos) << name << ": " << told;
    const int version = testing::read_json(folder / "card.json").at("version").get<int>();
    EXPECT_NE(readme.find(fmt::format("Version {}.", version)), std::string::npos) << name << ": " << version;
  }
}

}  // namespace
}  // namespace headlight
