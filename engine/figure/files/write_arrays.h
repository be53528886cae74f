// The numbers behind a figure as arrays by name, with what they are of beside them: NumPy's .npz and safetensors.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/formats/tensors/write_tensors.h"

namespace headlight {

/// The name under which these files keep how they were made (provenance.h).
inline constexpr char kRecordName[] = "headlight";

/// Maps of one size are one array, "attention" or the name of another stage, with the figure's own axes before [query, key]; maps of several
/// sizes are an array each, "attention.0.1" for layer 0 and head 1, "cross.attention.0.1" where a model has several stacks. Tables are an
/// array each, by the name of their numbers, and so is every column of a list that has numbers, as float64. Texts beside them: "model", "text", "tokens" (JSON) and, of an encoder–decoder model,
/// "decoder_text" and "decoder_tokens"; "heads" (JSON) lists what each map is of, as write_json does. `record`: kept under kRecordName;
/// empty: nothing. For requests that check_figure passes, of figures with numbers. Throws Error: limit above what allowed_memory says, write.
void write_figure_npz(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                      std::string_view record = {});
void write_figure_safetensors(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                              std::string_view record = {});

/// SHA-256 over arrays by name and the texts beside them, without how they were made.
std::string arrays_sum(std::vector<TensorToWrite> arrays, const std::map<std::string, std::string>& texts);

}  // namespace headlight
