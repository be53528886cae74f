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
            .need = MeasureNeed::several_texts},
    Measure{.id = "prefix-matching",
            .title = "prefix matching",
            .unit = "",
            .formula = "induction on 25 random tokens, four times",
            .meaning = "How surely the head finds what came next in an earlier repeat of tokens that mean nothing together.",
            .source = "Olsson et al. 2022, arXiv 2209.11895, on the input of amazon-science/llm-interpret",
            .undefined = "the model reads both ways, or has too few positions",
            .need = MeasureNeed::model,
            .label = "induction",
            .threshold = 0.4},
    Measure{.id = "induction-offset",
            .title = "induction by offset",
            .unit = "",
            .formula = "a[query − (S − 1)] on S random tokens, twice; rows of the second half",
            .meaning = "Mean weight on the token after the first copy, in tokens that are repeated once.",
            .source = "TransformerLens, Main_Demo, without the row that has no copy",
            .undefined = "the model reads both ways, or has too few positions",
            .need = MeasureNeed::model,
            .label = "induction",
            .threshold = 0.4},
    Measure{.id = "copying-score",
            .title = "copying score",
            .unit = "",
            .formula = "relu(logit of the strongest key's token) / Σ relu, logits of z W_O W_U less their mean",
            .meaning = "Whether what the head writes raises the token that it looks at most, above the other tokens of the text.",
            .source = "Olsson et al. 2022, arXiv 2209.11895, by the code of amazon-science/llm-interpret, from 0 to 1",
            .undefined = "the model has no language-model head",
            .need = MeasureNeed::model},
    Measure{.id = "induction-loss",
            .title = "induction loss",
            .unit = "nats",
            .formula = "mean −ln p over the second half of repeated random tokens",
            .meaning = "How surprised the whole model is by tokens that it has just read; the same for every head.",
            .source = "TransformerLens, evals.py",
            .high = kUnbounded,
            .limit = "any size; ln of the vocabulary where nothing is known",
            .undefined = "the model has no language-model head, or reads both ways",
            .need = MeasureNeed::model},
};

}  // namespace

Measures other_measures() {
  return kOtherRows;
}

}  // namespace headlight
