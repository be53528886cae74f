// Properties of characters as Oniguruma knows them, which in tokenizers 0.23.1 has the tables of Unicode 16. PCRE2 10.42 has those of
// Unicode 14 and would take the letters of later scripts and later ideographs for unassigned.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// A PCRE2 expression whose \p{…}, \P{…}, \d and \D know the later characters too: \p{Nd} becomes [\p{Nd}\x{10D40}-\x{10D49}…]. Categories,
/// Alphabetic, Lowercase and the scripts of the table are completed; other properties, \p{C} and \P{…} inside brackets are left as they are.
std::string with_young_characters(std::string_view expression);

}  // namespace headlight
