// Checksums that name what files hold: downloads, weights, corpora. Computed by OpenSSL, which uses the processor's own instructions for
// SHA-256 where it has them: models have gigabytes. Not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace headlight {

/// SHA-256 of a large file, or the id that Git gives a small one: SHA-1 of "blob LENGTH\0" and its bytes.
class Digest {
 public:
  static Digest sha256();
  static Digest git_blob(std::uint64_t length);
  Digest(Digest&&) noexcept;
  ~Digest();

  void add(std::span<const std::byte> bytes);
  std::string hex();  ///< once, at the end

 private:
  struct State;
  explicit Digest(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace headlight
