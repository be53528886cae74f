// Maps of a snapshot as pictures, and the scales they are drawn with: what a style leaves out of weights, and which colours they have. One
// place for screen and files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/figure/map/map_picture.h"
#include "engine/figure/stage.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// A weight may be a rounding error above the end of its scale.
inline constexpr float kRounding = 1.0001F;
/// The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten that is at least `value`, so that colour bars end in round numbers.
float round_up(float value);
/// Zero-centred, up to a round number that no cell of the picture exceeds, or a percentile of its magnitudes.
ColourScale scale_of_difference(const Style& style, const MapPicture& difference);
/// Of a map that is made from several heads: it belongs to no layer or head, so its own largest value is taken in place of theirs.
ColourScale scale_of_derived(const Style& style, const MapPicture& picture);
/// `layer`: one of those whose texts it is of. `has_weights`: its rows share out 1, so that they can be renormalised.
std::shared_ptr<const MapPicture> picture_of_derived(const Snapshot& snapshot, const Style& style, int layer, Matrix values,
                                                     const std::shared_ptr<const Mask>& mask, bool has_weights);
/// "derived: first token hidden, renormalised"
std::string hiding_text(const KeySet& keys, bool is_renormalised);
/// " · 62 % of the weight hidden"; empty where it is not known.
std::string hidden_mass_text(double mass);
/// What a style leaves out of a picture, and how much that is (ShownMaps::derived_text); empty: nothing. `when`: said of a picture that was
/// renormalised, such as " after the rollout".
std::string left_out_text(const Style& style, const MapPicture& picture, std::string_view when = {});
std::shared_ptr<const MapPicture> picture_of_summary(const Snapshot& snapshot, HeadId head);  ///< small, from the pooled map
std::shared_ptr<const MapPicture> picture_of_maps(const HeadMaps& maps);                      ///< full resolution
/// a − b, of maps of one size; what is left out of either is left out. Throws Error (usage) for other sizes.
std::shared_ptr<const MapPicture> picture_of_difference(const ShownCells& a, const std::shared_ptr<const Mask>& mask_of_a,
                                                        const ShownCells& b, const std::shared_ptr<const Mask>& mask_of_b);

/// Which keys of a layer's maps a style leaves out [keys], 1: left out; empty: none of them.
std::vector<std::uint8_t> hidden_keys(const Snapshot& snapshot, const Style& style, int layer);
/// "first token, token 3 and special tokens"
std::string hidden_keys_text(const KeySet& keys);

/// What a style leaves of one row of a head's map.
struct RowLeft {
  bool is_known = false;                ///< keys are left out of attention weights
  std::vector<std::uint8_t> keys = {};  ///< as hidden_keys
  double hidden = 0, rest = 0;          ///< weight of the keys that are left out, and of the others
  bool hides(Index key) const { return keys[static_cast<std::size_t>(key)] != 0; }
};
RowLeft left_of_row(const Snapshot& run, const Style& style, HeadId head, const HeadMaps& maps, Index query);

/// Pictures and scales are made when they are asked for, and kept. Thread contract: one thread at a time.
class ShownMaps {
 public:
  ShownMaps() = default;
  ShownMaps(const Snapshot& run, const Style& style) { show(run, style); }
  /// Takes over a run, which outlives the next call, and a style. Pictures that stay the same are kept.
  void show(const Snapshot& run, const Style& style);
  const Snapshot& run() const { return *run_; }
  const Style& style() const { return style_; }
  bool is_of(const Snapshot& run) const { return run_ == &run; }

  /// A small picture of a head's weights (HeadSummary::pooled).
  const std::shared_ptr<const MapPicture>& small(HeadId head);
  /// The weights of a head in full: `maps` are its own.
  std::shared_ptr<const MapPicture> full(HeadId head, const HeadMaps& maps) const;
  /// One stage of a head in full; keys are left out of weights alone.
  std::shared_ptr<const MapPicture> stage(HeadId head, const HeadMaps& maps, Stage stage) const;
  /// A head's weights less those that are left out; kHiddenCell where they are.
  ShownCells cells(HeadId head, const HeadMaps& maps) const;
  /// The keys that are left out of a layer's maps; empty: none.
  const std::vector<std::uint8_t>& hidden(int layer) const { return layers_[static_cast<std::size_t>(layer)].hidden; }

  /// The colours of a head's weights. `shown`: the picture that has them; null: the small one.
  ColourScale scale(HeadId head, const MapPicture* shown = nullptr);
  /// The colours that all heads share; those of the first where each head or layer has its own (has_one_scale).
  ColourScale scale_of_all();
  /// All maps have the same colours.
  bool has_one_scale() const;
  /// Magnitudes of all cells that are ranked with a head's; `shown` as above.
  const ValueCounts& counts(HeadId head, const MapPicture* shown = nullptr);

  /// "derived: first token hidden, renormalised · 62 % of the weight hidden"; empty where nothing is left out of the head. `shown` as above.
  std::string derived_text(HeadId head, const MapPicture* shown = nullptr);
  /// The same of all heads, with the mean of what is hidden.
  std::string derived_text();

 private:
  struct Layer {
    std::shared_ptr<const LayerTrace> trace;
    std::vector<std::uint8_t> hidden;
    bool is_renormalised = false;
    std::vector<std::shared_ptr<const MapPicture>> small;
    std::optional<ValueCounts> counts;
  };
  float largest(HeadId head);
  float range_end(HeadId head);
  std::shared_ptr<const MapPicture> make_small(HeadId head) const;

  const Snapshot* run_ = nullptr;
  Style style_;
  std::vector<Layer> layers_;
  std::optional<ValueCounts> all_counts_;
};

/// Colours for the maps of several heads together, by their own scales and pictures: the largest end, or ranks among all of their cells.
ColourScale shared_scale(const Style& style, const std::vector<ColourScale>& scales, const std::vector<const ValueCounts*>& counts);

}  // namespace headlight
