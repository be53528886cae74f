// The numbers of a head now, before and of the difference, against two plain exports.
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/figure/files/write_figure.h"
#include "engine/formats/json.h"
#include "engine/formats/tensors/npy.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

constexpr HeadId kHead{1, 1};
constexpr Index kTokens = 4;

/// A head of one text whose mask was edited.
class Moments : public ::testing::Test {
 protected:
  FigureRequest request_of(Moment moment) const {
    FigureRequest request;
    request.head = kHead;
    request.moment = moment;
    if (moment != Moment::now) request.baseline = before;
    return request;
  }

  std::string written(const Snapshot& snapshot, const FigureRequest& request, const std::string& name) const {
    write_figure(snapshot, request, folder / name);
    return bytes_of(folder / name);
  }

  /// The weights of the one head that a plain export of a run holds.
  std::vector<float> plain(const Snapshot& run) const {
    const std::string bytes = written(run, request_of(Moment::now), "plain.npy");
    return NpyArray(bytes, "plain.npy").floats();
  }

  void expect_three(const std::vector<float>& is_now, const std::vector<float>& was, const std::vector<float>& change) const {
    const std::vector<float> plain_now = plain(*now), plain_before = plain(*before);
    EXPECT_EQ(is_now, plain_now);
    EXPECT_EQ(was, plain_before);
    ASSERT_EQ(change.size(), plain_now.size());
    for (std::size_t cell = 0; cell < change.size(); ++cell) EXPECT_EQ(change[cell], plain_now[cell] - plain_before[cell]) << cell;
    EXPECT_NE(plain_now, plain_before) << "the runs have to be such that the law can break";
  }

  TemporaryFolder folder;
  std::shared_ptr<const Snapshot> now = sandbox_snapshot("one two three four", 2, 2, "none");
  std::shared_ptr<const Snapshot> before = sandbox_snapshot("one two three four", 2, 2);
};

TEST_F(Moments, AnArrayOfADifferenceIsNowBeforeAndNowMinusBefore) {
  const std::string bytes = written(*now, request_of(Moment::difference), "d.npy");
  const NpyArray array(bytes, "d.npy");
  ASSERT_EQ(array.shape(), (std::vector<std::uint64_t>{3, kTokens, kTokens}));
  const std::vector<float> all = array.floats();
  const auto part = [&](std::ptrdiff_t map) {
    const auto begin = all.begin() + map * kTokens * kTokens;
    return std::vector<float>(begin, begin + kTokens * kTokens);
  };
  expect_three(part(0), part(1), part(2));
}

TEST_F(Moments, ATableOfADifferenceNamesWhatEachLineIs) {
  std::istringstream lines(written(*now, request_of(Moment::difference), "d.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "subject,layer,head,query,key,query_token,key_token,weight");
  std::map<std::string, std::vector<float>> weights;
  while (std::getline(lines, line)) {
    weights[line.substr(1, line.find('"', 1) - 1)].push_back(std::stof(line.substr(line.rfind(',') + 1)));
  }
  ASSERT_EQ(weights.size(), 3U);
  expect_three(weights["now"], weights["before"], weights["now - before"]);
}

TEST_F(Moments, JsonOfADifferenceHasAHeadForEach) {
  const Json heads = Json::parse(written(*now, request_of(Moment::difference), "d.json"))["heads"];
  ASSERT_EQ(heads.size(), 3U);
  std::map<std::string, std::vector<float>> weights;
  for (const Json& head : heads) {
    for (const Json& row : head["weights"]) {
      for (const Json& weight : row) weights[head["subject"].get<std::string>()].push_back(weight.get<float>());
    }
  }
  expect_three(weights["now"], weights["before"], weights["now - before"]);
}

TEST_F(Moments, BeforeIsThePlainExportOfTheBaseline) {
  EXPECT_EQ(written(*now, request_of(Moment::before), "b.npy"), written(*before, request_of(Moment::now), "a.npy"));
  const Json was = Json::parse(written(*now, request_of(Moment::before), "b.json"))["heads"][0];
  EXPECT_EQ(was["subject"], "before");
  EXPECT_EQ(was["weights"], Json::parse(written(*before, request_of(Moment::now), "a.json"))["heads"][0]["weights"]);
}

// The window keeps the stage that was looked at before the difference was.
TEST_F(Moments, ADifferenceIsOneOfWeightsWhateverStageWasLookedAt) {
  FigureRequest request = request_of(Moment::difference);
  for (const char* name : {"d.npy", "d.csv", "d.json", "d.svg"}) {
    const std::string weights = written(*now, request_of(Moment::difference), name);
    request.stage = Stage::scores;
    EXPECT_EQ(written(*now, request, name), weights) << name;
  }
}

}  // namespace
}  // namespace headlight::testing
