#include "engine/figure/inside/ledger_layout.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/inside/ledger_rows.h"

namespace headlight {
namespace {

constexpr float kGap = 24;
constexpr float kTokens = 152, kNarrowTokens = 112;
constexpr float kMostCell = 40, kWidestStrip = 80, kMostGap = 44, kUsualWidth = 1240;  // in an area of the usual width
constexpr Index kMostDigits = 32;                                                      // numbers of a vector that are ever shown as digits
constexpr float kLeastUnfolded = 240;                                                  // of a vector without digits
constexpr float kUnfolding = 0.2F;                                                     // seconds
constexpr float kLowestRow = 18, kLeastRow = 22, kGoodRow = 26, kFoldedRow = 32, kMostRow = 46, kOpenLine = 22;
constexpr float kUsualHeight = 720;  // of an area
constexpr std::size_t kManyRows = 14;

/// How much room the groups that are not current take.
struct Level {
  float strip;
  bool has_bars;
};
constexpr std::array<Level, 3> kLevels{{{80, true}, {48, false}, {24, false}}};

/// The columns between scores and the mask.
int columns_of_scale(const Inside& inside) {
  const bool has_cap = inside.row.capped.size() > 0, has_bias = inside.row.bias.size() > 0;
  return 1 + (has_cap ? 1 : 0) + (has_bias ? 2 : 0);
}

float folded_width(InsideStep step, Level level) {
  switch (step) {
    case InsideStep::keys:
      return level.strip;
    case InsideStep::products:
      return level.strip + 8 + kScoreWidth;
    case InsideStep::scale:
      return kScoreWidth;
    case InsideStep::mask:
      return 40;
    case InsideStep::softmax:
      return level.has_bars ? 112 : 64;
    case InsideStep::values:
      return 2 * level.strip + 12;
    default:
      return 0;
  }
}

/// Of the current group, without its unfolded vector.
float fixed_width(const Inside& inside, InsideStep step, Level level) {
  switch (step) {
    case InsideStep::products:
      return 12 + kScoreWidth;
    case InsideStep::scale:
      return 150 + kScoreWidth * static_cast<float>(1 + columns_of_scale(inside)) + 24;
    case InsideStep::mask:
      return 184;
    case InsideStep::softmax:
      return kSoftmax;
    case InsideStep::values:
      return level.strip + 16;
    default:
      return 0;
  }
}

/// The same where the area has no room for more: numbers without bars, or with short ones.
float least_fixed_width(const Inside& inside, InsideStep step, Level level) {
  if (step == InsideStep::scale) return kScoreWidth * static_cast<float>(1 + columns_of_scale(inside));
  return step == InsideStep::softmax ? kLeastSoftmax : fixed_width(inside, step, level);
}

Index cells_of(const Inside& inside, InsideStep step) {
  if (step == InsideStep::keys || step == InsideStep::products) return inside.d_head();
  return step == InsideStep::values ? inside.d_value() : 0;
}

class Columns {
 public:
  Columns(const Inside& inside, InsideStep current, float left, float width)
      : inside_(inside),
        current_(current),
        left_(left),
        width_(width),
        tokens_(width < 900 ? kNarrowTokens : kTokens),
        spread_(std::clamp(width / kUsualWidth, 1.0F, 2.0F)) {}

  LedgerColumns place() {
    for (const Level level : kLevels) {
      if (try_level(level)) return placed_;
    }
    // Those ahead leave first, from the last on; then those behind, from the first.
    std::vector<InsideStep> leaving;
    for (int step = kInsideSteps - 2; step > static_cast<int>(current_); --step) leaving.push_back(static_cast<InsideStep>(step));
    for (int step = 1; step < static_cast<int>(current_); ++step) leaving.push_back(static_cast<InsideStep>(step));
    for (const InsideStep step : leaving) {
      is_shown_[static_cast<std::size_t>(step)] = false;
      if (try_level(kLevels.back())) return placed_;
    }
    place_at(kLevels.back());
    return placed_;
  }

 private:
  float room_at(Level level) const {
    float room = width_ - tokens_ - fixed_width(inside_, current_, level);
    for (int number = 1; number < kInsideSteps - 1; ++number) {
      const auto step = static_cast<InsideStep>(number);
      if (!is_shown_[static_cast<std::size_t>(number)]) continue;
      room -= kGap + (step == current_ ? 0 : folded_width(step, level));
    }
    return room - kPanelPadding;
  }
  bool try_level(Level level) {
    const float room = room_at(level);
    const Index cells = cells_of(inside_, current_);
    const float least = cells == 0 ? 0 : cells <= kMostDigits ? kDigits * static_cast<float>(cells) : kLeastUnfolded;
    if (room < least) return false;
    place_at(level);
    return true;
  }
  /// What is left makes folded vectors wider first, then gaps. Takes from `room` what they use.
  float wider_strip(float strip, float& room) const {
    int strips = current_ == InsideStep::values ? 1 : 0;
    for (const InsideStep step : {InsideStep::keys, InsideStep::products, InsideStep::values}) {
      if (step != current_ && is_shown_[static_cast<std::size_t>(step)]) strips += step == InsideStep::values ? 2 : 1;
    }
    if (strips == 0) return strip;
    const float wider = std::min(kWidestStrip * spread_, std::floor(strip + room / static_cast<float>(strips)));
    room -= (wider - strip) * static_cast<float>(strips);
    return wider;
  }
  void place_at(Level level) {
    const Index cells = cells_of(inside_, current_);
    const float missing = std::max(0.0F, -room_at(level));
    float room = std::max(0.0F, room_at(level));
    placed_.strip = level.strip;
    placed_.has_bars = level.has_bars;
    placed_.cell = cells == 0 ? 0 : std::min(kMostCell * spread_, room / static_cast<float>(cells));
    placed_.has_digits = cells <= kMostDigits && placed_.cell >= kDigits;
    room -= placed_.cell * static_cast<float>(cells);
    level.strip = placed_.strip = wider_strip(level.strip, room);
    const float fixed = std::max(least_fixed_width(inside_, current_, level), fixed_width(inside_, current_, level) - missing);
    const auto gaps = static_cast<float>(std::count(is_shown_.begin() + 1, is_shown_.end() - 1, true));
    const float gap = std::min(kMostGap * spread_, kGap + room / std::max(1.0F, gaps));
    float at = left_;
    for (int number = 0; number < kInsideSteps; ++number) {
      const auto step = static_cast<InsideStep>(number);
      LedgerGroup& group = placed_.groups[static_cast<std::size_t>(number)];
      group.is_shown = is_shown_[static_cast<std::size_t>(number)] && step != InsideStep::output;
      if (!group.is_shown) continue;
      if (number > 0) at += gap;
      const float unfolded = fixed + placed_.cell * static_cast<float>(cells);
      group.left = at;
      group.width = step == InsideStep::query ? tokens_ : step == current_ ? unfolded : folded_width(step, level);
      at = group.right();
    }
  }

