#include "app/gui/kit/fonts.h"

#include <ft2build.h>
#include <misc/freetype/imgui_freetype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

#include FT_FREETYPE_H

namespace headlight {
namespace {

/// One face: its file under a font folder, in the layouts of Debian, other Linux systems, macOS and Windows; the first found is taken.
struct Face {
  const char* package;  ///< the Debian package that contains it
  std::array<std::string_view, 5> files;
};

constexpr Face kInter{
    "fonts-inter",
    {"opentype/inter/Inter-Regular.otf", "truetype/inter/Inter-Regular.ttf", "Inter-Regular.ttf", "Helvetica.ttc", "segoeui.ttf"}};
constexpr Face kInterBold{"fonts-inter",
                          {"opentype/inter/Inter-SemiBold.otf", "truetype/inter/Inter-SemiBold.ttf", "Inter-SemiBold.ttf",
                           "Supplemental/Arial Bold.ttf", "seguisb.ttf"}};
constexpr Face kMono{"fonts-jetbrains-mono",
                     {"truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.ttf", "TTF/JetBrainsMono-Regular.ttf",
                      "Menlo.ttc", "consola.ttf"}};
// Fallbacks of the three: accents, marks of tokenizers, arrows; Chinese, Japanese and Korean; emoji of one colour; the scripts of India and
// Thailand; last GNU Unifont, coarse but with every character of the first two planes, since a tokenizer's bytes may become any of them.
// Colour emoji faces hold bitmaps of one size, which Dear ImGui cannot scale: they would show gaps and hide Symbola.
constexpr std::array kFallbacks{
    Face{"fonts-dejavu-core",
         {"truetype/dejavu/DejaVuSans.ttf", "TTF/DejaVuSans.ttf", "DejaVuSans.ttf", "Supplemental/Arial Unicode.ttf", "arial.ttf"}},
    Face{"fonts-wqy-microhei",
         {"truetype/wqy/wqy-microhei.ttc", "wqy-microhei/wqy-microhei.ttc", "wqy-microhei.ttc", "PingFang.ttc", "msyh.ttc"}},
    Face{"fonts-symbola",
         {"truetype/ancient-scripts/Symbola_hint.ttf", "TTF/Symbola.ttf", "Symbola.ttf", "Apple Symbols.ttf", "seguisym.ttf"}},
    Face{"fonts-freefont-ttf", {"truetype/freefont/FreeSans.ttf", "TTF/FreeSans.ttf", "FreeSans.ttf", "Kohinoor.ttc", "Nirmala.ttf"}},
    Face{"fonts-freefont-ttf", {"truetype/freefont/FreeSerif.ttf", "TTF/FreeSerif.ttf", "FreeSerif.ttf", "Thonburi.ttc", "LeelawUI.ttf"}},
    Face{"fonts-unifont", {"opentype/unifont/unifont.otf", "unifont/unifont.otf", "unifont.otf", "unifont.ttf", "seguihis.ttf"}},
    Face{"fonts-unifont",
         {"opentype/unifont/unifont_upper.otf", "unifont/unifont_upper.otf", "unifont_upper.otf", "unifont_upper.ttf", "gadugi.ttf"}},
};

// Dear ImGui puts the baseline at the face's rounded-up ascent; the offset moves it so that capitals are centred in the em.
constexpr float kOffsetSize = 14;
constexpr float kInterOffset = -2;  // ascent 0.97 em, capitals 0.73 em
constexpr float kMonoOffset = -3;   // ascent 1.02 em, capitals 0.73 em

/// Shown for a character that no face has. Dear ImGui's own choice, "?", could be the character itself.
constexpr ImWchar kReplacement = 0xFFFD;

std::filesystem::path find_face(const Face& face, const std::vector<std::filesystem::path>& folders) {
  for (const std::string_view file : face.files) {
    for (const std::filesystem::path& folder : folders) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(folder / file, ignored)) return folder / file;
    }
  }
  return {};
}

class Loader {
 public:
  Loader(Fonts& fonts, const std::vector<std::filesystem::path>& folders) : fonts_(fonts), folders_(folders) {}

  ImFont* load(const Face& primary, float offset) {
    ImFont* font = add(primary, offset, false);
    if (font != nullptr) return with_fallbacks(*font, offset);
    ImFontConfig built_in;
    built_in.SizePixels = kOffsetSize;
    return with_fallbacks(*ImGui::GetIO().Fonts->AddFontDefault(&built_in), 0);
  }
  /// Null if the file cannot be read.
  ImFont* load(const FontFile& file, float offset) {
    ImFont* font = add_file(file, offset, false);
    return font == nullptr ? nullptr : with_fallbacks(*font, offset);
  }

 private:
  ImFont* with_fallbacks(ImFont& font, float offset) {
    for (const Face& face : kFallbacks) add(face, offset, true);
    font.FallbackChar = kReplacement;
    return &font;
  }

