// A stored tensor's numbers, from any file whose header gave a checked TensorInfo.
#pragma once

#include <vector>

#include "engine/formats/file_reader.h"
#include "engine/formats/tensors/tensor.h"

namespace headlight {

/// Converts to float32, piece by piece, so that nothing is held twice. Throws Error (input) for a type that has no conversion, and where
/// the file has been cut short; or Cancelled.
FloatTensor read_floats(const FileReader& reader, const TensorInfo& tensor, const Watch& watch = {});
/// Integer and boolean types.
std::vector<std::int64_t> read_integers(const FileReader& reader, const TensorInfo& tensor);

}  // namespace headlight
