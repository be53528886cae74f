// Other maps in place of heads' own, patches place by place, and heads removed one after another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/files/load_model.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/importance/effect_job.h"
#include "engine/studies/importance/patch_sweep.h"
#include "engine/studies/importance/prune.h"
#include "engine/studies/importance/text_set.h"
#include "engine/studies/study_run.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

struct Swept {
  explicit Swept(const std::string& name, std::string_view target = "loss", const std::string& text = "the quick brown fox jumps")
      : model(load(name, text)), plan(model, query, parse_target(target)), tokens(tokens_of(text)) {}
  std::shared_ptr<const Model> load(const std::string& name, const std::string& text) {
    query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/" + name;
    query.text = text;
    return load_model(query.model, silent);
  }
  TokenStage tokens_of(const std::string& text) const {
    Query other = query;
    other.text = text;
    return plan.run().tokens_of(other);
  }
  TokenStage tokens_of_ids(std::vector<std::int64_t> ids) const {
    Query other = query;
    other.ids = std::move(ids);
    return plan.run().tokens_of(other);
  }
  SilentProgress silent;
  Query query;
  std::shared_ptr<const Model> model;
  EffectPlan plan;
  TokenStage tokens;
};

TEST(MapEffects, HaveTheBitsOfTheRunWhoseHeadIsEdited) {
  for (const char* name : {"gpt2", "qwen2-yarn", "t5"}) {
    Swept swept(name);
    ThreadPool pool(2);
    const std::vector<EffectMethod> methods = {EffectMethod::uniform, EffectMethod::previous, EffectMethod::self, EffectMethod::first};
    const std::vector<HeadValues> found = measure_effects(swept.plan, methods, nullptr, swept.tokens, pool);
    const double own = TextEffects(swept.plan, swept.tokens, pool).unchanged();
    for (const HeadValues& head : found) {
      for (std::size_t method = 0; method < methods.size(); ++method) {
        Query edited = swept.query;
        edited.interventions = {{.kind = *effect_row(methods[method]).map, .heads = {head.head}}};
        const bool is_undefined = std::isnan(head.values[method]);
        EXPECT_EQ(is_undefined, swept.model->config.place(head.head.layer).stack == Stack::cross && (method == 1 || method == 2));
        if (is_undefined) continue;
        const EffectPlan plan(swept.model, edited, swept.plan.target());
        EXPECT_EQ(head.values[method], TextEffects(plan, swept.tokens, pool).unchanged() - own) << name << " " << method;
      }
    }
  }
}

TEST(HeadEffects, BesideEditsThatTakeFromElsewhereHaveTheBitsOfTheRunWithBoth) {
  for (const char* name : {"gpt2", "qwen2-yarn", "t5"}) {
    Swept swept(name);
    const Target target = swept.plan.target();
    const std::string quoted = "\"a dog jumps over the lazy fox\"";
    for (const char* edit : {"0.0=resample:", "0.1=mean:x", "1.0=map:0.0", "0.1=patch:", "1=stream:"}) {
      const bool is_of_stream = std::string(edit) == "1=stream:", has_text = std::string(edit).ends_with(':');
      Query query = swept.query;
      query.interventions = {parse_intervention(edit + (has_text ? quoted : "") +
                                                (is_of_stream                 ? "@1"
                                                 : has_text && edit[4] == 'p' ? "@1-2"
                                                                              : ""))};
      if (query.interventions.front().texts)
        query.interventions.front().texts = std::make_shared<const TextSet>(TextSet{"x", {swept.query.text, "the lazy dog"}});
      ThreadPool pool(2);
      Pipeline pipeline(2);
      const auto value = [&](const Query& run) { return target_of(target, *pipeline.run(run, swept.silent), nullptr, pool).value; };
      OtherRuns others;
      const EffectPlan plan(swept.model, query, target, others, pool, swept.silent);
      TextEffects text(plan, swept.tokens, pool);
      EXPECT_EQ(text.unchanged(), value(query)) << name << " " << edit;
      EXPECT_NE(text.unchanged(), value(swept.query)) << name << " " << edit;
      std::vector<HeadId> two;
      for (const HeadId head : {HeadId{0, 0}, HeadId{0, 1}, HeadId{1, 0}, HeadId{swept.model->config.layers - 1, 1}}) {
        Query off = query;
        off.interventions.push_back({.kind = InterventionKind::off, .heads = {head}});
        EXPECT_EQ(text.gated(head, 0), value(off)) << name << " " << edit << " " << head.layer << "." << head.head;
        two.push_back(head);
      }
      Query off = query;
      off.interventions.push_back({.kind = InterventionKind::off, .heads = two});
      EXPECT_EQ(text.without(two), value(off)) << name << " " << edit;
    }
  }
}