  ImFont* add_file(const FontFile& file, float offset, bool is_fallback) {
    ImFontConfig config;
    config.MergeMode = is_fallback;
    config.FontNo = static_cast<ImU32>(file.face);
    config.SizePixels = kOffsetSize;
    config.GlyphOffset.y = offset;
    // Bitmap makes the size mean the em; outline faces stay outlines.
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_Bitmap | ImGuiFreeTypeLoaderFlags_LightHinting;
    return ImGui::GetIO().Fonts->AddFontFromFileTTF(file.path.string().c_str(), 0, &config);
  }
  ImFont* add(const Face& face, float offset, bool is_fallback) {
    const std::filesystem::path path = find_face(face, folders_);
    ImFont* font = path.empty() ? nullptr : add_file({path}, offset, is_fallback);
    if (font == nullptr && std::find(fonts_.missing.begin(), fonts_.missing.end(), face.package) == fonts_.missing.end()) {
      fonts_.missing.emplace_back(face.package);
    }
    return font;
  }

  Fonts& fonts_;
  const std::vector<std::filesystem::path>& folders_;
};

/// What a face says of its letters, in shares of the em.
struct FaceMeasures {
  float ascent = 0, capital = 0, width = 0;  ///< width: of the small letters on average
};

/// Nothing if the file is not a font, or has no Latin letters.
std::optional<FaceMeasures> measures_of(const FontFile& file) {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  if (FT_Init_FreeType(&library) != 0) return std::nullopt;
  std::optional<FaceMeasures> measures;
  if (FT_New_Face(library, file.path.string().c_str(), file.face, &face) == 0) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
    float width = 0, capital = 0;
    for (const char letter : kLetters) {
      if (FT_Load_Char(face, static_cast<FT_ULong>(letter), FT_LOAD_NO_SCALE) == 0)
        width += static_cast<float>(face->glyph->metrics.horiAdvance);
    }
    if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) == 0) capital = static_cast<float>(face->glyph->metrics.horiBearingY);
    const auto em = static_cast<float>(face->units_per_EM);
    if (em > 0 && width > 0 && capital > 0) {
      measures = FaceMeasures{static_cast<float>(face->ascender) / em, capital / em, width / em / static_cast<float>(kLetters.size())};
    }
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return measures;
}

/// What moves the baseline so that capitals are centred in the em.
float offset_of(const FaceMeasures& face) {
  return std::round(kOffsetSize / 2 + face.capital * kOffsetSize / 2 - std::ceil(face.ascent * kOffsetSize));
}

void add_folder(std::vector<std::filesystem::path>& folders, const char* variable, std::string_view below) {
  const char* base = std::getenv(variable);
  if (base != nullptr && *base != '\0') folders.push_back(std::filesystem::path(base) / below);
}

}  // namespace

ImFont* Fonts::of(FontFace face) const {
  switch (face) {
    case FontFace::ui:
      return ui;
    case FontFace::ui_bold:
      return ui_bold;
    case FontFace::mono:
      return mono;
  }
  return ui;
}

std::vector<std::filesystem::path> font_folders() {
  std::vector<std::filesystem::path> folders;
#if defined(_WIN32)
  add_folder(folders, "LOCALAPPDATA", "Microsoft/Windows/Fonts");
  add_folder(folders, "WINDIR", "Fonts");
#elif defined(__APPLE__)
  add_folder(folders, "HOME", "Library/Fonts");
  folders.insert(folders.end(), {"/Library/Fonts", "/System/Library/Fonts"});
#else
  add_folder(folders, "HOME", ".local/share/fonts");
  folders.insert(folders.end(), {"/usr/local/share/fonts", "/usr/share/fonts"});
#endif
  return folders;
}

Fonts load_fonts(float scale, const std::vector<std::filesystem::path>& folders) {
  Fonts fonts;
  fonts.scale = scale;
  Loader loader(fonts, folders);
  fonts.ui = loader.load(kInter, kInterOffset);
  fonts.ui_bold = loader.load(kInterBold, kInterOffset);
  fonts.mono = loader.load(kMono, kMonoOffset);
  return fonts;
}

Fonts with_family(const Fonts& fonts, const FontFamily& family, const std::vector<std::filesystem::path>& folders) {
  const std::optional<FaceMeasures> regular = measures_of(family.regular), bold = measures_of(family.bold);
  const std::optional<FaceMeasures> inter = measures_of({find_face(kInter, folders)});
  const std::optional<FaceMeasures> inter_bold = measures_of({find_face(kInterBold, folders)});
  if (!regular || !bold) return fonts;
  Fonts changed = fonts;
  Loader loader(changed, folders);
  ImFont* const ui = loader.load(family.regular, offset_of(*regular));
  ImFont* const ui_bold = loader.load(family.bold, offset_of(*bold));
  if (ui == nullptr || ui_bold == nullptr) {
    for (ImFont* const font : {ui, ui_bold}) {
      if (font != nullptr) ImGui::GetIO().Fonts->RemoveFont(font);
    }
    return fonts;
  }
  changed.ui = ui;
  changed.ui_bold = ui_bold;
  if (inter && inter_bold) changed.share = std::min({1.0F, inter->width / regular->width, inter_bold->width / bold->width});
  return changed;
}

void release_family(const Fonts& fonts, const Fonts& former) {
  ImGuiIO& io = ImGui::GetIO();
  for (ImFont* const font : {former.ui, former.ui_bold}) {
    if (font == nullptr || font == fonts.ui || font == fonts.ui_bold || font == fonts.mono) continue;
    if (io.FontDefault == font) io.FontDefault = fonts.ui;
    fonts.shaped->forget(*font);
    io.Fonts->RemoveFont(font);
  }
}

}  // namespace headlight
