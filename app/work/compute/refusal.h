// Why a job on the compute thread came to nothing.
#pragma once

#include <optional>

#include "engine/core/error.h"

namespace headlight {

/// What to tell of the exception being handled; nullopt for a cancel. Called in a catch block.
std::optional<ErrorDetail> current_refusal();

}  // namespace headlight
