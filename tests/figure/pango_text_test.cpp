// Pango, with GLib and fontconfig below it, ends the program where it gets no memory or no thread: so it is asked for nothing then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engine/core/memory_reserve.h"
#include "engine/figure/painters/painters.h"
#include "tests/core/large_stacks.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using testing::LargeStacks;

TEST(PangoText, IsRefusedBeforePangoStartsAThreadThatCannotBeStarted) {
  const LargeStacks unusable;
  EXPECT_EQ(error_of([] { pango_measure(); }).kind(), ErrorKind::limit);
}

TEST(PangoText, AFontThatPangoWouldLookForInANewThreadIsRefusedWhereThereAreNone) {
  const MeasureText measure = pango_measure();
  const float width = measure("ab", FontFace::ui, 9);
  const LargeStacks unusable;
  EXPECT_GT(measure("aaa", FontFace::ui, 9), width) << "the font is there already";
  EXPECT_THAT(error_of([&] { measure("ab", FontFace::mono, 31); }).message(), HasSubstr("cannot start another thread"));
  EXPECT_THAT(error_of([&] { measure("\u0939\u093f", FontFace::ui, 9); }).message(), HasSubstr("cannot start another thread"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadows are larger than any limit here
TEST(PangoText, ATextIsRefusedWhereTooLittleMemoryIsLeftForAnotherFont) {
  const MeasureText measure = pango_measure();
  measure("ab", FontFace::ui, 9);
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit narrow{std::size_t{16} << 20U, before.rlim_max};  // less than the program has already
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &narrow), 0);
  EXPECT_FALSE(is_memory_left(std::size_t{1} << 20U));
  const Error error = error_of([&] { measure("another", FontFace::ui, 9); });
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("too little free memory"), HasSubstr("40.0 MiB"), HasSubstr("ulimit -v")));
}
#endif

}  // namespace
}  // namespace headlight
