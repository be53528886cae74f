// Importance, pruning and patching of nano-gpt as metrics 10.1 tells them. The model is not part of this tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/model/files/load_model.h"
#include "engine/studies/importance/effect_study.h"
#include "engine/studies/importance/ranking.h"
#include "tests/testing.h"

namespace headlight {
namespace {

constexpr int kHeads = 9, kLetters = 6, kInputs = 729;

/// Six letters and the first five of them sorted; the sixth is what comes next.
struct Sorting {
  std::vector<std::int64_t> ids;
  std::int64_t next = 0;
};

Sorting sorting_of(std::array<std::int64_t, kLetters> letters) {
  Sorting sorting{{letters.begin(), letters.end()}, 0};
  std::sort(letters.begin(), letters.end());
  sorting.ids.insert(sorting.ids.end(), letters.begin(), letters.end() - 1);
  sorting.next = letters.back();
  return sorting;
}

std::vector<Sorting> all_sortings() {
  std::vector<Sorting> all;
  for (int number = 0; number < kInputs; ++number) {
    std::array<std::int64_t, kLetters> letters{};
    int rest = number;
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter, rest /= 3) *letter = rest % 3;
    all.push_back(sorting_of(letters));
  }
  return all;
}

class NanoGptImportance : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& reference : testing::reference_folders()) {
      if (std::filesystem::is_directory(reference / "nano-gpt")) query_.model.name = (reference / "nano-gpt").string();
    }
    if (query_.model.name == Query().model.name) {
      GTEST_SKIP() << "reference/nano-gpt: not found";
    }
    SilentProgress silent;
    model_ = load_model(query_.model, silent);
  }

  EffectPlan plan(std::string_view target) const { return {model_, query_, parse_target(target)}; }
  static HeadId head(int number) { return {number / 3, number % 3}; }
  TokenStage tokens_of(const EffectPlan& plan, const Sorting& sorting) const {
    Query query = query_;
    query.ids = sorting.ids;
    return plan.run().tokens_of(query);
  }

  /// The mean over all inputs of value(text, place of the input).
  template <typename Value>
  std::vector<double> means(std::string_view target, std::size_t count, const Value& value) {
    const EffectPlan plan = this->plan(target);
    std::vector<std::vector<double>> found(kInputs);
    pool_.for_each(kInputs, [&](Index at) {
      const Sorting& sorting = sortings_[static_cast<std::size_t>(at)];
      ThreadPool alone(1);
      TextEffects text(plan, tokens_of(plan, sorting), alone, {}, sorting.next);
      found[static_cast<std::size_t>(at)] = value(text);
    });
    std::vector<double> mean(count);
    for (const std::vector<double>& each : found) {
      for (std::size_t place = 0; place < count; ++place) mean[place] += each[place] / kInputs;
    }
    return mean;
  }

  MeanOutputs mean_outputs() {
    const EffectPlan plan = this->plan("loss");
    MeanOutputs mean;
    for (const Sorting& sorting : sortings_) mean.add(outputs_of(plan, tokens_of(plan, sorting), pool_));
    return mean;
  }

  /// Shares of inputs that are sorted right without these heads, for each list of them.
  std::vector<double> accuracies(const std::vector<std::vector<HeadId>>& removed) {
    return means("all-right@5-", removed.size(), [&](TextEffects& text) {
      std::vector<double> right;
      for (const std::vector<HeadId>& heads : removed) right.push_back(text.without(heads));
      return right;
    });
  }

  Query query_;
  std::shared_ptr<const Model> model_;
  ThreadPool pool_{2};
  std::vector<Sorting> sortings_ = all_sortings();
};

std::vector<std::vector<HeadId>> growing(const std::vector<HeadId>& order) {
  std::vector<std::vector<HeadId>> lists;
  for (std::size_t count = 1; count <= order.size(); ++count) lists.emplace_back(order.begin(), order.begin() + static_cast<long>(count));
  return lists;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& told, double bound) {
  ASSERT_EQ(found.size(), told.size());
  for (std::size_t at = 0; at < told.size(); ++at) EXPECT_NEAR(found[at], told[at], bound) << at;
}

TEST_F(NanoGptImportance, IsThatOfTheTable) {
  const MeanOutputs mean = mean_outputs();
  const auto found = means("loss@5-", 1 + 3 * kHeads, [&](TextEffects& text) {
    std::vector<double> values = {text.unchanged()};
    for (int number = 0; number < kHeads; ++number) values.push_back(text.gated(head(number), 0));
    for (int number = 0; number < kHeads; ++number) values.push_back(text.with(head(number), mean.of(head(number), 3)));
    for (int number = 0; number < kHeads; ++number) values.push_back(text.gate_gradient(head(number)));
    return values;
  });
  const auto part = [&](int number) {
    const auto begin = found.begin() + 1 + static_cast<long>(number) * kHeads;
    return std::vector<double>(begin, begin + kHeads);
  };
  EXPECT_NEAR(found[0], .000114, 1e-6);
  expect_near(part(0), {.0327, .0345, .0130, .0031, .0023, .0021, .0008, .0037, .0028}, 5.1e-5);
  expect_near(part(1), {.0962, .1095, .0457, .0166, .0237, .0111, .0023, .0093, .0038}, 5.1e-5);
  const std::vector<double> gates = {2.360e-4, 2.779e-4, 2.494e-4, 1.364e-4, 1.865e-4, 1.452e-4, 1.080e-4, 1.998e-4, 1.939e-4};
  for (std::size_t at = 0; at < gates.size(); ++at) EXPECT_NEAR(part(2)[at] / gates[at], 1, 5e-3) << at;
  EXPECT_NEAR(rank_correlation(part(0), part(2)), .883, 1e-3);
  EXPECT_NEAR(rank_correlation(part(1), part(2)), .717, 1e-3);
  EXPECT_NEAR(rank_correlation(part(0), part(1)), .783, 1e-3);
  std::vector<HeadId> heads;
  for (int number = 0; number < kHeads; ++number) heads.push_back(head(number));
  EXPECT_EQ(removal_order(heads, part(2), 0), removal_order(heads, gates, 0)) << "ranks are equal";
  expect_near(accuracies(growing(removal_order(heads, part(2), 0))), {.997, .970, .734, .432, .342, .257, .151, .123, .123}, 5.1e-4);
  std::vector<HeadId> by_zero = removal_order(heads, part(0), 0);
  by_zero.resize(4);
  expect_near(accuracies(growing(by_zero)), {.997, .975, .722, .571}, 5.1e-4);
}

