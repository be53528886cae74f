#include "app/work/columns/text_columns.h"

#include <chrono>
#include <utility>

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kStep{40};  // of computing: layers are measured until it is over

const HeadColumn* known_column(const TextColumnsFound* before, const Snapshot& snapshot, const std::string& id) {
  const bool is_of_it = before != nullptr && before->snapshot.get() == &snapshot && before->layers == snapshot.layers();
  return is_of_it ? find_column(before->columns, id) : nullptr;
}

/// A copy of what the steps before found; at first the columns without numbers.
std::vector<HeadColumn> begun_columns(const Snapshot& snapshot, const std::vector<std::string>& ids, const TextColumnsFound* before,
                                      const TextColumnsFound* so_far) {
  std::vector<HeadColumn> columns;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (so_far != nullptr) {
      columns.push_back(*so_far->columns[i]);
    } else if (const HeadColumn* known = known_column(before, snapshot, ids[i])) {
      columns.push_back(*known);
    } else {
      columns.push_back(empty_column(snapshot, ids[i]));
    }
  }
  return columns;
}

}  // namespace

TextColumns::TextColumns(Worker& worker) : study_(worker.desk(), measure) {}

StudyStep<TextColumnsFound> TextColumns::measure(const Request& request, const std::shared_ptr<const TextColumnsFound>& so_far,
                                                 StepContext& context) {
  const Snapshot& snapshot = *request.snapshot;
  const std::shared_ptr<const TextColumnsFound> before = request.before.lock();
  std::vector<HeadColumn> columns = begun_columns(snapshot, request.ids, before.get(), so_far.get());
  std::vector<std::size_t> missing;
  std::vector<MeasureRequest> requests;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (known_column(before.get(), snapshot, request.ids[i]) != nullptr) continue;
    missing.push_back(i);
    requests.push_back(*columns[i].request);
  }
  const auto begin = std::chrono::steady_clock::now();
  const int layers = requests.empty() ? snapshot.layers() : so_far ? so_far->layers : 0;
  int layer = layers;
  while (layer < snapshot.layers() && (layer == layers || std::chrono::steady_clock::now() - begin < kStep)) {
    context.progress.step(static_cast<double>(layer) / snapshot.layers(), "measuring heads");
    for (const HeadValues& head : measure_snapshot_layer(snapshot, layer, requests, false, context.progress)) {
      for (std::size_t i = 0; i < missing.size(); ++i) {
        columns[missing[i]].values.set(head.head, head.values[i]);
        columns[missing[i]].rows.set(head.head, static_cast<double>(head.rows[i]));
      }
    }
    ++layer;
  }
  TextColumnsFound found{request.snapshot, {}, layer};
  for (HeadColumn& column : columns) found.columns.push_back(std::make_shared<const HeadColumn>(std::move(column)));
  const double done = layer == snapshot.layers() ? 1 : static_cast<double>(layer) / snapshot.layers();
  return {std::make_shared<const TextColumnsFound>(std::move(found)), done};
}

std::shared_ptr<const TextColumnsFound> TextColumns::ask(const std::shared_ptr<const Snapshot>& snapshot,
                                                         const std::vector<std::string>& ids) {
  std::shared_ptr<const TextColumnsFound> found = study_.ask({snapshot, ids, study_.result()});
  std::shared_ptr<const TextColumnsFound> partial = study_.partial();
  return partial && (!found || found->snapshot != snapshot) ? partial : found;
}

}  // namespace headlight
