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

/// The texts of one draw, each run once, when the first measure asks for it.
class RepeatedDraws {
 public:
  RepeatedDraws(std::shared_ptr<const Model> model, const Query& query, std::uint64_t seed, ThreadPool& pool, Progress& progress)
      : query_(without_texts(query)), seed_(seed), pool_(pool), model_(std::move(model)), progress_(progress) {
    if (model_->config.mask.is_causal) return;
    throw Error({.kind = ErrorKind::input,
                 .field = model_->name,
                 .problem = "these measures ask what followed earlier, and this model reads both ways",
                 .expected = "a causal model"});
  }

  std::vector<HeadScore> scores(const std::string& id) {
    if (id == "prefix-matching") return prefix_matching(*matched().run, progress_);
    if (id == "copying-score") return copying_scores(*model_, matched().query, pool_, progress_);
    const Draw& pair = paired();
    if (id == "induction-offset") return induction_by_offset(*pair.run, pair.tokens, progress_);
    const double loss = induction_loss(*pair.run, pair.tokens, pool_);
    std::vector<HeadScore> scores;
    for (const HeadId head : pair.run->all_heads()) scores.push_back({head, loss});
    return scores;
  }

 private:
  const Draw& matched() { return drawn(matched_, kMatchedTokens, kMatchedTimes); }
  const Draw& paired() { return drawn(pair_, 50, 2); }
  const Draw& drawn(Draw& draw, Index distinct, Index times) {
    if (draw.run) return draw;
    draw.tokens = repeated_tokens(*model_, distinct, times, seed_);
    draw.query = query_;
    draw.query.ids = draw.tokens.ids;
    draw.run = run_on_ids(model_, draw.query, pool_, progress_);
    return draw;
  }

  Query query_;
  std::uint64_t seed_;
  ThreadPool& pool_;
  std::shared_ptr<const Model> model_;
  Progress& progress_;
  Draw matched_, pair_;
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
  std::vector<HeadScore> values;
};

std::string table_of(const std::vector<TableColumn>& columns, std::int64_t n) {
  std::string text = "layer,head,n";
  for (const TableColumn& column : columns) text += "," + column.title;
  text += "\n";
  for (std::size_t place = 0; place < columns.front().values.size(); ++place) {
    const HeadId head = columns.front().values[place].head;
    text += fmt::format("{},{},{}", head.layer, head.head, n);
    for (const TableColumn& column : columns) {
      const double value = column.values[place].value;
      text += std::isfinite(value) ? fmt::format(",{}", value) : ",";
    }
    text += "\n";
  }
  return text;
}

/// The measure's own column, then what chance gives and how far the head is from it; null: chance was not drawn.
void add_columns(const std::string& id, const std::vector<HeadScore>& values, const DrawnScores* chance,
                 std::vector<TableColumn>& columns) {
  columns.push_back({id, values});
  if (chance == nullptr) return;
  const std::string title = fmt::format("{}.{}", id, name_of(NullKind::random_weights));
  TableColumn distances{title + ".z", {}};
  for (const HeadScore& each : values) distances.values.push_back({each.head, chance->z(each.head, each.value)});
  columns.push_back({title, chance->means()});
  columns.push_back(std::move(distances));
}

constexpr int kChanceDraws = 20;

/// Every measure of these names over draws of seeds 1, 2, …; where `is_chance`, each on a model of random weights of its own.
std::vector<DrawnScores> draw_measures(const std::shared_ptr<const Model>& model, const Query& query, const std::vector<std::string>& names,
                                       int draws, bool is_chance, ThreadPool& pool, Progress& progress) {
  std::vector<DrawnScores> found(names.size());
  for (int draw = 1; draw <= draws; ++draw) {
    progress.step(static_cast<double>(draw - 1) / draws, is_chance ? "random weights" : "random tokens, repeated");
    const auto seed = static_cast<std::uint64_t>(draw);
    RepeatedDraws drawn(is_chance ? with_random_weights(*model, seed) : model, query, seed, pool, progress);
    for (std::size_t at = 0; at < names.size(); ++at) found[at].add(drawn.scores(names[at]));
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
  const std::vector<DrawnScores> found = draw_measures(model, query, names, draws, false, pool, progress);
  std::vector<DrawnScores> chance;
  if (has_chance) chance = draw_measures(model, query, names, kChanceDraws, true, pool, progress);
  std::vector<TableColumn> columns;
  for (std::size_t at = 0; at < names.size(); ++at) {
    add_columns(names[at], found[at].means(), has_chance ? &chance[at] : nullptr, columns);
  }
  return table_of(columns, draws);
}

namespace {

struct ContentFound {
  std::vector<HeadScore> values;
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
  for (const auto& [head, each] : dependence) found.values.push_back({head, each.value()});
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
  DrawnScores chance;
  for (int draw = 1; has_chance && draw <= kChanceDraws; ++draw) {
    const PassingRun random(with_random_weights(*model, static_cast<std::uint64_t>(draw)), query);
    chance.add(content_found(random, query, positions, texts, format, pool, progress).values);
  }
  std::vector<TableColumn> columns;
  add_columns(name, found.values, has_chance ? &chance : nullptr, columns);
  return table_of(columns, found.texts);
}

}  // namespace headlight
