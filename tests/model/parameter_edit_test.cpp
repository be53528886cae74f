#include <gtest/gtest.h>

#include <limits>

#include "engine/model/model.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

// Seeds S4-12: an entry edited by hand; S0-2: the other matrices stay.
TEST(ParameterEdit, SetsTheNamedCellsAndNothingElse) {
  const SandboxSpec spec{.layers = 2};
  const auto before = make_sandbox(spec);
  SandboxSpec edited = spec;
  edited.edits = {{"layer.1.q.weight", 3, 5, 1, 1, {42.0F}}, {"layer.0.v.weight", 2, 0, 1, 64, std::vector<float>(64, 0.5F)}};
  const auto after = make_sandbox(edited);
  EXPECT_EQ(after->parameters.layers[1].q.weight.to_matrix()(3, 5), 42.0F);
  EXPECT_TRUE(after->parameters.layers[0].v.weight.to_matrix().row(2).isApproxToConstant(0.5F));
  for (int layer = 0; layer < 2; ++layer) {
    for (const ParameterShape& shape : parameter_shapes(*before, layer)) {
      const Matrix old_values = parameter_values(*before, shape.name), new_values = parameter_values(*after, shape.name);
      EXPECT_EQ(old_values.rows(), shape.rows);
      EXPECT_EQ(old_values.cols(), shape.columns);
      const Index changed = (old_values.array() != new_values.array()).count();
      EXPECT_EQ(changed, shape.name == "layer.1.q.weight" ? 1 : shape.name == "layer.0.v.weight" ? 64 : 0) << shape.name;
    }
  }
}

TEST(ParameterEdit, BiasesAreEditedWhereTheSandboxHasSome) {
  const auto model = make_sandbox({.biases = SandboxBiases::zero, .edits = {{"layer.0.q.bias", 0, 3, 1, 1, {2}}}});
  EXPECT_TRUE(has_attention_biases(model->parameters));
  EXPECT_EQ(parameter_values(*model, "layer.0.q.bias")(0, 3), 2.0F);
  EXPECT_EQ(parameter_values(*model, "layer.0.q.bias").sum(), 2.0F);
  EXPECT_EQ(parameter_values(*model, "layer.0.o.bias"), Matrix::Zero(1, 64));
  EXPECT_FALSE(has_attention_biases(make_sandbox({})->parameters));
}

TEST(ParameterEdit, RefusesNamesPlacesAndNumbersThatDoNotFit) {
  const auto refusal = [](ParameterEdit edit) {
    return error_of([&] { make_sandbox({.layers = 2, .edits = {std::move(edit)}}); }).message();
  };
  EXPECT_NE(refusal({"layer.7.q.weight", 0, 0, 1, 1, {1}}).find("layer.7.q.weight"), std::string::npos);
  EXPECT_NE(refusal({"layer.0.q.bias", 0, 0, 1, 1, {1}}).find("no tensor"), std::string::npos) << "this sandbox has no biases";
  EXPECT_NE(refusal({"layer.0.q.weight", 64, 0, 1, 1, {1}}).find("[64, 64]"), std::string::npos);
  EXPECT_NE(refusal({"layer.0.q.weight", 0, 60, 1, 5, {1, 1, 1, 1, 1}}).find("outside"), std::string::npos);
  EXPECT_NE(refusal({"layer.0.q.weight", 2147483647, 0, 2147483647, 1, {1}}).find("outside"), std::string::npos);
  EXPECT_NE(refusal({"layer.0.q.weight", 0, 0, 1, 2, {1}}).find("1 × 2"), std::string::npos);
  EXPECT_NE(refusal({"layer.0.q.weight", 0, 0, 1, 1, {std::numeric_limits<float>::quiet_NaN()}}).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace headlight
