#include "engine/kernels/weights.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/core/random.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

Matrix random(Index rows, Index columns) {
  RandomStream stream(7, "weights");
  Matrix matrix(rows, columns);
  for (float& value : matrix.reshaped<Eigen::RowMajor>()) value = stream.next_normal();
  return matrix;
}

/// The upper halves of the floats: bfloat16 by truncation, and what that comes to.
StoredMatrix as_bf16(const Matrix& floats, Matrix& truncated) {
  const auto size = static_cast<std::size_t>(floats.size());
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(2 * size);
  truncated.resize(floats.rows(), floats.cols());
  for (std::size_t at = 0; at < size; ++at) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, floats.data() + at, sizeof(bits));
    const auto high = static_cast<std::uint16_t>(bits >> 16U);
    std::memcpy(bytes.get() + 2 * at, &high, sizeof(high));
    bits &= 0xFFFF0000U;
    std::memcpy(truncated.data() + at, &bits, sizeof(bits));
  }
  return {DType::bf16, floats.rows(), floats.cols(), std::move(bytes)};
}

TEST(StoredMatrix, PartsShareMemoryAndKeepTheirPlace) {
  const Matrix floats = random(6, 9);
  Matrix truncated;
  for (const StoredMatrix& stored : {StoredMatrix(floats), as_bf16(floats, truncated)}) {
    const Matrix whole = stored.to_matrix();
    const StoredMatrix part = stored.middle_rows(2, 3).middle_columns(4, 5);
    EXPECT_EQ(part.to_matrix(), whole.block(2, 4, 3, 5));
    EXPECT_EQ(stored.middle_rows(0, 2).memory(), stored.memory());
    EXPECT_EQ(part.gather_rows({2, 0}).to_matrix().row(0), whole.row(4).segment(4, 5));
    EXPECT_EQ(part.gather_rows({2, 0}).to_matrix().row(1), whole.row(2).segment(4, 5));
  }
  EXPECT_EQ(StoredMatrix(floats).floats(), floats);
}

TEST(StoredMatrix, OutlivesTheOneItIsAPartOf) {
  StoredMatrix part;
  const Matrix floats = random(4, 4);
  {
    const StoredMatrix whole(floats);
    part = whole.middle_rows(1, 2);
  }
  EXPECT_EQ(part.to_matrix(), floats.middleRows(1, 2));
}

TEST(Weights, AreSeenAsInOutHoweverTheyLie) {
  const Matrix floats = random(5, 3);
  const Weights in_out(floats), out_in(StoredMatrix(floats), Weights::Layout::out_in);
  EXPECT_EQ(in_out.rows(), 5);
  EXPECT_EQ(out_in.rows(), 3);
  EXPECT_EQ(out_in.to_matrix(), floats.transpose());
}

TEST(Weights, MultiplyAlikeInEveryTypeAndEitherWayRound) {
  const Matrix x = random(7, 40), plain = random(40, 200);
  Matrix truncated, turned;
  const StoredMatrix by_in = as_bf16(plain, truncated), by_out = as_bf16(plain.transpose(), turned);
  const Matrix expected = x * truncated;
  ThreadPool pool(2);
  for (const Weights& weights :
       {Weights(truncated), Weights(StoredMatrix(turned), Weights::Layout::out_in), Weights(by_in, Weights::Layout::in_out),
        Weights(by_out, Weights::Layout::out_in), Weights::of_table(by_out)}) {
    Matrix found(7, 200);
    multiply_weights(x, weights, {}, found, pool);
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-5F);
    EXPECT_EQ(weights.to_matrix(), truncated);
  }
}

/// Numbers 0, 1, 2 … as bits of any type: what is moved about is not computed with.
StoredMatrix counted(DType type, Index rows, Index columns) {
  const std::size_t width = type == DType::f32 ? 4 : 2;
  auto bytes = std::make_shared<std::byte[]>(static_cast<std::size_t>(rows * columns) * width);
  for (std::uint16_t at = 0; at < rows * columns; ++at) std::memcpy(bytes.get() + at * width, &at, sizeof(at));
  return {type, rows, columns, std::move(bytes)};
}

/// What lies at (k, column) of all panels; of a 32-bit number the lower half.
std::uint16_t bits_at(const PackedPanel& panel, Index k, Index column) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, panel.numbers + (k * panel.width + column) * bytes_of(panel.type), sizeof(bits));
  return bits;
}

TEST(Weights, EveryNumberOfATableIsInItsPanelAndZerosBesideThem) {
  for (const DType type : {DType::f32, DType::bf16, DType::f16}) {
    for (const Index rows : {1, 7, 16, 61}) {
      for (const Index columns : {1, 8, 11, 259, 519}) {
        const Weights table = Weights::of_table(counted(type, rows, columns)),
                      laid_out(counted(type, rows, columns), Weights::Layout::out_in);
        PanelScratch scratch;
        for (Index number = 0; number < table.panel_count(); ++number) {
          const PackedPanel panel = table.panel(number, scratch), other = laid_out.panel(number, scratch);
          for (Index cell = 0; cell < columns * panel.width; ++cell) {
            const Index k = cell / panel.width, column = cell % panel.width;
            const Index expected = column < panel.columns ? (panel.begin + column) * columns + k : 0;
            ASSERT_EQ(bits_at(panel, k, column), expected) << rows << " × " << columns << " at " << k << ", " << column;
            ASSERT_EQ(bits_at(other, k, column), expected);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace headlight
