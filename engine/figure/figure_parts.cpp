#include "engine/figure/figure_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/figure/axes.h"
#include "engine/figure/figures.h"
#include "engine/text/signs.h"

namespace headlight {
namespace {

constexpr const char* kEllipsis = "…";
// No figure shows more of one label; a longer one is cut before it is measured.
constexpr std::size_t kLongestLabel = 400;

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Byte offsets at which characters begin, and the end.
std::vector<std::size_t> boundaries(std::string_view text) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < std::min(text.size(), kLongestLabel); ++i) {
    if (begins_character(text[i])) at.push_back(i);
  }
  if (text.size() <= kLongestLabel) at.push_back(text.size());
  return at;
}

/// A rough width without measuring: wide scripts (three and more bytes) count twice.
std::size_t rough_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < std::min(text.size(), kLongestLabel); ++i) {
    if (begins_character(text[i])) width += static_cast<unsigned char>(text[i]) >= 0xE0U ? 2 : 1;
  }
  return width;
}

/// Empty: it would read as zero, which it is not.
std::string number_in_cell(float value, int decimals) {
  if (value == 0) return "0";
  std::string number = fmt::format("{:.{}f}", std::abs(value), decimals);
  if (std::abs(value) < 1 && number.front() == '1') number = decimals == 2 ? "0.99" : "0";
  if (number.find_first_of("123456789") == std::string::npos) return {};
  if (number.starts_with("0.")) number.erase(0, 1);
  while (number.find('.') != std::string::npos && (number.back() == '0' || number.back() == '.')) number.pop_back();
  return (value < 0 ? "−" : "") + number;
}

}  // namespace

std::string pin_letter(std::size_t place) {
  return place < 26 ? std::string(1, static_cast<char>('A' + place)) : std::to_string(place + 1);
}

std::string number_for_cell(float value, float width, float height, LabelStyle style, const MeasureText& measure) {
  constexpr float kBeside = 3;
  if (height < style.size + kBeside) return {};
  for (int decimals = 2; decimals >= 0; --decimals) {
    std::string number = number_in_cell(value, decimals);
    if (!number.empty() && measure(number, style.face, style.size) <= width - kBeside) return number;
  }
  return {};
}

Colour ink_on(Colour ground) {
  const auto linear = [](std::uint8_t value) {
    const float share = static_cast<float>(value) / 255;
    return share <= 0.04045F ? share / 12.92F : std::pow((share + 0.055F) / 1.055F, 2.4F);
  };
  const float luminance = 0.2126F * linear(ground.red) + 0.7152F * linear(ground.green) + 0.0722F * linear(ground.blue);
  return luminance > 0.18F ? Colour{12, 14, 17} : Colour{255, 255, 255};  // both are told apart equally well there
}

SceneBox frame_around(const Box& map, Colour colour) {
  return {.box = {map.x - 1, map.y - 1, map.width + 2, map.height + 2}, .fill = colour};
}

std::string axis_label(const TokenLabel& label) {
  const std::string blank(kBlankSign);
  if (label.text.empty()) return label.has_leading_blank ? blank : "∅";
  if (label.text.find_first_not_of(' ') == std::string::npos) return blank;
  std::string text;
  for (const char byte : label.text) {
    if (byte == '\n') {
      text += kLineBreakSign;
    } else if (byte == '\t') {
      text += kTabSign;
    } else {
      text += byte;
    }
  }
  return printable(text, kLongestLabel);
}

AxisLabels number_labels(Index count) {
  std::vector<std::string> labels;
  for (Index number = 0; number < count; ++number) labels.push_back(std::to_string(number));
  return std::make_shared<const std::vector<std::string>>(std::move(labels));
}

AxisLabels axis_labels(const Snapshot& snapshot, const Encoding& encoding) {
  std::vector<std::string> labels;
  labels.reserve(encoding.tokens.size());
  for (const Token& token : encoding.tokens) labels.push_back(axis_label(snapshot.label(encoding, token)));
  return std::make_shared<const std::vector<std::string>>(std::move(labels));
}

