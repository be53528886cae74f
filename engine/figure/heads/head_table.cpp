#include "engine/figure/heads/head_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_parts.h"
#include "engine/measures/columns/column_spread.h"

namespace headlight {
namespace {

constexpr float kColumn = 96, kLeastColumn = 56, kBesideHead = 16, kDotColumn = 14, kTableRow = 20, kLowTableRow = 16;
constexpr float kTitleLine = 16, kHistogram = 28, kEnds = 18, kGap = 4, kInset = 8, kNarrowInset = 5, kBetweenParts = 24;
constexpr LabelStyle kCaption{FontFace::ui, kCaptionSize}, kBoldCaption{FontFace::ui_bold, kCaptionSize};
constexpr LabelStyle kNumber{FontFace::mono, kCaptionSize};

/// How a table is cut: parts with some of the columns go below each other, parts with some of the rows beside.
struct TableCut {
  std::size_t below = 1, beside = 1;
  float column = kColumn;  ///< width
  std::size_t rows = 0;    ///< that it has; of a low page fewer than there are
};

std::size_t share_of(std::size_t count, std::size_t parts) {
  return (std::max<std::size_t>(1, count) + parts - 1) / parts;
}

/// The width of the longest word of all titles: narrower columns would cut it.
float widest_word(const HeadColumns& columns, const MeasureText& measure) {
  float width = 0;
  for (const auto& column : columns) {
    const std::string& title = column->title;
    for (std::size_t at = 0; at < title.size();) {
      const std::size_t end = std::min(title.find(' ', at), title.size());
      width = std::max(width, measure(title.substr(at, end - at), kBoldCaption.face, kBoldCaption.size));
      at = end + 1;
    }
  }
  return width;
}

class HeadTableDrawing {
 public:
  HeadTableDrawing(const HeadTableRequest& request, Point at, const MeasureText& measure)
      : request_(request), at_(at), measure_(measure), colours_(palette(request.theme)) {
    for (const HeadId head : request.all) head_width_ = std::max(head_width_, measure(request.name(head), kNumber.face, kNumber.size));
    head_width_ = std::ceil(head_width_) + kDotColumn + kBesideHead;
    for (const auto& column : request.columns) spreads_.push_back(spread_of(*column, request.all));
    cut_to_fit();
  }

  Point size() const {
    const auto beside = static_cast<float>(cut_.beside), below = static_cast<float>(cut_.below);
    return {beside * part_width() + (beside - 1) * kBetweenParts, below * part_height() + (below - 1) * kBetweenParts + count_line()};
  }

  Scene draw() {
    const Point origin = at_;
    for (std::size_t below = 0; below < cut_.below; ++below) {
      for (std::size_t beside = 0; beside < cut_.beside; ++beside) {
        at_ = {origin.x + static_cast<float>(beside) * (part_width() + kBetweenParts),
               origin.y + static_cast<float>(below) * (part_height() + kBetweenParts)};
        first_column_ = below * columns_in_part();
        draw_part(beside * rows_in_part());
      }
    }
    if (const std::string words = count_text(); !words.empty())
      text({origin.x + kDotColumn, origin.y + size().y - kTitleLine / 2}, words, kCaption, colours_.text_second);
    return std::move(scene_);
  }

 private:
  std::size_t columns_in_part() const { return share_of(request_.columns.size(), cut_.below); }
  std::size_t rows_in_part() const { return share_of(cut_.rows, cut_.beside); }
  float count_line() const { return cut_.rows < request_.rows.size() ? kTitleLine + kGap : 0; }
  std::string count_text() const {
    const std::size_t all = request_.rows.size();
    return cut_.rows == all ? std::string() : fmt::format("the first {} of these {} heads", cut_.rows, all);
  }
  float part_width() const { return head_width_ + cut_.column * static_cast<float>(columns_in_part()); }
  float part_height() const { return heading() + row_height() * static_cast<float>(rows_in_part()); }
  bool is_narrow() const { return cut_.column < kColumn; }
  float inset() const { return is_narrow() ? kNarrowInset : kInset; }
  float inner_width() const { return cut_.column - 2 * inset(); }
  float row_height() const { return is_narrow() || cut_.below > 1 ? kLowTableRow : kTableRow; }
  float titles() const { return kTitleLine * static_cast<float>(title_rows_); }
  /// Of the numbers under a histogram; both ends of an axis have no room beside each other in a narrow column.
  float ends() const { return is_narrow() ? 2 * kTitleLine : kEnds; }
  float heading() const { return titles() + kGap + kHistogram + ends() + kGap; }
  float left_of(std::size_t column) const { return at_.x + head_width_ + cut_.column * static_cast<float>(column - first_column_); }

  /// Sets a cut, and with it the lines of the titles.
  void set_cut(const TableCut& cut) {
    constexpr std::size_t kMostLines = 2, kMostOnPage = 4;
    cut_ = cut;
    titles_.clear();
    title_rows_ = 1;
    for (const auto& column : request_.columns) {
      titles_.push_back(wrapped(column->title, inner_width(), request_.room.x > 0 ? kMostOnPage : kMostLines, kCaption, measure_));
      title_rows_ = std::max(title_rows_, titles_.back().size());
    }
  }

