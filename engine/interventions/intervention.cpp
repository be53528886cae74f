#include "engine/interventions/intervention.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

using Part = ReplacedPart;
using Need = InterventionNeed;

constexpr std::string_view kMapsFromFile = "Maps from a file cannot be edited: they come without the model.";
constexpr std::string_view kNoSuchKey = "A row that has no such key, or whose mask forbids it, keeps its own weights.";

constexpr std::array kRows{
    InterventionRow{InterventionKind::off, "off", "1.3=off", "switched off", Part::z, Need::nothing, false,
                    "z of the head is 0 at every position: its rows of W_O add nothing. b_O stays.", kMapsFromFile,
                    "Michel et al. 2019, arXiv 1905.10650"},
    InterventionRow{
        InterventionKind::mean, "mean", "1.3=mean:sentences.txt", "mean over texts", Part::z, Need::texts, false,
        "z of the head at each position is its mean over a set of texts at that position. Positions that no text of the set reaches "
        "keep their own.",
        "The set needs a text of one token at least.", "Wang et al. 2022, arXiv 2211.00593"},
    InterventionRow{
        InterventionKind::resample, "resample", "1.3=resample:\"other text\"", "z of another text", Part::z, Need::text, false,
        "z of the head at each position is that of another text at the same position. Positions that the other text does not reach "
        "keep their own.",
        "The other text needs a token.", "Chan et al. 2022, causal scrubbing"},
    InterventionRow{
        InterventionKind::uniform, "uniform", "1.3=uniform", "even map", Part::weights, Need::nothing, false,
        "Every query gives equal weight to all keys that the head's mask allows. z follows from these weights and the head's own values.",
        kMapsFromFile, "Hassid et al. 2022, arXiv 2211.03495"},
    InterventionRow{InterventionKind::previous, "previous", "1.3=previous", "previous token", Part::weights, Need::nothing, false,
                    "Every query gives all its weight to the token before it. z follows from these weights and the head's own values.",
                    kNoSuchKey, "Clark et al. 2019, arXiv 1906.04341"},
    InterventionRow{InterventionKind::self, "self", "1.3=self", "itself", Part::weights, Need::nothing, false,
                    "Every query gives all its weight to its own token. z follows from these weights and the head's own values.",
                    kNoSuchKey, ""},
    InterventionRow{InterventionKind::first, "first", "1.3=first", "first token", Part::weights, Need::nothing, false,
                    "Every query gives all its weight to the first token. z follows from these weights and the head's own values.",
                    kNoSuchKey, "Xiao et al. 2023, arXiv 2309.17453"},
    InterventionRow{InterventionKind::map, "map", "2.0=map:1.3", "another head's map", Part::weights, Need::head, false,
                    "The head weighs its own values with the map that another head of the same or a lower layer computes in this run.",
                    "The other head's maps must have the same size, and its layer must not lie above: its map is not computed yet.", ""},
    InterventionRow{InterventionKind::pattern, "pattern", "2.0=pattern:\"other text\"", "map of another text", Part::weights, Need::text,
                    false,
                    "The head weighs its own values with the map that it computes on another text, which is run without edits of heads.",
                    "The other text must have as many tokens as this one.", "Zhang and Nanda 2023, arXiv 2309.16042"},
    InterventionRow{InterventionKind::patch, "patch", "0.1=patch:\"other text\"@3-5", "z patched", Part::z, Need::text, true,
                    "z of the head at the chosen positions is that of another text, which is run without edits of heads.",
                    "Both texts must have the positions; without positions they must have equally many tokens.",
                    "Meng et al. 2022, arXiv 2202.05262; Wang et al. 2022, arXiv 2211.00593"},
    InterventionRow{
        InterventionKind::stream, "stream", "2=stream:\"other text\"@3", "stream patched", Part::stream, Need::text, true,
        "The residual stream that the layer reads is that of another text at the chosen positions, which is run without edits of heads.",
        "Both texts must have the positions; without positions they must have equally many tokens.", "Meng et al. 2022, arXiv 2202.05262"},
};
static_assert(has_row_of_each(kRows, &InterventionRow::kind));

std::string place_text(HeadId place) {
  return place.head == kWholeLayer ? fmt::format("layer {}", place.layer) : fmt::format("head {}.{}", place.layer, place.head);
}

