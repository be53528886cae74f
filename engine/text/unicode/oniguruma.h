// Patterns in tokenizer files are written for Oniguruma (github.com/kkos/oniguruma, doc/RE, Ruby syntax); we match with PCRE2, which reads
// some of the same syntax differently. This translates a pattern into PCRE2's syntax.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// What differs and is rewritten:
///   \h \H         hexadecimal digits (PCRE2: horizontal white space)
///   \w \W \b \B   alphabetic, marks, digits, connectors, ²³¹¼½¾ (PCRE2 10.42: letters, numbers, "_")
///   \s \S         Unicode's White_Space (PCRE2: also U+180E)
///   [a[bc]] [a&&b]   classes inside classes and what they have in common (PCRE2: "[" and "&" as characters)
///   \uHHHH        a code point
///   \v            the vertical tab (PCRE2: all vertical white space)
///   \p{Han} …     a script (PCRE2: its extensions too, "、" among them)
///   (?m)          the dot matches line breaks too (PCRE2: s)
///   {,n}          up to n times; {n,m}+ repeats what {n,m} matches (PCRE2: does not give back)
///   \p{Alnum} …   the POSIX names as properties
/// Mistakes are left as they are: PCRE2 refuses them.
std::string from_oniguruma(std::string_view expression);

}  // namespace headlight
