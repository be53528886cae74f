#include "engine/figure/links/tinted_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"
#include "engine/figure/figure_parts.h"
#include "engine/text/unicode/reading_order.h"

namespace headlight {
namespace {

constexpr float kSize = 18, kSpecialSize = 14;
constexpr float kLineHeight = 32, kGround = 24;
constexpr float kPadding = 1.5F;     // of a ground beyond its word
constexpr float kStrongest = 0.62F;  // of the colour in the strongest ground: text on it can still be read
constexpr std::size_t kNameInMeaning = 24;

/// The largest value, up to the next of 1, 2, 5 times a power of ten, at most 1 where values are shares.
float rounded_up(float largest) {
  if (!(largest > 0)) return 1;
  const float decade = std::pow(10.0F, std::floor(std::log10(largest)));
  for (const float step : {1.0F, 2.0F, 5.0F, 10.0F}) {
    if (largest <= step * decade * 1.0001F) return step * decade;
  }
  return largest;
}

/// “had”, with its position in a long text.
std::string quoted(const AxisLabels& labels, Index token) {
  const std::string position = shows_positions(std::ssize(*labels)) ? fmt::format(" {}", token) : std::string();
  return "“" + printable((*labels)[static_cast<std::size_t>(token)], kNameInMeaning) + "”" + position;
}

std::string mean_of(const LinkMaps& maps) {
  return maps.heads.size() == 1 ? fmt::format("head {}.{}", maps.heads.front().head.layer, maps.heads.front().head.head)
                                : fmt::format("mean of {} heads", maps.heads.size());
}

/// Whether something separates a token from the one before it.
bool begins_apart(const std::vector<Token>& tokens, std::size_t token) {
  if (token == 0) return false;
  const Token &before = tokens[token - 1], &here = tokens[token];
  if (before.is_special || here.is_special || before.sequence != here.sequence) return true;
  return here.bytes.begin > before.bytes.end;
}

class TextFlow {
 public:
  TextFlow(const Encoding& encoding, const std::vector<TokenLabel>& labels, float width, const MeasureText& measure)
      : encoding_(encoding), labels_(labels), width_(width), measure_(measure), blank_(measure(" ", FontFace::ui, kSize)) {}

  WordsInLines flow() {
    const LinkText text = link_text(encoding_);
    const auto second = std::find(text.is_second.begin(), text.is_second.end(), true);
    const auto end_of_first = static_cast<std::size_t>(second - text.is_second.begin()), tokens = text.is_second.size();
    result_.words.reserve(tokens);
    flow_paragraph(0, end_of_first);
    if (end_of_first > 0 && end_of_first < tokens) y_ += kLineHeight;
    flow_paragraph(end_of_first, tokens);
    result_.height = y_ + kLineHeight;
    return std::move(result_);
  }

 private:
  /// A word, or the blank between two.
  struct Piece {
    std::optional<std::size_t> token;
    std::string text = " ";
    float width = 0;
    bool is_special = false;
    bool is_typed = true;  ///< else a token's own text, such as "E2 82 of €"
    float size() const { return is_special ? kSpecialSize : kSize; }
  };

  void flow_paragraph(std::size_t begin, std::size_t end) {
    std::vector<Piece> pieces = pieces_of(begin, end);
    std::vector<std::string_view> texts;
    for (const Piece& piece : pieces) texts.push_back(piece.is_typed && !piece.text.empty() ? std::string_view(piece.text) : kNeutralPiece);
    const ReadingLevels levels = reading_levels(texts);
    std::size_t first = 0;
    float width = 0;
    for (std::size_t at = 0; at < pieces.size(); ++at) {
      if (width > 0 && pieces[at].token && width + pieces[at].width > width_) {
        place_line(pieces, first, at, levels);
        y_ += kLineHeight;
        first = at, width = 0;
      }
      width += pieces[at].width;
    }
    place_line(pieces, first, pieces.size(), levels);
  }

