// Weights of several heads as lines between tokens, and the text tinted by them.
#include <fmt/core.h>

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/links/link_looks.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

/// A square and the number of each head that has lines, in rows as wide as the page.
void add_legend(Page& page, const Snapshot& snapshot, const LinkMaps& maps, Theme theme, float width, const MeasureText& measure) {
  constexpr float kLine = 20, kSquare = 10, kAfterSquare = 6, kBetween = 16;
  const Point at{page.left(), page.top()};
  float x = at.x, y = at.y;
  for (std::size_t place = 0; place < maps.heads.size(); ++place) {
    std::string name = short_name_of_head(snapshot, maps.heads[place].head);
    if (const std::string letter = link_letter(place); !letter.empty()) name += " " + letter;
    const float taken = kSquare + kAfterSquare + measure(name, FontFace::mono, kCaptionSize) + kBetween;
    if (x > at.x && x + taken - kBetween > at.x + width) x = at.x, y += kLine;
    page.add(SceneBox{.box = {x, y + (kLine - kSquare) / 2, kSquare, kSquare}, .fill = link_colour(theme, place), .radius = 2});
    page.add(SceneText{{x + kSquare + kAfterSquare, y + kLine / 2}, std::move(name), FontFace::mono, kCaptionSize, page.colours().text});
    x += taken;
  }
  page.move_down(y + kLine - at.y + 8);
}

/// Running text under the lines, where a row or what words receive tints it.
void add_text(Page& page, const Snapshot& snapshot, const FigureRequest& request, const LinksFigureRequest& links, float width,
              const MeasureText& measure) {
  const LinksRequest& wanted = request.links;
  const TextValues values = text_values(*links.lines->maps, wanted.tint, wanted.focus, links.query_labels, links.key_labels);
  if (values.meaning.empty()) return;
  const int layer = wanted.heads.front().layer;
  const Encoding& encoding = values.are_of_queries ? snapshot.query_tokens(layer) : snapshot.key_tokens(layer);
  std::vector<TokenLabel> labels;
  for (const Token& token : encoding.tokens) labels.push_back(snapshot.label(token));
  page.move_down(12);
  const std::string meaning = fmt::format("{}: 0 … {}", values.meaning, weight_text(static_cast<double>(values.high)));
  page.add(SceneText{{page.left(), page.top() + 8},
                     shortened(meaning, width, {FontFace::ui, kCaptionSize}, measure),
                     FontFace::ui,
                     kCaptionSize,
                     page.colours().text_second});
  page.move_down(20);
  TintedTextRequest text{.values = &values, .is_kept = wanted.is_kept};
  mark_focus(text, wanted.focus, links.lines->texts.is_one_text, values.are_of_queries);
  text.at = {page.left(), page.top()};
  text.theme = request.style.theme;
  const TintedText drawn = make_tinted_text(words_in_lines(encoding, labels, width, measure), text);
  page.add(drawn.scene);
  page.move_down(drawn.height);
}

/// "“it” (7)", for whoever points at it.
std::string token_text(const AxisLabels& labels, Index token) {
  return fmt::format("“{}” ({})", (*labels)[static_cast<std::size_t>(token)], token);
}

/// "gives 0.52 to “cat” (1), 0.2 to “the” (0)": the heaviest lines of a token, with their heads where there are several.
std::string lines_of_token(const LinksFigureRequest& links, const Snapshot& snapshot, Index token, bool is_key) {
  constexpr std::size_t kMostNamed = 8;
  const LinkLines& lines = *links.lines;
  std::vector<LinkLine> own;
  if (is_key) {
    for (const std::uint32_t line : lines.of_key(token)) own.push_back(lines.lines[line]);
  } else {
    const auto of_query = lines.of_query(token);
    own.assign(of_query.begin(), of_query.end());
  }
  if (own.empty()) return is_key ? "no line leads to it" : "no line begins at it";
  std::string text = is_key ? "gets " : "gives ";
  for (std::size_t place = 0; place < std::min(own.size(), kMostNamed); ++place) {
    const LinkLine& line = own[place];
    const std::string head =
        lines.maps->heads.size() == 1 ? "" : fmt::format(" (head {})", short_name_of_head(snapshot, lines.maps->heads[line.head].head));
    text += fmt::format("{}{} {} {}{}", place == 0 ? "" : ", ", line.weight, is_key ? "from" : "to",
                        token_text(is_key ? links.query_labels : links.key_labels, is_key ? line.query : line.key), head);
  }
  return own.size() > kMostNamed ? text + fmt::format(", {} more", own.size() - kMostNamed) : text;
}

/// Says of every token what its lines are, and which curves they have.
void add_token_spots(Scene& scene, const Snapshot& snapshot, const LinksFigureRequest& links, const LinksFigure& figure) {
  const auto add = [&](Index token, bool is_key, const Box& box) {
    const AxisLabels& labels = is_key ? links.key_labels : links.query_labels;
    SceneSpot spot{.box = box, .words = token_text(labels, token) + " " + lines_of_token(links, snapshot, token, is_key)};
    if (figure.layout.has_arcs) spot.words += "; it " + lines_of_token(links, snapshot, token, true);
    for (std::size_t curve = 0; curve < figure.drawn.size(); ++curve) {
      const LinkLine& line = figure.drawn[curve];
      if ((is_key ? line.key : line.query) == token || (figure.layout.has_arcs && line.key == token)) spot.curves.push_back(curve);
    }
    scene.spots.push_back(std::move(spot));
  };
  for (Index query = 0; query < figure.layout.queries; ++query) add(query, false, figure.layout.query_box(query));
  for (Index key = 0; key < figure.layout.keys && !figure.layout.has_arcs; ++key) add(key, true, figure.layout.key_box(key));
}

/// Which lines of how many.
std::string chosen_text(const LinkLines& lines) {
  return fmt::format("{} · {}", rule_text(lines.filter), lines_text(lines));
}

/// What a page without notes still says.
std::string kept_notes(const Snapshot& snapshot, const FigureRequest& request, const LinkLines& lines) {
  std::string notes = "lines: " + chosen_text(lines);
  for (const std::string& note : {lines.maps->derived_text(), badge_of(snapshot, Style(), compared(request.links.heads), false)}) {
    if (!note.empty()) notes += " · " + note;
  }
  return notes;
}

std::string notes_of_links(const Snapshot& snapshot, const FigureRequest& request, const LinksFigure& figure, const LinkLines& lines) {
  std::string notes = fmt::format("lines: {} · {}", kLinkLooksText, chosen_text(lines));
  if (lines.texts.is_pair()) {
    for (std::size_t part = 0; part < kPairParts; ++part)
      notes += fmt::format("{}{} {}", part == 0 ? " · " : ", ", name_of(static_cast<PairPart>(part)), percent_text(lines.share[part]));
  }
  if (figure.left_out > 0) notes += fmt::format(" · the {} heaviest lines are drawn", lines.lines.size() - figure.left_out);
  if (lines.maps->left_out > 0) notes += fmt::format(" · {} heads left out: not enough memory for them", lines.maps->left_out);
  return notes + " · " + notes_without_scale(snapshot, request.style, compared(request.links.heads));
}

/// As wide as the page, with rows as low as their words let them be; elsewhere as large as it likes.
Point size_on_page(LinksFigureRequest& links, const PageLook& look, const MeasureText& measure) {
  constexpr float kRow = 22, kBracket = 28, kLeastArcs = 76;
  Point size = links_size(links, measure);
  const float room = room_across(look);
  if (room <= 0) return size;
  links.area = {0, 0, room, size.y};
  const LinksLayout widest = links_layout(links, measure);
  const auto rows = static_cast<float>(std::max(widest.queries, widest.keys));
  size.y -= rows * std::max(0.0F, widest.pitch - kRow);
  const float bracket = links.lines->texts.is_pair() ? kBracket : 0;
  const float right = widest.has_arcs ? widest.query_right + kLeastArcs : widest.key_box(0).right() + bracket;
  size.x = std::max(room, right);
  return size;
}

