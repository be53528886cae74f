// For tests of what happens where the system cannot start another thread.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>

namespace headlight::testing {

/// While it lives no thread can be started: each would want a stack larger than the address space.
class LargeStacks {
 public:
  LargeStacks() {
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &before_);
    set(std::size_t{1} << 50U);
    pthread_attr_destroy(&attributes);
  }
  ~LargeStacks() { set(before_); }
  LargeStacks(const LargeStacks&) = delete;
  LargeStacks& operator=(const LargeStacks&) = delete;

 private:
  static void set(std::size_t bytes) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    EXPECT_EQ(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
  }
  std::size_t before_ = 0;
};

}  // namespace headlight::testing
