#include "app/gui/views/links/running_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/links/links_view.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr float kBand = 156, kFolded = 28, kHeading = 40;
constexpr float kFoldBelow = 560;  // height of the view
constexpr float kTextMargin = kLinksCorner.x;
constexpr float kBetweenTexts = 8;
constexpr float kBar = 80;  // of the colours

bool is_open(const Panel& panel, float room) {
  const Fold fold = panel.view.links.band;
  return fold == Fold::by_room ? room >= kFoldBelow : fold == Fold::open;
}

/// The texts of the band, one below the other, where the scroll has moved them.
struct Flow {
  std::vector<TintedText> texts;
  std::vector<bool> are_queries, are_keys;  ///< on which axes the tokens of each are
  float height = 0;
};

/// One of the texts.
struct Words {
  const Encoding& encoding;
  bool has_queries = true, has_keys = true;
};

/// The text; in cross-attention the queries' and then the keys'.
std::vector<Words> words_of(const ShownLines& shown) {
  const Snapshot& run = *shown.found->snapshot;
  const Encoding &queries = run.query_tokens(shown.layer()), &keys = run.key_tokens(shown.layer());
  const bool is_one = &queries == &keys;
  std::vector<Words> words{{queries, true, is_one}};
  if (!is_one) words.push_back({keys, false, true});
  return words;
}

/// `place`: of the text, from the top.
const WordsInLines& lines_of(Panel& panel, const ShownLines& shown, const Encoding& encoding, std::size_t place, float width) {
  const Snapshot& run = *shown.found->snapshot;
  RunningLines& kept = panel.caches.running_texts[place];
  const std::shared_ptr<const Encoding>& text = held(run, encoding);
  if (kept.made_from != text || kept.width != width || kept.scale != panel.look.scale) {
    const std::vector<TokenLabel>& names = panel.caches.pictures.names(run, encoding).labels;
    kept = {text, width, panel.look.scale, words_in_lines(encoding, names, width, panel.context.painter.measure())};
  }
  return kept.words;
}

TextValues values_of(Panel& panel, const ShownLines& shown) {
  const Snapshot& run = *shown.found->snapshot;
  KeptMaps source(panel);
  return text_values(*shown.found->lines->maps, shown.request.tint, shown.request.focus,
                     source.labels(run, run.query_tokens(shown.layer())), source.labels(run, run.key_tokens(shown.layer())));
}

/// `seen`: where words can be seen, in points from the band's corner.
Flow flow_of(Panel& panel, const ShownLines& shown, const TextValues& values, const Box& seen, float scroll) {
  Flow flow;
  const std::optional<LinkFocus>& focus = shown.request.focus;
  for (const Words& words : words_of(shown)) {
    TintedTextRequest request;
    request.values = (values.are_of_queries ? words.has_queries : words.has_keys) ? &values : nullptr;
    if (focus && !focus->is_key && words.has_queries) request.query = focus->token;
    if (focus && focus->is_key && words.has_keys) request.key = focus->token;
    request.is_kept = shown.request.is_kept;
    if (!flow.texts.empty()) flow.height += kBetweenTexts;
    request.at = {kTextMargin, seen.y + flow.height - scroll};
    request.seen_top = seen.y;
    request.seen_bottom = seen.bottom();
    request.theme = panel.draft.style.theme;
    const WordsInLines& lines = lines_of(panel, shown, words.encoding, flow.texts.size(), seen.width - 2 * kTextMargin);
    flow.texts.push_back(make_tinted_text(lines, request));
    flow.height += flow.texts.back().height;
    flow.are_queries.push_back(words.has_queries);
    flow.are_keys.push_back(words.has_keys);
  }
  return flow;
}

/// The words' part of the band, in points from its corner.
Box words_box(const Look& look, const Box& box) {
  return {0, kHeading, box.width / look.scale, std::max(1.0F, box.height / look.scale - kHeading - 4)};
}

/// "weight from “It”, mean of 3 heads  0 ▬▬ 0.5", at the right of the heading.
void draw_meaning(const Look& look, const TextValues& values, const ShownLines& shown, const Box& line, float left) {
  const float middle = line.y + line.height / 2;
  float right = line.right();
  if (values.meaning.empty()) {
    const std::string how = shown.is_current ? "Point at a word, and the others light up by their weights." : "";
    draw_text(look, right, middle, Type::caption, look.colours.text_second, elided(look, Type::caption, how, right - left), AlignX::right);
    return;
  }
  const std::string high = weight_text(static_cast<double>(values.high));
  draw_text(look, right, middle, Type::number, look.colours.text_second, high, AlignX::right);
  right -= text_width(look, Type::number, high) + look.px(kUnit);
  const Colour tint = values.are_of_queries ? look.colours.query : look.colours.key;
  const ImU32 low_colour = to_imgui(look.colours.panel), high_colour = to_imgui(mix(look.colours.panel, tint, 0.62F));
  const float half = look.px(4), bar_left = right - look.px(kBar);
  ImGui::GetWindowDrawList()->AddRectFilledMultiColor({bar_left, middle - half}, {right, middle + half}, low_colour, high_colour,
                                                      high_colour, low_colour);
  right = bar_left - look.px(kUnit);
  draw_text(look, right, middle, Type::number, look.colours.text_second, "0", AlignX::right);
  right -= look.px(kUnit) + text_width(look, Type::number, "0");
  draw_text(look, right, middle, Type::caption, look.colours.text_second,
            elided(look, Type::caption, values.meaning, std::max(0.0F, right - left)), AlignX::right);
}

