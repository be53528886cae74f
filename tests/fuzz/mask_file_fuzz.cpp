// Mask files: the first byte chooses the ending. An accepted mask comes back equal through every kind of file, and as strokes.
#include "app/document/files/mask_files.h"
#include "tests/fuzz/fuzzing.h"

namespace {

void check_ways_back(const headlight::Mask& mask) {
  using namespace headlight;
  for (const char* name : {"again.npy", "again.txt", "again.png"}) {
    const auto path = fuzzing::scratch_folder() / name;
    write_mask(mask, path);
    if (!(read_mask(path).mask == mask)) std::abort();
  }
  MaskEdits edits;
  fuzzing::expect_answer([&] { paint_mask(edits, Scope{}, strokes_of(mask)); });
  if (edits.rules.empty()) return;  // too ragged, which is said
  MaskContext context;
  context.queries = mask.queries();
  context.keys = mask.keys();
  if (!(*layer_masks(edits, 0, 1, "none", context).at(0) == mask)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headlight;
  if (size == 0) return 0;
  constexpr const char* kNames[] = {"fuzz.npy", "fuzz.txt", "fuzz.png"};
  const auto path = fuzzing::write_scratch(kNames[data[0] % 3], fuzzing::as_text(data + 1, size - 1));
  fuzzing::expect_answer([&] {
    const MaskFile read = read_mask(path);
    if (read.mask.queries() * read.mask.keys() <= 4096) check_ways_back(read.mask);
  });
  fuzzing::expect_answer([&] { read_mask(path, 2, 3); });
  return 0;
}
