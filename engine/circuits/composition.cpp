#include "engine/circuits/composition.h"

namespace headlight {
namespace {

/// An encoder–decoder model has two streams.
enum class Stream : std::uint8_t { encoder, decoder };

Stream written_by(Stack stack) {
  return stack == Stack::encoder ? Stream::encoder : Stream::decoder;
}

Stream keys_read_by(Stack stack) {
  return stack == Stack::encoder || stack == Stack::cross ? Stream::encoder : Stream::decoder;
}

bool are_joined(const ModelConfig& config, int earlier, int later) {
  const Stack of_later = config.place(later).stack;
  const Stream stream = written_by(config.place(earlier).stack);
  return earlier < later && (stream == written_by(of_later) || stream == keys_read_by(of_later));
}

/// Of two heads of layers that are joined.
Composition compose(const ModelConfig& config, HeadId earlier, const FactoredMatrix& written, HeadId later, const HeadFactors& reading) {
  Composition found{earlier, later};
  const Stack stack = config.place(later.layer).stack;
  const Stream stream = written_by(config.place(earlier.layer).stack);
  if (stream == written_by(stack)) found.q = composition_score(written, reading.qk);
  if (stream != keys_read_by(stack)) return found;
  found.k = composition_score(written, reading.qk.transposed());
  found.v = composition_score(written, reading.ov);
  return found;
}

}  // namespace

double composition_score(const FactoredMatrix& written, const FactoredMatrix& read) {
  const FactoredMatrix joined{written.left, (written.right * read.left) * read.right};
  return frobenius_norm(joined) / (frobenius_norm(written) * frobenius_norm(read));
}

std::vector<Composition> compositions_of(const Model& model, HeadId head, NormGain gain, const Watch& watch) {
  const ModelConfig& config = model.config;
  const HeadFactors own = head_factors(model, head, gain);
  std::vector<Composition> all;
  for (int layer = 0; layer < config.layers; ++layer) {
    const bool is_earlier = are_joined(config, layer, head.layer);
    if (!is_earlier && !are_joined(config, head.layer, layer)) continue;
    const std::vector<HeadFactors> others = layer_factors(model, layer, gain);
    for (int other = 0; other < static_cast<int>(others.size()); ++other) {
      watch.check();
      const HeadFactors& factors = others[static_cast<std::size_t>(other)];
      const HeadId id{layer, other};
      all.push_back(is_earlier ? compose(config, id, factors.ov, head, own) : compose(config, head, own.ov, id, factors));
    }
  }
  return all;
}

std::string why_no_composition(const Model& model, HeadId head) {
  const ModelConfig& config = model.config;
  for (int layer = 0; layer < config.layers; ++layer) {
    if (are_joined(config, layer, head.layer) || are_joined(config, head.layer, layer)) return {};
  }
  return "The model has only one layer, so the head has no other to read from or write to.";
}

}  // namespace headlight