/// The title, which folds the band, and what tints it.
void draw_heading(Panel& panel, const TextValues* values, const ShownLines& shown, const Box& box) {
  const Look& look = panel.look;
  const bool was_open = values != nullptr;
  const float height = look.px(was_open ? kHeading : kFolded), margin = look.px(kTextMargin), middle = box.y + height / 2;
  constexpr const char* kTitle = "Running text";
  const float width = text_width(look, Type::heading, kTitle) + look.px(24);
  const Press press = press_area(kTitle, {box.x + margin, box.y}, {width, height});
  hint(look, was_open ? "Fold the text away." : "Show the text, its words tinted by their weights.");
  if (press.is_clicked) panel.view.links.band = was_open ? Fold::folded : Fold::open;
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, box.x + margin, middle, Type::heading, colour, kTitle);
  draw_triangle(look, {box.x + margin + width - look.px(10), middle}, colour, !was_open);
  if (!was_open) return;
  constexpr const char* kExport = "Export …";
  const float right = box.right() - margin;
  const Press exporting = word_button(look, "Export the text", kExport, right, {box.x, box.y, box.width, height});
  hint(look, "Write the text as a figure of its own, its words tinted as they are here. Without a pinned word: by what each word gets.");
  if (exporting.is_clicked) {
    panel.view.dialogs.asked_figure = kTextFigure.name;
    panel.view.dialogs.figure_export = true;
  }
  const float left = box.x + margin + width + look.px(kBetween);
  const float end = right - text_width(look, Type::caption, kExport) - look.px(kBetween);
  draw_meaning(look, *values, shown, {left, box.y, std::max(0.0F, end - left), height}, left);
}

/// Names words for scripts and tests: "word 3", of the keys' own text "key word 3".
void name_words(const Flow& flow, const ScenePlace& place, const Box& seen) {
  for (std::size_t text = 0; text < flow.texts.size(); ++text) {
    for (std::size_t token = 0; token < flow.texts[text].boxes.size(); ++token) {
      const Box& box = flow.texts[text].boxes[token];
      if (box.bottom() <= seen.y || box.y >= seen.bottom()) continue;
      name_area(fmt::format("{}word {}", flow.are_queries[text] ? "" : "key ", token), place.pixels(box));
    }
  }
}

/// Takes over the word under the pointer, for the next frame: the lines above are drawn already. A click keeps its row.
void answer_pointer(Panel& panel, const ShownLines& shown, const Flow& flow, Point pointer) {
  if (!shown.is_current || !ImGui::IsWindowHovered()) return;
  for (std::size_t text = 0; text < flow.texts.size(); ++text) {
    const std::optional<Index> token = flow.texts[text].token_at(pointer);
    if (!token) continue;
    const bool is_key = flow.are_keys[text] && (panel.view.links.are_words_keys || !flow.are_queries[text]);
    panel.view.pointed.word = LinkFocus{*token, is_key};
    if (!is_key && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) toggle_pinned_query(panel, shown.layer(), *token);
  }
}

void draw_words(Panel& panel, const ShownLines& shown, const TextValues& values, const Box& box) {
  const Look& look = panel.look;
  const Box seen = words_box(look, box);
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box words = place.pixels(seen);
  ImGui::SetCursorScreenPos({words.x, words.y});
  ImGui::BeginChild("words", {words.width, words.height}, 0, ImGuiWindowFlags_NoBackground);
  const Flow flow = flow_of(panel, shown, values, seen, ImGui::GetScrollY() / look.scale);
  ImGui::Dummy({1, flow.height * look.scale});
  Scene scene;
  for (const TintedText& text : flow.texts) scene.items.insert(scene.items.end(), text.scene.items.begin(), text.scene.items.end());
  panel.context.painter.paint(scene, place.origin, "links text");
  name_words(flow, place, seen);
  answer_pointer(panel, shown, flow, place.points(ImGui::GetIO().MousePos));
  ImGui::EndChild();
}

}  // namespace

float running_text_height(const Panel& panel, float room) {
  if (!is_open(panel, room)) return kFolded;
  return std::clamp(kBand, kFolded, std::max(kFolded, room / 2));
}

void draw_running_text(Panel& panel, const ShownLines& shown, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Running text", box, look.colours.panel, {0, 0});
  ImGui::GetWindowDrawList()->AddRectFilled({box.x, box.y}, {box.right(), box.y + 1}, to_imgui(look.colours.line));
  panel.view.pointed.word.reset();
  if (box.height > look.px(kFolded) + 1) {
    const TextValues values = values_of(panel, shown);
    draw_heading(panel, &values, shown, box);
    draw_words(panel, shown, values, box);
  } else {
    draw_heading(panel, nullptr, shown, box);
  }
  end_region();
}

}  // namespace headlight
