#include "engine/measures/measure_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::string_view kWithout = "-without-";

[[noreturn]] void refuse(const std::string& option, const std::string& problem, std::string_view found, const std::string& expected,
                         const std::string& hint = {}) {
  throw Error({.kind = ErrorKind::usage,
               .field = option,
               .problem = problem,
               .found = fmt::format("\"{}\"", printable(found, 80)),
               .expected = expected,
               .hint = hint});
}

std::optional<Index> index_of(std::string_view text) {
  Index number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr Index kMost = Index{1} << 40U;
  if (problem != std::errc() || end != text.data() + text.size() || std::abs(number) > kMost) return std::nullopt;
  return number;
}

/// "2-3" with both ends, or "2".
std::optional<TokenSpan> span_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = index_of(text.substr(0, dash)), last = dash == std::string_view::npos ? first : index_of(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return TokenSpan{*first, *last + 1};
}

constexpr MeasureParameter kParameters[] = {
    {MeasureNeed::distance, "distance d", "a whole number from 0 on", "8"},
    {MeasureNeed::offset, "offset o", "a whole number", "-2"},
    {MeasureNeed::key, "position k", "a whole number from 0 on", "0"},
    {MeasureNeed::keys, "set of keys", "first-token, special, punctuation, positions such as 3 or token ids such as #7, joined by +",
     "special"},
    {MeasureNeed::spans, "spans S / T", "two spans of positions (queries / keys)", "2-3/0-1"},
};

/// Of the command line, where the parameter comes after the id; empty: there is none.
std::string parameter_form(const Measure& measure) {
  const MeasureParameter* parameter = parameter_of(measure);
  return parameter == nullptr ? std::string() : fmt::format("{}, such as :{}", parameter->form, parameter->example);
}

bool read_parameter(std::string_view text, MeasureNeed need, MeasureSettings& settings) {
  const std::optional<Index> number = index_of(text);
  switch (need) {
    case MeasureNeed::distance:
      return number && (settings.distance = *number) >= 0;
    case MeasureNeed::key:
      return number && (settings.key = *number) >= 0;
    case MeasureNeed::offset:
      settings.offset = number.value_or(0);
      return number.has_value();
    case MeasureNeed::keys:
      settings.keys = parse_key_set(text);
      return true;
    case MeasureNeed::spans: {
      const std::size_t slash = text.find('/');
      if (slash == std::string_view::npos) return false;
      const auto queries = span_of(text.substr(0, slash)), keys = span_of(text.substr(slash + 1));
      if (!queries || !keys) return false;
      settings.queries = *queries;
      settings.span_keys = *keys;
      return true;
    }
    default:
      return false;
  }
}

bool is_of_rows(const Measure& measure) {
  return measure.of_row != nullptr || measure.need == MeasureNeed::outputs;
}

std::string names_of_measures() {
  std::string names;
  for (const Measure& measure : all_measures()) {
    if (!is_of_rows(measure)) continue;
    names += (names.empty() ? "" : ", ") + std::string(measure.id);
    if (!parameter_form(measure).empty()) names += ":…";
  }
  return names;
}

const Measure& find_measure(std::string_view id, const std::string& option) {
  const Measures all = all_measures();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Measure& measure) { return measure.id == id; });
  if (row == all.end()) refuse(option, "unknown measure", id, "", "`headlight heads --list` explains all of them");
  return *row;
}

void require_rows(const Measure& measure, std::string_view id, const std::string& option) {
  if (is_of_rows(measure)) return;
  const bool is_drawn = is_of_drawn_tokens(measure.need);
  refuse(option,
         is_drawn ? "this measure is made of random tokens that are repeated, not of a text"
                  : "this measure compares the maps of several texts",
         id, names_of_measures(),
         is_drawn ? fmt::format("`headlight heads -m MODEL --measures {}` has it", measure.id)
                  : fmt::format("`headlight heads -m MODEL --measures {}:16 --texts FILE` has it", measure.id));
}

constexpr Index kLeastPositions = 2, kMostPositions = 1024;

/// "beyond-distance:8-without-first-token", or with its last two parts in the other order, as ids have them.
struct MeasureParts {
  std::string_view name;
  std::optional<std::string_view> parameter, without;
};
MeasureParts parts_of(std::string_view id) {
  const std::size_t colon = id.find(':'), without = id.find(kWithout);
  const std::size_t end = std::min({colon, without, id.size()});
  MeasureParts parts{.name = id.substr(0, end), .parameter = {}, .without = {}};
  const auto part = [&](std::size_t begin, std::size_t other) {
    return id.substr(begin, other > begin && other != std::string_view::npos ? other - begin : std::string_view::npos);
  };
  if (colon != std::string_view::npos) parts.parameter = part(colon + 1, without);
  if (without != std::string_view::npos) parts.without = part(without + kWithout.size(), colon);
  return parts;
}

/// N of a measure of several texts.
Index read_positions(std::string_view id, std::optional<std::string_view> parameter, const std::string& option) {
  const std::optional<Index> number = parameter ? index_of(*parameter) : std::nullopt;
  if (number && *number >= kLeastPositions && *number <= kMostPositions) return *number;
  refuse(option, "the first N positions of all texts are compared", id,
         fmt::format("N from {} to {}, such as content-dependence:16", kLeastPositions, kMostPositions));
}

void name_request(MeasureRequest& request) {
  request.id = measure_id(*request.measure, parameter_text(request), request.without ? key_set_text(*request.without) : std::string());
}

