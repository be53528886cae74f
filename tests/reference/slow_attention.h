// The second opinion: several heads with their projections and a whole pre-LayerNorm model in double precision with plain loops, written
// from the formulas and sharing no code with the engine but the shapes of its parameters. One head: tests/attention/slow_attention.h.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "engine/model/model.h"
#include "tests/attention/slow_attention.h"

namespace headlight::testing {

/// Whether query may attend to key.
using Allows = std::function<bool(int query, int key)>;

inline Table slow_linear(const Table& x, const Linear& linear) {
  const Matrix weight = linear.weight.to_matrix();
  Table y;
  for (const Row& in : x) {
    Row out;
    for (Index column = 0; column < weight.cols(); ++column) {
      double sum = linear.bias.size() > 0 ? static_cast<double>(linear.bias[column]) : 0.0;
      for (Index row = 0; row < weight.rows(); ++row) {
        sum += in[static_cast<std::size_t>(row)] * static_cast<double>(weight(row, column));
      }
      out.push_back(sum);
    }
    y.push_back(out);
  }
  return y;
}

inline std::shared_ptr<const Mask> slow_mask(std::size_t queries, std::size_t keys, const Allows& allows) {
  Mask mask(static_cast<Index>(queries), static_cast<Index>(keys), false);
  for (int query = 0; query < mask.queries(); ++query) {
    for (int key = 0; key < mask.keys(); ++key) mask.set(query, key, allows(query, key));
  }
  return std::make_shared<const Mask>(mask);
}

struct SlowAttention {
  std::vector<Table> weights;  // one per head
  Table z;
  Table output;
};

inline SlowAttention slow_multi_head(const Table& query, const Table& key, const Table& value, const Linear& q, const Linear& k,
                                     const Linear& v, const Linear& o, int heads, double factor,
                                     const std::function<bool(int head, int query, int key)>& allows) {
  SlowAttention result;
  const Table qs = slow_linear(query, q), ks = slow_linear(key, k), vs = slow_linear(value, v);
  result.z.assign(query.size(), {});
  const std::size_t width = qs.front().size() / static_cast<std::size_t>(heads);
  for (int head = 0; head < heads; ++head) {
    const Allows one = [&](int from, int to) { return allows(head, from, to); };
    const std::size_t begin = static_cast<std::size_t>(head) * width;
    const SlowHead slow = slow_head(slow_columns(qs, begin, width), slow_columns(ks, begin, width), slow_columns(vs, begin, width),
                                    {.mask = slow_mask(query.size(), key.size(), one)}, factor);
    result.weights.push_back(slow.weights);
    for (std::size_t row = 0; row < slow.z.size(); ++row) result.z[row].insert(result.z[row].end(), slow.z[row].begin(), slow.z[row].end());
  }
  result.output = slow_linear(result.z, o);
  return result;
}

inline Table slow_norm(const Table& x, const Norm& norm, double epsilon) {
  Table y;
  for (const Row& in : x) {
    const auto width = static_cast<double>(in.size());
    double mean = 0, variance = 0;
    for (const double value : in) mean += value / width;
    for (const double value : in) variance += (value - mean) * (value - mean) / width;
    Row out;
    for (std::size_t column = 0; column < in.size(); ++column) {
      const auto at = static_cast<Index>(column);
      out.push_back((in[column] - mean) / std::sqrt(variance + epsilon) * static_cast<double>(norm.gain[at]) +
                    static_cast<double>(norm.bias[at]));
    }
    y.push_back(out);
  }
  return y;
}

inline double slow_activation(Activation activation, double x) {
  if (activation == Activation::relu) return x > 0 ? x : 0;
  if (activation == Activation::gelu_erf) return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

inline Table slow_sum(const Table& a, const Table& b) {
  Table sum = a;
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t column = 0; column < a[row].size(); ++column) sum[row][column] += b[row][column];
  }
  return sum;
}

struct SlowRun {
  std::vector<std::vector<Table>> weights;  // [layer][head]
  std::vector<Table> resid_post;            // [layer]
  Table final_hidden;
};

/// From the embedding on.
inline SlowRun slow_forward(const Model& model, const Table& embedded, int heads,
                            const std::function<bool(int layer, int head, int query, int key)>& allows) {
  SlowRun run;
  Table x = embedded;
  const auto epsilon = static_cast<double>(model.config.norm.epsilon);
  const double factor = 1 / std::sqrt(static_cast<double>(model.config.d_model) / heads);
  for (std::size_t layer = 0; layer < model.parameters.layers.size(); ++layer) {
    const LayerParameters& p = model.parameters.layers[layer];
    const Table normed = slow_norm(x, p.norm_1, epsilon);
    const auto layer_allows = [&](int head, int query, int key) { return allows(static_cast<int>(layer), head, query, key); };
    const SlowAttention attention = slow_multi_head(normed, normed, normed, p.q, p.k, p.v, p.o, heads, factor, layer_allows);
    x = slow_sum(x, attention.output);
    Table inner = slow_linear(slow_norm(x, p.norm_2, epsilon), p.ff_in);
    for (Row& row : inner) {
      for (double& value : row) value = slow_activation(model.config.feed_forward.activation, value);
    }
    x = slow_sum(x, slow_linear(inner, p.ff_out));
    run.weights.push_back(attention.weights);
    run.resid_post.push_back(x);
  }
  run.final_hidden = slow_norm(x, model.parameters.final_norm, epsilon);
  return run;
}

}  // namespace headlight::testing