std::optional<Index> second_sentence(const Encoding& encoding) {
  if (encoding.text_pair.empty()) return std::nullopt;
  const auto second = std::find_if(encoding.tokens.begin(), encoding.tokens.end(), [](const Token& token) { return token.sequence == 1; });
  if (second == encoding.tokens.begin() || second == encoding.tokens.end()) return std::nullopt;
  return second - encoding.tokens.begin();
}

void add_boundary(Scene& scene, Point from, Point to, const Palette& colours) {
  constexpr float kHaloWidth = 3;
  Colour halo = colours.ground;
  halo.alpha = 150;
  scene.items.emplace_back(SceneLine{from, to, halo, kHaloWidth});
  scene.items.emplace_back(SceneLine{from, to, colours.text, 1});
}

AxisTitles axis_titles(const Snapshot& snapshot, int layer) {
  if (snapshot.model->config.place(layer).stack != Stack::cross) return {};
  return {"decoder queries", "encoder keys"};
}

std::string shortened(const std::string& text, float width, LabelStyle style, const MeasureText& measure) {
  if (text.size() <= kLongestLabel && measure(text, style.face, style.size) <= width) return text;
  const std::vector<std::size_t> ends = boundaries(text);
  std::size_t fits = 0, beyond = ends.size();  // ends[fits] characters fit with the ellipsis, ends[beyond] do not
  while (fits + 1 < beyond) {
    const std::size_t middle = (fits + beyond) / 2;
    const bool is_fitting = measure(text.substr(0, ends[middle]) + kEllipsis, style.face, style.size) <= width;
    (is_fitting ? fits : beyond) = middle;
  }
  return fits == 0 ? "" : text.substr(0, ends[fits]) + kEllipsis;
}

std::string sizes_of(const Snapshot& snapshot) {
  const ModelConfig& config = snapshot.model->config;
  if (!config.heads.counts.empty()) {
    const int fewest = *std::min_element(config.heads.counts.begin(), config.heads.counts.end());
    return fmt::format("{} × {} to {} heads", config.layers_text(), fewest, snapshot.heads());
  }
  if (!config.is_encoder_decoder())
    return fmt::format("{} × {} head{}", config.layers_text(), snapshot.heads(), snapshot.heads() == 1 ? "" : "s");
  const int encoder = snapshot.heads(0), decoder = snapshot.heads(snapshot.layers() - 1);
  const std::string heads = encoder == decoder ? std::to_string(encoder) : fmt::format("{} and {}", encoder, decoder);
  return fmt::format("{} + {} layers × {} heads", config.stacks.encoder_layers, config.decoder_layers(), heads);
}

std::string short_sizes_of(const Snapshot& snapshot) {
  const ModelConfig& config = snapshot.model->config;
  const std::string layers = config.is_encoder_decoder() ? fmt::format("{} + {}", config.stacks.encoder_layers, config.decoder_layers())
                                                         : std::to_string(snapshot.layers());
  return fmt::format("{} × {}", layers, snapshot.heads());
}

std::string flow_name(const Snapshot& snapshot, HeadId head) {
  const LayerPlace place = snapshot.model->config.place(head.layer);
  if (place.stack == Stack::only) return fmt::format("{}.{}", place.number, head.head);
  return fmt::format("{}.{}", snapshot.layer_name(head.layer), head.head);
}

