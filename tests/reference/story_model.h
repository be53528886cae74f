// A model that was trained on the generator's passages, measured on those held out, on its lists and on sentences that people typed.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/reference/demo_model.h"

namespace headlight::testing {

/// The tokens of a word.
struct WordTokens {
  Index first = 0, last = 0;
  bool contains(Index token) const { return token >= first && token <= last; }
};

/// The first token of words, told after some others. Encoded once for each word and each of three places.
class FirstTokens {
 public:
  explicit FirstTokens(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}
  std::int64_t of(const std::string& word, bool is_open, bool is_inside) {
    const bool is_mark = std::string_view(",.?!:'").find(word[0]) != std::string_view::npos;
    const bool is_glued = word == "\"" ? is_open : is_mark || is_inside;
    const std::string before = !is_glued ? "x " : is_inside && !is_mark && word != "\"" ? "\"" : "x";
    const auto [found, is_new] = known_.try_emplace({before, word});
    if (is_new) {
      for (const Token& token : tokenizer_.encode(before + word, std::nullopt, {.adds_special = false}).tokens) {
        if (token.bytes.end > before.size()) {
          found->second = token.id;
          break;
        }
      }
    }
    return found->second;
  }

 private:
  const Tokenizer& tokenizer_;
  std::map<std::pair<std::string, std::string>, std::int64_t> known_;
};

class StoryModel : public DemoModel {
 protected:
  void add_held_out() {
    for (const auto& [file, is_choosing] : {std::pair("choosing.jsonl", true), std::pair("held_out.jsonl", false)}) {
      const std::vector<Json> lines = read_lines(models() / file);
      for (std::size_t at = 1; at < lines.size(); ++at) add_passage(lines.front(), lines[at], is_choosing);
    }
  }

  void add_lists() {
    const std::vector<std::string> lists = repeated_words();
    add_repeated({lists.begin(), lists.begin() + 10}, 25, true);
    add_repeated({lists.begin() + 10, lists.end()}, 25, false);
  }

  /// Words stand one after another, the first after a special token; empty where tokens do not end where a word does.
  static std::vector<WordTokens> tokens_of_words(const Snapshot& snapshot, const Json& line) {
    const auto& tokens = snapshot.encoding->tokens;
    std::vector<WordTokens> words;
    std::size_t at = 1;
    for (const Json& bytes : line.at("bytes")) {
      const std::size_t first = at;
      while (at < tokens.size() && tokens[at].bytes.end < bytes.at(1).get<std::size_t>()) ++at;
      if (at == tokens.size() || tokens[at].bytes.end != bytes.at(1).get<std::size_t>()) return {};
      words.push_back({static_cast<Index>(first), static_cast<Index>(at++)});
    }
    const bool has_end = !snapshot.model->config.mask.is_causal;
    return at + (has_end ? 1 : 0) == tokens.size() ? words : std::vector<WordTokens>{};
  }

