// Queries for workers: one that is answered at once, and one that takes its time.
#pragma once

#include <string>

#include "app/work/compute/worker.h"
#include "tests/work/waiting.h"

namespace headlight::testing {

inline Query small_query(const std::string& text = "a b c") {
  Query query;
  query.model.sandbox.layers = 2;
  query.model.sandbox.d_model = 16;
  query.model.sandbox.heads = 2;
  query.text = text;
  return query;
}

/// `layers` layers that take their time: most of it goes into the maps of 800 tokens.
inline Query long_query(int layers = 40) {
  Query query;
  query.model.sandbox.layers = layers;
  for (int word = 0; word < 800; ++word) (query.text += 'w') += std::to_string(word) + ' ';
  return query;
}

/// Large enough that its cost is told before it runs.
inline Query costly_query() {
  Query query;
  query.model.sandbox.layers = 4;
  query.model.sandbox.d_model = 768;
  for (int word = 0; word < 4000; ++word) (query.text += 'w') += std::to_string(word % 90) + ' ';
  return query;
}

inline void wait_until_idle(const Worker& worker) {
  wait_until([&] { return worker.is_idle(); });
}

/// The running job computes layers.
inline void wait_until_under_way(const Worker& worker) {
  wait_until([&] { return worker.status().step.starts_with("layer"); });
}

}  // namespace headlight::testing
