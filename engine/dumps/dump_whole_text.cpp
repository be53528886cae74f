#include "engine/dumps/dump_whole_text.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::string_view kDecoder = "decoder.";

std::string_view prefix_of(std::string_view name) {
  return name.starts_with(kDecoder) ? kDecoder : std::string_view();
}

std::string_view part_of(std::string_view name) {
  return name.substr(prefix_of(name).size());
}

bool is_offsets_name(std::string_view part) {
  return part == "offsets" || part == "offset_mapping";
}

bool is_special_name(std::string_view part) {
  return part == "special_tokens_mask";
}

void read_special(const Json& flags, DumpWholeText& into) {
  into.are_special.clear();
  for (const Json& flag : flags) into.are_special.push_back(flag == 1 || flag == true);
}

void add_offset(double begin, double end, DumpWholeText& text) {
  constexpr double kMost = 1e9;
  const auto is_count = [](double value) { return value >= 0 && value < kMost && value == std::floor(value); };
  if (is_count(begin) && is_count(end)) {
    text.offsets.emplace_back(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
  }
}

void read_offsets(const Json& pairs, DumpWholeText& into) {
  if (!pairs.is_array()) return;
  for (const Json& pair : pairs) {
    const bool is_pair = pair.is_array() && pair.size() == 2 && pair[0].is_number() && pair[1].is_number();
    if (is_pair) add_offset(pair[0].get<double>(), pair[1].get<double>(), into);
  }
}

/// Decoded if it is a JSON string, else unchanged.
std::string text_in(const std::string& value, TextForm form, const DumpFile& file) {
  if (form == TextForm::plain || !value.starts_with('"')) return value;
  try {
    const JsonTree tree = parse_json(value, file.file);
    if (tree->is_string()) return tree->get<std::string>();
  } catch (const Error&) {
    return value;  // a text that begins with a quotation mark
  }
  return value;
}

}  // namespace

bool is_whole_text_name(std::string_view name) {
  const std::string_view part = part_of(name);
  return part == "text" || part == "text_pair" || is_offsets_name(part) || is_special_name(part);
}

void take_whole_text(std::string_view name, const std::string& value, TextForm form, DumpFile& into) {
  DumpWholeText& text = into.whole_texts[std::string(prefix_of(name))];
  const std::string_view part = part_of(name);
  if (part == "text") {
    text.text = text_in(value, form, into);
  } else if (part == "text_pair") {
    text.pair = text_in(value, form, into);
  } else {
    try {
      const JsonTree list = parse_json(value, into.file);
      is_special_name(part) ? read_special(*list, text) : read_offsets(*list, text);
    } catch (const Error&) {
      if (!is_special_name(part)) text.offsets.clear();  // the tokens are joined instead
    }
  }
}

void take_offsets(const DumpTensor& array, DumpFile& into) {
  const std::string prefix(prefix_of(array.name));
  if (is_special_name(part_of(array.name)) && array.shape.size() == 1) {
    std::vector<bool>& special = into.whole_texts[prefix].are_special;
    special.assign(array.values.size(), false);
    for (std::size_t at = 0; at < array.values.size(); ++at) special[at] = array.values[at] != 0;
  }
  if (is_special_name(part_of(array.name)) || array.shape.size() != 2 || array.shape[1] != 2) return;
  DumpWholeText& text = into.whole_texts[prefix];
  for (std::size_t at = 0; at + 1 < array.values.size(); at += 2) {
    add_offset(static_cast<double>(array.values[at]), static_cast<double>(array.values[at + 1]), text);
  }
}

const DumpWholeText* find_whole_text(const DumpFile& file, std::string_view tokens_name) {
  const auto found = file.whole_texts.find(std::string(tokens_name.starts_with("decoder") ? kDecoder : std::string_view()));
  const bool says_nothing = found == file.whole_texts.end() || (found->second.text.empty() && found->second.are_special.empty());
  return says_nothing ? nullptr : &found->second;
}

}  // namespace headlight
