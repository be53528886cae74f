// The families of fonts that are installed, as fontconfig lists them: those that a window can be written in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// One face in a file.
struct FontFile {
  std::filesystem::path path;
  int face = 0;  ///< of a file that holds several
  bool operator==(const FontFile&) const = default;
};

struct FontFamily {
  std::string name;
  FontFile regular, bold;  ///< bold: the face nearest to semibold; the regular one where there is none
  bool operator==(const FontFamily&) const = default;
};

/// Families with outlines and the letters of English that are set in proportion and are not named serif, sorted by name, each once. Reads
/// fontconfig's cache, which may take some tenths of a second the first time. Never throws: without fontconfig there are none.
std::vector<FontFamily> installed_families();

/// Null if there is none of that name.
const FontFamily* find_family(const std::vector<FontFamily>& families, std::string_view name);

/// Whether a family of any kind is installed, however its name is capitalised. Never throws.
bool is_installed(const std::string& family);

}  // namespace headlight
