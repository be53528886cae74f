#include "app/cli/figures/part_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/work/examples.h"
#include "engine/core/assets.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// A frame around cells, as far as they are inside the map; none where they are not.
std::optional<MapFrame> framed(const CellBlock& cells, Index queries, Index keys) {
  const MapFrame frame{FrameKind::relation, cells.query_begin, std::min<Index>(cells.query_end, queries), cells.key_begin,
                       std::min<Index>(cells.key_end, keys)};
  if (frame.query_begin >= frame.query_end || frame.key_begin >= frame.key_end) return std::nullopt;
  return frame;
}

/// What a reader sees in the sentence, as the window frames it.
std::vector<MapFrame> relations_of(const Snapshot& snapshot, int layer) {
  const bool is_of_text =
      &snapshot.query_tokens(layer) == snapshot.encoding.get() && &snapshot.key_tokens(layer) == snapshot.encoding.get();
  if (!is_of_text) refuse_option("--relations", "they are of a map of the text with itself, and this head's map is of another");
  const std::filesystem::path assets = assets_folder();
  const Examples examples = load_examples(assets.empty() ? assets : assets / "examples");
  const Example* example = find_example(examples.sentences, snapshot.encoding->text);
  if (example == nullptr)
    refuse_option("--relations", "the text is not the sentence of an example", {}, {}, "Frame its cells with --frame, such as --frame 6:2");
  std::vector<MapFrame> frames;
  for (const Relation& relation : example->relations) {
    const std::optional<CellBlock> cells = cells_of(relation, *snapshot.encoding);
    const auto frame = cells ? framed(*cells, snapshot.queries(layer), snapshot.keys(layer)) : std::nullopt;
    if (frame) frames.push_back(*frame);
  }
  return frames;
}

}  // namespace

DrawnMap parse_drawn_map(const std::string& text, const Query& query) {
  const std::size_t at = text.find('@');
  if (at == std::string::npos)
    refuse_option("--draw", "it names a head and its cells", "\"" + printable(text, 60) + "\"", "LAYER.HEAD@QUERY:KEY,…, such as 0.1@5:2");
  HeadNames names(query.model, query.item);
  return {names.head(text.substr(0, at), "--draw"), parse_cells(std::string_view(text).substr(at + 1), true), 0};
}

PartOptions::PartOptions(CLI::App& command) : command_(command) {
  add_range("--tokens",
            "Only these tokens along both axes of the map: 3-9, both ends included; of predictions, these positions. Ends with a "
            "decimal\npoint lie within cells, as a map that is zoomed has them: 2.5-7.25 shows half of token 2 and a quarter of token 7",
            tokens_);
  add_range("--queries", "Only the rows of these queries: 3-9", queries_);
  add_range("--keys", "Only the columns of these keys (of --stage z: of these numbers): 0-5", keys_);
  command.add_option("--frame", frames_, "Frames around cells of the heatmap, query:key, with ranges: 6:2,7:2-3")->type_name("Q:K,...");
  command.add_flag("--relations", has_relations_, "Frames the relations of the example whose sentence is the text, as the window does");
}

std::vector<std::string_view> PartOptions::names() {
  return {"--tokens", "--queries", "--keys"};
}

std::vector<std::string_view> PartOptions::frame_names() {
  return {"--frame", "--relations"};
}

std::optional<PartOptions::Range> PartOptions::range_of(const std::string& text) {
  constexpr Index kMost = 1'000'000'000;
  const std::size_t hyphen = text.find('-');
  const std::string_view all = text, first = all.substr(0, hyphen), last = hyphen == std::string::npos ? first : all.substr(hyphen + 1);
  if (all.find('.') == std::string_view::npos) {
    const std::optional<Index> begin = parse_number<Index>(first), end = parse_number<Index>(last);
    if (!begin || !end || *begin < 0 || *end < *begin || *end > kMost) return std::nullopt;
    return Range{static_cast<float>(*begin), static_cast<float>(*end + 1), text};
  }
  Range range{.text = text};
  const auto read = [](std::string_view number, float& place) {
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), place, std::chars_format::fixed);
    return problem == std::errc{} && end == number.data() + number.size() && place >= 0 && place <= static_cast<float>(kMost);
  };
  if (hyphen == std::string::npos || !read(first, range.begin) || !read(last, range.end) || range.end <= range.begin) return std::nullopt;
  return range;
}

void PartOptions::add_range(const char* name, const char* help, std::optional<Range>& range) {
  const auto read = [name, &range](const std::string& text) {
    range = range_of(text);
    if (!range)
      refuse_option(name, "this is not a range of positions", "\"" + printable(text, 60) + "\"",
                    "3-9, one position such as 3, or edges within cells such as 2.5-7.25");
  };
  command_.add_option_function<std::string>(name, read, help)->type_name("N-N");
}

CellWindow PartOptions::part(Index rows, Index columns) const {
  if (tokens_ && (queries_ || keys_))
    refuse_option("--tokens", "it is both --queries and --keys", {}, {}, "Leave out --tokens, or --queries and --keys");
  const std::optional<Range>& of_rows = tokens_ ? tokens_ : queries_;
  const std::optional<Range>& of_columns = tokens_ ? tokens_ : keys_;
  if (!of_rows && !of_columns) return {};
  const Range queries = of_rows.value_or(Range{0, static_cast<float>(rows)}),
              keys = of_columns.value_or(Range{0, static_cast<float>(columns)});
  const auto check = [](const char* option, const Range& range, Index count) {
    if (range.end > static_cast<float>(count))
      refuse_option(option, "there are no such tokens", printable(range.text, 60), fmt::format("0 to {}", count - 1));
  };
  check(tokens_ ? "--tokens" : "--queries", queries, rows);
  check(tokens_ ? "--tokens" : "--keys", keys, columns);
  return {queries.begin, queries.end, keys.begin, keys.end};
}

std::vector<MapFrame> PartOptions::frames(const Snapshot& snapshot, HeadId head) const {
  std::vector<MapFrame> frames;
  if (has_relations_) frames = relations_of(snapshot, head.layer);
  if (frames_.empty()) return frames;
  for (const CellBlock& cells : parse_cells(frames_, true)) {
    const auto frame = framed(cells, snapshot.queries(head.layer), snapshot.keys(head.layer));
    if (!frame)
      refuse_option("--frame", "there are no such cells", "\"" + printable(frames_, 60) + "\"",
                    fmt::format("queries 0 to {}, keys 0 to {}", snapshot.queries(head.layer) - 1, snapshot.keys(head.layer) - 1));
    frames.push_back(*frame);
  }
  return frames;
}

}  // namespace headlight