  std::vector<Piece> pieces_of(std::size_t begin, std::size_t end) const {
    std::vector<Piece> pieces;
    for (std::size_t token = begin; token < end; ++token) {
      const bool is_special = encoding_.tokens[token].is_special;
      const bool is_apart = labels_[token].has_leading_blank || begins_apart(encoding_.tokens, token);
      const std::optional<std::string> typed = typed_words(token);
      const bool is_cut_apart = !typed || (token > begin && !typed_words(token - 1));  // each has a text of its own
      if (token > begin && (is_apart || is_cut_apart)) pieces.push_back({.token = {}, .width = blank_ + (is_special ? 2 : 0)});
      Piece piece{token, typed.value_or(axis_label({labels_[token].text, false})), 0, is_special, typed.has_value()};
      const LabelStyle style{FontFace::ui, piece.size()};
      piece.width = measure_(piece.text, style.face, style.size);
      if (piece.width > width_) {
        piece.text = shortened(piece.text, width_, style, measure_);
        piece.width = measure_(piece.text, style.face, style.size);
      }
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

  /// From left to right as they are read; a line of a text that runs to the left ends at the right edge. A blank at its end is left out. Takes the
  /// pieces' texts.
  void place_line(std::vector<Piece>& pieces, std::size_t begin, std::size_t end, const ReadingLevels& levels) {
    if (end > begin && !pieces[end - 1].token) --end;
    float width = 0;
    for (std::size_t at = begin; at < end; ++at) width += pieces[at].width;
    float x = levels.runs_left ? width_ - width : 0;
    for (const std::size_t place : order_on_line(std::span(levels.of_pieces).subspan(begin, end - begin))) {
      Piece& piece = pieces[begin + place];
      if (piece.token) {
        const Box box{x - kPadding, y_ + (kLineHeight - kGround) / 2, piece.width + 2 * kPadding, kGround};
        result_.words.push_back({*piece.token, std::move(piece.text), piece.size(), box});
      }
      x += piece.width;
    }
  }

  /// What was typed, not the pieces of it that the model has; none of a special token, and where several share a character.
  std::optional<std::string> typed_words(std::size_t place) const {
    const std::vector<Token>& tokens = encoding_.tokens;
    const Token& token = tokens[place];
    const std::string& typed = token.sequence == 0 ? encoding_.text : encoding_.text_pair;
    const std::size_t end_before = place == 0 || tokens[place - 1].sequence != token.sequence ? 0 : tokens[place - 1].bytes.end;
    const bool is_typed = !token.is_special && token.bytes.end > token.bytes.begin && token.bytes.end <= typed.size();
    if (!is_typed || token.bytes.begin < end_before) return std::nullopt;
    std::string text = typed.substr(token.bytes.begin, token.bytes.end - token.bytes.begin);
    if (text.find_first_not_of(' ') != std::string::npos) text.erase(0, text.find_first_not_of(' '));
    return axis_label({std::move(text), false});
  }

  const Encoding& encoding_;
  const std::vector<TokenLabel>& labels_;
  const float width_;
  const MeasureText& measure_;
  const float blank_;
  float y_ = 0;
  WordsInLines result_;
};

class TintPen {
 public:
  explicit TintPen(const TintedTextRequest& request) : request_(request), colours_(palette(request.theme)) {}

  TintedText draw(const WordsInLines& text) {
    result_.height = text.height;
    result_.boxes.resize(text.words.size());
    for (const WordsInLines::Word& word : text.words) {
      const Box box{request_.at.x + word.box.x, request_.at.y + word.box.y, word.box.width, word.box.height};
      result_.boxes[word.token] = box;
      if (box.bottom() > request_.seen_top && box.y < request_.seen_bottom) draw(word, box);
    }
    return std::move(result_);
  }

 private:
  void draw(const WordsInLines::Word& word, const Box& box) {
    const auto index = static_cast<Index>(word.token);
    const bool is_query = request_.query == index, is_key = request_.key == index;
    const float strength = strength_of(word.token);
    SceneBox ground{.box = box, .radius = 3};
    if (strength > 0) ground.fill = tint_colour(colours_, request_.values->are_of_queries, strength);
    if (is_query || is_key) ground.stroke = is_query ? colours_.query : colours_.key, ground.stroke_width = request_.is_kept ? 2 : 1;
    if (ground.fill.alpha > 0 || ground.stroke.alpha > 0) result_.scene.items.emplace_back(ground);
    const bool is_special = word.size < kSize;
    const Colour colour = is_query                        ? colours_.query
                          : is_key                        ? colours_.key
                          : is_special && strength < 0.2F ? colours_.text_second
                                                          : colours_.text;
    const Colour on_ground = strength > 0.2F ? colours_.text : colour;
    const Point at{box.x + kPadding, box.y + box.height / 2};
    result_.scene.items.emplace_back(SceneText{at, word.text, FontFace::ui, word.size, on_ground, AlignX::left});
  }

  /// 0…1; 0 where nothing is tinted.
  float strength_of(std::size_t token) const {
    if (!request_.values || token >= request_.values->values.size()) return 0;
    const float share = request_.values->values[token] / request_.values->high;
    return std::isfinite(share) ? std::clamp(share, 0.0F, 1.0F) : 0;
  }

  const TintedTextRequest& request_;
  const Palette& colours_;
  TintedText result_;
};

}  // namespace

std::string_view name_of(TextTint tint) {
  static constexpr Names<TextTint> kNames{"attention", "received"};
  return kNames[tint];
}

TextValues text_values(const LinkMaps& maps, TextTint tint, std::optional<LinkFocus> focus, const AxisLabels& query_labels,
                       const AxisLabels& key_labels) {
  TextValues found;
  if (maps.heads.empty()) return found;
  if (tint == TextTint::received) {
    found.values = maps.mean_received();
    found.meaning = "mean weight that each word gets, " + mean_of(maps);
  } else if (focus && focus->is_key) {
    found.values = maps.mean_of_key(focus->token);
    found.are_of_queries = true;
    found.meaning = fmt::format("weight to {}, {}", quoted(key_labels, focus->token), mean_of(maps));
  } else if (focus) {
    found.values = maps.mean_of_query(focus->token);
    found.meaning = fmt::format("weight from {}, {}", quoted(query_labels, focus->token), mean_of(maps));
  }
  if (!found.values.empty()) found.high = rounded_up(*std::max_element(found.values.begin(), found.values.end()));
  return found;
}

Colour tint_colour(const Palette& colours, bool is_of_queries, float strength) {
  return mix(colours.panel, is_of_queries ? colours.query : colours.key, strength * kStrongest);
}

void mark_focus(TintedTextRequest& text, std::optional<LinkFocus> focus, bool is_one_text, bool is_of_queries) {
  if (!focus || (!is_one_text && focus->is_key == is_of_queries)) return;
  (focus->is_key ? text.key : text.query) = focus->token;
}

std::optional<Index> TintedText::token_at(Point point) const {
  const auto found = std::find_if(boxes.begin(), boxes.end(), [&](const Box& box) { return box.contains(point); });
  return found == boxes.end() ? std::nullopt : std::optional(static_cast<Index>(found - boxes.begin()));
}

WordsInLines words_in_lines(const Encoding& encoding, const std::vector<TokenLabel>& labels, float width, const MeasureText& measure) {
  return TextFlow(encoding, labels, width, measure).flow();
}

TintedText make_tinted_text(const WordsInLines& text, const TintedTextRequest& request) {
  return TintPen(request).draw(text);
}

}  // namespace headlight
