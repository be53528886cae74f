#include "engine/figure/painters/installed_fonts.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

namespace headlight {
namespace {

struct FreeFonts {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
  void operator()(FcObjectSet* objects) const { FcObjectSetDestroy(objects); }
  void operator()(FcFontSet* fonts) const { FcFontSetDestroy(fonts); }
};

int integer_of(const FcPattern& font, const char* object, int fallback) {
  int value = fallback;
  return FcPatternGetInteger(&font, object, 0, &value) == FcResultMatch ? value : fallback;
}

std::string text_of(const FcPattern& font, const char* object) {
  FcChar8* value = nullptr;
  if (FcPatternGetString(&font, object, 0, &value) != FcResultMatch) return {};
  return reinterpret_cast<const char*>(value);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): as fontconfig has it
}

bool has_english(const FcPattern& font) {
  FcLangSet* languages = nullptr;
  if (FcPatternGetLangSet(&font, FC_LANG, 0, &languages) != FcResultMatch) return false;
  return FcLangSetHasLang(languages, reinterpret_cast<const FcChar8*>("en")) == FcLangEqual;  // NOLINT: likewise
}

/// Upright, of usual width, in proportion, with outlines.
bool is_for_text(const FcPattern& font, const std::string& family) {
  FcBool has_outlines = FcFalse;
  FcPatternGetBool(&font, FC_OUTLINE, 0, &has_outlines);
  const bool is_serif = family.find("Serif") != std::string::npos || family.find("Math") != std::string::npos;
  return has_outlines == FcTrue && !is_serif && integer_of(font, FC_SPACING, FC_PROPORTIONAL) == FC_PROPORTIONAL &&
         integer_of(font, FC_SLANT, FC_SLANT_ROMAN) == FC_SLANT_ROMAN && integer_of(font, FC_WIDTH, FC_WIDTH_NORMAL) == FC_WIDTH_NORMAL &&
         has_english(font);
}

/// The faces of a family that are nearest to two weights.
struct Nearest {
  FontFamily family;
  int regular = 1000, bold = 1000;  ///< how far their weights are off
};

}  // namespace

std::vector<FontFamily> installed_families() {
  const std::unique_ptr<FcPattern, FreeFonts> every(FcPatternCreate());
  const std::unique_ptr<FcObjectSet, FreeFonts> objects(FcObjectSetBuild(FC_FAMILY, FC_FILE, FC_INDEX, FC_WEIGHT, FC_SLANT, FC_WIDTH,
                                                                         FC_SPACING, FC_OUTLINE, FC_LANG, static_cast<char*>(nullptr)));
  if (!every || !objects) return {};
  const std::unique_ptr<FcFontSet, FreeFonts> fonts(FcFontList(nullptr, every.get(), objects.get()));
  std::map<std::string, Nearest> families;
  for (int i = 0; fonts && i < fonts->nfont; ++i) {
    const FcPattern& font = *fonts->fonts[i];
    const std::string name = text_of(font, FC_FAMILY);
    const int weight = integer_of(font, FC_WEIGHT, FC_WEIGHT_REGULAR);
    const FontFile file{text_of(font, FC_FILE), integer_of(font, FC_INDEX, 0) & 0xFFFF};
    if (name.empty() || file.path.empty() || !is_for_text(font, name)) continue;
    Nearest& nearest = families[name];
    nearest.family.name = name;
    const auto take = [&](int wanted, int& off, FontFile& into) {
      if (std::abs(weight - wanted) >= off) return;
      off = std::abs(weight - wanted);
      into = file;
    };
    take(FC_WEIGHT_REGULAR, nearest.regular, nearest.family.regular);
    take(FC_WEIGHT_DEMIBOLD, nearest.bold, nearest.family.bold);
  }
  std::vector<FontFamily> found;
  for (auto& [name, nearest] : families) found.push_back(std::move(nearest.family));
  return found;
}

bool is_installed(const std::string& family) {
  const std::unique_ptr<FcPattern, FreeFonts> wanted(FcPatternCreate());
  const std::unique_ptr<FcObjectSet, FreeFonts> objects(FcObjectSetBuild(FC_FAMILY, static_cast<char*>(nullptr)));
  if (!wanted || !objects) return false;
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));  // NOLINT: as fontconfig has it
  const std::unique_ptr<FcFontSet, FreeFonts> fonts(FcFontList(nullptr, wanted.get(), objects.get()));
  return fonts && fonts->nfont > 0;
}

const FontFamily* find_family(const std::vector<FontFamily>& families, std::string_view name) {
  const auto found = std::find_if(families.begin(), families.end(), [&](const FontFamily& each) { return each.name == name; });
  return found == families.end() ? nullptr : &*found;
}

}  // namespace headlight
