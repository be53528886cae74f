#include "app/recipe/command_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/document/fields/names.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/mask_edits.h"
#include "app/recipe/arguments.h"
#include "engine/model/files/model_places.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestText = 2000;

std::string head_text(HeadId head) {
  return fmt::format("{}.{}", head.layer, head.head);
}

/// "cross@", "3@", "3.1@"; empty for all heads.
std::string scope_text(const Scope& scope) {
  if (scope.kind == Scope::Kind::stack) return std::string(name_of(scope.stack)) + "@";
  if (scope.kind == Scope::Kind::layer) return fmt::format("{}@", scope.where.layer);
  return scope.kind == Scope::Kind::head ? head_text(scope.where) + "@" : "";
}

void add_strokes(Arguments& line, const Query& wanted, Query& made, bool is_allowed) {
  for (const MaskRule& rule : wanted.mask.rules) {
    std::vector<std::string> cells;
    for (const CellBlock& block : rule.strokes) {
      if (block.is_allowed != is_allowed) continue;
      cells.push_back(range_text(block.query_begin, block.query_end) + ":" + range_text(block.key_begin, block.key_end));
      rule_for(made.mask, rule.scope).strokes.push_back(block);
    }
    if (!cells.empty()) line.add(is_allowed ? "--allow" : "--deny", scope_text(rule.scope) + joined(cells));
  }
}

void add_mask(Arguments& line, const Query& wanted, Query& made) {
  for (const MaskRule& rule : wanted.mask.rules) {
    if (rule.text.empty()) continue;
    line.add("--mask", scope_text(rule.scope) + rule.text);
    rule_for(made.mask, rule.scope).text = rule.text;
  }
  add_strokes(line, wanted, made, false);
  add_strokes(line, wanted, made, true);
  if (wanted.mask_reach == made.mask_reach) return;
  made.mask_reach = wanted.mask_reach;
  if (!wanted.mask.rules.empty()) line.add("--mask-reach", std::string(name_of(wanted.mask_reach)));
}

void add_score(Arguments& line, const ScoreSettings& wanted, ScoreSettings& made) {
  if (!wanted.is_scaled) line.add("--no-scale");
  if (wanted.temperature != made.temperature) line.add("--temperature", fmt::format("{}", wanted.temperature));
  if (wanted.kind) line.add("--score", std::string(name_of(*wanted.kind)));
  if (wanted.softcap) line.add("--softcap", fmt::format("{}", *wanted.softcap));
  if (wanted.sink) line.add("--sink", fmt::format("{}", *wanted.sink));
  made = wanted;
}

void add_text(Arguments& line, const Query& wanted, Query& made) {
  if (!wanted.text.empty() && wanted.ids.empty()) {
    line.add("-t", wanted.text);
    made.text = wanted.text;
  }
  if (wanted.text.starts_with('-')) {  // a short option takes no "="
    line.words.pop_back();
    line.add("--text", wanted.text);
  }
  if (wanted.text_pair) line.add("--text-pair", *wanted.text_pair);
  if (wanted.decoder_text) line.add("--decoder-text", *wanted.decoder_text);
  if (!wanted.reads_special_text) line.add("--plain-special");
  if (wanted.item) line.add("--item", std::to_string(*wanted.item));
  std::vector<std::string> ids;
  for (const std::int64_t id : wanted.ids) ids.push_back(std::to_string(id));
  if (!ids.empty()) line.add("--ids", joined(ids));
  made.text_pair = wanted.text_pair;
  made.decoder_text = wanted.decoder_text;
  made.reads_special_text = wanted.reads_special_text;
  made.item = wanted.item;
  made.ids = wanted.ids;
}

void add_model(Arguments& line, const Query& wanted, Query& made) {
  line.add("-m", wanted.model.name);
  made.model.name = wanted.model.name;
  made.model.version = version_of_built_in(wanted.model.name);
  add_fields(
      line, wanted.model.sandbox,
      [&] {
        SandboxSpec spec;
        spec.heads = wanted.model.sandbox.heads;  // --heads and --kv-heads below
        spec.kv_heads = wanted.model.sandbox.kv_heads;
        return spec;
      }(),
      sandbox_fields());
  const bool is_sandbox = wanted.model.name == "sandbox";
  const SandboxSpec usual;
  if (is_sandbox && wanted.model.sandbox.heads != usual.heads) line.add("--heads", std::to_string(wanted.model.sandbox.heads));
  if (is_sandbox && wanted.model.sandbox.kv_heads != usual.kv_heads) line.add("--kv-heads", std::to_string(wanted.model.sandbox.kv_heads));
  made.model.sandbox = wanted.model.sandbox;
  if (is_sandbox) return;
  if (wanted.heads) line.add("--heads", std::to_string(*wanted.heads));
  if (wanted.kv_heads) line.add("--kv-heads", std::to_string(*wanted.kv_heads));
  made.heads = wanted.heads;
  made.kv_heads = wanted.kv_heads;
}

