// Signs that stand for characters nobody can see, the same in token labels, figures and text boxes.
#pragma once

#include <string_view>

namespace headlight {

inline constexpr std::string_view kLineBreakSign = "↵";
inline constexpr std::string_view kReturnSign = "␍";
inline constexpr std::string_view kTabSign = "⇥";
inline constexpr std::string_view kBlankSign = "␣";

}  // namespace headlight
