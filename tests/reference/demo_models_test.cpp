// The models under assets/models do what their cards say: every figure again from the shipped weights, through the one door, on the text
// that the generator writes.
#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "engine/attention/forward.h"
#include "engine/pipeline.h"
#include "tests/reference/recorded.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

const fs::path& models() {
  static const fs::path kFolder = fs::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models";
  return kFolder;
}

std::vector<Json> read_lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(parse_json(line, path.string()));
  return lines;
}

/// What a command prints; empty where it cannot be run.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string output;
  std::array<char, 4096> part;
  for (std::size_t count = 0; pipe && (count = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;) output.append(part.data(), count);
  return output;
}

/// Sum and count; the mean is what a card says.
struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const { return count == 0 ? -1 : sum / count; }
};

/// One figure of card.json while it is computed again.
struct Figure {
  Json card;
  Mean mean;
  std::map<int, int> distances;  ///< of a relation: key − query, and how often

  std::string name() const { return card.at("measure").get<std::string>(); }
  HeadId head() const { return {card.at("layer").get<int>(), card.at("head").get<int>()}; }
};

/// Mean weight at one distance, of the rows that have such a key (metrics 2.1).
double offset_mass(const Matrix& weights, Index offset) {
  Mean mean;
  for (Index query = 0; query < weights.rows(); ++query) {
    if (query + offset >= 0 && query + offset < weights.cols()) mean.add(weights(query, query + offset));
  }
  return mean.value();
}

/// Weight on what followed earlier copies of the query's token; tokens: the first, then four times `count` (metrics 3.4).
double prefix_matching(const Matrix& weights, Index count) {
  Mean mean;
  for (Index query = 1 + count; query < weights.rows(); ++query) {
    double found = 0;
    for (Index copy = query - count; copy >= 1; copy -= count) found += weights(query, copy + 1);
    mean.add(found);
  }
  return mean.value();
}

/// The same for a head that looks at all it may see alike.
double uniform_prefix_matching(Index count) {
  Matrix weights = Matrix::Zero(1 + 4 * count, 1 + 4 * count);
  for (Index query = 0; query < weights.rows(); ++query) weights.row(query).head(query + 1).setConstant(1 / static_cast<float>(query + 1));
  return prefix_matching(weights, count);
}

/// The key with the most weight among the words (tokens 1 … words), the query left out (metrics 7.8).
Index strongest_word(const Matrix& weights, Index query, Index words) {
  Index best = query == 1 ? 2 : 1;
  for (Index key = best; key <= words; ++key) {
    if (key != query && weights(query, key) > weights(query, best)) best = key;
  }
  return best;
}

class DemoModel : public ::testing::Test {
 protected:
  void open(const std::string& name) {
    name_ = name;
    const Json card = testing::read_json(models() / name / "card.json");
    for (const Json& figure : card.at("figures")) figures_.emplace_back().card = figure;
    ASSERT_FALSE(figures_.empty());
  }

  std::shared_ptr<const Snapshot> run(const std::string& text, std::vector<std::int64_t> ids = {}, std::vector<HeadId> silenced = {}) {
    Query query;
    query.model.name = (models() / name_).string();
    query.text = text;
    query.ids = std::move(ids);
    query.silenced = std::move(silenced);
    return pipeline_.run(query, progress_);
  }

  Matrix logits(const Snapshot& snapshot) { return compute_logits(*snapshot.model, snapshot.trace.final_hidden, pipeline_.pool()); }

  void add_held_out() {
    const std::vector<Json> lines = read_lines(models() / "held_out.jsonl");
    for (std::size_t at = 1; at < lines.size(); ++at) add_passage(lines.front(), lines[at]);
  }

  /// Every word is one token, the first after a special one: word w is token w + 1. False where it is not.
  static bool words_are_tokens(const Snapshot& snapshot, const Json& line) {
    const auto& tokens = snapshot.encoding->tokens;
    const Json& words = line.at("bytes");
    if (tokens.size() < words.size() + 1) return false;
    for (std::size_t word = 0; word < words.size(); ++word) {
      if (tokens[word + 1].bytes.end != words[word].at(1).get<std::size_t>()) return false;
    }
    return tokens.size() == words.size() + (snapshot.model->config.is_causal ? 1 : 2);
  }

  void add_passage(const Json& header, const Json& line) {
    const auto snapshot = run(line.at("text").get<std::string>());
    ASSERT_TRUE(words_are_tokens(*snapshot, line)) << line.at("text");
    const Matrix scores = logits(*snapshot);
    for (Figure& figure : figures_) {
      if (figure.name() == "relation") {
        add_relations(figure, *snapshot, line);
      } else if (figure.name() == "accepted") {
        add_accepted(figure, *snapshot, scores, header, line);
      } else if (figure.name() == "right form") {
        add_right_forms(figure, *snapshot, scores, line);
      } else if (figure.name() != "prefix matching") {
        figure.mean.add(mass(figure, snapshot->maps(figure.head()).weights, snapshot->model->config.is_causal));
      }
    }
  }

