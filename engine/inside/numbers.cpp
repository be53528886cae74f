#include "engine/inside/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/enumeration.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

/// What there is to know of a kind of number without looking at one.
struct ValueRow {
  InsideValue what;
  std::string_view name;
  InsideStep step;
  bool is_of_key = false, is_of_vector = false;
};
constexpr std::array<ValueRow, 21> kValues{{
    {InsideValue::x, "x", InsideStep::query, false, true},
    {InsideValue::query_plain, "x · W_Q", InsideStep::query, false, true},
    {InsideValue::query, "q", InsideStep::query, false, true},
    {InsideValue::key, "k", InsideStep::keys, true, true},
    {InsideValue::term, "q · k", InsideStep::products, true, true},
    {InsideValue::score, "score", InsideStep::products, true, false},
    {InsideValue::scaled, "scaled score", InsideStep::scale, true, false},
    {InsideValue::capped, "capped score", InsideStep::scale, true, false},
    {InsideValue::bias, "position bias", InsideStep::scale, true, false},
    {InsideValue::final_score, "final score", InsideStep::scale, true, false},
    {InsideValue::mask, "mask", InsideStep::mask, true, false},
    {InsideValue::difference, "score − max", InsideStep::softmax, true, false},
    {InsideValue::exp, "exp", InsideStep::softmax, true, false},
    {InsideValue::weight, "weight", InsideStep::softmax, true, false},
    {InsideValue::value, "v", InsideStep::values, true, true},
    {InsideValue::weighted, "weight · v", InsideStep::values, true, true},
    {InsideValue::z, "z", InsideStep::values, false, true},
    {InsideValue::all_z, "z of all heads", InsideStep::output, false, true},
    {InsideValue::output, "z · W_O", InsideStep::output, false, true},
    {InsideValue::stream, "stream", InsideStep::output, false, true},
    {InsideValue::sum, "sum", InsideStep::output, false, true},
}};
static_assert(has_row_of_each(kValues, &ValueRow::what));

const ValueRow& row_of(InsideValue what) {
  return kValues[static_cast<std::size_t>(what)];
}

std::string weight(float value) {
  return weight_text(static_cast<double>(value), 4);
}

/// The numbers that another is made of, in their order.
class Parts {
 public:
  explicit Parts(const Inside& inside) : inside_(inside) {}
  std::vector<InsidePart> of(const InsideNumber& number);

 private:
  void add(std::string label, std::string number, PartRole role = PartRole::plain) {
    parts_.push_back({std::move(label), std::move(number), role});
  }
  void add_value(const InsideNumber& number, PartRole role = PartRole::plain) {
    const bool is_share = number.what == InsideValue::weight || number.what == InsideValue::exp;
    const float value = value_of(inside_, number);
    add(name_of(number), is_share ? weight(value) : score_text(value), role);
  }
  void add_turning(Index place, Index position, float partner, std::string_view letter);
  void add_query(Index place);
  void add_key(const InsideNumber& number);
  void add_score(Index key);
  void add_final(Index key);
  void add_softmax(const InsideNumber& number);
  void add_largest(std::vector<std::pair<float, std::string>> numbers, float whole, std::string_view rest);
  void add_z(Index place);
  void add_output(const InsideNumber& number);

  const Inside& inside_;
  std::vector<InsidePart> parts_;
};

/// The number that it is turned with, and by which angle.
void Parts::add_turning(Index place, Index position, float partner, std::string_view letter) {
  const std::optional<Index> other = inside_.turning.partner(place);
  if (!other) return;
  const double angle = static_cast<double>(position) * static_cast<double>(inside_.turning.frequencies[inside_.turning.pair(place)]);
  add(fmt::format("{} {} before turning", letter, *other), score_text(partner));
  add(fmt::format("angle at position {}", position), fmt::format("{} rad", number_text(angle, 3)));
}

void Parts::add_query(Index place) {
  const InsideQuery& asking = inside_.asking;
  const bool has_bias = asking.b_q.size() > 0;
  if (has_bias) {
    const RowVector sums = asking.sums(place);
    add(fmt::format("x · column {} of W_Q", place), score_text(sums[sums.size() - 1]));
    add("bias", score_text(asking.b_q[place]));
  }
  add(fmt::format("{}q {} before positions", has_bias ? "" : "x · W_Q, ", place), score_text(asking.plain[place]));
  if (asking.normed.size() > 0) add("after the norm of q", score_text(asking.normed[place]));
  const RowVector& unturned = asking.normed.size() > 0 ? asking.normed : asking.plain;
  if (const auto partner = inside_.turning.partner(place)) add_turning(place, inside_.query, unturned[*partner], "q");
}

