// `headlight heads --measures` for what is not made of the rows of one map: measures of random tokens that are repeated, which need no text,
// and content dependence, which needs several.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/progress.h"
#include "engine/forward/query.h"
#include "engine/studies/corpus.h"

namespace headlight {

/// What a list of ids asks for. One kind cannot be asked for together with another: their texts are not the same.
enum class MeasuredTexts : std::uint8_t {
  given,     ///< those of -t or --texts
  repeated,  ///< tokens that are drawn for the model
  several,   ///< those of --texts, all at once
};
/// Throws Error (usage) for several kinds together.
MeasuredTexts measured_texts(std::string_view ids);

/// Of repeated random tokens, the mean of `draws` of them: prefix-matching on 25 tokens four times (Olsson et al. 2022), induction-offset and
/// induction-loss on 50 tokens twice (TransformerLens), copying-score on the former. A table as CSV; n: the draws. has_chance: beside every
/// number what 20 models of random weights give on average (ID.random-weights), and how many of their standard deviations it is away (.z).
/// Throws Error: usage, or input where the model reads both ways, has too few positions, or predicts nothing.
std::string repeated_token_table(const Query& query, std::string_view ids, int draws, bool has_chance, int threads, Progress& progress);

/// "content-dependence:N" of all texts of a file with at least N tokens, each cut to N. A table as CSV; n: those texts; has_chance: as above. Throws Error: usage for
/// N, input for a file without two such texts.
std::string content_dependence_table(const Query& query, std::string_view id, const std::filesystem::path& texts,
                                     const CorpusFormat& format, bool has_chance, int threads, Progress& progress);

}  // namespace headlight
