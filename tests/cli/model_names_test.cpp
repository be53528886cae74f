// How a model is named on the command line and in documents.
#include <gmock/gmock.h>

#include "app/document/document.h"
#include "tests/cli/program.h"
#include "tests/environment.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

/// Assets with one built-in model, and a cache with another.
class ModelNames : public ::testing::Test {
 protected:
  void SetUp() override {
    add("assets/models/story-gpt");
    add("hub/models--tiny--gpt/snapshots/c1");
  }
  void add(const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy(fs::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2", folder_ / name, fs::copy_options::recursive);
  }
  ProgramResult expect_done(const std::string& line) const {
    const ProgramResult result = folder_.run_line(line);
    EXPECT_EQ(result.status, 0) << line << "\n" << result.error;
    return result;
  }
  ProgramFolder folder_;
  testing::OwnModelPlaces places_{folder_.path()};
};

TEST_F(ModelNames, ABuiltInModelIsNamedByItsFolder) {
  expect_done("headlight trace -m story-gpt -t 'a b' -o t.npz");
  expect_done("headlight tokenize -m story-gpt -t 'a b'");
  EXPECT_THAT(expect_done("headlight models list").out, AllOf(HasSubstr("story-gpt  GPT-2, "), HasSubstr("sandbox    random weights")));
  expect_done("headlight save -m assets/models/story-gpt -t 'a b' -o d.headlight.json");
  EXPECT_EQ(load_document(folder_ / "d.headlight.json").query.model.name, "story-gpt");
}

TEST_F(ModelNames, ADocumentSaysWhichTrainingOfABuiltInModelItMeant) {
  const std::string card = "assets/models/story-gpt/card.json";
  folder_.file(card, R"({"version": 2})");
  expect_done("headlight save -m story-gpt -t 'a b' -o d.headlight.json");
  EXPECT_EQ(load_document(folder_ / "d.headlight.json").query.model.version, 2);
  EXPECT_THAT(expect_done("headlight trace --document d.headlight.json -o t.npz").error, Not(HasSubstr("was meant")));
  folder_.file(card, R"({"version": 3})");
  EXPECT_THAT(expect_done("headlight trace --document d.headlight.json -o t.npz").error,
              HasSubstr("Version 2 of story-gpt was meant, and this is version 3"));
  expect_done("headlight save --document d.headlight.json -m story-gpt -o e.headlight.json");
  EXPECT_EQ(load_document(folder_ / "e.headlight.json").query.model.version, 3) << "named anew, it means the one that is there";
}

TEST_F(ModelNames, ADocumentFromBeforeVersionsMeantTheFirst) {
  folder_.file("d.headlight.json",
               R"({"format": "headlight-document", "version": 1, "query": {"model": {"name": "story-gpt"}, "text": "a b"}})");
  EXPECT_EQ(load_document(folder_ / "d.headlight.json").query.model.version, 1);
}

TEST_F(ModelNames, ADocumentNamesAModelOfTheCacheByItsId) {
  expect_done("headlight save -m tiny/gpt -t 'a b' -o d.headlight.json");
  EXPECT_EQ(load_document(folder_ / "d.headlight.json").query.model.name, "tiny/gpt");
  expect_done("headlight trace --document d.headlight.json -o t.npz");
  expect_done("headlight save -m hub/models--tiny--gpt/snapshots/c1 -t 'a b' -o e.headlight.json");
  EXPECT_EQ(load_document(folder_ / "e.headlight.json").query.model.name, "tiny/gpt");
}

TEST_F(ModelNames, InspectTakesTheNamesThatOtherCommandsTake) {
  EXPECT_THAT(expect_done("headlight inspect story-gpt").out, AllOf(HasSubstr("assets/models/story-gpt"), HasSubstr("family: GPT-2")));
  EXPECT_THAT(expect_done("headlight inspect tiny/gpt").out, AllOf(HasSubstr("snapshots/c1"), HasSubstr("family: GPT-2")));
  EXPECT_EQ(folder_.run_line("headlight inspect no/such").status, 3);
}

TEST_F(ModelNames, ABuiltInModelIsNotLookedForOnTheHub) {
  const testing::EnvironmentVariable nowhere("HF_ENDPOINT", "http://127.0.0.1:1");
  EXPECT_THAT(expect_done("headlight models get story-gpt").out, AllOf(HasSubstr("built in"), HasSubstr("assets/models/story-gpt")));
  EXPECT_THAT(expect_done("headlight models get sandbox").out, HasSubstr("built in"));
}

TEST_F(ModelNames, WhatIsInTheCacheButCannotBeOpenedIsSaidToBeThere) {
  fs::rename(folder_ / "hub/models--tiny--gpt/snapshots/c1/model.safetensors",
             folder_ / "hub/models--tiny--gpt/snapshots/c1/pytorch_model.bin");
  const ProgramResult refused = folder_.run_line("headlight trace -m tiny/gpt -t 'a b' -o t.npz");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("snapshots/c1/pytorch_model.bin: "), HasSubstr("a Python pickle"), HasSubstr("save_file")));
  EXPECT_THAT(expect_done("headlight models").out, HasSubstr("tiny/gpt  (cannot be opened: "));
}

TEST_F(ModelNames, OnAMachineWithoutTheModelTheErrorSaysHowToGetIt) {
  expect_done("headlight save -m tiny/gpt -t 'a b' -o d.headlight.json");
  fs::remove_all(folder_ / "hub");
  const ProgramResult refused = folder_.run_line("headlight trace --document d.headlight.json -o t.npz");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("not in the local cache"), HasSubstr("headlight models get tiny/gpt")));
  EXPECT_THAT(expect_done("headlight inspect d.headlight.json").out, HasSubstr("headlight models get tiny/gpt"));
}

TEST_F(ModelNames, AWordThatIsNoModelIsRefused) {
  const ProgramResult refused = folder_.run_line("headlight trace -m story-gtp -t 'a b' -o t.npz");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("there is no such model"), HasSubstr("headlight models")));
  EXPECT_EQ(folder_.run_line("headlight trace -t 'a b' -o t.npz").status, 2);
}

TEST_F(ModelNames, AnInstalledProgramFindsItsModels) {
  fs::create_directories(folder_ / "usr/bin");
  fs::create_directories(folder_ / "usr/share/headlight");
  fs::copy_file(HEADLIGHT_PROGRAM, folder_ / "usr/bin/headlight");
  fs::create_directories(folder_ / "assets/examples");
  fs::rename(folder_ / "assets", folder_ / "usr/share/headlight/assets");
  const ProgramResult result = folder_.run_line("env -u HEADLIGHT_ASSETS usr/bin/headlight models list");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("story-gpt"));
}

}  // namespace
}  // namespace headlight
