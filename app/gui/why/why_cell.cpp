#include "app/gui/why/why_cell.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/fields/interventions.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/watching/target_here.h"
#include "app/gui/watching/waterfall.h"
#include "engine/figure/effects/row_pen.h"

namespace headlight {
namespace {

constexpr std::size_t kListed = 6, kFew = 4;  ///< parts with a bar of their own, in the rail and in the drawer
constexpr float kLabels = 0.44F;              ///< of the width
constexpr float kValue = 58;                  ///< for a number
constexpr float kHalfBar = 4;                 ///< of a bar's height

/// A line of a list: one part, or all smaller ones together.
struct Share {
  std::string label, help;
  double value = 0;
  std::optional<HeadId> head = {};
};

/// One side's list as it is drawn.
struct SideList {
  const char* side;   ///< "Query"
  std::string token;  ///< whose parts they are
  Index position = 0;
  Colour colour;
  std::vector<Share> shares;
};

/// The bias of the head's own projection by its name: the side says which.
std::string label_of(const Snapshot& run, PartId id, const char* bias) {
  return id.kind == PartKind::projection_bias ? bias : part_label(run, id);
}

std::vector<Share> shares_of(const Snapshot& run, const std::vector<PartId>& ids, const std::vector<double>& adds,
                             const std::vector<std::size_t>& by_size, std::size_t most, const char* bias) {
  std::vector<Share> shares;
  Share rest;
  std::size_t others = 0;
  for (const std::size_t place : by_size) {
    const PartId id = ids[place];
    if (shares.size() < most || by_size.size() == most + 1) {
      Share share{label_of(run, id, bias), row_of(id.kind).help, adds[place], {}};
      if (id.kind == PartKind::head) share.head = HeadId{id.layer, id.head};
      shares.push_back(std::move(share));
    } else {
      rest.value += adds[place], ++others;
    }
  }
  rest.label = fmt::format("{} smaller parts", others);
  rest.help = "What all other parts of this side add together.";
  if (others > 0) shares.push_back(std::move(rest));
  return shares;
}

/// Of both lists, so that their bars can be compared.
BarScale scale_of_lists(const std::vector<SideList>& lists) {
  BarScale scale;
  for (const SideList& list : lists) {
    std::vector<double> bars;
    for (const Share& share : list.shares) bars.push_back(share.value);
    scale = scale_of(bars, scale);
  }
  return scale;
}

/// Shows the head in its own map, with the row of the token whose part it is.
void go_to(Panel& panel, HeadId head, Index position) {
  panel.view.head = head;
  panel.view.head_page.zoom = {};
  if (panel.view.view == View::compare || panel.view.view == View::output || panel.view.view == View::measures)
    panel.view.view = View::head;
  if (pinned_query_of(panel, head.layer) != position) toggle_pinned_query(panel, head.layer, position);
}

/// What a frame draws, and how.
class Drawing {
 public:
  Drawing(Panel& panel, const CellFound& found, bool is_current, bool is_dense)
      : panel_(panel), look_(panel.look), found_(found), is_current_(is_current), height_(is_dense ? kLine : kNumberRow) {}

  void draw(std::size_t most) {
    const Snapshot& run = *found_.request.run;
    const CellParts& cell = found_.parts;
    const int layer = cell.head.layer;
    const TokenNames &queries = panel_.caches.pictures.names(run, run.query_tokens(layer)),
                     &keys = panel_.caches.pictures.names(run, run.key_tokens(layer));
    const std::vector<SideList> lists{{"Query", queries[cell.query], cell.query, look_.colours.query,
                                       shares_of(run, cell.query_parts, found_.of_query, found_.query_by_size, most, "b_Q")},
                                      {"Key", keys[cell.key], cell.key, look_.colours.key,
                                       shares_of(run, cell.key_parts, found_.of_key, found_.key_by_size, most, "b_K")}};
    const BarScale scale = scale_of_lists(lists);
    for (const SideList& list : lists) {
      draw_title(list);
      double from = 0;
      for (const Share& share : list.shares) {
        draw_share(list, share, from, scale);
        from += share.value;
      }
      draw_sum(list, scale);
    }
    draw_pairs(run);
    for (const std::string& note : cell.notes) paragraph(look_, Type::caption, look_.colours.text_second, note);
  }

 private:
  /// "query “it” 8 is made of"
  void draw_title(const SideList& list) {
    const std::array spans{Span{list.side, look_.colours.text_second, Type::caption}, Span{" " + list.token, list.colour, Type::strong},
                           Span{fmt::format(" {}", list.position), look_.colours.text_second, Type::number}};
    gap(look_, kInside);
    paragraph(look_, spans);
  }

  BarScale placed(BarScale scale, const Row& row) const {
    scale.left = row.left + (row.right - row.left) * kLabels + look_.px(6);
    scale.width = std::max(1.0F, row.right - look_.px(kValue) - scale.left);
    return scale;
  }

  Colour ink() const { return is_current_ ? look_.colours.text : look_.colours.text_second; }