void Parts::add_key(const InsideNumber& number) {
  const bool is_turned = inside_.turning.partner(number.place).has_value();
  add(fmt::format("x · W_K, k {}{}", number.place, is_turned ? " before positions" : ""),
      score_text(inside_.plain_keys(number.key, number.place)));
  if (const auto partner = inside_.turning.partner(number.place))
    add_turning(number.place, number.key, inside_.plain_keys(number.key, *partner), "k");
}

/// The largest of some numbers, and all others as one sum.
void Parts::add_largest(std::vector<std::pair<float, std::string>> numbers, float whole, std::string_view rest) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min(kShown, numbers.size());
  const std::size_t left = numbers.size() - shown;
  std::stable_sort(numbers.begin(), numbers.end(), [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  double listed = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    listed += static_cast<double>(numbers[i].first);
    add(std::move(numbers[i].second), score_text(numbers[i].first));
  }
  if (left > 0) add(fmt::format("{} other {}", left, rest), score_text(static_cast<float>(static_cast<double>(whole) - listed)));
}

void Parts::add_score(Index key) {
  std::vector<std::pair<float, std::string>> terms;
  for (Index at = 0; at < inside_.d_head(); ++at) terms.emplace_back(inside_.terms(key, at), fmt::format("q · k, place {}", at));
  const float rest = inside_.rest.size() > 0 ? inside_.rest[key] : 0;
  add_largest(std::move(terms), inside_.row.scores[key] - rest, "products");
  if (inside_.rest.size() > 0) add("from the distance", score_text(rest));
}

void Parts::add_final(Index key) {
  const InsideRow& row = inside_.row;
  add("scaled score", score_text(row.scaled[key]));
  if (row.capped.size() > 0) add(fmt::format("soft-cap {:g}", inside_.softcap), score_text(row.capped[key]));
  if (row.bias.size() > 0) add("position bias", score_text(row.bias[key]));
}

void Parts::add_softmax(const InsideNumber& number) {
  const InsideRow& row = inside_.row;
  const bool has_steps = row.capped.size() > 0 || row.bias.size() > 0;
  add(has_steps ? "final score" : "scaled score", score_text(row.finals[number.key]));
  add(row.sink && row.largest == row.sink->score ? "largest: the sink" : "largest of the row", score_text(row.largest));
  if (number.what == InsideValue::difference) return;
  add("difference", score_text(row.differences[number.key]));
  if (number.what == InsideValue::exp) return;
  add("exp", weight(row.exps[number.key]));
  add(fmt::format("Σ of {} keys{}", row.allowed, row.sink ? " and the sink" : ""), weight(row.sum));
}

void Parts::add_z(Index place) {
  std::vector<std::pair<float, std::string>> shares;
  for (const Index key : inside_.by_weight) shares.emplace_back(inside_.weighted(key, place), fmt::format("weight · v of key {}", key));
  add_largest(std::move(shares), inside_.z[place], "keys");
}

void Parts::add_output(const InsideNumber& number) {
  const InsideOutput& output = inside_.output;
  const Index at = number.place;
  if (number.what == InsideValue::sum) {
    if (output.stream.size() > 0) add("stream before", score_text(output.stream[at]));
    add(output.has_norm_between ? "z · W_O, before a norm" : "z · W_O", score_text(output.output[at]));
    return;
  }
  const float bias = output.b_o.size() > 0 ? output.b_o[at] : 0;
  add(fmt::format("head {}", inside_.head.head), score_text(output.own_part[at]), PartRole::value);
  add(fmt::format("the other {} heads", inside_.heads - 1), score_text(output.output[at] - output.own_part[at] - bias));
  if (output.b_o.size() > 0) add("bias", score_text(bias));
}

std::vector<InsidePart> Parts::of(const InsideNumber& number) {
  const Index key = number.key, at = number.place;
  switch (number.what) {
    case InsideValue::x:
    case InsideValue::stream:
    case InsideValue::all_z:
      break;
    case InsideValue::query_plain:
    case InsideValue::query:
      add_query(at);
      break;
    case InsideValue::key:
      add_key(number);
      break;
    case InsideValue::term:
      add(fmt::format("q {}", at), score_text(inside_.asking.q[at]), PartRole::query);
      add(fmt::format("k {}", at), score_text(inside_.k(key, at)), PartRole::key);
      break;
    case InsideValue::score:
      add_score(key);
      break;
    case InsideValue::scaled:
      add("score", score_text(inside_.row.scores[key]));
      add("factor", fmt::format("{:.4g}", inside_.factor));
      break;
    case InsideValue::capped:
    case InsideValue::final_score:
    case InsideValue::mask:
      add_final(key);
      break;
    case InsideValue::bias:
      add("distance", std::to_string(inside_.query - key));
      break;
    case InsideValue::difference:
    case InsideValue::exp:
    case InsideValue::weight:
      add_softmax(number);
      break;
    case InsideValue::value:
      add("read from", "x · W_V");
      break;
    case InsideValue::weighted:
      add("weight", weight(inside_.row.weights[key]));
      add(fmt::format("v {}", at), score_text(inside_.v(key, at)), PartRole::value);
      break;
    case InsideValue::z:
      add_z(at);
      break;
    case InsideValue::output:
    case InsideValue::sum:
      add_output(number);
      break;
  }
  if (number.what == InsideValue::mask) {
    add("may attend", value_of(inside_, number) > 0 ? "yes" : "no: −∞", PartRole::result);
  } else {
    add_value(number, PartRole::result);
  }
  return std::move(parts_);
}

}  // namespace