  static double mass(const Figure& figure, const Matrix& weights, bool is_causal) {
    if (figure.name() == "previous token") return offset_mass(weights, -1);
    if (figure.name() == "next token") return offset_mass(weights, 1);
    if (figure.name() == "separator") return weights.col(weights.cols() - 1).cast<double>().mean();
    EXPECT_EQ(figure.name(), "first token");
    return weights.col(0).tail(weights.rows() - (is_causal ? 1 : 0)).cast<double>().mean();
  }

  static void add_relations(Figure& figure, const Snapshot& snapshot, const Json& line) {
    const std::string from = figure.card.at("query").get<std::string>();
    const Matrix weights = snapshot.maps(figure.head()).weights;
    for (const Json& relation : line.at("relations")) {
      if (relation.at("relation") != figure.card.at("relation")) continue;
      Index query = relation.at("from").get<Index>() + 1, key = relation.at("to").get<Index>() + 1;
      if (from == "word before") --query;
      if (from == "earlier word") std::swap(query, key);
      if (query == key) continue;
      ++figure.distances[static_cast<int>(key - query)];
      figure.mean.add(strongest_word(weights, query, std::ssize(line.at("words"))) == key ? 1 : 0);
    }
  }

  static void add_accepted(Figure& figure, const Snapshot& snapshot, const Matrix& scores, const Json& header, const Json& line) {
    for (std::size_t word = 0; word < line.at("words").size(); ++word) {
      const auto accepted = header.at("sets").at(line.at("accepted")[word].get<std::size_t>()).get<std::set<std::string>>();
      if (accepted.contains("<end>") || accepted.size() * 10 > header.at("vocabulary").get<std::size_t>()) continue;
      Index likeliest = 0;
      scores.row(static_cast<Index>(word)).maxCoeff(&likeliest);
      std::string told = snapshot.model->tokenizer->token_of(likeliest).value_or("");
      if (told.starts_with("Ġ")) told.erase(0, std::string_view("Ġ").size());
      figure.mean.add(accepted.contains(told) ? 1 : 0);
    }
  }

  /// A causal model tells a verb from what is before it, a masked one with [MASK] in its place.
  void add_right_forms(Figure& figure, const Snapshot& snapshot, const Matrix& scores, const Json& line) {
    const Tokenizer& tokenizer = *snapshot.model->tokenizer;
    const auto id_of = [&](const std::string& text) {
      return tokenizer.encode(text, std::nullopt, {.adds_special = false}).tokens.at(0).id;
    };
    std::vector<std::int64_t> ids;
    for (const Token& token : snapshot.encoding->tokens) ids.push_back(token.id);
    for (const Json& contrast : line.at("contrasts")) {
      const auto word = contrast.at("word").get<std::size_t>();
      RowVector row = scores.row(static_cast<Index>(word));
      if (!snapshot.model->config.is_causal) {
        std::vector<std::int64_t> masked = ids;
        masked[word + 1] = id_of("[MASK]");
        row = logits(*run("", masked)).row(static_cast<Index>(word + 1));
      }
      figure.mean.add(row(ids[word + 1]) > row(id_of(contrast.at("wrong").get<std::string>())) ? 1 : 0);
    }
  }

  /// texts: of lists said four times; count: tokens of a list.
  void add_repeated(const std::vector<std::string>& texts, Index count) {
    for (const std::string& text : texts) {
      const auto snapshot = run(text);
      ASSERT_EQ(snapshot->tokens(), 1 + 4 * count) << text;
      for (Figure& figure : figures_) {
        if (figure.name() == "prefix matching") figure.mean.add(prefix_matching(snapshot->maps(figure.head()).weights, count));
      }
    }
  }

  /// Masses to 0.001. Shares to one case: where two keys or words are all but equal, rounding may choose the other.
  void compare() {
    const std::string readme = testing::bytes_of(models() / name_ / "README.md");
    for (const Figure& figure : figures_) {
      const double said = figure.card.at("value").get<double>();
      const bool is_share = figure.card.contains("cases");
      EXPECT_NEAR(figure.mean.value(), said, is_share ? 1.0 / figure.mean.count + 1e-4 : 1e-3) << figure.card;
      EXPECT_TRUE(!is_share || figure.card.at("cases") == figure.mean.count) << figure.card;
      if (figure.name() == "relation") compare_baseline(figure);
      EXPECT_NE(readme.find(fmt::format(" | {:.3f} |", said)), std::string::npos) << "README.md does not show " << figure.card;
    }
  }

