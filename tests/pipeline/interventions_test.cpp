// What edits of heads do to a run: laws that hold to the last bit.
#include <gmock/gmock.h>

#include <optional>

#include "engine/interventions/placed_map.h"
#include "engine/pipeline/pipeline.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using testing::edit;
using testing::error_of;
using testing::expect_same_bits;
using testing::has_same_bits;
using ::testing::HasSubstr;
using testing::query_of;
using testing::run;

constexpr const char* kText = "The cat sat on the mat";
constexpr const char* kOther = "A dog ran in the sun";  // as many tokens

Intervention edit_of(const std::string& text, std::vector<std::string> texts = {}) {
  Intervention made = parse_intervention(text);
  if (made.texts) made.texts = std::make_shared<const TextSet>(TextSet{made.texts->name, std::move(texts)});
  return made;
}

Query edited(const std::string& edit, std::vector<std::string> texts = {}) {
  Query query = query_of(kText);
  query.interventions = {edit_of(edit, std::move(texts))};
  return query;
}

std::shared_ptr<const Snapshot> run_fresh(const Query& query) {
  Pipeline pipeline(2);
  return run(pipeline, query);
}

TEST(Interventions, SwitchingOffHasTheBitsOfHeadsThatAreSwitchedOff) {
  Query off = query_of(kText);
  off.switched_off = {{1, 0}, {1, 1}, {1, 2}, {1, 3}};
  expect_same_bits(*run_fresh(edited("1=off")), *run_fresh(off));
  expect_same_bits(*run_fresh(edited("1.0,1.1,1.2,1.3=off")), *run_fresh(off));
}

TEST(Interventions, WhatTheRunHasItselfChangesNothingBitForBit) {
  const auto own = run_fresh(query_of(kText));
  const std::string quoted = std::string("\"") + kText + "\"";
  for (const std::string& same : {"1.2,0.1=resample:" + quoted, "1.2=patch:" + quoted, "2=patch:" + quoted + "@1-3", "0=pattern:" + quoted,
                                  "2=stream:" + quoted, std::string("1.2=map:1.2")}) {
    expect_same_bits(*run_fresh(edited(same)), *own);
    ASSERT_FALSE(HasFailure()) << same;
  }
  expect_same_bits(*run_fresh(edited("1=mean:x", {kText, kText, kText})), *own);
  EXPECT_FALSE(has_same_bits(run_fresh(edited("1=mean:x", {kText, kOther}))->trace.final_hidden, own->trace.final_hidden));
}

TEST(Interventions, TheMeanOfAHeadThatIsConstantOverTheTextsChangesNothing) {
  // Under a causal mask a head gives the same for every text that begins alike, whatever follows.
  const std::vector<std::string> alike{std::string(kText) + " and more", std::string(kText) + " again", kText}, unlike{alike[0], kOther};
  const auto with_mask = [](Query query, const char* mask) {
    query.mask.rules = {{{}, mask, {}}};
    return run_fresh(query);
  };
  const auto own = with_mask(query_of(kText), "causal");
  expect_same_bits(*with_mask(edited("0,1=mean:x", alike), "causal"), *own);
  EXPECT_FALSE(has_same_bits(with_mask(edited("0,1=mean:x", unlike), "causal")->trace.final_hidden, own->trace.final_hidden));
  const auto unmasked = with_mask(query_of(kText), "none");
  EXPECT_FALSE(has_same_bits(with_mask(edited("0,1=mean:x", alike), "none")->trace.final_hidden, unmasked->trace.final_hidden))
      << "here what follows is read too";
}

