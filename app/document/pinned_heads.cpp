#include "app/document/pinned_heads.h"

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

}  // namespace headlight
