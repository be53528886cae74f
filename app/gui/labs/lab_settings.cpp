// What the window saves of the labs.
#include <cmath>

#include "app/gui/labs/labs.h"
#include "app/gui/panel/saved_state.h"

namespace headlight {
namespace {

constexpr auto kLabs = name_table<Lab>("attempts", "mask_fills", "scaling", "dropout", "head_cost", "toy_run", "concatenation");
constexpr auto kLayerSteps = name_table<LayerStep>("inputs", "projections", "joined");

Json lab_json(const LabSettings& labs) {
  return {{"shown", saved_name(kLabs, labs.lab)},
          {"includes_self", labs.includes_self},
          {"attempt_heads", labs.attempt_heads},
          {"all_masked", labs.is_all_masked},
          {"dropout_percent", static_cast<int>(std::lround(labs.dropout * 100))},
          {"dropout_seed", labs.dropout_seed},
          {"bias", labs.has_bias ? Json(*labs.has_bias) : Json()},
          {"heads_per_kv_head", labs.heads_per_kv_head ? Json(*labs.heads_per_kv_head) : Json()},
          {"toy_random", labs.is_toy_random},
          {"toy_lengths", labs.toy_lengths},
          {"step", saved_name(kLayerSteps, labs.step)}};
}

LabSettings labs_from_json(const Json& json) {
  LabSettings labs;
  if (!json.is_object()) return labs;
  read_saved(json, "shown", kLabs, labs.lab);
  read_saved(json, "includes_self", labs.includes_self);
  read_saved(json, "attempt_heads", labs.attempt_heads, 1, kMostAttemptHeads);
  read_saved(json, "all_masked", labs.is_all_masked);
  int percent = static_cast<int>(std::lround(labs.dropout * 100));
  read_saved(json, "dropout_percent", percent, 0, static_cast<int>(std::lround(kMostDropout * 100)));
  labs.dropout = static_cast<float>(percent) / 100;
  read_saved(json, "dropout_seed", labs.dropout_seed, 1, 9999);
  if (bool has_bias = true; json.contains("bias") && json["bias"].is_boolean()) {
    read_saved(json, "bias", has_bias);
    labs.has_bias = has_bias;
  }
  int group = -1;
  read_saved(json, "heads_per_kv_head", group, 0, kMostHeadsPerKvHead);
  if (group >= 0) labs.heads_per_kv_head = group;
  read_saved(json, "toy_random", labs.is_toy_random);
  read_saved(json, "step", kLayerSteps, labs.step);
  const Json lengths = json.value("toy_lengths", Json::array());
  for (std::size_t item = 0; lengths.is_array() && item < labs.toy_lengths.size() && item < lengths.size(); ++item) {
    read_saved(Json{{"length", lengths[item]}}, "length", labs.toy_lengths[item], 0, kToyKeys);
  }
  return labs;
}

}  // namespace

void save_labs(const ViewState& view, Json& json) {
  json["labs"] = lab_json(view.labs);
}

void restore_labs(const Json& json, ViewState& view) {
  if (json.contains("labs")) view.labs = labs_from_json(json["labs"]);
}

}  // namespace headlight
