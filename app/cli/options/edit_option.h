// --edit: what is put in the place of what heads do.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/options/head_names.h"
#include "engine/forward/query.h"

namespace headlight {

/// --edit, which may be given several times.
CLI::Option* add_head_edits(CLI::App& command, std::vector<std::string>& edits);
/// Adds the edits of --edit to those of a query, in their order; "none" takes all away that were there before, and switches heads on again but
/// for those of --off, `off`. Throws Error: usage for what is not an edit and for maps from a file, input for a file of texts that cannot be read.
void apply_head_edits(const std::vector<std::string>& edits, HeadNames& names, const std::vector<HeadId>& off, Query& query);

}  // namespace headlight
