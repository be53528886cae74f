#include "engine/formats/digest.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>

#include "engine/core/error.h"

namespace headlight {

struct Digest::State {
  explicit State(const EVP_MD* kind) : context(EVP_MD_CTX_new()) {
    if (context == nullptr || EVP_DigestInit_ex(context, kind, nullptr) != 1) throw Error({.problem = "a checksum could not be started"});
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  EVP_MD_CTX* context;
};

Digest::Digest(std::unique_ptr<State> state) : state_(std::move(state)) {}
Digest::Digest(Digest&&) noexcept = default;
Digest::~Digest() = default;

Digest Digest::sha256() {
  return Digest(std::make_unique<State>(EVP_sha256()));
}

Digest Digest::git_blob(std::uint64_t length) {
  Digest digest(std::make_unique<State>(EVP_sha1()));
  const std::string head = fmt::format("blob {}", length);
  digest.add(std::as_bytes(std::span(head.c_str(), head.size() + 1)));  // with its final zero
  return digest;
}

void Digest::add(std::span<const std::byte> bytes) {
  if (EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) != 1) throw Error({.problem = "a checksum could not be computed"});
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes = {};
  unsigned length = 0;
  if (EVP_DigestFinal_ex(state_->context, bytes.data(), &length) != 1) throw Error({.problem = "a checksum could not be computed"});
  std::string text;
  for (unsigned at = 0; at < length; ++at) text += fmt::format("{:02x}", bytes[at]);
  return text;
}

}  // namespace headlight
