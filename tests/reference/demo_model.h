// A model of assets/models, run through the one door, and its card: what the tests of every such model share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"
#include "tests/reference/card_figures.h"
#include "tests/testing.h"

namespace headlight::testing {

inline const std::filesystem::path& models() {
  static const std::filesystem::path kFolder = std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models";
  return kFolder;
}

inline std::vector<Json> read_lines(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(parse_json(line, path.string()));
  return lines;
}

/// Weights that were never trained: the numbers of each tensor in another order, number i from place i · 1000003 of as many.
inline void shuffle_weights(const std::filesystem::path& from, const std::filesystem::path& to) {
  constexpr std::size_t kStride = 1000003, kWidth = 2;
  std::string bytes = bytes_of(from);
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, bytes.data(), sizeof header_size);
  const std::size_t start = sizeof header_size + header_size;
  const Json header = parse_json(bytes.substr(sizeof header_size, header_size), from.string());
  const std::string before = bytes;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    ASSERT_EQ(tensor.at("dtype"), "F16");
    const std::size_t begin = start + tensor.at("data_offsets").at(0).get<std::size_t>();
    const std::size_t count = (start + tensor.at("data_offsets").at(1).get<std::size_t>() - begin) / kWidth;
    for (std::size_t at = 0; at < count; ++at)
      bytes.replace(begin + at * kWidth, kWidth, before, begin + at * kStride % count * kWidth, kWidth);
  }
  std::ofstream(to, std::ios::binary) << bytes;
}

class DemoModel : public ::testing::Test {
 protected:
  void open(const std::string& name) {
    name_ = name;
    folder_ = models() / name;
    const Json card = read_json(folder_ / "card.json");
    for (const Json& figure : card.at("figures")) figures_.push_back({.card = figure});
    for (const Json& named : card.at("heads")) figures_.push_back(figure_of_named(named));
    ASSERT_FALSE(figures_.empty());
    check_sentences(card.at("heads"));
    if (card.contains("relations")) check_relations(card.at("relations"));
  }

  /// The same figures of shuffled weights.
  void open_untrained(const std::string& name) {
    name_ = name;
    folder_ = scratch_.path();
    for (const char* file : {"config.json", "tokenizer.json"})
      std::filesystem::copy_file(models() / name / file, folder_ / file, std::filesystem::copy_options::overwrite_existing);
    shuffle_weights(models() / name / "model.safetensors", folder_ / "model.safetensors");
    const Json card = read_json(models() / name / "card.json");
    for (const Json& figure : card.at("figures")) figures_.push_back({.card = figure});
  }

  std::shared_ptr<const Snapshot> run(const std::string& text, std::vector<std::int64_t> ids = {}, std::vector<HeadId> switched_off = {}) {
    Query query;
    query.model.name = folder_.string();
    query.text = text;
    query.ids = std::move(ids);
    query.switched_off = std::move(switched_off);
    return pipeline_.run(query, progress_);
  }

  static std::string label_of(const Snapshot& snapshot, Index token) {
    return snapshot.model->tokenizer->label(snapshot.encoding->tokens.at(static_cast<std::size_t>(token))).text;
  }

  void expect_in_readme(const std::string& row) {
    EXPECT_NE(bytes_of(folder_ / "README.md").find(row), std::string::npos) << "README.md does not show " << row;
  }

