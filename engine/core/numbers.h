// Numbers as people read them: in the window, in figures and on the command line alike. And the order in which they read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// "4,194,304"
std::string grouped(std::int64_t number);
/// With a real minus sign; "–" where undefined. Never "−0.000".
std::string number_text(double value, int digits);
/// A change: the same with its sign, "+0.103"; what reads as 0 has none.
std::string signed_number_text(double value, int digits);

/// A weight, or a difference of two: `digits` after the point, or two significant ones where those would all be 0: "0.873", "3.1e-6". So
/// only what is 0 reads as 0.
std::string weight_text(double value, int digits = 3);

/// A share of 1 in percent: "87 %", with a blank that no line breaks at. Only 1 reads as 100 % and only 0 as 0 %: "99.6 %", "> 99.9 %",
/// "< 0.1 %". Up to 3e-7 from 1 counts as 1: that is what rounding to float32 leaves of a sum of weights.
std::string percent_text(double share);

/// Places of the values that are numbers, the largest first, whatever their sign; of equal ones the earlier.
std::vector<std::size_t> places_by_size(const std::vector<double>& values);

}  // namespace headlight
