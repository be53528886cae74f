// How often each value is in one map or several: what colours by rank, percentiles and clipped shares are made from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace headlight {

/// Colours by rank: the share of cells with a smaller magnitude, 0 for the smallest and 1 for the largest. Cells that are alike share the
/// colour of the lowest of them.
struct RankSteps {
  std::array<float, 256> begin{};  ///< the least magnitude that has colour i; +∞ where no cell reaches it
  std::array<float, 256> value{};  ///< the largest magnitude of the cells up to colour i: what a colour bar writes beside it
  std::size_t colour(float magnitude) const;
  bool operator==(const RankSteps&) const = default;
};

/// Magnitudes of cells, from the smallest up. Those that differ by less than one part in 2048, or are below 2^-40, count as one. Immutable.
class ValueCounts {
 public:
  struct Entry {
    float least = 0, largest = 0;  ///< `least`: where the bin begins, so that no other value lies between two entries
    std::int64_t cells = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  std::int64_t cells() const { return cells_; }
  /// The smallest magnitude that at least `percent` of 100 cells do not exceed; 0 of no cells.
  float percentile(double percent) const;
  /// The share of cells above a magnitude, 0…1.
  double share_above(float magnitude) const;
  const std::shared_ptr<const RankSteps>& ranks() const { return ranks_; }

 private:
  friend class ValueCounter;
  std::vector<Entry> entries_;
  std::int64_t cells_ = 0;
  std::shared_ptr<const RankSteps> ranks_;
};

/// Makes counts. Thread contract: one thread at a time.
class ValueCounter {
 public:
  ValueCounter();
  /// A magnitude; what is not a number, or infinite, is left out.
  void add(float magnitude);
  void add(const ValueCounts& counts);
  ValueCounts finish() const;

 private:
  void add(float magnitude, float largest, std::int64_t cells);
  struct Bin {
    float largest = 0;
    std::int64_t cells = 0;
  };
  std::vector<Bin> bins_;
};

}  // namespace headlight
