// What single heads of a built-in model do, in a sentence that shows it: the field "heads" of its card.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/work/compute/worker.h"

namespace headlight {

struct CardHead {
  HeadId head;
  std::string name;                   ///< "the token before"
  std::string text;                   ///< the sentence
  Index query = 0;                    ///< the token of the sentence whose row shows it
  std::string from, to;               ///< the words of query and key
  std::string measure = {};           ///< what was measured over sentences that it was not chosen by: "previous token"; empty: nothing
  std::optional<double> figure = {};  ///< its value
  std::int64_t cases = 0;             ///< that it was counted over; 0: the card does not say
  std::optional<double> offset = {};  ///< the same share by the best fixed offset, without any head; none: the card does not say
  /// "antecedent, from the word: 0.546 of 207 held-out cases, 0.101 by a fixed offset"; empty: nothing was measured.
  std::string figure_text() const;
  bool operator==(const CardHead&) const = default;
};

struct CardHeads {
  std::vector<CardHead> heads;
  std::vector<std::string> left_out;  ///< a sentence for each entry that could not be used: which, and why
};
/// The heads of a card.json; none if it has no such field. A broken entry does not hide the others. Throws Error (input) if the card
/// itself cannot be read.
CardHeads load_card_heads(const std::filesystem::path& card);

/// Told heads as the window asks for them: read on the compute thread, once per model. Thread contract: the UI thread only.
class CardHeadShelf {
 public:
  explicit CardHeadShelf(Worker& worker);
  /// The told heads of a model, by its name in documents; null until they are read. Empty for models that are not built in. A card that
  /// cannot be read is named in `left_out`.
  std::shared_ptr<const CardHeads> ask(const std::string& model);

 private:
  /// The answer to a question, with the model that was asked about.
  struct Answer {
    std::string model;
    CardHeads found;
  };
  static Answer read(const std::string& model);
  Study<std::string, Answer> study_;
};

}  // namespace headlight
