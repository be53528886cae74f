#include "app/document/labs/lab_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "app/document/labs/circuit_labs.h"
#include "app/document/labs/walk_lab.h"
#include "engine/core/error.h"
#include "engine/figure/figure_source.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 3> kSteps{"inputs", "projections", "joined"};
constexpr int kMostSamples = 9999, kMostDistance = 999;

template <typename Number>
std::optional<Number> number_of(std::string_view text, Number least, Number most) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_one = problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
  return is_one ? std::optional(number) : std::nullopt;
}

/// One of LabSettings' numbers.
template <auto member, int least, int most>
constexpr LabSetting whole_number(std::string_view name, std::string_view expected) {
  return {name, expected,
          [](const LabSettings& settings) {
            return settings.*member == LabSettings().*member ? std::string() : std::to_string(settings.*member);
          },
          [](LabSettings& settings, const std::string& text) {
            const std::optional<int> number = number_of(text, least, most);
            if (number) settings.*member = *number;
            return number.has_value();
          }};
}

/// One of its switches, whose two states have names.
template <auto member>
bool take_switch(LabSettings& settings, const std::string& text, std::string_view off, std::string_view on) {
  if (text != off && text != on) return false;
  settings.*member = text == on;
  return true;
}

constexpr std::array kOfAttempts{
    LabSetting{"self", "on or off", [](const LabSettings& settings) { return std::string(settings.includes_self ? "on" : ""); },
               [](LabSettings& settings, const std::string& text) {
                 return take_switch<&LabSettings::includes_self>(settings, text, "off", "on");
               }},
    whole_number<&LabSettings::attempt_heads, 1, kMostAttemptHeads>("heads", "1 to 4"),
};
constexpr std::array kOfFills{
    LabSetting{"row", "preset or own", [](const LabSettings& settings) { return std::string(settings.is_all_masked ? "" : "own"); },
               [](LabSettings& settings, const std::string& text) {
                 return take_switch<&LabSettings::is_all_masked>(settings, text, "own", "preset");
               }},
};
constexpr std::array kOfDropout{
    LabSetting{"p", "a number from 0 to 0.9",
               [](const LabSettings& settings) {
                 return settings.dropout == LabSettings().dropout ? std::string() : fmt::format("{}", settings.dropout);
               },
               [](LabSettings& settings, const std::string& text) {
                 const std::optional<float> p = number_of(text, 0.0F, kMostDropout);
                 if (p) settings.dropout = *p;
                 return p.has_value();
               }},
    whole_number<&LabSettings::dropout_seed, 1, kMostSamples>("sample", "1 to 9999"),
};
constexpr std::array kOfCosts{
    LabSetting{"bias", "on or off",
               [](const LabSettings& settings) {
                 return std::string(!settings.has_bias ? "" : *settings.has_bias ? "on" : "off");
               },
               [](LabSettings& settings, const std::string& text) {
                 if (text != "on" && text != "off") return false;
                 settings.has_bias = text == "on";
                 return true;
               }},
    LabSetting{"serves", "how many heads a key/value head serves: 1 to 1024, or all",
               [](const LabSettings& settings) {
                 const std::optional<int>& heads = settings.heads_per_kv_head;
                 return !heads ? std::string() : *heads == 0 ? std::string("all") : std::to_string(*heads);
               },
               [](LabSettings& settings, const std::string& text) {
                 settings.heads_per_kv_head = text == "all" ? std::optional(0) : number_of(text, 1, kMostHeadsPerKvHead);
                 return settings.heads_per_kv_head.has_value();
               }},
};
constexpr std::array kOfConcatenation{
    LabSetting{"show", "inputs, projections or joined",
               [](const LabSettings& settings) {
                 return settings.step == LabSettings().step ? std::string()
                                                            : std::string(kSteps.at(static_cast<std::size_t>(settings.step)));
               },
               [](LabSettings& settings, const std::string& text) {
                 const auto* const found = std::find(kSteps.begin(), kSteps.end(), text);
                 if (found != kSteps.end()) settings.step = static_cast<LayerStep>(found - kSteps.begin());
                 return found != kSteps.end();
               }},
};
constexpr std::array kOfCircuits{
    LabSetting{"all-tokens", "on or off", [](const LabSettings& settings) { return std::string(settings.compares_all_tokens ? "on" : ""); },
               [](LabSettings& settings, const std::string& text) {
                 return take_switch<&LabSettings::compares_all_tokens>(settings, text, "off", "on");
               }},
    whole_number<&LabSettings::circuit_distance, 0, kMostDistance>("distance", "0 to 999"),
};
constexpr std::array kOfToy{
    LabSetting{"inputs", "ones or random", [](const LabSettings& settings) { return std::string(settings.is_toy_random ? "random" : ""); },
               [](LabSettings& settings, const std::string& text) {
                 return take_switch<&LabSettings::is_toy_random>(settings, text, "ones", "random");
               }},
    LabSetting{"valid", "valid keys of both items, 0 to 6 each, such as 3+2",
               [](const LabSettings& settings) {
                 const auto& lengths = settings.toy_lengths;
                 return lengths == LabSettings().toy_lengths ? std::string() : fmt::format("{}+{}", lengths[0], lengths[1]);
               },
               [](LabSettings& settings, const std::string& text) {
                 const std::size_t plus = std::min(text.find('+'), text.size());
                 const std::optional<int> first = number_of(std::string_view(text).substr(0, plus), 0, kToyKeys);
                 const std::optional<int> second =
                     plus < text.size() ? number_of(std::string_view(text).substr(plus + 1), 0, kToyKeys) : std::nullopt;
                 if (first && second) settings.toy_lengths = {*first, *second};
                 return first && second;
               }},
};

