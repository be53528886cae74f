// A corpus in the window and on the command line: one file, whoever measured it.
#include <gmock/gmock.h>

#include <cstdio>
#include <sstream>

#include "app/session/session.h"
#include "app/work/corpora/corpus_studies.h"
#include "engine/formats/json.h"
#include "tests/cli/program.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using testing::bytes_of;
using testing::ProgramFolder;
using testing::wait_until;

constexpr const char* kTexts =
    "id,text\n1,\"The horse that the sailors follow gallops.\"\n2,The cat sat on the mat.\n3\n4,\"A dog, and a dog\nand a cat.\"\n5,\n"
    "6,She said that the old man saw the king.\n";

/// Measured as the window does it, with what it asks for by itself.
void measure_in_session(const Document& document, const std::filesystem::path& texts, const std::filesystem::path& file) {
  Session session(document, 2);
  wait_until([&] { return session.snapshot() != nullptr && session.worker().is_idle(); });
  CorpusRequest request;
  request.query = session.document().query;
  request.model = session.snapshot()->model;
  request.texts = {texts, corpus_format(texts, "", false)};
  request.settings = {.requests = measure_requests(kUsualMeasures, "test"), .length_edges = {8}, .top = 3};
  request.file = file;
  session.corpora().start(request);
  wait_until([&] {
    session.corpora().update();
    return !session.corpora().is_under_way();
  });
  EXPECT_EQ(session.corpora().state(), CorpusState::finished) << session.corpora().shown()->problem;
}

TEST(CorpusInWindow, WritesTheFileThatTheCommandLineWrites) {
  const ProgramFolder folder;
  folder.file("texts.csv", kTexts);
  for (const std::string model : {"story-gpt", "story-bert"}) {
    ASSERT_EQ(folder
                  .run({"heads", "-m", model, "--texts", "texts.csv", "--length-bins", "8", "--top", "3", "--off", "0.1", "--mask",
                        "window:4", "-o", model + ".study"})
                  .status,
              0);
    Document document = document_of_model(model);
    document.query.text_pair = "a second text, which no text of the corpus has";
    document.query.switched_off = {{0, 1}};
    document.query.mask.rules.push_back({{}, "window:4", {}});
    measure_in_session(document, folder / "texts.csv", folder / "window.study");
    const std::string by_command = bytes_of(folder / (model + ".study")), by_window = bytes_of(folder / "window.study");
    EXPECT_GT(by_command.size(), 1000U);
    EXPECT_TRUE(by_command == by_window) << model << ": " << by_command.substr(0, 1200) << "\n" << by_window.substr(0, 1200);
    std::filesystem::remove(folder / "window.study");
  }
}

TEST(CorpusInWindow, RepeatedRandomTokensHaveTheNumbersOfTheCommandLine) {
  const ProgramFolder folder;
  Session session(document_of_model("story-gpt"), 2);
  wait_until([&] { return session.snapshot() != nullptr && session.worker().is_idle(); });
  session.repeated_columns().start({session.document().query, session.snapshot()->model});
  const auto found = [&] { return session.repeated_columns().found(); };
  wait_until([&] { return found() && found()->columns.size() == 4 && found()->columns[3]->texts == 4; });
  for (const std::size_t first : {0U, 2U}) {
    const std::string a = found()->columns[first]->id, b = found()->columns[first + 1]->id;
    const auto result = folder.run_line("headlight heads -m story-gpt --details --measures " + a + "," + b);
    ASSERT_EQ(result.status, 0) << result.error;
    std::istringstream lines(result.out);
    std::string line;
    std::getline(lines, line);
    int heads = 0;
    for (; std::getline(lines, line); ++heads) {
      std::istringstream cells(line);
      std::vector<std::string> fields;
      for (std::string cell; std::getline(cells, cell, ',');) fields.push_back(cell);
      const HeadId head{std::stoi(fields[0]), std::stoi(fields[1])};
      EXPECT_EQ(fields[2], "4");
      EXPECT_EQ(found()->columns[first]->values.of(head), std::stod(fields[3])) << line;
      EXPECT_EQ(found()->columns[first]->errors.of(head), std::stod(fields[5])) << line;
      EXPECT_EQ(found()->columns[first + 1]->values.of(head), std::stod(fields[11])) << line;
    }
    EXPECT_EQ(heads, 32);
  }
  EXPECT_EQ(found()->columns[0]->measured_on, "4 draws of 25 random tokens, four times over");
  EXPECT_EQ(found()->columns[2]->measured_on, "4 draws of 50 random tokens, twice over");
  session.repeated_columns().start({session.document().query, session.snapshot()->model, {NullKind::random_weights}});
  wait_until([&] { return found() && found()->columns.size() == 4 && found()->columns[3]->texts == 20; });
  const ColumnBaseline& chance = found()->columns[0]->baselines.at(0);
  EXPECT_EQ(chance.name, "random weights");
  EXPECT_EQ(chance.draws, 20);
  EXPECT_GT(chance.z_score({1, 5}, found()->columns[0]->values.of({1, 5})), 10);
}

TEST(CorpusInWindow, InspectTellsWhatAStudyHolds) {
  const ProgramFolder folder;
  folder.file("texts.csv", kTexts);
  ASSERT_EQ(folder.run({"heads", "-m", "story-gpt", "--texts", "texts.csv", "--shard", "1/1", "-o", "part"}).status, 0);
  const auto result = folder.run({"inspect", "--json", "part"});
  ASSERT_EQ(result.status, 0) << result.error;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report.at("kind"), "study");
  EXPECT_EQ(report.at("model"), "story-gpt");
  EXPECT_EQ(report.at("corpus"), "texts.csv");
  EXPECT_EQ(report.at("texts"), 4);
  EXPECT_EQ(report.at("bad_lines"), 2) << "an empty text, and a record without its column";
  EXPECT_EQ(report.at("is_complete"), true);
  EXPECT_EQ(report.at("heads"), 32);
  EXPECT_EQ(report.at("measures").size(), 12U);
  EXPECT_EQ(report.at("is_sound"), true);
}

}  // namespace
}  // namespace headlight
