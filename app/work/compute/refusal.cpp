#include "app/work/compute/refusal.h"

#include <exception>
#include <new>

#include "engine/core/memory_reserve.h"
#include "engine/core/progress.h"

namespace headlight {

std::optional<ErrorDetail> current_refusal() {
  try {
    throw;
  } catch (const Cancelled&) {
    return std::nullopt;
  } catch (const Error& error) {
    return error.detail();
  } catch (const std::bad_alloc&) {
    keep_memory_reserve();
    return ErrorDetail{.kind = ErrorKind::limit,
                       .problem = "there is not enough free memory for this",
                       .hint = "Shorten the text or choose a smaller model"};
  } catch (const std::exception& fault) {
    return ErrorDetail{.kind = ErrorKind::internal, .problem = "a bug in Headlight: " + printable(fault.what())};
  }
}

}  // namespace headlight
