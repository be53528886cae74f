// The sandbox's fields, a row each (field.h).
#pragma once

#include "app/document/fields/field.h"
#include "engine/model/model.h"

namespace headlight {

/// Parameters set by hand are no row: they are a list, and the parameters dialog's.
std::span<const Field<SandboxSpec>> sandbox_fields();

}  // namespace headlight
