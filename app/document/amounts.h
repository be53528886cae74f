// Amounts as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

/// "4,194,304"
std::string grouped(std::int64_t number);
/// "1 kB", "512 MB", "1.3 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace headlight
