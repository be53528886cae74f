// Text in any script, in the window: which texts pango shapes, and that they look and measure as in files.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "app/gui/kit/shaping/scripts.h"
#include "app/gui/kit/theme.h"
#include "app/gui/kit/widgets.h"
#include "engine/figure/painters/painters.h"
#include "tests/gui/null_window.h"

namespace headlight {
namespace {

using testing::NullWindow;

constexpr const char* kHebrew = "שלום עולם, the 123";
constexpr const char* kArabic = "القطة جلست على السجادة";
constexpr const char* kHindi = "क्षत्रिय नमस्ते";
constexpr const char* kThai = "น้ำที่";
constexpr const char* kFamily = "👩‍👩‍👧‍👦";

TEST(Scripts, ThoseThatJoinReorderOrStackAreShaped) {
  for (const char* text :
       {kHebrew, kArabic, kHindi, kThai, kFamily, "e\u0301", "😀", "❤\uFE0F", "a\u200Db", "⌚", "한\u1100\u1161", "a\u202Eb"}) {
    EXPECT_TRUE(needs_shaping(text)) << text;
  }
}

TEST(Scripts, PlainLettersAndSignsKeepTheFastWay) {
  for (const char* text :
       {"", "The café isn't naïve", "Ġ▁↵␣⇥␍…“”", "αβγ √d ÷ Σ ≤ ∅ → ×", "Привет", "中文、日本語カナ", "한국어", "▾ ✓ ☀", "𝛼", "\uFFFD"}) {
    EXPECT_FALSE(needs_shaping(text)) << text;
  }
}

class ShapedTextInAWindow : public ::testing::Test {
 protected:
  void SetUp() override { apply_theme(Theme::dark, 1); }

  /// Draws a text once, alone, in white; returns what its vertices show of the atlas, at their places from `corner` on.
  Image shown(const SceneText& item, float width, float height) {
    Image image{static_cast<int>(width), static_cast<int>(height), {}};
    image.pixels.assign(static_cast<std::size_t>(image.width * image.height) * 4, 0);
    window.draw = [&] {
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({1600, 1000});
      ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration);
      ImDrawList& list = *ImGui::GetWindowDrawList();
      const int first = list.VtxBuffer.Size;
      window.painter.paint(Scene{width, height, {}, {}, {item}}, {0, 0}, "text");
      for (int at = first; at + 3 < list.VtxBuffer.Size; at += 4) copy(list.VtxBuffer[at], list.VtxBuffer[at + 2], image);
      ImGui::End();
    };
    window.frame();
    return image;
  }

  /// One upright quad, its corner and the opposite one.
  static void copy(const ImDrawVert& from, const ImDrawVert& to, Image& image) {
    ImTextureData& atlas = *ImGui::GetIO().Fonts->TexData;
    const auto left = static_cast<int>(std::lround(from.uv.x * static_cast<float>(atlas.Width)));
    const auto top = static_cast<int>(std::lround(from.uv.y * static_cast<float>(atlas.Height)));
    for (int y = 0; y < static_cast<int>(to.pos.y - from.pos.y); ++y) {
      for (int x = 0; x < static_cast<int>(to.pos.x - from.pos.x); ++x) {
        const int at_x = static_cast<int>(from.pos.x) + x, at_y = static_cast<int>(from.pos.y) + y;
        if (at_x < 0 || at_y < 0 || at_x >= image.width || at_y >= image.height) continue;
        const auto* texel = static_cast<const std::uint8_t*>(atlas.GetPixelsAt(left + x, top + y));
        std::uint8_t* pixel = &image.pixels[static_cast<std::size_t>(at_y * image.width + at_x) * 4];
        for (int part = 0; part < 3; ++part) {  // over what is there
          pixel[part] = static_cast<std::uint8_t>((texel[part] * texel[3] + pixel[part] * (255 - texel[3]) + 127) / 255);
        }
      }
    }
  }

