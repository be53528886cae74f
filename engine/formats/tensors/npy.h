// Arrays that NumPy wrote: the .npy format, versions 1 to 3 (numpy.lib.format).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"

namespace headlight {

/// A checked view of a .npy file's bytes, which must stay alive. Nothing is copied: numbers are read in place.
class NpyArray {
 public:
  /// bool, integers of 1 to 8 bytes and floats of 2, 4 and 8, either byte order, C and Fortran order. Throws Error (input) naming the field
  /// and the byte offset for anything else, and where the shape and the number of bytes do not agree.
  NpyArray(std::string_view bytes, const std::string& file);

  const std::vector<std::uint64_t>& shape() const { return shape_; }
  const std::string& dtype() const { return dtype_; }  ///< as the file writes it: "<f4"
  bool is_fortran() const { return is_fortran_; }
  std::uint64_t size() const { return size_; }  ///< the product of the shape

  /// One number; `index` has as many entries as the shape, each inside it. Integers above 2^53 are rounded.
  double value(std::span<const std::uint64_t> index) const;
  /// All of them in C order. Throws Cancelled.
  std::vector<float> floats(const Watch& watch = {}) const;

 private:
  double number_at(std::uint64_t element) const;
  std::vector<std::uint64_t> shape_;
  std::string dtype_;
  std::string_view data_;
  std::uint64_t size_ = 1;
  bool is_fortran_ = false;
};

/// An array of texts with at most one dimension, as UTF-8. Throws Error (input) for anything else.
std::vector<std::string> read_npy_texts(std::string_view bytes, const std::string& file);
/// An array of texts with two dimensions, row by row; one of fewer dimensions is a single row. Throws Error (input) for anything else.
std::vector<std::vector<std::string>> read_npy_text_rows(std::string_view bytes, const std::string& file);

}  // namespace headlight