void add_once(std::vector<MeasureRequest>& requests, MeasureRequest request) {
  const auto is_same = [&](const MeasureRequest& other) { return other.id == request.id; };
  if (std::none_of(requests.begin(), requests.end(), is_same)) requests.push_back(std::move(request));
}

/// Lists what was taken out of the rows, too.
void add_hidden_masses(std::vector<MeasureRequest>& requests, const std::string& option) {
  std::vector<std::string> hidden;
  for (const MeasureRequest& request : requests) {
    if (request.without) hidden.push_back(hidden_mass_id(*request.without));
  }
  for (const std::string& id : hidden) add_once(requests, measure_request(id, option));
}

void add_all(std::vector<MeasureRequest>& requests, const std::string& option) {
  for (const Measure& measure : all_measures()) {
    const bool is_plain = is_of_rows(measure) && parameter_form(measure).empty();
    if (is_plain) add_once(requests, plain_request(measure));
  }
  add_once(requests, measure_request("hidden-mass:first-token", option));
  for (const Measure& measure : all_measures()) {
    const bool is_plain = measure.of_row != nullptr && parameter_form(measure).empty();
    if (is_plain && measure.id != "first-token")
      add_once(requests, measure_request(std::string(measure.id) + "-without-first-token", option));
  }
}

}  // namespace

const MeasureParameter* parameter_of(const Measure& measure) {
  const auto* row =
      std::find_if(std::begin(kParameters), std::end(kParameters), [&](const auto& each) { return each.need == measure.need; });
  return row == std::end(kParameters) ? nullptr : row;
}

std::string parameter_text(const MeasureRequest& request) {
  const MeasureSettings& settings = request.settings;
  const auto span_text = [](const TokenSpan& span) { return fmt::format("{}-{}", span.begin, span.end - 1); };
  switch (request.measure->need) {
    case MeasureNeed::distance:
      return fmt::format("{}", settings.distance);
    case MeasureNeed::key:
      return fmt::format("{}", settings.key);
    case MeasureNeed::offset:
      return fmt::format("{}", settings.offset);
    case MeasureNeed::keys:
      return key_set_text(settings.keys);
    case MeasureNeed::several_texts:
      return fmt::format("{}", settings.positions);
    case MeasureNeed::spans:
      return span_text(settings.queries) + "/" + span_text(settings.span_keys);
    default:
      return {};
  }
}

std::string measure_id(const Measure& measure, std::string_view parameter, std::string_view without) {
  std::string id(measure.id);
  if (!without.empty()) id.append(kWithout).append(without);
  if (!parameter.empty()) id.append(1, ':').append(parameter);
  return id;
}

MeasureRequest any_measure_request(std::string_view id, const std::string& option) {
  MeasureRequest request;
  const MeasureParts parts = parts_of(id);
  if (parts.without) request.without = parse_key_set(*parts.without);
  request.measure = &find_measure(parts.name, option);
  const MeasureNeed need = request.measure->need;
  if (need == MeasureNeed::several_texts) {
    request.settings.positions = read_positions(id, parts.parameter, option);
  } else {
    const std::string form = parameter_form(*request.measure);
    if (form.empty() != !parts.parameter)
      refuse(option, form.empty() ? "this measure has no parameter" : "a parameter is missing", id, form);
    if (!form.empty() && !read_parameter(*parts.parameter, need, request.settings))
      refuse(option, "this parameter does not fit the measure", id, form);
  }
  if (request.without && need == MeasureNeed::outputs)
    refuse(option, "what a head writes is known for whole rows alone", id, std::string(parts.name));
  if (request.without && request.measure->id == "induction-loss")
    refuse(option, "the loss is the whole model's and has no keys to leave out", id, std::string(parts.name));
  name_request(request);
  return request;
}

MeasureRequest measure_request(std::string_view id, const std::string& option) {
  require_rows(find_measure(parts_of(id).name, option), id, option);  // before its parameter is missed
  return any_measure_request(id, option);
}

std::vector<MeasureRequest> any_measure_requests(std::string_view ids, const std::string& option) {
  std::vector<MeasureRequest> requests;
  for (std::size_t begin = 0; begin <= ids.size();) {
    const std::size_t end = std::min(ids.find(',', begin), ids.size());
    const std::string_view id = ids.substr(begin, end - begin);
    if (id == "all") {
      add_all(requests, option);
    } else {
      add_once(requests, any_measure_request(id, option));
    }
    begin = end + 1;
  }
  add_hidden_masses(requests, option);
  return requests;
}

std::vector<MeasureRequest> measure_requests(std::string_view ids, const std::string& option) {
  std::vector<MeasureRequest> requests = any_measure_requests(ids, option);
  for (const MeasureRequest& request : requests) require_rows(*request.measure, request.id, option);
  return requests;
}

MeasureRequest plain_request(const Measure& measure) {
  return {.id = std::string(measure.id), .measure = &measure};
}

std::string without_words(const MeasureRequest& request) {
  if (!request.without) return {};
  const std::string without = key_set_text(*request.without);
  return " without " + (without == "first-token" ? "the first token" : without);
}

std::string title_of(const MeasureRequest& request) {
  std::string title(request.measure->title);
  if (const std::string parameter = parameter_text(request); !parameter.empty()) title += " (" + parameter + ")";
  return title + without_words(request);
}

std::string hidden_mass_id(const KeySet& keys) {
  return fmt::format("{}:{}", kHiddenMass, key_set_text(keys));
}

}  // namespace headlight
