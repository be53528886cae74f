#include "app/cli/commands/command_line.h"

#include <gmock/gmock.h>

#include <regex>

#include "engine/formats/json.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ProgramFolder;
using testing::ProgramResult;

const std::vector<std::string> kCommands = {"export", "trace",      "attend",    "tokenize", "save",  "inspect", "models", "predict",
                                            "heads",  "importance", "attribute", "patch",    "prune", "merge",   "bench",  "gui"};

std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

/// A refusal: its status, nothing on stdout, and one message that mentions `mentions`.
void expect_refusal(const std::vector<std::string>& arguments, int status, const std::vector<std::string>& mentions) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run(arguments);
  SCOPED_TRACE(::testing::PrintToString(arguments) + "\n" + result.error);
  EXPECT_EQ(result.status, status);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << "one message";
  for (const std::string& mention : mentions) EXPECT_THAT(result.error, HasSubstr(mention));
}

TEST(CommandLine, SaveKeepsFieldsOfADocumentThatItDoesNotKnow) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line("headlight save -m sandbox -t 'a b' -o in.headlight.json").status, 0);
  Json json = Json::parse(testing::bytes_of(folder / "in.headlight.json"));
  json["author"] = "somebody";
  json["query"]["later"] = {1, 2};
  folder.file("in.headlight.json", json.dump());
  const ProgramResult saved = folder.run_line("headlight save --document in.headlight.json -t 'c d' -o out.headlight.json");
  EXPECT_EQ(saved.status, 0) << saved.error;
  json["query"]["text"] = "c d";
  EXPECT_EQ(Json::parse(testing::bytes_of(folder / "out.headlight.json")), json);
}

TEST(CommandLine, AFigureDoesNotReplaceADocument) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line("headlight save -m sandbox -t 'a b' -o d.json").status, 0);
  const std::string document = testing::bytes_of(folder / "d.json");
  const ProgramResult refused = folder.run_line("headlight export --document d.json --figure heatmap -o d.json");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.error, HasSubstr("d.json"));
  EXPECT_EQ(testing::bytes_of(folder / "d.json"), document);
}

TEST(CommandLine, ADocumentWhoseSentenceIsAttentionIsInspectedAsADocument) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.run_line("headlight save -m sandbox -t attention -o d.json").status, 0);
  EXPECT_THAT(folder.run_line("headlight inspect d.json").out, HasSubstr("kind: document"));
}

TEST(CommandLine, HelpListsEveryCommandAndExplainsEach) {
  const ProgramFolder folder;
  const ProgramResult help = folder.run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const std::string& command : kCommands) {
    EXPECT_THAT(help.out, HasSubstr("\n  " + command));
    const ProgramResult one = folder.run({command, "--help"});
    EXPECT_EQ(one.status, 0);
    EXPECT_THAT(one.out, HasSubstr("Example:\n  headlight " + command));
  }
}

TEST(CommandLine, VersionIsPrinted) {
  const ProgramFolder folder;
  EXPECT_THAT(folder.run({"--version"}).out, HasSubstr("headlight 0."));
}

/// "  4 %  switching heads off" is told of what takes long, as on a machine with other work.
std::string without_progress(const std::string& error) {
  static const std::regex kProgress(R"(\s*\d+ %  [^\n]*\n)");
  return std::regex_replace(error, kProgress, "");
}

