// Sentences of several lines in one-line boxes: a line break is shown as ↵ there, and stays a line break in the document.
#pragma once

#include <string>
#include <string_view>

#include "engine/text/signs.h"

namespace headlight {

/// "a\nb" as "a↵b"; "\r\n" and "\r" are line breaks too.
std::string on_one_line(std::string_view text);

/// `text` after an edit: `edited` is on_one_line(text) as a person changed it. A ↵ that came with the change is a line break; one that
/// `text` held as a character, and that was left alone, stays one.
std::string with_line_breaks(std::string_view text, std::string_view edited);

}  // namespace headlight
