// The corpus of broken safetensors files, where it is found: each has the verdict that its manifest asks for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// Opens the file and reads every tensor that can be read; returns what a person would be told.
std::string open_and_read(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  std::string said;
  for (const TensorInfo& tensor : file.tensors()) {
    if (!dtype_row(tensor.dtype).is_convertible) {
      said += tensor.dtype_name + " ";
      continue;
    }
    const NonFinite count = count_non_finite(file.read_floats(tensor).values);
    if (count.nan > 0) said += "NaN ";
    if (count.infinite > 0) said += "Inf ";
  }
  for (const std::string& warning : file.warnings()) said += warning;
  return said;
}

TEST(Corpus, SafetensorsFilesHaveTheirVerdicts) {
  const auto folder = testing::hostile_folder();
  if (!folder) return testing::say_not_found("the corpus of broken files");
  const Json manifest = parse_json(read_file(*folder / "manifest.json", std::uint64_t{1} << 28U), "manifest.json");
  for (const Json& entry : manifest.at("entries")) {
    if (entry.at("kind") != "safetensors") continue;
    const auto path = *folder / entry.at("path").get<std::string>();
    const std::string verdict = entry.at("ours").at("verdict").get<std::string>();
    SCOPED_TRACE(path);
    std::string said;
    try {
      said = open_and_read(path);
      EXPECT_NE(verdict, "reject");
      EXPECT_TRUE(verdict != "warn" || !said.empty());
    } catch (const Error& error) {
      EXPECT_TRUE(verdict == "reject" || verdict == "either") << error.message();
      EXPECT_EQ(error.kind(), ErrorKind::input);
      said = error.message();
    }
    for (const Json& word : entry.at("ours").at("must_mention")) {
      EXPECT_NE(lower(said).find(lower(word.get<std::string>())), std::string::npos) << word << " in " << said;
    }
  }
}

}  // namespace
}  // namespace headlight
