#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

TEST(Fnv1a, EqualsThePublishedVectors) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8U);
}

TEST(RandomStream, StartingAtAPublishedStateGivesThePublishedSplitMix64Outputs) {
  RandomStream stream(1234567U ^ fnv1a(""), "");
  EXPECT_EQ(stream.next(), 6457827717110365317U);
  EXPECT_EQ(stream.next(), 3203168211198807973U);
  EXPECT_EQ(stream.next(), 9817491932198370423U);
}

// The integers were computed by a separate Python program from the words in random.h.
TEST(RandomStream, NormalsOfANamedStreamHaveTheDocumentedBits) {
  RandomStream stream(1, "layer.0.q");
  for (const int expected : {-2065756, 3806042, 2027924, 2835670}) {
    EXPECT_EQ(stream.next_normal(), static_cast<float>(expected) / 2097152.0F);
  }
}

TEST(RandomStream, NormalsHaveMeanZeroAndDeviationOne) {
  RandomStream stream(7, "statistics");
  constexpr int kDraws = 200000;
  double sum = 0;
  double squares = 0;
  float largest = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const float value = stream.next_normal();
    sum += value;
    squares += static_cast<double>(value) * value;
    largest = std::max(largest, std::abs(value));
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.01);
  EXPECT_NEAR(std::sqrt(squares / kDraws), 1.0, 0.01);
  EXPECT_LT(largest, 6.0F);
}

// Seeds S0-10: a seed gives the same numbers again, another seed gives others.
TEST(RandomStream, SeedAndNameBothDecideTheNumbers) {
  EXPECT_EQ(RandomStream(3, "a").next(), RandomStream(3, "a").next());
  EXPECT_NE(RandomStream(3, "a").next(), RandomStream(4, "a").next());
  EXPECT_NE(RandomStream(3, "a").next(), RandomStream(3, "b").next());
}

}  // namespace
}  // namespace headlight