TEST(HeadEffects, OfOneMethodAreThoseOfMeasureEffectsToTheBit) {
  for (const char* name : {"gpt2", "t5"}) {
    Swept swept(name);
    ThreadPool pool(2);
    for (const EffectMethod method : {EffectMethod::zero, EffectMethod::gate, EffectMethod::previous}) {
      const HeadEffects found = effects_of_heads(swept.plan, method, swept.tokens, pool, swept.silent);
      const std::vector<HeadValues> measured = measure_effects(swept.plan, {method}, nullptr, swept.tokens, pool);
      ASSERT_EQ(found.heads.size(), measured.size());
      HeadEffects same = found;
      for (std::size_t place = 0; place < measured.size(); ++place) {
        EXPECT_EQ(found.heads[place], measured[place].head);
        same.values[place] = measured[place].values.front();
      }
      EXPECT_EQ(found, same) << name;
      EXPECT_EQ(found.unchanged, TextEffects(swept.plan, swept.tokens, pool).unchanged());
      same.values.front() += 1;
      EXPECT_NE(found, same);
    }
  }
}

TEST(HeadEffects, OfTextsThatAreKeptAreThoseOfTheFileThatTheyWereReadFrom) {
  Swept swept("gpt2");
  ThreadPool pool(2);
  const testing::TemporaryFolder folder;
  std::string lines;
  for (int line = 0; line < 20; ++line) lines += fmt::format("the animal did not cross {} streets\n\n", line);
  const std::filesystem::path file = folder.file("texts.txt", lines);
  CorpusReader corpus(file, {});
  const OtherTexts read = read_other_texts(swept.plan, swept.query, corpus, 4096, 1, pool, swept.silent);
  const auto set = read_text_set("texts.txt", file, {}, "test");
  const OtherTexts kept = read_other_texts(swept.plan, swept.query, *set, 4096, 1, pool, swept.silent);
  EXPECT_EQ(kept.donors.size(), kMostDonors);
  for (const EffectMethod method : {EffectMethod::mean, EffectMethod::resample}) {
    const HeadEffects found = effects_of_heads(swept.plan, method, swept.tokens, pool, swept.silent, &kept);
    const std::vector<HeadValues> measured = measure_effects(swept.plan, {method}, &read, swept.tokens, pool);
    double largest = 0;
    for (std::size_t place = 0; place < measured.size(); ++place) {
      EXPECT_EQ(found.values[place], measured[place].values.front());
      largest = std::max(largest, std::abs(found.values[place]));
    }
    EXPECT_GT(largest, 0);
    EXPECT_THAT(error_of([&] { effects_of_heads(swept.plan, method, swept.tokens, pool, swept.silent); }).detail().problem,
                HasSubstr("needs other texts"));
  }
}

TEST(HeadEffects, OfATargetWithoutAValueSayWhy) {
  Swept swept("gpt2", "logit:#4@900");
  ThreadPool pool(1);
  const HeadEffects found = effects_of_heads(swept.plan, EffectMethod::zero, swept.tokens, pool, swept.silent);
  EXPECT_FALSE(found.problem.empty());
  EXPECT_TRUE(found.heads.empty());
}

TEST(Prune, SaysWhyNoTextHasTheTarget) {
  Swept swept("gpt2", "loss");
  ThreadPool pool(1);
  const TokenStage one = swept.tokens_of_ids({5});
  const auto message = [&](const std::vector<TokenStage>& texts) {
    return error_of([&] { prune_heads(swept.model, swept.query, parse_target("loss"), {}, texts, pool, swept.silent); }).message();
  };
  EXPECT_THAT(message({one}), HasSubstr("The text is one token, and nothing follows it that could be predicted"));
  EXPECT_THAT(message({one, one}), HasSubstr("it has a value in none of the texts"));
  EXPECT_THAT(message({one, one}), HasSubstr("The first: The text is one token"));
}

TEST(PatchSweep, ThePatchOfTheOnlyTokenGivesTheOtherRunAndOneOfTheSameTextNothing) {
  Swept swept("gpt2", "logit:#4-#11", "the");
  ThreadPool pool(2);
  const TokenStage one = swept.tokens_of_ids({5}), other = swept.tokens_of_ids({9});
  const PatchSweep sweep = sweep_patches(swept.plan, one, other, PatchedPart::stream, pool, swept.silent);
  ASSERT_EQ(std::ssize(sweep.values), swept.model->config.layers);
  EXPECT_NE(sweep.unpatched, sweep.other);
  for (const PatchValue& value : sweep.values) {
    EXPECT_EQ(value.value, sweep.other) << "all that lies above the patch is the other run";
    EXPECT_EQ(sweep.recovered(value), 1);
  }
  for (const PatchedPart part : {PatchedPart::stream, PatchedPart::layer_z, PatchedPart::z, PatchedPart::pattern}) {
    const PatchSweep same = sweep_patches(swept.plan, swept.tokens, swept.tokens, part, pool, swept.silent);
    for (const PatchValue& value : same.values) {
      EXPECT_EQ(value.value, same.unpatched);
      EXPECT_TRUE(std::isnan(same.recovered(value)));
    }
  }
}

