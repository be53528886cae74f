#include "app/cli/studies/own_text_measures.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/analysis/content_dependence.h"
#include "engine/model/files/load_model.h"
#include "engine/studies/null_values.h"
#include "engine/studies/repeated_tokens.h"
#include "engine/studies/study_run.h"

namespace headlight {
namespace {

constexpr Index kMostPositions = 1024;

std::string name_of_id(const std::string& id) {
  return id.substr(0, id.find(':'));
}

MeasuredTexts texts_of_measure(const std::string& id) {
  const Measures all = all_measures();
  const std::string name = name_of_id(id);
  const auto row = std::find_if(all.begin(), all.end(), [&](const Measure& measure) { return measure.id == name; });
  if (row == all.end() || (row->need != MeasureNeed::model && row->need != MeasureNeed::several_texts)) return MeasuredTexts::given;
  return row->need == MeasureNeed::model ? MeasuredTexts::repeated : MeasuredTexts::several;
}

/// Random tokens and the model's run on them.
struct Draw {
  RepeatedTokens tokens;
  Query query;
  std::optional<Snapshot> run;
};

class RepeatedDraws {
 public:
  RepeatedDraws(std::shared_ptr<const Model> model, const Query& query, ThreadPool& pool, Progress& progress)
      : query_(without_texts(query)), pool_(pool), model_(std::move(model)), progress_(progress) {
    if (model_->config.mask.is_causal) return;
    throw Error({.kind = ErrorKind::input,
                 .field = model_->name,
                 .problem = "these measures ask what followed earlier, and this model reads both ways",
                 .expected = "a causal model"});
  }

  std::vector<HeadScore> scores(const std::string& id, std::uint64_t seed) {
    if (id == "prefix-matching") return prefix_matching(*long_draw(seed).run, progress_);
    if (id == "copying-score") return copying_scores(*model_, long_draw(seed).query, pool_, progress_);
    const Draw& pair = paired_draw(seed);
    if (id == "induction-offset") return induction_by_offset(*pair.run, pair.tokens, progress_);
    const double loss = induction_loss(*pair.run, pair.tokens, pool_);
    std::vector<HeadScore> scores;
    for (const HeadId head : pair.run->all_heads()) scores.push_back({head, loss});
    return scores;
  }

 private:
  const Draw& long_draw(std::uint64_t seed) { return drawn(long_, 25, 4, seed); }
  const Draw& paired_draw(std::uint64_t seed) { return drawn(pair_, 50, 2, seed); }
  const Draw& drawn(Draw& draw, Index distinct, Index times, std::uint64_t seed) {
    if (draw.run) return draw;
    draw.tokens = repeated_tokens(*model_, distinct, times, seed);
    draw.query = query_;
    draw.query.ids = draw.tokens.ids;
    draw.run = run_on_ids(model_, draw.query, pool_, progress_);
    return draw;
  }

  Query query_;
  ThreadPool& pool_;
  std::shared_ptr<const Model> model_;
  Progress& progress_;
  Draw long_, pair_;
};

/// The first N rows of every head's maps, for one of the two rounds.
class ContentVisitor final : public LayerVisitor {
 public:
  ContentVisitor(std::map<HeadId, ContentDependence>& heads, bool is_second) : heads_(heads), is_second_(is_second) {}
  void begin_layer(int layer, const LayerMasks& /*masks*/) override { layer_ = layer; }
  void add_rows(int head, const HeadRows& rows) override {
    ContentDependence& dependence = heads_.at({layer_, head});
    is_second_ ? dependence.add_difference(rows) : dependence.add_to_mean(rows);
  }
  void end_layer(int /*layer*/, const LayerTrace& /*trace*/) override {}