std::vector<std::string> longest_labels(std::span<const std::string> labels) {
  constexpr std::size_t kMeasured = 12;
  if (labels.size() <= kMeasured) return {labels.begin(), labels.end()};
  std::vector<std::pair<std::size_t, const std::string*>> by_width;
  by_width.reserve(labels.size());
  for (const std::string& label : labels) by_width.emplace_back(rough_width(label), &label);
  std::partial_sort(by_width.begin(), by_width.begin() + kMeasured, by_width.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> longest;
  for (std::size_t i = 0; i < kMeasured; ++i) longest.push_back(*by_width[i].second);
  return longest;
}

float widest(std::span<const std::string> labels, float limit, LabelStyle style, const MeasureText& measure) {
  float width = 0;
  for (const std::string& label : longest_labels(labels))
    width = std::max(width, label.size() > kLongestLabel ? limit : measure(label, style.face, style.size));
  return std::min(width, limit);
}

Index label_stride(float step, float pitch) {
  for (Index decade = 1;; decade *= 10) {
    for (const Index factor : {1, 2, 5}) {
      if (static_cast<float>(decade * factor) * step >= pitch || decade > 1'000'000'000) return decade * factor;
    }
  }
}

float layer_label_width(const Snapshot& snapshot, const MeasureText& measure) {
  // The last layer of every stack has the longest number.
  std::array<int, 4> last{-1, -1, -1, -1};
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    last[static_cast<std::size_t>(snapshot.model->config.place(layer).stack)] = layer;
  }
  float width = 0;
  for (const int layer : last) {
    if (layer >= 0) width = std::max(width, measure(snapshot.layer_name(layer), FontFace::ui, kTextSize));
  }
  return width;
}

std::vector<std::string> wrapped(const std::string& text, float width, std::size_t lines, LabelStyle style, const MeasureText& measure) {
  std::vector<std::string> result;
  std::string rest = text;
  while (!rest.empty() && result.size() + 1 < lines && measure(rest.substr(0, boundaries(rest).back()), style.face, style.size) > width) {
    std::string line = shortened(rest, width, style, measure);
    if (line.empty()) break;
    line.resize(line.size() - std::string_view(kEllipsis).size());
    const std::size_t blank = rest[line.size()] == ' ' ? line.size() : line.rfind(' ');
    if (blank != std::string::npos && blank > 0) line.resize(blank);
    rest.erase(0, line.size());
    rest.erase(0, rest.find_first_not_of(' '));
    result.push_back(std::move(line));
  }
  if (!rest.empty()) result.push_back(shortened(rest, width, style, measure));
  return result;
}

std::vector<FormulaPart> formula_parts(std::string_view formula) {
  std::vector<FormulaPart> parts;
  while (!formula.empty()) {
    const std::size_t mark = formula.find_first_of("_^");
    if (mark != 0) parts.push_back({formula.substr(0, mark), 0});
    if (mark == std::string_view::npos || mark + 1 >= formula.size()) return parts;
    const int level = formula[mark] == '^' ? 1 : -1;
    formula.remove_prefix(mark + 1);
    const std::size_t close = formula.front() == '(' ? formula.find(')') : std::string_view::npos;
    const bool is_group = close != std::string_view::npos;
    parts.push_back({is_group ? formula.substr(1, close - 1) : formula.substr(0, 1), level});
    formula.remove_prefix(is_group ? close + 1 : 1);
  }
  return parts;
}

bool is_script(const SceneText& text) {
  return text.align_y == AlignY::baseline;
}

namespace {

float size_of(const FormulaPart& part, float size) {
  return part.level == 0 ? size : kScriptSize * size;
}

}  // namespace

float formula_width(std::string_view formula, LabelStyle style, const MeasureText& measure) {
  float width = 0;
  for (const FormulaPart& part : formula_parts(formula)) width += measure(std::string(part.text), style.face, size_of(part, style.size));
  return width;
}

std::string shortened_formula(const std::string& formula, float width, LabelStyle style, const MeasureText& measure) {
  std::string text = formula;
  for (std::size_t blank = formula.rfind(' '); formula_width(text, style, measure) > width; blank = formula.rfind(' ', blank - 1)) {
    if (blank == std::string::npos || blank == 0) return {};
    text = formula.substr(0, blank) + " " + kEllipsis;
  }
  return text;
}

void add_formula(Scene& scene, Point at, std::string_view formula, LabelStyle style, Colour colour, const MeasureText& measure) {
  const float line = at.y + baseline_below(AlignY::middle, style.size);
  for (const FormulaPart& part : formula_parts(formula)) {
    SceneText text{at, std::string(part.text), style.face, size_of(part, style.size), colour};
    if (part.level != 0) {
      text.at.y = line - static_cast<float>(part.level) * kScriptRise * style.size;
      text.align_y = AlignY::baseline;
    }
    at.x += measure(text.text, text.face, text.size);
    scene.items.emplace_back(std::move(text));
  }
}

}  // namespace headlight
