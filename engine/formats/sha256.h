// SHA-256 (FIPS 180-4), for naming what files hold. Not for secrets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace headlight {

class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  std::string hex();  ///< of all that was added; once, at the end

 private:
  void take_block(const std::byte* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};
  std::size_t waiting_ = 0;   // bytes of `pending_`
  std::uint64_t length_ = 0;  // bytes in all
};

}  // namespace headlight
