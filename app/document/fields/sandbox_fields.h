// The sandbox's fields, a row each (field.h).
#pragma once

#include "app/document/fields/field.h"
#include "engine/model/model.h"

namespace headlight {

/// Parameters set by hand have no row: they are a list, which belongs to the parameters dialog.
std::span<const Field<SandboxSpec>> sandbox_fields();

}  // namespace headlight
