// The text as people read it, its words tinted by the weights of several heads.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

constexpr LabelStyle kMeaning{FontFace::ui, kCaptionSize}, kEnds{FontFace::mono, kCaptionSize};

/// The weights behind the tint, and what they are.
struct Tint {
  LinkMaps maps;
  TextValues values;
};

/// Where no token is in focus, words are tinted by what they get.
TextTint tint_of(const LinksRequest& links) {
  return links.focus ? links.tint : TextTint::received;
}

/// `style`: what it leaves out is not in the weights.
Tint make_tint(const Snapshot& snapshot, const LinksRequest& links, const Style& style) {
  SilentProgress silent;
  FreshMaps source(snapshot);
  const int layer = links.heads.front().layer;
  Tint tint{make_link_maps(snapshot, links.heads, style, nullptr, silent), {}};
  tint.values = text_values(tint.maps, tint_of(links), links.focus, source.labels(snapshot, snapshot.query_tokens(layer)),
                            source.labels(snapshot, snapshot.key_tokens(layer)));
  return tint;
}

/// What tints the words, and the colours from nothing to the largest value.
void add_meaning(Page& page, const TextValues& values, const PageLook& look, float width, const MeasureText& measure) {
  constexpr float kLine = 18, kLongestBar = 120, kLeastBar = 24, kThick = 8, kGap = 8;
  constexpr std::size_t kMostLines = 4;
  constexpr int kSteps = 24;
  for (std::string& line : wrapped(values.meaning, width, kMostLines, kMeaning, measure)) {
    page.add(SceneText{{page.left(), page.top() + kLine / 2}, std::move(line), kMeaning.face, kMeaning.size, page.colours().text_second});
    page.move_down(kLine);
  }
  if (look.has(PagePart::bar)) {
    const std::string high = weight_text(static_cast<double>(values.high));
    const float before = measure("0", kEnds.face, kEnds.size) + kGap, after = measure(high, kEnds.face, kEnds.size) + kGap;
    const float middle = page.top() + kLine / 2, left = page.left() + before;
    const float bar = std::clamp(width - before - after, kLeastBar, kLongestBar);
    page.add(SceneText{{page.left(), middle}, "0", kEnds.face, kEnds.size, page.colours().text_second});
    for (int step = 0; step < kSteps; ++step) {
      const float share = (static_cast<float>(step) + 0.5F) / kSteps, step_width = bar / kSteps;
      page.add(SceneBox{.box = {left + step_width * static_cast<float>(step), middle - kThick / 2, step_width, kThick},
                        .fill = tint_colour(page.colours(), values.are_of_queries, share)});
    }
    page.add(SceneText{{left + bar + kGap, middle}, high, kEnds.face, kEnds.size, page.colours().text_second});
    page.move_down(kLine);
  }
  page.move_down(8);
}

/// Says of every word what tints it.
void add_spots(Scene& scene, const TintedText& text, const Encoding& encoding, const TextValues& values, const AxisLabels& labels) {
  for (std::size_t token = 0; token < encoding.tokens.size() && token < values.values.size(); ++token)
    scene.spots.push_back({.box = text.boxes[token],
                           .words = fmt::format("{}: “{}” ({})", values.meaning, (*labels)[token], token),
                           .values = {values.values[token]}});
}

/// A text of the heads' maps: that of the queries or that of the keys; tinted if the values are of it.
void add_words(Page& page, const Snapshot& snapshot, const FigureRequest& request, const TextValues& values, bool is_of_queries,
               float width, const MeasureText& measure) {
  const LinksRequest& links = request.links;
  const int layer = links.heads.front().layer;
  const bool is_one_text = link_texts(snapshot, layer).is_one_text;
  const Encoding& encoding = is_of_queries ? snapshot.query_tokens(layer) : snapshot.key_tokens(layer);
  std::vector<TokenLabel> labels;
  for (const Token& token : encoding.tokens) labels.push_back(snapshot.label(token));
  const bool is_tinted = is_one_text || values.are_of_queries == is_of_queries;
  TintedTextRequest text{.values = is_tinted ? &values : nullptr, .is_kept = links.is_kept};
  mark_focus(text, links.focus, is_one_text, is_of_queries);
  text.at = {page.left(), page.top()};
  text.theme = request.style.theme;
  TintedText drawn = make_tinted_text(words_in_lines(encoding, labels, width, measure), text);
  if (is_tinted) {
    FreshMaps source(snapshot);
    add_spots(drawn.scene, drawn, encoding, values, source.labels(snapshot, encoding));
  }
  page.add(drawn.scene);
  page.move_down(drawn.height);
}

std::string notes_of_text(const Snapshot& snapshot, const FigureRequest& request, const LinkMaps& maps) {
  std::string notes = maps.derived_text();
  if (maps.left_out > 0) notes += fmt::format("{}{} heads left out: not enough memory for them", notes.empty() ? "" : " · ", maps.left_out);
  return notes + (notes.empty() ? "" : " · ") + notes_without_scale(snapshot, request.style, compared(request.links.heads));
}

Scene make_text(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr float kTextWidth = 640, kBetweenTexts = 8;
  const LinksRequest& links = request.links;
  const Tint tint = make_tint(snapshot, links, request.style);
  const float room = room_across(request.page), width = room > 0 ? room : kTextWidth;
  // The figure is the text: nothing of it is said above.
  const std::string title = snapshot.model->name + " · " + linked_heads_text(snapshot, links.heads) + " on the text";
  Page page({title, {}}, request.style, request.page, width, measure);
  add_meaning(page, tint.values, request.page, width, measure);
  const bool is_one_text = link_texts(snapshot, links.heads.front().layer).is_one_text;
  if (!is_one_text) {
    add_words(page, snapshot, request, tint.values, true, width, measure);
    page.move_down(kBetweenTexts);
  }
  add_words(page, snapshot, request, tint.values, is_one_text && tint.values.are_of_queries, width, measure);
  return page.finish(notes_of_text(snapshot, request, tint.maps), tint.maps.derived_text());
}

std::string text_caption(const Snapshot& snapshot, const FigureRequest& request) {
  const LinksRequest& links = request.links;
  return fmt::format("The text tinted by {}: {}", linked_heads_text(snapshot, links.heads),
                     tint_of(links) == TextTint::received ? "what each word gets"
                     : links.focus->is_key                ? "the weights to one word"
                                                          : "the weights of one word");
}

/// The true weights: keys are left out of pictures alone.
NumberList tinted_words(const Snapshot& snapshot, const FigureRequest& request) {
  const TextValues values = make_tint(snapshot, request.links, {}).values;
  const int layer = request.links.heads.front().layer;
  const Encoding& encoding = values.are_of_queries ? snapshot.query_tokens(layer) : snapshot.key_tokens(layer);
  NumberList list{values.meaning, {"position", "token", "weight"}, {}};
  for (std::size_t token = 0; token < values.values.size(); ++token)
    list.lines.push_back({static_cast<std::int64_t>(token), snapshot.label(encoding.tokens[token]).text, values.values[token]});
  return list;
}

}  // namespace

constexpr FigureKind kTextFigure = {
    .name = "text",
    .noun = "a tinted text",
    .what = "the text, its words tinted by weights",
    .file_name = "text",
    .needs = {.has_tint = true, .has_bar = true},
    .caption = text_caption,
    .scene = make_text,
    .numbers = {.list = tinted_words},
    .endings = kTableEndings,
};

}  // namespace headlight