// The examples run in one folder, trace first: inspect's example looks at what trace's example wrote.
TEST(CommandLine, ExamplesOfHelpWorkAsTyped) {
  const ProgramFolder folder;
  for (const std::string command :
       {"trace", "export", "attend", "tokenize", "predict", "heads", "attribute", "patch", "prune", "save", "inspect", "models"}) {
    const std::string help = folder.run({command, "--help"}).out;
    const std::size_t begin = help.find("  headlight " + command, help.find("Example:"));
    ASSERT_NE(begin, std::string::npos) << help;
    const std::string example = help.substr(begin + 2, help.find('\n', begin) - begin - 2);
    const ProgramResult result = folder.run_line(example);
    EXPECT_EQ(result.status, 0) << example << "\n" << result.error;
    EXPECT_THAT(without_progress(result.error), IsEmpty()) << example;
  }
  for (const char* written : {"heads.png", "trace.safetensors", "attended.safetensors", "cat.headlight.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / written)) << written;
  }
}

TEST(CommandLine, WrongUsageIsStatus2) {
  expect_refusal({"trace", "-o", "x.npz", "--no-such-option"}, 2, {"--no-such-option", "headlight trace --help"});
  expect_refusal({"trace", "-m", "sandbox", "-t", "a"}, 2, {"--output"});
  expect_refusal({"tokenize", "-t", "a"}, 2, {"-m"});
  expect_refusal({"tokenize", "-m", "sandbox"}, 2, {"-t"});
  expect_refusal({"tokenize", "-m", "sandbox", "-t", "a", "--ids", "1"}, 2, {"--ids"});
  expect_refusal({"tokenize", "-m", "sandbox", "--ids", "1,x"}, 2, {"--ids", "x"});
  expect_refusal({"trace", "-m", "sandbox", "-t", "a", "-o", "x.txt"}, 2, {"x.txt", ".safetensors"});
  expect_refusal({"trace", "-m", "sandbox", "-t", "a", "-o", "x.npz", "--include", "q,w"}, 2, {"\"w\"", "masked_scores"});
  expect_refusal({"export", "-m", "sandbox", "-t", "a", "-o", "x.jpg"}, 2, {"x.jpg", ".svg"});
  expect_refusal({"export", "-m", "sandbox", "-t", "a", "-o", "x.png", "--colours", "jet"}, 2, {"jet", "viridis"});
  expect_refusal({"export", "-m", "sandbox", "-t", "a", "-o", "x.png", "--range", "most"}, 2, {"most", "unit"});
  expect_refusal({"export", "-m", "sandbox", "-t", "a", "-o", "x.png", "--layer", "9"}, 2, {"layer 9", "0 to 3"});
  expect_refusal({"export", "-m", "sandbox", "-t", "a", "-o", "x.png", "--figure", "compare"}, 2, {"--pin"});
  expect_refusal({"gui", "--size", "big"}, 2, {"big", "1600x1000"});
}

TEST(CommandLine, ALayerOfAnEncoderDecoderIsNamedByItsStackOrItsNumber) {
  const testing::ProgramFolder folder;
  const std::string line = R"(headlight export -m sandbox --encoder-decoder --layers 2 -t "The cat sat" --decoder-text "Die Katze" )";
  ASSERT_EQ(folder.run_line(line + "--layer cross.1 --head 2 -o place.csv").status, 0);
  ASSERT_EQ(folder.run_line(line + "--layer 5 --head 2 -o number.csv").status, 0);
  ASSERT_EQ(folder.run_line(line + "--layer encoder.1 --head 2 -o encoder.csv").status, 0);
  const std::string by_place = testing::bytes_of(folder / "place.csv");
  EXPECT_EQ(by_place, testing::bytes_of(folder / "number.csv"));
  EXPECT_TRUE(by_place.starts_with("\"query \\ key\",\"The\",\"cat\",\"sat\"\n\"Die\",")) << by_place;
  EXPECT_NE(by_place, testing::bytes_of(folder / "encoder.csv"));
  const std::vector<std::string> command = {"export", "-m", "sandbox", "-t", "a", "-o", "x.png"};
  expect_refusal(with(command, {"--encoder-decoder", "--layer", "cross.9"}), 2, {"cross.9", "cross.3"});
  expect_refusal(with(command, {"--layer", "cross.0"}), 2, {"cross.0", "0 to 3", "one stack"});
  expect_refusal(with(command, {"--layer", "12"}), 2, {"layer 12", "0 to 3"});
  for (const char* broken : {"crossed.0", "cross.", "cross.-1", "-1", "", "1.5", "cross.x"}) {
    expect_refusal(with(command, {std::string("--layer=") + broken}), 2, {"--layer"});
  }
}

TEST(CommandLine, EditsNameLayersOfAnEncoderDecoderByStackOrNumber) {
  const testing::ProgramFolder folder;
  const std::string line = R"(headlight save -m sandbox --encoder-decoder --layers 2 -t "The cat sat" --decoder-text "Die Katze" )";
  const auto saved = [&](const std::string& options) {
    const ProgramResult result = folder.run_line(line + options + " -o d.headlight.json");
    EXPECT_EQ(result.status, 0) << result.error;
    return testing::bytes_of(folder / "d.headlight.json");
  };
  const std::string by_number = saved("--mask 5@none --mask 2.1@causal --deny 5.2@0:1 --off 0.3,5.1 --pin 4.0 --pin 1.1");
  EXPECT_EQ(saved("--mask cross.1@none --mask decoder.0.1@causal --deny cross.1.2@0:1 --off encoder.0.3,cross.1.1 --pin decoder.1.0 "
                  "--pin encoder.1.1"),
            by_number);
  EXPECT_THAT(saved("--mask cross@window:4"), ::testing::HasSubstr(R"("stack": "cross")")) << "all heads of a stack";
  const std::vector<std::string> command = {"save", "-o", "x.json", "-t", "a", "-m", "sandbox"};
  expect_refusal(with(command, {"--mask", "cross@none"}), 2, {"--mask", "one stack"});
  expect_refusal(with(command, {"--encoder-decoder", "--off", "cross.9.0"}), 2, {"--off", "cross.9", "cross.3"});
  expect_refusal(with(command, {"--pin", "encoder.0.1"}), 2, {"--pin", "encoder.0", "one stack"});
  expect_refusal(with(command, {"--off", "cross.1"}), 2, {"--off", "\"cross.1\"", "cross.0.3"});
  expect_refusal(with(command, {"--mask", "cross.@none"}), 2, {"--mask", "\"cross.\""});
}

TEST(CommandLine, HeadsAreSwitchedOffUnderTheOldNameToo) {
  const testing::ProgramFolder folder;
  const auto saved = [&](const std::string& option) {
    const ProgramResult result = folder.run_line("headlight save -m sandbox -t a -o d.headlight.json " + option + " 0.3,1.2");
    EXPECT_EQ(result.status, 0) << result.error;
    return testing::bytes_of(folder / "d.headlight.json");
  };
  EXPECT_THAT(saved("--off"), ::testing::HasSubstr("\"switched_off\""));
  EXPECT_EQ(saved("--silence"), saved("--off"));
  const std::string help = folder.run_line("headlight save --help").out;
  EXPECT_NE(help.find("--off,--silence L.H,..."), std::string::npos) << help;
  EXPECT_EQ(help.find("--silence"), help.rfind("--silence")) << "one row for both names";
  expect_refusal({"save", "-o", "x.json", "-t", "a", "-m", "sandbox", "--off", "0.1", "--silence", "0.2"}, 2, {"--off"});
}

TEST(CommandLine, AMaskComesFromAFile) {
  const testing::ProgramFolder folder;
  folder.file("m.txt", "100\n010\n011\n");
  const std::string line = R"(headlight export -m sandbox -t "a b c" --layer 1 )";
  const auto exported = [&](const std::string& options) {
    const ProgramResult result = folder.run_line(line + options + " -o map.csv");
    EXPECT_EQ(result.status, 0) << result.error;
    return testing::bytes_of(folder / "map.csv");
  };
  EXPECT_EQ(exported("--head 2 --mask-file m.txt"), exported("--head 2 --mask none --deny 0:1-2,1:0,1:2,2:0"));
  EXPECT_EQ(exported("--head 2 --mask-file 1.3@m.txt"), exported("--head 2")) << "the mask is another head's";
  EXPECT_NE(exported("--head 3 --mask-file 1.3@m.txt"), exported("--head 3"));
  for (const char* command : {"export --layer 0 --head 0 -o x.csv", "trace -o x.npz", "save -o x.json"}) {
    const ProgramResult result = folder.run_line("headlight " + std::string(command) + " -m sandbox -t 'a b' --mask-file m.txt");
    EXPECT_EQ(result.status, 3);
    EXPECT_NE(result.error.find("m.txt: mask"), std::string::npos) << result.error;
    EXPECT_NE(result.error.find("2 × 2"), std::string::npos) << result.error;
  }
  EXPECT_EQ(folder.run_line("headlight save -m sandbox -t 'a b' --mask-file no.txt -o x.json").status, 3);
  EXPECT_EQ(folder.run_line("headlight save -m sandbox -t 'a b' --mask-file m.doc -o x.json").status, 2);
}

TEST(CommandLine, AMaskFileThatIsConvertedIsSaid) {
  const testing::ProgramFolder folder;
  folder.file("m.txt", "0 -inf\n0 0\n");
  const ProgramResult result = folder.run_line("headlight trace -o x.npz -m sandbox -t 'a b' --mask-file m.txt");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.error.find("note: m.txt: taken as a mask that is added to scores"), std::string::npos) << result.error;
}

