// What the layout of links and their drawing share.
#pragma once

namespace headlight {

inline constexpr float kLinkLabelGap = 10;  ///< between a label and the lines or squares beside it
inline constexpr float kLinkSquare = 12, kLinkSquareStep = 15;

}  // namespace headlight
