// The figures of a shipped model's card.json, each while it is computed again.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "engine/snapshot.h"
#include "tests/reference/card_measures.h"
#include "tests/reference/recorded.h"

namespace headlight::testing {

/// Three digits, a half upwards.
inline std::string three(double value) {
  return fmt::format("{:.3f}", std::floor(value * 1000 + 0.5 + 1e-9) / 1000);
}

inline std::string head_text(const Json& card) {
  return fmt::format("L{}H{}", card.at("layer").get<int>(), card.at("head").get<int>());
}

/// One figure of card.json while it is computed again.
struct Figure {
  Json card;
  bool is_chosen = true;                                ///< the best head where heads are chosen; else one that the card names by hand
  Mean whole = {};                                      ///< of a figure that is not of one head
  std::map<HeadId, Mean> choosing = {}, measured = {};  ///< every head, where heads are chosen and where they are measured
  std::map<Index, int> distances = {};                  ///< of a relation: key − query, and how often that is right

  std::string measure() const { return card.at("measure").get<std::string>(); }
  bool has_head() const { return card.contains("head"); }
  HeadId head() const { return {card.at("layer").get<int>(), card.at("head").get<int>()}; }
  bool is_share() const { return measure() == "relation" || measure() == "accepted" || measure() == "right form"; }
  const Mean& mean() const { return has_head() ? measured.at(head()) : whole; }
  std::string name() const {
    if (measure() != "relation") return measure();
    return card.at("relation").get<std::string>() + ", from the " + card.at("query").get<std::string>();
  }
  /// Its line of README.md.
  std::string row() const {
    const auto share = [&](const char* field) { return card.contains(field) ? three(card.at(field).get<double>()) : ""; };
    const auto number = [&](const char* field) { return card.contains(field) ? card.at(field).dump() : ""; };
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name(), has_head() ? head_text(card) : "", share("value"),
                       share("baseline"), number("offset"), share("untrained"), number("cases"));
  }
};

/// A head that a card names by hand has the measure by its name: "far subject, from the word before".
inline Figure figure_of_named(const Json& named) {
  Figure figure{.card = named, .is_chosen = false};
  const auto name = named.at("measure").get<std::string>();
  const std::string_view between = ", from the ";
  if (const std::size_t at = name.find(between); at != std::string::npos) {
    figure.card["measure"] = "relation";
    figure.card["relation"] = name.substr(0, at);
    figure.card["query"] = name.substr(at + between.size());
  }
  return figure;
}

}  // namespace headlight::testing
