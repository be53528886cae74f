#include "engine/kernels/instruction_set.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace headlight {
namespace {

const InstructionSet& choose() {
  const std::array<const InstructionSet*, 3> widest_first = {&kAvx512Instructions, &kAvx2Instructions, &kPortableInstructions};
  const char* asked = std::getenv("HEADLIGHT_INSTRUCTIONS");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  for (const InstructionSet* set : widest_first) {
    if (asked != nullptr && std::string_view(asked) == set->name && set->is_supported()) return *set;
  }
  for (const InstructionSet* set : widest_first) {
    if (set->is_supported()) return *set;
  }
  return kPortableInstructions;
}

}  // namespace

const InstructionSet& instruction_set() {
  static const InstructionSet& chosen = choose();
  return chosen;
}

}  // namespace headlight
