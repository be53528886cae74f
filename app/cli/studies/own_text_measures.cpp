#include "app/cli/studies/own_text_measures.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/analysis/content_dependence.h"
#include "engine/model/files/load_model.h"
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

/// Sums of a column by head, where it is defined.
struct Column {
  std::map<HeadId, MeasureSum> sums;
  void add(const std::vector<HeadScore>& scores) {
    for (const HeadScore& score : scores) {
      MeasureSum& sum = sums[score.head];
      if (!std::isnan(score.value)) sum.add(score.value);
    }
  }
};

/// Random tokens and the model's run on them.
struct Draw {
  RepeatedTokens tokens;
  Query query;
  std::shared_ptr<const Snapshot> run;
};

class RepeatedDraws {
 public:
  RepeatedDraws(const Query& query, int threads, Progress& progress)
      : query_(without_texts(query)), pipeline_(threads), model_(load_model(query.model, progress)), progress_(progress) {
    if (model_->config.mask.is_causal) return;
    throw Error({.kind = ErrorKind::input,
                 .field = model_->name,
                 .problem = "these measures ask what followed earlier, and this model reads both ways",
                 .expected = "a causal model"});
  }

  std::vector<HeadScore> scores(const std::string& id, std::uint64_t seed) {
    if (id == "prefix-matching") return prefix_matching(*long_draw(seed).run, progress_);
    if (id == "copying-score") return copying_scores(*model_, long_draw(seed).query, pipeline_.pool(), progress_);
    const Draw& pair = paired_draw(seed);
    if (id == "induction-offset") return induction_by_offset(*pair.run, pair.tokens, progress_);
    const double loss = induction_loss(*pair.run, pair.tokens, pipeline_.pool());
    std::vector<HeadScore> scores;
    for (const HeadId head : pair.run->all_heads()) scores.push_back({head, loss});
    return scores;
  }
  void forget() { long_ = pair_ = {}; }

 private:
  const Draw& long_draw(std::uint64_t seed) { return drawn(long_, 25, 4, seed); }
  const Draw& paired_draw(std::uint64_t seed) { return drawn(pair_, 50, 2, seed); }
  const Draw& drawn(Draw& draw, Index distinct, Index times, std::uint64_t seed) {
    if (draw.run) return draw;
    draw.tokens = repeated_tokens(*model_, distinct, times, seed);
    draw.query = query_;
    draw.query.ids = draw.tokens.ids;
    draw.run = pipeline_.run(draw.query, progress_);
    if (draw.run->tokens() == std::ssize(draw.tokens.ids)) return draw;
    throw Error({.kind = ErrorKind::input,
                 .field = model_->name,
                 .problem = fmt::format("the model has fewer positions than the {} tokens of this measure", draw.tokens.ids.size())});
  }

  Query query_;
  Pipeline pipeline_;
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

std::string table_of(const std::vector<std::string>& ids, const std::vector<HeadId>& heads, std::int64_t n,
                     const std::vector<std::map<HeadId, double>>& columns) {
  std::string text = "layer,head,n";
  for (const std::string& id : ids) text += "," + id;
  text += "\n";
  for (const HeadId head : heads) {
    text += fmt::format("{},{},{}", head.layer, head.head, n);
    for (const auto& column : columns) text += std::isnan(column.at(head)) ? "," : fmt::format(",{}", column.at(head));
    text += "\n";
  }
  return text;
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

std::string repeated_token_table(const Query& query, std::string_view ids, int draws, int threads, Progress& progress) {
  const std::vector<std::string> names = split_list(std::string(ids));
  RepeatedDraws drawn(query, threads, progress);
  std::vector<Column> columns(names.size());
  for (int draw = 1; draw <= draws; ++draw) {
    progress.step(static_cast<double>(draw - 1) / draws, "random tokens, repeated");
    for (std::size_t at = 0; at < names.size(); ++at) columns[at].add(drawn.scores(names[at], static_cast<std::uint64_t>(draw)));
    drawn.forget();
  }
  std::vector<HeadId> heads;
  std::vector<std::map<HeadId, double>> means(names.size());
  for (std::size_t at = 0; at < names.size(); ++at) {
    for (const auto& [head, sum] : columns[at].sums) means[at][head] = sum.mean();
  }
  for (const auto& [head, sum] : columns.front().sums) heads.push_back(head);
  return table_of(names, heads, draws, means);
}

std::string content_dependence_table(const Query& query, std::string_view id, const std::filesystem::path& texts,
                                     const CorpusFormat& format, int threads, Progress& progress) {
  const std::string name(id);
  const Index positions = positions_of(name);
  const PassingRun run(load_model(query.model, progress), query);
  ThreadPool pool(threads);
  std::map<HeadId, ContentDependence> dependence;
  for (const HeadId head : heads_of(run)) dependence.try_emplace(head, positions);
  std::int64_t count = 0;
  for (const bool is_second : {false, true}) {
    ContentVisitor visitor(dependence, is_second);
    CorpusReader corpus(texts, format);
    count = walk_texts(run, query, corpus, positions, visitor, pool, progress);
    if (count < 2) {
      throw Error({.kind = ErrorKind::input,
                   .file = printable(texts.string(), 200),
                   .problem = fmt::format("content dependence compares texts, and {} of this file has {} tokens",
                                          count == 0 ? "none" : "only one", positions),
                   .hint = "Choose a smaller N"});
    }
    if (!is_second) {
      for (auto& [head, each] : dependence) each.finish_mean(count);
    }
  }
  std::map<HeadId, double> values;
  for (const auto& [head, each] : dependence) values[head] = each.value();
  return table_of({name}, heads_of(run), count, {values});
}

}  // namespace headlight
