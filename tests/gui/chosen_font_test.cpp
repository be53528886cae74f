// The window's words in another family than Inter.
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include "app/gui/panel/saved_view.h"
#include "engine/figure/painters/installed_fonts.h"
#include "tests/gui/every_screen.h"

namespace headlight::testing {
namespace {

/// One wider and one narrower than Inter.
constexpr std::array kFamilies{"DejaVu Sans", "FreeSans"};

TEST(InstalledFonts, AreFamiliesForTextOnceEach) {
  const std::vector<FontFamily> families = installed_families();
  std::vector<std::string> names;
  for (const FontFamily& family : families) {
    names.push_back(family.name);
    EXPECT_TRUE(std::filesystem::exists(family.regular.path)) << family.name;
    EXPECT_TRUE(std::filesystem::exists(family.bold.path)) << family.name;
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const char* other : {"JetBrains Mono", "DejaVu Serif", "Noto Color Emoji", "Noto Sans Thai UI"}) {
    EXPECT_EQ(find_family(families, other), nullptr) << other;
  }
  if (find_family(families, "DejaVu Sans") == nullptr) return say_not_found("DejaVu Sans");
  EXPECT_NE(find_family(families, "DejaVu Sans")->bold, find_family(families, "DejaVu Sans")->regular);
}

TEST(ChosenFont, OfAWiderFamilyLettersAreSmallerSoThatAsMuchFits) {
  NullContext context({400, 300});
  const Fonts fonts = load_fonts(1);
  const std::vector<FontFamily> families = installed_families();
  for (const char* name : kFamilies) {
    const FontFamily* family = find_family(families, name);
    if (family == nullptr || !fonts.missing.empty()) return say_not_found(name);
    const Fonts changed = with_family(fonts, *family);
    EXPECT_NE(changed.ui, fonts.ui) << name;
    EXPECT_EQ(changed.mono, fonts.mono) << "numbers keep their columns";
    const std::string sentence = "the quick brown fox jumps over the lazy dog";
    ImGui::NewFrame();
    const auto width = [&](const Fonts& each) { return each.ui->CalcTextSizeA(100 * each.share, FLT_MAX, 0, sentence.c_str()).x; };
    EXPECT_LT(width(changed), 1.03F * width(fonts)) << name;
    const ImFontGlyph& capital = *changed.ui->GetFontBaked(14)->FindGlyph('H');
    EXPECT_NEAR((capital.Y0 + capital.Y1) / 2, 7, 1) << name << ": capitals stand in the middle of the line";
    ImGui::EndFrame();
  }
}

TEST(ChosenFont, AFileThatIsNoFontChangesNothing) {
  NullContext context({400, 300});
  const TemporaryFolder folder;
  const Fonts fonts = load_fonts(1);
  const FontFile broken{folder.file("broken.ttf", "this is not a font")};
  EXPECT_EQ(with_family(fonts, {"Broken", broken, broken}).ui, fonts.ui);
}

TEST(ChosenFont, AFamilyThatIsLeftIsNoLongerInMemory) {
  NullContext context({400, 300});
  const Fonts fonts = load_fonts(1);
  const std::vector<FontFamily> families = installed_families();
  const FontFamily* family = find_family(families, "DejaVu Sans");
  if (family == nullptr) return say_not_found("DejaVu Sans");
  const int before = ImGui::GetIO().Fonts->Fonts.Size;
  for (int time = 0; time < 3; ++time) {
    const Fonts changed = with_family(fonts, *family);
    ImGui::GetIO().FontDefault = changed.ui;
    ImGui::NewFrame();
    ImGui::Render();
    context.acknowledge_textures();
    release_family(fonts, changed);
    EXPECT_EQ(ImGui::GetIO().Fonts->Fonts.Size, before);
    EXPECT_EQ(ImGui::GetIO().FontDefault, fonts.ui);
  }
  release_family(fonts, fonts);
  EXPECT_EQ(ImGui::GetIO().Fonts->Fonts.Size, before) << "the built-in faces stay";
}

class ChooseFont : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    while (!session.fonts().families()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  bool has_family(const char* name) { return find_family(*session.fonts().families(), name) != nullptr; }
};

TEST_F(ChooseFont, InTheSettingsBySearchArrowsAndEnter) {
  if (!has_family("FreeSans")) return say_not_found("FreeSans");
  window.key("ctrl+,");
  window.click("Font");
  window.type("freesa");
  window.key("down");
  window.key("enter");
  settle();
  EXPECT_EQ(view.shell.font, "FreeSans");
}

TEST_F(ChooseFont, InThePalette) {
  if (!has_family("FreeSans")) return say_not_found("FreeSans");
  window.key("ctrl+p");
  window.type("font freesans");
  window.key("enter");
  settle();
  EXPECT_EQ(view.shell.font, "FreeSans");
  window.key("ctrl+p");
  window.type("font built-in");
  window.key("enter");
  settle();
  EXPECT_EQ(view.shell.font, "");
}

TEST_F(ChooseFont, ItComesBackAtTheNextStart) {
  view.shell.font = "FreeSans";
  EXPECT_EQ(view_from_json(to_json(view, all_views()), all_views()).shell.font, "FreeSans");
}

/// Figures on screen stay in Inter, as their files are.
class EveryScreenInAnotherFont : public EveryScreen {
 protected:
  void draw_in(const FontFamily& family) {
    fonts_ = with_family(window.fonts, family);
    ImGui::GetIO().FontDefault = fonts_.ui;
    window.draw = [this] { draw_frame(in_font_, frame_state); };
    settle();
  }

 private:
  Fonts fonts_;
  FrameContext in_font_{session, window.painter, fonts_, {}};
};

TEST_P(EveryScreenInAnotherFont, NothingIsCutOffOrOverlaps) {
  const std::vector<FontFamily> families = installed_families();
  for (const char* name : kFamilies) {
    const FontFamily* family = find_family(families, name);
    if (family == nullptr) return say_not_found(name);
    draw_in(*family);
    expect_every_view_readable(name);
    for (bool* is_open : {&view.dialogs.settings, &view.dialogs.help, &view.dialogs.figure_export, &view.dialogs.model_picker}) {
      show(View::head);
      *is_open = true;
      settle();
      expect_readable(std::string(name) + ", a dialog");
      *is_open = false;
      settle();
    }
  }
}

TEST_P(EveryScreenInAnotherFont, TheStripIsMeasuredAnew) {
  const std::vector<FontFamily> families = installed_families();
  const FontFamily* family = find_family(families, kFamilies.back());
  if (family == nullptr) return say_not_found(kFamilies.back());
  const float before = window.box_of("token 1").x;
  draw_in(*family);
  EXPECT_LT(window.box_of("token 1").x, before) << "the narrower letters of token 0 need less room";
}

TEST_P(EveryScreenInAnotherFont, TheListOfFontsFits) {
  while (!session.fonts().families()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  view.dialogs.settings = true;
  settle();
  window.click("Font");
  settle();
  expect_readable("the list of fonts");
}

INSTANTIATE_TEST_SUITE_P(Screens, EveryScreenInAnotherFont, ::testing::ValuesIn(kScreens), name_of_screen);

}  // namespace
}  // namespace headlight::testing
