// The advanced part of the sandbox panel: what a newcomer does not need, folded under "More".
#pragma once

#include <algorithm>
#include <vector>

#include "app/gui/kit/widgets.h"
#include "app/gui/panel/draft_model.h"

namespace headlight {

struct Panel;

/// How many of the advanced settings differ from a new sandbox.
int advanced_changes(const SandboxSpec& spec);
void draw_sandbox_kit(Panel& panel);

/// A list of those candidates, and the present value, that fit the rest of the sandbox. `label` makes a value's text.
void offer_numbers(const Look& look, const Row& row, const char* name, std::vector<int> candidates, SandboxSpec& spec,
                   int SandboxSpec::*member, const auto& label) {
  const int present = spec.*member;
  candidates.push_back(present);
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::vector<std::string> labels;
  std::vector<int> values;
  int chosen = 0;
  for (const int value : candidates) {
    SandboxSpec changed = spec;
    changed.*member = value;
    if (value != present && !problem_of(changed).empty()) continue;
    if (value == present) chosen = static_cast<int>(values.size());
    values.push_back(value);
    labels.push_back(label(value));
  }
  if (drop_down(look, row, name, labels, chosen)) spec.*member = values[static_cast<std::size_t>(chosen)];
}

}  // namespace headlight
