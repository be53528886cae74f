// Why a job on the compute thread failed.
#pragma once

#include <optional>

#include "engine/core/error.h"

namespace headlight {

/// Describes the exception being handled; nullopt for a cancel. Called in a catch block.
std::optional<ErrorDetail> current_refusal();

}  // namespace headlight
