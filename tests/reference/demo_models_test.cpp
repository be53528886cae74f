// The models under assets/models do what their cards say: every figure again from the shipped weights, through the one door, on the text
// that the generator writes.
#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"
#include "tests/reference/card_measures.h"
#include "tests/reference/recorded.h"

namespace headlight {
namespace {

using testing::Mean;
using testing::offset_mass;
using testing::prefix_matching;
using testing::strongest_word;
using testing::uniform_prefix_matching;

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

/// Three digits, a half upwards.
std::string three(double value) {
  return fmt::format("{:.3f}", std::floor(value * 1000 + 0.5 + 1e-9) / 1000);
}

std::string head_text(const Json& card) {
  return fmt::format("L{}H{}", card.at("layer").get<int>(), card.at("head").get<int>());
}

/// One figure of card.json while it is computed again.
struct Figure {
  Json card;
  bool is_chosen = true;  ///< the best head where heads are chosen; else one that the card names by hand
  Mean mean = {};
  std::map<HeadId, Mean> choosing = {};  ///< every head, where heads are chosen
  std::map<int, int> distances = {};     ///< of a relation: key − query, and how often

  std::string measure() const { return card.at("measure").get<std::string>(); }
  bool has_head() const { return card.contains("head"); }
  HeadId head() const { return {card.at("layer").get<int>(), card.at("head").get<int>()}; }
  bool is_share() const { return measure() == "relation" || !has_head(); }
  std::string name() const {
    if (measure() != "relation") return measure();
    return card.at("relation").get<std::string>() + ", from the " + card.at("query").get<std::string>();
  }
  /// Its line of README.md.
  std::string row() const {
    const std::string baseline = card.contains("baseline") ? three(card.at("baseline").get<double>()) : "";
    const auto number = [&](const char* field) { return card.contains(field) ? card.at(field).dump() : ""; };
    return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name(), has_head() ? head_text(card) : "",
                       three(card.at("value").get<double>()), baseline, number("offset"), number("cases"));
  }
};

/// A head that a card names by hand has the measure by its name: "far subject, from the word before".
Figure figure_of_named(const Json& named) {
  Figure figure{.card = named, .is_chosen = false};
  const auto name = named.at("measure").get<std::string>();
  const std::string_view between = ", from the ";
  if (const std::size_t at = name.find(between); at != std::string::npos) {
    figure.card["measure"] = "relation";
    figure.card["relation"] = name.substr(0, at);
    figure.card["query"] = name.substr(at + between.size());
  }
  return figure;
}

class DemoModel : public ::testing::Test {
 protected:
  void open(const std::string& name) {
    name_ = name;
    const Json card = testing::read_json(models() / name / "card.json");
    for (const Json& figure : card.at("figures")) figures_.push_back({.card = figure});
    for (const Json& named : card.at("heads")) figures_.push_back(figure_of_named(named));
    ASSERT_FALSE(figures_.empty());
    check_sentences(card.at("heads"));
  }

  std::shared_ptr<const Snapshot> run(const std::string& text, std::vector<std::int64_t> ids = {}, std::vector<HeadId> switched_off = {}) {
    Query query;
    query.model.name = (models() / name_).string();
    query.text = text;
    query.ids = std::move(ids);
    query.switched_off = std::move(switched_off);
    return pipeline_.run(query, progress_);
  }

  /// The weight that a card's head gives from one word of its sentence to another, and the line of README.md that says so.
  void check_sentences(const Json& heads) {
    const std::string readme = testing::bytes_of(models() / name_ / "README.md");
    for (const Json& head : heads) {
      const auto snapshot = run(head.at("text").get<std::string>());
      const auto query = head.at("query").get<Index>(), key = head.at("key").get<Index>();
      for (const auto& [field, at] : {std::pair("from", query), std::pair("to", key)}) {
        EXPECT_EQ(snapshot->model->tokenizer->label(snapshot->encoding->tokens.at(static_cast<std::size_t>(at))).text, head.at(field))
            << head;
      }
      const Matrix weights = snapshot->maps({head.at("layer").get<int>(), head.at("head").get<int>()}).weights;
      EXPECT_NEAR(weights(query, key), head.at("weight").get<double>(), 1e-4) << head;
      const auto text = [&](const char* field) { return head.at(field).get<std::string>(); };
      const std::string row =
          fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", head_text(head), text("name"), text("text"), text("from"), text("to"),
                      three(head.at("weight").get<double>()), text("measure"), three(head.at("value").get<double>()));
      EXPECT_NE(readme.find(row), std::string::npos) << "README.md does not show " << row;
    }
  }

