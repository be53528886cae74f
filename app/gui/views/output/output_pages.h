// The pages of the Output view: what the model predicts, what a logit is made of, what each head does to the target, and what every layer would
// predict.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/gui/panel/panel.h"
#include "engine/figure/map/colour.h"

namespace headlight {

void draw_predictions_page(Panel& panel, const Box& box);
void draw_parts_page(Panel& panel, const Box& box);
void draw_heads_page(Panel& panel, const Box& box);
void draw_layers_page(Panel& panel, const Box& box);

/// The sections of the inspector beside them.
void draw_target_section(Panel& panel, bool is_dense);
void draw_effect_of_head(Panel& panel, bool is_dense);

/// The logit that pages take apart: the target's, else that of the likeliest token at the chosen position. Nothing until it is known.
struct LogitInFocus {
  LogitQuestion question;
  bool is_target = false;
  std::string token, against;  ///< labels; `against` empty: nothing is subtracted
  std::string at;              ///< label of the position
};
std::optional<LogitInFocus> logit_in_focus(Panel& panel);

/// Blue for less, red for more, and the ground between them.
const std::array<Colour, 256>& effect_ramp(const Panel& panel);
/// Of a bar: blue or red.
Colour colour_of_effect(const Panel& panel, double value);
/// "logit Mary − logit John after to 13", as a title, in the colours of key and query.
void draw_logit_title(const Look& look, const Panel& panel, const LogitInFocus& logit);
/// In place of a page: a title and why.
void draw_page_message(const Look& look, const Box& box, const char* title, const std::string& text);

}  // namespace headlight
