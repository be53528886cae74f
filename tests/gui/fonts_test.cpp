#include "app/gui/kit/fonts.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include "tests/gui/null_window.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

TEST(Fonts, WithoutAnyFileTheBuiltInFaceIsTakenAndPackagesAreNamedOnce) {
  NullContext context({400, 300});
  const TemporaryFolder empty;
  const Fonts fonts = load_fonts(1, {empty.path()});
  EXPECT_NE(fonts.ui, nullptr);
  EXPECT_NE(fonts.mono, nullptr);
  EXPECT_THAT(fonts.missing, ::testing::ElementsAre("fonts-inter", "fonts-dejavu-core", "fonts-wqy-microhei", "fonts-symbola",
                                                    "fonts-freefont-ttf", "fonts-unifont", "fonts-jetbrains-mono"));
  ImGui::NewFrame();
  EXPECT_GT(fonts.of(FontFace::ui_bold)->CalcTextSizeA(14, FLT_MAX, 0, "heads").x, 10);
  ImGui::EndFrame();
}

TEST(Fonts, AFileThatIsNoFontIsPassedOver) {
  NullContext context({400, 300});
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "opentype/inter");
  folder.file("opentype/inter/Inter-Regular.otf", "this is not a font");
  const Fonts fonts = load_fonts(1, {folder.path()});
  ImGui::NewFrame();
  EXPECT_GT(fonts.ui->CalcTextSizeA(14, FLT_MAX, 0, "heads").x, 10);
  EXPECT_THAT(fonts.missing, ::testing::Contains("fonts-inter"));
  ImGui::EndFrame();
}

TEST(Fonts, EveryFaceShowsAccentsMarksEmojiAndTheScriptsOfTheWorld) {
  NullContext context({400, 300});
  const Fonts fonts = load_fonts(1);
  if (!fonts.missing.empty()) return say_not_found("font package " + fonts.missing.front());
  for (const FontFace face : {FontFace::ui, FontFace::ui_bold, FontFace::mono}) {
    for (const unsigned int character : {0xE9U, 0x120U, 0x2581U, 0x2192U, 0x221AU, 0x4E2DU, 0x3042U, 0xD55CU, 0x1F600U, 0x928U, 0xE2AU,
                                         0xBB5U, 0x110BU, 0x1230U, 0xF56U, 0x10330U}) {
      EXPECT_TRUE(fonts.of(face)->IsGlyphInFont(character)) << std::hex << character;
    }
    EXPECT_EQ(fonts.of(face)->FallbackChar, 0xFFFDU);
  }
}

TEST(Fonts, ASizeIsTheEm) {
  NullContext context({400, 300});
  const Fonts fonts = load_fonts(1);
  if (!fonts.missing.empty()) return say_not_found("font package " + fonts.missing.front());
  ImGui::NewFrame();
  // JetBrains Mono is 0.6 em wide; an ideograph is 1 em.
  EXPECT_NEAR(fonts.mono->CalcTextSizeA(100, FLT_MAX, 0, "0").x, 60, 0.5);
  EXPECT_NEAR(fonts.ui->CalcTextSizeA(100, FLT_MAX, 0, "\u4E2D").x, 100, 1);
  // Capitals of Inter stand in the middle of the line.
  const ImFontGlyph& capital = *fonts.ui->GetFontBaked(100)->FindGlyph('H');
  EXPECT_NEAR((capital.Y0 + capital.Y1) / 2, 50, 5);
  ImGui::EndFrame();
}

}  // namespace
}  // namespace headlight::testing
