// The numbers behind a figure, as files other programs read. All are for requests that check_figure passes, of figures with numbers.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

/// A figure of one map: a table, key tokens above, query tokens at left. Others: one line per layer, head, query and key. Tokens are
/// quoted by RFC 4180 and otherwise as they are. Where the request is spreadsheet-safe, those that begin with = + - @ ' a tab or a line
/// break get an apostrophe in front, and the header says "(spreadsheet-safe)".
void write_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// The same with tabs for commas.
void write_tsv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// A difference of two moments is three maps: "now", "before" and "now - before", the last cell by cell.
/// The figure's own axes, then [query, key]: of a heatmap none, of a difference [3], of a comparison [heads], of the grid [layers, heads].
/// Throws Error before anything is computed: limit above what allowed_memory (core) says, usage where the maps are of different sizes.
void write_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path);
/// {"model", "text", "tokens", "heads": [{"layer", "head", "weights": [[…]]}]}; NaN is null. Of an encoder–decoder model also
/// "decoder_text", "decoder_tokens" and each head's "attention": "encoder 0", "decoder 0" or "cross 0". A head of another run than
/// the figure's says which: "subject" (a column of the CSV, too), "model", "text" and "tokens". `record`: what the file says of how it was
/// made (provenance.h), under "provenance"; empty: nothing.
void write_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, std::string_view record = {});

}  // namespace headlight
