#include "app/work/labs.h"

namespace headlight {

Labs::Labs(Worker& worker)
    : study_(worker.desk(), [](const LabRequest& request, StepContext& context) { return run_lab(request, context.progress); }) {}

std::shared_ptr<const LabResult> Labs::ask(const LabRequest& request) {
  return study_.ask(request);
}

std::shared_ptr<const LabResult> Labs::known(const LabRequest& request) const {
  const std::shared_ptr<const LabResult> result = study_.result();
  return result && result->request == request ? result : nullptr;
}

void Labs::rest() {
  if (study_.asked()) study_.let_go();
}

}  // namespace headlight
