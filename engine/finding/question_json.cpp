#include <algorithm>

#include "engine/core/error.h"
#include "engine/finding/head_question.h"

namespace headlight {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000;
constexpr std::size_t kMostBlocks = 100'000;

/// One of 0 … kMostTokens; -1 for anything else.
int place_of(const Json& json) {
  if (!json.is_number_integer()) return -1;
  const auto number = json.get<std::int64_t>();
  return number >= 0 && number <= kMostTokens ? static_cast<int>(number) : -1;
}

/// [query_begin, query_end, key_begin, key_end, 1 or 0].
std::optional<CellBlock> block_of(const Json& json) {
  if (!json.is_array() || json.size() != 5) return std::nullopt;
  const CellBlock block{place_of(json[0]), place_of(json[1]), place_of(json[2]), place_of(json[3]), place_of(json[4]) == 1};
  const bool is_sound =
      block.query_begin >= 0 && block.query_end > block.query_begin && block.key_begin >= 0 && block.key_end > block.key_begin;
  return is_sound ? std::optional(block) : std::nullopt;
}

HeadQuestion cells_from_json(const Json& json) {
  HeadQuestion question{.kind = HeadQuestion::Kind::cells};
  const Json& cells = json["cells"];
  if (!cells.is_array() || cells.empty() || cells.size() > kMostBlocks) return {};
  for (const Json& each : cells) {
    const std::optional<CellBlock> block = block_of(each);
    if (!block) return {};
    question.cells.push_back(*block);
  }
  if (!json.contains("text") || !json["text"].is_string() || !json.contains("tokens")) return {};
  question.text = json["text"].get<std::string>();
  question.tokens = place_of(json["tokens"]);
  for (const Stack stack : {Stack::only, Stack::encoder, Stack::decoder, Stack::cross}) {
    if (json.contains("stack") && json["stack"] == name_of(stack)) question.stack = stack;
  }
  return question.tokens > 0 ? question : HeadQuestion{};
}

}  // namespace

Json to_json(const HeadQuestion& question) {
  switch (question.kind) {
    case HeadQuestion::Kind::nothing:
      break;
    case HeadQuestion::Kind::pattern:
      return {{"pattern", row_of(question.pattern).id}};
    case HeadQuestion::Kind::mask:
      return {{"mask", question.mask}};
    case HeadQuestion::Kind::cells: {
      Json cells = Json::array();
      for (const CellBlock& block : question.cells) {
        cells.push_back({block.query_begin, block.query_end, block.key_begin, block.key_end, block.is_allowed ? 1 : 0});
      }
      return {{"cells", std::move(cells)}, {"text", question.text}, {"tokens", question.tokens}, {"stack", name_of(question.stack)}};
    }
  }
  return nullptr;
}

HeadQuestion question_from_json(const Json& json) {
  if (!json.is_object()) return {};
  if (json.contains("cells")) return cells_from_json(json);
  if (json.contains("mask") && json["mask"].is_string()) {
    try {
      return question_of_mask(json["mask"].get<std::string>());
    } catch (const Error&) {
      return {};
    }
  }
  if (!json.contains("pattern") || !json["pattern"].is_string()) return {};
  const std::span<const TargetPatternRow> rows = target_patterns();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const TargetPatternRow& each) { return json["pattern"] == each.id; });
  return row == rows.end() ? HeadQuestion{} : question_of(row->pattern);
}

}  // namespace headlight
