// The maps behind a figure, in the order in which every file of its numbers has them.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// That of a head, or its weights minus those of another.
struct WrittenMap {
  ComparedHead head;
  std::optional<ComparedHead> subtracted = {};
};

/// Of a request that check_figure passes, whose numbers are maps.
std::vector<WrittenMap> written_maps(const Snapshot& snapshot, const FigureRequest& request);
/// [queries, columns] at the request's stage. `own`: the figure's run.
Matrix values_of(const Snapshot& own, const FigureRequest& request, const WrittenMap& map);

/// Whether the heads come from several runs, so that each has to be named.
bool has_subjects(const std::vector<WrittenMap>& maps);
bool have_one_size(const Snapshot& own, const std::vector<WrittenMap>& maps);
/// Throws Error (usage) naming two maps whose sizes differ: one array holds maps of one size only.
void check_same_size(const Snapshot& own, const std::vector<WrittenMap>& maps, const std::filesystem::path& path);
/// Refuses, before anything is computed, what would not fit in memory. Throws Error (limit).
void check_room(const Snapshot& own, const FigureRequest& request, const std::vector<WrittenMap>& maps, const std::filesystem::path& path);
/// The axes of all maps together: the figure's own, then [queries, columns].
std::vector<std::int64_t> shape_of(const Snapshot& own, const FigureRequest& request, const std::vector<WrittenMap>& maps);

}  // namespace headlight
