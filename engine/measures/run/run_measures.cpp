#include "engine/measures/run/run_measures.h"

#include <fmt/core.h>

#include <iterator>
#include <memory>
#include <utility>

namespace headlight {

void append_values(std::vector<HeadValues>& all, int layer, const LayerGauge& gauge, std::size_t requests, bool keeps_cells) {
  std::vector<std::vector<double>> values = gauge.values();
  for (int head = 0; head < gauge.heads(); ++head) {
    HeadValues& found = all.emplace_back(HeadValues{{layer, head}, std::move(values[static_cast<std::size_t>(head)]), {}, {}});
    found.rows.reserve(requests);
    for (std::size_t request = 0; request < requests; ++request) {
      found.rows.push_back(gauge.head(head).rows(request));
      if (keeps_cells) found.cells.push_back(gauge.head(head).best_cell(request));
    }
  }
}

bool needs_outputs(const std::vector<MeasureRequest>& requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [](const MeasureRequest& request) { return request.measure->need == MeasureNeed::outputs; });
}

std::vector<HeadValues> measure_snapshot_layer(const Snapshot& snapshot, int layer, const std::vector<MeasureRequest>& requests,
                                               bool keeps_cells, const Watch& watch) {
  std::vector<HeadValues> found;
  const LayerTrace& trace = snapshot.trace.layer(layer);
  const Encoding& keys = snapshot.key_tokens(layer);
  const std::vector<Token> tokens = trace.given.empty() ? keys.tokens : told_by_texts(keys.tokens);
  const MeasuredText text(tokens, &snapshot.query_tokens(layer) == &keys);
  const GaugePlan plan(requests, text, std::ssize(keys.tokens));
  KnownMaskRows known;
  LayerGauge gauge(plan, masks_of(trace), known, keeps_cells);
  for (int head = 0; head < gauge.heads(); ++head) {
    const bool is_given = !trace.given.empty();
    if (is_given && !trace.given[static_cast<std::size_t>(head)].sums.are_weights()) continue;
    gauge.add(head, {0, snapshot.maps({layer, head}, watch).weights});
  }
  if (trace.given.empty() && needs_outputs(requests)) {
    gauge.add_outputs(trace, OutputNorms(snapshot.model->parameters.layer(layer).o.weight, trace.heads));
  }
  append_values(found, layer, gauge, requests.size(), keeps_cells);
  return found;
}

std::vector<HeadValues> measure_snapshot(const Snapshot& snapshot, const std::vector<MeasureRequest>& requests, bool keeps_cells,
                                         Progress& progress) {
  std::vector<HeadValues> all;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    progress.step(static_cast<double>(layer) / snapshot.layers(), "measuring heads");
    std::vector<HeadValues> found = measure_snapshot_layer(snapshot, layer, requests, keeps_cells, progress);
    all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return all;
}

HeadColumn empty_column(const Snapshot& snapshot, const std::string& id) {
  HeadColumn column = column_of(measure_request(id, "measure"));
  column.measured_on = text_of_columns(snapshot);
  column.texts = 1;
  return column;
}

HeadColumns columns_of_run(const Snapshot& snapshot, const std::vector<std::string>& ids) {
  std::vector<HeadColumn> columns;
  std::vector<MeasureRequest> requests;
  for (const std::string& id : ids) {
    columns.push_back(empty_column(snapshot, id));
    requests.push_back(*columns.back().request);
  }
  SilentProgress silent;
  for (const HeadValues& head : measure_snapshot(snapshot, requests, false, silent)) {
    for (std::size_t place = 0; place < columns.size(); ++place) {
      columns[place].values.set(head.head, head.values[place]);
      columns[place].rows.set(head.head, static_cast<double>(head.rows[place]));
    }
  }
  HeadColumns shared;
  for (HeadColumn& column : columns) shared.push_back(std::make_shared<const HeadColumn>(std::move(column)));
  return shared;
}

std::string text_of_columns(const Snapshot& snapshot) {
  const Index tokens = snapshot.tokens();
  return fmt::format("this text, {} token{}", tokens, tokens == 1 ? "" : "s");
}

}  // namespace headlight
