// Waiting for other threads, with a generous deadline against hanging: studies leave their cores to whoever else wants them.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

namespace headlight::testing {

inline void wait_until(const std::function<bool()>& is_reached) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (!is_reached()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "waited in vain";
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace headlight::testing
