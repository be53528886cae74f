// Many figures from the window: every text of a file, or a sweep, made on the desk between the pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/recipe/sweep.h"
#include "app/work/batch/batch.h"
#include "app/work/compute/worker.h"
#include "engine/figure/files/write_figure.h"

namespace headlight {

/// Every text of a file as every one of several figures. Its files are those of `headlight export --texts` with the same choices, to the
/// byte.
struct TextsOrder {
  BatchRequest batch;                  ///< without figures, choice and write
  std::vector<FigureRequest> figures;  ///< of different kinds, of any text (any_text.h)
  FigureOutput output;                 ///< pixels; nothing else is set
};

/// A figure once for every value: numbered pictures, or one page with a slider.
struct SweepOrder {
  std::shared_ptr<const Snapshot> run;  ///< its query is what is swept
  FigureRequest request;
  Sweep sweep;                    ///< with its values (values_of_sweep)
  FigureOutput output;            ///< likewise
  std::filesystem::path file;     ///< whose ending decides; pictures are named by file_of_still
  std::filesystem::path digests;  ///< as BatchRequest has it
};

using SeriesOrder = std::variant<TextsOrder, SweepOrder>;

/// How far a series is.
struct SeriesReport {
  std::size_t done = 0, all = 0;            ///< files
  std::size_t made = 0, kept = 0;           ///< of those: written, and there already just so
  std::optional<double> seconds_left = {};  ///< none: too early to say
  std::vector<std::string> failures = {};   ///< failures_of, at the end
  std::string problem = {};                 ///< why the whole of it was refused; empty: it was not
  std::filesystem::path result = {};        ///< the page, or the first file of a sweep
  bool has_ended = false;
};

enum class SeriesState : std::uint8_t { none, running, paused, stopped, finished, refused };

/// One series at a time. Thread contract: the UI thread only; nothing waits for a computation.
class FigureSeries {
 public:
  explicit FigureSeries(Worker& worker);
  /// What ran before is stopped; its files stay.
  void start(SeriesOrder order);
  void pause() { study_.pause(); }
  /// After a pause; after a stop, what is not there yet is made.
  void go_on();
  void stop();
  /// Forgets what was asked and found; files stay.
  void close();

  SeriesState state();
  bool is_under_way() { return state() == SeriesState::running || state() == SeriesState::paused; }
  /// The newest; null before the first file.
  std::shared_ptr<const SeriesReport> report();
  const std::optional<SeriesOrder>& order() const { return order_; }

 private:
  Study<SeriesOrder, SeriesReport> study_;
  std::optional<SeriesOrder> order_;
  std::shared_ptr<const SeriesReport> shown_;
  bool is_stopped_ = false;
};

}  // namespace headlight
