// Edits of heads on the command line: taken by every command that computes, kept in what is written, refused where they do not apply.
#include <gmock/gmock.h>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

constexpr const char* kHorse = "headlight predict -m story-gpt -t \"The horse that the sailors follow\" ";

TEST(Edits, PredictShowsWhatItExpectedBeforeAndWhatTheEditChanges) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line(std::string(kHorse) + "--edit 2.1=uniform --target logit:is-are --format json --top 3");
  ASSERT_EQ(result.status, 0) << result.error;
  const Json found = Json::parse(result.out);
  const Json& compared = found["predictions"][0]["compared"];
  ASSERT_GE(compared.size(), 3U);
  for (const Json& token : compared) {
    EXPECT_DOUBLE_EQ(token["change"].get<double>(), token["edited"].get<double>() - token["unedited"].get<double>());
  }
  EXPECT_NE(compared[0]["change"], 0);
  EXPECT_LT(found["watched"]["value"], found["watched"]["unedited"]) << "the head that finds the subject no longer does";
  const ProgramResult table = folder.run_line(std::string(kHorse) + "--edit 2.1=uniform");
  EXPECT_THAT(table.out, HasSubstr("nats before the edits"));
  EXPECT_THAT(table.out, HasSubstr("rank    before      with    change"));
  const ProgramResult plain = folder.run_line(kHorse);
  EXPECT_EQ(plain.out.find("before the edits"), std::string::npos);
}

TEST(Edits, AreKeptInADocumentAndTakenAwayByNone) {
  const ProgramFolder folder;
  folder.file("texts.txt", "The cat runs.\nThe dogs run.\n");
  ASSERT_EQ(folder
                .run_line("headlight save -m story-gpt -t \"The horse that the sailors follow\" --edit 2.1=uniform --edit "
                          "'1.3=mean:texts.txt' --edit '0.1=patch:\"The horses that the sailor follows\"@2' -o d.headlight.json")
                .status,
            0);
  const Json document = Json::parse(testing::bytes_of(folder / "d.headlight.json"));
  EXPECT_EQ(document["version"], 4);
  EXPECT_EQ(document["query"]["interventions"].size(), 3U);
  EXPECT_EQ(document["query"]["interventions"][1]["texts"].size(), 2U);
  std::filesystem::remove(folder / "texts.txt");
  const ProgramResult edited = folder.run_line("headlight predict --document d.headlight.json");
  EXPECT_EQ(edited.status, 0) << edited.error << "the texts of the mean are in the document";
  EXPECT_THAT(edited.out, HasSubstr("before the edits"));
  const ProgramResult none = folder.run_line("headlight predict --document d.headlight.json --edit none");
  EXPECT_EQ(none.out.find("before the edits"), std::string::npos);
  const std::string off =
      "headlight save -m story-gpt -t 'A cat' --edit 1.3=off -o off.headlight.json && headlight predict --document off.headlight.json ";
  EXPECT_THAT(folder.run_line(off).out, HasSubstr("before the edits"));
  EXPECT_EQ(folder.run_line(off + "--edit none").out.find("before the edits"), std::string::npos) << "off is an edit, too";
  EXPECT_THAT(folder.run_line(off + "--off 1.2 --edit none").out, HasSubstr("before the edits"));
  EXPECT_THAT(folder.run_line("headlight inspect d.headlight.json").out, HasSubstr("head 2.1: even map"));
}

TEST(Edits, AFigureNamesThemAndIsMadeAgainWithThem) {
  const ProgramFolder folder;
  const ProgramResult made = folder.run_line(
      "headlight export -m story-gpt -t \"The horse that the sailors follow\" --layer 2 --head 1 --edit 2.1=previous -o f.svg");
  ASSERT_EQ(made.status, 0) << made.error;
  EXPECT_THAT(testing::bytes_of(folder / "f.svg"), HasSubstr("looks at the previous token"));
  EXPECT_THAT(testing::bytes_of(folder / "f.svg"), HasSubstr("--edit 2.1=previous"));
  EXPECT_EQ(folder.run_line("headlight verify f.svg").status, 0);
}

