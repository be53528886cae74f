// The texts under assets/models are what the generator writes, and the card compares with bigrams counted in its stories.
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/reference/demo_model.h"

namespace headlight {
namespace {

using testing::models;

/// What a command prints; empty where it cannot be run.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string output;
  std::array<char, 4096> part;
  for (std::size_t count = 0; pipe && (count = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;) output.append(part.data(), count);
  return output;
}

class Generator : public ::testing::Test {
 protected:
  void SetUp() override {
    if (output_of("python3 -c 'print(1)'").empty()) GTEST_SKIP() << "this machine has no python3";
  }
  static std::string output_of_script(const std::string& name, const std::string& options) {
    return output_of("python3 '" + (models() / "make" / name).string() + "' " + options);
  }
};

TEST_F(Generator, WritesWhatTheModelsAreTestedOn) {
  EXPECT_EQ(output_of_script("tell.py", "--seed 7 --passages 240 --accepted"), testing::bytes_of(models() / "held_out.jsonl"));
  EXPECT_EQ(output_of_script("tell.py", "--seed 8 --passages 240 --labels"), testing::bytes_of(models() / "choosing.jsonl"));
  EXPECT_EQ(output_of_script("tell.py", "--seed 7 --repeated 20"), testing::bytes_of(models() / "repeated.jsonl"));
}

TEST_F(Generator, CountsTheBigramsThatTheCardComparesWith) {
  const std::string folder = (models() / "story-gpt").string();
  const double told = std::stod(output_of_script("bigram.py", "'" + folder + "'"));
  const Json card = testing::read_json(models() / "story-gpt" / "card.json");
  for (const Json& figure : card.at("figures")) {
    if (figure.at("measure") != "typed loss") continue;
    EXPECT_NEAR(figure.at("baseline").get<double>(), told, 1e-5);
    EXPECT_LT(figure.at("value").get<double>(), told - 0.3);
  }
}

}  // namespace
}  // namespace headlight
