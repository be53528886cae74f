// The choices that a file of maps leaves open: which text of a batch, and what its first axis counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// The choices that the arrays of a file of maps leave open.
struct DumpAxes {
  std::int64_t texts = 1;                 ///< in the batch that these maps are one text of
  bool is_first_unnamed = false;          ///< nothing says whether the first of four axes counts layers or the texts of a batch
  std::vector<std::string> assumed = {};  ///< what was taken for granted, in a few words each, for badges: "arrays taken as steps"
};

/// What to do with a batch of several texts when none was chosen.
enum class UnchosenItem : std::uint8_t {
  refuse,  ///< the refusal names the choices: on the command line nothing shows which text was taken
  first,   ///< the first is read: the window shows which one it is, and lets another be chosen
};

}  // namespace headlight
