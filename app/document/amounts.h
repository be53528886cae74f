// Amounts as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

/// "4,194,304"
std::string grouped(std::int64_t number);
/// "about 12 s left", "about 3 min left", "about 5 h left"
std::string time_left_text(double seconds);
/// "1 kB", "512 MB", "1.3 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace headlight
