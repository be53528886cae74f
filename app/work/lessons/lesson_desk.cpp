#include "app/work/lessons/lesson_desk.h"

#include <algorithm>
#include <utility>

namespace headlight {

void OpenLesson::go_to(std::size_t next) {
  step = std::min(next, lesson->steps.size() - 1);
  guessing = {};
  begins = true;
  return_to_step();
}

void OpenLesson::return_to_step() {
  sets_document = sets_look = is_lit = true;
}

void OpenLesson::go_on() {
  if (asks()) {
    guessing.is_answered = true;
  } else if (!is_last()) {
    go_to(step + 1);
  }
}

LessonDesk::LessonDesk(Worker& worker)
    : shelf_(worker.desk(),
             [](const std::vector<std::filesystem::path>& own, StepContext&) { return load_lessons(own, lessons_folder()); }),
      plays_(worker.desk(), [](const PlayRequest& request, StepContext& context) {
        const LessonStep& step = request.lesson->steps[request.step];
        return LessonPicture{request.lesson, request.step, play_step(step, {request.shown, *request.pipeline, context.progress})};
      }) {}

void LessonDesk::take(const std::shared_ptr<const Lessons>& all, std::size_t place, Document before, Json look_before,
                      std::uint64_t openings) {
  const Lesson& lesson = all->lessons.at(place);
  OpenLesson taken{.lesson = {all, &lesson},
                   .before = std::move(before),
                   .look_before = std::move(look_before),
                   .openings = openings,
                   .guess_file = guess_file_};
  if (const std::optional<OpenLesson> former = leave()) {
    taken.before = former->before;
    taken.look_before = former->look_before;
  }
  taken.go_to(left_at(lesson));
  open_ = std::move(taken);
  pipeline_ = std::make_shared<Pipeline>();
}

void LessonDesk::keep_guesses_in(std::filesystem::path file) {
  guess_file_ = std::move(file);
  if (open_) open_->guess_file = guess_file_;
}

std::size_t LessonDesk::left_at(const Lesson& lesson) const {
  const auto found = left_at_.find(lesson.name);
  return found == left_at_.end() || found->second >= lesson.steps.size() ? 0 : found->second;
}

std::optional<OpenLesson> LessonDesk::leave() {
  if (open_) left_at_[open_->lesson->name] = open_->is_last() ? 0 : open_->step;
  plays_.let_go();
  pipeline_.reset();
  return std::exchange(open_, std::nullopt);
}

std::shared_ptr<const LessonPicture> LessonDesk::play(const std::shared_ptr<const Snapshot>& shown) {
  if (open_) plays_.ask({open_->lesson, open_->step, shown, pipeline_});
  return played();
}

std::shared_ptr<const LessonPicture> LessonDesk::played() const {
  std::shared_ptr<const LessonPicture> found = plays_.result();
  const bool is_of_step = found && open_ && found->lesson == open_->lesson && found->step == open_->step;
  return is_of_step ? found : nullptr;
}

}  // namespace headlight
