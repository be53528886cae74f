#include "app/work/inside/insides.h"

namespace headlight {
namespace {

InsideFound find_inside(const InsideQuestion& question, StepContext& context) {
  InsideFound found{question, nullptr, nullptr};
  found.inside =
      std::make_shared<const Inside>(look_inside(*question.snapshot, question.head, question.query, context.pool, context.progress));
  found.pictures = make_inside_pictures(*found.inside);
  return found;
}

}  // namespace

Insides::Insides(Worker& worker) : study_(worker.desk(), find_inside) {}

std::shared_ptr<const InsideFound> Insides::ask(const InsideQuestion& question) {
  return study_.ask(question);
}

}  // namespace headlight