  /// The one distance that is right most often.
  static void compare_baseline(const Figure& figure) {
    int most = 0;
    for (const auto& [distance, count] : figure.distances) most = std::max(most, count);
    EXPECT_NEAR(static_cast<double>(most) / figure.mean.count, figure.card.at("baseline").get<double>(), 1e-4) << figure.card;
    EXPECT_EQ(figure.distances.at(figure.card.at("offset").get<int>()), most) << figure.card;
  }

  double value_of(const std::string& measure) const {
    for (const Figure& figure : figures_) {
      if (figure.name() == measure) return figure.mean.value();
    }
    return -1;
  }

  /// By how much the best head of a relation beats the best fixed distance.
  double best_lead() const {
    double lead = -1;
    for (const Figure& figure : figures_) {
      if (figure.name() == "relation") lead = std::max(lead, figure.mean.value() - figure.card.at("baseline").get<double>());
    }
    return lead;
  }

  std::string name_;
  std::vector<Figure> figures_;
  Pipeline pipeline_;
  SilentProgress progress_;
};

/// Lists of the generator as one text each, every list four times.
std::vector<std::string> repeated_words() {
  std::vector<std::string> texts;
  for (const Json& line : read_lines(models() / "repeated.jsonl")) {
    std::string once;
    for (const Json& word : line.at("words")) once += " " + word.get<std::string>();
    texts.push_back((once + once + once + once).substr(1));
  }
  return texts;
}

TEST_F(DemoModel, StoryGptDoesWhatItsCardSays) {
  open("story-gpt");
  add_held_out();
  add_repeated(repeated_words(), 25);
  compare();
  EXPECT_GE(value_of("previous token"), 0.9);
  EXPECT_GE(value_of("prefix matching"), 0.7);
  EXPECT_GE(value_of("accepted"), 0.9);
  EXPECT_GE(value_of("right form"), 0.95);
  EXPECT_GE(best_lead(), 0.2);
}

TEST_F(DemoModel, StoryBertDoesWhatItsCardSays) {
  open("story-bert");
  add_held_out();
  compare();
  EXPECT_GE(value_of("right form"), 0.95);
  EXPECT_GE(best_lead(), 0.2);
}

TEST_F(DemoModel, InductionByHandLooksAtWhatFollowedAnEarlierCopy) {
  open("induction-by-hand");
  std::vector<std::string> texts;
  for (const Json& line : read_lines(models() / name_ / "repeated.jsonl")) {
    const auto once = line.at("letters").get<std::string>();
    texts.push_back(once + once + once + once);
    Figure& previous = figures_.front();
    ASSERT_EQ(previous.name(), "previous token");
    previous.mean.add(offset_mass(run(texts.back())->maps(previous.head()).weights, -1));
  }
  add_repeated(texts, 25);
  compare();
  EXPECT_GE(value_of("previous token"), 0.99);
  EXPECT_GE(value_of("prefix matching"), 0.99);
}

/// Layer 1 reads what L0H0 wrote in its keys alone, so without that head its K path is cut.
TEST_F(DemoModel, InductionByHandFallsToChanceWhenItsKPathIsCut) {
  open("induction-by-hand");
  Mean whole, cut;
  for (const Json& line : read_lines(models() / name_ / "repeated.jsonl")) {
    const auto once = line.at("letters").get<std::string>();
    whole.add(prefix_matching(run(once + once + once + once)->maps({1, 0}).weights, 25));
    cut.add(prefix_matching(run(once + once + once + once, {}, {{0, 0}})->maps({1, 0}).weights, 25));
  }
  EXPECT_GE(whole.value(), 0.99);
  EXPECT_LE(cut.value(), uniform_prefix_matching(25));
}

TEST(DemoModels, AreTestedOnWhatTheGeneratorWrites) {
  const std::string script = "python3 '" + (models() / "make" / "story.py").string() + "' --seed 7 ";
  if (output_of("python3 -c 'print(1)'").empty()) GTEST_SKIP() << "this machine has no python3";
  EXPECT_EQ(output_of(script + "--passages 160 --labels"), testing::bytes_of(models() / "held_out.jsonl"));
  EXPECT_EQ(output_of(script + "--repeated 20"), testing::bytes_of(models() / "repeated.jsonl"));
}

TEST(DemoModels, AreSmall) {
  std::uintmax_t total = 0;
  for (const char* name : {"story-gpt", "story-bert", "induction-by-hand"}) {
    std::uintmax_t size = 0;
    for (const auto& entry : fs::directory_iterator(models() / name)) size += entry.file_size();
    EXPECT_LT(size, 4'000'000U) << name;
    total += size;
  }
  EXPECT_LT(total, 12'000'000U);
}

}  // namespace
}  // namespace headlight
