#include "engine/kernels/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

using testing::random_matrix;

TEST(Product, ARowIsTheSameToTheBitHoweverManyRowsThereAre) {
  for (const Index width : {16, 64, 100, 768}) {
    for (const Index columns : {17, 64, 100, 192}) {
      const Matrix a = random_matrix("a", 30, width), b = random_matrix("b", width, columns);
      Matrix whole(30, columns);
      multiply(a, b, whole);
      for (Index rows = 1; rows <= 30; ++rows) {
        Matrix part(rows, columns);
        multiply(a.topRows(rows), b, part);
        EXPECT_EQ(part, whole.topRows(rows)) << rows << " rows, " << width << " × " << columns;
      }
    }
  }
}

TEST(Product, OfNoRowsIsEmpty) {
  Matrix out(0, 5);
  multiply(Matrix(0, 3), random_matrix("b", 3, 5), out);
  multiply(Matrix(0, 300), random_matrix("b", 300, 5), out);  // several stretches of the sum
  EXPECT_EQ(out.rows(), 0);
  Matrix zeros = Matrix::Constant(2, 5, 7), none(2, 0);
  multiply(Matrix(2, 0), Matrix(0, 5), zeros);
  EXPECT_EQ(zeros, Matrix::Zero(2, 5));
  multiply(random_matrix("a", 2, 300), Matrix(300, 0), none);
}

/// What every product must be to the bit: one chain of fused multiply-adds in the order of the sum.
Matrix chain(const Matrix& a, const Matrix& b) {
  Matrix out = Matrix::Zero(a.rows(), b.cols());
  for (Index row = 0; row < a.rows(); ++row) {
    for (Index column = 0; column < b.cols(); ++column) {
      for (Index k = 0; k < a.cols(); ++k) out(row, column) = std::fma(a(row, k), b(k, column), out(row, column));
    }
  }
  return out;
}

TEST(Product, OfPanelsLaidOutBeforeHasOnlyTheRowsAndColumnsThatAreAskedFor) {
  const Matrix a = random_matrix("a", 9, 300), b = random_matrix("b", 300, 130);
  const Panels panels(panel_source(b, false));
  for (const Index depth : {1, 255, 256, 300}) {
    for (const Index columns : {1, 48, 49, 130}) {
      Matrix part(9, columns);
      multiply(a.leftCols(depth), panels, part);
      EXPECT_EQ(part, chain(a.leftCols(depth), b.topLeftCorner(depth, columns))) << depth << " × " << columns;
    }
  }
}

TEST(Product, IsOneChainOfFusedMultiplyAddsInTheOrderOfTheSum) {
  for (const Index rows : {1, 5, 8, 9, 13, 270}) {
    for (const Index width : {1, 64, 300}) {
      for (const Index columns : {1, 15, 16, 17, 48, 64, 100}) {
        const Matrix a = random_matrix("a", rows, width), b = random_matrix("b", width, columns);
        Matrix plain(rows, columns), transposed(rows, columns);
        multiply(a, b, plain);
        multiply_transposed(a, b.transpose(), transposed);
        const Matrix expected = chain(a, b);
        ASSERT_EQ(plain, expected) << rows << " × " << width << " × " << columns;
        ASSERT_EQ(transposed, expected) << rows << " × " << width << " × " << columns;
      }
    }
  }
}

TEST(Product, WithWeightsHasTheSameBitsForAnyNumberOfThreads) {
  const Matrix a = random_matrix("a", 600, 70), b = random_matrix("b", 70, 400);
  const RowVector bias = random_matrix("bias", 1, 400);
  Matrix expected = chain(a, b);
  expected.rowwise() += bias;
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    Matrix found(600, 400);
    multiply_weights(a, Weights(b), {.bias = &bias}, found, pool);
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

TEST(Product, IsFinishedByBiasFunctionFactorAndStreamInThisOrder) {
  const Matrix a = random_matrix("a", 300, 20), b = random_matrix("b", 20, 150);
  const Matrix factor = random_matrix("factor", 300, 150), stream = random_matrix("stream", 300, 150);
  const RowVector bias = random_matrix("bias", 1, 150);
  Matrix expected = chain(a, b);
  expected.rowwise() += bias;
  expected = expected.cwiseMax(0.0F).cwiseProduct(factor);
  expected += stream;
  ThreadPool pool(2);
  Matrix found(300, 150);
  multiply_weights(a, Weights(b), {.bias = &bias, .function = LaneFunction::relu, .factor = &factor, .stream = &stream}, found, pool);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace headlight
