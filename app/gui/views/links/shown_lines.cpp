#include "app/gui/views/links/shown_lines.h"

#include <algorithm>

#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/links/links_view.h"

namespace headlight {

ShownLines ask_lines(Panel& panel) {
  ShownLines shown;
  shown.request = shown_links(panel);
  shown.found = panel.context.session.links().ask(panel.snapshot, shown.request.heads, shown.request.filter, panel.draft.style);
  shown.is_current = shown.found && shown.found->snapshot == panel.snapshot;
  if (!shown.is_current || shown.request.heads.empty() ||
      !has_same_texts(*panel.snapshot, shown.layer(), shown.request.heads.front().layer)) {
    shown.is_current = false;
    shown.request.focus.reset();  // it may not be a token of what is still shown
    shown.request.is_kept = false;
  }
  return shown;
}

namespace {

std::optional<LinkFocus> pointed_in_strip(const Panel& panel, int layer) {
  const std::optional<TokenPlace>& token = panel.view.pointed.token;
  const Snapshot& snapshot = *panel.snapshot;
  if (!token) return std::nullopt;
  if (token->side == query_side(snapshot, layer) && token->token < snapshot.queries(layer)) return LinkFocus{token->token, false};
  if (token->side == key_side(snapshot, layer) && token->token < snapshot.keys(layer)) return LinkFocus{token->token, true};
  return std::nullopt;
}

}  // namespace

void set_focus(const Panel& panel, ShownLines& shown, std::optional<LinkFocus> pointed) {
  if (!shown.is_current) return;
  if (!pointed) pointed = pointed_in_strip(panel, shown.layer());
  if (!pointed) return;
  shown.request.is_kept = shown.request.is_kept && shown.request.focus == pointed;
  shown.request.focus = pointed;
}

void share_focus(Panel& panel, const ShownLines& shown, LinkFocus pointed) {
  if (!shown.is_current) return;
  const Snapshot& snapshot = *panel.snapshot;
  const LinkMaps& maps = *shown.found->lines->maps;
  const HeadId inspected = inspected_in_links(panel).head;
  const auto head = std::find_if(maps.heads.begin(), maps.heads.end(), [&](const LinkedHead& each) { return each.head == inspected; });
  if (!pointed.is_key && head != maps.heads.end()) {
    Index key = 0;
    const bool has_weight = head->weights->cols() > 0 && head->weights->row(pointed.token).maxCoeff<Eigen::PropagateNumbers>(&key) > 0;
    if (has_weight) {
      panel.view.pointed.layer = shown.layer();
      panel.view.pointed.cell = Cell{pointed.token, key};
      return;
    }
  }
  const int layer = shown.layer();
  panel.view.pointed.listed = TokenPlace{pointed.is_key ? key_side(snapshot, layer) : query_side(snapshot, layer), pointed.token};
}

void toggle_linked_head(Panel& panel, HeadId head) {
  LinksPage& page = panel.view.links;
  std::vector<HeadId> heads = linked_heads(panel);
  if (page.which == LinksPage::Heads::chosen) heads = page.chosen;  // with those of other texts, which are not shown now
  const auto place = std::lower_bound(heads.begin(), heads.end(), head);
  if (place == heads.end() || *place != head) {
    heads.insert(place, head);
  } else if (heads.size() > 1) {
    heads.erase(place);
  }
  page.chosen = std::move(heads);
  page.which = LinksPage::Heads::chosen;
}

void link_only(Panel& panel, HeadId head) {
  panel.view.links.chosen = {head};
  panel.view.links.which = LinksPage::Heads::chosen;
}

ComparedHead inspected_in_links(const Panel& panel) {
  if (!panel.has_picture()) return {panel.view.head};
  const std::vector<HeadId> heads = linked_heads(panel);
  const bool has_lines = std::find(heads.begin(), heads.end(), panel.view.head) != heads.end();
  return {has_lines || heads.empty() ? panel.view.head : heads.front()};
}

}  // namespace headlight
