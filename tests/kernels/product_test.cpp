#include "engine/kernels/product.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(out.rows(), 0);
}

TEST(ColumnBlocks, CoverEveryColumnOnce) {
  ThreadPool pool(3);
  for (const Index columns : {0, 1, 191, 192, 193, 1000}) {
    std::vector<int> seen(static_cast<std::size_t>(columns), 0);
    for_column_blocks(columns, pool, [&](Index begin, Index width) {
      for (Index column = begin; column < begin + width; ++column) ++seen[static_cast<std::size_t>(column)];
    });
    EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(columns), 1));
  }
}

}  // namespace
}  // namespace headlight
