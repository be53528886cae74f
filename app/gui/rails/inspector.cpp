// The right rail: one cell, its row, its head, and all of it in words.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/formula.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/cell_steps.h"
#include "app/gui/panel/cell_words.h"
#include "app/gui/panel/focus.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

constexpr std::size_t kTopKeys = 6;

/// What one section of the inspector needs.
struct Shown {
  Panel& panel;
  const Snapshot& run;  ///< whose numbers these are
  std::string subject;  ///< what it is called beside others; empty: it needs no name
  HeadId head;
  std::shared_ptr<const HeadMaps> maps;
  Focus focus;
  const TokenNames& queries() const { return panel.caches.pictures.names(run, run.query_tokens(head.layer)); }
  const TokenNames& keys() const { return panel.caches.pictures.names(run, run.key_tokens(head.layer)); }
  const std::string& query_name(Index token) const { return queries()[token]; }
  const std::string& key_name(Index token) const { return keys()[token]; }
  const LayerTrace& layer() const { return run.trace.layer(head.layer); }
  const HeadRule& rule() const { return layer().rule(head.head); }
};

/// "Cell", or of a run beside others "Cell · before".
void draw_heading(const Shown& shown, std::string text) {
  const Look& look = shown.panel.look;
  const ImVec2 top = ImGui::GetCursorScreenPos();
  if (!shown.subject.empty()) text += " · " + shown.subject;
  text_line(look, Type::heading, look.colours.text_second, text);
  name_area(text, {top.x, top.y, ImGui::GetContentRegionAvail().x, look.px(kLine)});
  gap(look, 2);
}

/// "it 8 → animal 1"
void draw_cell_title(const Shown& shown, Cell cell) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const std::string query_number = std::to_string(cell.query);
  const std::string key_number = std::to_string(cell.key);
  const float between = look.px(2 * 6 + 2 * kUnit) + text_width(look, Type::body, "→") + text_width(look, Type::number, query_number) +
                        text_width(look, Type::number, key_number);
  // Half of the room for each, and to the second what the first leaves.
  const float room = row.right - row.left - between;
  const float key_width = std::min(text_width(look, Type::title, shown.key_name(cell.key)), room / 2);
  const std::string query = elided(look, Type::title, shown.query_name(cell.query), room - key_width);
  const std::string key = elided(look, Type::title, shown.key_name(cell.key), room - text_width(look, Type::title, query));
  float x = row.left;
  const auto put = [&](Type type, Colour colour, const std::string& text, float after) {
    draw_text(look, x, row.middle(), type, colour, text);
    x += text_width(look, type, text) + look.px(after);
  };
  put(Type::title, look.colours.query, query, 6);
  put(Type::number, look.colours.text_second, query_number, kUnit);
  put(Type::body, look.colours.text_second, "→", kUnit);
  put(Type::title, look.colours.key, key, 6);
  put(Type::number, look.colours.text_second, key_number, 0);
}

/// The steps before the mask that this head's rule has.
void draw_score_steps(const Shown& shown, const CellSteps& steps) {
  const Look& look = shown.panel.look;
  const HeadRule& rule = shown.rule();
  const ScoreFunction& function = score_function(rule.score);
  const std::string what = fmt::format("{}. {}", formula_in_models(function.formula), function.source);
  number_row(look, fmt::format("score, {}", function.name), weight_text(static_cast<double>(steps.score), 4), what.c_str());
  if (steps.scaled) {
    number_row(look, scale_label(shown.run, shown.head), weight_text(static_cast<double>(*steps.scaled), 4),
               "The score after scaling and temperature.");
  }
  if (steps.capped) {
    number_row(look, fmt::format("soft-cap {:g}", rule.softcap), weight_text(static_cast<double>(*steps.capped), 4),
               "c · tanh(score / c): the score stays within ±c.");
  }
  if (steps.bias) {
    number_row(look, "position bias", fmt::format("{}{}", *steps.bias > 0 ? "+" : "", weight_text(static_cast<double>(*steps.bias), 4)),
               "What the distance between query and key adds to the score.");
    number_row(look, "final score", weight_text(static_cast<double>(steps.final_score), 4), "What goes into the softmax.");
  }
}

void draw_softmax_steps(const Shown& shown, const CellSteps& steps, Index query) {
  const Look& look = shown.panel.look;
  const RowSums sums = sums_of_row(*shown.maps, shown.rule(), query);
  number_row(look, "exp(s − max)", weight_text(std::exp(static_cast<double>(steps.final_score - sums.largest)), 4),
             "The largest score of the row is subtracted first: the weights stay the same and nothing overflows.");
  const bool has_sink = shown.rule().sink.has_value();
  number_row(look, has_sink ? "Σ of row, with sink" : "Σ of row", weight_text(sums.sum, 4),
             "The weight is the exponential divided by this sum.");
  if (!has_sink) return;
  number_row(look, fmt::format("sink {}", number_text(static_cast<double>(*shown.rule().sink), 1)), weight_text(sums.sink_share, 4),
             "The share of the row that goes to the sink: to no key.");
  number_row(look, "weights of row", weight_text(sums.weights_total, 4), "Share left for real tokens: 1 minus the sink's.");
}