TEST(Edits, TraceWritesTheEditedRunAndNamesTheEdits) {
  const ProgramFolder folder;
  const auto traced = [&](const std::string& options, const std::string& name) {
    const ProgramResult result =
        folder.run_line("headlight trace -m story-gpt -t \"The horse that the sailors follow\" " + options + " -o " + name);
    EXPECT_EQ(result.status, 0) << result.error;
    const SafetensorsFile file(folder / name);
    return file.read_floats(*file.find("logits")).values;
  };
  const auto own = traced("", "a.safetensors");
  EXPECT_EQ(traced("--edit '3=stream:\"The horse that the sailors follow\"'", "b.safetensors"), own) << "its own stream changes nothing";
  EXPECT_NE(traced("--edit 2.1=first --off 0.0", "c.safetensors"), own);
  EXPECT_THAT(testing::bytes_of(folder / "c.safetensors"), HasSubstr(R"(0.0=off)"));
  EXPECT_THAT(testing::bytes_of(folder / "c.safetensors"), HasSubstr(R"(2.1=first)"));
  EXPECT_EQ(testing::bytes_of(folder / "a.safetensors").find("headlight.edits"), std::string::npos);
}

TEST(Edits, WhatDoesNotApplyIsRefusedByName) {
  const ProgramFolder folder;
  const auto error = [&](const std::string& edit, const std::string& command = kHorse) {
    const ProgramResult result = folder.run_line(command + "--edit '" + edit + "'");
    EXPECT_EQ(result.status, 2) << edit;
    return result.error;
  };
  EXPECT_THAT(error("2.1=unform"), HasSubstr("off, mean, resample, uniform"));
  EXPECT_THAT(error("2.1=pattern:\"The horse\""), HasSubstr("equally many tokens"));
  EXPECT_THAT(error("2.1=patch:\"The horse\"@9"), HasSubstr("no position 9"));
  EXPECT_THAT(error("1.1=map:2.1"), HasSubstr("not computed yet"));
  EXPECT_THAT(error("cross.0.1=off"), HasSubstr("one stack of layers"));
  EXPECT_EQ(folder.run_line(std::string(kHorse) + "--edit 2.1=mean:none.txt").status, 3);
  ASSERT_EQ(folder.run_line("headlight trace -m sandbox -t 'a b' -o maps.npz").status, 0);
  EXPECT_THAT(error("0.0=off", "headlight export -m maps.npz -o f.svg "), HasSubstr("cannot be edited"));
  folder.file("t.txt", "The horse\nThe cat\n");
  EXPECT_EQ(folder.run_line("headlight heads -m story-gpt --texts t.txt --edit 2.1=uniform -o h.csv").status, 0);
}

TEST(Edits, ThatTakeFromElsewhereActInStudiesAsInOneRun) {
  const ProgramFolder folder;
  folder.file("one.txt", "The horse that the sailors follow\n");
  folder.file("mean.txt", "The cat runs.\nThe dogs run.\n");
  const auto numbers = [&](const std::string& what, const std::string& edit) {
    const ProgramResult result = folder.run_line("headlight " + what + (edit.empty() ? "" : " --edit '" + edit + "'") + " -o x.csv");
    EXPECT_EQ(result.status, 0) << what << " " << edit << ": " << result.error;
    return testing::bytes_of(folder / "x.csv");
  };
  const std::string one = "importance -m story-gpt -t 'The horse that the sailors follow'";
  const std::string many = "importance -m story-gpt --texts one.txt", heads = "heads -m story-gpt --texts one.txt";
  for (const char* edit : {R"(2.1=resample:"a cat")", "1.3=mean:mean.txt", "2.0=map:1.3", R"(1=stream:"A cat that sat here now"@2)"}) {
    EXPECT_EQ(numbers(many, edit), numbers(one, edit)) << edit;
    EXPECT_NE(numbers(many, edit), numbers(many, "")) << edit;
    EXPECT_NE(numbers(heads, edit), numbers(heads, "")) << edit;
  }
}

TEST(Lens, EndsWithTheModelsOwnPredictionAndSaysWhatItIsWorth) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line(std::string(kHorse) + "--lens --top 3 --format json");
  ASSERT_EQ(result.status, 0) << result.error;
  const Json found = Json::parse(result.out);
  EXPECT_EQ(found["lens"].size(), 5U) << "the embedding and four layers";
  EXPECT_EQ(found["lens"][0]["name"], "embedding");
  EXPECT_EQ(found["lens"][4]["predictions"][0]["likeliest"], found["predictions"][0]["likeliest"]);
  EXPECT_THAT(folder.run_line(std::string(kHorse) + "--lens").out, HasSubstr("trained on the last layer's output only"));
}

