// The cards of Compare: what each shows and where it lies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

inline constexpr float kCardHeader = 48;
inline constexpr float kCardFooter = 40;

/// One card: a pinned head, or the difference of two.
struct Card {
  std::string letter, title;
  std::string left_letter, right_letter;             ///< of the difference: the two heads
  std::optional<HeadId> head;                        ///< empty: the difference
  int layer = 0;                                     ///< whose tokens stand along the axes; of the difference the left one's
  std::string problem;                               ///< why there is no map
  std::shared_ptr<const HeadMaps> maps, subtracted;  ///< subtracted: of the difference
  MapFigureRequest request;
  MapFigure figure;
  Box box;  ///< pixels
};

/// What a pinned head is called: A to Z, then 27 and on.
std::string letter_of(std::size_t place);
/// Every pinned head, and the difference of two where there are two.
std::vector<Card> make_cards(Panel& panel);
/// Places cards in lines of equal squares. Returns the height they take, in pixels.
float lay_out(const Look& look, std::vector<Card>& cards, float width, float height);
/// The map of a card that has been placed.
void make_card_figure(Panel& panel, Card& card, const MeasureText& measure);
/// Where the figure's origin is, so that its map stands on the card's column edge.
ImVec2 map_origin(const Look& look, const Card& card);

}  // namespace headlight
