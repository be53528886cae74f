// Every letter that a frame writes has a contrast of at least 4.5 : 1 to what is drawn under it: computed from the triangles of the frame,
// whatever widget drew them. Under a map's texture nothing is known, so letters there are left out.
#include <fmt/core.h>
#include <imgui_internal.h>

#include <cmath>
#include <map>
#include <optional>

#include "app/gui/kit/region.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

constexpr double kLeastContrast = 4.5;  // Web Content Accessibility Guidelines 2.1, level AA

struct Shade {
  double red = 0, green = 0, blue = 0;
};

Shade blended(const Shade& below, ImU32 colour) {
  const ImVec4 top = ImGui::ColorConvertU32ToFloat4(colour);
  const auto mixed = [&](double under, float over) { return under + (static_cast<double>(over) - under) * static_cast<double>(top.w); };
  return {mixed(below.red, top.x), mixed(below.green, top.y), mixed(below.blue, top.z)};
}

double luminance(const Shade& shade) {
  const auto channel = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * channel(shade.red) + 0.7152 * channel(shade.green) + 0.0722 * channel(shade.blue);
}

double contrast(const Shade& a, const Shade& b) {
  const double light = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

std::string hex(const Shade& shade) {
  const auto byte = [](double part) { return static_cast<int>(std::lround(part * 255)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(shade.red), byte(shade.green), byte(shade.blue));
}

/// A filled triangle, or one of a picture whose colours are not known.
struct Fill {
  std::array<ImVec2, 3> corners;
  ImVec4 clip;
  ImU32 colour = 0;
  bool is_picture = false;
};

bool covers(const Fill& fill, ImVec2 at) {
  if (at.x < fill.clip.x || at.y < fill.clip.y || at.x >= fill.clip.z || at.y >= fill.clip.w) return false;
  const auto& [a, b, c] = fill.corners;
  const auto turn = [](ImVec2 from, ImVec2 to, ImVec2 p) { return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x); };
  if (turn(a, b, c) == 0) return false;  // without an area
  const auto side = [&](ImVec2 from, ImVec2 to) { return turn(from, to, at); };
  const float ab = side(a, b), bc = side(b, c), ca = side(c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

/// Reads the triangles of a frame in the order in which they are drawn.
class FrameReader {
 public:
  explicit FrameReader(Shade ground) : ground_(ground), white_(ImGui::GetIO().Fonts->TexUvWhitePixel) {
    const ImDrawData* frame = ImGui::GetDrawData();
    for (const ImDrawList* list : frame->CmdLists) {
      for (const ImDrawCmd& command : list->CmdBuffer) {
        if (command.UserCallback == nullptr) read(*list, command);
      }
    }
  }
  /// The pairs of colours that are too close, and where one of each is.
  const std::map<std::string, ImVec2>& problems() const { return problems_; }
  int letters() const { return letters_; }

 private:
  void read(const ImDrawList& list, const ImDrawCmd& command) {
    const bool is_picture = command.GetTexID() >= 1000;  // the test's texture store counts from there
    for (unsigned int i = 0; i + 2 < command.ElemCount; i += 3) {
      std::array<ImDrawVert, 3> vertices;
      for (unsigned int j = 0; j < 3; ++j) {
        const unsigned int place =
            static_cast<unsigned int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i + j)]) + command.VtxOffset;
        vertices[j] = list.VtxBuffer[static_cast<int>(place)];
      }
      const Fill fill{{vertices[0].pos, vertices[1].pos, vertices[2].pos}, command.ClipRect, vertices[0].col, is_picture};
      const bool is_even = vertices[0].col == vertices[1].col && vertices[0].col == vertices[2].col;
      const bool is_solid = vertices[0].uv.x == white_.x && vertices[0].uv.y == white_.y && vertices[1].uv.x == white_.x;
      if (is_picture || (is_solid && is_even)) {
        fills_.push_back(fill);
      } else if (!is_solid && is_even && i % 6 == 0) {  // the first half of a letter's rectangle
        read_letter(vertices, fill);
      }
    }
  }

  void read_letter(const std::array<ImDrawVert, 3>& vertices, const Fill& fill) {
    const ImVec2 middle{(vertices[0].pos.x + vertices[2].pos.x) / 2, (vertices[0].pos.y + vertices[2].pos.y) / 2};
    const bool is_seen = middle.x >= fill.clip.x && middle.y >= fill.clip.y && middle.x < fill.clip.z && middle.y < fill.clip.w;
    if (!is_seen || (fill.colour >> IM_COL32_A_SHIFT) == 0) return;
    Shade under = ground_;
    for (const Fill& each : fills_) {
      if (!covers(each, middle)) continue;
      if (each.is_picture) return;
      under = blended(under, each.colour);
    }
    ++letters_;
    const Shade letter = blended(under, fill.colour);
    const double found = contrast(letter, under);
    if (found < kLeastContrast) problems_.emplace(fmt::format("{} on {}: {:.2f}", hex(letter), hex(under), found), middle);
  }

  Shade ground_;
  ImVec2 white_;
  std::vector<Fill> fills_;
  std::map<std::string, ImVec2> problems_;
  int letters_ = 0;
};

