// The style of a figure: theme, colours, scale, and the heads that are compared.
#include <fmt/core.h>

#include <string>

#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/document/fields/style_fields.h"
#include "app/document/subjects.h"

namespace headlight {
namespace {

/// "2:0.3": heads of the second text. Without a number: of the focused one.
struct PinnedText {
  int subject = 1;
  std::string heads;
};

PinnedText split_text(const Document& document, const std::string& pin) {
  const std::size_t colon = pin.find(':');
  if (colon == std::string::npos) return {document.focused, pin};
  const std::vector<int> texts = texts_of(document);
  const std::optional<int> number = parse_number<int>(std::string_view(pin).substr(0, colon));
  if (!number || *number < 1 || *number > std::ssize(texts)) {
    refuse_option("--pin", "there is no such text", "\"" + printable(pin, 60) + "\"",
                  texts.size() == 1 ? std::string("1:LAYER.HEAD; --and begins a second text")
                                    : fmt::format("1 to {} before the colon", texts.size()));
  }
  return {texts[static_cast<std::size_t>(*number - 1)], pin.substr(colon + 1)};
}

}  // namespace

StyleOptions::StyleOptions(CLI::App& command) : style_(command, "Appearance", style_fields()) {
  add_repeated(command, "--pin", pins_,
               "A head to compare, LAYER.HEAD; give it once for each, the first is A. 2:LAYER.HEAD is one of the\n"
               "second text")
      ->type_name("L.H")
      ->group("Appearance");
}

void StyleOptions::apply(Document& document) const {
  style_.apply(document.style);
  if (pins_.empty()) return;
  while (!document.pins.empty()) unpin(document, document.pins.size() - 1);
  for (const std::string& pin : pins_) {
    const PinnedText of = split_text(document, pin);
    const Query& query = *query_of(document, of.subject);
    HeadNames names(query.model, query.item);
    for (const HeadId head : names.heads(of.heads, "--pin")) document.pins.push_back({head, of.subject});
  }
}

}  // namespace headlight
