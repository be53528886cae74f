#include "app/document/fields/names.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/document/amounts.h"

namespace headlight {
namespace {

template <typename Enum>
void expect_names_lead_back() {
  std::set<std::string_view> names;
  for (const Enum value : kAllOf<Enum>) {
    EXPECT_EQ(from_name<Enum>(name_of(value)), value);
    names.insert(name_of(value));
  }
  EXPECT_EQ(names.size(), kAllOf<Enum>.size());
  EXPECT_EQ(from_name<Enum>("no such name"), std::nullopt);
  EXPECT_EQ(from_name<Enum>(""), std::nullopt);
}

TEST(Names, LeadBackToTheirValues) {
  expect_names_lead_back<PositionKind>();
  expect_names_lead_back<SandboxUnit>();
  expect_names_lead_back<Scope::Kind>();
  expect_names_lead_back<Theme>();
  expect_names_lead_back<ColourMap>();
  expect_names_lead_back<ScaleKind>();
  expect_names_lead_back<RangeKind>();
}

TEST(StandardError, HasTwoSignificantDigits) {
  EXPECT_EQ(standard_error_text(12.3), "12");
  EXPECT_EQ(standard_error_text(1.234), "1.2");
  EXPECT_EQ(standard_error_text(0.0312), "0.031");
  EXPECT_EQ(standard_error_text(0.00401), "0.0040");
  EXPECT_EQ(standard_error_text(0.0004), "4.0e-4");
  EXPECT_EQ(standard_error_text(0), "0.000");
  EXPECT_EQ(standard_error_text(std::nan("")), "–");
}

TEST(Names, AreListedInTheOrderOfTheTable) {
  EXPECT_EQ(names_text<Theme>(), "dark, light");
}

}  // namespace
}  // namespace headlight