  void add_passage(const Json& header, const Json& line, bool is_choosing) {
    const auto snapshot = run(line.at("text").get<std::string>());
    const std::vector<WordTokens> words = tokens_of_words(*snapshot, line);
    ASSERT_FALSE(words.empty()) << line.at("text");
    const Matrix scores = is_choosing ? Matrix() : logits(*snapshot);
    std::map<HeadId, Matrix> weights;
    for (int layer = 0; layer < snapshot->layers(); ++layer) {
      for (int head = 0; head < snapshot->heads(); ++head) weights[{layer, head}] = snapshot->maps({layer, head}).weights;
    }
    for (Figure& figure : figures_) {
      if (figure.measure() == "accepted") {
        if (!is_choosing) add_accepted(figure, *snapshot, scores, header, line, words);
      } else if (figure.measure() == "right form") {
        if (!is_choosing) add_right_forms(figure, *snapshot, scores, line, words);
      } else if (figure.measure() == "relation") {
        if (!is_choosing) add_distances(figure, line, words);
        add_to(figure, *snapshot, is_choosing,
               [&](HeadId head, Mean& mean) { add_relations(figure, mean, weights.at(head), line, words); });
      } else if (figure.has_head() && figure.measure() != "prefix matching") {
        const bool is_causal = snapshot->model->config.mask.is_causal;
        add_to(figure, *snapshot, is_choosing, [&](HeadId head, Mean& mean) { mean.add(mass(figure, weights.at(head), is_causal)); });
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

  /// Each case of a figure's relation: the row to look at, and the tokens that are right.
  template <typename Add>
  static void each_case(const Figure& figure, const Json& line, const std::vector<WordTokens>& words, Add add) {
    const std::string from = figure.card.at("query").get<std::string>();
    for (const Json& relation : line.at("relations")) {
      if (relation.at("relation") != figure.card.at("relation")) continue;
      const WordTokens later = words.at(relation.at("from").get<std::size_t>()), earlier = words.at(relation.at("to").get<std::size_t>());
      if (from == "earlier word") {
        add(earlier.last, later);
      } else if (from == "word") {
        add(later.last, earlier);
      } else if (later.first - 1 > earlier.last) {
        add(later.first - 1, earlier);
      }
    }
  }

  static void add_relations(const Figure& figure, Mean& mean, const Matrix& weights, const Json& line,
                            const std::vector<WordTokens>& words) {
    each_case(figure, line, words,
              [&](Index query, WordTokens right) { mean.add(right.contains(strongest_word(weights, query, words.back().last)) ? 1 : 0); });
  }

  static void add_distances(Figure& figure, const Json& line, const std::vector<WordTokens>& words) {
    each_case(figure, line, words, [&](Index query, WordTokens right) {
      for (Index key = right.first; key <= right.last; ++key) ++figure.distances[key - query];
    });
  }

  void add_accepted(Figure& figure, const Snapshot& snapshot, const Matrix& scores, const Json& header, const Json& line,
                    const std::vector<WordTokens>& words) {
    if (!first_tokens_) first_tokens_.emplace(*snapshot.model->tokenizer);
    bool is_open = false;
    for (std::size_t word = 0; word < words.size(); ++word) {
      const bool is_inside = is_open && line.at("words")[word - 1] == "\"";
      if (!line.at("accepted")[word].is_null()) {
        Index likeliest = 0;
        scores.row(words[word].first - 1).maxCoeff(&likeliest);
        figure.whole.add(accepts(header, line.at("accepted")[word].get<std::size_t>(), likeliest, is_open, is_inside) ? 1 : 0);
      }
      is_open ^= line.at("words")[word] == "\"";
    }
  }

  bool accepts(const Json& header, std::size_t set, std::int64_t token, bool is_open, bool is_inside) {
    for (const Json& group : header.at("sets").at(set)) {
      std::istringstream told(header.at("groups").at(group.get<std::size_t>()).get<std::string>());
      for (std::string word; std::getline(told, word, ' ');) {
        if (first_tokens_->of(word, is_open, is_inside) == token) return true;
      }
    }
    return false;
  }

  /// Verbs whose two forms are one token each. A causal model tells a verb from what is before it, a masked one with [MASK] in its place.
  void add_right_forms(Figure& figure, const Snapshot& snapshot, const Matrix& scores, const Json& line,
                       const std::vector<WordTokens>& words) {
    const Tokenizer& tokenizer = *snapshot.model->tokenizer;
    const auto ids_of = [&](const std::string& text) { return tokenizer.encode(text, std::nullopt, {.adds_special = false}).tokens; };
    std::vector<std::int64_t> ids;
    for (const Token& token : snapshot.encoding->tokens) ids.push_back(token.id);
    for (const Json& contrast : line.at("contrasts")) {
      const auto at = contrast.at("word").get<std::size_t>();
      const auto wrong = ids_of(contrast.at("wrong").get<std::string>());
      const auto place = static_cast<std::size_t>(words[at].first);
      if (words[at].first != words[at].last || wrong.size() != 1 || (at > 0 && line.at("words")[at - 1] == "\"")) continue;
      RowVector row = scores.row(words[at].first - 1);
      if (!snapshot.model->config.mask.is_causal) {
        std::vector<std::int64_t> masked = ids;
        masked[place] = ids_of("[MASK]").at(0).id;
        row = logits(*run("", masked)).row(words[at].first);
      }
      figure.whole.add(row(ids[place]) > row(wrong.front().id) ? 1 : 0);
    }
  }

  /// The sentences that people typed: −log probability of every token after the first.
  void add_typed() {
    std::ifstream file(models() / "make" / "typed.txt");
    for (std::string text; std::getline(file, text);) {
      const auto snapshot = run(text);
      const Matrix scores = logits(*snapshot);
      for (Figure& figure : figures_) {
        if (figure.measure() != "typed loss") continue;
        for (Index token = 1; token < snapshot->tokens(); ++token) {
          const auto row = scores.row(token - 1).cast<double>();
          const double top = row.maxCoeff(), all = top + std::log((row.array() - top).exp().sum());
          figure.whole.add(all - row(snapshot->encoding->tokens[static_cast<std::size_t>(token)].id));
        }
      }
    }
  }

  /// Lists of the generator as one text each, every list four times.
  static std::vector<std::string> repeated_words() {
    std::vector<std::string> texts;
    for (const Json& line : read_lines(models() / "repeated.jsonl")) {
      std::string once;
      for (const Json& word : line.at("words")) once += " " + word.get<std::string>();
      texts.push_back((once + once + once + once).substr(1));
    }
    return texts;
  }

  std::optional<FirstTokens> first_tokens_;
};

}  // namespace headlight::testing
