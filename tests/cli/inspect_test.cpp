#include <gmock/gmock.h>

#include "engine/formats/json.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

Json inspect(const ProgramFolder& folder, const std::string& path, int status = 0) {
  const ProgramResult result = folder.run({"inspect", "--json", path});
  EXPECT_EQ(result.status, status) << result.error;
  return Json::parse(result.out);
}

TEST(Inspect, TellsWhatATraceHolds) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run({"trace", "-m", "sandbox", "-t", "a b", "--layers", "1", "-o", "t.safetensors"}).status, 0);
  const Json report = inspect(folder, "t.safetensors");
  EXPECT_EQ(report.at("kind"), "attention maps");
  EXPECT_EQ(report.at("maps")[0], "layer 0: 8 heads of 2 × 2, rows sum to 1");
  EXPECT_EQ(report.at("is_sound"), true);
  EXPECT_EQ(report.at("tensors")[0], "attention.0 F32 [8, 2, 2]");
  EXPECT_EQ(report.at("metadata").at("text"), "\"a b\"");
}

TEST(Inspect, TellsWhatADocumentHolds) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run({"save", "-m", "sandbox", "-t", "a b", "--mask", "none", "-o", "d.json"}).status, 0);
  const Json report = inspect(folder, "d.json");
  EXPECT_EQ(report.at("kind"), "document");
  EXPECT_EQ(report.at("text"), "a b");
  EXPECT_EQ(report.at("mask_rules"), 1);
}

TEST(Inspect, CountsATextAndWarnsOfBrokenBytes) {
  const ProgramFolder folder;
  folder.file("t.txt", "one two\nthré\xff");
  const Json report = inspect(folder, "t.txt");
  EXPECT_EQ(report.at("kind"), "text");
  EXPECT_EQ(report.at("lines"), 2);
  EXPECT_EQ(report.at("code_points"), 13);
  EXPECT_THAT(report.at("warnings")[0].get<std::string>(), HasSubstr("UTF-8"));
}

TEST(Inspect, WhatIsNotSoundIsStatus3WithTheReason) {
  const ProgramFolder folder;
  folder.file("cut.safetensors", std::string("\x40\0\0\0\0\0\0\0{", 9));
  folder.file("odd.json", R"({"format": "something else"})");
  folder.file("model.gguf", std::string("GGUF\x03\0\0\0", 8));
  std::filesystem::create_directory(folder / "empty");
  for (const std::string path : {"cut.safetensors", "odd.json", "model.gguf", "empty"}) {
    const Json report = inspect(folder, path, 3);
    EXPECT_EQ(report.at("is_sound"), false) << path;
    EXPECT_THAT(report.at("error").get<std::string>(), HasSubstr(path));
    EXPECT_THAT(folder.run({"inspect", path}).error, HasSubstr(path));
  }
  EXPECT_THAT(folder.run({"inspect", "model.gguf"}).error, HasSubstr("the file ends too early"));
}

