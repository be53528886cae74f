#include "app/gui/panel/view_state.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

// One table for both directions: what to_json writes is what view_from_json reads.
constexpr std::array<std::string_view, 5> kViews{"overview", "head", "compare", "output", "lab"};
constexpr std::array<std::string_view, 5> kBrushes{"off", "cell", "row", "column", "rectangle"};
constexpr std::array<std::string_view, 4> kScopes{"every-stack", "all", "layer", "head"};
constexpr std::array<std::string_view, 5> kStageNames{"weights", "scores", "scaled", "mask", "masked"};
constexpr std::array<std::string_view, 7> kLabs{"attempts", "mask_fills", "scaling", "dropout", "head_cost", "toy_run", "concatenation"};
constexpr std::array<std::string_view, 3> kLayerSteps{"inputs", "projections", "joined"};

template <typename Enum, std::size_t N>
std::string_view name(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

template <typename Enum, std::size_t N>
void read(const Json& json, const char* key, const std::array<std::string_view, N>& names, Enum& value) {
  if (!json.contains(key) || !json[key].is_string()) return;
  for (std::size_t i = 0; i < N; ++i) {
    if (json[key].get_ref<const std::string&>() == names[i]) value = static_cast<Enum>(i);
  }
}

void read(const Json& json, const char* key, bool& value) {
  if (json.contains(key) && json[key].is_boolean()) value = json[key].get<bool>();
}

void read_strings(const Json& json, const char* key, const auto& take) {
  if (!json.contains(key) || !json[key].is_array()) return;
  for (const Json& item : json[key]) {
    if (item.is_string()) take(item.get<std::string>());
  }
}

/// A place in a list: not below 0, and small enough for any model.
int read_place(const Json& json, const char* key) {
  constexpr std::int64_t kMost = 1'000'000;
  if (!json.contains(key) || !json[key].is_number_integer()) return 0;
  const auto place = json[key].get<std::int64_t>();
  return place >= 0 && place <= kMost ? static_cast<int>(place) : 0;
}

/// A whole number; one that is out of range keeps what is there.
void read(const Json& json, const char* key, int& value, int low, int high) {
  if (!json.contains(key) || !json[key].is_number_integer()) return;
  const auto number = json[key].get<std::int64_t>();
  if (number >= low && number <= high) value = static_cast<int>(number);
}

Json lab_json(const LabSettings& labs) {
  return {{"shown", name(kLabs, labs.lab)},
          {"includes_self", labs.includes_self},
          {"attempt_heads", labs.attempt_heads},
          {"all_masked", labs.is_all_masked},
          {"dropout_percent", static_cast<int>(std::lround(labs.dropout * 100))},
          {"dropout_seed", labs.dropout_seed},
          {"bias", labs.has_bias ? Json(*labs.has_bias) : Json()},
          {"heads_per_kv_head", labs.heads_per_kv_head ? Json(*labs.heads_per_kv_head) : Json()},
          {"toy_random", labs.is_toy_random},
          {"toy_lengths", labs.toy_lengths},
          {"step", name(kLayerSteps, labs.step)}};
}

LabSettings labs_from_json(const Json& json) {
  LabSettings labs;
  if (!json.is_object()) return labs;
  read(json, "shown", kLabs, labs.lab);
  read(json, "includes_self", labs.includes_self);
  read(json, "attempt_heads", labs.attempt_heads, 1, kMostAttemptHeads);
  read(json, "all_masked", labs.is_all_masked);
  int percent = static_cast<int>(std::lround(labs.dropout * 100));
  read(json, "dropout_percent", percent, 0, static_cast<int>(std::lround(kMostDropout * 100)));
  labs.dropout = static_cast<float>(percent) / 100;
  read(json, "dropout_seed", labs.dropout_seed, 1, 9999);
  if (bool has_bias = true; json.contains("bias") && json["bias"].is_boolean()) {
    read(json, "bias", has_bias);
    labs.has_bias = has_bias;
  }
  int group = -1;
  read(json, "heads_per_kv_head", group, 0, kMostHeadsPerKvHead);
  if (group >= 0) labs.heads_per_kv_head = group;
  read(json, "toy_random", labs.is_toy_random);
  read(json, "step", kLayerSteps, labs.step);
  const Json lengths = json.value("toy_lengths", Json::array());
  for (std::size_t item = 0; lengths.is_array() && item < labs.toy_lengths.size() && item < lengths.size(); ++item) {
    read(Json{{"length", lengths[item]}}, "length", labs.toy_lengths[item], 0, kToyKeys);
  }
  return labs;
}

}  // namespace

Side query_side(const Snapshot& snapshot, int layer) {
  return &snapshot.query_tokens(layer) == snapshot.decoder_encoding.get() ? Side::decoder : Side::text;
}

Side key_side(const Snapshot& snapshot, int layer) {
  return &snapshot.key_tokens(layer) == snapshot.decoder_encoding.get() ? Side::decoder : Side::text;
}

Json to_json(const ViewState& view) {
  Json json = Json::object();
  json["view"] = name(kViews, view.view);
  json["head"] = {{"layer", view.head.layer}, {"head", view.head.head}};
  json["stage"] = name(kStageNames, view.stage);
  json["zoom"] = {view.zoom.row_begin, view.zoom.row_end, view.zoom.column_begin, view.zoom.column_end};
  json["hovered"] = view.hovered ? Json{{"query", view.hovered->query}, {"key", view.hovered->key}} : Json();
  json["hovered_token"] = view.hovered_token ? Json(view.hovered_token->token) : Json();
  json["pinned_query"] = view.pinned_query ? Json(view.pinned_query->token) : Json();
  json["brush"] = name(kBrushes, view.brush);
  json["brush_allows"] = view.brush_allows;
  json["edit_scope"] = name(kScopes, view.edit_scope);
  json["shared_scale"] = view.has_shared_scale;
  json["model_picker_open"] = view.is_model_picker_open;
  json["export_open"] = view.is_export_open;
  json["help_open"] = view.is_help_open;
  json["model_card_open"] = view.is_model_card_open;
  json["mask_file_open"] = view.is_mask_file_open;
  json["banner"] = view.banner;
  json["mask_problem"] = view.mask_entry.problem;
  json["random_note_dismissed"] = view.is_random_note_dismissed;
  json["labs"] = lab_json(view.labs);
  json["folded"] = view.folded;
  json["overview_scroll"] = view.overview_scroll;
  return json;
}

ViewState view_from_json(const Json& json) {
  ViewState view;
  if (!json.is_object()) return view;
  read(json, "view", kViews, view.view);
  if (json.contains("head") && json["head"].is_object()) {
    view.head = {read_place(json["head"], "layer"), read_place(json["head"], "head")};
  }
  read(json, "stage", kStageNames, view.stage);
  read(json, "brush_allows", view.brush_allows);
  read(json, "edit_scope", kScopes, view.edit_scope);
  read(json, "shared_scale", view.has_shared_scale);
  read(json, "random_note_dismissed", view.is_random_note_dismissed);
  if (json.contains("folded") && json["folded"].is_array()) view.folded.clear();
  if (json.contains("labs")) view.labs = labs_from_json(json["labs"]);
  read_strings(json, "folded", [&](std::string section) { view.folded.insert(std::move(section)); });
  return view;
}

}  // namespace headlight
