#include "app/cli/figures/links_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/options/options.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, kPairParts> kPairNames{"AA", "AB", "BA", "BB"};

}  // namespace

LinksOptions::LinksOptions(CLI::App& command) : command_(command) {
  command.add_option("--threshold", filter_.threshold, "Links: the least weight that has a line")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->type_name("X")
      ->capture_default_str();
  command.add_option("--top", filter_.top, "Links: lines for the K largest weights of every query and head, whatever the threshold")
      ->check(CLI::Range(1, 1'000'000).description(""))
      ->type_name("K");
  command.add_option("--pairs", parts_, "Links of a sentence pair: only these, from sentence to sentence: AA, AB, BA, BB")
      ->delimiter(',')
      ->type_name("LIST");
  command.add_flag("--arcs", has_arcs_, "Links: one column of tokens with arcs, where queries and keys are one text");
  command.add_flag("--no-special", is_without_special_, "Links: none from or to tokens that the tokenizer added");
  command.add_flag(
      "--received", is_tinted_by_received_,
      "Links: below them the text, tinted by what each word gets from all queries; a tinted text is without --query and\n--key");
}

std::span<const std::string_view> LinksOptions::names() {
  static constexpr std::array<std::string_view, 8> kNames{"--threshold", "--top",  "--pairs",      "--query",
                                                          "--key",       "--arcs", "--no-special", "--received"};
  return kNames;
}

LinksRequest LinksOptions::request(const Snapshot& snapshot, std::vector<HeadId> heads, std::optional<Index> query,
                                   std::optional<Index> key) const {
  LinksRequest request{.heads = std::move(heads), .filter = filter_, .has_arcs = has_arcs_};
  if (command_.get_option("--top")->count() > 0) request.filter.rule = LinkRule::top;
  request.filter.has_special = !is_without_special_;
  if (is_tinted_by_received_) request.tint = TextTint::received;
  if (!parts_.empty()) {
    request.filter.parts = {};
    if (!link_texts(snapshot, request.heads.front().layer).is_pair()) {
      refuse_option("--pairs", "the text is not a sentence pair", {}, {}, "Give the second sentence with --text-pair, or leave this out");
    }
  }
  for (const std::string& part : parts_) {
    const auto* const found = std::find(kPairNames.begin(), kPairNames.end(), part);
    if (found == kPairNames.end()) refuse_option("--pairs", "unknown name", "\"" + printable(part, 60) + "\"", "AA, AB, BA, BB");
    request.filter.parts[static_cast<std::size_t>(found - kPairNames.begin())] = true;
  }
  if (query && key) refuse_option("--key", "lines of a query and lines of a key are two figures", {}, {}, "Leave out --query or --key");
  if (query) request.focus = LinkFocus{*query, false};
  if (key) request.focus = LinkFocus{*key, true};
  request.is_kept = request.focus.has_value();
  return request;
}

}  // namespace headlight