/// A subject; `made`: what the options before it have made.
void add_query(Arguments& line, const Query& wanted) {
  Query made;
  add_model(line, wanted, made);
  add_text(line, wanted, made);
  add_mask(line, wanted, made);
  add_score(line, wanted.score, made.score);
  std::vector<std::string> off;
  for (const HeadId head : wanted.switched_off) off.push_back(head_text(head));
  if (!off.empty()) line.add("--off", joined(off));
  made.switched_off = wanted.switched_off;
  for (const Intervention& each : wanted.interventions) {
    if (each.texts) continue;  // a file that may have changed; the figure holds its texts
    line.add("--edit", to_text(each));
    made.interventions.push_back(each);
  }
  if (!(made == wanted)) line.is_whole = false;
}

/// Further texts, which differ from the first in nothing but their words.
void add_others(Arguments& line, const Document& document) {
  for (const Subject& other : document.others) {
    if (other.id == document.baseline && other.query == unedited_query(document.query)) continue;  // predictions have it by themselves
    Query same = document.query;
    same.text = other.query.text;
    if (other.is_frozen || !(same == other.query) || !same.ids.empty()) line.is_whole = false;
    line.add("--and");
    line.add("-t", other.query.text);
  }
}

/// Predictions of a run with edits are beside those of the run without, and of any other beside none.
bool has_usual_before(const Document& document, const FigureRequest& request) {
  return (request.baseline != nullptr) == document.baseline.has_value() && document.baseline.has_value() == has_edits(document.query);
}

/// How many pixels a PNG has; of a page with a size in print for an inch.
void add_pixels(Arguments& line, const PageLook& page, float pixels_per_point) {
  const float usual = has_print_size(page) ? pixels_at(kUsualDpi) : kDefaultPixelsPerPoint;
  if (pixels_per_point == usual) return;
  const float dpi = std::round(dpi_at(pixels_per_point));
  if (has_print_size(page) && pixels_at(dpi) == pixels_per_point) return line.add("--dpi", fmt::format("{}", dpi));
  line.add("--pixels", fmt::format("{}", pixels_per_point));
}

/// The words of each option of a figure, in the order in which they were said.
class SaidOptions {
 public:
  explicit SaidOptions(const std::vector<std::string>& words) {
    std::size_t place = 0;
    for (const std::string& word : words) {
      if (word.starts_with('-')) place = place_of(word.substr(0, word.find('=')));
      options_[place].second.push_back(word);
    }
  }
  const std::vector<std::string>* find(std::string_view option) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const auto& each) { return each.first == option; });
    return found == options_.end() ? nullptr : &found->second;
  }
  /// Whether both say the same of an option, or nothing.
  bool agrees(const SaidOptions& other, std::string_view option) const {
    const std::vector<std::string>*const here = find(option), *const there = other.find(option);
    return (here == nullptr) == (there == nullptr) && (here == nullptr || *here == *there);
  }
  /// Adds what is missing. Returns false where the other says something else.
  bool merge(const SaidOptions& other) {
    for (const auto& [name, words] : other.options_) {
      const std::vector<std::string>* const here = find(name);
      if (here != nullptr && *here != words) return false;
      if (here == nullptr) options_.emplace_back(name, words);
    }
    return true;
  }
  void drop(std::string_view option) {
    std::erase_if(options_, [&](const auto& each) { return each.first == option; });
  }
  void add_to(Arguments& line) const {
    for (const auto& [name, words] : options_) line.words.insert(line.words.end(), words.begin(), words.end());
  }

 private:
  std::size_t place_of(std::string_view option) {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const auto& each) { return each.first == option; });
    const auto place = static_cast<std::size_t>(found - options_.begin());
    if (found == options_.end()) options_.emplace_back(option, std::vector<std::string>{});
    return place;
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> options_;
};

