#include "app/work/batch/figure_series.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "app/recipe/figure_json.h"
#include "app/recipe/recipe.h"
#include "app/recipe/swept_queries.h"
#include "app/work/batch/index_page.h"
#include "engine/core/error.h"
#include "engine/pipeline/pipeline.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;

/// What decides the figures besides the document: as their files say it.
std::string choice_of(const TextsOrder& order) {
  Json choice = Json::array({static_cast<double>(order.output.pixels_per_point)});
  for (const FigureRequest& figure : order.figures) choice.push_back(to_json(figure, [](const auto&) { return 1; }));
  if (order.figures.front().is_spreadsheet_safe) choice.push_back("spreadsheet-safe");
  return json_text(choice);
}

/// A series on its way: `step` makes one file.
class SeriesRun {
 public:
  SeriesRun() = default;
  virtual ~SeriesRun() = default;
  SeriesRun(const SeriesRun&) = delete;
  SeriesRun& operator=(const SeriesRun&) = delete;
  virtual SeriesReport step(Progress& progress) = 0;
};

class TextsRun final : public SeriesRun {
 public:
  explicit TextsRun(const TextsOrder& order) : order_(order), batch_(request()) {}
  ~TextsRun() override {
    if (has_ended_ || batch_.state().items.empty()) return;
    try {
      batch_.keep();          // what was made is known to be there when it goes on
    } catch (const Error&) {  // then it is made again
    }
  }

  SeriesReport step(Progress& progress) override {
    has_ended_ = !batch_.next(progress);
    const BatchState& state = batch_.state();
    SeriesReport report{.done = state.done,
                        .all = state.items.size(),
                        .made = state.made,
                        .kept = state.kept,
                        .seconds_left = batch_.seconds_left(),
                        .result = order_.batch.folder / kIndexName,
                        .has_ended = has_ended_};
    if (has_ended_) report.failures = failures_of(state);
    return report;
  }

 private:
  const FigureRequest& asked_of(const std::string& figure) const {
    return *std::find_if(order_.figures.begin(), order_.figures.end(),
                         [&](const FigureRequest& each) { return each.kind->name == figure; });
  }

  BatchRequest request() {
    BatchRequest request = order_.batch;
    for (const FigureRequest& figure : order_.figures) request.figures.emplace_back(figure.kind->name);
    request.choice = choice_of(order_);
    request.said = [this](const Document& document, const std::string& figure, const std::string& ending, Progress& progress) {
      const FigureRequest& asked = asked_of(figure);
      const std::shared_ptr<const Snapshot> run = pipeline_.run(document.query, progress);
      return batch_choice_of(*run, asked, *file_of_figure(*asked.kind, "figure" + ending), order_.output);
    };
    request.write = [this](const Document& document, const std::string& figure, const std::filesystem::path& file, Progress& progress) {
      const std::shared_ptr<const Snapshot> run = pipeline_.run(document.query, progress);
      FigureRequest asked = asked_of(figure);
      if (asked.kind->needs.has_output && has_edits(document.query))
        asked.baseline = pipeline_.run(unedited_query(document.query), progress);
      find_effects(*run, asked, pipeline_.pool(), progress);
      write_recorded_figure(*run, asked, file, order_.output, order_.batch.digests, progress);
    };
    return request;
  }

  const TextsOrder order_;
  Pipeline pipeline_;
  Batch batch_;
  bool has_ended_ = false;
};

class SweepRun final : public SeriesRun {
 public:
  explicit SweepRun(const SweepOrder& order) : order_(order), is_page_(order.file.extension() == ".html") {}

  SeriesReport step(Progress& progress) override {
    const Clock::time_point start = Clock::now();
    if (queries_.empty()) queries_ = queries_of_sweep(order_.sweep, order_.run->query, pipeline_, progress);
    if (done_ < queries_.size()) {
      make_still(progress);
      ++done_;
    }
    const bool has_ended = done_ == queries_.size();
    if (has_ended && is_page_) write_recorded_sweep(*order_.run, stills_, order_.sweep, order_.file, order_.digests, progress);
    seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
    const double left = seconds_ / static_cast<double>(done_) * static_cast<double>(queries_.size() - done_);
    return {.done = done_,
            .all = queries_.size(),
            .made = done_,
            .seconds_left = seconds_ > 1 ? std::optional(left) : std::nullopt,
            .result = is_page_ ? order_.file : file_of(0),
            .has_ended = has_ended};
  }