/// Metrics 6.4: three codes, three numbers; ours is the first. The others are made here from what the first is made of.
TEST_F(NanoGptImportance, HasThreeFormsOfWhichOursIsPerExample) {
  constexpr int kTokens = 11, kStartingWithA = 243;
  constexpr float kStep = 1e-2F;
  const EffectPlan plan = this->plan("loss@5-");
  std::vector<double> per_example(kHeads), per_token(kHeads), signed_sum(kHeads);
  for (int at = 0; at < kStartingWithA; ++at) {
    const Sorting& sorting = sortings_[static_cast<std::size_t>(at)];
    ASSERT_EQ(sorting.ids[0], 0);
    TextEffects text(plan, tokens_of(plan, sorting), pool_, {}, sorting.next);
    for (int number = 0; number < kHeads; ++number) {
      const auto place = static_cast<std::size_t>(number);
      const Matrix z = text.output(head(number));
      const auto slope = [&](Index first, Index count) {
        Matrix more = z, less = z;
        more.middleRows(first, count) *= 1 + kStep;
        less.middleRows(first, count) *= 1 - kStep;
        return (text.with(head(number), more) - text.with(head(number), less)) / static_cast<double>(2 * kStep);
      };
      per_example[place] += text.gate_gradient(head(number)) / kStartingWithA;
      signed_sum[place] += slope(0, kTokens) / kStartingWithA;
      for (Index token = 0; token < kTokens; ++token) per_token[place] += std::abs(slope(token, 1)) / kStartingWithA;
    }
  }
  const auto expect_told = [](const std::vector<double>& found, const std::vector<double>& told, const char* name) {
    for (std::size_t at = 0; at < told.size(); ++at) EXPECT_NEAR(std::abs(found[at]) * 1e4 / told[at], 1, 1e-2) << name << " " << at;
  };
  expect_told(per_example, {5.390, 6.287, 5.329, 3.010, 4.058, 3.213, 2.075, 4.130, 4.230}, "per example");
  expect_told(per_token, {6.289, 7.041, 5.461, 4.072, 5.273, 4.151, 2.133, 4.178, 4.325}, "per token");
  expect_told(signed_sum, {5.312, 6.248, 5.307, 2.948, 4.026, 3.154, 1.961, 4.072, 4.108}, "per batch");
  const auto more_important_than = [](const std::vector<double>& values, std::size_t head) {
    return std::count_if(values.begin(), values.end(), [&](double value) { return value < values[head]; });
  };
  EXPECT_EQ(more_important_than(per_example, 4), 3) << "1.1 is the 4th from the least important";
  EXPECT_EQ(more_important_than(per_token, 4), 5) << "and the 6th by tokens";
}

TEST_F(NanoGptImportance, SortsAsOftenRightAsToldWithOneHeadLess) {
  std::vector<std::vector<HeadId>> one = {{}};
  for (int number = 0; number < kHeads; ++number) one.push_back({head(number)});
  expect_near(accuracies(one), {1, .931, .923, .975, .992, .995, .996, .997, .992, .992}, 5.1e-4);
}

TEST_F(NanoGptImportance, SortsAsOftenRightAsToldWithOneHeadOfALayer) {
  std::vector<std::vector<HeadId>> others;
  for (int number = 0; number < kHeads; ++number) {
    std::vector<HeadId>& removed = others.emplace_back();
    for (int other = 0; other < 3; ++other) {
      if (other != number % 3) removed.push_back({number / 3, other});
    }
  }
  expect_near(accuracies(others), {.713, .756, .727, .849, .897, .901, .977, .986, .989}, 5.1e-4);
}

TEST_F(NanoGptImportance, PatchingOneHeadRecoversAsMuchAsTold) {
  const EffectPlan plan = this->plan("logit:#1-#0@6");
  Sorting clean = sorting_of({2, 1, 0, 1, 1, 2}), corrupted = clean;
  corrupted.ids[0] = 0;
  TextEffects from(plan, tokens_of(plan, clean), pool_), to(plan, tokens_of(plan, corrupted), pool_);
  EXPECT_NEAR(from.unchanged(), 10.212, 1e-3);
  EXPECT_NEAR(to.unchanged(), -11.236, 1e-3);
  std::vector<double> recovered;
  for (int number = 0; number < kHeads; ++number) {
    const double patched = to.with(head(number), from.output(head(number)));
    recovered.push_back((patched - to.unchanged()) / (from.unchanged() - to.unchanged()));
  }
  expect_near(recovered, {.051, .057, .027, .032, .047, .030, -.007, .004, .001}, 5.1e-4);
}

}  // namespace
}  // namespace headlight
