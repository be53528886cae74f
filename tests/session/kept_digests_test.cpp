#include "app/recipe/kept_digests.h"

#include <gmock/gmock.h>

#include "app/session/session.h"
#include "tests/testing.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using testing::bytes_of;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TemporaryFolder;
using testing::wait_until;

namespace fs = std::filesystem;

/// A name like a digest's.
std::string digest(char digit) {
  return std::string(64, digit);
}

class KeptDigests : public ::testing::Test {
 protected:
  /// Of a file that may not be there.
  static WeightsStamp stamp(const std::string& path, std::uint64_t size = 5, int seconds = 7) {
    return {{{path, size, fs::file_time_type(std::chrono::seconds(seconds))}}};
  }
  const TemporaryFolder folder_;
  const fs::path file_ = folder_.path() / "cache" / "weights.json";
};

TEST_F(KeptDigests, ADigestIsFoundAgainWhilePathSizeAndTimeAreTheSame) {
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a")), "");
  keep_digest(file_, {stamp("/m/a"), digest('a')});
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a")), digest('a'));
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/./a")), digest('a')) << "the same path, written otherwise";
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/b")), "");
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a", 6)), "");
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a", 5, 8)), "");
}

TEST_F(KeptDigests, ANewerDigestOfTheSameFilesTakesThePlaceOfTheOld) {
  keep_digest(file_, {stamp("/m/a"), digest('a')});
  keep_digest(file_, {stamp("/m/b"), digest('b')});
  keep_digest(file_, {stamp("/m/a", 6), digest('c')});
  EXPECT_THAT(read_kept_digests(file_), SizeIs(2));
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a")), "");
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a", 6)), digest('c'));
}

TEST_F(KeptDigests, TheOldestAreDropped) {
  for (std::size_t i = 0; i < kMostKeptDigests + 3; ++i) keep_digest(file_, {stamp("/m/" + std::to_string(i)), digest('a')});
  EXPECT_THAT(read_kept_digests(file_), SizeIs(kMostKeptDigests));
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/2")), "");
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/3")), digest('a'));
}

TEST_F(KeptDigests, OfADamagedFileNothingIsTakenAndTheNextDigestWritesItAnew) {
  keep_digest(file_, {stamp("/m/a"), digest('a')});
  const std::string whole = bytes_of(file_);
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    EXPECT_THAT(read_kept_digests(file_), IsEmpty()) << size;
  }
  for (const char* text : {"[]", "null", R"({"format":"headlight-weights","version":1,"models":7})",
                           R"({"format":"headlight-weights","version":2,"models":[]})",
                           R"({"format":"headlight-weights","version":1,"models":[{"files":[{"path":1}],"sha256":"x"}]})"}) {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << text;
    EXPECT_THAT(read_kept_digests(file_), IsEmpty()) << text;
  }
  keep_digest(file_, {stamp("/m/a"), digest('a')});
  EXPECT_EQ(find_kept_digest(file_, stamp("/m/a")), digest('a'));
}

TEST_F(KeptDigests, WhereNothingCanBeWrittenNothingIsKept) {
  const fs::path below_a_file = folder_.file("plain", "x") / "weights.json";
  keep_digest(below_a_file, {stamp("/m/a"), digest('a')});
  keep_digest({}, {stamp("/m/a"), digest('a')});
  EXPECT_EQ(find_kept_digest(below_a_file, stamp("/m/a")), "");
  EXPECT_EQ(find_kept_digest({}, stamp("/m/a")), "");
}

/// Opens a model, and returns the digest that a saved document has of its weights.
std::string saved_digest(const fs::path& model, const fs::path& kept_in) {
  const TemporaryFolder folder;
  Session session(document_of_model(model.string()), 1);
  session.keep_digests_in(kept_in);
  wait_until([&] {
    session.check_weights();
    return session.has_weights_digest();
  });
  session.save(folder / "d.headlight.json");
  std::string problem;
  wait_until([&] { return session.take_saved(problem); });
  return Json::parse(bytes_of(folder / "d.headlight.json"))[kWeightsField]["sha256"].get<std::string>();
}

TEST_F(KeptDigests, ASecondStartTakesTheDigestFromTheFileAndAChangedModelDoesNot) {
  const fs::path model = folder_ / "model";
  fs::copy(fs::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2", model, fs::copy_options::recursive);
  const std::string computed = saved_digest(model, file_);
  ASSERT_THAT(read_kept_digests(file_), SizeIs(1));
  // Another digest in its place shows where the next one comes from.
  keep_digest(file_, {read_kept_digests(file_).front().stamp, digest('e')});
  EXPECT_EQ(saved_digest(model, file_), digest('e'));
  EXPECT_EQ(saved_digest(model, {}), computed) << "without the file";
  const fs::path weights = model / "model.safetensors";
  fs::last_write_time(weights, fs::last_write_time(weights) + std::chrono::seconds(5));
  EXPECT_EQ(saved_digest(model, file_), computed) << "the file on disk is another";
  EXPECT_THAT(read_kept_digests(file_), SizeIs(1));
}

}  // namespace
}  // namespace headlight
