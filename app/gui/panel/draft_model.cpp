#include "app/gui/panel/draft_model.h"

#include <fmt/core.h>

#include "app/document/wording.h"
#include "app/gui/panel/panel.h"
#include "engine/core/error.h"

namespace headlight {
std::optional<ModelConfig> draft_config(const Panel& panel) {
  if (!panel.is_sandbox()) {
    const ModelConfig* config = panel.config();
    return config == nullptr ? std::nullopt : std::optional(*config);
  }
  const SandboxSpec& spec = panel.draft.query.model.sandbox;
  return problem_of(spec).empty() ? std::optional(sandbox_config(spec)) : std::nullopt;
}

std::string problem_of(const SandboxSpec& spec) {
  try {
    sandbox_config(spec);
  } catch (const Error& refusal) {
    const ErrorDetail& detail = refusal.detail();
    return as_sentence(detail.found.empty() ? detail.problem : fmt::format("{}: {}", detail.problem, detail.found));
  }
  return {};
}

void set_heads(SandboxSpec& spec, int heads) {
  spec.heads = heads;
  if (spec.kv_heads != 0 && heads % spec.kv_heads != 0) spec.kv_heads = 0;
  if (spec.rotary.dimensions > spec.d_model / heads) spec.rotary.dimensions = 0;
}

std::string own_mask_of(const Panel& panel, int layer) {
  if (panel.is_dump()) return panel.snapshot->own_mask(layer);
  const std::optional<ModelConfig> config = draft_config(panel);
  if (config) return config->own_mask(layer);
  return panel.snapshot ? panel.snapshot->model->config.own_mask(layer) : "causal";
}

Stack stack_of(const Panel& panel, int layer) {
  const std::optional<ModelConfig> config = draft_config(panel);
  if (config) return config->place(layer).stack;
  return panel.snapshot ? panel.snapshot->model->config.place(layer).stack : Stack::only;
}

}  // namespace headlight
