#include "app/cli/encoding_json.h"

#include <utility>

namespace headlight {

nlohmann::ordered_json encoding_json(const Encoding& encoding) {
  const std::vector<std::uint32_t> first = code_point_index(encoding.text);
  const std::vector<std::uint32_t> second = code_point_index(encoding.text_pair);
  nlohmann::ordered_json json = {
      {"ids", Json::array()}, {"tokens", Json::array()}, {"offsets", Json::array()}, {"type_ids", Json::array()}};
  for (const Token& token : encoding.tokens) {
    const std::vector<std::uint32_t>& index = token.type_id == 0 ? first : second;
    std::pair<std::uint32_t, std::uint32_t> offsets{0, 0};
    if (token.bytes.end > token.bytes.begin) offsets = {index.at(token.bytes.begin), index.at(token.bytes.end)};
    json["ids"].push_back(token.id);
    json["tokens"].push_back(token.text);
    json["offsets"].push_back({offsets.first, offsets.second});
    json["type_ids"].push_back(token.type_id);
  }
  return json;
}

}  // namespace headlight
