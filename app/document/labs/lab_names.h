// Labs as words, for command lines and for the files of figures: "dropout:p=0.2,sample=3".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/document/labs/labs.h"

namespace headlight {

/// One thing that a person sets in a lab.
struct LabSetting {
  std::string_view name;
  std::string_view expected;                                     ///< "a number from 0 to 0.9"
  std::string (*text)(const LabSettings& settings);              ///< empty: as it usually is
  bool (*take)(LabSettings& settings, const std::string& text);  ///< false: not a valid value
};
/// What of the things that are looked at decides what a lab shows.
enum class LabUse : std::uint8_t { nothing, layer, head, query };

struct LabKind {
  Lab lab;
  std::string_view name;  ///< "mask-conventions"
  LabUse (*use)(const LabSettings& settings);
  std::span<const LabSetting> settings;
};
std::span<const LabKind> lab_kinds();
/// "attempts, dropout, …", and "dropout (p, sample), …"
std::string lab_names();
std::string lab_names_with_settings();

/// Null: the lab has no words, and no figure.
const LabKind* kind_of(const Lab& lab);
LabUse use_of(const LabSettings& settings);

/// Empty where the lab has no words.
std::string lab_text(const LabSettings& settings);
/// Throws Error (usage, about `option`) for unknown names, and for settings of other labs.
LabSettings parse_lab(const std::string& text, const std::string& option);

/// The lab of a request as a figure is asked for it, without what it found.
LabFigureRequest figure_of_lab(const LabRequest& request);
/// What a figure's lab is of. Throws Error (usage) for words that are no lab, and for a head that is not there.
LabRequest request_of_lab(const LabFigureRequest& figure, std::shared_ptr<const Snapshot> snapshot);

}  // namespace headlight
