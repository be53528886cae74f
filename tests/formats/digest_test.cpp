#include "engine/formats/digest.h"

#include <gtest/gtest.h>

#include <string_view>

namespace headlight {
namespace {

std::string digest(std::string_view text, std::size_t piece = 1000) {
  Digest sha = Digest::sha256();
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) sha.add(std::as_bytes(std::span(text.substr(0, piece))));
  return sha.hex();
}

// The examples of FIPS 180-4, and a million times "a" from NIST's own list.
TEST(Digest, GivesThePublishedDigests) {
  EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, IsTheSameHoweverTheBytesComeInPieces) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>('a' + i % 26);
  for (std::size_t piece = 1; piece < 200; ++piece) EXPECT_EQ(digest(text, piece), digest(text)) << piece;
}

}  // namespace
}  // namespace headlight