TEST(PatchSweep, HasTheBitsOfRunsThatAreEdited) {
  const std::vector<std::int64_t> own = {5, 9, 17, 3, 9}, others = {5, 9, 2, 3, 11};
  Swept swept("gpt2", "logit:#4-#11");
  swept.query.ids = own;
  ThreadPool pool(1);
  const PatchSweep sweep =
      sweep_patches(swept.plan, swept.tokens_of_ids(own), swept.tokens_of_ids(others), PatchedPart::z, pool, swept.silent);
  EXPECT_EQ(std::ssize(sweep.values), std::ssize(heads_of(swept.plan.run())));
  // A patch of a token before every difference changes nothing.
  const PatchSweep stream =
      sweep_patches(swept.plan, swept.tokens_of_ids(own), swept.tokens_of_ids(others), PatchedPart::stream, pool, swept.silent);
  for (const PatchValue& value : stream.values) {
    if (value.position < 2) {
      EXPECT_EQ(value.value, stream.unpatched) << value.layer << " @" << value.position;
    }
    if (value.position == 4 && value.layer > 0) {
      EXPECT_NE(value.value, stream.unpatched);
    }
  }
}

TEST(PatchSweep, OfALayersHeadsHasTheBitsOfTheRunThatIsEdited) {
  Swept swept("gpt2", "logit:#4-#11");
  const std::string other = "the quick brown dog jumps";
  ThreadPool pool(1);
  const PatchSweep sweep = sweep_patches(swept.plan, swept.tokens, swept.tokens_of(other), PatchedPart::layer_z, pool, swept.silent);
  const Index places = std::ssize(swept.tokens.encoding->tokens);
  ASSERT_EQ(std::ssize(sweep.values), swept.model->config.layers * places);
  Pipeline pipeline(1);
  for (const PatchValue& patched : sweep.values) {
    EXPECT_EQ(patched.head, -1);
    if (patched.position != places - 1) continue;
    Query edited = swept.query;
    edited.interventions = {parse_intervention(std::to_string(patched.layer) + "=patch:\"" + other + "\"@" + std::to_string(places - 1))};
    const auto run = pipeline.run(edited, swept.silent);
    EXPECT_EQ(patched.value, target_of(swept.plan.target(), *run, nullptr, pool).value) << patched.layer;
  }
}

TEST(PatchSweep, RefusesTextsThatDoNotFit) {
  Swept swept("gpt2");
  ThreadPool pool(1);
  const auto message = [&](const EffectPlan& plan, const TokenStage& other, PatchedPart part = PatchedPart::stream) {
    return error_of([&] { sweep_patches(plan, swept.tokens, other, part, pool, swept.silent); }).message();
  };
  EXPECT_THAT(message(swept.plan, swept.tokens_of("the")), HasSubstr("equally many tokens"));
  EXPECT_THAT(message(EffectPlan(swept.model, swept.query, parse_target("kl")), swept.tokens), HasSubstr("itself unedited"));
  EXPECT_THAT(message(EffectPlan(swept.model, swept.query, parse_target("loss@900")), swept.tokens), HasSubstr("no position"));
  Swept pair("t5");
  for (const PatchedPart part : {PatchedPart::stream, PatchedPart::layer_z}) {
    EXPECT_THAT(error_of([&] { sweep_patches(pair.plan, pair.tokens, pair.tokens, part, pool, pair.silent); }).message(),
                HasSubstr("two streams"));
  }
}

TEST(Effects, ATargetWhoseTokenTheVocabularyLacksIsRefusedBeforeATextIsRun) {
  Swept swept("gpt2");
  EXPECT_THAT(error_of([&] { EffectPlan(swept.model, swept.query, parse_target("prob:#9999999")); }).message(), HasSubstr("no such token"));
  EXPECT_THAT(error_of([&] { EffectPlan(swept.model, swept.query, parse_target("logit:#3-#9999999@2")); }).message(),
              HasSubstr("no such token"));
}

TEST(EffectJob, IsReadAgainFromTheManifestOfItsStudy) {
  for (const char* target : {"loss", "logit:\"on seed 7\"-#11@5", "kl"}) {
    const EffectJob job{{EffectMethod::zero, EffectMethod::resample}, parse_target(target), 12};
    StudyManifest manifest;
    for (const MeasureRequest& request : job.settings(64).requests) manifest.measures.push_back(request.id);
    manifest.target = job.target_text();
    const std::optional<EffectJob> again = effect_job_of(manifest);
    ASSERT_TRUE(again) << target;
    EXPECT_EQ(*again, job) << target;
  }
  StudyManifest measures;
  measures.measures = {"mean-distance"};
  EXPECT_FALSE(effect_job_of(measures)) << "no target: it is of measures";
}

