#include "engine/dumps/dump_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "engine/core/error.h"
#include "engine/formats/file_kind.h"

namespace headlight {
namespace {

/// What says which number of a name is the step.
enum class StepNumber : std::uint8_t { named, first_of_two, only };

struct NumberAt {
  std::size_t begin = 0, end = 0;
};

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

std::vector<NumberAt> numbers_in(const std::string& name) {
  std::vector<NumberAt> numbers;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!is_digit(name[at])) continue;
    std::size_t end = at;
    while (end < name.size() && is_digit(name[end])) ++end;
    numbers.push_back({at, end});
    at = end;
  }
  return numbers;
}

bool is_separator(char letter) {
  return letter == '.' || letter == '_' || letter == '-' || letter == '/' || letter == ' ';
}

/// From the word "step" to the end of the number behind it. Not in "timestep0".
std::optional<NumberAt> named_step(const std::string& name) {
  const std::string text = lower_case(name);
  const auto is_letter = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  std::size_t begin = text.find("step");
  while (begin != std::string::npos && begin > 0 && is_letter(text[begin - 1])) begin = text.find("step", begin + 1);
  if (begin == std::string::npos) return std::nullopt;
  std::size_t digit = begin + 4;
  if (digit < text.size() && text[digit] == 's') ++digit;
  while (digit < text.size() && is_separator(text[digit])) ++digit;
  std::size_t end = digit;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == digit) return std::nullopt;
  return NumberAt{begin, end};
}

/// The name without a part of it, and without the separator that parted it.
std::string without(const std::string& name, NumberAt part) {
  std::size_t begin = part.begin, end = part.end;
  if (end < name.size() && is_separator(name[end])) {
    ++end;
  } else if (begin > 0 && is_separator(name[begin - 1])) {
    --begin;
  }
  return name.substr(0, begin) + name.substr(end);
}

struct Step {
  int number = 0;
  DumpTensor* tensor = nullptr;
  std::int64_t queries() const { return tensor->shape[tensor->shape.size() - 2]; }
  std::int64_t keys() const { return tensor->shape.back(); }
};

/// The steps of each layer, or of all layers where an array holds all, by the name without the step.
using Steps = std::map<std::string, std::vector<Step>>;

/// The part of a name that says the step.
std::optional<NumberAt> part_of_step(const std::string& name, StepNumber which) {
  if (which == StepNumber::named) return named_step(name);
  const std::vector<NumberAt> numbers = numbers_in(name);
  const std::size_t wanted = which == StepNumber::first_of_two ? 2 : 1;
  if (numbers.size() != wanted) return std::nullopt;
  return numbers.front();
}

struct NamedStep {
  int number = 0;
  std::string layer;  ///< the name without the step
};

/// Nothing where the name has no step, or the array has too few axes.
std::optional<NamedStep> step_of(const DumpTensor& tensor, StepNumber which) {
  constexpr std::size_t kMostDigits = 6;
  const std::optional<NumberAt> part = part_of_step(tensor.name, which);
  if (!part || tensor.shape.size() < 2) return std::nullopt;
  const std::size_t digit = tensor.name.find_first_of("0123456789", part->begin);
  if (part->end - digit > kMostDigits) return std::nullopt;
  return NamedStep{std::stoi(tensor.name.substr(digit, part->end - digit)), without(tensor.name, *part)};
}

Steps steps_by_layer(DumpFile& file, StepNumber which) {
  Steps steps;
  for (DumpTensor& tensor : file.tensors) {
    if (const std::optional<NamedStep> step = step_of(tensor, which)) steps[step->layer].push_back({step->number, &tensor});
  }
  for (auto& [name, of_layer] : steps) {
    std::stable_sort(of_layer.begin(), of_layer.end(), [](const Step& a, const Step& b) { return a.number < b.number; });
  }
  return steps;
}

bool is_cross(const std::string& name) {
  const std::string text = lower_case(name);
  const auto holds = [&](const char* word) { return text.find(word) != std::string::npos; };
  return holds("cross") || (holds("decoder") && holds("encoder"));
}

/// The first step that does not follow the one before it; the number of steps where all do.
std::size_t first_break(const std::string& name, const std::vector<Step>& steps) {
  const std::vector<std::int64_t>& first = steps.front().tensor->shape;
  if (!is_cross(name) && steps.front().queries() > steps.front().keys()) return 0;
  for (std::size_t at = 1; at < steps.size(); ++at) {
    const std::vector<std::int64_t>& shape = steps[at].tensor->shape;
    const bool has_same_heads = shape.size() == first.size() && std::equal(first.begin(), first.end() - 2, shape.begin());
    const std::int64_t keys = steps[at - 1].keys() + (is_cross(name) ? 0 : steps[at].queries());
    if (!has_same_heads || steps[at].keys() != keys || steps[at].queries() == 0) return at;
  }
  return steps.size();
}

