#include <array>

#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

constexpr std::array kOtherRows{
    Measure{.id = "output-norm",
            .title = "output norm",
            .unit = "",
            .formula = "‖z W_O‖",
            .meaning = "How much the head writes into the stream; a head that looks at a sink may write next to nothing.",
            .source = "arXiv 2504.03889",
            .high = kUnbounded,
            .limit = "any size",
            .undefined = "no row may attend to two or more keys, or only the maps are known",
            .example = 0.636972,
            .need = MeasureNeed::outputs},
    Measure{.id = "output-norm-ratio",
            .title = "output norm, of its layer",
            .unit = "",
            .formula = "‖z W_O‖ / mean of the layer's heads",
            .meaning = "How much the head writes, as a multiple of what the heads of its layer write on average.",
            .source = "arXiv 2504.03889; the mean of the layer stands for their normalisation",
            .high = kUnbounded,
            .limit = "the layer's heads",
            .undefined = "no row may attend to two or more keys, or only the maps are known",
            .example = 1,
            .need = MeasureNeed::outputs,
            .is_of_layer = true},
    Measure{.id = "content-dependence",
            .title = "content dependence",
            .unit = "",
            .formula = "Σ |A − mean A| / 2 Σ A over texts, first N positions",
            .meaning = "0: the map is the same whatever the text says. Towards 1: no two texts have the same map.",
            .source = "Vig and Belinkov 2019, arXiv 1906.04284 (attention variability)",
            .undefined = "no text has N tokens",
            .example_on = "and a second text whose map is even over what the mask allows, N = 4",
            .example = 0.052083,
            .need = MeasureNeed::several_texts},
    Measure{.id = "prefix-matching",
            .title = "prefix matching",
            .unit = "",
            .formula = "induction on 25 random tokens, four times",
            .meaning = "How surely the head finds what came next in an earlier repeat of tokens that mean nothing together.",
            .source = "Olsson et al. 2022, arXiv 2209.11895, on the input of amazon-science/llm-interpret",
            .undefined = "the model reads both ways, or has too few positions",
            .example_on = "2 tokens, twice",
            .example = 0.4,
            .need = MeasureNeed::four_repeats,
            .label = "induction, by prefix matching",
            .threshold = 0.4},
    Measure{.id = "induction-offset",
            .title = "induction by offset",
            .unit = "",
            .formula = "a[query − (S − 1)] on S random tokens, twice; rows of the second half",
            .meaning = "Mean weight on the token after the first copy, in tokens that are repeated once.",
            .source = "TransformerLens, Main_Demo, without the row that has no copy",
            .undefined = "the model reads both ways, or has too few positions",
            .example_on = "S = 2",
            .example = 0.4,
            .need = MeasureNeed::two_repeats,
            .label = "induction, by offset",
            .threshold = 0.4},
    Measure{
        .id = "copying-score",
        .title = "copying score",
        .unit = "",
        .formula =
            "relu(p of the strongest key's token − mean) / Σ relu(p − mean), p = softmax(z W_O W_U), the head run alone on the embeddings",
        .meaning = "Whether what the head writes raises the token that it looks at most, above the other tokens of the text.",
        .source = "Olsson et al. 2022, arXiv 2209.11895, by the code of amazon-science/llm-interpret, from 0 to 1",
        .undefined = "the model has no language-model head, or reads both ways",
        .example_on = "V, W_O and W_U map each token to itself",
        .example = 0.5,
        .need = MeasureNeed::four_repeats},
    Measure{.id = "induction-loss",
            .title = "induction loss",
            .unit = "nats",
            .formula = "mean −ln p over the second half of repeated random tokens, without its first",
            .meaning = "How surprised the whole model is by tokens that it has just read; the same for every head.",
            .source = "TransformerLens, evals.py",
            .high = kUnbounded,
            .limit = "any size; ln of the vocabulary where nothing is known",
            .undefined = "the model has no language-model head, or reads both ways",
            .example_on = "V, W_O and W_U map each token to itself, no skip connection; 2 tokens, twice",
            .example = 0.913015,
            .need = MeasureNeed::two_repeats},
};

}  // namespace

Measures other_measures() {
  return kOtherRows;
}

}  // namespace headlight
