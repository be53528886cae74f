// The four normalization forms of Unicode Standard Annex 15, with alignment.
#pragma once

#include "engine/text/unicode/aligned_text.h"

namespace headlight {

enum class UnicodeForm : std::uint8_t { nfc, nfd, nfkc, nfkd };

AlignedText to_unicode_form(const AlignedText& text, UnicodeForm form);

}  // namespace headlight
