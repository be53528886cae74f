#include "engine/core/memory_reserve.h"

#include <gtest/gtest.h>

#include <new>

namespace headlight {
namespace {

TEST(MemoryReserve, TheFirstFailureIsTriedAgainTheSecondThrowsAndAFreshReserveHelpsAnew) {
  for (int round = 0; round < 2; ++round) {
    keep_memory_reserve();
    const std::new_handler handler = std::get_new_handler();
    ASSERT_NE(handler, nullptr);
    EXPECT_NO_THROW(handler()) << "the allocation has the first part and is tried again";
    EXPECT_THROW(handler(), std::bad_alloc);
    EXPECT_THROW(handler(), std::bad_alloc) << "and for good, so that no allocation is tried for ever";
  }
  std::set_new_handler(nullptr);
}

// The allocators of sanitizers end the program instead of asking the handler.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(MemoryReserve, AnAllocationThatNoReserveCanServeThrows) {
  keep_memory_reserve();
  EXPECT_THROW((void)::operator new (std::size_t{1} << 62U), std::bad_alloc);
  std::set_new_handler(nullptr);
}
#endif

TEST(MemoryReserve, WhatIsLeftIsKnownWithoutTakingIt) {
  EXPECT_TRUE(is_memory_left(std::size_t{1} << 20U));
  EXPECT_FALSE(is_memory_left(std::size_t{1} << 62U)) << "more than there are addresses";
  for (int call = 0; call < 100'000; ++call) ASSERT_TRUE(is_memory_left(std::size_t{64} << 20U)) << "6 TiB in all, were it kept";
}

}  // namespace
}  // namespace headlight
