// Options of `headlight export` that say which number of the output a figure explains, and how heads are changed.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options/options.h"
#include "app/document/document.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/studies/study_file.h"

namespace headlight {

class EffectOptions {
 public:
  /// `query` needs no text where a study is given.
  EffectOptions(CLI::App& command, QueryOptions& query);
  /// Of a figure with these needs, besides --query, --layer and --head.
  static std::vector<std::string_view> names(const FigureNeeds& needs);
  /// `position`: whose likeliest token is explained where no target is named. `head`: whose part is split; none: that of the largest. Throws Error
  /// (usage) where target and position are both given, where the other text of a patch is missing, and as take_texts.
  EffectsRequest request(const FigureNeeds& needs, const Document& document, std::optional<Index> position,
                         std::optional<HeadId> head) const;
  /// Whose numbers over texts are shown in place of the text's own; null: none is given.
  const StoredStudy* study() const { return study_ ? &*study_ : nullptr; }

 private:
  void add_study(CLI::App& command, QueryOptions& query);
  /// Throws Error (usage) for a study of measures, and for options that say again what it has done.
  EffectsRequest request_of_study(const FigureNeeds& needs) const;
  /// Methods of effects, and what heads take from another text.
  void read_methods(const std::string& ids);
  /// Throws Error (usage) where the other text is missing, or for nothing.
  void take_patched(EffectsRequest& effects) const;
  /// Throws Error (usage) where a method needs texts that are not given, or none needs those that are.
  void take_texts(const FigureNeeds& needs, EffectsRequest& effects) const;

  std::optional<Target> target_;
  std::optional<EffectMethod> method_;
  std::vector<EffectMethod> methods_;
  std::vector<PatchedPart> patched_;
  std::string other_text_, texts_file_;
  std::optional<PatchedPart> part_;
  std::optional<StoredStudy> study_;
};

}  // namespace headlight
