// All heads of a text measured while they pass by: as in pictures, as from files, and whatever their order.
#include "engine/studies/text_measures.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/analysis/content_dependence.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/measures/worked_example.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/null_values.h"
#include "tests/testing.h"

namespace headlight {
namespace {

Query sandbox_query(const std::string& text, SandboxKind kind = SandboxKind::causal) {
  Query query;
  query.model.sandbox = {.layers = 3, .d_model = 32, .heads = 4, .kind = kind};
  query.text = text;
  return query;
}

const std::string kText = "the cat sat on the mat and the dog sat on the cat";

std::shared_ptr<const Snapshot> run(const Query& query) {
  SilentProgress progress;
  return Pipeline(1).run(query, progress);
}

std::vector<HeadValues> passed(const Query& query, const std::vector<MeasureRequest>& requests, int threads = 1) {
  const PassingRun passing(make_sandbox(query.model.sandbox), query);
  ThreadPool pool(threads);
  return measure_text_heads(passing, passing.tokens_of(query), requests, output_norms(passing, requests), true, pool);
}

void expect_equal_bits(const std::vector<HeadValues>& a, const std::vector<HeadValues>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t head = 0; head < a.size(); ++head) {
    EXPECT_EQ(a[head].head, b[head].head);
    EXPECT_EQ(std::memcmp(a[head].values.data(), b[head].values.data(), a[head].values.size() * sizeof(double)), 0);
  }
}

std::vector<MeasureRequest> shown() {
  std::vector<MeasureRequest> requests;
  for (const Measure& measure : head_measures()) requests.push_back(plain_request(measure));
  return requests;
}

TEST(TextMeasures, ThoseOfPicturesAreTheSameToTheBit) {
  for (const SandboxKind kind : {SandboxKind::causal, SandboxKind::bidirectional, SandboxKind::encoder_decoder}) {
    Query query = sandbox_query(kText, kind);
    query.decoder_text = "a dog sat";
    const auto snapshot = run(query);
    for (const HeadValues& head : passed(query, shown())) {
      const HeadSummary& summary = snapshot->summary(head.head);
      EXPECT_EQ(std::memcmp(head.values.data(), summary.measured.values.data(), head.values.size() * sizeof(double)), 0)
          << head.head.layer << "." << head.head.head;
    }
  }
}

TEST(TextMeasures, EditsReachThemAsTheyReachPictures) {
  Query query = sandbox_query(kText);
  query.mask.rules = {{{}, "causal+window:3", {}}, {{Scope::Kind::head, {1, 2}}, "none", {}}};
  query.switched_off = {{0, 1}};
  query.score.temperature = 2;
  for (const MaskReach reach : {MaskReach::whole_model, MaskReach::this_head}) {
    query.mask_reach = reach;
    const auto snapshot = run(query);
    for (const HeadValues& head : passed(query, shown())) {
      EXPECT_EQ(std::memcmp(head.values.data(), snapshot->summary(head.head).measured.values.data(), head.values.size() * sizeof(double)),
                0);
    }
  }
}

TEST(TextMeasures, AnyNumberOfThreadsAndARebuiltRunGiveTheSameBits) {
  const std::vector<MeasureRequest> requests = measure_requests("all,beyond-distance:2", "test");
  const Query query = sandbox_query(kText);
  const std::vector<HeadValues> alone = passed(query, requests);
  expect_equal_bits(alone, passed(query, requests, 3));
  SilentProgress progress;
  expect_equal_bits(alone, measure_snapshot(*run(query), requests, false, progress));
}

TEST(TextMeasures, PermutingTheHeadsPermutesTheRows) {
  const std::vector<MeasureRequest> requests = measure_requests("all", "test");
  const Query query = sandbox_query(kText);
  const std::vector<HeadValues> before = passed(query, requests);
  auto model = std::make_shared<Model>(*make_sandbox(query.model.sandbox));
  LayerParameters& layer = model->parameters.layers[2];  // the last: what it writes is read by no head
  const Index width = 8, heads = 4;
  for (Linear* linear : {&layer.q, &layer.k, &layer.v}) {
    Matrix weight = linear->weight.to_matrix(), turned = weight;
    for (Index head = 0; head < heads; ++head)
      turned.middleCols((head + 1) % heads * width, width) = weight.middleCols(head * width, width);
    linear->weight = turned;
  }
  Matrix output = layer.o.weight.to_matrix(), turned = output;
  for (Index head = 0; head < heads; ++head) turned.middleRows((head + 1) % heads * width, width) = output.middleRows(head * width, width);
  layer.o.weight = turned;
  const PassingRun passing(model, query);
  ThreadPool pool(1);
  const auto after = measure_text_heads(passing, passing.tokens_of(query), requests, output_norms(passing, requests), false, pool);
  for (std::size_t head = 0; head < before.size(); ++head) {
    const std::size_t now = before[head].head.layer < 2 ? head : 8 + (head - 8 + 1) % 4;
    for (std::size_t request = 0; request < requests.size(); ++request) {
      const double was = before[head].values[request], is = after[now].values[request];
      EXPECT_EQ(std::isnan(was), std::isnan(is)) << requests[request].id;
      if (std::isnan(was)) continue;
      EXPECT_NEAR(is, was, 1e-9) << requests[request].id;
    }
  }
}

TEST(TextMeasures, TwiceTheOutputMatrixIsTwiceTheNormAndTheSameShare) {
  const std::vector<MeasureRequest> requests = measure_requests("output-norm,output-norm-ratio", "test");
  const Query query = sandbox_query(kText);
  const std::vector<HeadValues> before = passed(query, requests);
  auto model = std::make_shared<Model>(*make_sandbox(query.model.sandbox));
  model->parameters.layers[2].o.weight = Matrix(2 * model->parameters.layers[2].o.weight.to_matrix());
  const PassingRun passing(model, query);
  ThreadPool pool(1);
  const auto after = measure_text_heads(passing, passing.tokens_of(query), requests, output_norms(passing, requests), false, pool);
  for (std::size_t head = 8; head < 12; ++head) {
    EXPECT_NEAR(after[head].values[0], 2 * before[head].values[0], 1e-6 * before[head].values[0]);
    EXPECT_NEAR(after[head].values[1], before[head].values[1], 1e-6);
  }
}

TEST(TextMeasures, MapsFromAFileMeasureAsTheModelThatWroteThem) {
  const std::vector<MeasureRequest> requests = measure_requests("all,beyond-distance:2,key-set:0+3", "test");
  const Query query = sandbox_query(kText);
  const auto live = run(query);
  std::vector<Matrix> maps;
  std::vector<std::vector<float>> held;
  std::vector<TensorToWrite> tensors;
  held.reserve(3);
  const auto tokens = static_cast<std::int64_t>(live->tokens());
  for (int layer = 0; layer < 3; ++layer) {
    std::vector<float>& numbers = held.emplace_back();
    for (int head = 0; head < 4; ++head) {
      const Matrix map = live->maps({layer, head}).weights;
      numbers.insert(numbers.end(), map.data(), map.data() + map.size());
    }
    tensors.push_back({"attention." + std::to_string(layer), {4, tokens, tokens}, numbers});
  }
  std::string words, ids;
  for (const Token& token : live->encoding->tokens) {
    words += (words.empty() ? "\"" : ",\"") + token.text + "\"";
    ids += (ids.empty() ? "" : ",") + std::to_string(token.id);
  }
  const testing::TemporaryFolder folder;
  const auto path = folder / "maps.safetensors";
  write_safetensors(path, tensors, {{"tokens", "[" + words + "]"}, {"ids", "[" + ids + "]"}});
  Query read;
  read.model.name = path.string();
  SilentProgress progress;
  const auto from_file = measure_snapshot(*run(read), requests, false, progress),
             from_model = measure_snapshot(*live, requests, false, progress);
  ASSERT_EQ(from_file.size(), from_model.size());
  for (std::size_t head = 0; head < from_file.size(); ++head) {
    for (std::size_t request = 0; request < requests.size(); ++request) {
      const double is = from_file[head].values[request], was = from_model[head].values[request];
      if (requests[request].measure->need == MeasureNeed::outputs) {
        EXPECT_TRUE(std::isnan(is)) << "a file of maps does not say what heads write";
      } else if (!std::isnan(was)) {
        EXPECT_NEAR(is, was, 1e-6) << requests[request].id;
      } else {
        EXPECT_TRUE(std::isnan(is)) << requests[request].id;
      }
    }
  }
}

TEST(ContentDependence, IsNothingOfEqualMapsAndGrowsWithWhatDiffers) {
  const Matrix a = Matrix::Identity(4, 4), b = a.rowwise().reverse();
  const auto value = [](const std::vector<Matrix>& maps, const HiddenKeys* hidden = nullptr) {
    MeanMap mean(4);
    for (const Matrix& map : maps) mean.add({0, map}, hidden);
    mean.finish(std::ssize(maps));
    MeasureSum sum;
    for (const Matrix& map : maps) {
      ContentDependence dependence(mean, hidden);
      dependence.add({0, map}, Mask(4, map.cols(), true));
      sum.add(dependence.value());
    }
    return sum.mean();
  };
  EXPECT_EQ(value({a, a, a}), 0);
  EXPECT_NEAR(value({a, b}), 0.5, 1e-12) << "two disjoint maps: each is half of itself away from the mean";
  EXPECT_TRUE(std::isnan(value({})));
  Matrix even = worked_map();
  for (Index query = 0; query < 4; ++query) even.row(query).head(query + 1).setConstant(1 / static_cast<float>(query + 1));
  EXPECT_NEAR(value({worked_map(), even}), measure_of(all_measures(), "content-dependence").example, 1e-6) << "the table's example";
  // Without key 0 both maps below say the same: [·, 1] in each row that has anything left.
  const HiddenKeys first{{0}, {1, 0, 0, 0}};
  Matrix one = Matrix::Zero(4, 4), other = Matrix::Zero(4, 4);
  one.col(0).setConstant(0.25F);
  one.col(1).setConstant(0.75F);
  other.col(0).setConstant(0.5F);
  other.col(1).setConstant(0.5F);
  EXPECT_GT(value({one, other}), 0.1);
  EXPECT_EQ(value({one, other}, &first), 0);
  // Rows that reach past the first N keys: still Σ over all texts above and below the line, and so no more than 1.
  Matrix inside = Matrix::Zero(4, 6), outside = Matrix::Zero(4, 6);
  inside.col(0).setConstant(1);
  outside.col(5).setConstant(0.999F);
  outside.col(1).setConstant(0.001F);
  EXPECT_NEAR(value({inside, outside}), 0.5, 1e-6);
}

TEST(NullValues, ShuffledTokensAreTheSameTokensAndThoseOfTheTokenizerStay) {
  for (const SandboxKind kind : {SandboxKind::causal, SandboxKind::bidirectional, SandboxKind::encoder_decoder}) {
    Query query = sandbox_query(kText, kind);
    query.decoder_text = "a dog and a cat sat on the mat";
    const PassingRun passing(make_sandbox(query.model.sandbox), query);
    const TokenStage before = passing.tokens_of(query), after = with_shuffled_tokens(before, 3);
    EXPECT_NE(before.numbers.ids, after.numbers.ids);
    EXPECT_EQ(before.numbers.types, after.numbers.types);
    std::vector<std::int64_t> was = before.numbers.ids, is = after.numbers.ids;
    std::sort(was.begin(), was.end());
    std::sort(is.begin(), is.end());
    EXPECT_EQ(was, is);
    for (std::size_t at = 0; at < was.size(); ++at) {
      if (before.encoding->tokens[at].is_special) {
        EXPECT_EQ(before.encoding->tokens[at], after.encoding->tokens[at]);
      }
    }
    EXPECT_EQ(before.decoder_numbers.has_value(), after.decoder_numbers.has_value());
    if (before.decoder_numbers) {
      EXPECT_NE(before.decoder_numbers->ids, after.decoder_numbers->ids);
    }
    EXPECT_EQ(with_shuffled_tokens(before, 3).numbers.ids, after.numbers.ids) << "the seed decides";
  }
}

TEST(NullValues, RandomWeightsKeepTheirNumbersInAnotherOrder) {
  const auto model = make_sandbox(sandbox_query(kText).model.sandbox);
  const auto random = with_random_weights(*model, 1);
  Matrix before = model->parameters.layer(1).q.weight.to_matrix(), after = random->parameters.layer(1).q.weight.to_matrix();
  EXPECT_NE(before, after);
  std::sort(before.data(), before.data() + before.size());
  std::sort(after.data(), after.data() + after.size());
  EXPECT_EQ(before, after);
}

TEST(NullValues, OfRandomWeightsOfASandboxAreThoseOfAnyModelAndOfShuffledTokensAllTokensHave) {
  const Query query = sandbox_query(kText);
  const auto model = make_sandbox(query.model.sandbox);
  StudySettings settings{.requests = measure_requests("normalised-entropy,next-token,output-norm-ratio", "test"),
                         .nulls = {NullKind::shuffled_tokens, NullKind::random_weights}};
  const PassingRun passing(model, query);
  const TokenStage tokens = passing.tokens_of(query);
  ThreadPool pool(1);
  std::vector<HeadValues> heads = passed(query, settings.requests);
  const NullRuns nulls(model, query, settings, 2);
  nulls.append(tokens, 5, heads, pool, {});
  const PassingRun random(with_random_weights(*model, 1 + 5 % 2), query);
  const auto of_random = measure_text_heads(random, tokens, settings.requests, output_norms(random, settings.requests), false, pool);
  const auto of_shuffled = measure_text_heads(passing, with_shuffled_tokens(tokens, 5), settings.requests,
                                              output_norms(passing, settings.requests), false, pool);
  ASSERT_EQ(heads.size(), 12U);
  for (std::size_t head = 0; head < heads.size(); ++head) {
    ASSERT_EQ(heads[head].values.size(), settings.columns());
    for (std::size_t request = 0; request < 3; ++request) {
      const double shuffled = heads[head].values[3 + request], drawn = heads[head].values[6 + request];
      if (request == 1) {
        EXPECT_TRUE(std::isnan(shuffled) && std::isnan(drawn)) << "undefined under a causal mask";
        continue;
      }
      EXPECT_EQ(shuffled, of_shuffled[head].values[request]);
      EXPECT_EQ(drawn, of_random[head].values[request]);
      EXPECT_NE(shuffled, heads[head].values[request]);
      EXPECT_NE(drawn, heads[head].values[request]);
    }
  }
}

}  // namespace
}  // namespace headlight
