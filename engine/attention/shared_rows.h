// A matrix whose rows several owners hold together. A text that is typed on has the rows of the text before it and some new ones: it keeps
// the old rows where they are, and only the new ones take memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/core/matrix.h"

namespace headlight {

/// Immutable; copies share the memory. Rows lie in stretches, each a part of a matrix that may hold more.
template <typename Number>
class SharedRowsOf {
 public:
  using Rows = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using View = Eigen::Ref<const Rows, 0, Eigen::OuterStride<>>;
  using SharedMatrix = std::shared_ptr<const Rows>;

  SharedRowsOf() = default;
  SharedRowsOf(Rows rows)  // NOLINT(google-explicit-constructor): rows that nobody shares yet
      : rows_(rows.rows()), columns_(rows.cols()), stretches_{{std::make_shared<const Rows>(std::move(rows)), 0, 0}} {}

  Index rows() const { return rows_; }
  Index cols() const { return columns_; }
  Index size() const { return rows_ * columns_; }

  /// The first `count` rows of these, and `rest` below them. They become as wide as `rest`: zeros are added, or columns left out.
  SharedRowsOf continued(Index count, Rows rest) const {
    SharedRowsOf joined;
    joined.rows_ = count + rest.rows();
    joined.columns_ = rest.cols();
    Index kept = count;
    // A short stretch at the end is copied, so that typing letter by letter does not make one of every row.
    for (const Stretch& stretch : stretches_) {
      if (stretch.begin < count && joined.rows_ - stretch.begin <= kShort) kept = std::min(kept, stretch.begin);
    }
    for (std::size_t i = 0; i < stretches_.size() && stretches_[i].begin < kept; ++i) {
      joined.stretches_.push_back(without_waste(stretches_[i], std::min(kept - stretches_[i].begin, length(i))));
    }
    if (kept < count) {
      Rows longer(joined.rows_ - kept, joined.columns_);
      copy_rows(kept, count - kept, longer);
      longer.bottomRows(rest.rows()) = rest;
      rest = std::move(longer);
    }
    if (rest.rows() > 0 || kept == 0) joined.stretches_.push_back({std::make_shared<const Rows>(std::move(rest)), kept, 0});
    return joined;
  }

  /// All of them as one matrix: the very one that they were made of where they share it whole, else a copy.
  SharedMatrix whole() const {
    if (is_one_matrix()) return stretches_.front().owner;
    return std::make_shared<const Rows>(middle_rows(0, rows_));
  }
  /// The same from row `first` on.
  SharedMatrix from_row(Index first) const {
    return first == 0 ? whole() : std::make_shared<const Rows>(middle_rows(first, rows_ - first));
  }
  Rows middle_rows(Index first, Index count) const {
    Rows rows(count, columns_);
    copy_rows(first, count, rows);
    return rows;
  }
  /// Columns of all rows. `copy` holds them where they do not lie in one matrix.
  View middle_columns(Index first, Index count, Rows& copy) const {
    if (is_one_matrix()) return stretches_.front().owner->middleCols(first, count);
    copy.resize(rows_, count);
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      copy.middleRows(stretches_[i].begin, length(i)) = stretches_[i].owner->block(stretches_[i].first, first, length(i), count);
    }
    return copy;
  }
  Number at(Index row, Index column) const {
    const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), row,
                                        [](Index wanted, const Stretch& stretch) { return wanted < stretch.begin; });
    const Stretch& stretch = *std::prev(after);
    return column < stretch.owner->cols() ? stretch.row(row)[column] : Number{};
  }
  /// Calls use(first row, rows as they lie in memory) for every stretch from the top on. Only for rows that never became wider.
  template <typename Use>
  void for_each_stretch(const Use& use) const {
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      const View rows = stretches_[i].owner->middleRows(stretches_[i].first, length(i));
      use(stretches_[i].begin, rows);
    }
  }
  /// Calls use(numbers) for every row from the top on. Only for rows that never became wider.
  template <typename Use>
  void for_each_row(const Use& use) const {
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      for (Index row = stretches_[i].begin; row < stretches_[i].begin + length(i); ++row) use(stretches_[i].row(row));
    }
  }

  /// How many rows from the top on have equal bits. Memory that is shared is not compared.
  Index same_rows(const SharedRowsOf& other) const {
    if (columns_ != other.columns_) return 0;
    const Index most = std::min(rows_, other.rows_);
    Index row = 0;
    for (std::size_t i = 0, j = 0; row < most;) {
      const Index end = std::min({most, stretches_[i].begin + length(i), other.stretches_[j].begin + other.length(j)});
      const Number *mine = stretches_[i].row(row), *theirs = other.stretches_[j].row(row);
      if (mine == theirs) {
        row = end;
      } else {
        const Index step = stretches_[i].owner->cols(), other_step = other.stretches_[j].owner->cols();
        if (step != columns_ || other_step != columns_) return row;
        for (; row < end; ++row, mine += step, theirs += step) {
          if (std::memcmp(mine, theirs, static_cast<std::size_t>(columns_) * sizeof(Number)) != 0) return row;
        }
      }
      i += row == stretches_[i].begin + length(i) ? 1 : 0;
      j += row == other.stretches_[j].begin + other.length(j) ? 1 : 0;
    }
    return row;
  }

  /// By numbers: 0 equals −0, and NaN nothing.
  friend bool operator==(const SharedRowsOf& a, const SharedRowsOf& b) {
    return a.rows_ == b.rows_ && a.columns_ == b.columns_ && *a.whole() == *b.whole();
  }

  /// Calls use(matrix) for every matrix that holds some of the rows.
  template <typename Use>
  void for_each_owner(const Use& use) const {
    for (const Stretch& stretch : stretches_) use(stretch.owner);
  }

 private:
  static constexpr Index kShort = 64;  ///< rows

  struct Stretch {
    SharedMatrix owner;
    Index begin = 0;  ///< number of its first row here
    Index first = 0;  ///< and in its owner
    const Number* row(Index number) const { return owner->data() + (first + number - begin) * owner->cols(); }
  };

  /// Rows of which the owner holds many more that nobody may need are copied.
  static Stretch without_waste(const Stretch& stretch, Index rows) {
    if (2 * rows >= stretch.owner->rows()) return stretch;
    return {std::make_shared<const Rows>(stretch.owner->middleRows(stretch.first, rows)), stretch.begin, 0};
  }
  Index length(std::size_t stretch) const {
    return (stretch + 1 < stretches_.size() ? stretches_[stretch + 1].begin : rows_) - stretches_[stretch].begin;
  }
  bool is_one_matrix() const {
    return stretches_.size() == 1 && stretches_[0].first == 0 && stretches_[0].owner->rows() == rows_ &&
           stretches_[0].owner->cols() == columns_;
  }
  void copy_rows(Index first, Index count, Rows& into) const {
    const Index width = into.cols();
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      const Stretch& stretch = stretches_[i];
      const Index begin = std::max(first, stretch.begin), end = std::min(first + count, stretch.begin + length(i));
      if (begin >= end) continue;
      const Index shared = std::min(width, stretch.owner->cols());
      auto to = into.middleRows(begin - first, end - begin);
      to.leftCols(shared) = stretch.owner->block(stretch.first + begin - stretch.begin, 0, end - begin, shared);
      to.rightCols(width - shared).setZero();
    }
  }

  Index rows_ = 0, columns_ = 0;
  std::vector<Stretch> stretches_;
};

using SharedRows = SharedRowsOf<float>;

}  // namespace headlight
