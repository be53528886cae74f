#include "app/gui/columns/saved_columns.h"

#include <cmath>

namespace headlight {
namespace {

constexpr std::size_t kMost = 256;

/// Of an object, or an empty text.
std::string text_of(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

void read_end(const Json& json, const char* key, double& end) {
  if (json.contains(key) && json[key].is_number()) end = json[key].get<double>();
}

void read_flag(const Json& json, const char* key, bool& flag) {
  if (json.contains(key) && json[key].is_boolean()) flag = json[key].get<bool>();
}

}  // namespace

Json sorts_json(const std::vector<ColumnSort>& sorts) {
  Json json = Json::array();
  for (const ColumnSort& sort : sorts) json.push_back({{"column", sort.column}, {"rising", sort.is_rising}});
  return json;
}

std::vector<ColumnSort> sorts_from_json(const Json& json, const char* key) {
  std::vector<ColumnSort> sorts;
  if (!json.contains(key) || !json[key].is_array()) return sorts;
  for (const Json& each : json[key]) {
    ColumnSort sort{text_of(each, "column")};
    if (sort.column.empty() || sorts.size() == kMost) continue;
    read_flag(each, "rising", sort.is_rising);
    sorts.push_back(std::move(sort));
  }
  return sorts;
}

Json ranges_json(const std::vector<ColumnRange>& ranges) {
  Json json = Json::array();
  for (const ColumnRange& range : ranges) {
    Json& each = json.emplace_back(Json{{"column", range.column}, {"has_low", range.has_low}, {"has_high", range.has_high}});
    if (std::isfinite(range.low)) each["low"] = range.low;
    if (std::isfinite(range.high)) each["high"] = range.high;
  }
  return json;
}

std::vector<ColumnRange> ranges_from_json(const Json& json, const char* key) {
  std::vector<ColumnRange> ranges;
  if (!json.contains(key) || !json[key].is_array()) return ranges;
  for (const Json& each : json[key]) {
    ColumnRange range{.column = text_of(each, "column")};
    if (range.column.empty() || ranges.size() == kMost) continue;
    read_end(each, "low", range.low);
    read_end(each, "high", range.high);
    read_flag(each, "has_low", range.has_low);
    read_flag(each, "has_high", range.has_high);
    if (range.low <= range.high) ranges.push_back(std::move(range));
  }
  return ranges;
}

Json arrangement_json(const HeadArrangement& arrangement) {
  Json json{{"filters", ranges_json(arrangement.ranges)}, {"tint", arrangement.tint}};
  if (arrangement.sort) json["sorts"] = sorts_json({*arrangement.sort});
  return json;
}

HeadArrangement arrangement_from_json(const Json& json, const char* key) {
  HeadArrangement arrangement;
  if (!json.contains(key) || !json[key].is_object()) return arrangement;
  const std::vector<ColumnSort> sorts = sorts_from_json(json[key], "sorts");
  if (!sorts.empty()) arrangement.sort = sorts.front();
  arrangement.ranges = ranges_from_json(json[key], "filters");
  arrangement.tint = text_of(json[key], "tint");
  return arrangement;
}

}  // namespace headlight
