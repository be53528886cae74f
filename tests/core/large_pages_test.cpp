#include "engine/core/large_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

TEST(LargePages, AdviceLeavesMemoryAsItIs) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 20U, (std::size_t{65} << 20U) + 3}) {
    std::vector<char> memory(bytes, 7);
    prefer_large_pages(memory.data(), memory.size());
    EXPECT_EQ(std::count(memory.begin(), memory.end(), 7), static_cast<std::ptrdiff_t>(bytes));
  }
  prefer_large_pages(nullptr, 0);
}

}  // namespace
}  // namespace headlight
