// Amounts as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/numbers.h"

namespace headlight {

/// "1 head", "8 heads", "1,204 texts"
std::string counted(std::int64_t count, std::string_view noun);
/// A standard error or deviation with two significant digits: "12", "1.2", "0.031", "4.0e-4"; "–" where undefined.
std::string standard_error_text(double error);
/// "0.17 ms", "2.1 ms", "31 ms", "1.2 s"
std::string time_text(double milliseconds);
/// "about 12 s", "about 3 min", "about 5 h"
std::string long_time_text(double seconds);
/// "about 12 s left"
std::string time_left_text(double seconds);
/// "1 kB", "512 MB", "1.3 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace headlight
