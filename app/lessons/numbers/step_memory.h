// What one step has computed so far: runs, heads' maps and measures, each once. Its words, question and answer name the same heads again.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/lessons/numbers/live_number.h"
#include "engine/measures/run/run_measures.h"

namespace headlight {

/// Values by key, each made when it is first asked for. References stay valid.
template <typename Key, typename Value>
class Remembered {
 public:
  template <typename Make>
  const Value& get(const Key& key, const Make& make) {
    for (const auto& [known, value] : entries_) {
      if (known == key) return value;
    }
    return entries_.emplace_back(key, make()).second;
  }

 private:
  std::deque<std::pair<Key, Value>> entries_;
};

/// One thread, and one step: maps are large.
struct StepMemory {
  using Run = std::shared_ptr<const Snapshot>;
  Remembered<NumberRun, Run> runs = {};
  Remembered<std::pair<Run, HeadId>, HeadMaps> maps = {};
  Remembered<std::tuple<Run, int, std::string>, std::vector<HeadValues>> measures = {};  ///< by layer and the measure's id

  const HeadMaps& maps_of(const Run& run, HeadId head, const Watch& watch) {
    return maps.get({run, head}, [&] { return run->maps(head, watch); });
  }
  const std::vector<HeadValues>& measured(const Run& run, int layer, const MeasureRequest& request, const Watch& watch) {
    return measures.get({run, layer, request.id}, [&] { return measure_snapshot_layer(*run, layer, {request}, false, watch); });
  }
};

}  // namespace headlight
