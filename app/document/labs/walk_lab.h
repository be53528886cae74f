// The lab of a whole layer: one token's vector on its way through attention and feed-forward, as lengths, and the bend between the two
// matrices of the feed-forward part with the token's own numbers on it.
#pragma once

#include <string>
#include <vector>

#include "app/document/labs/labs.h"

namespace headlight {

struct WalkFound {
  /// The length of a vector: of the token's own, or of what a part adds to it.
  struct Length {
    std::string name;
    double length = 0;
    bool is_added = false;
  };
  std::string token;  ///< label
  Index position = 0;
  std::string layer;            ///< "layer 0"
  std::vector<Length> lengths;  ///< from top to bottom
  // The bend; nothing where the layer has no feed-forward part.
  std::string activation;            ///< "GELU"
  bool is_gated = false;             ///< the bend takes the gate's numbers
  std::vector<float> inner, bent;    ///< the token's numbers before and after it
  std::vector<float> places, curve;  ///< x from the left edge of the plot to its right, and the bend of each
  Index left_out = 0;                ///< numbers outside the plot
  double largest() const;            ///< of the lengths
};

inline constexpr float kWidestBend = 8;  ///< the plot shows at most −8 to 8, and at least −4 to 4
inline constexpr float kUsualBend = 4;

WalkFound run_walk(const LabRequest& request);
Sheet walk_sheet(const LabRequest& request, const WalkFound& found);
/// "Length of ‘London’ in layer 0"
std::string lengths_title(const WalkFound& found);
/// "GELU and the 256 numbers of ‘London’"
std::string bend_title(const WalkFound& found);
/// How many numbers the bend lets pass, and how many it takes to nearly 0.
std::string bend_note(const WalkFound& found);

inline constexpr Lab kWalkLab{"whole_layer", lab_run<run_walk>, lab_sheet<WalkFound, walk_sheet>};

}  // namespace headlight
