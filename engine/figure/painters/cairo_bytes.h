// What cairo writes, as bytes.
#pragma once

#include <cairo.h>

#include <string>

namespace headlight {

/// A cairo_write_func_t whose closure is a std::string.
inline cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace headlight