  void draw_share(const SideList& list, const Share& share, double from, BarScale scale) {
    const Row row = begin_row(look_, "", nullptr, height_);
    scale = placed(scale, row);
    const float width = row.right - row.left;
    const bool leads_on = share.head && found_.request.run == panel_.snapshot;
    const Press press = press_area(fmt::format("{} part {}", list.side, share.label).c_str(), {row.left, row.top}, {width, row.height});
    if (leads_on)
      draw_mark(look_, {row.left, row.top, width, row.height}, look_.colours.accent, press.is_hovered ? Mark::hovered : Mark::none);
    hint(look_, leads_on ? fmt::format("{} Click to go to this head.", share.help).c_str() : share.help.c_str());
    const std::string label = elided_middle(look_, Type::body, share.label, width * kLabels);
    draw_text(look_, row.left, row.middle(), Type::body, press.is_hovered && leads_on ? look_.colours.text : look_.colours.text_second,
              label);
    draw_bar(row, scale, from, from + share.value, effect_colour(share.value, panel_.draft.style.theme));
    draw_text(look_, row.right, row.middle(), Type::number, ink(), target_change(share.value), AlignX::right);
    if (press.is_clicked && leads_on) go_to(panel_, *share.head, list.position);
  }

  void draw_bar(const Row& row, const BarScale& scale, double from, double to, Colour colour) {
    draw_running_bar(look_, row, scale, {from, to, is_current_ ? colour : mix(look_.colours.panel, colour, 0.5F), kHalfBar});
  }

  void draw_sum(const SideList& list, BarScale scale) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    canvas().AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y}, to_imgui(look_.colours.line));
    const Row row = begin_row(look_, "", nullptr, height_);
    scale = placed(scale, row);
    draw_text(look_, row.left, row.middle(), Type::strong, ink(), "sum = score");
    draw_bar(row, scale, 0, found_.parts.sum, look_.colours.text);
    draw_text(look_, row.right, row.middle(), Type::number, ink(), target_number(static_cast<double>(found_.parts.score)), AlignX::right);
    name_area(fmt::format("{} sum of parts", list.side), {row.left, row.top, row.right - row.left, row.height});
  }

  void draw_pairs(const Snapshot& run) {
    gap(look_, kInside);
    text_line(look_, Type::caption, look_.colours.text_second, "Pairs that add most, query × key");
    const CellParts& cell = found_.parts;
    for (const auto& [query, key] : found_.pairs_by_size) {
      const Row row = begin_row(look_, "", "What this part of the query finds in this part of the key.", height_);
      const std::string label = label_of(run, cell.query_parts[query], "b_Q") + " × " + label_of(run, cell.key_parts[key], "b_K");
      draw_text(look_, row.left, row.middle(), Type::caption, look_.colours.text_second,
                elided(look_, Type::caption, label, row.right - row.left - look_.px(kValue)));
      draw_text(look_, row.right, row.middle(), Type::number, ink(),
                target_change(cell.table(static_cast<Index>(query), static_cast<Index>(key))), AlignX::right);
    }
  }

  Panel& panel_;
  const Look& look_;
  const CellFound& found_;
  const bool is_current_;  ///< else the cell before, until the new one is there
  const float height_;
};

/// Why nothing can be explained here; empty: it can.
std::string why_not(const Snapshot& run, HeadId head, const std::optional<Cell>& cell) {
  if (std::string why = why_no_cell_parts(run, head); !why.empty()) return why;
  return cell ? std::string() : "Point at a cell, or pin a token below, to see what makes its score.";
}

}  // namespace

bool explains_cell(const Panel& panel) {
  return !panel.view.rails.folded.contains(kWhySection);
}

void draw_why_cell(Panel& panel, const std::shared_ptr<const Snapshot>& run, HeadId head, const std::optional<Cell>& cell, bool is_dense) {
  const Look& look = panel.look;
  Effects& effects = panel.context.session.effects();
  if (!section(look, kWhySection, panel.view.rails.folded, is_dense ? "" : "what makes its score")) return effects.rest_cell();
  if (const std::string why = why_not(*run, head, cell); !why.empty()) {
    effects.rest_cell();
    return paragraph(look, Type::body, look.colours.text_second, why);
  }
  const CellRequest request{run, head, cell->query, cell->key};
  const std::shared_ptr<const CellFound> found = effects.cell(request);
  const StudyStatus status = effects.cell_status();
  if (status.error) return paragraph(look, Type::body, look.colours.text_second, as_sentence(status.error_message));
  if (run->trace.layer(head.layer).rule(head.head).placed_weights) {
    const ImVec2 top = ImGui::GetCursorScreenPos();
    paragraph(look, Type::body, look.colours.text,
              fmt::format(
                  "The weight is not made of this score: an edit gives it ({}). The parts explain the score that the head would have used.",
                  edits_in_words(run->query, head)));
    name_area("Score that is not used", {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
  }
  if (!is_dense)
    paragraph(look, Type::caption, look.colours.text_second,
              "What the query's and the key's vectors are made of, and how much each part adds to q·k. Norms are held at their scale.");
  if (!found || found->request.run != run || found->request.head != head) {
    return text_line(look, Type::body, look.colours.text_second, "Taking the score apart …");
  }
  Drawing(panel, *found, found->request == request, is_dense).draw(is_dense ? kFew : kListed);
}

}  // namespace headlight
