#include "app/cli/options/head_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/cli/options/options.h"
#include "app/document/fields/names.h"
#include "engine/core/progress.h"
#include "engine/dumps/attention_dump.h"
#include "engine/model/files/load_model.h"

namespace headlight {
namespace {

std::optional<int> parse_index(std::string_view text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// "cross.0.5": removes "cross." and returns the stack.
Stack take_stack(std::string_view& text) {
  for (const Stack stack : {Stack::encoder, Stack::decoder, Stack::cross}) {
    const std::string_view name = name_of(stack);
    if (!text.starts_with(name) || text.substr(name.size()).substr(0, 1) != ".") continue;
    text.remove_prefix(name.size() + 1);
    return stack;
  }
  return Stack::only;
}

ModelConfig config_of(const ModelChoice& model, std::optional<int> item) {
  if (model.name == "sandbox") return sandbox_config(model.sandbox);
  SilentProgress silent;
  if (names_attention_dump(model.name)) {
    return read_attention_dump(model.name, silent, item, UnchosenItem::first).model->config;
  }
  return load_model(model, silent)->config;
}

/// "0, 2" or "decoder.0, cross.0": the layers of a file of maps, the first ones if there are many.
std::string places_text(const ModelConfig& config) {
  constexpr int kMost = 12;
  std::string text;
  for (int layer = 0; layer < std::min(config.layers, kMost); ++layer) {
    const LayerPlace place = config.place(layer);
    const std::string stack = place.stack == Stack::only ? "" : fmt::format("{}.", name_of(place.stack));
    text += fmt::format("{}{}{}", layer == 0 ? "" : ", ", stack, place.number);
  }
  return config.layers > kMost ? text + ", …" : text;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char character : text) {
    if (character == ',' || character == ' ') {
      if (!parts.back().empty()) parts.emplace_back();
    } else {
      parts.back() += character;
    }
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

NamedHead parse_name(const std::string& text, const std::string& option) {
  std::string_view rest = text;
  const Stack stack = take_stack(rest);
  const std::size_t dot = rest.find('.');
  const std::optional<int> layer = parse_index(rest.substr(0, dot));
  const std::optional<int> head = dot == std::string_view::npos ? std::nullopt : parse_index(rest.substr(dot + 1));
  if (layer && (head || dot == std::string_view::npos)) return {{stack, *layer}, head};
  refuse_option(option, "this names neither a layer nor a head", "\"" + printable(text, 60) + "\"",
                "a layer such as 2 or cross.0, or a head such as 2.5 or cross.0.5");
}

LayerPlace parse_layer(const std::string& text, const std::string& option) {
  std::string_view rest = text;
  const Stack stack = take_stack(rest);
  if (const std::optional<int> number = parse_index(rest)) return {stack, *number};
  refuse_option(option, "this is not a layer", "\"" + printable(text, 60) + "\"", "a number from 0, or encoder.N, decoder.N or cross.N");
}

int layer_number(const LayerPlace& place, const ModelConfig& config, const std::string& option) {
  // A file's layers keep its numbers, which may have gaps.
  const bool has_gaps = !config.stacks.places.empty() && config.place(0).stack == Stack::only;
  if (place.stack == Stack::only && !has_gaps) return place.number;
  if (const std::optional<int> layer = config.layer_at(place)) return *layer;
  if (!config.stacks.places.empty()) {
    const std::string wanted = place.stack == Stack::only ? "" : fmt::format("{}.", name_of(place.stack));
    refuse_option(option, "the file has no such layer", wanted + std::to_string(place.number), places_text(config));
  }
  const int last = config.stacks.encoder_layers - 1, last_of_decoder = config.decoder_layers() - 1;
  refuse_option(option, "the model has no such layer", fmt::format("{}.{}", name_of(place.stack), place.number),
                config.is_encoder_decoder() ? fmt::format("encoder.0 to encoder.{}, decoder.0 to decoder.{}, cross.0 to cross.{}", last,
                                                          last_of_decoder, last_of_decoder)
                                            : fmt::format("0 to {}: it has one stack of layers", config.layers - 1));
}

int HeadNames::number_of(const LayerPlace& place, const std::string& option) {
  if (place.stack == Stack::only && !names_attention_dump(model_.name)) return place.number;
  if (!config_) config_ = config_of(model_, item_);
  return layer_number(place, *config_, option);
}

HeadId HeadNames::head(const std::string& text, const std::string& option) {
  const NamedHead named = parse_name(text, option);
  if (!named.head) {
    refuse_option(option, "a head is named by its layer and its number in that layer", "\"" + printable(text, 60) + "\"",
                  "LAYER.HEAD, such as 0.3 or cross.0.3");
  }
  return {number_of(named.layer, option), *named.head};
}

std::vector<HeadId> HeadNames::heads(const std::string& text, const std::string& option) {
  std::vector<HeadId> heads;
  for (const std::string& part : split_list(text)) heads.push_back(head(part, option));
  return heads;
}

Scope HeadNames::scope(const std::string& text, const std::string& option) {
  if (const std::optional<Stack> stack = from_name<Stack>(text)) {
    number_of({*stack, 0}, option);  // a model with one stack has none of these
    return {Scope::Kind::stack, {}, *stack};
  }
  const NamedHead named = parse_name(text, option);
  const int layer = number_of(named.layer, option);
  return named.head ? Scope{Scope::Kind::head, {layer, *named.head}} : Scope{Scope::Kind::layer, {layer, 0}};
}

}  // namespace headlight