TEST(Interventions, PatchingEverythingGivesTheOtherRunBitForBit) {
  const auto other = run_fresh(query_of(kOther));
  const auto patched = run_fresh(edited(std::string("0=stream:\"") + kOther + "\""));
  for (int layer = 0; layer < other->layers(); ++layer) {
    EXPECT_TRUE(has_same_bits(patched->trace.layer(layer).resid_post, other->trace.layer(layer).resid_post));
    EXPECT_TRUE(has_same_bits(patched->maps({layer, 0}).weights, other->maps({layer, 0}).weights));
  }
  EXPECT_TRUE(has_same_bits(patched->trace.final_hidden, other->trace.final_hidden));
  EXPECT_FALSE(has_same_bits(patched->trace.final_hidden, run_fresh(query_of(kText))->trace.final_hidden));
}

TEST(Interventions, APatchReachesTheChosenPositionsAndWhatFollowsThemAlone) {
  const auto own = run_fresh(query_of(kText)), other = run_fresh(query_of(kOther));
  const auto patched = run_fresh(edited(std::string("1.2=patch:\"") + kOther + "\"@3"));
  const LayerTrace &before = own->trace.layer(1), &after = patched->trace.layer(1), &from = other->trace.layer(1);
  const Index width = before.z.cols() / before.heads;
  for (Index row = 0; row < before.z.rows(); ++row) {
    for (int head = 0; head < before.heads; ++head) {
      const bool is_patched = row == 3 && head == 2;
      const auto part = [&](const LayerTrace& layer) { return Matrix(layer.z.middle_rows(row, 1).middleCols(head * width, width)); };
      EXPECT_TRUE(has_same_bits(part(after), part(is_patched ? from : before))) << row << " " << head;
    }
  }
  const auto first_rows = [](const Snapshot& each, Index rows) { return each.trace.final_hidden.middle_rows(0, rows); };
  EXPECT_TRUE(has_same_bits(first_rows(*own, 3), first_rows(*patched, 3)));
  EXPECT_FALSE(has_same_bits(first_rows(*own, 4), first_rows(*patched, 4)));
  const auto stream = run_fresh(edited(std::string("2=stream:\"") + kOther + "\"@2,5"));
  EXPECT_TRUE(has_same_bits(stream->trace.layer(2).resid_pre.middle_rows(5, 1), other->trace.layer(2).resid_pre.middle_rows(5, 1)));
  EXPECT_TRUE(has_same_bits(stream->trace.layer(2).resid_pre.middle_rows(4, 1), own->trace.layer(2).resid_pre.middle_rows(4, 1)));
  EXPECT_TRUE(has_same_bits(first_rows(*own, 2), first_rows(*stream, 2)));
}

TEST(Interventions, MapsThatArePutInAreExactlyThoseUnderTheMask) {
  for (const char* mask : {"", "window:3", "none"}) {
    Query query = query_of(kText);
    if (*mask != '\0') query.mask.rules = {{{}, mask, {}}};
    const auto own = run_fresh(query);
    for (const InterventionKind kind :
         {InterventionKind::uniform, InterventionKind::previous, InterventionKind::self, InterventionKind::first}) {
      query.interventions = {edit_of(std::string("1.2=").append(row_of(kind).name))};
      const auto placed = run_fresh(query);
      const HeadMaps maps = placed->maps({1, 2});
      const HeadMaps of_own = own->maps({1, 2});
      EXPECT_EQ(maps.weights, placed_map(kind, *of_own.mask, of_own.weights)) << mask << " " << row_of(kind).name;
      EXPECT_TRUE(has_same_bits(placed->maps({1, 1}).weights, own->maps({1, 1}).weights));
      const LayerTrace& layer = placed->trace.layer(1);
      Matrix z(layer.z.rows(), layer.z.cols() / layer.heads), copy;
      mix_values(maps.weights, head_columns(layer.v, layer.kv_heads, 2, copy), z);
      EXPECT_TRUE(has_same_bits(z, Matrix(head_columns(layer.z, layer.heads, 2, copy)))) << "z follows from the map that is shown";
    }
  }
}