  /// The cut that is made least smaller for the room; of equal ones that with the fewest parts.
  void cut_to_fit() {
    constexpr std::size_t kMostBeside = 6, kFewestRows = 4;
    constexpr float kBetter = 1.001F;
    const Point room = request_.room, around = request_.around;
    TableCut best{.rows = request_.rows.size()};
    float best_share = 0;
    TableCut most;  // that need not be made smaller: with the most rows
    const std::size_t most_beside = room.y > 0 ? std::min(kMostBeside, std::max<std::size_t>(1, request_.rows.size())) : 1;
    const std::size_t most_below = room.x > 0 ? std::max<std::size_t>(1, request_.columns.size()) : 1;
    const float least = std::max(kLeastColumn, std::ceil(widest_word(request_.columns, measure_)) + 2 * kNarrowInset);
    for (std::size_t below = 1; below <= most_below; ++below) {
      for (std::size_t beside = 1; beside <= most_beside; ++beside) {
        TableCut cut{below, beside, kColumn, request_.rows.size()};
        const float room_of_part = (room.x - kBetweenParts * static_cast<float>(beside - 1)) / static_cast<float>(beside);
        const auto columns = static_cast<float>(share_of(request_.columns.size(), below));
        if (room.x > 0) cut.column = std::clamp(std::floor((room_of_part - head_width_) / columns), std::min(least, kColumn), kColumn);
        set_cut(cut);
        float share = 1;
        if (room.x > 0) share = std::min(share, (room.x + around.x) / (size().x + around.x));
        if (room.y > 0) {
          if (const std::size_t rows = rows_within(room.y); share >= 1 && rows > most.rows) (most = cut).rows = rows;
          share = std::min(share, (room.y + around.y) / (size().y + around.y));
        }
        if (share <= best_share * kBetter) continue;
        best_share = share;
        best = cut;
      }
    }
    set_cut(best_share < 1 && most.rows >= kFewestRows ? most : best);
  }

  /// How many rows a table of this cut has in so much height, with a line that counts them.
  std::size_t rows_within(float height) const {
    const auto below = static_cast<float>(cut_.below);
    const float part = (height - kTitleLine - kGap - (below - 1) * kBetweenParts) / below - heading();
    const auto in_part = static_cast<std::size_t>(std::max(0.0F, std::floor(part / row_height())));
    return std::min(request_.rows.size(), in_part * cut_.beside);
  }

  /// From one row on, with the columns from first_column_ on.
  void draw_part(std::size_t first_row) {
    const std::size_t end_column = std::min(request_.columns.size(), first_column_ + columns_in_part());
    const std::size_t end_row = std::min(cut_.rows, first_row + rows_in_part());
    const float right = left_of(end_column);
    text({at_.x + kDotColumn, at_.y + titles() - kTitleLine / 2}, "Head", kCaption, colours_.text_second);
    for (std::size_t number = first_column_; number < end_column; ++number) draw_heading(number);
    line({at_.x, at_.y + heading() - 1}, {right, at_.y + heading() - 1}, colours_.line);
    for (std::size_t row = first_row; row < end_row; ++row)
      draw_row(row, at_.y + heading() + row_height() * static_cast<float>(row - first_row), end_column);
    if (request_.rows.empty())
      text({at_.x + kDotColumn, at_.y + heading() + row_height() / 2}, "No head passes all filters.", kCaption, colours_.text_second);
  }

  void text(Point at, std::string words, LabelStyle style, Colour colour, AlignX align = AlignX::left) {
    scene_.items.emplace_back(SceneText{at, std::move(words), style.face, style.size, colour, align});
  }
  void line(Point from, Point to, Colour colour, float width = 1) { scene_.items.emplace_back(SceneLine{from, to, colour, width}); }
  void fill(const Box& box, Colour colour, float radius = 0) {
    scene_.items.emplace_back(SceneBox{.box = box, .fill = colour, .radius = radius});
  }

  const ColumnSort* sort_of(const HeadColumn& column) const {
    const auto found =
        std::find_if(request_.sorts.begin(), request_.sorts.end(), [&](const ColumnSort& sort) { return sort.column == column.id; });
    return found == request_.sorts.end() ? nullptr : &*found;
  }
  bool is_first_sort(const HeadColumn& column) const { return !request_.sorts.empty() && request_.sorts.front().column == column.id; }

  void draw_heading(std::size_t number) {
    const HeadColumn& column = *request_.columns[number];
    const float right = left_of(number) + cut_.column - inset();
    const ColumnSort* sort = sort_of(column);
    float y = at_.y + titles() - kTitleLine * (static_cast<float>(titles_[number].size()) - 0.5F);
    for (std::size_t row = 0; row < titles_[number].size(); ++row) {
      std::string words = titles_[number][row];
      if (sort != nullptr && row + 1 == titles_[number].size()) words += sort->is_rising ? " ▴" : " ▾";
      const LabelStyle style{sort != nullptr ? FontFace::ui_bold : FontFace::ui, kCaptionSize};
      text({right, y}, std::move(words), style, sort != nullptr ? colours_.text : colours_.text_second, AlignX::right);
      y += kTitleLine;
    }
    const Box bars{left_of(number) + inset(), at_.y + titles() + kGap, inner_width(), kHistogram};
    draw_histogram(column, spreads_[number], bars);
    draw_ends(column, spreads_[number], {bars.x, bars.bottom() + 1, bars.width, ends()});
  }

