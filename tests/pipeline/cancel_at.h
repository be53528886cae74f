#pragma once

#include <gtest/gtest.h>

#include <atomic>

#include "engine/core/progress.h"

namespace headlight::testing {

/// Cancels at the n-th report.
struct CancelAt final : Progress {
  explicit CancelAt(int at) : left(at) {}
  std::atomic<int> left;
  void step(double done, std::string_view) override {
    EXPECT_GE(done, 0.0);
    EXPECT_LE(done, 1.0);
    if (--left < 0) throw Cancelled{};
  }
};

}  // namespace headlight::testing
