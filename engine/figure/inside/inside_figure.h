// One query's computation as a ledger: one row for every key, one group of columns for every step, left to right and always in the same
// order. The current step is on a raised panel and opens to digits where a cell is wide enough; those behind keep their
// colours and one result; those ahead are outlines. The first step and the last take the whole area: a matrix under its vector.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/figure/axes.h"
#include "engine/figure/scene.h"
#include "engine/inside/numbers.h"

namespace headlight {

/// Everything that is drawn as coloured cells: made once, beside the numbers themselves, and shared by every frame.
struct InsidePictures {
  using Picture = std::shared_ptr<const MapPicture>;
  Picture x;                       ///< [1, d_model]
  Picture w_q;                     ///< [d_head, d_model]: a row for each number of q
  Picture plain, q;                ///< [1, d_head]
  Picture plain_column, q_column;  ///< [d_head, 1]
  Picture k, terms;                ///< [keys, d_head]
  Picture v, weighted;             ///< [keys, d_value]
  Picture z;                       ///< [1, d_value]
  Picture all_z;                   ///< [1, heads · d_value]
  Picture w_o;                     ///< [d_model, heads · d_value]: a row for each number of the output; null: no projection
  bool is_w_o_of_head = false;     ///< w_o is [d_model, d_value], of the one head
  Picture output, stream, sum;     ///< [d_model, 1]; stream null where nothing is added to
  Picture masked;                  ///< one cell, hatched
};
std::shared_ptr<const InsidePictures> make_inside_pictures(const Inside& inside);

/// The rows of keys. Keys that matter have one each; what lies between them is folded, with all that it holds.
struct LedgerRow {
  enum class Kind : std::uint8_t { key, fold, masked, sink };
  Kind kind = Kind::key;
  Index begin = 0, end = 0;                     ///< keys
  Index masked_inside = 0;                      ///< of a fold: keys that may not be attended to
  float largest = 0;                            ///< of a fold: the largest score that goes into the softmax
  float largest_score = 0, largest_scaled = 0;  ///< and before that
  float exps = 0, weight = 0;                   ///< of a fold: sums
  bool operator==(const LedgerRow&) const = default;
  Index keys() const { return end - begin; }
};

/// What a place of the figure shows, for a pointer.
struct InsideSpot {
  Box box;
  InsideNumber number = {};  ///< of a vector: its first, the others at the right of it, or below
  Index count = 1;
  bool is_column = false;
  std::optional<InsideStep> step = {};  ///< a heading
  std::optional<LedgerRow> row = {};    ///< the name of a row
};

struct InsideFigureRequest {
  std::shared_ptr<const Inside> inside;
  std::shared_ptr<const InsidePictures> pictures;
  AxisLabels query_labels, key_labels;
  std::string head_name;  ///< "2.1"
  std::string divisor;    ///< "√16": what scores are divided by; empty: nothing
  std::string mask_text;  ///< "causal"
  InsideMoment moment;
  std::optional<Index> chosen_key;  ///< whose row is marked, and whose products open; none: the key with the largest weight
  std::optional<InsideNumber> ringed;
  std::set<Index> opened;  ///< keys that were in folds which a person has opened
  Index most_keys = 0;     ///< that have rows of their own, those that were opened aside; 0: as many as fit
  Box area;                ///< title included
  bool has_title = true;
  bool is_printed = false;  ///< on a page that has a title of its own: the words above are wrapped, not cut, and name no head
  Theme theme = Theme::dark;
};

/// The figure, and what can be pointed at in it. The caller owns the scene's size and background.
struct InsideFigure {
  Scene scene;
  std::vector<InsideSpot> spots;
  std::vector<LedgerRow> rows;
  Index chosen_key = 0;
  /// Of the spot at a point, the number there.
  const InsideSpot* spot_at(Point point) const;
  std::optional<Box> box_of(const InsideNumber& number) const;
};
/// Which number of a spot is at a point, and its own box.
InsideNumber number_at(const InsideSpot& spot, Point point);
Box box_in(const InsideSpot& spot, Index place);

InsideFigure make_inside_figure(const InsideFigureRequest& request, const MeasureText& measure);

/// Head, scale and mask of a request in words, as the snapshot has them. What is left: inside, pictures, labels, moment, area.
InsideFigureRequest describe_inside(const Snapshot& snapshot, HeadId head);

/// The key whose row is marked while none is chosen: that of the largest weight.
Index key_to_mark(const Inside& inside);
/// "7 of 498 keys shown, mass 0.903; 491 folded, 0.097": together always all. Empty where nothing is folded.
std::string folding_text(const Inside& inside, const std::vector<LedgerRow>& rows);
/// The keys of a fold with the largest weights, which open first.
std::vector<Index> largest_of_fold(const Inside& inside, const LedgerRow& fold);

}  // namespace headlight