/// The column of the map in one number. Rows sum to 1; columns need not.
void draw_received(const Shown& shown, Index key) {
  const Received received = received_by(*shown.maps, key);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  name_area(fmt::format("Column sum of {}", key), {top.x, top.y, ImGui::GetContentRegionAvail().x, shown.panel.look.px(kNumberRow)});
  number_row(
      shown.panel.look, "column sum", fmt::format("{} of {}", weight_text(received.sum), received.queries),
      fmt::format("What this key gets from all queries together: Σ over queries q of weight(q, {}). Each query has 1 to give, so it lies "
                  "between 0 (nobody looks here) and {} (every query that may, looks only here). Rows sum to 1, columns need not.",
                  key, received.queries)
          .c_str());
}

void draw_cell(const Shown& shown) {
  const Look& look = shown.panel.look;
  draw_heading(shown, "Cell");
  if (!shown.focus.cell) {
    paragraph(look, Type::body, look.colours.text_second, "Point at a cell to see its numbers; click to keep its row.");
    return;
  }
  const Cell cell = *shown.focus.cell;
  draw_cell_title(shown, cell);
  if (!shown.maps) {
    text_line(look, Type::body, look.colours.text_second, "Making the maps …");
    return;
  }
  if (shown.run.is_dump()) {
    number_row(look, "weight", weight_text(static_cast<double>(shown.maps->weights(cell.query, cell.key)), 4),
               "The share of the query's attention that this key gets, as the file gives it.");
    draw_other_moment(shown.panel, cell);
    const bool is_allowed = shown.maps->mask->allows(cell.query, cell.key);
    number_row(look, "mask", is_allowed ? "✓ may attend" : "✗ masked", "Whether this query may attend to this key.");
    draw_received(shown, cell.key);
    paragraph(look, Type::caption, look.colours.text_second, "From a file: there are no scores to show.");
    return;
  }
  const CellSteps steps = steps_of(*shown.maps, shown.rule(), cell);
  draw_score_steps(shown, steps);
  number_row(look, "mask", steps.is_allowed ? "✓ may attend" : "✗ masked", "Whether this query may attend to this key.");
  if (steps.is_allowed) {
    draw_softmax_steps(shown, steps, cell.query);
  } else {
    number_row(look, "masked score", "−∞", "What takes the score's place in the softmax: exp(−∞) is 0.");
  }
  number_row(look, "weight", weight_text(static_cast<double>(steps.weight), 4), "The share of the query's attention that this key gets.");
  draw_other_moment(shown.panel, cell);
  draw_received(shown, cell.key);
}

bool is_row_masked(const Shown& shown) {
  return shown.maps->is_row_masked[static_cast<std::size_t>(*shown.focus.query)];
}

void draw_key_bar(const Shown& shown, Index key, float weight, float largest) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const std::string number = weight_text(weight);
  const float numbers = std::min(look.px(56), text_width(look, Type::number, number) + look.px(kUnit));
  const float names = std::min(look.px(84), 0.36F * (row.right - row.left));  // narrow: a third each for name, bar and number
  const float bar_left = row.left + names + look.px(kUnit);
  const float bar_right = std::max(bar_left, row.right - (names < look.px(84) ? numbers : look.px(56)));
  draw_text(look, row.left, row.middle(), Type::body, look.colours.text, elided(look, Type::body, shown.key_name(key), names));
  const float width = std::max(look.px(2), (bar_right - bar_left) * weight / std::max(largest, 1e-9F));
  const float half = look.px(3);
  const Colour colour = mix(look.colours.raised, look.colours.key, 0.35F + 0.65F * weight / std::max(largest, 1e-9F));
  ImGui::GetWindowDrawList()->AddRectFilled({bar_left, row.middle() - half}, {bar_left + width, row.middle() + half}, to_imgui(colour),
                                            look.px(2));
  draw_text(look, row.right, row.middle(), Type::number, look.colours.text, number, AlignX::right);
}

/// "it 8": whose row it is.
void draw_row_title(const Shown& shown, Index query) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const std::string number = std::to_string(query);
  const float number_room = look.px(6) + text_width(look, Type::number, number);
  const std::string name = elided(look, Type::strong, shown.query_name(query), row.right - row.left - number_room);
  draw_text(look, row.left, row.middle(), Type::strong, look.colours.query, name);
  draw_text(look, row.left + text_width(look, Type::strong, name) + look.px(6), row.middle(), Type::number, look.colours.text_second,
            number);
  name_area(fmt::format("Row profile of {}", query), {row.left, row.top, row.right - row.left, row.height});
}

