// The looks of a figure: theme, colours, scale, and the heads that are compared.
#include <string>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/document/fields/style_fields.h"

namespace headlight {

StyleOptions::StyleOptions(CLI::App& command) : style_(command, "Looks", style_fields()) {
  add_repeated(command, "--pin", pins_, "A head to compare, LAYER.HEAD; give it once for each, the first is A")
      ->type_name("L.H")
      ->group("Looks");
}

void StyleOptions::apply(Document& document) const {
  style_.apply(document.style);
  if (pins_.empty()) return;
  document.pins.clear();
  HeadNames names(document.query.model, document.query.item);
  for (const std::string& pin : pins_) {
    for (const HeadId head : names.heads(pin, "--pin")) document.pins.push_back({head, document.focused});
  }
}

}  // namespace headlight