TEST(CommandLine, OtherHeadCountsOfAModelAreSaidToBeWhatTheyAreAndRefusedForTheirReason) {
  const testing::ProgramFolder folder;
  const ProgramResult cut = folder.run_line("headlight trace -o x.npz -m story-gpt -t 'The horse' --heads 4 --kv-heads 2");
  EXPECT_EQ(cut.status, 0) << cut.error;
  EXPECT_NE(cut.error.find("note: What if: "), std::string::npos) << cut.error;
  EXPECT_NE(cut.error.find("4 key/value heads are averaged into 2"), std::string::npos) << cut.error;
  const ProgramResult thin = folder.run_line("headlight trace -o x.npz -m story-gpt -t 'The horse' --heads 64");
  EXPECT_EQ(thin.status, 2);
  EXPECT_NE(thin.error.find("64 heads would be 3 wide, but rotary positions turn"), std::string::npos) << thin.error;
}

TEST(CommandLine, AHeadCountThatDoesNotDivideTheWidthIsRefusedNamingBoth) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"trace", "-o", "x.npz"}, {"export", "-o", "x.png"}, {"save", "-o", "x.json"}}) {
    expect_refusal(with(command, {"-m", "sandbox", "-t", "a", "--d-model", "64", "--heads", "7"}), 2, {"64", "7"});
  }
}

