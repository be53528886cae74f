// The tensors of a checked model, read, looked through and handed on by several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/kernels/weights.h"
#include "engine/model/files/checked_model.h"

namespace headlight {

/// In the order in which a run needs them, so that the first layer can be computed while the others lie in their files. Each tensor is read
/// once, looked through for NaN, ∞ and values whose products overflow, and given to `use` in the type of its file (vectors are one row).
/// Those of a layer come several at once and in any order, from any thread; `use` must write to different places then. All others come one
/// after the other, in the order of the plan. Throws Error (input) and Cancelled.
class TensorReading {
 public:
  using Use = std::function<void(const PlannedTensor& planned, const StoredMatrix& tensor)>;
  TensorReading(const CheckedModel& checked, ThreadPool& pool, Progress& progress, Use use);

  void read_before_layers();           ///< embeddings, norms, and what several layers share
  void read_layer(std::size_t layer);  ///< what this layer alone has
  void read_after_layers();            ///< what only logits need
  void read_all();
  /// What was odd, in the order of the plan: "model.safetensors: h.0.attn.c_attn.weight holds 2 NaN."
  std::vector<std::string> notices() const;

 private:
  void read_in_order(const std::vector<std::size_t>& numbers);
  void read(std::size_t number, ThreadPool& pool);

  const CheckedModel& checked_;
  ThreadPool& pool_;
  Progress& progress_;
  Use use_;
  std::vector<std::size_t> before_, after_;       ///< places in the plan
  std::vector<std::vector<std::size_t>> layers_;  ///< of each layer, the largest first
  std::vector<std::string> odd_;                  ///< of each tensor; empty: nothing
  std::uint64_t bytes_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace headlight