TEST(Interventions, AMapOfAnotherHeadOrTextIsTheOneThatThisHeadComputes) {
  const auto own = run_fresh(query_of(kText)), other = run_fresh(query_of(kOther));
  EXPECT_TRUE(has_same_bits(run_fresh(edited("2.0=map:0.3"))->maps({2, 0}).weights, own->maps({0, 3}).weights));
  const auto pattern = run_fresh(edited(std::string("2.0=pattern:\"") + kOther + "\""));
  EXPECT_TRUE(has_same_bits(pattern->maps({2, 0}).weights, other->maps({2, 0}).weights));
  Query swapped = query_of(kText);
  swapped.interventions = {edit_of("1.0=map:1.1"), edit_of("1.1=map:1.0")};
  const auto both = run_fresh(swapped);
  EXPECT_TRUE(has_same_bits(both->maps({1, 0}).weights, own->maps({1, 1}).weights));
  EXPECT_TRUE(has_same_bits(both->maps({1, 1}).weights, own->maps({1, 0}).weights));
}

TEST(Interventions, LayersBelowAreReusedAndTheOtherTextIsNotRunAgain) {
  Pipeline pipeline(2);
  run(pipeline, query_of(kText));
  Query query = edited(std::string("2.1=patch:\"") + kOther + "\"@3");
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 2);
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 4);
  query.interventions.front().positions = {{2, 2}};
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 2);
  query.interventions.front().text = kText;
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 2);
  query.interventions.push_back(edit_of("3.0=uniform"));
  EXPECT_EQ(run(pipeline, query)->cost.layers_reused, 3);
}

void edit_heads(Query& query, RandomStream& random) {
  const auto pick = [&](std::uint64_t count) { return static_cast<std::size_t>(random.next() % count); };
  const std::string other = std::vector<std::string>{"\"A dog ran in the sun\"", "\"The cat sat\"", "\"A dog\""}[pick(3)];
  const std::string place = std::to_string(pick(4)) + "." + std::to_string(pick(4));
  const std::vector<std::string> edits = {place + "=off",
                                          place + "=uniform",
                                          place + "=previous",
                                          place + "=map:1.1",
                                          place + "=resample:" + other,
                                          place + "=pattern:" + other,
                                          place + "=patch:" + other + "@1,2",
                                          std::to_string(pick(4)) + "=stream:" + other + "@0-1",
                                          place + "=mean:x"};
  if (pick(3) == 0) query.interventions.clear();
  query.interventions.push_back(edit_of(edits[pick(edits.size())], {"The cat sat", "A dog ran in the sun"}));
}

