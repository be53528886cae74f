#include "engine/figure/links/links_figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/figure/figure_parts.h"
#include "engine/figure/links/link_looks.h"
#include "engine/figure/links/links_parts.h"

namespace headlight {
namespace {

constexpr float kHeadingMiddle = 20;       // below the top of the content
constexpr std::size_t kMostSorted = 4000;  // of the lines in sight: there is not ink for so many
constexpr float kBold = 0.25F;             // of a key's weight: from here on its label is bold

/// Rows of one column that are in sight.
struct Rows {
  Index begin = 0, end = 0;
};

Point between(Point a, Point b, float share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

/// The curve from its beginning to `end` (de Casteljau).
SceneCurve beginning_of(const SceneCurve& curve, float end) {
  const Point a = between(curve.from, curve.from_control, end), b = between(curve.from_control, curve.to_control, end),
              c = between(curve.to_control, curve.to, end);
  const Point ab = between(a, b, end), bc = between(b, c, end);
  return {curve.from, a, ab, between(ab, bc, end), curve.colour, curve.width};
}
SceneCurve reversed(const SceneCurve& curve) {
  return {curve.to, curve.to_control, curve.from_control, curve.from, curve.colour, curve.width};
}
SceneCurve part_of(const SceneCurve& curve, float begin, float end) {
  const SceneCurve first = end < 1 ? beginning_of(curve, end) : curve;
  return begin > 0 ? reversed(beginning_of(reversed(first), 1 - begin / end)) : first;
}

/// How far along a curve that goes one way it reaches `y`, from 0 to 1.
float place_of(const SceneCurve& curve, float y) {
  const bool goes_down = curve.to.y > curve.from.y;
  float low = 0, high = 1;
  for (int step = 0; step < 20; ++step) {
    const float middle = (low + high) / 2;
    ((beginning_of(curve, middle).to.y < y) == goes_down ? low : high) = middle;
  }
  return (low + high) / 2;
}

class LinksPen {
 public:
  LinksPen(const LinksFigureRequest& request, const MeasureText& measure)
      : request_(request),
        measure_(measure),
        lines_(*request.lines),
        maps_(*request.lines->maps),
        colours_(palette(request.theme)),
        layout_(links_layout(request, measure)) {
    queries_ = in_sight(maps_.queries, [this](Index query) { return layout_.query_middle(query); });
    keys_ = in_sight(maps_.keys, [this](Index key) { return layout_.key_middle(key); });
    read_focus();
  }

  LinksFigure draw() {
    draw_lines();
    draw_headings();
    draw_queries();
    if (!layout_.has_arcs) draw_keys();
    if (layout_.second_query > 0) draw_brackets();
    return {std::move(scene_), layout_, request_.area, left_out_, std::move(drawn_)};
  }

 private:
  template <typename Middle>
  Rows in_sight(Index count, Middle middle) const {
    const float half = layout_.pitch / 2;
    Rows rows{count, count};
    // Rows lie at even distances but for the gap of a pair: begin a few rows early and step on.
    const float above = (request_.area.y - layout_.top) / layout_.pitch - 3;
    rows.begin = std::clamp(static_cast<Index>(std::floor(above)), Index{0}, count);
    while (rows.begin < count && middle(rows.begin) + half <= request_.area.y) ++rows.begin;
    rows.end = rows.begin;
    while (rows.end < count && middle(rows.end) - half < request_.area.bottom()) ++rows.end;
    return rows;
  }

  void read_focus() {
    const std::optional<LinkFocus>& focus = request_.focus;
    if (!focus || maps_.heads.empty()) return;
    values_ = focus->is_key ? maps_.mean_of_key(focus->token) : maps_.mean_of_query(focus->token);
  }
  bool has_focus(bool is_key, Index token) const { return request_.focus == LinkFocus{token, is_key}; }
  bool is_of_focus(const LinkLine& line) const {
    return request_.focus && (request_.focus->is_key ? line.key : line.query) == request_.focus->token;
  }

  /// Indices of the lines with an end in sight, the heaviest last.
  std::vector<std::uint32_t> lines_in_sight() {
    std::vector<std::uint32_t> found;
    const LinkLine* first = lines_.lines.data();
    for (Index query = queries_.begin; query < queries_.end; ++query) {
      for (const LinkLine& line : lines_.of_query(query)) found.push_back(static_cast<std::uint32_t>(&line - first));
    }
    for (Index key = keys_.begin; key < keys_.end; ++key) {
      for (const std::uint32_t line : lines_.of_key(key)) {
        const Index query = first[line].query;
        if (query < queries_.begin || query >= queries_.end) found.push_back(line);
      }
    }
    const auto is_lighter = [first](std::uint32_t a, std::uint32_t b) {
      return first[a].weight != first[b].weight ? first[a].weight < first[b].weight : a > b;
    };
    if (found.size() > kMostSorted && layout_.content_height > request_.area.height) {
      const auto kept = static_cast<std::ptrdiff_t>(found.size() - kMostSorted);
      std::nth_element(found.begin(), found.begin() + kept, found.end(), is_lighter);
      found.erase(found.begin(), found.begin() + kept);
      left_out_ += static_cast<std::size_t>(kept);
    }
    std::sort(found.begin(), found.end(), is_lighter);
    return found;
  }

  /// Keeps as many as there is ink for. Returns how many are dropped.
  std::size_t drop_lightest(std::vector<std::uint32_t>& found) const {
    constexpr float kSoftEdges = 2;  // of a line: they cost as much as its middle
    const bool scrolls = layout_.content_height > request_.area.height;
    const float most = scrolls ? std::min(kScrolledInk, request_.most_ink) : request_.most_ink;
    float ink = 0;
    const auto first = std::find_if(found.rbegin(), found.rend(), [&](std::uint32_t index) {
      const LinkLine& line = lines_.lines[index];
      ink += (link_width(line.weight) + kSoftEdges) * seen_length(layout_.query_middle(line.query), layout_.key_middle(line.key));
      return ink > most;
    });
    const auto dropped = found.rend() - first;
    found.erase(found.begin(), found.begin() + dropped);
    return static_cast<std::size_t>(dropped);
  }

  /// About how long a line is, where it can be seen.
  float seen_length(float from, float to) const {
    const float top = request_.area.y, bottom = request_.area.bottom();
    const float across = layout_.has_arcs ? std::abs(to - from) : layout_.key_left - layout_.query_right;
    const float down = std::abs(std::clamp(to, top, bottom) - std::clamp(from, top, bottom));
    const float share = to == from ? 1 : down / std::abs(to - from);
    return std::hypot(across * share, down);
  }

  void draw_lines() {
    std::vector<std::uint32_t> found = lines_in_sight();
    if (!request_.focus) {
      left_out_ += drop_lightest(found);
      for (const std::uint32_t line : found) draw_line(lines_.lines[line], false);
      return;
    }
    std::vector<std::uint32_t> own = lines_of_focus();
    left_out_ = drop_lightest(own);
    drop_lightest(found);
    draw_faint(found);
    for (const std::uint32_t line : own) draw_line(lines_.lines[line], false);
  }

  /// The heaviest last.
  std::vector<std::uint32_t> lines_of_focus() const {
    std::vector<std::uint32_t> own;
    if (request_.focus->is_key) {
      const auto of_key = lines_.of_key(request_.focus->token);
      own.assign(of_key.begin(), of_key.end());
    } else {
      for (const LinkLine& line : lines_.of_query(request_.focus->token))
        own.push_back(static_cast<std::uint32_t>(&line - lines_.lines.data()));
    }
    std::reverse(own.begin(), own.end());
    return own;
  }

  /// The lines of all other tokens: of those between the same two tokens the heaviest alone, as many faint ones would be a strong one.
  void draw_faint(const std::vector<std::uint32_t>& found) {
    std::vector<std::pair<Index, Index>> drawn;
    drawn.reserve(found.size());
    for (const std::uint32_t line : found) drawn.emplace_back(lines_.lines[line].query, lines_.lines[line].key);
    std::sort(drawn.begin(), drawn.end());
    std::vector<bool> is_drawn(drawn.size());
    for (auto line = found.rbegin(); line != found.rend(); ++line) {
      const LinkLine& each = lines_.lines[*line];
      if (is_of_focus(each)) continue;
      const auto place = std::lower_bound(drawn.begin(), drawn.end(), std::pair(each.query, each.key)) - drawn.begin();
      if (is_drawn[static_cast<std::size_t>(place)]) continue;
      is_drawn[static_cast<std::size_t>(place)] = true;
      draw_line(each, true);
    }
  }

  void draw_line(const LinkLine& line, bool is_faint) {
    Colour colour = link_shade(link_colour(request_.theme, line.head), line.weight);
    if (is_faint) colour.alpha = static_cast<std::uint8_t>(std::lround(255 * kFaintLink));
    const float aside = beside(line.head);
    const float from = layout_.query_middle(line.query) + aside, to = layout_.key_middle(line.key) + aside;
    SceneCurve curve{.colour = colour, .width = link_width(line.weight)};
    if (layout_.has_arcs) {
      shape_arc(curve, from, to, line.key > line.query);
    } else {
      const float left = layout_.query_right + kLinkLabelGap, right = layout_.key_left - kLinkLabelGap;
      const float middle = (left + right) / 2;
      curve.from = {left, from}, curve.from_control = {middle, from}, curve.to_control = {middle, to}, curve.to = {right, to};
    }
    cut(curve);
    scene_.items.emplace_back(curve);
    drawn_.push_back(line);
  }

  /// Leaves out what lies above or below the area: of a long text most of a line may. All curves go down or up without turning back.
  void cut(SceneCurve& curve) const {
    const float top = request_.area.y - link_width(1), bottom = request_.area.bottom() + link_width(1);
    const auto is_outside = [&](Point point) { return point.y < top || point.y > bottom; };
    if (is_outside(curve.to)) curve = part_of(curve, 0, place_of(curve, std::clamp(curve.to.y, top, bottom)));
    if (is_outside(curve.from)) curve = part_of(curve, place_of(curve, std::clamp(curve.from.y, top, bottom)), 1);
  }

  /// How far the lines of a head lie below the middle of a row, so that those of several heads lie beside each other.
  float beside(std::size_t head) const {
    constexpr float kMost = 3, kFree = 8;  // of a row's height nothing reaches into
    const auto heads = static_cast<float>(maps_.heads.size());
    return (static_cast<float>(head) - (heads - 1) / 2) * std::min(kMost, (layout_.pitch - kFree) / heads);
  }

  /// At the right of the tokens to an earlier key, at their left to a later one; a token's line to itself is a loop.
  void shape_arc(SceneCurve& curve, float from, float to, bool is_ahead) const {
    constexpr float kLoop = 5, kLeast = 18, kOfControls = 4.0F / 3;  // a Bézier reaches three quarters of its controls
    if (from == to) from -= kLoop, to += kLoop;
    const float side = is_ahead ? layout_.arcs_left : layout_.query_right + kLinkLabelGap;
    const float room = is_ahead ? side - request_.area.x : request_.area.right() - side;
    const float reach = std::clamp(std::abs(to - from) / 2, kLeast, std::max(kLeast, room - 6)) * kOfControls;
    const float control = is_ahead ? side - reach : side + reach;
    curve.from = {side, from}, curve.from_control = {control, from}, curve.to_control = {control, to}, curve.to = {side, to};
  }

  void write(Point at, const std::string& text, LabelStyle style, Colour colour, AlignX align) {
    scene_.items.emplace_back(SceneText{at, text, style.face, style.size, colour, align});
  }

  void draw_headings() {
    const float middle = request_.area.y + kHeadingMiddle - request_.scroll;
    if (middle < request_.area.y - kHeadingMiddle) return;
    constexpr LabelStyle kBoldText{FontFace::ui_bold, kTextSize};
    constexpr LabelStyle kCaption{FontFace::ui, kCaptionSize};
    if (layout_.has_arcs) {
      write({layout_.query_right, middle}, "tokens", kBoldText, colours_.text, AlignX::right);
      write({layout_.query_right + 2 * kLinkLabelGap, middle}, "to earlier tokens", kCaption, colours_.text_second, AlignX::left);
      if (!lines_.looks_ahead) return;
      write({layout_.arcs_left - kLinkLabelGap, middle}, "to later tokens", kCaption, colours_.text_second, AlignX::right);
      return;
    }
    write({layout_.query_right, middle}, request_.titles.query, kBoldText, colours_.query, AlignX::right);
    write({layout_.key_left, middle}, request_.titles.key, kBoldText, colours_.key, AlignX::left);
  }

  void draw_queries() {
    for (Index query = queries_.begin; query < queries_.end; ++query) {
      const float middle = layout_.query_middle(query);
      const bool is_focus = has_focus(false, query), is_pinned = request_.pinned_query == query;
      const std::string& label = (*request_.query_labels)[static_cast<std::size_t>(query)];
      mark_row(layout_.query_box(query), is_focus, is_pinned, colours_.query);
      draw_number(layout_.query_number, middle, query, is_focus || is_pinned);
      const float value = layout_.has_arcs || is_key_focus() ? value_of(query) : -1;
      const Colour related = is_key_focus() ? colours_.query : colours_.key;
      const bool is_related = value >= least_value() && value > 0 && !is_focus;
      const Colour own = layout_.has_arcs && is_key_focus() ? colours_.key : colours_.query;
      const Colour colour = is_focus || is_pinned ? on_mark(own)
                            : is_related          ? related
                            : request_.focus      ? colours_.text_second
                                                  : colours_.text;
      draw_label({layout_.query_right, middle}, label, layout_.query_right - layout_.query_left,
                 is_focus || is_pinned || (is_related && value >= kBold), colour, AlignX::right);
    }
  }

  void draw_keys() {
    if (!request_.focus && layout_.squares > 0) received_ = maps_.mean_received();
    most_received_ = received_.empty() ? 0 : *std::max_element(received_.begin(), received_.end());
    for (Index key = keys_.begin; key < keys_.end; ++key) {
      const float middle = layout_.key_middle(key);
      const bool is_focus = has_focus(true, key);
      mark_row(layout_.key_box(key), is_focus, false, colours_.key);
      const float value = request_.focus && !is_key_focus() ? value_of(key) : -1;
      const bool is_related = value >= least_value() && value > 0;
      const Colour colour = is_focus         ? on_mark(colours_.key)
                            : is_related     ? colours_.key
                            : request_.focus ? colours_.text_second
                                             : colours_.text;
      draw_label({layout_.key_left, middle}, (*request_.key_labels)[static_cast<std::size_t>(key)], layout_.key_right - layout_.key_left,
                 is_focus || (is_related && value >= kBold), colour, AlignX::left);
      draw_squares(key, middle);
      draw_number(layout_.key_number, middle, key, is_focus);
    }
  }

  bool is_key_focus() const { return request_.focus && request_.focus->is_key; }
  /// What the token in focus gives to, or gets from, a token of the other column: the mean over the heads.
  float value_of(Index token) const {
    const auto at = static_cast<std::size_t>(token);
    return at < values_.size() ? values_[at] : -1;
  }
  /// From which mean weight on a label is coloured.
  float least_value() const { return 0.05F; }

  /// Of letters on the ground of a marked row: on paper only the darkest can be read well.
  Colour on_mark(Colour colour) const { return request_.theme == Theme::light ? colours_.text : colour; }

  void mark_row(const Box& row, bool is_focus, bool is_pinned, Colour colour) {
    if (!is_focus && !is_pinned) return;
    Colour ground = colour;
    ground.alpha = is_pinned ? 52 : 26;
    const Box box{row.x, row.y + 1, row.width, row.height - 2};
    scene_.items.emplace_back(SceneBox{.box = box, .fill = ground, .stroke = is_pinned ? colour : Colour{0, 0, 0, 0}, .radius = 4});
  }

  void draw_label(Point at, const std::string& label, float room, bool is_bold, Colour colour, AlignX align) {
    const LabelStyle style{is_bold ? FontFace::ui_bold : FontFace::ui, layout_.type};
    write(at, shortened(label, room, style, measure_), style, colour, align);
  }

  void draw_number(float x, float middle, Index number, bool is_marked) {
    const Colour colour = is_marked ? on_mark(colours_.text_second) : colours_.text_second;
    write({x, middle}, std::to_string(number), {FontFace::mono, kCaptionSize}, colour, AlignX::centre);
  }

  /// The weight of each head, from the query in focus; without one what the key receives, beside the key that receives most.
  void draw_squares(Index key, float middle) {
    const bool is_mean = layout_.squares < maps_.heads.size();
    const std::optional<LinkFocus>& focus = request_.focus;
    for (std::size_t place = 0; place < layout_.squares; ++place) {
      float share = 0;
      if (!focus) share = received_share(is_mean ? std::nullopt : std::optional(place), key);
      if (focus && !focus->is_key) share = is_mean ? value_of(key) : maps_.weight(place, focus->token, key);
      const Colour colour = is_mean ? colours_.key : link_colour(request_.theme, place);
      const float strength = std::isfinite(share) ? 0.08F + 0.92F * std::clamp(share, 0.0F, 1.0F) : 0;
      const Box box{layout_.squares_left + static_cast<float>(place) * kLinkSquareStep, middle - kLinkSquare / 2, kLinkSquare, kLinkSquare};
      scene_.items.emplace_back(SceneBox{.box = box, .fill = mix(colours_.raised, colour, strength), .radius = 2});
    }
  }

  /// What a key gets of one head or of their mean, beside the most that any key gets of the mean.
  float received_share(std::optional<std::size_t> head, Index key) const {
    const auto at = static_cast<std::size_t>(key);
    if (most_received_ <= 0) return 0;
    if (!head) return received_[at] / most_received_;
    return static_cast<float>(maps_.heads[*head].received[at] / static_cast<double>(std::max(Index{1}, maps_.queries))) / most_received_;
  }

  void draw_brackets() {
    draw_bracket(
        layout_.query_number - 16 - 8, -6, layout_.second_query, [this](Index token) { return layout_.query_middle(token); },
        maps_.queries);
    if (layout_.has_arcs) return;
    draw_bracket(
        layout_.key_number + 16 + 8, 6, layout_.second_key, [this](Index token) { return layout_.key_middle(token); }, maps_.keys);
  }

  /// A line along each text with its letter beside it. `tick`: from the line towards the letter.
  template <typename Middle>
  void draw_bracket(float x, float tick, Index second, Middle middle, Index count) {
    const float half = layout_.pitch / 2 - 3;
    const auto text = [&](Index first, Index last, const char* letter) {
      const float top = std::max(middle(first) - half, request_.area.y), bottom = std::min(middle(last) + half, request_.area.bottom());
      if (bottom - top < kCaptionSize) return;
      scene_.items.emplace_back(SceneLine{{x, top}, {x, bottom}, colours_.line, 1});
      write({x + 2 * tick, (top + bottom) / 2}, letter, {FontFace::ui_bold, kCaptionSize}, colours_.text_second, AlignX::centre);
    };
    text(0, second - 1, "A");
    text(second, count - 1, "B");
  }

  const LinksFigureRequest& request_;
  const MeasureText& measure_;
  const LinkLines& lines_;
  const LinkMaps& maps_;
  const Palette& colours_;
  LinksLayout layout_;
  Rows queries_, keys_;
  std::vector<float> values_;    // mean weights from or to the token in focus
  std::vector<float> received_;  // by each key, where nothing is in focus
  float most_received_ = 0;
  std::size_t left_out_ = 0;
  std::vector<LinkLine> drawn_;
  Scene scene_;
};

}  // namespace

LinksFigure make_links_figure(const LinksFigureRequest& request, const MeasureText& measure) {
  return LinksPen(request, measure).draw();
}

}  // namespace headlight
