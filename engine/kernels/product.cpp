#include "engine/kernels/product.h"

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

/// Of a panel that is multiplied at once: 48 kB of float32, which stay in the second cache while all rows pass by. 128 were 5 % slower, 768 no
/// faster.
constexpr Index kDepthAtOnce = 256;
/// Of the left side: some hundred kB that stay in the second cache while the panels pass by.
constexpr Index kRowsAtOnce = 256;
/// Of a slice between two questions of the watch.
constexpr Index kFewestRows = 64;
/// Most numbers that one slice writes. Fresh memory can be slow: where a virtual machine must ask its host for every page, 16 MiB have
/// taken 80 ms.
constexpr Index kMostNumbers = Index{1} << 22U;

/// out[:, panel's columns] = a · panel. `is_followed`: what lies behind the panel is read next.
void multiply_panel(const MatrixView& a, const PackedPanel& panel, bool is_followed, MatrixBlock& out) {
  const Index depth = a.cols(), row_bytes = panel.width * bytes_of(panel.type);
  PanelProduct product{.a_stride = a.outerStride(),
                       .rows = a.rows(),
                       .width = panel.width,
                       .out = out.data() + panel.begin,
                       .out_stride = out.outerStride(),
                       .columns = panel.columns};
  const auto multiply = instruction_set().multiply[static_cast<std::size_t>(panel.type)];
  Index k = 0;
  do {
    product.depth = std::min(kDepthAtOnce, depth - k);
    product.a = a.data() + k;
    product.panel = panel.numbers + k * row_bytes;
    product.adds = k > 0;
    k += product.depth;
    product.next = is_followed || k < depth ? reinterpret_cast<const char*>(panel.numbers + k * row_bytes) : nullptr;
    multiply(product);
  } while (k < depth);
}

void finish_panel(const ProductFinish& finish, const PackedPanel& panel, Index first_row, MatrixBlock out) {
  if (finish.is_empty()) return;
  const auto numbers_of = [&](const Matrix* matrix, Index row) {
    return matrix == nullptr ? nullptr : matrix->row(first_row + row).data() + panel.begin;
  };
  for (Index row = 0; row < out.rows(); ++row) {
    instruction_set().finish({.numbers = out.row(row).data() + panel.begin,
                              .count = panel.columns,
                              .bias = finish.bias == nullptr ? nullptr : finish.bias->data() + panel.begin,
                              .function = finish.function ? &*finish.function : nullptr,
                              .factor = numbers_of(finish.factor, row),
                              .stream = numbers_of(finish.stream, row)});
  }
}

/// The rows and panels of one task.
struct Piece {
  Index first_row = 0, rows = 0, first_panel = 0, panels = 0;
};

Index slices_of(Index rows) {
  return std::max<Index>(1, (rows + kRowsAtOnce - 1) / kRowsAtOnce);
}

/// Whole panels times at most kRowsAtOnce rows: many panels at first, because a thread that reads on has its next panel fetched in time, then
/// fewer and fewer, so that all threads end together. `left`: panels of this product and those after it, one for each slice of rows.
std::vector<Piece> cut(Index rows, Index panels, int threads, Index& left) {
  const Index slices = slices_of(rows);
  std::vector<Piece> pieces;
  for (Index slice = 0; slice < slices; ++slice) {
    const Index first_row = rows * slice / slices, end_row = rows * (slice + 1) / slices;
    for (Index panel = 0; panel < panels;) {
      const Index count = std::clamp<Index>(left / (2 * Index{threads}), 1, panels - panel);
      pieces.push_back({first_row, end_row - first_row, panel, count});
      panel += count;
      left -= count;
    }
  }
  return pieces;
}

}  // namespace

void multiply(const MatrixView& a, const Panels& b, MatrixBlock out, const Watch& watch) {
  const Index most = std::min(watch.rows_at_once(a.cols() * out.cols()), kMostNumbers / std::max<Index>(1, out.cols()));
  const Index slice = std::max(kFewestRows, most);
  Index begin = 0;
  do {
    watch.check();
    const Index end = std::min(a.rows(), begin + slice);
    for (; begin < end; begin = std::min(end, begin + kRowsAtOnce)) {
      const Index rows = std::min(kRowsAtOnce, end - begin);
      MatrixBlock part = out.middleRows(begin, rows);
      PackedPanel panel;
      for (Index number = 0; panel.begin + panel.columns < out.cols(); ++number) {
        panel = b.panel(number);
        panel.columns = std::min(panel.columns, out.cols() - panel.begin);
        multiply_panel(a.middleRows(begin, rows), panel, number + 1 < b.plan().count(), part);
      }
    }
  } while (begin < a.rows());
}

void multiply(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch) {
  multiply(a, Panels(panel_source(b, false)), out, watch);
}

void multiply_transposed(const MatrixView& a, const MatrixView& b, MatrixBlock out, const Watch& watch) {
  multiply(a, Panels(panel_source(b, true)), out, watch);
}

namespace {

void multiply_piece(WeightProduct& product, const Piece& piece, const Watch& watch) {
  const MatrixView rows = product.a.middleRows(piece.first_row, piece.rows);
  MatrixBlock part = product.out.middleRows(piece.first_row, piece.rows);
  PanelScratch scratch;
  for (Index at = 0; at < piece.panels; ++at) {
    watch.check();
    const PackedPanel panel = product.weights.panel(piece.first_panel + at, scratch);
    multiply_panel(rows, panel, product.weights.is_packed() && at + 1 < piece.panels, part);
    finish_panel(product.finish, panel, piece.first_row, part);
  }
}

}  // namespace

void multiply_weights(std::span<WeightProduct> products, ThreadPool& pool, const Watch& watch) {
  std::vector<Piece> pieces;
  std::vector<WeightProduct*> product_of_piece;
  Index left = 0;
  for (const WeightProduct& product : products) left += slices_of(product.a.rows()) * product.weights.panel_count();
  for (WeightProduct& product : products) {
    const std::vector<Piece> more = cut(product.a.rows(), product.weights.panel_count(), pool.threads(), left);
    pieces.insert(pieces.end(), more.begin(), more.end());
    product_of_piece.resize(pieces.size(), &product);
  }
  pool.for_each(std::ssize(pieces), [&](Index number) {
    const auto at = static_cast<std::size_t>(number);
    multiply_piece(*product_of_piece[at], pieces[at], watch);
  });
}

void multiply_weights(const MatrixView& a, const Weights& weights, const ProductFinish& finish, MatrixBlock out, ThreadPool& pool,
                      const Watch& watch) {
  WeightProduct product{a, weights, finish, out};
  multiply_weights({&product, 1}, pool, watch);
}

}  // namespace headlight