Scene make_links(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr float kMostOfPage = 2e7F;
  SilentProgress silent;
  const LinksRequest& wanted = request.links;
  auto maps = std::make_shared<const LinkMaps>(make_link_maps(snapshot, wanted.heads, request.style, nullptr, silent));
  auto lines = std::make_shared<const LinkLines>(
      choose_lines(std::move(maps), link_texts(snapshot, wanted.heads.front().layer), wanted.filter, silent));
  FreshMaps source(snapshot);
  LinksFigureRequest links = links_of(snapshot, request, lines, source);
  links.most_ink = kMostOfPage;
  const Point size = size_on_page(links, request.page, measure);
  const std::string title = snapshot.model->name + " · " + linked_heads_text(snapshot, wanted.heads) + " as links";
  Page page({title, sentence_of(snapshot)}, request.style, request.page, size.x, measure);
  const float width = page.width();
  if (request.page.has(PagePart::legend)) add_legend(page, snapshot, *lines->maps, request.style.theme, width, measure);
  links.has_low_rows = request.page.height_mm > 0;
  links.area = {page.left(), page.top(), width, size.y};
  const std::string kept = kept_notes(snapshot, request, *lines);
  const auto notes = [&](const LinksFigure& drawn) { return notes_of_links(snapshot, request, drawn, *lines); };
  if (const float below = page.room_below(notes({}), kept); below > 0) links.area.height = std::min(size.y, below);
  // Rows that the page has no room for make all of it smaller, rather than be cut off.
  links.area.height = std::max(links.area.height, links_layout(links, measure).content_height);
  LinksFigure figure = make_links_figure(links, measure);
  add_token_spots(figure.scene, snapshot, links, figure);
  page.add(figure.scene);
  page.move_down(std::min(size.y, figure.layout.content_height));
  add_text(page, snapshot, request, links, width, measure);
  return page.finish(notes(figure), kept);
}

std::string links_caption(const Snapshot&, const FigureRequest& request) {
  const std::size_t heads = request.links.heads.size();
  return heads == 1 ? "One head as lines between tokens" : fmt::format("{} heads as lines between tokens", heads);
}

std::vector<ComparedHead> linked_heads(const Snapshot&, const FigureRequest& request) {
  return compared(request.links.heads);
}

std::vector<std::int64_t> count_of_linked_heads(const Snapshot&, const FigureRequest& request) {
  return {static_cast<std::int64_t>(request.links.heads.size())};
}

}  // namespace

std::string linked_heads_text(const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  const bool is_one_layer = std::all_of(heads.begin(), heads.end(), [&](HeadId head) { return head.layer == heads.front().layer; });
  if (heads.size() == 1) return name_of_head(snapshot, heads.front());
  const std::string layer = is_one_layer ? snapshot.layer_name(heads.front().layer) + " · " : std::string();
  return layer + fmt::format("{} heads", heads.size());
}

LinksFigureRequest links_of(const Snapshot& snapshot, const FigureRequest& request, std::shared_ptr<const LinkLines> lines,
                            FigureSource& source) {
  LinksFigureRequest links;
  const int layer = lines->maps->heads.empty() ? 0 : lines->maps->heads.front().head.layer;
  links.query_labels = source.labels(snapshot, snapshot.query_tokens(layer));
  links.key_labels = source.labels(snapshot, snapshot.key_tokens(layer));
  links.titles = axis_titles(snapshot, layer);
  links.has_arcs = request.links.has_arcs && lines->texts.is_one_text;
  links.focus = request.links.focus;
  if (request.links.is_kept && links.focus && !links.focus->is_key) links.pinned_query = links.focus->token;
  links.lines = std::move(lines);
  links.theme = request.style.theme;
  return links;
}

constexpr FigureKind kLinksFigure = {
    .name = "links",
    .noun = "a figure of links",
    .what = "weights as lines between tokens",
    .file_name = "links",
    .needs = {.has_links = true, .has_legend = true},
    .caption = links_caption,
    .scene = make_links,
    .numbers = {linked_heads, count_of_linked_heads},
};

}  // namespace headlight