/// Options whose absence says something, too: which heads a figure is of, and which columns it has. Links of a list need nothing else.
std::vector<std::string_view> decisive_options(const FigureNeeds& needs, const SaidOptions& said) {
  if (needs.has_links && said.find("--only") != nullptr) return {"--only"};
  std::vector<std::string_view> options;
  if (needs.has_head || needs.has_links) options.insert(options.end(), {"--layer", "--head"});
  if (needs.has_parts) options.insert(options.end(), {"--layer", "--head"});
  if (needs.has_effects()) options.emplace_back("--target");
  if (needs.has_method) options.emplace_back("--method");
  if (needs.lists_heads || needs.heads > 0 || needs.has_links || needs.has_flow) options.emplace_back("--only");
  if (needs.heads > 0 || needs.has_links) options.emplace_back("--pin");
  if (needs.has_measures) options.insert(options.end(), {"--where", "--brush"});
  if (needs.orders_heads) options.emplace_back("--sort");
  if (needs.tints_heads) options.emplace_back("--tint");
  return options;
}

/// Beside a figure of one head, the heads of links are said as a list: --layer and --head are that figure's.
SaidOptions said_of(const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                    bool is_beside_head, bool& is_whole) {
  Arguments own;
  add_figure(own, document, snapshot, request, file, {});
  is_whole = is_whole && own.is_whole;
  SaidOptions said(own.words);
  said.drop("--figure");
  if (!request.kind->needs.has_links || !is_beside_head) return said;
  std::vector<std::string> heads;
  for (const HeadId head : request.links.heads) heads.push_back(head_text(head));
  said.drop("--layer");
  said.drop("--head");
  if (said.find("--only") == nullptr) said.merge(SaidOptions(std::vector<std::string>{"--only", joined(heads)}));
  return said;
}

}  // namespace

std::optional<std::string> batch_options_of(const Document& document, const Snapshot& snapshot, std::span<const FigureRequest> requests,
                                            std::span<const FigureFile* const> files, const FigureOutput& output) {
  const auto* const drawn = std::find_if(files.data(), files.data() + files.size(), [](const FigureFile* each) { return each->is_drawn; });
  const FigureFile& widest = drawn == files.data() + files.size() ? *files.front() : **drawn;  // it uses all that the others do
  const bool has_head = std::any_of(requests.begin(), requests.end(), [](const FigureRequest& each) { return each.kind->needs.has_head; });
  Arguments line;
  add_query(line, document.query);
  SaidOptions all(std::vector<std::string>{});
  std::vector<SaidOptions> own;
  std::vector<std::string> names, endings;
  for (const FigureRequest& request : requests) {
    names.emplace_back(request.kind->name);
    own.push_back(said_of(document, snapshot, request, widest, has_head, line.is_whole));
    line.is_whole = all.merge(own.back()) && line.is_whole;
  }
  for (std::size_t place = 0; place < own.size(); ++place) {
    for (const std::string_view option : decisive_options(requests[place].kind->needs, own[place]))
      line.is_whole = line.is_whole && own[place].agrees(all, option);
  }
  line.add(names.size() > 1 ? "--figures" : "--figure", joined(names));
  all.add_to(line);
  const bool has_pixels = std::any_of(files.begin(), files.end(), [](const FigureFile* each) { return each->has_pixels; });
  if (has_pixels) add_pixels(line, requests.front().page, output.pixels_per_point);
  for (const FigureFile* file : files) endings.emplace_back(file->ending.substr(1));
  line.add("--format", joined(endings));
  std::string text = "headlight export";
  for (const std::string& word : line.words) text += " " + shell_quoted(word);
  if (!line.is_whole || text.size() > kLongestText) return std::nullopt;
  return text;
}

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string_view::npos) return std::string(argument);
  std::string result = "'";
  for (const char byte : argument) result += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  return result + "'";
}

std::optional<std::string> options_of(const Document& document, const Snapshot& snapshot, const FigureRequest& request,
                                      const FigureFile& file, const FigureOutput& output, const std::optional<Sweep>& sweep) {
  Arguments line;
  add_query(line, document.query);
  add_others(line, document);
  add_figure(line, document, snapshot, request, file, sweep);
  if (request.kind->needs.has_output && !has_usual_before(document, request)) line.is_whole = false;
  if (file.has_pixels) add_pixels(line, request.page, output.pixels_per_point);
  if (file.has_titles && output.has_titles) line.add("--titles");
  std::string text = "headlight export";
  for (const std::string& word : line.words) text += " " + shell_quoted(word);
  if (!line.is_whole || text.size() > kLongestText) return std::nullopt;
  return text;
}

std::string command_of(const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                       const FigureOutput& output, const std::optional<Sweep>& sweep) {
  const std::string name = std::string(request.kind->file_name) + std::string(file.ending);
  const std::optional<std::string> options = options_of(document, snapshot, request, file, output, sweep);
  return options.value_or(fmt::format("headlight export --document THIS-FILE{}", file.ending)) + " -o " + name;
}

}  // namespace headlight
