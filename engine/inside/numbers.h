// Any number of the computation by its place, and the numbers that it is made of: what a person sees who points at it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/inside/inside.h"
#include "engine/inside/steps.h"

namespace headlight {

enum class InsideValue : std::uint8_t {
  x,
  query_plain,
  query,
  key,
  term,
  score,
  scaled,
  capped,
  bias,
  final_score,
  mask,
  difference,
  exp,
  weight,
  value,
  weighted,
  z,
  all_z,
  output,
  stream,
  sum
};

struct InsideNumber {
  InsideValue what = InsideValue::weight;
  Index key = 0;    ///< for numbers of a key
  Index place = 0;  ///< within a vector
  bool operator==(const InsideNumber&) const = default;
};

/// The step that makes it.
InsideStep step_of(InsideValue what);
/// One number for each key, or a vector for each.
bool is_of_key(InsideValue what);
bool is_of_vector(InsideValue what);
/// How many places its vector has; 1 where it is a single number.
Index places_of(const Inside& inside, InsideValue what);
/// Whether the head has it: no soft-cap, no number after it; and its key and place exist.
bool has_number(const Inside& inside, const InsideNumber& number);

/// mask: 1 or 0.
float value_of(const Inside& inside, const InsideNumber& number);

/// "q · k", "weight": what all numbers of a kind are called.
std::string_view title_of(InsideValue what);
/// "k, place 5", "weight": what a number is called; the place counts from 0.
std::string name_of(const InsideNumber& number);

enum class PartRole : std::uint8_t { plain, query, key, value, result };
/// A number that goes into another, or that comes out.
struct InsidePart {
  std::string label;
  std::string number;
  PartRole role = PartRole::plain;
};
/// In the order of the computation, the number itself last.
std::vector<InsidePart> parts_of(const Inside& inside, const InsideNumber& number);

/// As many digits as tell scores, or numbers of vectors, apart: "31.10", "7.774", "−0.482".
std::string score_text(float value);
/// For a cell that is 28 points wide, at most four characters: ".82", "−2.9", "13.6"; "0" below 0.005.
std::string cell_text(float value);

}  // namespace headlight
