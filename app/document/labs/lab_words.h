// What labs say of what they found: tables and sentences, for their pages and for figures alike.
#pragma once

#include <string>
#include <vector>

#include "app/document/labs/circuit_labs.h"
#include "app/document/labs/labs.h"

namespace headlight {

/// The largest asymmetry of all heads of an attempt.
Asymmetry widest_asymmetry(const AttemptsFound::Column& column);
std::string asymmetry_text(float value);
/// "3 × 16 = 48"
std::string output_width_text(const AttemptsFound::Column& column);
/// The largest absolute value in all maps of a kind.
float largest_of(const AttemptsFound& found, std::shared_ptr<const MapPicture> AttemptsFound::Head::*kind);
/// What is left out, and what looks odd but is right.
std::string attempts_note(const AttemptsFound& found, int heads);

/// `has_room`: for three digits.
SheetTable fills_table(const FillsFound& found, bool has_room);
/// `has_hints`: with what a person can do about it.
std::vector<std::string> fills_notes(const FillsFound& found, const LabRequest& shown, bool has_hints);

SheetTable scaling_table(const ScalingFound& found, const LabRequest& shown);
std::string scaling_note(const ScalingFound& found);

std::string dropout_note(const DropoutFound& found, const LabRequest& shown);
/// Of all rows, then of the first.
SheetTable row_sums_table(const DropoutFound& found);
/// Which rows it has; empty: all.
std::string row_sums_note(const DropoutFound& found);

SheetTable cost_table(const CostFound& found, bool is_fixed);
std::vector<std::string> cost_notes(const CostFound& found, const LabRequest& shown);

/// `has_room`: for three digits.
SheetTable toy_table(const ToyFound& found, bool has_room);
std::string toy_item_text(const LabRequest& shown, std::size_t item);
std::string toy_note(const ToyFound& found);

std::string strips_note(const ConcatenationFound& found, const LabRequest& shown);
/// The block of a strip that is of the head being looked at; −1: it has no blocks.
int framed_block(const ConcatenationFound& found, const ConcatenationFound::Strip& strip, HeadId head);

SheetTable qk_table(const CircuitsFound& found);
SheetTable ov_table(const CircuitsFound& found);
SheetTable compositions_table(const CircuitsFound& found, const LabRequest& shown);
/// The compositions that it has.
std::vector<std::pair<Composition, bool>> listed_compositions(const CircuitsFound& found, HeadId head);
/// Why there is no such table; empty: there is one.
std::string why_no_qk(const CircuitsFound& found);
std::string why_no_ov(const CircuitsFound& found);
std::string qk_note(const CircuitsFound& found);
std::string ov_note(const CircuitsFound& found);
std::string copying_note(const CircuitsFound& found);
std::string compositions_note(const CircuitsFound& found);

SheetTable effective_table(const EffectiveFound& found);
/// `has_hints`: likewise.
std::vector<std::string> effective_notes(const EffectiveFound& found, const LabRequest& shown, bool has_hints);
/// Which rows the table has, and what is raised in it.
std::string effective_rows_note(const EffectiveFound& found);

}  // namespace headlight
