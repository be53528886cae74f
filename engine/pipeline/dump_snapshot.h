// Maps from a file as a snapshot: their masks with the query's edits laid over them, measures, and notes on both.
#pragma once

#include <memory>

#include "engine/core/parallel.h"
#include "engine/dumps/attention_dump.h"
#include "engine/snapshot.h"

namespace headlight {

/// Only the file's name, the item and the mask edits of the query matter; the snapshot's query has nothing else. A head whose
/// rows are not weights, or hold weight where the mask forbids it, has no measures. Throws Error (usage) for a mask text that cannot be
/// read, or Cancelled.
std::shared_ptr<Snapshot> make_dump_snapshot(const AttentionDump& dump, const Query& query, Measures measures, ThreadPool& pool,
                                             Progress& progress);

}  // namespace headlight
