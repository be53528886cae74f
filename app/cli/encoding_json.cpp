#include "app/cli/encoding_json.h"

namespace headlight {

nlohmann::ordered_json encoding_json(const Encoding& encoding) {
  const std::vector<std::uint32_t> first = code_point_index(encoding.text);
  const std::vector<std::uint32_t> second = code_point_index(encoding.text_pair);
  nlohmann::ordered_json json = {
      {"ids", Json::array()}, {"tokens", Json::array()}, {"offsets", Json::array()}, {"type_ids", Json::array()}};
  for (const Token& token : encoding.tokens) {
    const std::vector<std::uint32_t>& index = token.sequence == 0 ? first : second;
    json["ids"].push_back(token.id);
    json["tokens"].push_back(token.text);
    json["offsets"].push_back({index.at(token.bytes.begin), index.at(token.bytes.end)});
    json["type_ids"].push_back(token.type_id);
  }
  return json;
}

}  // namespace headlight
