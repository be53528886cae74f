#include "engine/core/enumeration.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace headlight {

enum class Fruit : std::uint8_t { apple, pear, _2nd_pear };

namespace {

enum class Season : std::uint8_t { winter };
struct Scale {
  enum class Kind : std::uint8_t { linear, log };
};

template <typename Enum, typename... Text>
concept CanBeNamed = requires(Text... names) {
  Names<Enum>{names...};
};

struct Basket {
  Fruit fruit = Fruit::apple;
  int count = 0;
};
constexpr std::array<Basket, 3> kBaskets = {{{Fruit::apple, 1}, {Fruit::pear, 2}, {Fruit::_2nd_pear, 3}}};
constexpr std::array<Basket, 2> kTooFew = {{{Fruit::apple, 1}, {Fruit::pear, 2}}};
constexpr std::array<Basket, 3> kOutOfOrder = {{{Fruit::pear, 1}, {Fruit::apple, 2}, {Fruit::_2nd_pear, 3}}};

TEST(Enumeration, CountsItsValuesWhereverItIsDeclared) {
  EXPECT_EQ(count_of<Fruit>(), 3U);
  EXPECT_EQ(count_of<Season>(), 1U);
  EXPECT_EQ(count_of<Scale::Kind>(), 2U);
  EXPECT_EQ(kEveryValue<Fruit>, (std::array{Fruit::apple, Fruit::pear, Fruit::_2nd_pear}));
}

TEST(Enumeration, HasNoNamesUnlessEveryValueHasOne) {
  EXPECT_TRUE((CanBeNamed<Fruit, const char*, const char*, const char*>));
  EXPECT_FALSE((CanBeNamed<Fruit, const char*, const char*>));
  EXPECT_FALSE((CanBeNamed<Fruit, const char*, const char*, const char*, const char*>));
  constexpr Names<Fruit> kNames{"apple", "pear", "second pear"};
  EXPECT_EQ(kNames[Fruit::_2nd_pear], "second pear");
}

TEST(Enumeration, ATableHasARowOfEachValueInItsOrderOrIsNoTableOfIt) {
  EXPECT_TRUE(has_row_of_each(kBaskets, &Basket::fruit));
  EXPECT_FALSE(has_row_of_each(kTooFew, &Basket::fruit));
  EXPECT_FALSE(has_row_of_each(kOutOfOrder, &Basket::fruit));
}

}  // namespace
}  // namespace headlight
