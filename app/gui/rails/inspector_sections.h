// The sections of the inspector: a cell, its row, its head, and all of it in words.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/joined/joined_map.h"
#include "app/gui/panel/focus.h"

namespace headlight {

/// What one section of the inspector needs.
struct Shown {
  Panel& panel;
  const Snapshot& run;  ///< whose numbers these are
  std::string subject;  ///< what it is called beside others; empty: it needs no name
  HeadId head;
  std::shared_ptr<const HeadMaps> maps;
  Focus focus;
  std::optional<JoinedMap> joined = {};  ///< in place of the head's maps, which are null then
  bool is_dense = false;                 ///< in the drawer: lower rows, and the numbers of a cell in two columns
  float row_height() const { return is_dense ? kLine : kNumberRow; }
  const TokenNames& queries() const { return panel.caches.pictures.names(run, run.query_tokens(head.layer)); }
  const TokenNames& keys() const { return panel.caches.pictures.names(run, run.key_tokens(head.layer)); }
  const std::string& query_name(Index token) const { return queries()[token]; }
  const std::string& key_name(Index token) const { return keys()[token]; }
  const LayerTrace& layer() const { return run.trace.layer(head.layer); }
  const HeadRule& rule() const { return layer().rule(head.head); }
  bool has_weights() const { return maps != nullptr || joined.has_value(); }
  /// Once there are some: [queries, keys].
  const Matrix& weights() const { return joined ? joined->map().values : maps->weights; }
  /// Of the row that is looked at, once there are weights.
  bool is_row_masked() const {
    return joined ? joined->shown->picture->is_row_masked(*focus.query) : maps->is_row_masked[static_cast<std::size_t>(*focus.query)];
  }
};

/// The title of a section: "Cell", or of a run beside others "Cell · before".
void draw_heading(const Shown& shown, std::string text);

void draw_cell(const Shown& shown);
void draw_row_profile(const Shown& shown);
void draw_head_card(const Shown& shown);
void draw_words(const Shown& shown);

// The same of several heads' maps as one (`joined`, empty while it is being made): the value, how it is made and of which heads, its row.
void draw_joined_cell(const Shown& shown);
void draw_joined_map(const Shown& shown);
void draw_joined_words(const Shown& shown);

/// A row of a cell's numbers.
struct NumberLine {
  std::string label, number, help;
};
std::vector<NumberLine> joined_lines(const Shown& shown, Cell cell);
/// "it 8 → animal 1"
void draw_cell_title(const Shown& shown, Cell cell);

/// Where the chosen query looks, in one line at a place; an invitation where none is chosen.
void draw_words_in_line(const Shown& shown, float left, float right, float middle);

}  // namespace headlight
