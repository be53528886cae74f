// `inspect` over the corpus of broken files: exit status, one message, nothing raw in the output.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/formats/json.h"
#include "engine/text/unicode/unicode.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using testing::ProgramFolder;
using testing::ProgramResult;

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool has_control_characters(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; }) ||
         text.find("\u202e") != std::string::npos;
}

bool has_legal_status(const std::string& verdict, int status) {
  if (verdict == "reject") return status == 3;
  if (verdict == "accept" || verdict == "warn") return status == 0;
  return status == 0 || status == 3;
}

void expect_verdict(const Json& ours, const ProgramResult& result) {
  const std::string both = result.out + result.error;
  EXPECT_LE(std::count(both.begin(), both.end(), '\n'), 40);
  EXPECT_FALSE(has_control_characters(both));
  EXPECT_EQ(repair_utf8(both).replaced, 0U);
  // Families and tokenizers of later versions are refused for that, whatever else is wrong with them.
  if (result.status == 3 && both.find("is not supported") != std::string::npos) return;
  const std::string verdict = ours.at("verdict");
  EXPECT_TRUE(has_legal_status(verdict, result.status)) << verdict << ", but exit status " << result.status;
  if (verdict != "reject" && verdict != "warn") return;
  for (const Json& mention : ours.at("must_mention")) {
    EXPECT_NE(lowered(both).find(lowered(mention)), std::string::npos) << "does not mention " << mention;
  }
}

TEST(Corpus, InspectGivesEveryFileItsVerdict) {
  const auto corpus = testing::hostile_folder();
  if (!corpus) return testing::say_not_found("the corpus of broken files");
  const ProgramFolder folder;
  int judged = 0;
  const Json manifest = Json::parse(testing::bytes_of(*corpus / "manifest.json"));
  for (const Json& entry : manifest.at("entries")) {
    const std::string kind = entry.at("kind");
    constexpr std::array kJudged = {"safetensors", "model", "text", "npy", "npz"};
    if (std::find(kJudged.begin(), kJudged.end(), kind) == kJudged.end()) continue;
    const std::string path = entry.at("path");
    const ProgramResult result = folder.run({"inspect", (*corpus / path).string()});
    SCOPED_TRACE(path + "\n" + result.error);
    expect_verdict(entry.at("ours"), result);
    ++judged;
  }
  std::printf("%d files judged\n", judged);
  EXPECT_GT(judged, 0);
}

}  // namespace
}  // namespace headlight
