// Every number of an accepted array can be read one by one and all at once, and both say the same.
#include <cmath>

#include "engine/formats/tensors/npy.h"
#include "tests/fuzz/fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  const std::string_view bytes = fuzzing::as_text(data, size);
  fuzzing::expect_answer([&] {
    const NpyArray array(bytes, "fuzz.npy");
    const std::vector<float> floats = array.floats();
    if (floats.size() != array.size()) std::abort();
    if (floats.empty()) return;
    std::vector<std::uint64_t> last(array.shape());
    for (std::uint64_t& index : last) --index;
    const auto number = static_cast<float>(array.value(last));
    if (number != floats.back() && !(std::isnan(number) && std::isnan(floats.back()))) std::abort();
  });
  fuzzing::expect_answer([&] { read_npy_texts(bytes, "fuzz.npy"); });
  fuzzing::expect_answer([&] { read_npy_text_rows(bytes, "fuzz.npy"); });
  return 0;
}
