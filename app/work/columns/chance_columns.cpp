#include "app/work/columns/chance_columns.h"

#include <cmath>
#include <map>

namespace headlight {
namespace {

constexpr std::array<const char*, 2> kNames{"random weights", "shuffled tokens"};

struct Sums {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double value) {
    if (!std::isfinite(value)) return;
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN(); }
  double deviation() const {
    return count > 1 ? std::sqrt(std::max(0.0, (squares - sum * mean()) / (count - 1))) : std::numeric_limits<double>::quiet_NaN();
  }
};

/// Of all draws of one kind, for one measure.
ColumnBaseline baseline_of(NullKind kind, const std::vector<std::vector<HeadValues>>& draws, std::size_t request) {
  ColumnBaseline baseline{.name = kNames[static_cast<std::size_t>(kind)],
                          .is_of_shuffled = kind == NullKind::shuffled_tokens,
                          .draws = static_cast<int>(draws.size())};
  Sums all;
  std::map<HeadId, Sums> by_head;
  for (const std::vector<HeadValues>& heads : draws) {
    for (const HeadValues& head : heads) {
      all.add(head.values[request]);
      by_head[head.head].add(head.values[request]);
    }
  }
  baseline.mean = all.mean();
  baseline.deviation = all.deviation();
  for (const auto& [head, sums] : by_head) {
    baseline.means.set(head, sums.mean());
    baseline.deviations.set(head, sums.deviation());
  }
  return baseline;
}

std::vector<HeadValues> draw_once(const Snapshot& snapshot, const std::vector<MeasureRequest>& requests, NullKind kind, std::uint64_t seed,
                                  StepContext& context) {
  const bool is_random = kind == NullKind::random_weights;
  const PassingRun run(is_random ? with_random_weights(*snapshot.model, seed) : snapshot.model, snapshot.query);
  TokenStage tokens = run.tokens_of(snapshot.query);
  if (!is_random) tokens = with_shuffled_tokens(std::move(tokens), seed);
  return measure_text_heads(run, tokens, requests, output_norms(run, requests), false, context.pool, context.progress);
}

}  // namespace

ChanceColumns::ChanceColumns(Worker& worker) : study_(worker.desk(), draw) {}

StudyStep<ChanceFound> ChanceColumns::draw(const Request& request, const std::shared_ptr<const ChanceFound>& so_far, StepContext& context) {
  ChanceFound found{request.snapshot, request.ids, {}, {}};
  if (so_far) found.drawn = so_far->drawn;
  std::vector<MeasureRequest> requests;
  for (const std::string& id : request.ids) requests.push_back(measure_request(id, "measure"));
  // In turn, so that both are there soon.
  const std::size_t drawn = found.drawn[0].size() + found.drawn[1].size();
  const std::size_t kind = drawn % 2;
  context.progress.step(static_cast<double>(drawn) / (2 * kDrawsBesideChance), "measuring what chance gives");
  found.drawn[kind].push_back(draw_once(*request.snapshot, requests, static_cast<NullKind>(kind), 1 + found.drawn[kind].size(), context));
  for (std::size_t measure = 0; measure < requests.size(); ++measure) {
    std::vector<ColumnBaseline>& baselines = found.baselines.emplace_back();
    for (std::size_t each = 0; each < kNames.size(); ++each) {
      if (!found.drawn[each].empty()) baselines.push_back(baseline_of(static_cast<NullKind>(each), found.drawn[each], measure));
    }
  }
  const double done = static_cast<double>(drawn + 1) / (2 * kDrawsBesideChance);
  return {std::make_shared<const ChanceFound>(std::move(found)), done};
}

std::shared_ptr<const ChanceFound> ChanceColumns::ask(const std::shared_ptr<const Snapshot>& snapshot,
                                                      const std::vector<std::string>& ids) {
  return study_.ask_so_far({snapshot, ids}, [&](const ChanceFound& found) { return found.snapshot == snapshot && found.ids == ids; });
}

}  // namespace headlight
