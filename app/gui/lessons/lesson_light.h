// What a lesson does to the picture: all but the place it speaks of is dimmed, and the row that it asks for is covered until it is guessed.
#pragma once

#include <memory>

#include "app/gui/kit/items.h"
#include "app/gui/panel/panel.h"

namespace headlight {

/// Where things are drawn, noted while a lesson points at something and nobody else notes it (scripts do).
using LessonPlaces = std::unique_ptr<ItemRecorder>;
/// Call it before anything is drawn in a frame.
void begin_places(const Panel& panel, LessonPlaces& places);

/// The question of the step lies over the view, because all of the view answers it.
bool covers_view(const Panel& panel);

/// Draws over the views, which are drawn already, and under popups. `centre`: where they are, in pixels.
void draw_lesson_light(Panel& panel, const Box& centre);

}  // namespace headlight
