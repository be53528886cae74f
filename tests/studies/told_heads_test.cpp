// The heads that story-gpt's card tells of, found again by nothing but their relation: held-out sentences, the related words framed, and all
// heads ranked by the weight that they give to the frames.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "engine/finding/head_ranking.h"
#include "engine/formats/json.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

const std::filesystem::path& models() {
  static const std::filesystem::path kFolder = std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models";
  return kFolder;
}

/// "far subject, from the word before" as a card has it.
struct Told {
  HeadId head;
  std::string relation, from;
};

std::vector<Told> told_heads() {
  std::vector<Told> told;
  const Json card = parse_json(testing::bytes_of(models() / "story-gpt" / "card.json"), "card.json");
  for (const Json& head : card.at("heads")) {
    const auto measure = head.at("measure").get<std::string>();
    const std::string between = ", from the ";
    const std::size_t at = measure.find(between);
    if (at == std::string::npos) continue;
    told.push_back({{head.at("layer").get<int>(), head.at("head").get<int>()}, measure.substr(0, at), measure.substr(at + between.size())});
  }
  return told;
}

struct Words {
  int first = 0, last = 0;
};

/// The tokens of a word, by its bytes.
Words tokens_of(const Encoding& encoding, const Json& bytes) {
  Words word{-1, -1};
  for (int token = 0; token < static_cast<int>(encoding.tokens.size()); ++token) {
    const ByteRange& range = encoding.tokens[static_cast<std::size_t>(token)].bytes;
    if (range.end <= bytes.at(0).get<std::uint32_t>() || range.begin >= bytes.at(1).get<std::uint32_t>()) continue;
    if (word.first < 0) word.first = token;
    word.last = token;
  }
  return word;
}

std::vector<CellBlock> frames_of(const Told& told, const Json& line, const Encoding& encoding) {
  std::vector<CellBlock> frames;
  for (const Json& relation : line.at("relations")) {
    if (relation.at("relation") != told.relation) continue;
    const Words from = tokens_of(encoding, line.at("bytes")[relation.at("from").get<std::size_t>()]);
    const Words to = tokens_of(encoding, line.at("bytes")[relation.at("to").get<std::size_t>()]);
    const int query = told.from == "word" ? from.last : from.first - 1;
    if (query > to.last) frames.push_back({query, query + 1, to.first, to.last + 1, true});
  }
  return frames;
}

TEST(ToldHeads, AreFoundByRankFromTheirRelationAlone) {
  const std::vector<Told> told = told_heads();
  ASSERT_GE(told.size(), 3U);
  std::vector<std::map<HeadId, double>> sums(told.size());
  Pipeline pipeline(1);
  ThreadPool pool(1);
  SilentProgress progress;
  std::ifstream file(models() / "held_out.jsonl");
  std::string text;
  std::getline(file, text);  // what the lines have in common
  for (int number = 0; number < 240 && std::getline(file, text); ++number) {
    const Json line = parse_json(text, "held_out.jsonl");
    Query query;
    query.model.name = (models() / "story-gpt").string();
    query.text = line.at("text").get<std::string>();
    std::shared_ptr<const Snapshot> run;
    for (std::size_t at = 0; at < told.size(); ++at) {
      const auto asks = [&](const Json& relation) { return relation.at("relation") == told[at].relation; };
      if (std::none_of(line.at("relations").begin(), line.at("relations").end(), asks)) continue;
      if (!run) run = pipeline.run(query, progress);
      const std::vector<CellBlock> frames = frames_of(told[at], line, *run->encoding);
      if (frames.empty()) continue;
      const HeadQuestion question = question_of_cells(frames, tokens_of(*run, 0));
      for (const RankedHead& head : rank_heads(*run, question, pool, progress).heads) sums[at][head.head] += head.mass;
    }
  }
  for (std::size_t at = 0; at < told.size(); ++at) {
    ASSERT_TRUE(sums[at].contains(told[at].head)) << told[at].relation;
    const double own = sums[at].at(told[at].head);
    const auto better = std::count_if(sums[at].begin(), sums[at].end(), [&](const auto& head) { return head.second > own; });
    std::printf("%s, from the %s: L%dH%d is number %d\n", told[at].relation.c_str(), told[at].from.c_str(), told[at].head.layer,
                told[at].head.head, static_cast<int>(better) + 1);
    EXPECT_EQ(better, 0) << told[at].relation << ", from the " << told[at].from;
  }
}

/// The two heads that a pattern by name tells of, each in the card's own sentence.
TEST(ToldHeads, OfAPatternAreFoundByItsName) {
  const Json card = parse_json(testing::bytes_of(models() / "story-gpt" / "card.json"), "card.json");
  Pipeline pipeline(1);
  ThreadPool pool(1);
  SilentProgress progress;
  int found = 0;
  for (const Json& told : card.at("heads")) {
    const bool is_previous = told.at("measure") == "previous token";
    if (!is_previous && told.at("measure") != "prefix matching") continue;
    Query query;
    query.model.name = (models() / "story-gpt").string();
    query.text = told.at("text").get<std::string>();
    const HeadQuestion question = question_of(is_previous ? TargetPattern::previous : TargetPattern::induction);
    const HeadRanking ranking = rank_heads(*pipeline.run(query, progress), question, pool, progress);
    ASSERT_FALSE(ranking.heads.empty());
    EXPECT_EQ(ranking.heads.front().head, (HeadId{told.at("layer").get<int>(), told.at("head").get<int>()})) << told.at("name");
    EXPECT_GT(ranking.heads.front().lift(), 3);
    ++found;
  }
  EXPECT_EQ(found, 2);
}

}  // namespace
}  // namespace headlight
