// Where z goes: its slot among the heads under the rows; and the steps that take the whole area.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/inside/ledger.h"

namespace headlight {
namespace {

constexpr float kText = 11;
constexpr float kLeastNumberRow = 13;  // of a column, so that its numbers can be read

CellWindow part_of(const InsidePictures::Picture& picture, float rows) {
  return {0, rows, 0, static_cast<float>(picture->columns())};
}

/// Draws a ProductFigure.
class ProductDrawing {
 public:
  ProductDrawing(LedgerPen& pen, const Inside& inside, const ProductFigure& figure, const Box& area)
      : pen_(pen), inside_(inside), figure_(figure), area_(area) {}

  /// Returns where the matrix is.
  Box draw() {
    const float names = 44;
    const float columns = kColumn * static_cast<float>(figure_.columns.size());
    const Box vector{area_.x + names, area_.y + 22, std::max(40.0F, area_.width - names - columns - 8), 20};
    const Box matrix{vector.x, vector.bottom() + 10, vector.width, std::max(20.0F, area_.bottom() - vector.bottom() - 10)};
    const Palette& colours = pen_.colours();
    pen_.cells(LedgerLayer::front, figure_.vector, part_of(figure_.vector, 1), vector, pen_.scale(farthest_of(figure_.vector)));
    pen_.frame({vector.x - 1, vector.y - 1, vector.width + 2, vector.height + 2}, figure_.vector_colour, 1, 2);
    pen_.spot(vector, figure_.vector_number, figure_.vector->columns());
    pen_.text({vector.x - 8, vector.y + vector.height / 2}, figure_.vector_name, figure_.vector_colour, {12, FontFace::ui, AlignX::right});
    if (figure_.matrix) draw_matrix(matrix);
    pen_.text({matrix.x - 8, matrix.y + matrix.height / 2}, figure_.matrix_name, colours.text_second, {12, FontFace::ui, AlignX::right});
    float left = matrix.right() + 20;
    for (const ProductFigure::Column& column : figure_.columns) {
      draw_column(column, {left, matrix.y, kColumn - 16, matrix.height});
      left += kColumn;
    }
    return matrix;
  }

  static constexpr float kColumn = 72;

 private:
  void draw_matrix(const Box& box) {
    const auto rows = static_cast<float>(figure_.matrix->rows());
    const float filled = std::ceil(figure_.share * rows);
    pen_.frame({box.x - 1, box.y - 1, box.width + 2, box.height + 2}, pen_.colours().line, 1, 1);
    if (filled > 0)
      pen_.cells(LedgerLayer::front, figure_.matrix, part_of(figure_.matrix, filled), {box.x, box.y, box.width, box.height * filled / rows},
                 pen_.scale(farthest_of(figure_.matrix)));
    if (filled > 0 && filled < rows) {  // the row that is being summed
      const float height = std::max(2.0F, box.height / rows);
      pen_.frame({box.x - 2, box.y + box.height * (filled - 1) / rows, box.width + 4, height}, pen_.colours().accent, 1.5F, 1);
    }
    if (!figure_.framed) return;
    const auto columns = static_cast<float>(figure_.matrix->columns());
    const float left = box.x + box.width * figure_.framed->column_begin / columns;
    const float width = box.width * (figure_.framed->column_end - figure_.framed->column_begin) / columns;
    pen_.frame({left - 1, box.y - 32, width + 2, box.height + 34}, pen_.colours().value, 1.5F, 2);
  }

  void draw_column(const ProductFigure::Column& column, const Box& box) {
    if (!column.numbers) return;
    pen_.text({box.x + box.width / 2, area_.y + 32}, column.name, column.colour, {kText, FontFace::ui, AlignX::centre}, kColumn - 4);
    const Index count = column.numbers->rows();
    const auto filled = static_cast<Index>(std::ceil(column.share * static_cast<float>(count)));
    const float row = box.height / static_cast<float>(count);
    if (filled < count) pen_.dashes(box);
    if (filled <= 0) return;
    const ColourScale scale = pen_.scale(farthest_of(column.numbers));
    pen_.cells(LedgerLayer::front, column.numbers, {0, static_cast<float>(filled), 0, 1},
               {box.x, box.y, box.width, row * static_cast<float>(filled)}, scale);
    pen_.spot(box, column.number, count, true);
    for (Index at = 0; row >= kLeastNumberRow && at < filled; ++at) {
      InsideNumber number = column.number;
      number.place = at;
      pen_.digits({box.x, box.y + row * static_cast<float>(at), box.width, row}, value_of(inside_, number), scale);
    }
  }