  Matrix logits(const Snapshot& snapshot) {
    return compute_logits(*snapshot.model, *snapshot.trace.final_hidden.whole(), pipeline_.pool());
  }

  void add_held_out() {
    for (const auto& [file, is_choosing] : {std::pair("choosing.jsonl", true), std::pair("held_out.jsonl", false)}) {
      const std::vector<Json> lines = read_lines(models() / file);
      for (std::size_t at = 1; at < lines.size(); ++at) add_passage(lines.front(), lines[at], is_choosing);
    }
  }

  /// `add(head, mean, is_measured)`: where heads are chosen for every one, else for the figure's own.
  template <typename Add>
  static void add_to(Figure& figure, const Snapshot& snapshot, bool is_choosing, Add add) {
    if (!is_choosing) {
      add(figure.head(), figure.mean, true);
      return;
    }
    for (int layer = 0; figure.is_chosen && layer < snapshot.layers(); ++layer) {
      for (int head = 0; head < snapshot.heads(); ++head) add(HeadId{layer, head}, figure.choosing[{layer, head}], false);
    }
  }

  /// Every word is one token, the first after a special one: word w is token w + 1. False where it is not.
  static bool words_are_tokens(const Snapshot& snapshot, const Json& line) {
    const auto& tokens = snapshot.encoding->tokens;
    const Json& words = line.at("bytes");
    if (tokens.size() < words.size() + 1) return false;
    for (std::size_t word = 0; word < words.size(); ++word) {
      if (tokens[word + 1].bytes.end != words[word].at(1).get<std::size_t>()) return false;
    }
    return tokens.size() == words.size() + (snapshot.model->config.mask.is_causal ? 1 : 2);
  }

  void add_passage(const Json& header, const Json& line, bool is_choosing) {
    const auto snapshot = run(line.at("text").get<std::string>());
    ASSERT_TRUE(words_are_tokens(*snapshot, line)) << line.at("text");
    const Matrix scores = logits(*snapshot);
    std::map<HeadId, Matrix> weights;
    for (int layer = 0; layer < snapshot->layers(); ++layer) {
      for (int head = 0; head < snapshot->heads(); ++head) weights[{layer, head}] = snapshot->maps({layer, head}).weights;
    }
    for (Figure& figure : figures_) {
      if (figure.measure() == "accepted") {
        if (!is_choosing) add_accepted(figure, *snapshot, scores, header, line);
      } else if (figure.measure() == "right form") {
        if (!is_choosing) add_right_forms(figure, *snapshot, scores, line);
      } else if (figure.measure() != "prefix matching") {
        add_to(figure, *snapshot, is_choosing, [&](HeadId head, Mean& mean, bool is_measured) {
          if (figure.measure() == "relation") {
            add_relations(figure, mean, weights.at(head), line, is_measured);
          } else {
            mean.add(mass(figure, weights.at(head), snapshot->model->config.mask.is_causal));
          }
        });
      }
    }
  }

  static double mass(const Figure& figure, const Matrix& weights, bool is_causal) {
    if (figure.measure() == "previous token") return offset_mass(weights, -1);
    if (figure.measure() == "next token") return offset_mass(weights, 1);
    if (figure.measure() == "separator") return weights.col(weights.cols() - 1).cast<double>().mean();
    EXPECT_EQ(figure.measure(), "first token");
    return weights.col(0).tail(weights.rows() - (is_causal ? 1 : 0)).cast<double>().mean();
  }

