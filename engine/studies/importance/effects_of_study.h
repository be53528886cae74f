// A study of effects as a figure keeps it.
#pragma once

#include <memory>

#include "engine/studies/study_file.h"
#include "engine/targets/effects_of_texts.h"

namespace headlight {

/// Null: the study is of measures, or names a target that this version cannot read.
std::shared_ptr<const EffectsOfTexts> effects_over_texts(const StoredStudy& stored);

/// Its ways to change heads side by side, in this order, with how alike they rank the heads. Those that it has not are left out.
ComparedEffects compared_over_texts(const EffectsOfTexts& effects, const std::vector<EffectMethod>& methods);

}  // namespace headlight
