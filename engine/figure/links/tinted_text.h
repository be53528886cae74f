// A text as people read it, each word on a ground as strong as its value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/figure/axes.h"
#include "engine/figure/links/links_figure.h"
#include "engine/figure/scene.h"

namespace headlight {

/// What tints the words.
enum class TextTint : std::uint8_t {
  attention,  ///< between the word that is pointed at or kept, and the others
  received,   ///< what each word gets from all queries
};
std::string_view name_of(TextTint tint);

/// Values of a text's tokens, and what they are.
struct TextValues {
  std::vector<float> values;  ///< [tokens]; empty: the text is not tinted
  float high = 1;             ///< the value of the strongest tint: the largest, rounded up
  bool are_of_queries = false;
  std::string meaning;  ///< "weight from “it”, mean of 3 heads"; empty: nothing is tinted
};
/// `focus`: the word that is looked at. Meanings name it by `labels`, of the axis that it is on.
TextValues text_values(const LinkMaps& maps, TextTint tint, std::optional<LinkFocus> focus, const AxisLabels& query_labels,
                       const AxisLabels& key_labels);

/// A text's words broken into lines, whatever tints them. Breaking a long text takes longer than tinting what is in sight, so this is made once.
struct WordsInLines {
  struct Word {
    std::size_t token = 0;
    std::string text;
    float size = 0;  ///< of its letters, in points
    Box box;         ///< of its ground, from the left top of the first line
  };
  std::vector<Word> words;  ///< one of each token, line by line from left to right
  float height = 0;
};
/// Each line in the order in which it is read: a text whose first letter is of a script that runs to the left begins at the right edge. The second
/// text of a pair begins a line. `labels`: of the tokens; `width`: of a line, in points.
WordsInLines words_in_lines(const Encoding& encoding, const std::vector<TokenLabel>& labels, float width, const MeasureText& measure);

struct TintedTextRequest {
  const TextValues* values = nullptr;          ///< null: not tinted
  std::optional<Index> query = {}, key = {};   ///< the word that is looked at, as what
  bool is_kept = false;                        ///< pinned, not only pointed at
  Point at = {};                               ///< of the first line's left top
  float seen_top = -1e9F, seen_bottom = 1e9F;  ///< lines outside are not drawn
  Theme theme = Theme::dark;
};

/// The ground of a word, and of a colour bar: from none at 0 to the strongest at 1.
Colour tint_colour(const Palette& colours, bool is_of_queries, float strength);

/// Marks the word in focus where it is a token of this text, which is that of the keys or, `is_of_queries`, of the queries.
void mark_focus(TintedTextRequest& text, std::optional<LinkFocus> focus, bool is_one_text, bool is_of_queries);

struct TintedText {
  Scene scene;
  float height = 0;
  std::vector<Box> boxes;  ///< of the tokens, to point at
  std::optional<Index> token_at(Point point) const;
};
/// The scene holds what is in sight, the boxes are of all tokens.
TintedText make_tinted_text(const WordsInLines& text, const TintedTextRequest& request);

}  // namespace headlight
