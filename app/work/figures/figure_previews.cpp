#include "app/work/figures/figure_previews.h"

#include "app/recipe/recipe.h"
#include "engine/core/error.h"

namespace headlight {

namespace {

std::optional<std::string> command_for(const FigureQuestion& asked, const Snapshot& run) {
  if (!asked.of_texts.empty()) return batch_command_here(run, asked.of_texts, asked.files, asked.output);
  return command_here(run, asked.request, *asked.file, asked.output, asked.sweep);
}

/// The figure that is asked for; of a sweep over a lab, the window has found another one than the first.
FigureRequest found_for(const FigureQuestion& asked, StepContext& context) {
  FigureRequest request = asked.request;
  if (request.kind->needs.has_lab && !request.lab.found) find_effects(*asked.snapshot, request, context.pool, context.progress);
  return request;
}

/// The picture and its command first, then how large its file is.
StudyStep<FigurePreview> next_step(const FigureQuestion& asked, const std::shared_ptr<const FigurePreview>& so_far, StepContext& context) {
  const std::shared_ptr<const Snapshot> run = run_of_figure(asked.snapshot, asked.request, asked.measured);
  if (!so_far) {
    auto made = std::make_shared<FigurePreview>();
    made->question = asked;
    made->scene = make_figure(*run, found_for(asked, context), pango_measure(asked.request.page.family));
    made->command = command_for(asked, *run);
    return {std::move(made), asked.file->is_drawn ? 0.5 : 1};
  }
  auto weighed = std::make_shared<FigurePreview>(*so_far);
  try {
    weighed->bytes = size_of_recorded_figure(*run, found_for(asked, context), so_far->scene, *asked.file, asked.output);
  } catch (const Error&) {  // too large to be written: that is said where it is asked for
  }
  return {std::move(weighed)};
}

}  // namespace

FigurePreviews::FigurePreviews(Worker& worker)
    : previews_(worker.desk(), Study<FigureQuestion, FigurePreview>::Work(
                                   [](const FigureQuestion& question, const std::shared_ptr<const FigurePreview>& so_far,
                                      StepContext& context) { return next_step(question, so_far, context); })),
      pixels_(worker.desk(), [](const PixelsQuestion& question, StepContext&) {
        return PreviewPixels{question.preview, question.pixels_per_point,
                             std::make_shared<const Image>(to_image(question.preview->scene, question.pixels_per_point))};
      }) {}

std::shared_ptr<const PreviewPixels> FigurePreviews::pixels(const std::shared_ptr<const FigurePreview>& preview, float pixels_per_point) {
  return pixels_.ask({preview, pixels_per_point});
}

std::shared_ptr<const FigurePreview> FigurePreviews::ask(const FigureQuestion& question) {
  const std::shared_ptr<const FigurePreview> whole = previews_.ask(question), begun = previews_.partial();
  if (begun) shown_ = begun;
  if (whole != last_whole_) shown_ = last_whole_ = whole;
  return shown_;
}

void FigurePreviews::rest() {
  shown_.reset();
  last_whole_.reset();
  if (previews_.asked()) previews_.let_go();
  if (pixels_.asked()) pixels_.let_go();
}

}  // namespace headlight