TEST(Attribute, PartsAndSourcesAddUp) {
  const ProgramFolder folder;
  const std::string command = "headlight attribute -m story-gpt -t \"The horse that the sailors follow\" --target logit:is-are ";
  const ProgramResult parts = folder.run_line(command + "--format json");
  ASSERT_EQ(parts.status, 0) << parts.error;
  const Json found = Json::parse(parts.out);
  double sum = 0, head = 0;
  for (const Json& part : found["parts"]) {
    sum += part["value"].get<double>();
    if (part["part"] == "head 2.1") head = part["value"].get<double>();
  }
  EXPECT_NEAR(sum, found["logit"].get<double>(), 1e-4);
  EXPECT_NE(head, 0);
  ASSERT_EQ(folder.run_line(command + "--sources -o s.json").status, 0);
  const Json sources = Json::parse(testing::bytes_of(folder / "s.json"));
  for (const Json& each : sources["heads"]) {
    if (each["layer"] == 2 && each["head"] == 1) {
      EXPECT_NEAR(each["sum"].get<double>(), head, 1e-4);
    }
  }
  EXPECT_THAT(folder.run_line(command + "--format csv").out, ::testing::StartsWith("kind,layer,head,part,value\n"));
  const ProgramResult cell =
      folder.run_line("headlight attribute -m story-gpt -t \"The horse that the sailors follow\" --cell 2.1:6,2 --format json");
  ASSERT_EQ(cell.status, 0) << cell.error;
  const Json why = Json::parse(cell.out);
  EXPECT_THAT(why["key_token"].get<std::string>(), HasSubstr("horse"));
  EXPECT_THAT(folder.run_line("headlight attribute -m story-gpt -t \"The horse that the sailors follow\" --cell 2.1:6,2").out,
              HasSubstr("from 6 \"·follow\" at 2 \"·horse\""));
  EXPECT_NEAR(why["sum"].get<double>(), why["score"].get<double>(), 1e-4 * std::max(1.0, std::abs(why["score"].get<double>())));
}

TEST(Attribute, SaysWhyThereAreNoParts) {
  const ProgramFolder folder;
  const auto error = [&](const std::string& options) {
    const ProgramResult result = folder.run_line("headlight attribute " + options);
    EXPECT_EQ(result.status, 2) << options;
    return result.error;
  };
  EXPECT_THAT(error("-m sandbox -t 'a b' --target logit:a"), HasSubstr("no language-model head"));
  EXPECT_THAT(error("-m story-gpt -t 'The horse' --target loss"), HasSubstr("logit:A@POS"));
  EXPECT_THAT(error("-m story-gpt -t 'The horse' --target logit:is@40"), HasSubstr("no position 40"));
  EXPECT_THAT(error("-m story-gpt -t 'The horse' --cell 2.1"), HasSubstr("2.1:7,2"));
  EXPECT_THAT(error("-m story-gpt -t 'The horse' --cell 2.1:9,0"), HasSubstr("no such query"));
}

TEST(Patch, BringsBackTheNumberOfTheVerbAtTheSubjectAndThenAtTheLastWord) {
  const ProgramFolder folder;
  const std::string command =
      "headlight patch -m story-gpt -t \"The horses that the sailor follows\" --from \"The horse that the sailors follow\" --target "
      "logit:is-are ";
  const ProgramResult result = folder.run_line(command + "-o p.json");
  ASSERT_EQ(result.status, 0) << result.error;
  const Json found = Json::parse(testing::bytes_of(folder / "p.json"));
  ASSERT_EQ(found["patches"].size(), 4U * 7U);
  const auto share = [&](int layer, int position) {
    return found["patches"][static_cast<std::size_t>(layer * 7 + position)]["recovered"].get<double>();
  };
  EXPECT_EQ(share(0, 1), 0) << "the same word in both texts";
  EXPECT_GT(share(0, 2), 0.5) << "at first the number is at the subject";
  EXPECT_GT(share(3, 6), 0.5) << "and in the end where the verb is predicted";
  EXPECT_THAT(folder.run_line(command).out, HasSubstr("share of the difference that comes back"));
  EXPECT_EQ(folder.run_line(command + "--part z --format csv").status, 0);
  const ProgramResult other =
      folder.run_line("headlight patch -m story-gpt -t \"The horse\" --from \"The horse that\" --target logit:is-are");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.error, HasSubstr("equally many tokens"));
}

