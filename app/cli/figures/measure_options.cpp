#include "app/cli/figures/measure_options.h"

#include <algorithm>
#include <utility>

#include "app/cli/options/head_list.h"
#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::string_view kRising = ":rising";

void add_once(std::vector<std::string>& ids, const std::string& id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

/// The id of a measure as files have it.
std::string id_of(const std::string& text, const std::string& option) {
  return measure_request(text, option).id;
}

/// "induction" is the largest first, "mean-distance:rising" the smallest.
ColumnSort sort_of(std::string text) {
  const bool is_rising = text.ends_with(kRising);
  if (is_rising) text.resize(text.size() - kRising.size());
  return {id_of(text, "--sort"), is_rising};
}

/// "induction>0.5", "mean-distance 1 … 3".
ColumnRange range_of_text(const std::string& text) {
  const std::size_t end = std::min(text.find_first_of(" <>="), text.find("≥"));
  const std::string name = text.substr(0, std::min(end, text.find("≤")));
  const auto range = parse_range(std::string_view(text).substr(name.size()), id_of(name, "--where"));
  if (!range)
    refuse_option("--where", "this is not a range", "\"" + printable(text, 60) + "\"", "\"induction > 0.5\", \"mean-distance 1 … 3\"");
  return *range;
}

}  // namespace

MeasureOptions::MeasureOptions(CLI::App& command) : command_(command) {
  constexpr const char* kGroup = "Measures";
  command
      .add_option("--measures", measures_, "Columns of the table: ids as in `headlight heads --list`; usually those of `headlight heads`")
      ->type_name("ID,...")
      ->group(kGroup);
  command
      .add_option("--sort", sort_,
                  "Order of the heads: a measure, the largest first, or ID:rising; further ones after commas decide between equal heads")
      ->type_name("ID,...")
      ->group(kGroup);
  add_repeated(command, "--where", where_,
               "Only heads in this range of a measure: \"induction > 0.5\", \"mean-distance 1 … 3\"; several: all of them")
      ->type_name("RANGE")
      ->group(kGroup);
  command.add_option("--across", across_, "Measure along the scatter plot's lower axis; usually mean-distance")
      ->type_name("ID")
      ->group(kGroup);
  command.add_option("--up", up_, "Measure along its left axis; usually normalised-entropy")->type_name("ID")->group(kGroup);
  command.add_option("--size", size_, "Measure that the area of its points shows; without it, all are alike")
      ->type_name("ID")
      ->group(kGroup);
  command
      .add_option("--tint", tint_,
                  "Measure whose value each map of a grid carries as number and bar; usually that of --sort; none: its spread alone")
      ->type_name("ID")
      ->group(kGroup);
  command.add_option("--brush", brushed_, "Heads that are marked, as a list like that of --only")->type_name("LIST")->group(kGroup);
}

std::vector<std::string_view> MeasureOptions::names(const FigureNeeds& needs) {
  std::vector<std::string_view> names;
  if (needs.has_measures) names.insert(names.end(), {"--where", "--brush"});
  if (needs.lists_columns) names.emplace_back("--measures");
  if (needs.orders_heads) names.emplace_back("--sort");
  if (needs.has_axes) names.insert(names.end(), {"--across", "--up", "--size"});
  if (needs.tints_heads) names.emplace_back("--tint");
  return names;
}

MeasuresRequest MeasureOptions::request(const FigureNeeds& needs, const Document& document, const Snapshot& snapshot) const {
  MeasuresRequest request;
  const auto axis = [&](const std::string& text, const char* option, const char* usual) {
    const std::string id = id_of(text.empty() ? usual : text, option);
    add_once(request.ids, id);
    return id;
  };
  if (needs.has_axes) {
    request.across = axis(across_, "--across", "mean-distance");
    request.up = axis(up_, "--up", "normalised-entropy");
    if (!size_.empty()) request.size = axis(size_, "--size", "");
  }
  if (needs.lists_columns) {
    for (const MeasureRequest& each : measure_requests(measures_, "--measures")) add_once(request.ids, each.id);
  }
  for (const std::string& part : needs.orders_heads ? split_list(sort_) : std::vector<std::string>()) {
    request.sorts.push_back(sort_of(part));
    add_once(request.ids, request.sorts.back().column);
  }
  for (const std::string& text : where_) {
    request.ranges.push_back(range_of_text(text));
    add_once(request.ids, request.ranges.back().column);
  }
  if (needs.tints_heads && !request.sorts.empty()) request.tint = request.sorts.front().column;
  if (needs.tints_heads && !tint_.empty()) request.tint = tint_ == "none" ? std::string() : id_of(tint_, "--tint");
  if (!request.tint.empty()) add_once(request.ids, request.tint);
  if (brushed_.empty()) return request;
  request.brushed = parse_head_list(brushed_, "--brush", document, snapshot);
  std::sort(request.brushed.begin(), request.brushed.end());
  return request;
}

}  // namespace headlight