void draw_row_profile(const Shown& shown) {
  const Look& look = shown.panel.look;
  draw_heading(shown, "Row profile");
  if (shown.focus.query) draw_row_title(shown, *shown.focus.query);
  if (!shown.focus.query || !shown.maps) {
    paragraph(look, Type::body, look.colours.text_second, "The keys that get most of a query's attention.");
    return;
  }
  const Index query = *shown.focus.query;
  if (is_row_masked(shown)) {
    paragraph(look, Type::body, look.colours.text_second, "Every key of this query is masked: its row is all zeros and adds nothing.");
    return;
  }
  const HeadMaps& maps = *shown.maps;
  const std::vector<Index> keys = largest_keys(maps, query, kTopKeys);
  double share = 0;
  for (const Index key : keys) {
    draw_key_bar(shown, key, maps.weights(query, key), maps.weights(query, keys.front()));
    share += static_cast<double>(maps.weights(query, key));
  }
  double entropy = 0;
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    const auto weight = static_cast<double>(maps.weights(query, key));
    if (weight > 0) entropy -= weight * std::log(weight);
  }
  std::string text =
      fmt::format("{} {} · {:.1f} effective tokens", keys.size() == 1 ? "one key holds" : fmt::format("top {} hold", keys.size()),
                  percent_text(share), std::exp(entropy));
  const std::string problem = shown.run.is_dump() ? row_problem(maps, query) : std::string();
  if (!problem.empty()) text = fmt::format("This row {}: not attention weights.", problem);
  if (shown.rule().sink) text += fmt::format(" · sink\u00A0{}", percent_text(sums_of_row(maps, shown.rule(), query).sink_share));
  paragraph(look, Type::caption, look.colours.text_second, text);
}

void draw_head_card(const Shown& shown) {
  const Look& look = shown.panel.look;
  const Snapshot& snapshot = shown.run;
  const HeadSummary& summary = snapshot.summary(shown.head);
  draw_heading(shown, snapshot.decoder_encoding ? head_title(snapshot, shown.head) : "Head " + short_name(snapshot, shown.head));
  draw_measure_rows(look, summary, MeasurePlace::card);
  if (summary.masked_rows > 0) {
    text_line(look, Type::caption, look.colours.text_second,
              fmt::format("{} {} fully masked", summary.masked_rows, summary.masked_rows == 1 ? "row is" : "rows are"));
  }
}

void draw_words(const Shown& shown) {
  const Look& look = shown.panel.look;
  draw_heading(shown, "In words");
  const Colour plain = look.colours.text_second;
  if (!shown.focus.query || !shown.maps) {
    paragraph(look, Type::body, plain, "Pin a token in the strip below, and this says where its attention goes.");
    return;
  }
  const Index query = *shown.focus.query;
  const std::string name = "“" + shown.query_name(query) + "”";
  if (is_row_masked(shown)) {
    const std::array spans{Span{name, look.colours.query}, Span{" may attend to nothing here.", plain}};
    paragraph(look, spans);
    return;
  }
  const std::string problem = shown.run.is_dump() ? row_problem(*shown.maps, query) : std::string();
  if (!problem.empty()) {
    const std::array spans{Span{"The row of ", plain}, Span{name, look.colours.query},
                           Span{fmt::format(" {}: its numbers are not attention weights.", problem), plain}};
    paragraph(look, spans);
    return;
  }
  if (!shown.focus.cell) return;  // the row is all zeros
  const Cell cell = *shown.focus.cell;
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const bool is_assumed = shown.layer().given_mask.origin == GivenMask::Origin::assumed;
  paragraph(look, words_of_cell(look.colours, *shown.maps, cell, shown.queries(), shown.keys(), is_assumed));
  name_area(fmt::format("Cell {},{} in words", cell.query, cell.key),
            {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
}

}  // namespace

void draw_inspector(Panel& panel, const Box& box, bool is_folded) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Inspector", box, look.colours.panel);
  gap(look, kInside);
  if (panel.has_picture()) {
    const ComparedHead inspected = inspected_head(panel);
    const std::shared_ptr<const HeadMaps> maps = maps_of(panel, inspected);
    const Focus focus = focus_of(panel, inspected.head.layer, maps.get(), inspected.of.get());
    const Shown shown{panel, run_of(inspected, *panel.snapshot), inspected.subject, inspected.head, maps, focus};
    constexpr std::array kSections{draw_cell, draw_row_profile, draw_head_card, draw_words};
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float column = ImGui::GetContentRegionAvail().x / static_cast<float>(kSections.size());
    for (std::size_t i = 0; i < kSections.size(); ++i) {
      if (is_folded) {
        ImGui::SetCursorScreenPos({start.x + column * static_cast<float>(i), start.y});
        ImGui::BeginChild(static_cast<ImGuiID>(i + 1), {column - look.px(24), ImGui::GetContentRegionAvail().y}, 0,
                          ImGuiWindowFlags_NoBackground);
        kSections[i](shown);
        ImGui::EndChild();
      } else {
        kSections[i](shown);
        gap(look, kBetween);
      }
    }
  }
  end_scrolling_region();
}

}  // namespace headlight
