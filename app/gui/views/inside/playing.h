// What moves the moment that Inside shows: time, keys, the bar.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Shows a moment, and plays no longer.
void show_moment(InsidePage& page, InsideMoment moment);
/// From where it is; from the beginning where nothing was played yet, or all was.
void start_playing(InsidePage& page);
/// Lets `seconds` pass while it plays.
void pass_time(InsidePage& page, float seconds);
/// The moment that is drawn: with motion reduced, the stop that playing is on its way to.
InsideMoment drawn_moment(const InsidePage& page, bool has_reduced_motion);
/// What was chosen belongs to one query of one head, and is forgotten with them, or when it is no longer there.
void keep_to(InsidePage& page, const Inside& inside);

/// The bar at the foot of the view.
void draw_transport(Panel& panel, const Box& box);

/// Why nothing can be shown inside of the head and query that are looked at, as a sentence; empty: it can.
std::string why_nothing_inside(const Panel& panel);
/// The same, or why the run failed.
std::string why_no_ledger(const Panel& panel);
/// What the view shows: null until it is computed, and where there is nothing.
std::shared_ptr<const InsideFound> found_inside(const Panel& panel);
/// The key whose row is marked.
Index marked_key(const InsidePage& page, const Inside& inside);
/// The number whose parts are shown: the ringed one, else what the step makes of the marked key.
InsideNumber shown_number(const InsidePage& page, const Inside& inside);

}  // namespace headlight
