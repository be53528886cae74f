// The numbers of a study's file: packed one after the other, and read back without trust.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/studies/exact_sum.h"

namespace headlight {

/// Throws Error (input): these bytes are not those of a study.
[[noreturn]] inline void refuse_bytes(const std::string& file, const std::string& problem) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .problem = problem,
               .expected = "a file that `headlight heads --shard` or `headlight importance --shard` wrote"});
}

/// Whole numbers in as few bytes as they need: seven bits each, the last with its eighth bit clear.
class Packer {
 public:
  std::string bytes;
  void add(std::uint64_t number) {
    for (; number >= 0x80U; number >>= 7U) bytes += static_cast<char>(number | 0x80U);
    bytes += static_cast<char>(number);
  }
  void add(Int128 number) {
    add(static_cast<std::uint64_t>(number));
    add(static_cast<std::uint64_t>(number >> 64));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
};

/// Throws Error (input) where there is no such number. `bytes` and `file` outlive it.
class Unpacker {
 public:
  Unpacker(std::string_view bytes, const std::string& file) : rest_(bytes), file_(file) {}
  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) refuse_bytes(file_, "the numbers end too early");
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) return number;
    }
    refuse_bytes(file_, "a number has too many digits");
  }
  std::int64_t count() {
    const std::uint64_t found = number();
    if (found > static_cast<std::uint64_t>(ExactSum::kMostCounted)) refuse_bytes(file_, "a count is too large");
    return static_cast<std::int64_t>(found);
  }
  Int128 wide() {
    const std::uint64_t low = number(), high = number();
    return static_cast<Int128>((static_cast<unsigned __int128>(high) << 64U) | low);
  }
  double real() { return std::bit_cast<double>(number()); }
  std::string text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) refuse_bytes(file_, "a text ends too early");
    std::string found(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return found;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  const std::string& file_;
};

}  // namespace headlight