  LedgerPen& pen_;
  const Inside& inside_;
  const ProductFigure& figure_;
  const Box area_;
};

}  // namespace

void Ledger::draw_output_line() {
  const Palette& colours = pen_.colours();
  const LedgerGroup& tokens = group(InsideStep::query);
  const float labels = lines_.output + 26, top = labels + 14, height = 24;
  const float left = tokens.right() + 24, right = area_.right();
  const float output = std::min(124.0F, (right - left) / 4), w_o = 56;
  const float pitch = std::min(88.0F, (right - left - output - w_o) / static_cast<float>(std::max(1, inside_.heads)));
  const float slot = pitch - std::min(4.0F, pitch * 0.15F);
  pen_.text({tokens.left, top + height / 2}, "8", colours.text_third, {12});
  pen_.text({tokens.left + 14, top + height / 2}, "Output", colours.text_second, {12});
  const auto label_every = std::max<int>(1, static_cast<int>(std::ceil(30 / pitch)));
  for (int head = 0; head < inside_.heads; ++head) {
    const Box box{left + pitch * static_cast<float>(head), top, slot, height};
    const bool is_own = head == inside_.head.head;
    if (is_own || (head % label_every == 0 && std::abs(head - inside_.head.head) >= label_every)) {
      const std::string name = fmt::format("{}.{}", request_.head_name.substr(0, request_.head_name.find('.')), head);
      pen_.text({box.x + slot / 2, labels}, name, is_own ? colours.value : colours.text_third, {kText, FontFace::mono, AlignX::centre});
    }
    if (!is_own) {
      pen_.dashes(box);
      continue;
    }
    if (moment_.step == InsideStep::values && moment_.progress >= 1)
      pen_.cells(LedgerLayer::front, pictures_.z, part_of(pictures_.z, 1), {box.x + 2, box.y + 2, box.width - 4, box.height - 4},
                 value_scale_);
    pen_.frame(box, colours.value, 1.5F, 2);
    if (is_shown(InsideStep::values)) {  // z drops into its slot
      const LedgerGroup& values = group(InsideStep::values);
      const float from = values.right() - 40, y = lines_.output + 10;
      pen_.dashed_line({from, lines_.sums + kSumRow - 4}, {from, y});
      pen_.dashed_line({box.x + slot / 2, y}, {from, y});
      pen_.dashed_line({box.x + slot / 2, y}, {box.x + slot / 2, labels - 8});
    }
  }
  const float after = left + pitch * static_cast<float>(inside_.heads);
  pen_.text({after + w_o / 2, top + height / 2}, "W_O →", colours.text_second, {kText, FontFace::ui, AlignX::centre});
  pen_.dashes({after + w_o, top, output - 4, height});
  const std::string sizes = inside_.heads == 1 ? fmt::format("z, {} numbers", inside_.d_value())
                                               : fmt::format("z of the {} heads, side by side: {} × {} = {}", inside_.heads, inside_.heads,
                                                             inside_.d_value(), inside_.heads * inside_.d_value());
  const std::string short_sizes = fmt::format("z: {} × {}", inside_.heads, inside_.d_value());
  const float room = right - after - w_o;
  pen_.text({left, top + height + 15}, pen_.fitting(sizes, short_sizes, after - left, kText), colours.text_second, {kText}, after - left);
  pen_.text({after + w_o, top + height + 15}, pen_.fitting("added to the stream", "the stream", room, kText), colours.text_second, {kText},
            room);
  pen_.spot({tokens.left, top - 4, tokens.width, height + 8}, InsideStep::output);
}

float Ledger::draw_whole_heading(int number, const std::string& title, float beside, const std::string& words) {
  constexpr float kLine = 16;
  const Palette& colours = pen_.colours();
  const float room = area_.width - beside;
  pen_.text({area_.x, area_.y + 8}, std::to_string(number), colours.accent, {12});
  pen_.text({area_.x + 14, area_.y + 8}, title, colours.text, {14, FontFace::ui_bold});
  const std::vector<std::string> lines = request_.is_printed ? pen_.lines(words, room) : std::vector<std::string>{words};
  for (std::size_t line = 0; line < lines.size(); ++line)
    pen_.text({area_.x + beside, area_.y + 9 + kLine * static_cast<float>(line)}, lines[line], colours.text_second, {kText}, room);
  return lines.empty() ? 0 : kLine * static_cast<float>(lines.size() - 1);
}

void Ledger::draw_whole_query() {
  const Palette& colours = pen_.colours();
  const InsideQuery& asking = inside_.asking;
  const auto d_head = static_cast<float>(inside_.d_head());
  const float share = part(InsideStep::query, 0, 1);
  const bool changes = asking.q != asking.plain;
  ProductFigure product{.vector = pictures_.x,
                        .matrix = pictures_.w_q,
                        .vector_number = {InsideValue::x},
                        .vector_name = "x",
                        .matrix_name = "W_Q",
                        .vector_colour = colours.query,
                        .share = share};
  product.columns.push_back(
      {asking.b_q.size() > 0 ? "x W_Q + b" : "x W_Q", pictures_.plain_column, {InsideValue::query_plain}, colours.text_second, share});
  if (changes) {
    const std::string how = inside_.turning.is_empty() ? "q, normed" : fmt::format("q, turned {}", inside_.query);
    product.columns.push_back({how, pictures_.q_column, {InsideValue::query}, colours.query, share >= 1 ? 1.0F : 0.0F});
  }
  const bool has_line = area_.height >= 260;
  const float line = has_line ? 92.0F : 0.0F;
  const float moved = draw_whole_heading(1, "Query", 70,
                                         fmt::format("{} {}: the stream at its place, {} numbers{}", query_name(), inside_.query,
                                                     asking.x.size(), inside_.output.is_normed_after ? "" : ", normalised"));
  const Box area{area_.x, area_.y + 18 + moved, area_.width, std::min(area_.height - 26 - line - moved, 60 + 36 * d_head)};
  const Box matrix = ProductDrawing(pen_, inside_, product, area).draw();
  if (has_line) draw_query_sums(matrix, share);
}

/// The running sum of the number that is being made; in the end of the ringed one, else of the last.
void Ledger::draw_query_sums(const Box& matrix, float share) {
  const Palette& colours = pen_.colours();
  const InsideQuery& asking = inside_.asking;
  const float exact = share * static_cast<float>(inside_.d_head());
  Index place = std::clamp<Index>(static_cast<Index>(std::ceil(exact)) - 1, 0, inside_.d_head() - 1);
  float drawn = share >= 1 ? 1 : exact - static_cast<float>(place);
  if (request_.ringed && share >= 1 && step_of(request_.ringed->what) == InsideStep::query && request_.ringed->what != InsideValue::x) {
    place = std::min(request_.ringed->place, inside_.d_head() - 1);
  }
  const RowVector sums = asking.sums(place);
  const float low = std::min(0.0F, sums.minCoeff()), high = std::max(0.0F, sums.maxCoeff());
  const float top = matrix.bottom() + 16, height = 56;
  const Index points = std::min<Index>(sums.size(), 256);
  const auto at = [&](Index number) {
    const Index index = number * (sums.size() - 1) / std::max<Index>(1, points - 1);
    const float level = high > low ? (sums[index] - low) / (high - low) : 0;
    return Point{matrix.x + matrix.width * (static_cast<float>(index) + 0.5F) / static_cast<float>(sums.size()),
                 top + height * (1 - level)};
  };
  const float zero = top + height * (1 - (high > low ? (0 - low) / (high - low) : 0));
  pen_.line({matrix.x, zero}, {matrix.right(), zero}, colours.line);
  const auto end = static_cast<Index>(std::ceil(std::clamp(drawn, 0.0F, 1.0F) * static_cast<float>(points)));
  for (Index number = 1; number < end; ++number) pen_.line(at(number - 1), at(number), colours.accent, 1.5F);
  pen_.text({matrix.x - 8, top + height / 2}, "Σ x·w", colours.text_second, {kText, FontFace::ui, AlignX::right});
  if (drawn < 1) return;
  // "0.427", or with the bias below it "+ 0.897 = 1.324"
  const float left = matrix.right() + 10, level = std::min(at(points - 1).y, top + height - 8);
  pen_.text({left, level}, score_text(sums[sums.size() - 1]), colours.text, {kText, FontFace::mono});
  if (asking.b_q.size() == 0) return;
  const float bias = asking.b_q[place];
  const std::string added = fmt::format("{} {} = {}", bias < 0 ? "−" : "+", score_text(std::abs(bias)), score_text(asking.plain[place]));
  pen_.text({left, level + 15}, added, colours.text, {kText, FontFace::mono}, area_.right() - left);
}

void Ledger::draw_whole_output() {
  const Palette& colours = pen_.colours();
  const InsideOutput& output = inside_.output;
  const float share = part(InsideStep::output, 0, 1);
  const float first = std::min(1.0F, share * 4 / 3);  // then the stream is added
  const auto d_value = static_cast<float>(inside_.d_value());
  const bool is_of_head = pictures_.is_w_o_of_head;
  ProductFigure product{.vector = is_of_head ? pictures_.z : pictures_.all_z,
                        .matrix = pictures_.w_o,
                        .vector_number = {is_of_head ? InsideValue::z : InsideValue::all_z},
                        .vector_name = "z",
                        .matrix_name = pictures_.w_o ? "W_O" : "",
                        .vector_colour = colours.value,
                        .share = first};
  if (!is_of_head)
    product.framed = CellWindow{0, 1, d_value * static_cast<float>(inside_.head.head), d_value * static_cast<float>(inside_.head.head + 1)};
  product.columns.push_back({output.b_o.size() > 0 ? "z W_O + b"
                             : pictures_.w_o       ? "z W_O"
                                                   : "z",
                             pictures_.output,
                             {InsideValue::output},
                             colours.text_second,
                             first});
  if (pictures_.stream) {
    product.columns.push_back({"stream", pictures_.stream, {InsideValue::stream}, colours.text_second, 1});
    product.columns.push_back({"sum", pictures_.sum, {InsideValue::sum}, colours.text_second, share >= 1 ? 1.0F : 0.0F});
  }
  std::string words = is_of_head ? fmt::format("the z of head {}, through its rows of W_O", request_.head_name)
                                 : "the z of all heads, side by side, through W_O, added to the residual stream";
  if (!pictures_.w_o) words = "the z of all heads, side by side: this model has no output projection";
  if (output.has_norm_between) words += ", with a norm before it is added";
  if (output.is_normed_after) words += ", which is normalised afterwards";
  const float moved = draw_whole_heading(8, "Output", 76, words);
  const float foot = area_.height >= 260 ? 44 : 10;
  const Box area{area_.x, area_.y + 36 + moved, area_.width, area_.height - 36 - foot - moved};
  const Box matrix = ProductDrawing(pen_, inside_, product, area).draw();
  const float names = area.y + 10;
  const float block = is_of_head ? matrix.width : matrix.width / static_cast<float>(std::max(1, inside_.heads));
  const auto every = std::max<int>(1, static_cast<int>(std::ceil(30 / block)));
  const std::string layer = request_.head_name.substr(0, request_.head_name.find('.'));
  for (int head = 0; head < (is_of_head ? 1 : inside_.heads); ++head) {
    const int number = is_of_head ? inside_.head.head : head;
    const bool is_own = number == inside_.head.head;
    if (!is_own && (head % every != 0 || std::abs(head - inside_.head.head) < every)) continue;
    pen_.text({matrix.x + block * (static_cast<float>(head) + 0.5F), names}, fmt::format("{}.{}", layer, number),
              is_own ? colours.value : colours.text_third, {kText, FontFace::mono, AlignX::centre});
  }
  if (area_.height < 260) return;
  const std::string mixes = fmt::format("W_O mixes all heads into each of {} numbers; the framed columns are what {} alone adds.",
                                        output.output.size(), request_.head_name);
  if (!pictures_.w_o) return;
  const float room = area_.right() - matrix.x;
  float y = matrix.bottom() + 18;
  for (const std::string& line : request_.is_printed ? pen_.lines(mixes, room) : std::vector<std::string>{mixes}) {
    pen_.text({matrix.x, y}, line, colours.text_second, {kText}, room);
    y += 16;
  }
}

}  // namespace headlight
