// What a person puts in the place of what heads do, to see what the model makes of it: one table of kinds, interventions as values, and their
// text form.
//
//     1.3=off                       z of head 3 of layer 1 is 0                       1=off           of all heads of layer 1
//     1.3,2.0=uniform               the map: even; previous, self, first: one key     2.0=map:1.3     the map of another head
//     2.0=pattern:"other text"      the head's map of another text
//     1.3=resample:"other text"     z of another text                                 1.3=mean:FILE   the mean of z over many texts
//     0.1=patch:"other text"@3-5    z of another text at these positions              2=stream:"other text"@3    the stream below layer 2
//
// Layers, heads and positions count from 0; positions are single ones, ranges with both ends and "3-" to the end, joined by commas. A text is in
// quotes (\" and \\ inside), or unquoted where it holds no @.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/mask.h"

namespace headlight {

enum class InterventionKind : std::uint8_t { off, mean, resample, uniform, previous, self, first, map, pattern, patch, stream };

/// What of the run an intervention replaces.
enum class ReplacedPart : std::uint8_t { z, weights, stream };
/// What it takes from elsewhere.
enum class InterventionNeed : std::uint8_t { nothing, head, text, texts };

/// One row of the table of kinds.
struct InterventionRow {
  InterventionKind kind;
  std::string_view name;  ///< in texts and files: "resample"
  std::string_view form;  ///< "1.3=resample:\"other text\""
  std::string_view title;
  ReplacedPart replaces;
  InterventionNeed need;
  bool takes_positions = false;
  std::string_view replaced;  ///< exactly what is put in the place of what
  std::string_view limits;    ///< when it does not apply
  std::string_view source;
};
std::span<const InterventionRow> intervention_rows();
const InterventionRow& row_of(InterventionKind kind);

/// In the place of a head: all heads of the layer.
inline constexpr int kWholeLayer = -1;

/// Positions, both included.
struct PositionRange {
  int first = 0, last = 0;
  bool operator==(const PositionRange&) const = default;
};
/// Whether ranges name a position; none name them all.
bool contains(const std::vector<PositionRange>& ranges, Index position);

/// Texts that a mean is taken over, as they were read: an edit does not change with the file.
struct TextSet {
  std::string name;  ///< what people call it: a file
  std::vector<std::string> texts;
  bool operator==(const TextSet&) const = default;
};
/// Texts of a set, and bytes of all together: they are kept in documents and figures.
inline constexpr std::size_t kMostTextsOfSet = 4096, kLargestTextSet = std::size_t{1} << 20U;

struct Intervention {
  InterventionKind kind = InterventionKind::off;
  std::vector<HeadId> heads;                  ///< in the order given; of the stream: layers
  HeadId from = {};                           ///< of `map`: the head whose map is taken
  std::string text = {};                      ///< another text
  std::shared_ptr<const TextSet> texts = {};  ///< of `mean`; immutable
  std::vector<PositionRange> positions = {};  ///< where the kind takes them; none: all
  bool operator==(const Intervention& other) const;
};

/// Whether an intervention replaces that part of a head at a query's position; of the stream: that its layer reads, whichever head.
bool replaces(const Intervention& intervention, ReplacedPart part, HeadId head, Index position);

/// Reads "1.3", "1" or "cross.0.3". Throws Error (usage).
using NamePlace = std::function<HeadId(const std::string& text)>;
/// A set has its name and no texts yet. `name_place`: empty for numbers through all layers. Throws Error (usage) naming the place, counted in
/// characters from 1, and what was expected there.
Intervention parse_intervention(std::string_view text, const NamePlace& name_place = {});
/// Parts of one by themselves: the head of "map:1.3", and the positions after @. Throw Error (usage) alike.
HeadId parse_map_source(std::string_view text);
std::vector<PositionRange> parse_positions(std::string_view text);
/// parse_intervention gives the intervention back, but for the texts of a set.
std::string to_text(const Intervention& intervention);
/// "map of head 1.3 in head 2.0", "z of another text in all heads of layer 0, at positions 3 to 5".
std::string describe_intervention(const Intervention& intervention);
/// A line for each kind, for help texts.
std::string intervention_forms();

}  // namespace headlight
