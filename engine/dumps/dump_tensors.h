// The named arrays and texts of a file that may hold attention maps, whatever its format: safetensors, .npy, .npz or JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/progress.h"
#include "engine/formats/tensors/tensor.h"

namespace headlight {

struct DumpTensor {
  std::string name;  ///< "attention.0"; empty for the only array of a file
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  DType type = DType::f32;  ///< as stored: decides how far a row's sum may be from 1, and what a mask's numbers mean
};

/// A list of tokens that the file holds.
struct DumpTexts {
  std::string name;  ///< "tokens", "decoder.tokens", "left_text" …; of a batch "tokens.0", "tokens.1" …
  std::vector<std::string> texts;
};

/// A text that the tokens were cut from, with the code points [begin, end) of each token in it; [0, 0) for tokens that were added.
struct DumpWholeText {
  std::string text, pair;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> offsets;
  std::vector<bool> are_special = {};  ///< of every token; empty: the file does not say
};

/// One step of a generation: the rows that it computed.
struct DumpStep {
  std::int64_t queries = 0, keys = 0;
};

struct DumpFile {
  std::string file;  ///< for messages
  std::vector<DumpTensor> tensors;
  std::vector<DumpTensor> masks;                  ///< arrays named mask, mask.3, encoder.mask.0 …
  std::string unread_mask;                        ///< an array that marks padding, "attention_mask"; empty: there is none
  std::map<std::string, std::string> mask_texts;  ///< metadata "headlight.mask", "headlight.mask.encoder" …
  bool is_of_attend = false;                      ///< `headlight attend` wrote it: an array of four axes begins with the batch
  std::vector<DumpTexts> texts;
  std::map<std::string, DumpWholeText> whole_texts;  ///< by the prefix of their names: "" or "decoder."
  std::vector<DumpStep> steps;                       ///< of a generation, whose rows `tensors` hold joined (dump_steps.h); else empty
  bool are_steps_assumed = false;                    ///< by their sides: no name says "step"
  std::vector<std::string> unread_texts;             ///< what should name tokens and is not a list of strings: "tokens" is "The cat sat"
};

/// Whether the name of a file is one that this reads: .safetensors, .npy, .npz, .json.
bool is_dump_name(const std::filesystem::path& path);

/// What a file of such a name seems to hold, by names and shapes alone: "attention maps", "array of 12 × 12 × 9 × 9", "arrays". Empty for
/// weights, for lists of tokens, and for what cannot be read. Never throws.
std::string describe_dump_file(const std::filesystem::path& path);

/// Whether a JSON file begins as lists do, or names attention early: documents and configurations do neither.
bool speaks_of_attention(const std::filesystem::path& path);

/// Reads the arrays that may be maps: those whose names say so or, where there are none, all with three or more dimensions; and the masks
/// beside them. Throws Error (input, limit), or Cancelled.
DumpFile read_dump_file(const std::filesystem::path& path, Progress& progress);

}  // namespace headlight
