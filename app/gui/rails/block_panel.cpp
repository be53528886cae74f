// Parts of a block that can be left out, to see what they do.
#include <fmt/core.h>

#include <optional>

#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

int parts_left_out(const BlockSwitches& block) {
  return static_cast<int>(!block.has_attention_skip) + static_cast<int>(!block.has_feed_forward_skip) +
         static_cast<int>(!block.has_output_projection) + static_cast<int>(!block.has_biases);
}

void draw_output_projection(Panel& panel) {
  const Look& look = panel.look;
  bool& has_projection = panel.draft.query.block.has_output_projection;
  const ModelConfig* config = panel.config();
  const int width = config == nullptr ? 0 : config->heads.count * config->heads.d_head;
  // Without W_O the joined outputs of the heads can be added to the residual stream only if they are as wide as it.
  if (config != nullptr && width != config->d_model && has_projection) {
    const std::string help =
        fmt::format("Cannot be left out here: the heads' outputs are {} wide, the residual stream {}.", width, config->d_model);
    const Row row = begin_row(look, "Output projection", help.c_str());
    draw_text(look, row.right, row.middle(), Type::body, look.colours.text_second, "needed", AlignX::right);
    return;
  }
  on_off(look,
         begin_row(look, "Output projection W_O",
                   "Mixes what the heads found. Off: concatenation only, every head writes into its own columns of the residual stream. "
                   "Leaving it out shows that heads work together through W_O alone."),
         "Output projection", has_projection);
  if (!has_projection) text_line(look, Type::caption, look.colours.text_second, "off: concatenation only");
}

/// Empty while another model is being loaded.
std::optional<bool> has_own_biases(const Panel& panel) {
  if (panel.is_sandbox()) return panel.draft.query.model.sandbox.biases != SandboxBiases::none;
  if (panel.config() == nullptr) return std::nullopt;
  return has_attention_biases(panel.snapshot->model->parameters);
}

void draw_biases(Panel& panel) {
  const Look& look = panel.look;
  bool& has_biases = panel.draft.query.block.has_biases;
  if (has_biases && !has_own_biases(panel).value_or(true)) {
    const Row row =
        begin_row(look, "Biases",
                  panel.is_sandbox() ? "This sandbox is built without biases of q, k, v and W_O: Sandbox, More, Biases adds them."
                                     : "This model's q, k, v and W_O have no biases to leave out.");
    draw_text(look, row.right, row.middle(), Type::body, look.colours.text_second, "model has none", AlignX::right);
    return;
  }
  on_off(look, begin_row(look, "Biases", "Of q, k, v and W_O. Leaving them out shows how much of a map is there before any token is read."),
         "Biases", has_biases);
}

}  // namespace

void draw_block_panel(Panel& panel) {
  const Look& look = panel.look;
  BlockSwitches& block = panel.draft.query.block;
  const int left_out = parts_left_out(block);
  const std::string note = left_out == 0 ? std::string() : fmt::format("{} left out", left_out);
  if (!section(look, "Block", panel.view.rails.folded, note)) return;
  on_off(look,
         begin_row(look, "Skip around attention",
                   "x + attention(x). Leaving it out shows how much of a token is carried along unchanged: without it a token keeps only "
                   "what it attended to, and deeper maps soon look alike."),
         "Attention skip", block.has_attention_skip);
  on_off(look,
         begin_row(look, "Skip around feed-forward",
                   "x + feed-forward(x). Leaving it out shows that this part corrects the residual stream rather than replacing it."),
         "Feed-forward skip", block.has_feed_forward_skip);
  draw_output_projection(panel);
  draw_biases(panel);
  on_off(look,
         begin_row(look, "Typed <…> is special",
                   "A typed special token such as [MASK], [SEP] or <s> is read as that token, as the model's authors do. "
                   "Off: it is read as plain text."),
         "Typed <…> is special", panel.draft.query.reads_special_text);
}

}  // namespace headlight
