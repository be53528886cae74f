// Scores per head from a file of one's own: a CSV table with the columns layer and head, and one more for each score. `headlight heads -o
// F.csv` writes such tables.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/measures/columns/head_column.h"

namespace headlight {

inline constexpr std::size_t kMostScores = 256;  ///< columns of one file

/// The columns of a file for a model with these heads. Layers and heads count from 0; a head that the file does not name, an empty field, "NA"
/// and "nan" are undefined. A column `n` says of how many texts the scores are, NAME.se is the standard error of NAME. Measures are known by
/// their ids. Throws Error (input) with the line: a table without layer or head, a number that cannot be read, a head that the model does not
/// have or that is there twice, a line with more or fewer fields; or Cancelled.
HeadColumns read_scores(const std::filesystem::path& path, const std::vector<HeadId>& heads, Progress& progress);

/// Whether the first line of the file names the columns layer and head.
bool holds_scores(const std::filesystem::path& path);

/// One file that was asked for.
struct ReadScores {
  std::string path;
  HeadColumns columns;
  std::string problem;  ///< why there are none; empty: all is well
};

/// Reads files on the desk. Thread contract: the UI thread only.
class ScoreFiles {
 public:
  explicit ScoreFiles(Worker& worker);
  struct Request {
    std::vector<std::string> paths;
    std::vector<HeadId> heads;
    int reads = 0;  ///< another number: read once more
    bool operator==(const Request&) const = default;
  };
  struct Found {
    Request request;
    std::vector<ReadScores> files;
  };
  /// Null until this very request is answered.
  std::shared_ptr<const Found> ask(const Request& request);
  void rest() {
    if (study_.asked()) study_.let_go();
  }

 private:
  Study<Request, Found> study_;
};

}  // namespace headlight
