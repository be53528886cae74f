#include "engine/measures/measure_request.h"

#include <gtest/gtest.h>

#include "engine/measures/head_label.h"
#include "tests/testing.h"

namespace headlight {
namespace {

TEST(MeasureRequest, GivesItsIdBack) {
  for (const std::string id :
       {"entropy", "beyond-distance:8", "offset:-3", "sink:0", "key-set:first-token+3+special+punctuation+#50256", "span-weight:2-3/0-1",
        "normalised-entropy-without-first-token", "beyond-distance-without-special:2", "hidden-mass:first-token"}) {
    EXPECT_EQ(measure_request(id, "test").id, id);
  }
  EXPECT_EQ(measure_request("key-set:3+0+3", "test").id, "key-set:first-token+3") << "one spelling";
  EXPECT_EQ(measure_request("span-weight:2/0", "test").id, "span-weight:2-2/0-0");
}

TEST(MeasureRequest, IsPutTogetherFromItsPartsAndItsTitleNamesThem) {
  for (const std::string id : {"entropy", "beyond-distance-without-special:2", "hidden-mass:first-token", "span-weight:2-3/0-1"}) {
    const MeasureRequest request = measure_request(id, "test");
    const std::string without = request.without ? key_set_text(*request.without) : std::string();
    EXPECT_EQ(measure_id(*request.measure, parameter_text(request), without), id);
    EXPECT_NE(title_of(request).find(parameter_text(request)), std::string::npos) << id;
  }
}

TEST(MeasureParameter, OfEveryMeasureThatHasOneIsToldByAnExampleThatFits) {
  int with_parameter = 0;
  for (const Measure& measure : all_measures()) {
    const MeasureParameter* parameter = parameter_of(measure);
    if (parameter == nullptr) continue;
    ++with_parameter;
    EXPECT_EQ(parameter_text(measure_request(measure_id(measure, parameter->example), "test")), parameter->example) << measure.id;
    testing::error_of([&] { measure_request(std::string(measure.id), "test"); });
  }
  EXPECT_EQ(with_parameter, 6);
}

TEST(MeasureRequest, KeysAreLeftOutBeforeOrAfterTheParameter) {
  EXPECT_EQ(measure_request("beyond-distance:1-without-first-token", "test").id, "beyond-distance-without-first-token:1");
  EXPECT_EQ(any_measure_request("content-dependence:16-without-special", "test").id, "content-dependence-without-special:16");
  EXPECT_THROW(measure_request("entropy-without-first-token:", "test"), Error);
}

TEST(MeasureRequest, WhatIsLeftOutStandsBesideWhatIsLeft) {
  const auto ids_of = [](std::string_view asked) {
    std::vector<std::string> ids;
    for (const MeasureRequest& request : measure_requests(asked, "test")) ids.push_back(request.id);
    return ids;
  };
  EXPECT_EQ(ids_of("entropy-without-first-token,confidence,entropy-without-special"),
            (std::vector<std::string>{"entropy-without-first-token", "confidence", "entropy-without-special", "hidden-mass:first-token",
                                      "hidden-mass:special"}));
  EXPECT_EQ(ids_of("entropy"), std::vector<std::string>{"entropy"});
}

TEST(MeasureRequest, WhatIsWrongIsNamed) {
  for (const std::string id : {"", "entropi", "entropy:3", "beyond-distance", "beyond-distance:-1", "beyond-distance:x",
                               "offset:", "key-set:vowels", "span-weight:3-2/0-1", "span-weight:1-2", "sink:1.5", "entropy-without-",
                               "entropy-without-vowels", "content-dependence", "prefix-matching", "output-norm-without-first-token"}) {
    const Error error = testing::error_of([&] { measure_request(id, "--measures"); });
    EXPECT_EQ(error.kind(), ErrorKind::usage) << id;
    EXPECT_NE(error.detail().problem, "") << id;
  }
}

TEST(MeasureRequest, TheSameTwiceCountsOnceAndAllIsEveryMeasureWithoutAParameter) {
  EXPECT_EQ(measure_requests("entropy,entropy,sink:0", "test").size(), 2U);
  const std::vector<MeasureRequest> all = measure_requests("all", "test");
  EXPECT_EQ(measure_requests("entropy,all", "test").size(), all.size());
  for (const Measure& measure : head_measures()) {
    const auto asks = [&](const MeasureRequest& request) { return request.measure == &measure && !request.without; };
    EXPECT_EQ(std::count_if(all.begin(), all.end(), asks), 1) << measure.id;
  }
}

TEST(HeadLabel, NeverStandsWithoutScoreThresholdAndWhatItWasMeasuredOn) {
  const MeasureRequest request = measure_request("previous-token-without-first-token", "test");
  const auto label = label_of(request, 0.998, 1, 12);
  ASSERT_TRUE(label);
  EXPECT_EQ(label->text(), "previous token without the first token: 0.998 (threshold 0.5, 1 text, 12 queries: a hint, not a finding)");
  EXPECT_EQ(label_of(request, 0.75, 1000)->text(), "previous token without the first token: 0.750 (threshold 0.5, 1,000 texts)");
  EXPECT_FALSE(label_of(measure_request("previous-token", "test"), 0.998, 1)) << "the first token counts there";
  EXPECT_FALSE(label_of(request, 0.499, 1));
  EXPECT_FALSE(label_of(request, std::nan(""), 1));
  EXPECT_FALSE(label_of(measure_request("first-token", "test"), 1, 1)) << "most heads look at the first token, so it labels none";
}

TEST(HeadLabel, NamesTheFileThatItsTextsAreFrom) {
  HeadLabel label = *label_of(measure_request("previous-token-without-first-token", "test"), 0.75, 400);
  label.of = "stories.txt";
  EXPECT_EQ(label.text(), "previous token without the first token: 0.750 (threshold 0.5, 400 texts of stories.txt)");
  label.texts = 1;
  EXPECT_EQ(label.text(), "previous token without the first token: 0.750 (threshold 0.5, 1 text of stories.txt: a hint, not a finding)");
  label.is_drawn = true;
  EXPECT_EQ(label.text(), "previous token without the first token: 0.750 (threshold 0.5, 1 draw of random tokens: a hint, not a finding)");
}

TEST(KeySet, FindsTokensByWhatTheyAre) {
  std::vector<Token> tokens = {{.id = 101, .text = "[CLS]", .bytes = {}, .is_special = true},
                               {.id = 7, .text = "Ġcat", .bytes = {}},
                               {.id = 8, .text = "Ġ,", .bytes = {}},
                               {.id = 9, .text = "▁…", .bytes = {}},
                               {.id = 7, .text = "cat's", .bytes = {}},
                               {.id = 102, .text = "[SEP]", .bytes = {}, .is_special = true}};
  using Positions = std::vector<std::int64_t>;
  EXPECT_EQ(keys_of_text(parse_key_set("special"), tokens), (Positions{0, 5}));
  EXPECT_EQ(keys_of_text(parse_key_set("punctuation"), tokens), (Positions{2, 3}));
  EXPECT_EQ(keys_of_text(parse_key_set("#7+first-token+99"), tokens), (Positions{0, 1, 4}));
  EXPECT_EQ(parse_key_set("first token, special tokens,token 3 + #7"), parse_key_set("first-token+special+3+#7"))
      << "as the window says it";
}

}  // namespace
}  // namespace headlight
