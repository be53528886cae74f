#include "app/session/names.h"

namespace headlight {

std::string_view name_of(PositionKind kind) {
  switch (kind) {
    case PositionKind::none:
      return "none";
    case PositionKind::learned:
      return "learned";
    case PositionKind::sinusoidal:
      return "sinusoidal";
  }
  return "";
}

std::string_view name_of(SandboxUnit unit) {
  return unit == SandboxUnit::words ? "words" : "bytes";
}

std::string_view name_of(Scope::Kind kind) {
  switch (kind) {
    case Scope::Kind::all:
      return "all";
    case Scope::Kind::layer:
      return "layer";
    case Scope::Kind::head:
      return "head";
  }
  return "";
}

std::string_view name_of(Theme theme) {
  return theme == Theme::dark ? "dark" : "light";
}

}  // namespace headlight
