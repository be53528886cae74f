// Pictures of a snapshot's maps and names of its tokens, made once and kept while they are shown.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/figure/figure_source.h"
#include "engine/figure/figures.h"

namespace headlight {

/// The largest magnitude in a picture, for its scale; 0 for an empty or undefined one.
float extreme_of(const MapPicture& picture);

/// The tokens of one text, in order.
struct TokenNames {
  std::vector<TokenLabel> labels;
  std::vector<std::string> axis;  ///< labels as text, for the axes of a map
  const std::string& operator[](Index token) const { return axis[static_cast<std::size_t>(token)]; }
  /// " 123", written after a token's name where a text has too many tokens to count; else empty.
  std::string counted(Index token) const { return shows_positions(std::ssize(axis)) ? " " + std::to_string(token) : ""; }
};

/// One of a run's texts, to be kept.
inline const std::shared_ptr<const Encoding>& held(const Snapshot& run, const Encoding& encoding) {
  return &encoding == run.decoder_encoding.get() ? run.decoder_encoding : run.encoding;
}

/// Thread contract: the UI thread only.
class Pictures {
 public:
  /// Called once a frame: takes over the new snapshot and forgets the pictures and names that the last frame did not show.
  void begin_frame(const std::shared_ptr<const Snapshot>& snapshot);

  /// The tokens along the two axes of a layer's maps.
  const TokenNames& query_names(int layer) const { return *names_of(snapshot_->query_tokens(layer)); }
  const TokenNames& key_names(int layer) const { return *names_of(snapshot_->key_tokens(layer)); }
  /// One of a run's texts, whether the run is the snapshot or another. Valid within the frame.
  const TokenNames& names(const Snapshot& run, const Encoding& encoding) { return *kept_names(run, encoding); }
  /// TokenNames::axis of it.
  AxisLabels labels(const Snapshot& run, const Encoding& encoding);
  /// The small pictures of all heads under a style, and their scales. Those of layers that the last snapshot had too are kept. Null run: the
  /// snapshot's own. Valid within the frame.
  ShownMaps& shown(const std::shared_ptr<const Snapshot>& run, const Style& style);
  std::shared_ptr<const MapPicture> stage(const ComparedHead& head, const std::shared_ptr<const HeadMaps>& maps, Stage stage,
                                          const Style& style);
  std::shared_ptr<const MapPicture> difference(const HeadWithMaps& left, const HeadWithMaps& right, const Style& style);

 private:
  struct Entry {
    std::shared_ptr<const HeadMaps> a, b;  ///< b: only of a difference
    Stage stage = Stage::weights;
    std::vector<std::uint8_t> hidden;
    Hiding hiding = Hiding::raw;
    std::shared_ptr<const MapPicture> picture;
    bool was_shown = true;
  };
  /// The small pictures of another run.
  struct OtherRun {
    std::shared_ptr<const Snapshot> run;
    ShownMaps maps;
    bool was_shown = true;
  };
  /// A text of another run.
  struct OtherText {
    std::shared_ptr<const Encoding> encoding;
    std::shared_ptr<const TokenNames> names;
    bool was_shown = true;
  };
  std::shared_ptr<const TokenNames> kept_names(const Snapshot& run, const Encoding& encoding);
  const std::shared_ptr<const TokenNames>& names_of(const Encoding& encoding) const {
    return &encoding == snapshot_->decoder_encoding.get() ? decoder_names_ : names_;
  }

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const TokenNames> names_, decoder_names_;
  std::shared_ptr<const Snapshot> own_run_;  ///< that own_ is of
  ShownMaps own_;
  std::deque<OtherRun> runs_;
  std::vector<Entry> entries_;
  std::vector<OtherText> others_;
};

}  // namespace headlight