  /// How the heads are spread over the column; those of the filter in full.
  void draw_histogram(const HeadColumn& column, const ColumnSpread& spread, const Box& box) {
    line({box.x, box.bottom()}, {box.right(), box.bottom()}, colours_.line);
    const int most = *std::max_element(spread.bins.begin(), spread.bins.end());
    const ColumnRange* range = range_of(request_.ranges, column.id);
    std::vector<int> brushed(spread.bins.size(), 0);
    for (const HeadId head : request_.brushed) {
      const double value = column.values.of(head);
      if (std::isfinite(value)) ++brushed[static_cast<std::size_t>(spread.bin_of(value))];
    }
    const float width = box.width / static_cast<float>(ColumnSpread::kBins);
    const auto bar = [&](std::size_t bin, int count, Colour colour) {
      if (count == 0) return;
      const float height = std::max(2.0F, box.height * static_cast<float>(count) / static_cast<float>(most));
      fill({box.x + width * static_cast<float>(bin), box.bottom() - height, width - 1, height}, colour);
    };
    for (std::size_t bin = 0; bin < spread.bins.size(); ++bin) {
      const double middle = spread.low + (spread.high - spread.low) * (static_cast<double>(bin) + 0.5) / ColumnSpread::kBins;
      bar(bin, spread.bins[bin], range == nullptr || range->contains(middle) ? colours_.text_third : colours_.line);
      bar(bin, brushed[bin], colours_.accent);
    }
  }

  /// The filter where there is one, else where the axis begins and ends.
  void draw_ends(const HeadColumn& column, const ColumnSpread& spread, const Box& box) {
    const float y = box.y + std::min(box.height, kEnds) / 2, below = is_narrow() ? y + kTitleLine - 2 : y;
    if (const ColumnRange* range = range_of(request_.ranges, column.id)) {
      text({box.right(), y}, shortened(range_text(*range), box.width, kNumber, measure_), kNumber, colours_.accent, AlignX::right);
      return;
    }
    if (std::isnan(spread.smallest)) return;
    text({box.x, y}, column_number(column, spread.low), kNumber, colours_.text_third);
    text({box.right(), below}, column_number(column, spread.high), kNumber, colours_.text_third, AlignX::right);
  }

  void draw_row(std::size_t row, float top, std::size_t end_column) {
    const HeadId head = request_.rows[row];
    const float middle = top + row_height() / 2;
    if (std::binary_search(request_.brushed.begin(), request_.brushed.end(), head)) {
      Colour ground = colours_.accent;
      ground.alpha = 40;
      fill({at_.x, top, left_of(end_column) - at_.x, row_height()}, ground, 3);
      fill({at_.x + 4, middle - 3, 6, 6}, colours_.accent, 3);
    }
    text({at_.x + kDotColumn, middle}, request_.name(head), kNumber, colours_.text);
    for (std::size_t number = first_column_; number < end_column; ++number) draw_value(number, head, top);
  }

  /// The number at the right, bold where no head has more; a bar under that of the column that sorts.
  void draw_value(std::size_t number, HeadId head, float top) {
    const HeadColumn& column = *request_.columns[number];
    const ColumnSpread& spread = spreads_[number];
    const double value = column.values.of(head);
    const bool is_first = is_best(column, spread, value), is_sorted = is_first_sort(column);
    const float right = left_of(number) + cut_.column - inset();
    const LabelStyle style = is_first ? LabelStyle{FontFace::ui_bold, kCaptionSize} : kNumber;
    text({right, top + row_height() / 2}, column_number(column, value), style, is_first || is_sorted ? colours_.text : colours_.text_second,
         AlignX::right);
    if (!is_sorted || std::isnan(value)) return;
    const float left = left_of(number) + inset(), length = (right - left) * static_cast<float>(bar_of(column, spread, value));
    fill({left, top + row_height() - 3, right - left, 2}, colours_.line);
    if (length >= 1) fill({left, top + row_height() - 3, length, 2}, colours_.accent);
  }

  const HeadTableRequest& request_;
  Point at_;
  const MeasureText& measure_;
  const Palette& colours_;
  std::vector<ColumnSpread> spreads_;
  std::vector<std::vector<std::string>> titles_;
  std::size_t title_rows_ = 1, first_column_ = 0;
  float head_width_ = 0;
  TableCut cut_;
  Scene scene_;
};

}  // namespace

Point head_table_size(const HeadTableRequest& request, const MeasureText& measure) {
  return HeadTableDrawing(request, {}, measure).size();
}

Scene make_head_table(const HeadTableRequest& request, Point at, const MeasureText& measure) {
  return HeadTableDrawing(request, at, measure).draw();
}

}  // namespace headlight
