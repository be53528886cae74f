#include "engine/attention/few_rows.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr Index kFewRows = 4;      // with eight a panel pays
constexpr Index kKeysAtOnce = 64;  // of all heads before the next: their rows are read from one end to the other

/// What the heads of one task share.
class FewRows {
 public:
  FewRows(const AttendingRows& rows, const MultiHeadSettings& settings, int first_head, int end_head)
      : rows_(rows),
        settings_(settings),
        heads_(static_cast<int>(settings.rules.size())),
        kv_heads_(settings.kv_heads == 0 ? heads_ : settings.kv_heads),
        first_head_(first_head),
        end_head_(end_head),
        maps_((end_head - first_head) * rows.q.rows(), rows.k.rows()) {}

  void attend(MatrixBlock z, const HeadObserver& observer, const Watch& watch) {
    rows_.k.for_each_stretch([&](Index begin, const MatrixView& k) { compare(begin, k, watch); });
    for (int head = first_head_; head < end_head_; ++head) weigh(head, observer, watch);
    z.middleCols(first_head_ * d_value(), (end_head_ - first_head_) * d_value()).setZero();
    rows_.v.for_each_stretch([&](Index begin, const MatrixView& v) { mix(begin, v, z, watch); });
    for (int head = first_head_; head < end_head_; ++head) finish(head, z, watch);
  }

 private:
  Index d_head() const { return rows_.q.cols() / heads_; }
  Index d_value() const { return rows_.v.cols() / kv_heads_; }
  int kv_head(int head) const { return kv_head_of(head, heads_, kv_heads_); }
  const HeadRule& rule(int head) const { return settings_.rules[static_cast<std::size_t>(head)]; }
  MatrixBlock map(int head) { return maps_.middleRows((head - first_head_) * rows_.q.rows(), rows_.q.rows()); }

  template <typename Use>
  void for_keys(const MatrixView& keys, const Watch& watch, const Use& use) const {
    for (Index begin = 0; begin < keys.rows(); begin += kKeysAtOnce) {
      watch.check();
      for (int head = first_head_; head < end_head_; ++head) use(head, begin, std::min(kKeysAtOnce, keys.rows() - begin));
    }
  }

  void compare(Index first_key, const MatrixView& k, const Watch& watch) {
    for_keys(k, watch, [&](int head, Index begin, Index count) {
      MatrixBlock scores = map(head);
      for (Index row = 0; row < scores.rows(); ++row) {
        instruction_set().multiply_rows({.a = rows_.q.row(row).data() + head * d_head(),
                                         .rows = k.row(begin).data() + kv_head(head) * d_head(),
                                         .stride = k.outerStride(),
                                         .count = count,
                                         .depth = d_head(),
                                         .out = scores.row(row).data() + first_key + begin});
      }
    });
  }

  void weigh(int head, const HeadObserver& observer, const Watch& watch) {
    MatrixBlock weights = map(head);
    weigh_rows(weights, rule(head), rows_.first_query, watch);
    const Index reach = reach_of(*rule(head).mask, rows_.first_query, weights.rows());
    if (observer) observer(head, {rows_.first_query, weights.leftCols(reach)});
  }

  void mix(Index first_key, const MatrixView& v, MatrixBlock z, const Watch& watch) {
    for_keys(v, watch, [&](int head, Index begin, Index count) {
      const MatrixBlock weights = map(head);
      for (Index row = 0; row < weights.rows(); ++row) {
        instruction_set().add_rows({.weights = weights.row(row).data() + first_key + begin,
                                    .rows = v.row(begin).data() + kv_head(head) * d_value(),
                                    .stride = v.outerStride(),
                                    .count = count,
                                    .columns = d_value(),
                                    .out = z.row(row).data() + head * d_value()});
      }
    });
  }

  void finish(int head, MatrixBlock z, const Watch& watch) {
    MatrixBlock z_of_head = z.middleCols(head * d_value(), d_value());
    if (z_of_head.allFinite()) return clear_signs_of_zeros(z_of_head);
    Matrix copy;
    finish_mix(map(head), head_columns(rows_.v, kv_heads_, kv_head(head), copy), z_of_head, watch);
  }

  const AttendingRows& rows_;
  const MultiHeadSettings& settings_;
  int heads_, kv_heads_, first_head_, end_head_;
  Matrix maps_;  ///< [heads here · queries here, keys]
};

}  // namespace

bool are_few_rows(const AttendingRows& rows, const MultiHeadSettings& settings) {
  const auto is_dot = [](const HeadRule& rule) { return rule.score == ScoreKind::dot; };
  return rows.q.rows() <= kFewRows && rows.k.rows() > 0 && std::all_of(settings.rules.begin(), settings.rules.end(), is_dot);
}

void attend_few_rows(const AttendingRows& rows, const MultiHeadSettings& settings, int first_head, int end_head, MatrixBlock z,
                     const HeadObserver& observer, const Watch& watch) {
  FewRows(rows, settings, first_head, end_head).attend(z, observer, watch);
}

}  // namespace headlight
