#include "app/document/labs/labs.h"

#include <algorithm>
#include <utility>

#include "app/document/labs/lab_runs.h"
#include "engine/figure/axes.h"

namespace headlight {
std::vector<std::string> labels_of(const Snapshot& snapshot, const Encoding& encoding, Index most) {
  std::vector<std::string> labels;
  for (const Token& token : encoding.tokens) {
    if (static_cast<Index>(labels.size()) == most) break;
    labels.push_back(axis_label(snapshot.label(encoding, token)));
  }
  return labels;
}

Index head_width(const Snapshot& snapshot, int layer) {
  const LayerTrace& trace = snapshot.trace.layer(layer);
  return std::max(Index{1}, trace.q.cols() / std::max(1, trace.heads));
}

std::shared_ptr<const MapPicture> picture_of(Matrix values, std::shared_ptr<const Mask> mask) {
  const Index rows = values.rows();
  const Index columns = values.cols();
  return std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, std::move(mask), false);
}

std::shared_ptr<const MapPicture> signed_picture_of(Matrix values, std::shared_ptr<const Mask> mask) {
  const Index rows = values.rows();
  const Index columns = values.cols();
  return std::make_shared<const MapPicture>(std::move(values), 1, rows, columns, std::move(mask), true);
}

LabResult run_lab(const LabRequest& request, Progress& progress) {
  progress.step(0, "running the lab");
  LabResult result{request, request.settings.lab.run(request, progress)};
  if (const auto sheet = request.settings.lab.sheet) result.sheet = std::make_shared<const Sheet>(sheet(request, result.found));
  return result;
}

}  // namespace headlight
