// Controls made from a table of fields: a further row is a further control.
#include "app/gui/rails/field_controls.h"

#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/theme.h"
#include "tests/gui/null_window.h"

namespace headlight::testing {
namespace {

class FieldControls : public ::testing::Test {
 protected:
  /// Draws the rows of a table, and what it changes is `owner`.
  template <typename Owner>
  void draw(Owner& owner, const std::vector<Field<Owner>>& rows, bool is_advanced = false) {
    apply_theme(Theme::dark, window.fonts.scale);
    window.draw = [&, is_advanced] {
      const Look look{palette(Theme::dark), window.fonts, window.fonts.scale, false};
      begin_region(look, "rail", {0, 0, 264, 900}, Colour{0, 0, 0, 255}, {kBetween, kBetween});
      draw_fields(look, owner, std::span<const Field<Owner>>(rows), typed, is_advanced);
      end_region();
    };
    window.frame(2);
  }
  NullWindow window{{400, 900}};
  std::string typed;
};

template <typename Owner>
std::vector<Field<Owner>> with(std::span<const Field<Owner>> fields, const Field<Owner>& further) {
  std::vector<Field<Owner>> rows(fields.begin(), fields.end());
  rows.push_back(further);
  return rows;
}

TEST_F(FieldControls, OfAFurtherRowAreDrawnAndSetItsField) {
  // It reaches the layers by another name, since a test cannot add a member to the sandbox.
  const Field<SandboxSpec> further{.json = "storeys",
                                   .value = access<SandboxSpec, &SandboxSpec::layers>(),
                                   .control = {.kind = ControlKind::steps, .label = "Storeys", .low = 1, .high = 9}};
  SandboxSpec spec;
  const auto rows = with(sandbox_fields(), further);
  draw(spec, rows);
  EXPECT_GT(window.box_of("Storeys more").y, window.box_of("New seed").y) << "rows without a place come last";
  window.click("Storeys more");
  EXPECT_EQ(spec.layers, 5);
}

TEST_F(FieldControls, OfAFurtherAdvancedRowAreFoldedAway) {
  const Field<SandboxSpec> further{.json = "evenness",
                                   .value = access<SandboxSpec, &SandboxSpec::distribution>(),
                                   .is_advanced = true,
                                   .words = {"evenness"},
                                   .control = {.kind = ControlKind::segments, .label = "Evenness"}};
  SandboxSpec spec;
  const auto rows = with(sandbox_fields(), further);
  draw(spec, rows);
  EXPECT_FALSE(window.has("Evenness uniform"));
  draw(spec, rows, true);
  window.click("Evenness uniform");
  EXPECT_EQ(spec.distribution, WeightDistribution::uniform);
  EXPECT_EQ(advanced_changes(spec, rows), 2) << "the further row counts beside the one it shares its field with";
}

TEST_F(FieldControls, OfFieldsThatDoNotCountAreNotDrawn) {
  SandboxSpec spec;
  const std::vector<Field<SandboxSpec>> rows(sandbox_fields().begin(), sandbox_fields().end());
  draw(spec, rows, true);
  EXPECT_FALSE(window.has("Rotary scaling")) << "positions are not rotary";
  Style style;
  const std::vector<Field<Style>> looks(style_fields().begin(), style_fields().end());
  draw(style, looks);
  EXPECT_TRUE(window.has("Gamma"));
  EXPECT_FALSE(window.has("Up to"));
  window.click("Scale log");
  EXPECT_FALSE(window.has("Gamma"));
}

TEST_F(FieldControls, AChosenThemeBringsItsColours) {
  Style style;
  const std::vector<Field<Style>> looks(style_fields().begin(), style_fields().end());
  draw(style, looks);
  window.click("Theme light");
  EXPECT_EQ(style.map, default_map(Theme::light));
}

}  // namespace
}  // namespace headlight::testing
