#include "app/document/pinned_heads.h"

#include <algorithm>
#include <cstddef>

#include "app/document/subjects.h"

namespace headlight {

ComparedHead pinned_head(const Document& document, const Pin& pin, const RunOfSubject& run_of_subject) {
  ComparedHead head{.head = pin.head};
  if (is_frozen(document, pin.subject) || texts_of(document).size() > 1) head.subject = subject_name(document, pin.subject);
  if (pin.subject == document.focused) return head;
  const SubjectRun run = run_of_subject(pin.subject);
  head.of = run.snapshot;
  if (!run.snapshot) head.problem = run.problem.empty() ? "Being computed …" : run.problem;
  return head;
}

std::vector<ComparedHead> pinned_heads(const Document& document, const RunOfSubject& run_of_subject) {
  std::vector<ComparedHead> heads;
  for (const Pin& pin : document.pins) heads.push_back(pinned_head(document, pin, run_of_subject));
  return heads;
}

std::vector<ComparedHead> heads_to_compare(const Document& document, const RunOfSubject& run_of_subject) {
  std::vector<ComparedHead> heads = pinned_heads(document, run_of_subject);
  if (!document.baseline) return heads;
  for (const Pin& pin : document.pins) {
    if (pin.subject == document.focused) heads.push_back(pinned_head(document, {pin.head, *document.baseline}, run_of_subject));
  }
  return heads;
}

std::optional<ComparedPair> pair_to_subtract(const Document& document, const Snapshot& own, const std::vector<ComparedHead>& heads) {
  const std::size_t pins = std::min(document.pins.size(), heads.size());
  const auto first_before = heads.begin() + static_cast<std::ptrdiff_t>(pins);
  for (std::size_t place = 0; place < pins; ++place) {
    if (document.pins[place].subject != document.focused) continue;
    const auto before =
        std::find_if(first_before, heads.end(), [&](const ComparedHead& each) { return each.head == document.pins[place].head; });
    if (before == heads.end() || (before->of && !are_subtractable(own, heads[place], *before))) continue;
    return ComparedPair{place, static_cast<std::size_t>(before - heads.begin())};
  }
  return first_subtractable(own, heads);
}

}  // namespace headlight