 private:
  std::filesystem::path file_of(std::size_t place) const {
    const std::vector<double>& values = order_.sweep.values;
    return file_of_still(order_.file, values[place], *std::max_element(values.begin(), values.end()));
  }

  void make_still(Progress& progress) {
    const SweepOf of = order_.sweep.of;
    const double value = order_.sweep.values[done_];
    const std::shared_ptr<const Snapshot> run = pipeline_.run(queries_[done_], progress);
    FigureRequest request = order_.request;
    set_in_figure(of, value, *run, request);
    find_effects(*run, request, pipeline_.pool(), progress);
    if (is_page_) {
      stills_.push_back({name_of_still(of, value, *run, request), run, std::move(request)});
    } else {
      write_recorded_figure(*run, request, file_of(done_), order_.output, order_.digests, progress);
    }
  }

  const SweepOrder order_;
  const bool is_page_;
  Pipeline pipeline_;
  std::vector<Query> queries_;
  std::vector<FigureStill> stills_;
  std::size_t done_ = 0;
  double seconds_ = 0;
};

/// One series from its first file to its last: each order has a copy of its own.
class SeriesSteps {
 public:
  StudyStep<SeriesReport> operator()(const SeriesOrder& order, const std::shared_ptr<const SeriesReport>& so_far, StepContext& context) {
    try {
      if (!run_) run_ = begin(order);
      SeriesReport report = run_->step(context.progress);
      const double share = static_cast<double>(report.done) / static_cast<double>(std::max<std::size_t>(1, report.all));
      const double done = report.has_ended ? 1 : std::min(share, 0.999);
      return {std::make_shared<const SeriesReport>(std::move(report)), done};
    } catch (const Error& error) {  // said where the series is shown, beside what was made
      SeriesReport refused = so_far ? *so_far : SeriesReport();
      refused.problem = error.message();
      refused.has_ended = true;
      return {std::make_shared<const SeriesReport>(std::move(refused))};
    }
  }

 private:
  static std::shared_ptr<SeriesRun> begin(const SeriesOrder& order) {
    if (const auto* texts = std::get_if<TextsOrder>(&order)) return std::make_shared<TextsRun>(*texts);
    return std::make_shared<SweepRun>(std::get<SweepOrder>(order));
  }
  std::shared_ptr<SeriesRun> run_;
};

}  // namespace

FigureSeries::FigureSeries(Worker& worker) : study_(worker.desk(), Study<SeriesOrder, SeriesReport>::Work(SeriesSteps())) {}

void FigureSeries::start(SeriesOrder order) {
  study_.let_go();
  shown_.reset();
  is_stopped_ = false;
  order_ = std::move(order);
  study_.start(*order_);
}

void FigureSeries::go_on() {
  if (state() == SeriesState::paused) return study_.resume();
  if (state() != SeriesState::stopped) return;
  start(SeriesOrder(*order_));
}

void FigureSeries::stop() {
  if (!is_under_way()) return;
  report();
  study_.cancel();
  is_stopped_ = true;
}

void FigureSeries::close() {
  study_.let_go();
  order_.reset();
  shown_.reset();
}

SeriesState FigureSeries::state() {
  if (!order_) return SeriesState::none;
  const StudyState now = study_.status().state;  // before the report: once it rests, all that it found is there
  const std::shared_ptr<const SeriesReport> newest = report();
  if (newest && newest->has_ended) return newest->problem.empty() ? SeriesState::finished : SeriesState::refused;
  if (is_stopped_ || now == StudyState::resting) return SeriesState::stopped;
  return now == StudyState::paused ? SeriesState::paused : SeriesState::running;
}

std::shared_ptr<const SeriesReport> FigureSeries::report() {
  const std::shared_ptr<const SeriesReport> result = study_.result(), partial = study_.partial();
  if (const auto& newest = result ? result : partial) shown_ = newest;
  return shown_;
}

}  // namespace headlight
