// The functions of the table of live numbers (number_table.cpp).
#pragma once

#include "app/lessons/numbers/live_value.h"

namespace headlight {

// Of one head's map.
NumberReading read_weight(const NumberAsked& asked);
NumberReading read_score(const NumberAsked& asked);
NumberReading read_product(const NumberAsked& asked);
NumberReading read_allowed(const NumberAsked& asked);
NumberReading read_row_sum(const NumberAsked& asked);
NumberReading read_entropy(const NumberAsked& asked);
NumberReading read_top(const NumberAsked& asked);
NumberReading read_top_weight(const NumberAsked& asked);
NumberReading read_measure(const NumberAsked& asked);
NumberReading read_asymmetry(const NumberAsked& asked);

// Of a layer or the whole model.
NumberReading read_all_products(const NumberAsked& asked);
NumberReading read_target_value(const NumberAsked& asked);
NumberReading read_next(const NumberAsked& asked);
NumberReading read_parameters(const NumberAsked& asked);
NumberReading read_layers(const NumberAsked& asked);
NumberReading read_heads(const NumberAsked& asked);
NumberReading read_kv_heads(const NumberAsked& asked);
NumberReading read_d_model(const NumberAsked& asked);
NumberReading read_d_head(const NumberAsked& asked);
NumberReading read_joined_width(const NumberAsked& asked);
NumberReading read_tokens(const NumberAsked& asked);
NumberReading read_cache(const NumberAsked& asked);

// Of one layer's parts, at one token.
NumberReading read_stream(const NumberAsked& asked);
NumberReading read_attention_part(const NumberAsked& asked);
NumberReading read_after_attention(const NumberAsked& asked);
NumberReading read_feed_forward_part(const NumberAsked& asked);
NumberReading read_normed_mean(const NumberAsked& asked);
NumberReading read_normed_spread(const NumberAsked& asked);
NumberReading read_gelu(const NumberAsked& asked);

// Of the labs.
NumberReading read_attempt_asymmetry(const NumberAsked& asked);
NumberReading read_attempt_weight_asymmetry(const NumberAsked& asked);
NumberReading read_attempt_weight(const NumberAsked& asked);
NumberReading read_attempt_width(const NumberAsked& asked);
NumberReading read_fill(const NumberAsked& asked);
NumberReading read_random_variance(const NumberAsked& asked);
NumberReading read_scaled_variance(const NumberAsked& asked);
NumberReading read_random_slope(const NumberAsked& asked);
NumberReading read_scaled_slope(const NumberAsked& asked);

}  // namespace headlight
