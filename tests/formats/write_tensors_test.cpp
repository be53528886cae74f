#include "engine/formats/tensors/write_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <cstring>
#include <filesystem>

#include "engine/formats/tensors/safetensors.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::bytes_of;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::vector<float> kValues = {0.0F, -1.5F, 3e38F, 4.0F, 5.0F, 6.0F};

/// A .npy file taken apart by its published layout.
struct Npy {
  std::string header;
  std::string data;
};
Npy parse_npy(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length = static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  EXPECT_EQ((10 + length) % 64, 0U) << "the data must be aligned";
  EXPECT_EQ(bytes.at(10 + length - 1), '\n');
  return {bytes.substr(10, length), bytes.substr(10 + length)};
}

std::string member(const std::filesystem::path& archive, const std::string& name) {
  int error = 0;
  zip_t* zip = zip_open(archive.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
  zip_stat_t status;
  EXPECT_EQ(zip_stat(zip, name.c_str(), 0, &status), 0) << name;
  std::string bytes(status.size, '\0');
  zip_file_t* file = zip_fopen(zip, name.c_str(), 0);
  EXPECT_EQ(zip_fread(file, bytes.data(), bytes.size()), static_cast<zip_int64_t>(bytes.size()));
  zip_fclose(file);
  zip_discard(zip);
  return bytes;
}

TEST(WriteSafetensors, ReadsBackAsWritten) {
  const TemporaryFolder folder;
  const std::vector<TensorToWrite> tensors = {
      {"z/é\n", {2, 3}, kValues}, {"empty", {0, 7}, {}}, {"scalar", {}, std::span(kValues).first(1)}};
  write_safetensors(folder / "t", tensors, {{"text", "line\nbreak \"quoted\""}, {"tokens", "[]"}});
  const SafetensorsFile file(folder / "t");
  EXPECT_EQ(file.read_floats(*file.find("z/é\n")).values, kValues);
  EXPECT_THAT(file.find("empty")->shape, ElementsAre(0, 7));
  EXPECT_TRUE(file.find("scalar")->shape.empty());
  EXPECT_EQ(file.metadata().at("text"), "line\nbreak \"quoted\"");
  EXPECT_EQ(file.tensors()[0].begin % 8, 0U) << "the header is padded";
  EXPECT_TRUE(file.warnings().empty());
}

TEST(WriteNpy, HoldsShapeAndNumbersInThePublishedLayout) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", {"ignored", {3, 2}, kValues});
  const Npy npy = parse_npy(bytes_of(folder / "a.npy"));
  EXPECT_THAT(npy.header, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"));
  EXPECT_EQ(npy.data, std::string(reinterpret_cast<const char*>(kValues.data()), kValues.size() * 4));
  write_npy(folder / "one.npy", {"", {1}, std::span(kValues).first(1)});
  EXPECT_THAT(parse_npy(bytes_of(folder / "one.npy")).header, HasSubstr("'shape': (1,)"));
  write_npy(folder / "scalar.npy", {"", {}, std::span(kValues).first(1)});
  EXPECT_THAT(parse_npy(bytes_of(folder / "scalar.npy")).header, HasSubstr("'shape': ()"));
}

TEST(WriteNpz, HoldsOneMemberPerTensorAndPerText) {
  const TemporaryFolder folder;
  const std::vector<TensorToWrite> tensors = {{"attention.0", {2, 3}, kValues}, {"empty", {0}, {}}};
  write_npz(folder / "a.npz", tensors, {{"text", "aé€😀"}, {"none", ""}});
  const Npy attention = parse_npy(member(folder / "a.npz", "attention.0.npy"));
  EXPECT_EQ(attention.data.size(), kValues.size() * 4);
  EXPECT_EQ(std::memcmp(attention.data.data(), kValues.data(), attention.data.size()), 0);
  EXPECT_TRUE(parse_npy(member(folder / "a.npz", "empty.npy")).data.empty());
  const Npy text = parse_npy(member(folder / "a.npz", "text.npy"));
  EXPECT_THAT(text.header, HasSubstr("'descr': '<U4'"));
  std::u32string code_points(4, U'\0');
  ASSERT_EQ(text.data.size(), 16U);
  std::memcpy(code_points.data(), text.data.data(), 16);
  EXPECT_EQ(code_points, U"aé€😀");
  EXPECT_THAT(parse_npy(member(folder / "a.npz", "none.npy")).header, HasSubstr("<U1"));
}

TEST(WriteNpz, SameNumbersGiveSameBytes) {
  const TemporaryFolder folder;
  const std::vector<TensorToWrite> tensors = {{"a", {6}, kValues}};
  write_npz(folder / "1", tensors, {{"k", "v"}});
  write_npz(folder / "2", tensors, {{"k", "v"}});
  EXPECT_EQ(bytes_of(folder / "1"), bytes_of(folder / "2"));
}

TEST(WriteNpz, KeepsTheModeOfTheFileItReplaces) {
  const TemporaryFolder folder;
  const auto path = folder.file("a.npz", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  write_npz(path, {}, {{"k", "v"}});
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing else is left";
}

TEST(WriteTensors, AFolderThatIsNotThereIsAWriteError) {
  const std::vector<TensorToWrite> tensors = {{"a", {6}, kValues}};
  EXPECT_EQ(error_of([&] { write_safetensors("/no/such/folder/a", tensors, {}); }).kind(), ErrorKind::write);
  EXPECT_EQ(error_of([&] { write_npz("/no/such/folder/a", tensors, {}); }).kind(), ErrorKind::write);
  EXPECT_EQ(error_of([&] { write_npy("/no/such/folder/a", tensors[0]); }).kind(), ErrorKind::write);
}

}  // namespace
}  // namespace headlight
