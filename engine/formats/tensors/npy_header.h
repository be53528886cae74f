// What comes before the data in a .npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct NpyHeader {
  std::string dtype;  ///< as the file writes it: "<f4"
  bool is_fortran = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_begin = 0;
};

/// Throws Error (input) with the byte offset for anything that NumPy does not write, and for a header longer than NumPy reads.
NpyHeader read_npy_header(std::string_view bytes, const std::string& file);

/// The product of the shape, after checking that the data holds that many elements of `width` bytes. Throws Error (input).
std::uint64_t check_npy_size(const NpyHeader& header, std::uint64_t width, std::string_view bytes, const std::string& file);

/// Refuses the element type, naming those that are `expected`.
[[noreturn]] void refuse_npy_type(const NpyHeader& header, const std::string& file, const std::string& expected);

}  // namespace headlight