std::string places_text(const Intervention& intervention) {
  constexpr std::size_t kMostNamed = 4;
  std::string text;
  for (std::size_t at = 0; at < intervention.heads.size(); ++at) {
    if (at == kMostNamed) return text.append(fmt::format(" and {} more", intervention.heads.size() - at));
    text.append(at == 0 ? "" : ", ").append(place_text(intervention.heads[at]));
  }
  return text;
}

/// "12 texts of stories.txt"; the file alone where its texts are not read yet.
std::string texts_text(const TextSet* set) {
  if (set == nullptr) return "no texts";
  const std::string file = printable(set->name.substr(set->name.find_last_of('/') + 1), 60);
  if (set->texts.empty()) return file;
  return fmt::format("{} text{} of {}", set->texts.size(), set->texts.size() == 1 ? "" : "s", file);
}

std::string positions_text(const std::vector<PositionRange>& ranges) {
  std::string text;
  for (const PositionRange& range : ranges) {
    text.append(text.empty() ? "" : ", ");
    if (range.last == std::numeric_limits<int>::max()) {
      text.append(fmt::format("{} to the end", range.first));
    } else {
      text.append(range.first == range.last ? std::to_string(range.first) : fmt::format("{} to {}", range.first, range.last));
    }
  }
  const bool is_one = ranges.size() == 1 && ranges.front().first == ranges.front().last;
  return text.empty() ? text : fmt::format(" at position{} {}", is_one ? "" : "s", text);
}

}  // namespace

std::span<const InterventionRow> intervention_rows() {
  return kRows;
}

const InterventionRow& row_of(InterventionKind kind) {
  return kRows[static_cast<std::size_t>(kind)];
}

bool contains(const std::vector<PositionRange>& ranges, Index position) {
  return ranges.empty() || std::any_of(ranges.begin(), ranges.end(),
                                       [&](const PositionRange& range) { return range.first <= position && position <= range.last; });
}

bool replaces(const Intervention& intervention, ReplacedPart part, HeadId head, Index position) {
  if (row_of(intervention.kind).replaces != part || !contains(intervention.positions, position)) return false;
  return std::any_of(intervention.heads.begin(), intervention.heads.end(), [&](const HeadId place) {
    return place.layer == head.layer && (place.head == kWholeLayer || place.head == head.head);
  });
}

bool Intervention::operator==(const Intervention& other) const {
  const bool has_same_set = texts == other.texts || (texts && other.texts && *texts == *other.texts);
  return kind == other.kind && heads == other.heads && from == other.from && text == other.text && has_same_set &&
         positions == other.positions;
}

std::string describe_intervention(const Intervention& intervention) {
  const std::string places = places_text(intervention), where = positions_text(intervention.positions);
  const std::string quoted = fmt::format("\"{}\"", printable(intervention.text, 60));
  switch (intervention.kind) {
    case InterventionKind::off:
      return places + " switched off";
    case InterventionKind::mean:
      return fmt::format("{}: z is its mean over {}", places, texts_text(intervention.texts.get()));
    case InterventionKind::resample:
      return fmt::format("{}: z of {}", places, quoted);
    case InterventionKind::uniform:
      return places + ": even map";
    case InterventionKind::previous:
      return places + ": looks at the previous token";
    case InterventionKind::self:
      return places + ": looks at itself";
    case InterventionKind::first:
      return places + ": looks at the first token";
    case InterventionKind::map:
      return fmt::format("{}: map of {}", places, place_text(intervention.from));
    case InterventionKind::pattern:
      return fmt::format("{}: map of {}", places, quoted);
    case InterventionKind::patch:
      return fmt::format("{}: z of {}{}", places, quoted, where);
    case InterventionKind::stream:
      return fmt::format("{}: reads the stream of {}{}", places, quoted, where);
  }
  return {};
}

std::string intervention_forms() {
  std::size_t width = 0;
  for (const InterventionRow& row : kRows) width = std::max(width, row.form.size());
  std::string lines;
  for (const InterventionRow& row : kRows) lines.append(fmt::format("{}{:{}}  {}", lines.empty() ? "" : "\n", row.form, width, row.title));
  return lines;
}

}  // namespace headlight