  /// The weight that a card's head gives from one word of its sentence to another, and the line of README.md that says so.
  void check_sentences(const Json& heads) {
    for (const Json& head : heads) {
      const auto snapshot = run(head.at("text").get<std::string>());
      const auto query = head.at("query").get<Index>(), key = head.at("key").get<Index>();
      EXPECT_EQ(label_of(*snapshot, query), head.at("from")) << head;
      EXPECT_EQ(label_of(*snapshot, key), head.at("to")) << head;
      const Matrix weights = snapshot->maps({head.at("layer").get<int>(), head.at("head").get<int>()}).weights;
      EXPECT_NEAR(weights(query, key), head.at("weight").get<double>(), 1e-4) << head;
      const auto text = [&](const char* field) { return head.at(field).get<std::string>(); };
      expect_in_readme(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", head_text(head), text("name"), text("text"), text("from"),
                                   text("to"), three(head.at("weight").get<double>()), text("measure"),
                                   three(head.at("value").get<double>())));
    }
  }

  /// The relations framed in the example sentences: for each the head that gives its cell the most weight.
  void check_relations(const Json& relations) {
    EXPECT_EQ(relations.size(), 6U);
    for (const Json& relation : relations) {
      const auto snapshot = run(relation.at("text").get<std::string>());
      const auto token_of = [&](const char* field) {
        for (Index token = 0; token < snapshot->tokens(); ++token) {
          if (label_of(*snapshot, token) == relation.at(field)) return token;
        }
        return Index{-1};
      };
      const Index query = token_of("from"), key = token_of("to");
      ASSERT_GE(std::min(query, key), 0) << relation;
      float most = 0;
      for (int layer = 0; layer < snapshot->layers(); ++layer) {
        for (int head = 0; head < snapshot->heads(); ++head) most = std::max(most, snapshot->maps({layer, head}).weights(query, key));
      }
      const HeadId head{relation.at("layer").get<int>(), relation.at("head").get<int>()};
      EXPECT_NEAR(most, relation.at("weight").get<double>(), 1e-4) << relation;
      EXPECT_NEAR(snapshot->maps(head).weights(query, key), most, 1e-4) << relation;
      const auto text = [&](const char* field) { return relation.at(field).get<std::string>(); };
      expect_in_readme(fmt::format("| {} | {} | {} | {} | {} | {} |\n", text("text"), text("from"), text("to"), text("label"),
                                   head_text(relation), three(relation.at("weight").get<double>())));
    }
  }

  Matrix logits(const Snapshot& snapshot) {
    return compute_logits(*snapshot.model, *snapshot.trace.final_hidden.whole(), pipeline_.pool());
  }

  /// `add(head, mean)`: for every head, or for the one that a card names by hand.
  template <typename Add>
  static void add_to(Figure& figure, const Snapshot& snapshot, bool is_choosing, Add add) {
    auto& means = is_choosing ? figure.choosing : figure.measured;
    if (!figure.is_chosen) return add(figure.head(), means[figure.head()]);
    for (int layer = 0; layer < snapshot.layers(); ++layer) {
      for (int head = 0; head < snapshot.heads(); ++head) add(HeadId{layer, head}, means[{layer, head}]);
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
               [&](HeadId head, Mean& mean) { mean.add(prefix_matching(snapshot->maps(head).weights, count)); });
      }
    }
  }

  /// Masses to 0.001. Shares to one case: where two keys or words are all but equal, rounding may choose the other.
  static double slack_of(const Figure& figure) { return figure.is_share() ? 1.0 / figure.mean().count + 1e-6 : 1e-3; }

  void compare() {
    for (const Figure& figure : figures_) {
      EXPECT_NEAR(figure.mean().value(), figure.card.at("value").get<double>(), slack_of(figure)) << figure.card;
      if (!figure.is_chosen) continue;
      EXPECT_TRUE(!figure.card.contains("cases") || figure.card.at("cases") == figure.mean().count) << figure.card;
      if (figure.measure() == "relation") compare_baseline(figure);
      for (const auto& [head, mean] : figure.choosing) {
        EXPECT_LE(mean.value(), figure.choosing.at(figure.head()).value() + (figure.is_share() ? 1.0 / mean.count : 1e-3)) << figure.card;
      }
      expect_in_readme(figure.row());
    }
  }

  /// What the card says of weights that were never trained: of a head that is the best of them where heads are chosen, or as good.
  void compare_untrained() {
    for (const Figure& figure : figures_) {
      const double told = figure.card.at("untrained").get<double>();
      if (!figure.has_head()) {
        EXPECT_NEAR(figure.whole.value(), told, slack_of(figure)) << figure.card;
        continue;
      }
      double best = -1, nearest = 1e9;
      for (const auto& [head, mean] : figure.choosing) best = std::max(best, mean.value());
      for (const auto& [head, mean] : figure.choosing) {
        const double slack = figure.is_share() ? 1.0 / mean.count + 1e-6 : 1e-3;
        if (mean.value() >= best - slack) nearest = std::min(nearest, std::abs(figure.measured.at(head).value() - told));
      }
      EXPECT_LE(nearest, figure.is_share() ? 1.0 / figure.measured.begin()->second.count + 1e-6 : 1e-3) << figure.card;
    }
  }

  /// The one distance that is right most often.
  static void compare_baseline(const Figure& figure) {
    int most = 0;
    for (const auto& [distance, count] : figure.distances) most = std::max(most, count);
    EXPECT_NEAR(static_cast<double>(most) / figure.mean().count, figure.card.at("baseline").get<double>(), 1e-4) << figure.card;
    EXPECT_EQ(figure.distances.at(figure.card.at("offset").get<int>()), most) << figure.card;
  }

  double value_of(const std::string& name) const {
    for (const Figure& figure : figures_) {
      if (figure.name() == name && figure.is_chosen) return figure.mean().value();
    }
    return -1;
  }

  /// By how much the best head of a relation, from either word, beats the best fixed distance.
  double lead_of(const std::string& relation) const {
    double lead = -1;
    for (const Figure& figure : figures_) {
      if (figure.is_chosen && figure.measure() == "relation" && figure.card.at("relation") == relation) {
        lead = std::max(lead, figure.mean().value() - figure.card.at("baseline").get<double>());
      }
    }
    return lead;
  }

  TemporaryFolder scratch_;
  std::string name_;
  std::filesystem::path folder_;
  std::vector<Figure> figures_;
  Pipeline pipeline_;
  SilentProgress progress_;
};

}  // namespace headlight::testing