 private:
  std::map<HeadId, ContentDependence>& heads_;
  bool is_second_;
  int layer_ = 0;
};

Index positions_of(const std::string& id) {
  const std::string text = id.find(':') == std::string::npos ? std::string() : id.substr(id.find(':') + 1);
  const std::optional<Index> number = parse_number<Index>(text);
  if (number && *number >= 2 && *number <= kMostPositions) return *number;
  refuse_option("--measures", "content dependence compares the first N positions of all texts", "\"" + printable(id, 60) + "\"",
                fmt::format("N from 2 to {}, such as content-dependence:16", kMostPositions));
}

/// One round over the texts. Returns how many have N tokens.
std::int64_t walk_texts(const PassingRun& run, const Query& query, CorpusReader& corpus, Index positions, LayerVisitor& visitor,
                        ThreadPool& pool, Progress& progress) {
  std::int64_t texts = 0;
  for (CorpusText text; corpus.next(text);) {
    progress.step(static_cast<double>(corpus.position()) / static_cast<double>(corpus.size()), fmt::format("{} texts", texts));
    if (text.is_blank() || !text.problem.empty()) continue;
    Query own = query;
    own.text = text.text;
    own.ids = text.ids;
    TokenStage tokens = run.tokens_of(own);
    if (std::ssize(tokens.encoding->tokens) < positions) continue;
    run.run(tokens, pool, &visitor, progress);
    ++texts;
  }
  return texts;
}

/// A column of the table: a number of every head, NaN where it is undefined.
struct TableColumn {
  std::string title;
  std::map<HeadId, double> values;
};

std::string table_of(const std::vector<TableColumn>& columns, std::int64_t n) {
  std::string text = "layer,head,n";
  for (const TableColumn& column : columns) text += "," + column.title;
  text += "\n";
  for (const auto& [head, first] : columns.front().values) {
    text += fmt::format("{},{},{}", head.layer, head.head, n);
    for (const TableColumn& column : columns) {
      const double value = column.values.at(head);
      text += std::isfinite(value) ? fmt::format(",{}", value) : ",";
    }
    text += "\n";
  }
  return text;
}

/// Numbers of one measure, one for each draw, by head.
class Draws {
 public:
  void add(HeadId head, double value) {
    std::vector<double>& all = by_head_[head];
    if (!std::isnan(value)) all.push_back(value);
  }
  double mean(HeadId head) const {
    MeasureSum sum;
    for (const double value : by_head_.at(head)) sum.add(value);
    return sum.mean();
  }
  /// How many of these draws' standard deviations `value` is from their mean.
  double distance(HeadId head, double value) const {
    const std::vector<double>& all = by_head_.at(head);
    const double middle = mean(head);
    MeasureSum squares;
    for (const double each : all) squares.add((each - middle) * (each - middle));
    const auto count = static_cast<double>(all.size());
    return count > 1 ? (value - middle) / std::sqrt(squares.mean() * count / (count - 1)) : std::nan("");
  }
  std::map<HeadId, double> means() const {
    std::map<HeadId, double> all;
    for (const auto& [head, values] : by_head_) all[head] = mean(head);
    return all;
  }