TEST(CommandLine, BrokenEditsAreRefusedWithTheirPlace) {
  const std::vector<std::string> command = {"trace", "-m", "sandbox", "-t", "a b", "-o", "x.npz"};
  expect_refusal(with(command, {"--mask", "causal + windw:3"}), 2, {"windw"});
  expect_refusal(with(command, {"--mask", "x@causal"}), 2, {"\"x\"", "2.5"});
  expect_refusal(with(command, {"--deny", "1;0"}), 2, {"1;0"});
  expect_refusal(with(command, {"--off", "3"}), 2, {"--off", "\"3\""});
  expect_refusal(with(command, {"--temperature", "0"}), 2, {"--temperature"});
}

TEST(CommandLine, AnInputThatCannotBeOpenedIsStatus3) {
  expect_refusal({"tokenize", "-m", "no-such-model", "-t", "a"}, 3, {"no-such-model", "sandbox"});
  expect_refusal({"trace", "-m", "/dev/null", "-t", "a", "-o", "x.npz"}, 3, {"/dev/null"});
  expect_refusal({"trace", "--document", "none.json", "-o", "x.npz"}, 3, {"none.json"});
  expect_refusal({"inspect", "none.txt"}, 3, {"none.txt"});
  expect_refusal({"inspect", "/dev/zero"}, 3, {"/dev/zero"});
}

