#include "engine/formats/zip_file.h"

#include <gmock/gmock.h>

#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int byte = 0; byte < bytes; ++byte) text += static_cast<char>(number >> (8 * byte) & 0xFF);
  return text;
}

/// An archive of one deflated member, attn.npy, whose headers claim these sizes (PKWARE's APPNOTE 4.3.7, 4.3.12, 4.3.16).
std::string archive_claiming(std::uint64_t packed, std::uint64_t unpacked) {
  constexpr int kDeflated = 8;
  const std::string name = "attn.npy";
  const std::string sizes = little(0, 4) + little(packed, 4) + little(unpacked, 4) + little(name.size(), 2) + little(0, 2);
  const std::string local = "PK\x03\x04" + little(20, 2) + little(0, 2) + little(kDeflated, 2) + little(0, 4) + sizes + name;
  const std::string data(packed, '\0');
  const std::string central = "PK\x01\x02" + little(20, 2) + little(20, 2) + little(0, 2) + little(kDeflated, 2) + little(0, 4) + sizes +
                              std::string(14, '\0') + name;
  const std::string end = "PK\x05\x06" + little(0, 4) + little(1, 2) + little(1, 2) + little(central.size(), 4) +
                          little(local.size() + data.size(), 4) + little(0, 2);
  return local + data + central + end;
}

// The corpus of broken files has the same with real zeros (npz_019); its manifest takes no status but 0 and 3.
TEST(ZipFile, ABombIsAnInputThatIsNotAcceptedHoweverLargeItWouldBe) {
  const testing::TemporaryFolder folder;
  for (const std::uint64_t unpacked : {std::uint64_t{256} << 20, std::uint64_t{3} << 30}) {
    const auto path = folder.file("bomb.npz", archive_claiming(100'000, unpacked));
    const Error error = error_of([&] { ZipFile file(path); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.message(), AllOf(HasSubstr("attn.npy"), HasSubstr("compressed more than arrays of numbers can be"),
                                       HasSubstr(std::to_string(unpacked))));
  }
}

TEST(ZipFile, AMemberWithAnotherNameBeforeItsBytesIsRefused) {
  const testing::TemporaryFolder folder;
  std::string bytes = archive_claiming(100, 100);
  EXPECT_NO_THROW(ZipFile(folder.file("sound.npz", bytes)));
  bytes.replace(bytes.find("attn.npy"), 8, "mask.npy");
  const Error error = error_of([&] { ZipFile file(folder.file("two.npz", bytes)); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), AllOf(HasSubstr("two.npz: member attn.npy (byte 0)"), HasSubstr("found \"mask.npy\"")));
}

TEST(ZipFile, AMemberWhoseHeaderIsNotThereIsRefused) {
  const testing::TemporaryFolder folder;
  std::string bytes = archive_claiming(100, 100);
  const std::size_t offset = bytes.find("PK\x01\x02") + 42;
  bytes.replace(offset, 4, little(7, 4));
  EXPECT_EQ(error_of([&] { ZipFile file(folder.file("a.npz", bytes)); }).kind(), ErrorKind::input);
}

TEST(ZipFile, AnHonestArchiveThatIsTooLargeIsOverALimit) {
  const testing::TemporaryFolder folder;
  const auto path = folder.file("large.npz", archive_claiming(20'000'000, std::uint64_t{2} << 30));
  EXPECT_EQ(error_of([&] { ZipFile file(path); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight
