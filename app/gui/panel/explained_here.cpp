#include "app/gui/panel/explained_here.h"

#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"

namespace headlight {
namespace {

/// The head's map before edits, or in the baseline.
struct EarlierMap {
  std::shared_ptr<const HeadMaps> maps;  ///< null: none, not comparable, or still being made
  const char* since = "";
};

EarlierMap earlier_map(const Panel& panel, const ComparedHead& head) {
  const Snapshot& now = *panel.snapshot;
  if (&run_of(head, now) != &now) return {};
  const std::shared_ptr<const Snapshot> before = run_before(panel);
  const int layer = head.head.layer;
  if (!before || before == panel.snapshot || !before->contains(head.head) || before->heads(layer) != now.heads(layer) ||
      !has_same_tokens(now, *before, layer)) {
    return {};
  }
  return {maps_of(panel, {.head = head.head, .of = before}), panel.draft.baseline ? "In the baseline," : "Before the edits"};
}

/// Whether it is the same one, there or not any more.
template <typename T>
bool is_of(const std::weak_ptr<const T>& kept, const std::shared_ptr<const T>& asked) {
  return !kept.owner_before(asked) && !asked.owner_before(kept);
}

}  // namespace

std::vector<Span> spans_of(const Palette& colours, const Explanation& explanation, Colour plain) {
  std::vector<Span> spans;
  for (const auto& [kind, text] : explanation) {
    const bool is_query = kind == Wording::Kind::query;
    spans.push_back({text, is_query ? colours.query : kind == Wording::Kind::key ? colours.key : plain});
  }
  return spans;
}

ExplainedHead explained_head(const Panel& panel, const ComparedHead& head, const HeadMaps& maps) {
  const Snapshot& run = run_of(head, *panel.snapshot);
  Pictures& pictures = panel.caches.pictures;
  const int layer = head.head.layer;
  return explained_head(run, head.head, maps, pictures.labels(run, run.query_tokens(layer)), pictures.labels(run, run.key_tokens(layer)));
}

std::vector<Explanation> explain_cell_here(const Panel& panel, const ComparedHead& head, const HeadMaps& maps, Cell cell) {
  const ExplainedHead now = explained_head(panel, head, maps);
  std::vector<Explanation> said{explain_cell(now, cell)};
  if (const EarlierMap before = earlier_map(panel, head); before.maps)
    said.push_back(explain_change(now, *before.maps, cell, before.since));
  return said;
}

const std::vector<Explanation>& explain_head_here(const Panel& panel, const ComparedHead& head,
                                                  const std::shared_ptr<const HeadMaps>& maps) {
  const EarlierMap before = earlier_map(panel, head);
  ExplainedMap& kept = panel.caches.explained_map;
  if (is_of(kept.maps, maps) && is_of(kept.before, before.maps)) return kept.said;
  const Snapshot& run = run_of(head, *panel.snapshot);
  kept = {maps, before.maps, {explain_head(run, head.head)}};
  if (Explanation kind = explain_kind(run, head.head, *maps); !kind.empty()) kept.said.push_back(std::move(kind));
  if (before.maps) kept.said.push_back(explain_changes(explained_head(panel, head, *maps), *before.maps, before.since));
  return kept.said;
}

const Explanation& explain_edits_here(const Panel& panel) {
  ExplainedEdits& kept = panel.caches.explained_edits;
  std::shared_ptr<const Snapshot> before = panel.has_picture() ? panel.context.session.unedited_run().snapshot : nullptr;
  if (before == panel.snapshot) before.reset();
  if (is_of(kept.now, panel.snapshot) && is_of(kept.before, before)) return kept.said;
  kept = {panel.snapshot, before, before ? explain_edits(*panel.snapshot, *before) : Explanation()};
  return kept.said;
}

void copy_explanation(Panel& panel, std::span<const Explanation> explanation) {
  std::string text;
  for (const Explanation& paragraph : explanation) text += (text.empty() ? "" : "\n") + text_of(paragraph);
  ImGui::SetClipboardText(text.c_str());
  panel.view.notes.copied = "the explanation";
}

}  // namespace headlight