  static constexpr float kDigits = 28;
  const Inside& inside_;
  const InsideStep current_;
  const float left_, width_, tokens_, spread_;
  std::array<bool, kInsideSteps> is_shown_{true, true, true, true, true, true, true, true};
  LedgerColumns placed_;
};

float mixed(float from, float to, float share) {
  return from + (to - from) * share;
}

}  // namespace

LedgerColumns place_columns(const Inside& inside, InsideMoment moment, float left, float width) {
  LedgerColumns now = Columns(inside, moment.step, left, width).place();
  const float seconds = moment.progress * inside_step(moment.step).seconds;
  if (moment.step <= InsideStep::keys || seconds >= kUnfolding) return now;
  const float before = 1 - seconds / kUnfolding, share = 1 - before * before * before;
  const LedgerColumns last = Columns(inside, static_cast<InsideStep>(static_cast<int>(moment.step) - 1), left, width).place();
  for (std::size_t i = 0; i < now.groups.size(); ++i) {
    if (!now.groups[i].is_shown || !last.groups[i].is_shown) continue;
    now.groups[i].left = mixed(last.groups[i].left, now.groups[i].left, share);
    now.groups[i].width = mixed(last.groups[i].width, now.groups[i].width, share);
  }
  now.strip = mixed(last.strip, now.strip, share);
  now.has_digits = false;
  now.has_bars = now.has_bars && last.has_bars;
  return now;
}

float least_ledger_width(const Inside& inside, InsideStep step) {
  constexpr float kLeastWhole = 368;  // of the steps that take the whole area
  constexpr float kLeastVector = 160;
  if (step == InsideStep::query || step == InsideStep::output) return kLeastWhole;
  const float vectors = cells_of(inside, step) > 0 ? kLeastVector : 0;
  return kNarrowTokens + kGap + least_fixed_width(inside, step, kLevels.back()) + vectors + kPanelPadding;
}

LedgerLines place_lines(const InsideFigureRequest& request, Index chosen_key, bool opens, const Box& area) {
  LedgerLines lines;
  lines.header = area.y;
  lines.vectors = lines.header + kRowsHeader;
  const float first = lines.vectors + kVectorRow;
  const float opened = opens ? 2 * kOpenLine : 0;
  const float whole_room = area.bottom() - first - kSumRow - 8 - opened;
  bool has_output = area.height >= 440;
  float room = whole_room - (has_output ? kOutputLine : 0);
  std::vector<LedgerRow> rows;
  // Whether every key has a row of its own, where rows are that high.
  const auto plan = [&](float height) {
    const std::size_t fewest = room >= 4 * kLowestRow ? 4 : 3;  // a key, what is folded before and after it, and what is masked
    const auto most = std::max(fewest, static_cast<std::size_t>(std::max(0.0F, std::floor(room / height))));
    rows = plan_rows(*request.inside, {most, chosen_key, request.opened, request.moment.step == InsideStep::mask, request.most_keys});
    return std::none_of(rows.begin(), rows.end(), [](const LedgerRow& row) { return row.kind == LedgerRow::Kind::fold; });
  };
  const bool is_whole = plan(kGoodRow) || plan(kLeastRow);
  if (!is_whole && has_output && request.most_keys == 0) {  // keys come before the heads side by side, where all fit in their place
    room = whole_room;
    has_output = !plan(kLeastRow);
    room = whole_room - (has_output ? kOutputLine : 0);
    if (has_output) plan(kLeastRow);
  }
  const float most = (rows.size() >= kManyRows ? 34 : kMostRow) * std::clamp(area.height / kUsualHeight, 1.0F, 1.5F);
  const float height = std::floor(std::clamp(room / static_cast<float>(rows.size()), kLowestRow, most));
  float at = first;
  for (LedgerRow& row : rows) {
    const bool is_key = row.kind == LedgerRow::Kind::key;
    const bool is_open = opens && is_key && row.begin == chosen_key;
    const float own = (is_key ? height : std::min(height, kFoldedRow)) + (is_open ? opened : 0);
    lines.rows.push_back({row, at, own});
    at += own;
  }
  lines.sums = at + 4;
  lines.bottom = lines.sums + kSumRow;
  if (has_output) lines.output = std::min(lines.bottom + 20, area.bottom() - kOutputLine + 20);
  return lines;
}

}  // namespace headlight
