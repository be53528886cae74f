#include "app/cli/options/head_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "engine/core/error.h"
#include "engine/core/progress.h"
#include "engine/measures/columns/head_order.h"
#include "engine/measures/run/run_measures.h"

namespace headlight {
namespace {

constexpr std::string_view kTop = "top:", kLayer = "layer:";
/// Least of it: the heads that look at few tokens.
constexpr const char* kSpread = "normalised-entropy";

/// The list that is read, and what is said where a part of it cannot be followed.
struct HeadList {
  const std::string& option;
  const Document& document;
  const Snapshot& snapshot;
  std::vector<HeadId> heads = {};

  [[noreturn]] void refuse(const std::string& part, const std::string& problem) const {
    refuse_option(option, problem, "\"" + printable(part, 60) + "\"", kHeadListForms);
  }
  void add(const std::vector<HeadId>& more) { heads.insert(heads.end(), more.begin(), more.end()); }
};

/// "2.0-2.7" and "2.0-7" become "2.0" and 7; "0-3" becomes "0" and 3. Without a range the text stays and there is no number.
std::optional<int> take_end_of_range(std::string& part) {
  const std::size_t hyphen = part.rfind('-');
  if (hyphen == std::string::npos || hyphen == 0) return std::nullopt;
  std::string_view last = std::string_view(part).substr(hyphen + 1);
  const std::string_view first = std::string_view(part).substr(0, hyphen);
  // The layer may be named again, if it is the same.
  const std::string_view layer = first.substr(0, first.rfind('.') + 1);
  if (!layer.empty() && last.starts_with(layer)) last.remove_prefix(layer.size());
  const std::optional<int> end = parse_number<int>(last);
  if (end) part.resize(hyphen);
  return end;
}

/// A layer, a head, or a range of either.
void add_named(HeadList& list, const std::string& part) {
  const Snapshot& snapshot = list.snapshot;
  const bool is_layer = part.starts_with(kLayer);
  std::string name = is_layer ? part.substr(kLayer.size()) : part;
  const std::optional<int> last = take_end_of_range(name);
  const NamedHead named = parse_name(name, list.option);
  if (is_layer && named.head) list.refuse(part, "this is a head, and no layer");
  const int layer = layer_number(named.layer, snapshot.model->config, list.option);
  const int first = named.head.value_or(layer);
  // A range of layers counts as the first is named: encoder.0-2.
  const auto last_layer = [&] { return layer_number({named.layer.stack, *last}, snapshot.model->config, list.option); };
  const int end = !last ? first : named.head ? *last : last_layer();
  if (end < first) list.refuse(part, "the range ends before it begins");
  const bool has_layer = layer >= 0 && layer < snapshot.layers();
  if (!has_layer || end >= (named.head ? snapshot.heads(layer) : snapshot.layers()))
    list.refuse(part, "the model has no such layer or head");
  for (int each = first; each <= end; ++each) {
    if (named.head) {
      list.heads.push_back({layer, each});
    } else {
      list.add(snapshot.heads_of_layer(each));
    }
  }
}

/// The first heads by a measure of the text; undefined ones are never among them.
void add_top(HeadList& list, const std::string& part) {
  const std::string_view rest = std::string_view(part).substr(kTop.size());
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  const std::optional<int> count = parse_number<int>(rest.substr(0, colon));
  if (!count || *count < 1) list.refuse(part, "how many heads?");
  const bool is_usual = colon == rest.size();
  const MeasureRequest request = measure_request(is_usual ? kSpread : std::string(rest.substr(colon + 1)), list.option);
  auto column = std::make_shared<HeadColumn>(column_of(request));
  SilentProgress silent;
  std::vector<HeadId> defined;
  for (const HeadValues& head : measure_snapshot(list.snapshot, {request}, false, silent)) {
    column->values.set(head.head, head.values.front());
    if (!std::isnan(head.values.front())) defined.push_back(head.head);
  }
  if (defined.empty()) list.refuse(part, "no head has a value of this measure in this text");
  const ColumnSort sort{column->id, is_usual};
  std::vector<HeadId> sorted = sorted_heads(defined, {column}, {&sort, 1});
  sorted.resize(std::min(sorted.size(), static_cast<std::size_t>(*count)));
  list.add(sorted);
}

void add_pinned(HeadList& list, const std::string& part) {
  for (const Pin& pin : list.document.pins) {
    if (pin.subject == list.document.focused) list.heads.push_back(pin.head);
  }
  if (list.document.pins.empty()) list.refuse(part, "no head is pinned");
}

}  // namespace

std::vector<HeadId> parse_head_list(const std::string& text, const std::string& option, const Document& document,
                                    const Snapshot& snapshot) {
  HeadList list{option, document, snapshot};
  for (const std::string& part : split_list(text)) {
    if (part == "all") {
      list.add(snapshot.all_heads());
    } else if (part == "pinned") {
      add_pinned(list, part);
    } else if (part.starts_with(kTop)) {
      add_top(list, part);
    } else {
      add_named(list, part);
    }
  }
  if (list.heads.empty()) list.refuse(text, "no head is named");
  std::set<HeadId> seen;
  std::erase_if(list.heads, [&](HeadId head) {
    if (!snapshot.contains(head)) list.refuse(fmt::format("{}.{}", head.layer, head.head), "the model has no such layer or head");
    return !seen.insert(head).second;
  });
  return list.heads;
}

}  // namespace headlight
