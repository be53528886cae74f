// What is being typed into a text box, before it is taken over: for boxes whose text must be readable before it counts.
#pragma once

#include <optional>
#include <string>

namespace headlight {

/// The text of the text_box of this name in the current window while it has the keyboard; nothing otherwise.
std::optional<std::string> text_being_typed(const char* name);

}  // namespace headlight
