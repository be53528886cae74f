#include "engine/figure/heads/head_table.h"

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_parts.h"
#include "engine/measures/columns/column_spread.h"

namespace headlight {
namespace {

constexpr float kColumn = 96, kBesideHead = 16, kDotColumn = 14, kTableRow = 20;
constexpr float kTitleLine = 16, kHistogram = 28, kEnds = 18, kGap = 4, kInset = 8;
constexpr LabelStyle kCaption{FontFace::ui, kCaptionSize}, kNumber{FontFace::mono, kCaptionSize};

/// A title on one line or two.
std::vector<std::string> title_lines(const std::string& title, float width, const MeasureText& measure) {
  return wrapped(title, width, 2, kCaption, measure);
}

class HeadTableDrawing {
 public:
  HeadTableDrawing(const HeadTableRequest& request, Point at, const MeasureText& measure)
      : request_(request), at_(at), measure_(measure), colours_(palette(request.theme)) {
    for (const HeadId head : request.all) head_width_ = std::max(head_width_, measure(request.name(head), kNumber.face, kNumber.size));
    head_width_ = std::ceil(head_width_) + kDotColumn + kBesideHead;
    for (const auto& column : request.columns) {
      spreads_.push_back(spread_of(*column, request.all));
      titles_.push_back(title_lines(column->title, kColumn - 2 * kInset, measure));
      title_rows_ = std::max(title_rows_, titles_.back().size());
    }
  }

  Point size() const {
    return {head_width_ + kColumn * static_cast<float>(request_.columns.size()),
            heading() + kTableRow * static_cast<float>(std::max<std::size_t>(1, request_.rows.size()))};
  }

  Scene draw() {
    text({at_.x + kDotColumn, at_.y + titles() - kTitleLine / 2}, "Head", kCaption, colours_.text_second);
    for (std::size_t number = 0; number < request_.columns.size(); ++number) draw_heading(number);
    line({at_.x, at_.y + heading() - 1}, {at_.x + size().x, at_.y + heading() - 1}, colours_.line);
    for (std::size_t row = 0; row < request_.rows.size(); ++row) draw_row(row);
    if (request_.rows.empty())
      text({at_.x + kDotColumn, at_.y + heading() + kTableRow / 2}, "No head passes all filters.", kCaption, colours_.text_second);
    return std::move(scene_);
  }

 private:
  float titles() const { return kTitleLine * static_cast<float>(title_rows_); }
  float heading() const { return titles() + kGap + kHistogram + kEnds + kGap; }
  float left_of(std::size_t column) const { return at_.x + head_width_ + kColumn * static_cast<float>(column); }

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
    const float right = left_of(number) + kColumn - kInset;
    const ColumnSort* sort = sort_of(column);
    float y = at_.y + titles() - kTitleLine * (static_cast<float>(titles_[number].size()) - 0.5F);
    for (std::size_t row = 0; row < titles_[number].size(); ++row) {
      std::string words = titles_[number][row];
      if (sort != nullptr && row + 1 == titles_[number].size()) words += sort->is_rising ? " ▴" : " ▾";
      const LabelStyle style{sort != nullptr ? FontFace::ui_bold : FontFace::ui, kCaptionSize};
      text({right, y}, std::move(words), style, sort != nullptr ? colours_.text : colours_.text_second, AlignX::right);
      y += kTitleLine;
    }
    const Box bars{left_of(number) + kInset, at_.y + titles() + kGap, kColumn - 2 * kInset, kHistogram};
    draw_histogram(column, spreads_[number], bars);
    draw_ends(column, spreads_[number], {bars.x, bars.bottom() + 1, bars.width, kEnds});
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
    const float y = box.y + box.height / 2;
    if (const ColumnRange* range = range_of(request_.ranges, column.id)) {
      text({box.right(), y}, shortened(range_text(*range), box.width, kNumber, measure_), kNumber, colours_.accent, AlignX::right);
      return;
    }
    if (std::isnan(spread.smallest)) return;
    text({box.x, y}, column_number(column, spread.low), kNumber, colours_.text_third);
    text({box.right(), y}, column_number(column, spread.high), kNumber, colours_.text_third, AlignX::right);
  }

  void draw_row(std::size_t row) {
    const HeadId head = request_.rows[row];
    const float top = at_.y + heading() + kTableRow * static_cast<float>(row), middle = top + kTableRow / 2;
    if (std::binary_search(request_.brushed.begin(), request_.brushed.end(), head)) {
      Colour ground = colours_.accent;
      ground.alpha = 40;
      fill({at_.x, top, size().x, kTableRow}, ground, 3);
      fill({at_.x + 4, middle - 3, 6, 6}, colours_.accent, 3);
    }
    text({at_.x + kDotColumn, middle}, request_.name(head), kNumber, colours_.text);
    for (std::size_t number = 0; number < request_.columns.size(); ++number) draw_value(number, head, top);
  }

  /// The number at the right, bold where no head has more; a bar under that of the column that sorts.
  void draw_value(std::size_t number, HeadId head, float top) {
    const HeadColumn& column = *request_.columns[number];
    const ColumnSpread& spread = spreads_[number];
    const double value = column.values.of(head);
    const bool is_best = value == spread.largest && spread.largest > spread.smallest, is_sorted = is_first_sort(column);
    const float right = left_of(number) + kColumn - kInset;
    const LabelStyle style = is_best ? LabelStyle{FontFace::ui_bold, kCaptionSize} : kNumber;
    text({right, top + kTableRow / 2}, column_number(column, value), style, is_best || is_sorted ? colours_.text : colours_.text_second,
         AlignX::right);
    if (!is_sorted || std::isnan(value)) return;
    const float left = left_of(number) + kInset, length = (right - left) * static_cast<float>(spread.place(value));
    fill({left, top + kTableRow - 3, right - left, 2}, colours_.line);
    if (length >= 1) fill({left, top + kTableRow - 3, length, 2}, colours_.accent);
  }

  const HeadTableRequest& request_;
  Point at_;
  const MeasureText& measure_;
  const Palette& colours_;
  std::vector<ColumnSpread> spreads_;
  std::vector<std::vector<std::string>> titles_;
  std::size_t title_rows_ = 1;
  float head_width_ = 0;
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