  static void add_relations(Figure& figure, Mean& mean, const Matrix& weights, const Json& line, bool is_measured) {
    const std::string from = figure.card.at("query").get<std::string>();
    for (const Json& relation : line.at("relations")) {
      if (relation.at("relation") != figure.card.at("relation")) continue;
      Index query = relation.at("from").get<Index>() + 1, key = relation.at("to").get<Index>() + 1;
      if (from == "word before") --query;
      if (from == "earlier word") std::swap(query, key);
      if (query == key) continue;
      if (is_measured) ++figure.distances[static_cast<int>(key - query)];
      mean.add(strongest_word(weights, query, std::ssize(line.at("words"))) == key ? 1 : 0);
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
      if (!snapshot.model->config.mask.is_causal) {
        std::vector<std::int64_t> masked = ids;
        masked[word + 1] = id_of("[MASK]");
        row = logits(*run("", masked)).row(static_cast<Index>(word + 1));
      }
      figure.mean.add(row(ids[word + 1]) > row(id_of(contrast.at("wrong").get<std::string>())) ? 1 : 0);
    }
  }

  /// texts: of lists said four times; count: tokens of a list.
  void add_repeated(const std::vector<std::string>& texts, Index count, bool is_choosing) {
    for (const std::string& text : texts) {
      const auto snapshot = run(text);
      ASSERT_EQ(snapshot->tokens(), 1 + 4 * count) << text;
      for (Figure& figure : figures_) {
        if (figure.measure() != "prefix matching") continue;
        add_to(figure, *snapshot, is_choosing,
               [&](HeadId head, Mean& mean, bool) { mean.add(prefix_matching(snapshot->maps(head).weights, count)); });
      }
    }
  }

  /// Masses to 0.001. Shares to one case: where two keys or words are all but equal, rounding may choose the other.
  void compare() {
    const std::string readme = testing::bytes_of(models() / name_ / "README.md");
    for (const Figure& figure : figures_) {
      const double slack = figure.is_share() ? 1.0 / figure.mean.count + 1e-6 : 1e-3;
      EXPECT_NEAR(figure.mean.value(), figure.card.at("value").get<double>(), slack) << figure.card;
      if (!figure.is_chosen) continue;
      EXPECT_TRUE(!figure.is_share() || figure.card.at("cases") == figure.mean.count) << figure.card;
      if (figure.measure() == "relation") compare_baseline(figure);
      for (const auto& [head, mean] : figure.choosing) {
        EXPECT_LE(mean.value(), figure.choosing.at(figure.head()).value() + (figure.is_share() ? 1.0 / mean.count : 1e-3)) << figure.card;
      }
      EXPECT_NE(readme.find(figure.row()), std::string::npos) << "README.md does not show " << figure.row();
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
      if (figure.measure() == measure && figure.is_chosen) return figure.mean.value();
    }
    return -1;
  }

  /// By how much the best head of a relation beats the best fixed distance.
  double best_lead() const {
    double lead = -1;
    for (const Figure& figure : figures_) {
      if (figure.measure() == "relation" && figure.is_chosen)
        lead = std::max(lead, figure.mean.value() - figure.card.at("baseline").get<double>());
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
  const std::vector<std::string> lists = repeated_words();
  add_repeated({lists.begin(), lists.begin() + 10}, 25, true);
  add_repeated({lists.begin() + 10, lists.end()}, 25, false);
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
    for (Figure& figure : figures_) {
      if (figure.measure() == "previous token") figure.mean.add(offset_mass(run(texts.back())->maps(figure.head()).weights, -1));
    }
  }
  add_repeated(texts, 25, false);
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
  const std::string script = "python3 '" + (models() / "make" / "story.py").string() + "' ";
  if (output_of("python3 -c 'print(1)'").empty()) GTEST_SKIP() << "this machine has no python3";
  EXPECT_EQ(output_of(script + "--seed 7 --passages 160 --labels"), testing::bytes_of(models() / "held_out.jsonl"));
  EXPECT_EQ(output_of(script + "--seed 8 --passages 160 --labels"), testing::bytes_of(models() / "choosing.jsonl"));
  EXPECT_EQ(output_of(script + "--seed 7 --repeated 20"), testing::bytes_of(models() / "repeated.jsonl"));
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
