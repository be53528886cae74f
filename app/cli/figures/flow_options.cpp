#include "app/cli/figures/flow_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "engine/core/error.h"
#include "engine/figure/links/link_maps.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 5> kFlowNames{"--reduce", "--of", "--identity", "--fuse-max", "--through"};
constexpr const char* kForms =
    "all, pinned, a layer such as 2, a head such as 2.5, or a range of them such as 0-3 or 2.0-5, joined by commas";

/// The whole number after the last hyphen of "0-3" or "2.0-5".
std::optional<int> end_of_range(const std::string& part) {
  const std::size_t hyphen = part.rfind('-');
  if (hyphen == std::string::npos || hyphen == 0) return std::nullopt;
  return parse_number<int>(std::string_view(part).substr(hyphen + 1));
}

void refuse(const std::string& part, const std::string& problem) {
  refuse_option("--of", problem, "\"" + printable(part, 60) + "\"", kForms);
}

/// One part of the list.
void add_part(std::vector<HeadId>& heads, const std::string& part, const Document& document, const Snapshot& snapshot) {
  const auto add = [&](const std::vector<HeadId>& more) { heads.insert(heads.end(), more.begin(), more.end()); };
  if (part == "all") {
    add(snapshot.all_heads());
    return;
  }
  if (part == "pinned") {
    if (document.pins.empty()) refuse(part, "no head is pinned");
    for (const Pin& pin : document.pins) heads.push_back(pin.head);
    return;
  }
  const std::optional<int> last = end_of_range(part);
  const NamedHead named = parse_name(last ? part.substr(0, part.rfind('-')) : part, "--of");
  const int layer = layer_number(named.layer, snapshot.model->config, "--of");
  const int first = named.head.value_or(layer);
  const int end = last.value_or(first);
  if (end < first) refuse(part, "the range ends before it begins");
  const int count = named.head ? snapshot.heads(layer) : snapshot.layers();
  if (end >= count || layer >= snapshot.layers()) refuse(part, "the model has no such layer or head");
  for (int each = first; each <= end; ++each) {
    if (named.head) {
      heads.push_back({layer, each});
    } else {
      add(snapshot.heads_of_layer(each));
    }
  }
}

}  // namespace

FlowOptions::FlowOptions(CLI::App& command) : command_(command) {
  constexpr const char* kGroup = "Flow";
  const auto read = [this](const std::string& name) {
    const auto* const row = std::find_if(kReductionRows.begin(), kReductionRows.end(), [&](const auto& each) { return each.name == name; });
    if (row == kReductionRows.end()) refuse_option("--reduce", "unknown name", "\"" + printable(name, 60) + "\"", reduction_names());
    settings_.reduction = row->reduction;
  };
  command.add_option_function<std::string>("--reduce", read, "What becomes of the heads' weights in one cell: " + reduction_names())
      ->type_name("NAME")
      ->group(kGroup);
  command.add_option("--of", of_, fmt::format("Heads that become one map: {}", kForms))
      ->type_name("LIST")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--identity", settings_.identity, "Of rollout: how much of each layer is the token itself, for the skip connection")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->type_name("X")
      ->capture_default_str()
      ->group(kGroup);
  command.add_flag("--fuse-max", settings_.fuses_by_max, "Of rollout: a layer's heads by their maximum, not their mean")->group(kGroup);
  command.add_option("--through", through_, "Of rollout: the last layer that counts")->type_name("LAYER")->group(kGroup);
}

std::span<const std::string_view> FlowOptions::names() {
  return kFlowNames;
}

FlowRequest FlowOptions::request(const Document& document, const Snapshot& snapshot) const {
  FlowRequest flow{{}, settings_};
  for (const char* const option : {"--identity", "--fuse-max", "--through"}) {
    const bool is_given = command_.get_option(option)->count() > 0;
    if (is_given && settings_.reduction != Reduction::rollout) {
      refuse_option(option, fmt::format("--reduce {} does not use this option", row_of(settings_.reduction).name), {}, {},
                    "It is used by --reduce rollout. Leave it out, or choose that");
    }
  }
  for (const std::string& part : split_list(of_)) add_part(flow.heads, part, document, snapshot);
  if (flow.heads.empty()) refuse(of_, "no head is named");
  std::sort(flow.heads.begin(), flow.heads.end());
  flow.heads.erase(std::unique(flow.heads.begin(), flow.heads.end()), flow.heads.end());
  for (const HeadId head : flow.heads) {
    if (!snapshot.contains(head)) refuse(fmt::format("{}.{}", head.layer, head.head), "the model has no such head");
  }
  if (!through_.empty()) {
    flow.settings.through = layer_number(parse_layer(through_, "--through"), snapshot.model->config, "--through");
    if (flow.settings.through >= snapshot.layers()) {
      refuse_option("--through", "the model has no such layer", through_, fmt::format("0 to {}", snapshot.layers() - 1));
    }
  }
  if (const std::string problem = why_no_flow(snapshot, flow); !problem.empty()) {
    const bool is_all = of_ == "all";
    refuse_option("--of", is_all && snapshot.model->config.is_encoder_decoder() ? problem + " Name layers of one stack, such as encoder.0-2"
                                                                                : problem);
  }
  return flow;
}

}  // namespace headlight
