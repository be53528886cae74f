#include "app/document/wording.h"

#include <fmt/core.h>

#include <cctype>
#include <string_view>

#include "app/document/amounts.h"

namespace headlight {

std::string head_title(const Snapshot& snapshot, HeadId head) {
  std::string title = fmt::format("{} · Head {}", snapshot.layer_name(head.layer), head.head);
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

std::string short_name(HeadId head) {
  return fmt::format("{}.{}", head.layer, head.head);
}

std::string short_name(const Snapshot& snapshot, HeadId head) {
  const LayerPlace place = snapshot.model->config.place(head.layer);
  return place.stack == Stack::only ? fmt::format("{}.{}", place.number, head.head)
                                    : fmt::format("{}.{}.{}", name_of(place.stack), place.number, head.head);
}

std::string cost_words(const RunEstimate& estimate) {
  return fmt::format("{} in {} of {} take {} and up to {} of memory", counted(estimate.tokens, "token"), counted(estimate.layers, "layer"),
                     counted(estimate.heads, "head"), long_time_text(estimate.seconds), bytes_text(estimate.bytes));
}

std::string as_sentence(std::string text) {
  if (!text.empty() && std::string_view(".!?").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

}  // namespace headlight
