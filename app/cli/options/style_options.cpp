// The looks of a figure: theme, colours, scale, and the heads that are compared.
#include <optional>
#include <string>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"

namespace headlight {

StyleOptions::StyleOptions(CLI::App& command) {
  const std::string group = "Looks";
  add_choice(command, "--theme", theme_, "Ground")->group(group);
  add_choice(command, "--colours,--colors", colours_, "Colour map")->group(group);
  add_choice(command, "--scale", scale_, "From weight to colour")->group(group);
  command.add_option("--gamma", gamma_, "Exponent of --scale gamma")
      ->check(CLI::Range(0.01, 100.0).description(""))
      ->type_name("X")
      ->group(group);
  command.add_option("--range", range_, "Top of the colour bar: unit (1), head or layer (their largest weight), or a number")
      ->type_name("RANGE")
      ->group(group);
  add_repeated(command, "--pin", pins_, "A head to compare, LAYER.HEAD; give it once for each, the first is A")
      ->type_name("L.H")
      ->group(group);
}

void StyleOptions::apply(Document& document) const {
  Style& style = document.style;
  set_theme(style, theme_.value_or(style.theme));
  style.map = colours_.value_or(style.map);
  style.scale = scale_.value_or(style.scale);
  style.gamma = gamma_.value_or(style.gamma);
  if (range_) {
    const std::optional<RangeKind> kind = from_name<RangeKind>(*range_);
    const std::optional<float> high = parse_number<float>(*range_);
    const bool is_number = high && *high >= 1e-30F && *high <= 1e30F;
    if ((!kind || *kind == RangeKind::fixed) && !is_number) {
      refuse_option("--range", "unknown range", "\"" + printable(*range_, 60) + "\"", "unit, head, layer, or a number above 0");
    }
    style.range = is_number ? RangeKind::fixed : *kind;
    if (is_number) style.fixed_high = *high;
  }
  if (pins_.empty()) return;
  document.pins.clear();
  HeadNames names(document.query.model, document.query.item);
  for (const std::string& pin : pins_) {
    for (const HeadId head : names.heads(pin, "--pin")) document.pins.push_back(head);
  }
}

}  // namespace headlight
