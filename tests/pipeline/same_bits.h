// Whether two runs found the same, to the last bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "engine/pipeline/pipeline.h"

namespace headlight::testing {

inline std::shared_ptr<const Snapshot> run(Pipeline& pipeline, const Query& query) {
  SilentProgress progress;
  return pipeline.run(query, progress);
}

inline bool has_same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

inline bool has_same_bits(const SharedRows& a, const SharedRows& b) {
  return has_same_bits(*a.whole(), *b.whole());
}

inline void expect_same_bits(const HeadSummary& a, const HeadSummary& b) {
  EXPECT_TRUE(has_same_bits(a.pooled, b.pooled));
  EXPECT_EQ(a.masked_rows, b.masked_rows);
  EXPECT_EQ(a.informative_rows, b.informative_rows);
  EXPECT_EQ(a.pool, b.pool);
  EXPECT_EQ(a.queries, b.queries);
  EXPECT_EQ(a.keys, b.keys);
  EXPECT_EQ(std::memcmp(&a.largest, &b.largest, sizeof(float)), 0);
  ASSERT_EQ(a.measured.values.size(), b.measured.values.size());
  EXPECT_EQ(std::memcmp(a.measured.values.data(), b.measured.values.data(), a.measured.values.size() * sizeof(double)), 0);
}

inline void expect_same_bits(const Snapshot& a, const Snapshot& b) {
  ASSERT_EQ(a.layers(), b.layers());
  ASSERT_EQ(a.all_heads(), b.all_heads());
  EXPECT_EQ(a.encoding->tokens, b.encoding->tokens);
  ASSERT_EQ(a.decoder_encoding == nullptr, b.decoder_encoding == nullptr);
  if (a.decoder_encoding) {
    EXPECT_EQ(a.decoder_encoding->tokens, b.decoder_encoding->tokens);
  }
  EXPECT_EQ(a.notices, b.notices);
  EXPECT_TRUE(has_same_bits(a.trace.embedded, b.trace.embedded));
  EXPECT_TRUE(has_same_bits(a.trace.final_hidden, b.trace.final_hidden));
  for (int layer = 0; layer < a.layers(); ++layer) {
    const LayerTrace &left = a.trace.layer(layer), &right = b.trace.layer(layer);
    for (const SharedRows LayerTrace::*part :
         {&LayerTrace::resid_pre, &LayerTrace::k, &LayerTrace::v, &LayerTrace::z, &LayerTrace::resid_post}) {
      EXPECT_TRUE(has_same_bits(left.*part, right.*part)) << "layer " << layer;
    }
    EXPECT_TRUE(has_same_bits(*left.q.whole(), *right.q.whole())) << "layer " << layer;
    for (int head = 0; head < a.heads(layer); ++head) {
      EXPECT_TRUE(has_same_bits(a.maps({layer, head}).weights, b.maps({layer, head}).weights));
      expect_same_bits(a.summary({layer, head}), b.summary({layer, head}));
    }
  }
}

}  // namespace headlight::testing