TEST(CommandLine, AnUnknownCommandIsStatus2AndTheNearestIsNamed) {
  expect_refusal({"exprot", "-m", "sandbox"}, 2, {"\"exprot\": unknown command", "The nearest is `headlight export`", "--help"});
  expect_refusal({"hedas"}, 2, {"\"hedas\": unknown command", "The nearest is `headlight", "inspect, lesson, models"});
  expect_refusal({"Tokenise"}, 2, {"`headlight tokenize`"});
  expect_refusal({std::string(100'000, 'x')}, 2, {"unknown command", "…"});
  expect_refusal({"gui", "no-such-model"}, 3, {"no-such-model"});
  expect_refusal({"no/such/folder"}, 3, {"no/such/folder"});
  expect_refusal({"missing.headlight.json"}, 3, {"missing.headlight.json"});
  expect_refusal({"missing.npz"}, 3, {"missing.npz"});
}

TEST(CommandLine, AnOptionThatAFigureDoesNotUseIsRefused) {
  const auto refused = [](const std::string& options, const std::vector<std::string>& mentions) {
    const ProgramFolder folder;
    const ProgramResult result = folder.run_line("headlight export -m sandbox -t 'a b' " + options);
    SCOPED_TRACE(options + "\n" + result.error);
    EXPECT_EQ(result.status, 2);
    for (const std::string& mention : mentions) EXPECT_THAT(result.error, HasSubstr(mention));
    EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
  };
  refused("--figure grid --layer 1 --head 2 -o x.png", {"--layer: --figure grid does not use", "used by --figure heatmap"});
  refused("--figure grid --head 2 -o x.csv", {"--head: --figure grid"});
  refused("--figure heatmap --pin 0.1 --pin 0.2 -o x.png", {"--pin: --figure heatmap does not use", "used by --figure compare"});
  refused("--pin 0.1 -o x.png", {"--pin: --figure heatmap"});
  refused("--figure compare --pin 0.1 --pin 0.2 --layer 1 -o x.png", {"--layer: --figure compare"});
  refused("--figure grid --stage scores -o x.png", {"--stage: --figure grid", "--figure heatmap"});
  refused("-o x.csv --pixels 3", {"--pixels: -o FILE.csv", "used by -o FILE.png"});
  refused("-o x.npy --theme dark", {"--theme: -o FILE.npy", "FILE.png, -o FILE.svg"});
  refused("-o x.svg --pixels 3", {"--pixels: -o FILE.svg"});
  refused("-o x.png --spreadsheet-safe", {"--spreadsheet-safe: -o FILE.png", ".csv"});
  refused("-o x.png --scale linear --gamma 2", {"--gamma: --scale linear", "--scale gamma"});
}

TEST(CommandLine, EveryFigureTakesTheOptionsThatItUses) {
  const ProgramFolder folder;
  for (const char* options :
       {"--figure heatmap --layer 1 --head 2 --stage scores -o a.png --pixels 1 --theme dark", "--figure grid --colours magma -o b.svg",
        "--figure grid --stage norm-weights -o e.svg", "--figure heatmap --stage value-share -o f.csv",
        "--figure compare --pin 0.1 --pin 0.2 --scale gamma --gamma 2 -o c.pdf", "--figure grid --spreadsheet-safe -o d.csv"}) {
    const ProgramResult result = folder.run_line("headlight export -m sandbox -t 'a b' " + std::string(options));
    EXPECT_EQ(result.status, 0) << options << "\n" << result.error;
  }
}

TEST(CommandLine, TokenizeHasNoOptionThatItWouldIgnore) {
  for (const char* option : {"--mask", "--heads", "--off", "--layers", "--decoder-text"}) {
    expect_refusal({"tokenize", "-m", "sandbox", "-t", "a", option, "1"}, 2, {option});
  }
}

TEST(CommandLine, NothingOnStdoutSteersATerminal) {
  const ProgramFolder folder;
  const std::string text =
      "a\xc2\x9b"
      "b \x7f \xe2\x80\xae"
      "c";
  const auto expect_clean = [](const std::string& out) {
    for (const char* steering : {"\xc2\x9b", "\x7f", "\xe2\x80\xae"}) EXPECT_THAT(out, Not(HasSubstr(steering)));
  };
  const ProgramResult tokens = folder.run({"tokenize", "-m", "sandbox", "--unit", "bytes", "-t", text});
  EXPECT_EQ(tokens.status, 0) << tokens.error;
  expect_clean(tokens.out);
  const ProgramResult words = folder.run({"tokenize", "-m", "sandbox", "-t", text});
  expect_clean(words.out);
  EXPECT_THAT(words.out, HasSubstr("\\u009b"));
  EXPECT_THAT(Json::parse(words.out).at("tokens").dump(), HasSubstr("\xc2\x9b")) << "the same text when it is read";
  ASSERT_EQ(folder.run({"save", "-m", "sandbox", "-t", text, "-o", "d.headlight.json"}).status, 0);
  expect_clean(folder.run({"inspect", "d.headlight.json", "--json"}).out);
  expect_clean(folder.run({"inspect", "d.headlight.json"}).out);
  const ProgramResult predicted = folder.run({"predict", "-m", "story-gpt", "-t", text, "--format", "json", "--top", "2"});
  EXPECT_EQ(predicted.status, 0) << predicted.error;
  expect_clean(predicted.out);
}

TEST(CommandLine, TokenizeGivesTheSameNotesAsTrace) {
  const ProgramFolder folder;
  const auto notes_of = [&](const std::string& command) {
    const ProgramResult result = folder.run_line(command);
    EXPECT_EQ(result.status, 0) << result.error;
    return result.error;
  };
  const std::filesystem::path models = std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models";
  int with_notes = 0;
  for (const std::filesystem::directory_entry& model : std::filesystem::directory_iterator(models)) {
    const std::string rest = " -m " + testing::quoted(model.path().string()) + " -t 'the cat'";
    const std::string traced = notes_of("headlight trace -o x.npz" + rest);
    EXPECT_EQ(notes_of("headlight tokenize" + rest), traced) << model.path();
    with_notes += traced.empty() ? 0 : 1;
  }
  EXPECT_GT(with_notes, 0);
}

TEST(CommandLine, ATokenizerWithoutAModelIsOpenedWithANote) {
  const ProgramFolder folder;
  folder.file("tokenizer.json",
              R"({"version": "1.0", "pre_tokenizer": {"type": "WhitespaceSplit"},
                  "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}})");
  const ProgramResult result = folder.run({"tokenize", "-m", folder.path().string(), "-t", "a b"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("\"ids\": [0,1]"));
  EXPECT_THAT(result.error, AllOf(HasSubstr("note: Only the tokenizer was opened"), HasSubstr("config.json")));
}

TEST(CommandLine, AWriteThatFailsIsStatus4) {
  expect_refusal({"trace", "-m", "sandbox", "-t", "a", "-o", "missing/x.npz"}, 4, {"missing"});
  expect_refusal({"export", "-m", "sandbox", "-t", "a", "-o", "missing/x.svg"}, 4, {"missing"});
  expect_refusal({"save", "-m", "sandbox", "-t", "a", "-o", "missing/x.json"}, 4, {"missing"});
}

TEST(CommandLine, AFullDiskOrClosedPipeOnStdoutIsStatus4) {
  const ProgramFolder folder;
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(folder.run_line("headlight --help >/dev/full").status, 4);
  EXPECT_EQ(folder.run_line("headlight tokenize -m sandbox -t 'a b' >/dev/full").status, 4);
  EXPECT_EQ(folder.run_line("{ headlight models; echo $? >status; } | true; sleep 0.1; exit $(cat status)").status % 4, 0)
      << "0 or 4, no signal";
}

TEST(CommandLine, AFileOverTheSizeLimitIsStatus4AndLeavesNothing) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run_line("ulimit -f 1; headlight trace -m sandbox -t 'a b c d e f' -o x.safetensors");
  EXPECT_EQ(result.status, 4) << result.error;
  EXPECT_FALSE(std::filesystem::exists(folder / "x.safetensors"));
}

TEST(CommandLine, MoreThanAStatedLimitIsStatus6) {
  const std::string bytes(120'000, 'w');  // two maps of 54 GiB each
  expect_refusal({"trace", "-m", "sandbox", "--unit", "bytes", "-t", bytes, "-o", "x.npz"}, 6, {"120000 tokens", "GiB", "three quarters"});
}

TEST(CommandLine, TextThatLooksLikeAnOptionOrAListIsText) {
  const ProgramFolder folder;
  for (const std::string text : {"-x", "--help", "[a, b]", "", "%s %n", "{}"}) {
    const ProgramResult result = folder.run({"tokenize", "-m", "sandbox", "-t", text});
    EXPECT_EQ(result.status, 0) << text << "\n" << result.error;
  }
  const Json list = Json::parse(folder.run({"tokenize", "-m", "sandbox", "-t", "[a, b]", "--unit", "bytes"}).out);
  EXPECT_EQ(list.at("offsets").size(), 6U);
}

TEST(CommandLine, BrokenTextIsRepairedWithANote) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run({"tokenize", "-m", "sandbox", "-t", "a\xff z"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.error, HasSubstr("note: "));
  EXPECT_THAT(result.out, HasSubstr("\"a"));
}

TEST(CommandLine, ModelsListsTheSandbox) {
  const ProgramFolder folder;
  EXPECT_THAT(folder.run({"models"}).out, HasSubstr("sandbox"));
  EXPECT_EQ(folder.run({"models", "list"}).out, folder.run({"models"}).out);
}

TEST(CommandLine, BenchPrintsATableWithoutTakingLong) {
  // The whole table takes minutes under sanitizers: only its options are tested here.
  expect_refusal({"bench", "--rounds", "0"}, 2, {"--rounds"});
}

}  // namespace
}  // namespace headlight
