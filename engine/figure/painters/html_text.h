// Text in a page of HTML.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// As the text of an element, or of an attribute in quotation marks; what would steer a terminal or turn the line is escaped.
std::string in_html(const std::string& text);
/// Every `what` in `text` replaced by `by`.
std::string replaced(std::string text, std::string_view what, const std::string& by);

}  // namespace headlight
