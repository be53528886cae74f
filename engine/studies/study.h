// What is known of every head after many texts: sums that come out the same in any order and any split, bins, and the texts that gave most.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/studies/corpus.h"
#include "engine/studies/exact_sum.h"
#include "engine/studies/histogram.h"
#include "engine/studies/text_measures.h"

namespace headlight {

/// What a number is worth where there is nothing to find (null_values.h).
enum class NullKind : std::uint8_t {
  random_weights,   ///< the numbers of every weight matrix of every layer in another order: their sizes stay
  shuffled_tokens,  ///< the tokens of the text in another order; special tokens that the tokenizer added stay where they are
};
/// In files and on the command line: "random-weights".
std::string_view name_of(NullKind kind);
/// nullopt: there is none of this name.
std::optional<NullKind> null_kind(std::string_view name);

struct StudySettings {
  std::vector<MeasureRequest> requests;
  std::vector<NullKind> nulls = {};      ///< every number is also measured there, once for each text
  std::vector<Index> length_edges = {};  ///< rising; texts of at most so many tokens, those after it up to the next, and the rest
  int top = 0;                           ///< examples kept for each number of each head
  Index longest = 4096;                  ///< tokens; a longer text is listed as bad

  /// Numbers of every head: those asked for, and then the same of each kind of chance.
  std::size_t columns() const { return requests.size() * (1 + nulls.size()); }
};

/// A text that gave a head much of a measure, and the cell where; of an effect on a target, one in which the head changes it much.
struct TopExample {
  double value = 0;        ///< of an effect its size
  std::uint64_t hash = 0;  ///< of the text: decides between equal values
  std::uint64_t index = 0, line = 0;
  std::int64_t query = -1, key = -1;
  float weight = 0;
  std::shared_ptr<const std::string> text = {};    ///< its ids where it has no text: "464 3290"
  bool is_ids = false;                             ///< it was given as token ids
  std::shared_ptr<const BesideTexts> beside = {};  ///< null: none
  /// Higher values first; then by hash and place in the corpus.
  bool comes_before(const TopExample& other) const;
  /// The same text, perhaps at another place of the corpus.
  bool has_text_of(const TopExample& other) const;
};

/// One number of one head, over the texts of one length.
struct StudyCell {
  ExactSum sum;
  Histogram bins;
  std::vector<TopExample> top;

  /// Of equal texts the one that comes first stays alone.
  void add_example(TopExample example, int most);
  /// The same number of other texts; `most` examples stay.
  void add(const StudyCell& other, int most);
};

struct BadLine {
  std::uint64_t line = 0;
  std::string reason;
};

/// Whether all of a corpus was measured, and what of it: the texts whose index leaves K − 1 when divided by N.
struct StudyPart {
  static constexpr int kMost = 1'000'000;  ///< shards
  int number = 1, count = 1;               ///< K and N
  std::uint64_t next = 0;                  ///< the first index of the corpus that was not looked at
  bool is_complete = false;
};

/// One text, measured.
struct MeasuredCorpusText {
  CorpusText source;
  std::string problem;  ///< why it was not measured
  Index tokens = 0;
  bool is_cut = false;  ///< longer than the positions of the model
  Index made_for = 0;   ///< tokens that the model was made for, where the text has more and was measured whole; 0: it has not
  std::vector<HeadValues> heads;
};

class CorpusStudy {
 public:
  static constexpr std::size_t kMostBadLines = 1000;  ///< that are named: those with the lowest numbers

  CorpusStudy() = default;
  CorpusStudy(std::vector<HeadId> heads, const StudySettings& settings);

  void add(MeasuredCorpusText text);
  /// What chance gives for a text of so many tokens: values of the columns behind the requests, the others not looked at.
  void add_draw(Index tokens, const std::vector<HeadValues>& heads);
  /// Another part of the same corpus, by the same settings.
  void add(const CorpusStudy& other);

  std::size_t lengths() const { return texts_.size(); }
  const std::vector<HeadId>& heads() const { return heads_; }
  /// `column`: a request, or one behind them: request + (1 + kind of chance) · requests.
  const StudyCell& cell(std::size_t length, std::size_t head, std::size_t column) const { return cells_[place(length, head, column)]; }
  StudyCell& cell(std::size_t length, std::size_t head, std::size_t column) { return cells_[place(length, head, column)]; }
  ExactSum sum_of_all_lengths(std::size_t head, std::size_t column) const;
  /// The sums and bins of texts of every length, and the examples among them.
  StudyCell cell_of_all_lengths(std::size_t head, std::size_t column) const;
  std::int64_t texts(std::size_t length) const { return texts_[length]; }  ///< that were measured
  std::int64_t texts() const;                                              ///< of all lengths

  const std::vector<BadLine>& bad_lines() const { return bad_lines_; }

  /// What a file of a study holds besides the cells.
  struct Counts {
    std::int64_t bad = 0;  ///< lines without a text that could be measured
    std::int64_t cut = 0;  ///< texts that are longer than the positions of the model
    std::int64_t tokens = 0;
    std::int64_t longer = 0;  ///< texts measured whole that have more tokens than the model was made for, whose positions have no end
    Index made_for = 0;       ///< how many it was made for; 0: no text is longer
    bool operator==(const Counts&) const = default;
  };
  Counts counts;
  StudyPart part;

 private:
  friend class StudyBytes;
  std::size_t place(std::size_t length, std::size_t head, std::size_t column) const {
    return (length * heads_.size() + head) * columns_ + column;
  }
  std::size_t length_of(Index tokens) const;
  /// Values that do not count are not added.
  bool add_value(StudyCell& cell, std::size_t column, double value);
  void add_bad_line(BadLine line);

  std::vector<HeadId> heads_;
  std::size_t requests_ = 0, columns_ = 0;
  std::vector<Bins> bins_;       ///< by request
  std::vector<bool> has_signs_;  ///< by request: an effect, of which less counts as much as more
  std::vector<Index> length_edges_;
  int top_ = 0;
  std::vector<std::int64_t> texts_;
  std::vector<StudyCell> cells_;    ///< [length][head][column]
  std::vector<BadLine> bad_lines_;  ///< by line
};

}  // namespace headlight
