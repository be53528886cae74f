#include "app/work/lessons.h"

#include <utility>

namespace headlight {

Lessons::Lessons(Worker& worker)
    : study_(worker.desk(), [](const LessonRequest& request, const std::shared_ptr<const Taught>&, StepContext& context) {
        return StudyStep<Taught>{teach(request.snapshot, request.wish, request.steps, context.progress)};
      }) {}

void Lessons::start(LessonRequest request) {
  study_.start(std::move(request));
}

}  // namespace headlight