/// Whether arrays whose names do not say "step" are steps. Cross-attention alone does not show it: its maps of all layers have equal sides.
bool grow(const Steps& steps) {
  bool has_growing = false;
  for (const auto& [name, of_layer] : steps) {
    if (of_layer.size() < 2 || first_break(name, of_layer) < of_layer.size()) return false;
    has_growing = has_growing || !is_cross(name);
  }
  return has_growing;
}

[[noreturn]] void refuse_step(const DumpFile& file, const std::string& name, const std::vector<Step>& steps, std::size_t at) {
  const auto sides = [](const Step& step) { return "shape " + shape_text(step.tensor->shape); };
  const bool is_first = at == 0;
  throw Error({.kind = ErrorKind::input,
               .file = file.file,
               .field = "array " + printable(steps[at].tensor->name),
               .problem = is_first ? "the first step has more queries than keys" : "the steps do not follow one another",
               .found = sides(steps[at]),
               .expected = is_first         ? "at least as many keys as queries"
                           : is_cross(name) ? fmt::format("the {} keys of step {}", steps[at - 1].keys(), steps[at - 1].number)
                                            : fmt::format("the {} keys of step {}, and one for each query", steps[at - 1].keys(),
                                                          steps[at - 1].number)});
}

/// All rows, [… , all queries, keys of the last step].
DumpTensor joined(const std::string& name, const std::vector<Step>& steps, const Watch& watch) {
  DumpTensor whole{name, steps.front().tensor->shape, {}, steps.front().tensor->type};
  std::int64_t rows = 0, maps = 1;
  for (const Step& step : steps) rows += step.queries();
  for (std::size_t axis = 0; axis + 2 < whole.shape.size(); ++axis) maps *= whole.shape[axis];
  const std::int64_t keys = steps.back().keys();
  whole.shape[whole.shape.size() - 2] = rows;
  whole.shape.back() = keys;
  whole.values.assign(static_cast<std::size_t>(maps * rows * keys), 0.0F);
  auto row = whole.values.begin();
  for (std::int64_t map = 0; map < maps; ++map) {
    for (const Step& step : steps) {
      watch.check();
      auto from = step.tensor->values.begin() + map * step.queries() * step.keys();
      for (std::int64_t query = 0; query < step.queries(); ++query, from += step.keys(), row += keys) {
        std::copy_n(from, step.keys(), row);
      }
    }
  }
  return whole;
}

/// Arrays that are named steps and have equal sides, as those of a model's checkpoints ("step1000", "step2000") have.
bool are_alike(const Steps& steps) {
  bool has_several = false;
  for (const auto& [name, of_layer] : steps) {
    has_several = has_several || of_layer.size() > 1;
    const auto is_first = [&](const Step& step) { return step.tensor->shape == of_layer.front().tensor->shape; };
    if (is_cross(name) || !std::all_of(of_layer.begin(), of_layer.end(), is_first)) return false;
  }
  return has_several;
}

std::optional<StepNumber> find_steps(DumpFile& file) {
  const Steps named = steps_by_layer(file, StepNumber::named);
  if (!named.empty() && !are_alike(named)) return StepNumber::named;
  for (const StepNumber which : {StepNumber::first_of_two, StepNumber::only}) {
    if (grow(steps_by_layer(file, which))) return which;
  }
  return std::nullopt;
}

}  // namespace

void join_steps(DumpFile& file, const Watch& watch) {
  const std::optional<StepNumber> which = find_steps(file);
  if (!which) return;
  file.are_steps_assumed = *which != StepNumber::named;
  const Steps steps = steps_by_layer(file, *which);
  std::vector<DumpTensor> whole;
  for (const auto& [name, of_layer] : steps) {
    const std::size_t broken = first_break(name, of_layer);
    if (broken < of_layer.size()) refuse_step(file, name, of_layer, broken);
    whole.push_back(joined(name, of_layer, watch));
    const bool is_longer = of_layer.size() > file.steps.size();
    if (is_cross(name) || !is_longer) continue;
    file.steps.clear();
    for (const Step& step : of_layer) file.steps.push_back({step.queries(), step.keys()});
  }
  for (DumpTensor& tensor : file.tensors) {
    if (!step_of(tensor, *which)) whole.push_back(std::move(tensor));
  }
  file.tensors = std::move(whole);
}

std::string note_on_steps(const DumpFile& file) {
  if (file.steps.size() < 2) return {};
  constexpr std::size_t kTold = 4;
  std::string rows;
  for (std::size_t at = 0; at < std::min(kTold, file.steps.size()); ++at) {
    rows += fmt::format("{}{}", at == 0 ? "" : " + ", file.steps[at].queries);
  }
  if (file.steps.size() > kTold) rows += " + …";
  return fmt::format("The file holds {} steps of a generation: their rows ({}) are put one under another.", file.steps.size(), rows);
}

}  // namespace headlight
