#include "app/work/figures/figure_previews.h"

#include "app/recipe/recipe.h"

namespace headlight {

FigurePreviews::FigurePreviews(Worker& worker)
    : previews_(worker.desk(),
                [](const FigureQuestion& question, StepContext&) {
                  return FigurePreview{question,
                                       make_figure(*question.snapshot, question.request, pango_measure(question.request.page.family)),
                                       command_here(*question.snapshot, question.request, *question.file, question.output)};
                }),
      pixels_(worker.desk(), [](const PixelsQuestion& question, StepContext&) {
        return PreviewPixels{question.preview, question.pixels_per_point,
                             std::make_shared<const Image>(to_image(question.preview->scene, question.pixels_per_point))};
      }) {}

std::shared_ptr<const PreviewPixels> FigurePreviews::pixels(const std::shared_ptr<const FigurePreview>& preview, float pixels_per_point) {
  return pixels_.ask({preview, pixels_per_point});
}

void FigurePreviews::rest() {
  if (previews_.asked()) previews_.let_go();
  if (pixels_.asked()) pixels_.let_go();
}

}  // namespace headlight
