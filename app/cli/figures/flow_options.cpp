#include "app/cli/figures/flow_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "engine/core/error.h"
#include "engine/figure/links/link_maps.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 4> kFlowNames{"--reduce", "--identity", "--fuse-max", "--through"};
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

FlowRequest FlowOptions::request(std::vector<HeadId> heads, const Snapshot& snapshot) const {
  FlowRequest flow{std::move(heads), settings_};
  for (const char* const option : {"--identity", "--fuse-max", "--through"}) {
    const bool is_given = command_.get_option(option)->count() > 0;
    if (is_given && settings_.reduction != Reduction::rollout) {
      refuse_option(option, fmt::format("--reduce {} does not use this option", row_of(settings_.reduction).name), {}, {},
                    "It is used by --reduce rollout. Leave it out, or choose that");
    }
  }
  std::sort(flow.heads.begin(), flow.heads.end());
  if (!through_.empty()) {
    flow.settings.through = layer_number(parse_layer(through_, "--through"), snapshot.model->config, "--through");
    if (flow.settings.through >= snapshot.layers()) {
      refuse_option("--through", "the model has no such layer", through_, fmt::format("0 to {}", snapshot.layers() - 1));
    }
  }
  if (const std::string problem = why_no_flow(snapshot, flow); !problem.empty()) {
    const bool is_all = flow.heads.size() == snapshot.all_heads().size();
    refuse_option("--only", is_all && snapshot.model->config.is_encoder_decoder()
                                ? problem + " Name layers of one stack, such as encoder.0-2"
                                : problem);
  }
  return flow;
}

}  // namespace headlight