TEST(Patch, OfAFileOfPairsGivesMeansWithTheirErrors) {
  const ProgramFolder folder;
  folder.file("pairs.csv",
              "text,from\nThe horses that the sailor follows,The horse that the sailors follow\nThe girls that the boy "
              "follows,The girl that the boys follow\nThe horse,The horse that\n");
  const std::string command = "headlight patch -m story-gpt --texts pairs.csv --part z --target logit:is-are ";
  const ProgramResult result = folder.run_line(command + "-o p.json");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("line 4: the other text has"));
  const Json found = Json::parse(testing::bytes_of(folder / "p.json"));
  EXPECT_EQ(found["texts"], 2);
  ASSERT_EQ(found["patches"].size(), 4U * 8U);
  EXPECT_EQ(found["patches"][17]["n"], 2);
  EXPECT_GT(found["patches"][17]["recovered"].get<double>(), 0.2) << "head 2.1 carries the number of the subject";
  EXPECT_GT(found["patches"][17]["standard_error"].get<double>(), 0);
  EXPECT_THAT(folder.run_line(command).out, HasSubstr("mean of 2 texts"));
  EXPECT_THAT(folder.run_line(command + "--format csv").out, HasSubstr("layer,head,n,change,standard_error,recovered\n0,0,2,"));
  EXPECT_THAT(folder.run_line(command + "--from-column other").error, HasSubstr("one of text, from"));
  EXPECT_THAT(folder.run_line(command + "--from x").error, HasSubstr("partner of its own"));
  EXPECT_THAT(folder.run_line("headlight patch -m story-gpt -t a").error, HasSubstr("which other text?"));
  EXPECT_THAT(folder.run_line(command + "-t a").error, HasSubstr("cannot be combined with --texts"));
  EXPECT_THAT(folder.run_line("headlight prune -m story-gpt --texts pairs.csv -t a").error, HasSubstr("cannot be combined with --texts"));
  folder.file("unequal.csv", "text,from\nThe horse,The horse that\n");
  const ProgramResult none = folder.run_line("headlight patch -m story-gpt --texts unequal.csv --target logit:is-are");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.error, HasSubstr("in line 2: the other text has"));
}

TEST(Patch, OfAFileInShardsIsMergedToTheSameBytes) {
  const ProgramFolder folder;
  folder.file("pairs.csv",
              "text,from\nThe horses that the sailor follows,The horse that the sailors follow\nThe girls that the boy "
              "follows,The girl that the boys follow\nThe horses,The horse\n");
  const std::string command = "headlight patch -m story-gpt --texts pairs.csv --target logit:is-are ";
  for (const std::string part : {"stream ", "z "}) {
    for (const std::string file : {"whole.study ", "whole.csv ", "a.study --shard 1/2 ", "b.study --shard 2/2 "}) {
      const ProgramResult result = folder.run_line(command + "--part " + part + "-o " + file);
      ASSERT_EQ(result.status, 0) << result.error;
    }
    for (const std::string ending : {"study", "csv"}) {
      ASSERT_EQ(folder.run_line("headlight merge a.study b.study -o merged." + ending).status, 0);
      EXPECT_EQ(testing::bytes_of(folder / ("merged." + ending)), testing::bytes_of(folder / ("whole." + ending))) << part << ending;
    }
  }
  EXPECT_THAT(folder.run_line("headlight merge a.study b.study -o merged.npy").error, HasSubstr(".csv, .json or .study for patches"));
  EXPECT_THAT(folder.run_line(command + "--shard 1/2").error, HasSubstr("-o FILE"));
  EXPECT_THAT(folder.run_line(command + "--details -o a.csv").error, HasSubstr("always contains the counts and standard errors"));
}

TEST(Prune, WritesTheTargetAfterEachHead) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line("headlight prune -m story-gpt -t \"The horse that the sailors follow is tired.\" --keep 7");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, ::testing::StartsWith("removed,layer,head,value\n0,,,"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2 + 4);
  EXPECT_EQ(folder.run_line("headlight prune -m story-gpt -t \"The horse\" --by mean").status, 2);
}

TEST(Importance, PrintsHowAlikeItsMethodsRank) {
  const ProgramFolder folder;
  const ProgramResult result =
      folder.run_line("headlight importance -m story-gpt -t \"The horse that the sailors follow is tired.\" --method zero,uniform,gate");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, ::testing::StartsWith("layer,head,n,zero,uniform,gate\n"));
  EXPECT_THAT(result.error, HasSubstr("rank correlation of zero and gate"));
  folder.file("t.txt", "The horse is tired.\nThe cat runs.\n");
  const ProgramResult unknown = folder.run_line("headlight importance -m story-gpt --texts t.txt --target prob:xylophonistical -o x.csv");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.error, HasSubstr("is not one token of this model"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.csv"));
}

}  // namespace
}  // namespace headlight