 private:
  std::map<HeadId, std::vector<double>> by_head_;
};

/// The measure's own column, then what chance gives and how far the head is from it; no chance: none was drawn.
void add_columns(const std::string& id, const std::map<HeadId, double>& values, const std::optional<Draws>& chance,
                 std::vector<TableColumn>& columns) {
  columns.push_back({id, values});
  if (!chance) return;
  const std::string title = fmt::format("{}.{}", id, name_of(NullKind::random_weights));
  TableColumn of_chance{title, chance->means()}, distances{title + ".z", {}};
  for (const auto& [head, value] : values) distances.values[head] = chance->distance(head, value);
  columns.push_back(std::move(of_chance));
  columns.push_back(std::move(distances));
}

constexpr int kChanceDraws = 20;

/// Every measure of these names over draws of seeds 1, 2, …; where `is_chance`, each on a model of random weights of its own.
std::vector<Draws> draw_measures(const std::shared_ptr<const Model>& model, const Query& query, const std::vector<std::string>& names,
                                 int draws, bool is_chance, ThreadPool& pool, Progress& progress) {
  std::vector<Draws> found(names.size());
  for (int draw = 1; draw <= draws; ++draw) {
    progress.step(static_cast<double>(draw - 1) / draws, is_chance ? "random weights" : "random tokens, repeated");
    const auto seed = static_cast<std::uint64_t>(draw);
    RepeatedDraws drawn(is_chance ? with_random_weights(*model, seed) : model, query, pool, progress);
    for (std::size_t at = 0; at < names.size(); ++at) {
      for (const HeadScore& score : drawn.scores(names[at], seed)) found[at].add(score.head, score.value);
    }
  }
  return found;
}

}  // namespace

MeasuredTexts measured_texts(std::string_view ids) {
  std::optional<MeasuredTexts> all;
  std::string first;
  for (const std::string& id : split_list(std::string(ids))) {
    const MeasuredTexts texts = texts_of_measure(id);
    if (all && *all != texts) {
      refuse_option("--measures", "these are measured on different texts", fmt::format("\"{}\" and \"{}\"", first, printable(id, 40)),
                    "measures of one kind", "Ask for " + name_of_id(texts == MeasuredTexts::given ? first : id) + " in a run of its own");
    }
    if (!all) first = id;
    all = texts;
  }
  return all.value_or(MeasuredTexts::given);
}

std::string repeated_token_table(const Query& query, std::string_view ids, int draws, bool has_chance, int threads, Progress& progress) {
  const std::vector<std::string> names = split_list(std::string(ids));
  const std::shared_ptr<const Model> model = load_model(query.model, progress);
  ThreadPool pool(threads);
  const std::vector<Draws> found = draw_measures(model, query, names, draws, false, pool, progress);
  std::vector<Draws> chance;
  if (has_chance) chance = draw_measures(model, query, names, kChanceDraws, true, pool, progress);
  std::vector<TableColumn> columns;
  for (std::size_t at = 0; at < names.size(); ++at) {
    add_columns(names[at], found[at].means(), has_chance ? std::optional(chance[at]) : std::nullopt, columns);
  }
  return table_of(columns, draws);
}

namespace {

struct ContentFound {
  std::map<HeadId, double> values;
  std::int64_t texts = 0;
};

/// Two rounds over the texts: their mean map, then how far each is from it.
ContentFound content_found(const PassingRun& run, const Query& query, Index positions, const std::filesystem::path& texts,
                           const CorpusFormat& format, ThreadPool& pool, Progress& progress) {
  std::map<HeadId, ContentDependence> dependence;
  for (const HeadId head : heads_of(run)) dependence.try_emplace(head, positions);
  ContentFound found;
  for (const bool is_second : {false, true}) {
    ContentVisitor visitor(dependence, is_second);
    CorpusReader corpus(texts, format);
    found.texts = walk_texts(run, query, corpus, positions, visitor, pool, progress);
    if (found.texts < 2) {
      throw Error({.kind = ErrorKind::input,
                   .file = printable(texts.string(), 200),
                   .problem = fmt::format("content dependence compares texts, and {} of this file has {} tokens",
                                          found.texts == 0 ? "none" : "only one", positions),
                   .hint = "Choose a smaller N"});
    }
    if (!is_second) {
      for (auto& [head, each] : dependence) each.finish_mean(found.texts);
    }
  }
  for (const auto& [head, each] : dependence) found.values[head] = each.value();
  return found;
}

}  // namespace

std::string content_dependence_table(const Query& query, std::string_view id, const std::filesystem::path& texts,
                                     const CorpusFormat& format, bool has_chance, int threads, Progress& progress) {
  const std::string name(id);
  const Index positions = positions_of(name);
  const std::shared_ptr<const Model> model = load_model(query.model, progress);
  ThreadPool pool(threads);
  const ContentFound found = content_found(PassingRun(model, query), query, positions, texts, format, pool, progress);
  std::optional<Draws> chance;
  if (has_chance) {
    chance.emplace();
    for (int draw = 1; draw <= kChanceDraws; ++draw) {
      const PassingRun random(with_random_weights(*model, static_cast<std::uint64_t>(draw)), query);
      for (const auto& [head, value] : content_found(random, query, positions, texts, format, pool, progress).values)
        chance->add(head, value);
    }
  }
  std::vector<TableColumn> columns;
  add_columns(name, found.values, chance, columns);
  return table_of(columns, found.texts);
}

}  // namespace headlight
