#include "app/recipe/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/document/document_fields.h"
#include "app/document/labs/lab_names.h"
#include "engine/core/error.h"
#include "engine/figure/axes.h"

namespace headlight {
namespace {

constexpr double kLargestTemperature = 1e6, kSmallestTemperature = 1e-6;

[[noreturn]] void refuse(std::string problem, std::string found, std::string expected) {
  throw Error({.kind = ErrorKind::usage,
               .field = "--sweep",
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc{} && end == text.data() + text.size() && std::isfinite(value) && value >= 0;
  return is_number ? std::optional(value) : std::nullopt;
}

bool is_whole(double value) {
  return value == std::floor(value);
}

/// "2", "0-3".
void add_values(std::vector<double>& values, const std::string& part, bool has_fractions) {
  const std::size_t dash = part.find('-');
  const std::optional<double> first = number_in(std::string_view(part).substr(0, dash));
  const std::optional<double> last = dash == std::string::npos ? first : number_in(std::string_view(part).substr(dash + 1));
  const bool is_range = dash != std::string::npos;
  const bool fits = first && last && (has_fractions ? !is_range : is_whole(*first) && is_whole(*last)) && *first <= *last;
  if (!fits)
    refuse("this is not a value", "\"" + printable(part, 60) + "\"",
           has_fractions ? "numbers such as 0.5,1,2" : "whole numbers such as 0,2 or 0-3");
  if (*last - *first >= static_cast<double>(kMostStills)) refuse("too many stills", part, fmt::format("at most {}", kMostStills));
  for (double value = *first; value <= *last; ++value) values.push_back(value);
}

void check_steps(const std::vector<double>& values) {
  if (values.empty()) refuse("after how many steps?", {}, "--sweep training=0,1,5,20");
  const double most = *std::max_element(values.begin(), values.end());
  if (most > kMostTrainingSteps) refuse("too many training steps", fmt::format("{}", most), fmt::format("at most {}", kMostTrainingSteps));
}

std::string steps_text(double steps) {
  if (steps == 0) return "before training";
  return steps == 1 ? "after 1 training step" : fmt::format("after {} training steps", steps);
}

int layer_of(const FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  if (needs.has_lab) return request.lab.layer;
  const bool has_linked = (needs.has_links || needs.has_tint) && !request.links.heads.empty();
  return has_linked ? request.links.heads.front().layer : request.head.layer;
}

/// How much of what is looked at a lab has to use to change with it: the run counts where a head's numbers are shown.
LabUse least_use(SweepOf of) {
  return of == SweepOf::layer ? LabUse::layer : of == SweepOf::token ? LabUse::query : LabUse::head;
}

/// What it found was of another place.
void set_in_lab(SweepOf of, int place, LabFigureRequest& lab) {
  if (of == SweepOf::layer) lab.layer = place;
  if (of == SweepOf::head) lab.head = place;
  if (of == SweepOf::token) lab.query = place;
  lab.found.reset();
}

/// The tokens that a sweep goes through.
const Encoding& tokens_of(const Snapshot& snapshot, const FigureRequest& request) {
  return request.kind->needs.is_of_predictions() ? predicted_text(snapshot) : snapshot.query_tokens(layer_of(request));
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  Sweep sweep;
  const auto found =
      std::find_if(kEveryValue<SweepOf>.begin(), kEveryValue<SweepOf>.end(), [&](SweepOf each) { return kSweeps[each] == name; });
  if (found == kEveryValue<SweepOf>.end())
    refuse("unknown name", "\"" + printable(name, 60) + "\"", "layer, head, token, temperature or training");
  sweep.of = *found;
  const bool has_fractions = sweep.of == SweepOf::temperature;
  for (std::size_t at = equals; at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1);
    add_values(sweep.values, text.substr(at + 1, end - at - 1), has_fractions);
    at = end;
  }
  if (has_fractions && sweep.values.empty()) refuse("which temperatures?", {}, "--sweep temperature=0.5,1,2");
  if (sweep.of == SweepOf::training) check_steps(sweep.values);
  return sweep;
}

Json to_json(const Sweep& sweep) {
  Json json = {{"of", kSweeps[sweep.of]}, {"values", sweep.values}};
  if (sweep.of == SweepOf::training) json[kDrawnMap] = to_json(sweep.drawn_map);
  return json;
}

Sweep sweep_from(const JsonFields& fields) {
  std::string text = fields.text("of");
  const char* between = "=";
  const Json& values = fields.array("values");
  if (values.empty() || values.size() > kMostStills) fields.refuse("values", "this is not a sweep", std::to_string(values.size()));
  for (const Json& value : values) {
    if (!value.is_number()) fields.refuse("values", "these are numbers", describe(value));
    text += fmt::format("{}{}", between, value.get<double>());
    between = ",";
  }
  Sweep sweep = parse_sweep(text);
  if (sweep.of == SweepOf::training) sweep.drawn_map = read_drawn_map(fields);
  return sweep;
}

bool can_sweep(const FigureKind& kind, SweepOf of, const std::string& lab) {
  const FigureNeeds& needs = kind.needs;
  if (needs.has_lab) return !lab.empty() && use_of(parse_lab(lab, "--lab")) >= least_use(of);
  switch (of) {
    case SweepOf::layer:
    case SweepOf::head:
      return needs.has_head || needs.has_links || needs.has_tint;
    case SweepOf::token:
      return needs.has_step || needs.has_links || needs.has_tint || needs.is_of_predictions();
    case SweepOf::temperature:
    case SweepOf::training:
      return true;
  }
  return false;
}

std::string sweeps_of(const FigureKind& kind, const std::string& lab) {
  std::string text;
  for (const SweepOf each : kEveryValue<SweepOf>) {
    if (can_sweep(kind, each, lab)) text.append(text.empty() ? "" : ", ").append(kSweeps[each]);
  }
  return text;
}

std::vector<double> values_of_sweep(const Sweep& sweep, const Snapshot& snapshot, const FigureRequest& request) {
  if (sweep.of == SweepOf::temperature || sweep.of == SweepOf::training) return sweep.values;
  const int layer = layer_of(request);
  const Index count = sweep.of == SweepOf::layer  ? snapshot.layers()
                      : sweep.of == SweepOf::head ? snapshot.heads(layer)
                                                  : std::ssize(tokens_of(snapshot, request).tokens);
  std::vector<double> values = sweep.values;
  if (values.empty()) {
    for (Index value = 0; value < count; ++value) values.push_back(static_cast<double>(value));
  }
  const double largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  if (largest >= static_cast<double>(count))
    refuse(fmt::format("there is no such {}", kSweeps[sweep.of]), fmt::format("{}", largest), fmt::format("0 to {}", count - 1));
  if (values.size() > kMostStills) refuse("too many stills", std::to_string(values.size()), fmt::format("at most {}", kMostStills));
  return values;
}

void set_in_query(SweepOf of, double value, Query& query) {
  if (of == SweepOf::temperature)
    query.score.temperature = static_cast<float>(std::clamp(value, kSmallestTemperature, kLargestTemperature));
}

void set_in_figure(SweepOf of, double value, const Snapshot& snapshot, FigureRequest& request) {
  const auto place = static_cast<int>(value);
  if (request.kind->needs.has_lab) return set_in_lab(of, place, request.lab);
  std::vector<HeadId>& linked = request.links.heads;
  if (of == SweepOf::layer) {
    request.head.layer = place;
    const bool has_all = linked.size() > 1;
    const int head = linked.empty() ? 0 : linked.front().head;
    linked.clear();
    for (int each = has_all ? 0 : head; each < (has_all ? snapshot.heads(place) : head + 1); ++each) linked.push_back({place, each});
  } else if (of == SweepOf::head) {
    request.head.head = place;
    linked = {{linked.empty() ? request.head.layer : linked.front().layer, place}};
  } else if (of == SweepOf::token) {
    request.query = place;
    request.output.position = place;
    request.effects.position = place;
    if (request.kind->needs.has_logit()) request.effects.target.reset();  // it names a position of its own
    request.links.focus = LinkFocus{place, false};
    request.links.is_kept = true;
  }
}

std::string name_of_still(SweepOf of, double value, const Snapshot& snapshot, const FigureRequest& request) {
  const auto place = static_cast<int>(value);
  if (of == SweepOf::layer) return snapshot.layer_name(place);
  if (of == SweepOf::training) return steps_text(value);
  if (of != SweepOf::token) return fmt::format("{} {}", kSweeps[of], value);
  const Encoding& queries = tokens_of(snapshot, request);
  return fmt::format("token {} “{}”", place, axis_label(snapshot.label(queries, queries.tokens[static_cast<std::size_t>(place)])));
}

std::filesystem::path file_of_still(const std::filesystem::path& path, double value, double largest) {
  const std::size_t width = fmt::format("{:.0f}", largest).size();
  std::string number = fmt::format("{}", value);
  const std::size_t whole = std::min(number.find('.'), number.size());
  if (whole < width) number.insert(0, width - whole, '0');
  return path.parent_path() / (path.stem().string() + "-" + number + path.extension().string());
}

}  // namespace headlight
