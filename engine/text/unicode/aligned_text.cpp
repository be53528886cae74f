#include "engine/text/unicode/aligned_text.h"

namespace headlight {

AlignedText AlignedText::of(std::string_view typed) {
  AlignedText result;
  result.text = typed;
  result.origin.reserve(typed.size());
  for (std::uint32_t at = 0; at < typed.size();) {
    const std::uint32_t end = at + code_point_at(typed, at).bytes;
    result.origin.insert(result.origin.end(), end - at, ByteRange{at, end});
    at = end;
  }
  return result;
}

void AlignedText::append(std::string_view bytes, ByteRange from) {
  text += bytes;
  origin.insert(origin.end(), bytes.size(), from);
}

void AlignedText::append(const AlignedText& other, ByteRange range) {
  text.append(other.text, range.begin, range.end - range.begin);
  origin.insert(origin.end(), other.origin.begin() + range.begin, other.origin.begin() + range.end);
}

ByteRange AlignedText::origin_of(ByteRange range) const {
  if (range.begin == range.end) return {};
  return {origin[range.begin].begin, origin[range.end - 1].end};
}

AlignedText AlignedText::rewritten(std::span<const RewrittenCodePoint> code_points, std::size_t skipped) const {
  AlignedText result;
  std::size_t at = 0;
  const auto consume = [&](std::size_t count) {
    for (; count > 0 && at < text.size(); --count) at += code_point_at(text, at).bytes;
  };
  consume(skipped);
  std::string bytes;
  for (const RewrittenCodePoint& code_point : code_points) {
    ByteRange from;
    if (code_point.consumed > 0 && at < origin.size()) {
      from = origin[at];
    } else if (at > 0) {
      from = origin[at - 1];
    } else if (!origin.empty()) {
      from = {origin[0].begin, origin[0].begin};
    }
    consume(code_point.consumed);
    bytes.clear();
    append_utf8(bytes, code_point.value);
    result.append(bytes, from);
  }
  return result;
}

}  // namespace headlight