class Contrast : public testing::FrameTest, public ::testing::WithParamInterface<Theme> {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    apply_theme(GetParam(), 1);
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;  // so that only letters have a place in the fonts' texture
    ImGui::GetStyle().AntiAliasedFill = false;
    Document document = this->document();
    set_theme(document.style, GetParam());
    session.apply(document, false, false);
    window.hover(ImVec2(1, 1));
    settle();
  }
  void expect_readable(const std::string& what) {
    window.frame(2);
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(to_imgui(palette(GetParam()).ground));
    const FrameReader frame({static_cast<double>(ground.x), static_cast<double>(ground.y), static_cast<double>(ground.z)});
    EXPECT_GT(frame.letters(), 100) << what;
    for (const auto& [problem, at] : frame.problems()) ADD_FAILURE() << what << ": " << problem << " at " << at.x << ", " << at.y;
  }
};

TEST(ContrastOfAFrame, FindsLettersThatAreTooFaintOnWhatLiesUnderThem) {
  testing::NullWindow window;
  apply_theme(Theme::dark, 1);
  ImGui::GetStyle().AntiAliasedFill = false;
  const Palette& colours = palette(Theme::dark);
  const Look look{colours, window.fonts};
  Colour under = colours.ground;
  window.draw = [&] {
    begin_region(look, "Page", {0, 0, 400, 200}, colours.ground, {0, 0});
    ImGui::GetWindowDrawList()->AddRectFilled({10, 10}, {300, 60}, to_imgui(under));
    draw_text(look, 20, 35, Type::body, colours.text_second, "letters");
    end_region();
  };
  const auto problems = [&] {
    window.frame(2);
    return FrameReader({0, 0, 0}).problems().size();
  };
  EXPECT_EQ(problems(), 0U);
  under = colours.key;
  EXPECT_EQ(problems(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Themes, Contrast, ::testing::Values(Theme::dark, Theme::light),
                         [](const auto& theme) { return std::string(theme.param == Theme::dark ? "dark" : "light"); });

TEST_P(Contrast, OfEveryViewWithWhatIsPinnedAndPointedAt) {
  view.pinned_query = TokenPlace{Side::text, 6};
  Document pinned = document();
  pinned.pins = {{{0, 0}}, {{3, 1}}};
  session.apply(pinned, false, false);
  settle();
  for (const ViewRow& row : all_views()) {
    show(row.view);
    expect_readable(row.title);
    window.hover("token 3");
    expect_readable(std::string(row.title) + ", a token under the pointer");
    window.hover(ImVec2(1, 1));
  }
  show(View::head);
  window.hover(window.cell_of("map", {5, 2}));
  expect_readable("a cell under the pointer");
}

TEST_P(Contrast, OfTheContextMenuAndWhatItExplains) {
  show(View::head);
  window.feed.click(window.cell_of("map", {5, 2}), ImGuiMouseButton_Right);
  window.play();
  expect_readable("the menu");
  window.click("Explain this");
  expect_readable("the explanation");
}

TEST_P(Contrast, OfRowsAndButtonsUnderThePointer) {
  show(View::output);
  for (const char* label : {"Export", "Set baseline", "Labs", "Sentence"}) {
    window.hover(label);
    expect_readable(label);
  }
  show(View::head);
  window.click("token 6");
  for (const char* label : {"Profile key 0", "Pinned row", "Undo", "Applies to", "Brush cell"}) {
    window.hover(label);
    expect_readable(label);
  }
  window.hover(ImVec2(1, 1));
  window.key("ctrl+c");
  expect_readable("what was copied");
  window.key("f5");
  expect_readable("presenting");
}

TEST_P(Contrast, OfEveryStepInside) {
  view.pinned_query = TokenPlace{Side::text, 6};
  show(View::inside);
  for (int step = 1; step <= kInsideSteps; ++step) {
    view.inside.moment = end_of_step(step);
    expect_readable(fmt::format("step {}", step));
  }
}

TEST_P(Contrast, OfEveryLab) {
  show(View::lab);
  for (const Lab& lab : {Lab::attempts, Lab::mask_fills, Lab::scaling, Lab::dropout, Lab::head_cost, Lab::toy_run, Lab::concatenation}) {
    view.labs.lab = lab;
    settle();
    expect_readable(std::string(lab.name));
  }
}

TEST_P(Contrast, OfEveryDialog) {
  for (bool OpenDialogs::*dialog : {&OpenDialogs::model_picker, &OpenDialogs::document_open, &OpenDialogs::figure_export,
                                    &OpenDialogs::help, &OpenDialogs::model_card, &OpenDialogs::mask_file, &OpenDialogs::parameters}) {
    view.dialogs.*dialog = true;
    settle();
    expect_readable("a dialog");
    view.dialogs.*dialog = false;
    window.frame(2);
  }
}

}  // namespace
}  // namespace headlight
