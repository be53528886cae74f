// The names in a zip archive are written twice: in the directory at its end, and before the bytes of each member.
#pragma once

#include <vector>

#include "engine/formats/file_reader.h"
#include "engine/formats/zip_file.h"

namespace headlight {

/// Refuses an archive in which a member's own header and the directory disagree about its name: two programs would read two different
/// archives. `members` in the order of the directory, which a library has read already (PKWARE's APPNOTE 4.3). Throws Error (input).
void check_zip_names(const FileReader& reader, const std::vector<ZipMember>& members);

}  // namespace headlight
