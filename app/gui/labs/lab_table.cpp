#include "app/gui/labs/lab_table.h"

#include <array>
#include <cmath>

#include "app/gui/labs/labs.h"
#include "app/gui/panel/saved_state.h"

namespace headlight {
namespace {

constexpr auto kLayerSteps = name_table<LayerStep>("inputs", "projections", "joined");

void save_attempts(const LabSettings& labs, Json& json) {
  json["includes_self"] = labs.includes_self;
  json["attempt_heads"] = labs.attempt_heads;
}
void restore_attempts(const Json& json, LabSettings& labs) {
  read_saved(json, "includes_self", labs.includes_self);
  read_saved(json, "attempt_heads", labs.attempt_heads, 1, kMostAttemptHeads);
}

void save_fills(const LabSettings& labs, Json& json) {
  json["all_masked"] = labs.is_all_masked;
}
void restore_fills(const Json& json, LabSettings& labs) {
  read_saved(json, "all_masked", labs.is_all_masked);
}

void save_dropout(const LabSettings& labs, Json& json) {
  json["dropout_percent"] = static_cast<int>(std::lround(labs.dropout * 100));
  json["dropout_seed"] = labs.dropout_seed;
}
void restore_dropout(const Json& json, LabSettings& labs) {
  int percent = static_cast<int>(std::lround(labs.dropout * 100));
  read_saved(json, "dropout_percent", percent, 0, static_cast<int>(std::lround(kMostDropout * 100)));
  labs.dropout = static_cast<float>(percent) / 100;
  read_saved(json, "dropout_seed", labs.dropout_seed, 1, 9999);
}

void save_costs(const LabSettings& labs, Json& json) {
  json["bias"] = labs.has_bias ? Json(*labs.has_bias) : Json();
  json["heads_per_kv_head"] = labs.heads_per_kv_head ? Json(*labs.heads_per_kv_head) : Json();
}
void restore_costs(const Json& json, LabSettings& labs) {
  if (bool has_bias = true; json.contains("bias") && json["bias"].is_boolean()) {
    read_saved(json, "bias", has_bias);
    labs.has_bias = has_bias;
  }
  int group = -1;
  read_saved(json, "heads_per_kv_head", group, 0, kMostHeadsPerKvHead);
  if (group >= 0) labs.heads_per_kv_head = group;
}

void save_concatenation(const LabSettings& labs, Json& json) {
  json["step"] = saved_name(kLayerSteps, labs.step);
}
void restore_concatenation(const Json& json, LabSettings& labs) {
  read_saved(json, "step", kLayerSteps, labs.step);
}

void save_toy(const LabSettings& labs, Json& json) {
  json["toy_random"] = labs.is_toy_random;
  json["toy_lengths"] = labs.toy_lengths;
}
void restore_toy(const Json& json, LabSettings& labs) {
  read_saved(json, "toy_random", labs.is_toy_random);
  const Json lengths = json.value("toy_lengths", Json::array());
  for (std::size_t item = 0; lengths.is_array() && item < labs.toy_lengths.size() && item < lengths.size(); ++item) {
    read_saved(Json{{"length", lengths[item]}}, "length", labs.toy_lengths[item], 0, kToyKeys);
  }
}

void save_circuits(const LabSettings& labs, Json& json) {
  json["circuit_distance"] = labs.circuit_distance;
}
void restore_circuits(const Json& json, LabSettings& labs) {
  read_saved(json, "circuit_distance", labs.circuit_distance, 0, 999);
}

constexpr std::array kLabRows{
    LabRow{Lab::attempts, "Three attempts", "why Q, K and V", draw_lab<AttemptsFound, draw_attempts_lab>, save_attempts, restore_attempts},
    LabRow{Lab::mask_fills, "Mask conventions", "what −1e9 does to a row", draw_lab<FillsFound, draw_fills_lab>, save_fills, restore_fills},
    LabRow{Lab::scaling, "Why divide by √d", "variance and slope", draw_lab<ScalingFound, draw_scaling_lab>},
    LabRow{Lab::dropout, "Dropout", "weights before and after", draw_lab<DropoutFound, draw_dropout_lab>, save_dropout, restore_dropout},
    LabRow{Lab::head_cost, "What heads cost", "parameters, work, cache", draw_lab<CostFound, draw_cost_lab>, save_costs, restore_costs},
    LabRow{Lab::concatenation, "Concatenation", "heads side by side", draw_lab<ConcatenationFound, draw_concatenation_lab>,
           save_concatenation, restore_concatenation},
    LabRow{kWalkLab, "The whole layer", "lengths, and the bend", draw_lab<WalkFound, draw_walk_lab>},
    LabRow{kCircuitsLab, "Circuits", "a head’s matrices alone", draw_lab<CircuitsFound, draw_circuits_lab>, save_circuits,
           restore_circuits},
    LabRow{kEffectiveLab, "Effective attention", "what reaches the output", draw_lab<EffectiveFound, draw_effective_lab>},
    LabRow{Lab::toy_run, "Toy run", "5 heads, 2 items, all ones", draw_lab<ToyFound, draw_toy_lab>, save_toy, restore_toy},
};

}  // namespace

std::span<const LabRow> all_labs() {
  return kLabRows;
}

Json labs_json(const LabSettings& settings, std::span<const LabRow> labs) {
  Json json = {{"shown", settings.lab.name}};
  for (const LabRow& row : labs) {
    if (row.save) row.save(settings, json);
  }
  return json;
}

LabSettings labs_from_json(const Json& json, std::span<const LabRow> labs) {
  LabSettings settings;
  if (!json.is_object()) return settings;
  const auto shown = json.find("shown");
  for (const LabRow& row : labs) {
    if (shown != json.end() && shown->is_string() && shown->get_ref<const std::string&>() == row.lab.name) settings.lab = row.lab;
    if (row.restore) row.restore(json, settings);
  }
  return settings;
}

void draw_labs_view(Panel& panel, const Box& box) {
  draw_labs_view(panel, box, all_labs());
}

void add_lab_places(const Panel& /*panel*/, std::vector<Offer>& offers) {
  for (const LabRow& row : all_labs()) {
    const Lab lab = row.lab;
    offers.push_back({.name = row.title, .note = "lab", .words = row.about, .act = [lab](Panel& panel) {
                        panel.view.view = View::lab;
                        panel.view.labs.lab = lab;
                      }});
  }
}

void save_labs(const ViewState& view, Json& json) {
  json["labs"] = labs_json(view.labs, all_labs());
}

void restore_labs(const Json& json, ViewState& view) {
  if (json.contains("labs")) view.labs = labs_from_json(json["labs"], all_labs());
}

}  // namespace headlight