TEST(TextSets, AreReadWithoutBlankTextsAndRefusedByLine) {
  const testing::TemporaryFolder folder;
  const auto tales = folder.file("tales.txt", "the cat sat\n\na dog\n");
  const auto set = read_text_set("tales", tales, corpus_format(tales, "", false), "texts");
  EXPECT_EQ(set->name, "tales");
  EXPECT_EQ(set->texts, (std::vector<std::string>{"the cat sat", "a dog"}));
  const auto broken = folder.file("broken.csv", "id,text\n1,a\n2\n");
  const Error error = error_of([&] { read_text_set("broken", broken, corpus_format(broken, "", false), "texts"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_THAT(error.message(), HasSubstr("line 3"));
  std::string many;
  for (std::size_t text = 0; text <= kMostTextsOfSet; ++text) many += "a\n";
  const auto large = folder.file("large.txt", many);
  EXPECT_THAT(error_of([&] { read_text_set("large", large, corpus_format(large, "", false), "texts"); }).message(), HasSubstr("too many"));
}

PrunedHeads prune(Swept& swept, const PruneSettings& settings, int threads = 2) {
  ThreadPool pool(threads);
  const std::vector<TokenStage> texts = {swept.tokens, swept.tokens_of("a cat sat on the mat"), swept.tokens_of("x")};
  return prune_heads(swept.model, swept.query, parse_target("loss"), settings, texts, pool, swept.silent);
}

TEST(PruneHeads, EachStepIsTheMeanOfRunsWithoutTheHeadsThatAreGone) {
  Swept swept("gpt2");
  const PrunedHeads pruned = prune(swept, {.kept_per_layer = 1});
  const std::vector<HeadId> heads = heads_of(swept.plan.run());
  EXPECT_EQ(pruned.curve.size() + static_cast<std::size_t>(swept.model->config.layers), heads.size()) << "one of each layer stays";
  Query query = swept.query;
  for (const PruningStep& step : pruned.curve) query.switched_off.push_back(step.removed);
  std::sort(query.switched_off.begin(), query.switched_off.end());
  ThreadPool pool(1);
  const EffectPlan last(swept.model, query, parse_target("loss"));
  double sum = 0;
  int texts = 0;
  for (const char* text : {"the quick brown fox jumps", "a cat sat on the mat", "x"}) {
    const TextEffects effects(last, swept.tokens_of(text), pool);
    if (!effects.problem().empty()) continue;
    sum += effects.unchanged();
    ++texts;
  }
  EXPECT_DOUBLE_EQ(pruned.curve.back().value, sum / texts);
  const PrunedHeads alone = prune(swept, {.kept_per_layer = 1}, 1);
  for (std::size_t step = 0; step < pruned.curve.size(); ++step) {
    EXPECT_EQ(alone.curve[step].removed, pruned.curve[step].removed);
    EXPECT_EQ(alone.curve[step].value, pruned.curve[step].value) << "any number of threads gives the same bits";
  }
}

TEST(PruneHeads, ExactAndOneShotBeginAlikeAndEndWithTheSameHeadsGone) {
  Swept swept("gpt2");
  const PrunedHeads once = prune(swept, {.kept_per_layer = 0}), exact = prune(swept, {.is_exact = true, .kept_per_layer = 0});
  ASSERT_EQ(once.curve.size(), exact.curve.size());
  EXPECT_EQ(once.curve.front().removed, exact.curve.front().removed);
  EXPECT_EQ(once.curve.front().value, exact.curve.front().value);
  EXPECT_EQ(once.curve.back().value, exact.curve.back().value) << "all heads are gone";
  EXPECT_EQ(once.whole, exact.whole);
}

TEST(PruneHeads, RefusesWhatNeedsOtherTextsOrHasNoNumber) {
  Swept swept("gpt2");
  EXPECT_THAT(error_of([&] { prune(swept, {.by = EffectMethod::mean}); }).message(), HasSubstr("zero or gate"));
  ThreadPool pool(1);
  const auto message = [&](const char* target) {
    return error_of([&] { prune_heads(swept.model, swept.query, parse_target(target), {}, {swept.tokens}, pool, swept.silent); }).message();
  };
  EXPECT_THAT(message("kl"), HasSubstr("itself unedited"));
  EXPECT_THAT(message("loss@900"), HasSubstr("The text has no position 900"));
}

}  // namespace
}  // namespace headlight