InsideStep step_of(InsideValue what) {
  return row_of(what).step;
}

bool is_of_key(InsideValue what) {
  return row_of(what).is_of_key;
}

bool is_of_vector(InsideValue what) {
  return row_of(what).is_of_vector;
}

Index places_of(const Inside& inside, InsideValue what) {
  switch (what) {
    case InsideValue::x:
      return inside.asking.x.size();
    case InsideValue::query_plain:
    case InsideValue::query:
    case InsideValue::key:
    case InsideValue::term:
      return inside.d_head();
    case InsideValue::value:
    case InsideValue::weighted:
    case InsideValue::z:
      return inside.d_value();
    case InsideValue::all_z:
      return inside.output.z.size();
    case InsideValue::output:
      return inside.output.output.size();
    case InsideValue::stream:
      return inside.output.stream.size();
    case InsideValue::sum:
      return inside.output.sum.size();
    case InsideValue::capped:
      return inside.row.capped.size() > 0 ? 1 : 0;
    case InsideValue::bias:
      return inside.row.bias.size() > 0 ? 1 : 0;
    default:
      return 1;
  }
}

bool has_number(const Inside& inside, const InsideNumber& number) {
  const bool has_key = !is_of_key(number.what) || (number.key >= 0 && number.key < inside.keys());
  return has_key && number.place >= 0 && number.place < places_of(inside, number.what);
}

float value_of(const Inside& inside, const InsideNumber& number) {
  const InsideRow& row = inside.row;
  const Index key = number.key, at = number.place;
  switch (number.what) {
    case InsideValue::x:
      return inside.asking.x[at];
    case InsideValue::query_plain:
      return inside.asking.plain[at];
    case InsideValue::query:
      return inside.asking.q[at];
    case InsideValue::key:
      return inside.k(key, at);
    case InsideValue::term:
      return inside.terms(key, at);
    case InsideValue::score:
      return row.scores[key];
    case InsideValue::scaled:
      return row.scaled[key];
    case InsideValue::capped:
      return row.capped[key];
    case InsideValue::bias:
      return row.bias[key];
    case InsideValue::final_score:
      return row.finals[key];
    case InsideValue::mask:
      return row.is_allowed[static_cast<std::size_t>(key)] ? 1 : 0;
    case InsideValue::difference:
      return row.differences[key];
    case InsideValue::exp:
      return row.exps[key];
    case InsideValue::weight:
      return row.weights[key];
    case InsideValue::value:
      return inside.v(key, at);
    case InsideValue::weighted:
      return inside.weighted(key, at);
    case InsideValue::z:
      return inside.z[at];
    case InsideValue::all_z:
      return inside.output.z[at];
    case InsideValue::output:
      return inside.output.output[at];
    case InsideValue::stream:
      return inside.output.stream[at];
    case InsideValue::sum:
      return inside.output.sum[at];
  }
  return 0;
}

std::string_view title_of(InsideValue what) {
  return row_of(what).name;
}

std::string name_of(const InsideNumber& number) {
  const std::string name(row_of(number.what).name);
  return is_of_vector(number.what) ? fmt::format("{}, place {}", name, number.place) : name;
}

std::vector<InsidePart> parts_of(const Inside& inside, const InsideNumber& number) {
  return Parts(inside).of(number);
}

std::string score_text(float value) {
  if (value == -INFINITY) return "−∞";
  if (value == INFINITY) return "∞";
  const float size = std::abs(value);
  return number_text(static_cast<double>(value), size >= 100 ? 1 : size >= 9.995F ? 2 : 3);
}

std::string cell_text(float value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "–" : value > 0 ? "∞" : "−∞";
  const float size = std::abs(value);
  if (size < 0.005F) return "0";
  const std::string sign = value < 0 ? "−" : "";
  if (size < 0.995F) return sign + fmt::format("{:.2f}", size).substr(1);
  const bool has_room = value > 0;
  if (size < 9.95F) return sign + fmt::format("{:.{}f}", size, has_room && size < 9.995F ? 2 : 1);
  if (size < 99.5F) return sign + fmt::format("{:.{}f}", size, has_room ? 1 : 0);
  if (size < (has_room ? 9999.5F : 999.5F)) return sign + fmt::format("{:.0f}", size);
  return sign + fmt::format("{:.0e}", size);
}

}  // namespace headlight
