#include "engine/inside/steps.h"

#include <gtest/gtest.h>

namespace headlight {
namespace {

TEST(InsideSteps, PlayingEndsAfterTheSecondsOfAllSteps) {
  float seconds = 0;
  for (const InsideStepRow& row : inside_steps()) seconds += row.seconds;
  const InsideMoment begin{InsideStep::query, 0};
  EXPECT_FALSE(played(begin, seconds - 0.1F).is_end());
  EXPECT_TRUE(played(begin, seconds + 0.1F).is_end());
  EXPECT_EQ(played(played(begin, 1), 0.5F), played(begin, 1.5F));
}

TEST(InsideSteps, StopsLeadFromTheFirstStepToTheLastAndBack) {
  int stops = 0;
  for (const InsideStepRow& row : inside_steps()) stops += row.stops;
  InsideMoment moment{InsideStep::query, 0};
  for (int i = 0; i < stops; ++i) {
    EXPECT_FALSE(moment.is_end());
    moment = next_stop(moment);
  }
  EXPECT_TRUE(moment.is_end());
  EXPECT_EQ(next_stop(moment), moment);
  for (int i = 1; i < stops; ++i) moment = previous_stop(moment);
  EXPECT_EQ(moment, end_of_step(1));
  EXPECT_EQ(previous_stop(moment), moment);
}

TEST(InsideSteps, FromBetweenTwoStopsTheNextAndTheLastAreFound) {
  EXPECT_EQ(next_stop({InsideStep::softmax, 0.3F}), (InsideMoment{InsideStep::softmax, 0.5F}));
  EXPECT_EQ(previous_stop({InsideStep::softmax, 0.3F}), (InsideMoment{InsideStep::softmax, 0.25F}));
  EXPECT_EQ(previous_stop({InsideStep::softmax, 0.1F}), end_of_step(5));
}

TEST(InsideSteps, APlaceOnTheBarIsAMoment) {
  for (const float place : {0.0F, 0.1F, 0.49F, 0.875F, 1.0F}) EXPECT_NEAR(place_of(moment_at(place)), place, 1e-6);
  EXPECT_EQ(moment_at(2), end_of_step(8));
  EXPECT_EQ(end_of_step(0), end_of_step(1));
  EXPECT_EQ(end_of_step(99), end_of_step(8));
}

}  // namespace
}  // namespace headlight