TEST(Interventions, AReusedRunEqualsAFreshRunBitForBitAfterRandomEdits) {
  Pipeline reusing(2);
  RandomStream random(5, "interventions");
  Query query = query_of(kText);
  int reused = 0, ran = 0;
  for (int step = 0; step < 250; ++step) {
    random.next() % 2 == 0 ? edit(query, random) : edit_heads(query, random);
    std::shared_ptr<const Snapshot> kept;
    std::optional<std::string> problem;
    try {
      kept = run(reusing, query);
    } catch (const Error& error) {
      problem = error.message();
    }
    Pipeline fresh(1 + static_cast<int>(random.next() % 4));
    if (problem) {
      EXPECT_EQ(error_of([&] { run(fresh, query); }).message(), *problem);
      query.interventions.clear();
      continue;
    }
    expect_same_bits(*kept, *run(fresh, query));
    reused += kept->cost.layers_reused;
    ran += query.interventions.empty() ? 0 : 1;
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  EXPECT_GT(reused, 50);
  EXPECT_GT(ran, 30);  // or the test has tested nothing
}

TEST(Interventions, WhatDoesNotApplyIsRefusedWithWhatWouldHelp) {
  const auto message = [](const Query& query) { return error_of([&] { run_fresh(query); }).message(); };
  EXPECT_THAT(message(edited("1.2=pattern:\"The cat sat\"")),
              AllOf(HasSubstr("\"The cat sat\" has 3 tokens, and this text has 6"), HasSubstr("equally many tokens")));
  EXPECT_THAT(message(edited("1.2=patch:\"The cat sat\"")), AllOf(HasSubstr("3 tokens"), HasSubstr("@0-2")));
  EXPECT_THAT(message(edited("1=stream:\"The cat sat\"@4")), AllOf(HasSubstr("no position 4"), HasSubstr("positions 0 to 2")));
  EXPECT_THAT(message(edited("1.2=map:3.0")), AllOf(HasSubstr("not computed yet"), HasSubstr("layers 0 to 1")));
  EXPECT_THAT(message(edited("1.2=map:9.0")), HasSubstr("no head 9.0"));
  EXPECT_THAT(message(edited("1.2=resample:\" \"")), HasSubstr("has no tokens"));
  EXPECT_THAT(message(edited("1.2=mean:x", {" "})), HasSubstr("no text of x has a token"));
  Query on_map = edited("1.2=uniform");
  on_map.mask_reach = MaskReach::this_head;
  on_map.mask.rules = {{{}, "window:2", {}}};
  EXPECT_THAT(message(on_map), HasSubstr("--mask-reach whole-model"));
  Query pairs = edited("2.0=previous");
  pairs.model.sandbox.kind = SandboxKind::encoder_decoder;
  pairs.model.sandbox.layers = 1;
  pairs.interventions = {edit_of("0,1,2=previous")};
  EXPECT_THAT(message(pairs), HasSubstr("different texts"));
}

TEST(Interventions, MapsAndOtherTextsAreRefusedWhereThereIsNoMemoryForThem) {
  std::string text = "one";
  for (int word = 0; word < 399; ++word) text += " two";
  const Query plain = query_of(text);
  const auto tokens = run_fresh(plain)->tokens();
  const std::size_t enough = estimate_bytes(sandbox_config(plain.model.sandbox), 4, tokens) + (std::size_t{1} << 18U);
  const auto run_within = [&](const Query& query, std::size_t bytes) {
    Pipeline pipeline(1, {.bytes = bytes});
    run(pipeline, query);
  };
  EXPECT_NO_THROW(run_within(plain, enough));
  Query maps = plain, other = plain;
  maps.interventions = {edit_of("0,1,2,3=uniform")};
  EXPECT_EQ(error_of([&] { run_within(maps, enough); }).kind(), ErrorKind::limit) << "sixteen maps more";
  EXPECT_NO_THROW(run_within(maps, enough + static_cast<std::size_t>(20 * tokens * tokens) * sizeof(float)));
  other.text = kText;
  other.interventions = {edit_of("1=resample:\"" + text + "\"")};
  EXPECT_NO_THROW(run_within(other, 2 * enough));
  EXPECT_EQ(error_of([&] { run_within(other, enough / 2); }).kind(), ErrorKind::limit) << "the other text is the long one";
}

TEST(Interventions, AnEditOfAHeadThatIsNotThereDoesNothingAndSaysSo) {
  const auto absent = run_fresh(edited("7.0=uniform"));
  EXPECT_THAT(absent->notices, Contains(HasSubstr("The edit \"uniform\" of head 7.0 does nothing")));
  EXPECT_TRUE(has_same_bits(absent->trace.final_hidden, run_fresh(query_of(kText))->trace.final_hidden));
}

TEST(Interventions, AnEncoderAndItsDecoderAreEditedEachOnItsOwnText) {
  Query query = query_of(kText);
  query.model.sandbox.kind = SandboxKind::encoder_decoder;
  query.model.sandbox.layers = 2;
  query.decoder_text = "sat on";
  const auto own = run_fresh(query);
  Query patched = query;
  patched.interventions = {edit_of(std::string("0=stream:\"") + kOther + "\"")};
  Query other = query;
  other.text = kOther;
  EXPECT_TRUE(has_same_bits(run_fresh(patched)->trace.final_hidden, run_fresh(other)->trace.final_hidden));
  EXPECT_FALSE(has_same_bits(own->trace.final_hidden, run_fresh(other)->trace.final_hidden));
}

}  // namespace
}  // namespace headlight
