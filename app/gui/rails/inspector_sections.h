// The sections of the inspector: a cell, its row, its head, and all of it in words.
#pragma once

#include <memory>
#include <string>

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
  bool is_dense = false;  ///< in the drawer: lower rows, and the numbers of a cell in two columns
  float row_height() const { return is_dense ? kLine : kNumberRow; }
  const TokenNames& queries() const { return panel.caches.pictures.names(run, run.query_tokens(head.layer)); }
  const TokenNames& keys() const { return panel.caches.pictures.names(run, run.key_tokens(head.layer)); }
  const std::string& query_name(Index token) const { return queries()[token]; }
  const std::string& key_name(Index token) const { return keys()[token]; }
  const LayerTrace& layer() const { return run.trace.layer(head.layer); }
  const HeadRule& rule() const { return layer().rule(head.head); }
  /// Of the row that is looked at, once there are maps.
  bool is_row_masked() const { return maps->is_row_masked[static_cast<std::size_t>(*focus.query)]; }
};

/// The title of a section: "Cell", or of a run beside others "Cell · before".
void draw_heading(const Shown& shown, std::string text);

void draw_cell(const Shown& shown);
void draw_row_profile(const Shown& shown);
void draw_head_card(const Shown& shown);
void draw_words(const Shown& shown);

/// Where the chosen query looks, in one line at a place; an invitation where none is chosen.
void draw_words_in_line(const Shown& shown, float left, float right, float middle);

}  // namespace headlight