LabUse uses_nothing(const LabSettings& /*settings*/) {
  return LabUse::nothing;
}
LabUse uses_layer(const LabSettings& /*settings*/) {
  return LabUse::layer;
}
LabUse uses_head(const LabSettings& /*settings*/) {
  return LabUse::head;
}
LabUse uses_query(const LabSettings& /*settings*/) {
  return LabUse::query;
}
LabUse use_of_fills(const LabSettings& settings) {
  return settings.is_all_masked ? LabUse::nothing : LabUse::query;
}

constexpr std::array kKinds{
    LabKind{Lab::attempts, "attempts", uses_nothing, kOfAttempts},
    LabKind{Lab::mask_fills, "mask-conventions", use_of_fills, kOfFills},
    LabKind{Lab::scaling, "scaling", uses_head, {}},
    LabKind{Lab::dropout, "dropout", uses_head, kOfDropout},
    LabKind{Lab::head_cost, "head-cost", uses_layer, kOfCosts},
    LabKind{Lab::concatenation, "concatenation", uses_head, kOfConcatenation},
    LabKind{kWalkLab, "whole-layer", uses_query, {}},
    LabKind{kCircuitsLab, "circuits", uses_head, kOfCircuits},
    LabKind{kEffectiveLab, "effective", uses_head, {}},
    LabKind{Lab::toy_run, "toy-run", uses_nothing, kOfToy},
};

template <typename Row>
std::string names_of(std::span<const Row> rows) {
  std::string text;
  for (const Row& row : rows) text.append(text.empty() ? "" : ", ").append(row.name);
  return text;
}

[[noreturn]] void refuse(const std::string& option, std::string problem, std::string_view found, std::string expected) {
  throw Error({.kind = ErrorKind::usage,
               .field = option,
               .problem = std::move(problem),
               .found = "\"" + printable(std::string(found), 60) + "\"",
               .expected = std::move(expected)});
}

void take_setting(LabSettings& settings, const LabKind& kind, const std::string& part, const std::string& option) {
  const std::size_t equals = std::min(part.find('='), part.size());
  const std::string name = part.substr(0, equals), text = equals < part.size() ? part.substr(equals + 1) : "";
  const auto setting = std::find_if(kind.settings.begin(), kind.settings.end(), [&](const LabSetting& each) { return each.name == name; });
  if (setting == kind.settings.end())
    refuse(option, fmt::format("the lab {} has no such setting", kind.name), name,
           kind.settings.empty() ? "no settings" : names_of(kind.settings));
  if (!setting->take(settings, text))
    refuse(option, fmt::format("invalid value for {} of the lab {}", name, kind.name), text, std::string(setting->expected));
}

}  // namespace

std::span<const LabKind> lab_kinds() {
  return kKinds;
}

std::string lab_names() {
  return names_of(lab_kinds());
}

std::string lab_names_with_settings() {
  std::string text;
  for (const LabKind& kind : kKinds) {
    text.append(text.empty() ? "" : ", ").append(kind.name);
    if (!kind.settings.empty()) text += fmt::format(" ({})", names_of(kind.settings));
  }
  return text;
}

const LabKind* kind_of(const Lab& lab) {
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [&](const LabKind& kind) { return kind.lab == lab; });
  return found == kKinds.end() ? nullptr : found;
}

LabUse use_of(const LabSettings& settings) {
  const LabKind* const kind = kind_of(settings.lab);
  return kind == nullptr ? LabUse::nothing : kind->use(settings);
}

std::string lab_text(const LabSettings& settings) {
  const LabKind* const kind = kind_of(settings.lab);
  if (kind == nullptr) return {};
  std::string text(kind->name);
  char before = ':';
  for (const LabSetting& setting : kind->settings) {
    const std::string value = setting.text(settings);
    if (value.empty()) continue;
    text += fmt::format("{}{}={}", before, setting.name, value);
    before = ',';
  }
  return text;
}

LabSettings parse_lab(const std::string& text, const std::string& option) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, colon);
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const LabKind& each) { return each.name == name; });
  if (kind == kKinds.end()) refuse(option, "there is no such lab", name, lab_names());
  LabSettings settings;
  settings.lab = kind->lab;
  for (std::size_t begin = colon + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    take_setting(settings, *kind, text.substr(begin, end - begin), option);
    begin = end + 1;
  }
  return settings;
}

LabFigureRequest figure_of_lab(const LabRequest& request) {
  LabFigureRequest figure{.asked = lab_text(request.settings)};
  const LabUse use = use_of(request.settings);
  if (use >= LabUse::layer) figure.layer = request.head.layer;
  if (use >= LabUse::head) figure.head = request.head.head;
  if (use == LabUse::query) figure.query = request.query;
  return figure;
}

LabRequest request_of_lab(const LabFigureRequest& figure, std::shared_ptr<const Snapshot> snapshot) {
  const HeadId head{std::max(figure.layer, 0), std::max(figure.head, 0)};
  check_head(*snapshot, head);
  return {parse_lab(figure.asked, "--lab"), std::move(snapshot), head, figure.query};
}

}  // namespace headlight