  NullWindow window{{1600, 1000}};
};

TEST_F(ShapedTextInAWindow, HasThePixelsOfTheFile) {
  for (const char* text : {kHebrew, kArabic, kHindi, kThai, kFamily}) {
    const SceneText item{.at = {10, 30}, .text = text, .size = 20, .colour = {255, 255, 255}, .align_y = AlignY::baseline};
    const Scene scene{300, 50, {0, 0, 0}, {}, {item}};
    const Image file = to_image(scene, 1), screen = shown(item, 300, 50);
    int ink = 0, furthest = 0;
    for (std::size_t i = 0; i < file.pixels.size(); i += 4) {
      for (std::size_t part = 0; part < 3; ++part) furthest = std::max(furthest, std::abs(file.pixels[i + part] - screen.pixels[i + part]));
      ink += file.pixels[i] > 128 ? 1 : 0;
    }
    EXPECT_GT(ink, 30) << text;
    EXPECT_LE(furthest, 2) << text << ": rounding of opacity alone may differ";
  }
}

TEST_F(ShapedTextInAWindow, IsAsWideAsInTheFile) {
  const MeasureText screen = window.painter.measure(), file = pango_measure();
  window.draw = [&] {
    for (const char* text : {kHebrew, kArabic, kHindi, kThai, kFamily}) {
      for (const FontFace face : {FontFace::ui, FontFace::ui_bold, FontFace::mono})
        EXPECT_EQ(screen(text, face, 14), file(text, face, 14)) << text;
    }
  };
  window.frame();
}

TEST_F(ShapedTextInAWindow, LettersOfAWordJoin) {
  const MeasureText screen = window.painter.measure();
  window.draw = [&] {
    EXPECT_LT(screen("سس", FontFace::ui, 100), 1.9F * screen("س", FontFace::ui, 100)) << "joined, they are narrower than alone";
    EXPECT_EQ(screen(kFamily, FontFace::ui, 100), screen("👩", FontFace::ui, 100)) << "one picture";
  };
  window.frame();
}

TEST_F(ShapedTextInAWindow, IsElidedBetweenCharactersAndToTheRoom) {
  const Look look{palette(Theme::dark), window.fonts};
  window.draw = [&] {
    const std::string text = "नमस्ते नमस्ते नमस्ते नमस्ते";
    const std::string shown = elided(look, Type::body, text, 80);
    EXPECT_LE(text_width(look, Type::body, shown), 80);
    EXPECT_TRUE(shown.ends_with("…")) << shown;
    EXPECT_EQ(elided(look, Type::body, std::string(kFamily) + kFamily,
                     text_width(look, Type::body, kFamily) + text_width(look, Type::body, "…") + 1),
              std::string(kFamily) + "…")
        << "a family stays together";
  };
  window.frame(2);
}

TEST_F(ShapedTextInAWindow, IsForgottenWhenItIsNotShownAnyMore) {
  const Look look{palette(Theme::dark), window.fonts};
  const auto draw_word = [&](const char* text) {
    window.draw = [&look, text] {
      ImGui::Begin("page");
      draw_text(look, 20, 60, Type::body, look.colours.text, text);
      ImGui::End();
    };
  };
  draw_word(kArabic);
  window.frame(3);
  EXPECT_EQ(window.fonts.shaped->texts(), 1);
  EXPECT_GT(window.fonts.shaped->pixels(), 0);
  const std::size_t pixels = window.fonts.shaped->pixels();
  window.frame(600);
  EXPECT_EQ(window.fonts.shaped->pixels(), pixels) << "painted once, however long it is shown";
  draw_word(kHindi);
  window.frame(600);
  EXPECT_EQ(window.fonts.shaped->texts(), 1);
}

TEST_F(ShapedTextInAWindow, KeepsWithinItsRoomInTheAtlas) {
  const Look look{palette(Theme::dark), window.fonts};
  int word = 0;
  window.draw = [&] {
    ImGui::Begin("page");
    for (int i = 0; i < 50; ++i) {
      draw_text(look, 20, 60, Type::title, look.colours.text, kArabic + std::to_string(++word) + " " + kArabic);
    }
    ImGui::End();
  };
  window.frame(20);
  EXPECT_LT(window.fonts.shaped->pixels(), std::size_t{5} << 19U);
  EXPECT_LE(ImGui::GetIO().Fonts->TexData->Width * ImGui::GetIO().Fonts->TexData->Height, 4096 * 4096);
}

TEST_F(ShapedTextInAWindow, NeedsNoDrawCallOfItsOwn) {
  const Look look{palette(Theme::dark), window.fonts};
  window.draw = [&] {
    ImGui::Begin("page");
    for (const char* text : {"plain", kArabic, "plain", kFamily, "plain"}) draw_text(look, 20, 60, Type::body, look.colours.text, text);
    ImGui::End();
  };
  window.frame(3);
  int calls = 0;
  for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) calls += list->CmdBuffer.Size;
  EXPECT_LE(calls, 3);
}

}  // namespace
}  // namespace headlight