TEST(Inspect, AGgufFileInTheWordsOfConfigJson) {
  const ProgramFolder folder;
  const Json report = inspect(folder, (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference/gguf/tiny-llama-Q4_K_M.gguf").string(), 0);
  EXPECT_EQ(report.at("kind"), "GGUF");
  EXPECT_EQ(report.at("config").at("model_type"), "llama");
  EXPECT_EQ(report.at("tokenizer"), "byte-level BPE, 520 tokens");
  EXPECT_THAT(report.at("tensors")[0].get<std::string>(), HasSubstr("lm_head.weight Q6_K [520, 256] (output.weight)"));
}

std::filesystem::path tiny_llama() {
  return std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference/gguf/tiny-llama-Q4_K_M.gguf";
}

/// The file with one piece of its bytes replaced by another of the same length.
std::string changed_llama(const std::string& before, const std::string& after) {
  std::string bytes = testing::bytes_of(tiny_llama());
  const std::size_t at = bytes.find(before);
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(before.size(), after.size());
  return bytes.replace(at, after.size(), after);
}

TEST(Inspect, AnEncoderDecoderCountsItsLayersAndItsAttentions) {
  const ProgramFolder folder;
  const Json report = inspect(folder, (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference/models/t5").string());
  EXPECT_EQ(report.at("encoder_layers"), 2);
  EXPECT_EQ(report.at("decoder_layers"), 2);
  EXPECT_EQ(report.at("attentions"), 6);
  EXPECT_FALSE(report.contains("layers"));
}

TEST(Inspect, AGgufFileIsCheckedAsOpeningDoes) {
  const ProgramFolder folder;
  const Json report = inspect(folder, tiny_llama().string());
  EXPECT_EQ(report.at("family"), "Llama");
  EXPECT_GT(report.at("parameters"), 0);
  EXPECT_EQ(report.at("type"), "mixed");
  folder.file("missing.gguf", changed_llama("output_norm.weight", "output_nerm.weight"));
  EXPECT_THAT(inspect(folder, "missing.gguf", 3).at("error").get<std::string>(), HasSubstr("norm.weight: this tensor is missing"));
  const std::string length = "llama.feed_forward_length" + std::string("\x04\0\0\0", 4);
  const std::string bytes = testing::bytes_of(tiny_llama());
  const std::string stated = bytes.substr(bytes.find(length), length.size() + 4);
  folder.file("shape.gguf", changed_llama(stated, length + std::string("\x07\0\0\0", 4)));
  EXPECT_THAT(inspect(folder, "shape.gguf", 3).at("error").get<std::string>(), HasSubstr("the shape does not fit the configuration"));
  for (const char* file : {"missing.gguf", "shape.gguf"}) EXPECT_EQ(folder.run({"tokenize", "-m", file, "-t", "a"}).status, 0);
  for (const char* file : {"missing.gguf", "shape.gguf"}) {
    const ProgramResult opened = folder.run({"trace", "-m", file, "-t", "a", "-o", "t.npz"});
    EXPECT_EQ(opened.status, 3);
    EXPECT_EQ(opened.error, inspect(folder, file, 3).at("error").get<std::string>() + "\n") << "the same words as opening it";
  }
}

TEST(Inspect, ASafetensorsDumpIsADump) {
  const ProgramFolder folder;
  const std::vector<float> maps = {0.5F, 0.5F, 1, 1, 1, 0, 0, 1};
  write_safetensors(folder / "maps.safetensors", std::vector<TensorToWrite>{{"attention.0", {2, 2, 2}, maps}},
                    {{"tokens", R"(["a", "b"])"}});
  const Json report = inspect(folder, "maps.safetensors");
  EXPECT_EQ(report.at("kind"), "attention maps");
  EXPECT_EQ(report.at("maps")[0], "layer 0: 2 heads of 2 × 2, not normalised: 1 row sums to 2");
  EXPECT_THAT(report.at("warnings")[0].get<std::string>(), HasSubstr("do not sum to 1"));
  write_safetensors(folder / "odd.safetensors",
                    std::vector<TensorToWrite>{{"attention.0", {2, 2, 2}, maps}, {"attention.1", {1, 4, 2}, maps}}, {});
  const Json odd = inspect(folder, "odd.safetensors");
  EXPECT_EQ(odd.at("kind"), "safetensors") << "it is sound, and yet not to be opened as maps";
  EXPECT_THAT(odd.at("warnings")[0].get<std::string>(), HasSubstr("the layers' maps have different sides"));
}

TEST(Inspect, ControlCharactersOfAFileNeverReachTheTerminal) {
  const ProgramFolder folder;
  folder.file("d.json", R"({"format": "headlight-document", "version": 1, "query": {"text": "\u001b[31m\u202ered"}})");
  const ProgramResult result = folder.run({"inspect", "d.json"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(result.out.find("\u202e"), std::string::npos);
}

}  // namespace
}  // namespace headlight
