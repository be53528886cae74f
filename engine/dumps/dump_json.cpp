#include "engine/dumps/dump_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/dumps/dump_whole_text.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::size_t kHighestRank = 8;
constexpr std::size_t kMostKept = 2'000'000;  // lists of numbers, strings and names: each takes memory beyond its bytes in the file

constexpr std::size_t kFewestAxesOfMaps = 3;

/// The lists are not equally long: perhaps the elements of the outermost one are arrays of their own.
class Ragged : public Error {
 public:
  explicit Ragged(ErrorDetail detail) : Error(std::move(detail)) {}
};

/// Builds tensors and texts from the events; nothing else of the file is kept.
class DumpVisitor final : public JsonVisitor {
 public:
  /// `literals`: where in the file the NaN and infinities end that placeholders stand for. `apart`: how many of the outermost lists of maps
  /// hold arrays of their own, as steps of a generation do.
  DumpVisitor(DumpFile& into, const std::map<std::uint64_t, double>& literals, std::size_t apart, const Watch& watch)
      : into_(into), literals_(literals), apart_(apart), watch_(watch) {}
  std::uint64_t* position() { return &position_; }
  const std::map<std::string, std::string>& names() const { return names_; }

  void key(std::string&& name) override { places_.back().name = std::move(name); }

  void scalar(Json&& value) override {
    watch_.check();
    if (places_.empty()) return;
    if (!places_.back().is_array) return add_field(value);
    if (const auto literal = literals_.find(position_); literal != literals_.end()) return add_number(literal->second);
    if (value.is_number() && tensor_ && tensor_->is_truth)
      refuse("the list of truth values holds something else", describe(value), "true or false");
    if (value.is_number()) return add_number(value.get<double>());
    if (value.is_boolean()) return add_truth(value.get<bool>());
    if (value.is_string()) return add_text(value.get<std::string>());
    if (is_in_tensor()) refuse("the list of numbers holds something else", describe(value), "a number");
    ++places_.back().count;
  }

  void begin_object() override {
    watch_.check();
    if (is_in_tensor()) refuse("the list of numbers holds something else", "an object", "a number or a list");
    places_.push_back({});
  }
  void end_object() override { close(); }

  void begin_array() override {
    watch_.check();
    if (tensor_ && places_.size() - tensor_->depth >= tensor_->rank) {
      refuse("the lists are not nested equally deep", fmt::format("a list in {} lists", places_.size() - tensor_->depth),
             fmt::format("numbers in {}", tensor_->rank));
    }
    Place place;
    place.is_array = true;
    places_.push_back(place);
  }

  void end_array() override {
    Place& closed = places_.back();
    if (tensor_) {
      const std::size_t axis = places_.size() - tensor_->depth;  // of this list, the outermost is 1
      check_length(axis - 1, closed.count);
      if (axis == 1) {
        count_kept();
        const DType type = tensor_->is_truth ? DType::boolean : DType::f32;
        into_.tensors.push_back({path(), std::move(tensor_->shape), std::move(tensor_->values), type});
        tensor_.reset();
      }
    } else if (closed.count > 0 && std::ssize(closed.texts) == closed.count) {
      into_.texts.push_back({path(), std::move(closed.texts)});
    }
    close();
  }

 private:
  struct Place {
    bool is_array = false;
    std::string name = {};     // of the field that is being read
    std::int64_t count = 0;    // elements of an array so far
    bool holds_apart = false;  // each element of the array is a tensor of its own
    std::vector<std::string> texts = {};
  };
  /// A list of numbers, from its outermost bracket on.
  struct Tensor {
    std::size_t depth = 0;  // places around it
    std::size_t rank = 0;
    std::vector<std::int64_t> shape;  // -1: not known yet
    std::vector<float> values;
    bool is_truth = false;  // true and false, as masks have them
  };

  bool is_in_tensor() const { return tensor_ && places_.size() > tensor_->depth; }

  /// "attention.0.attn": the fields and elements that lead here, without the lists that are the tensor's own.
  std::string path() const {
    const std::size_t end = tensor_ ? tensor_->depth : places_.size() - 1;
    std::string path;
    for (std::size_t at = 0; at < end; ++at) {
      path += fmt::format("{}{}", path.empty() ? "" : ".", places_[at].is_array ? std::to_string(places_[at].count) : places_[at].name);
    }
    return path;
  }

  /// The first number: all lists around it, up to the nearest object or list that already has other elements, are its axes.
  void begin_tensor() {
    std::size_t depth = places_.size();
    while (depth > 0 && places_[depth - 1].is_array && places_[depth - 1].count == 0 && !places_[depth - 1].holds_apart) --depth;
    while (places_.size() - depth > kFewestAxesOfMaps && lists_apart(depth) < apart_ && is_of_maps()) places_[depth++].holds_apart = true;
    const std::size_t rank = places_.size() - depth;
    if (rank > kHighestRank) refuse("too many dimensions", std::to_string(rank), fmt::format("at most {}", kHighestRank));
    tensor_ = Tensor{depth, rank, std::vector<std::int64_t>(rank, -1), {}, false};
  }

  /// How many lists around the first `depth` places hold tensors of their own.
  std::size_t lists_apart(std::size_t depth) const {
    std::size_t count = 0;
    for (std::size_t at = 0; at < depth; ++at) count += places_[at].holds_apart;
    return count;
  }

  /// Not of a mask.
  bool is_of_maps() const {
    return std::none_of(places_.begin(), places_.end(), [](const Place& place) { return place.name.ends_with("mask"); });
  }

  /// An entry's own name, or tokens that are not a list.
  void add_field(const Json& value) {
    if (!value.is_string()) return;
    const std::string& field = places_.back().name;
    count_kept();
    if (field == "name") names_[path()] = value.get<std::string>();
    const bool is_mask_text = field == "mask" || field == "headlight.mask" || field.starts_with("headlight.mask.");
    if (is_mask_text) into_.mask_texts[field == "mask" ? "headlight.mask" : field] = value.get<std::string>();
    if (places_.size() == 1 && is_whole_text_name(field)) take_whole_text(field, value.get<std::string>(), TextForm::plain, into_);
    if (field.ends_with("tokens")) into_.unread_texts.push_back(fmt::format("{} is {}", printable(field), describe(value)));
  }

  void add_number(double number) {
    Place& list = places_.back();
    if (!tensor_ && list.count > 0) {  // among other things
      ++list.count;
      return;
    }
    if (!tensor_) begin_tensor();
    if (places_.size() != tensor_->depth + tensor_->rank) {
      refuse("the lists are not nested equally deep", fmt::format("a number in {} lists", places_.size() - tensor_->depth),
             fmt::format("{}", tensor_->rank));
    }
    tensor_->values.push_back(static_cast<float>(number));
    ++list.count;
  }

  /// Of a mask.
  void add_truth(bool truth) {
    const bool is_first = !tensor_;
    if (tensor_ && !tensor_->is_truth) refuse("the list of numbers holds something else", truth ? "true" : "false", "a number");
    add_number(truth ? 1 : 0);
    if (is_first && tensor_) tensor_->is_truth = true;
  }

  void add_text(std::string&& text) {
    if (tensor_) refuse("the list of numbers holds something else", in_quotes(text), "a number");
    count_kept();
    places_.back().texts.push_back(std::move(text));
    ++places_.back().count;
  }

  void count_kept() {
    if (++kept_ > kMostKept)
      refuse("holds too many lists and strings", fmt::format("more than {}", kMostKept), "attention maps and tokens");
  }

  void check_length(std::size_t axis, std::int64_t length) {
    std::int64_t& known = tensor_->shape[axis];
    if (known < 0) known = length;
    if (known == length) return;
    throw Ragged(refusal("the lists are not equally long", fmt::format("{} elements", length), std::to_string(known)));
  }

  void close() {
    places_.pop_back();
    if (!places_.empty() && places_.back().is_array) ++places_.back().count;
  }

  ErrorDetail refusal(std::string problem, std::string found, std::string expected) const {
    return {.kind = ErrorKind::input,
            .file = into_.file,
            .field = path(),
            .offset = position_,
            .problem = std::move(problem),
            .found = std::move(found),
            .expected = std::move(expected)};
  }
  [[noreturn]] void refuse(std::string problem, std::string found, std::string expected) const {
    throw Error(refusal(std::move(problem), std::move(found), std::move(expected)));
  }

  DumpFile& into_;
  const std::map<std::uint64_t, double>& literals_;
  std::size_t apart_;
  const Watch& watch_;
  std::map<std::string, std::string> names_;  // what objects call themselves, by their path
  std::uint64_t position_ = 0;
  std::size_t kept_ = 0;
  std::vector<Place> places_;
  std::optional<Tensor> tensor_;
};

/// NaN, Infinity and -Infinity, as Python's json module writes them, become empty strings of the same length.
std::map<std::uint64_t, double> blank_literals(std::string& bytes, const Watch& watch) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array<std::pair<std::string_view, double>, 3> kLiterals{
      {{"NaN", std::numeric_limits<double>::quiet_NaN()}, {"Infinity", kInfinity}, {"-Infinity", -kInfinity}}};
  std::map<std::uint64_t, double> literals;
  constexpr std::size_t kBytesAtOnce = 1U << 16U;
  bool is_in_string = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at % kBytesAtOnce == 0) watch.check();
    if (bytes[at] == '"') is_in_string = !is_in_string;
    if (is_in_string) {
      at += bytes[at] == '\\';
      continue;
    }
    for (const auto& [text, number] : kLiterals) {
      if (bytes.compare(at, text.size(), text) != 0) continue;
      bytes.replace(at, text.size(), "\"\"" + std::string(text.size() - 2, ' '));
      literals[at + 2] = number;
      at += text.size() - 1;
      break;
    }
  }
  return literals;
}

/// "attention.0" of "attention.0.attn"; empty at the top.
std::string entry_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

/// What BertViz calls an entry: of an encoder–decoder model's three entries the stack, of a sentence pair's five "all" or another filter.
std::string kind_of_entry(const std::string& name) {
  const std::string text = lower_case(name);
  for (const char* stack : {"cross", "encoder", "decoder"}) {
    if (text.find(stack) != std::string::npos) return stack;
  }
  return text == "all" ? text : "other";
}

/// Entries keep the stacks that they name themselves after. Of a sentence pair's filters only the whole map is read.
class Entries {
 public:
  Entries(DumpFile& file, const std::map<std::string, std::string>& names) : file_(file), names_(names) {
    for (const DumpTensor& tensor : file_.tensors) {
      const std::string entry = entry_of(tensor.name);
      if (tensor.shape.size() < 4 || entry.empty()) continue;
      kinds_[entry] = kind_of(entry);
      has_layers_ = has_layers_ || (kinds_[entry] == "other" && tensor.shape.front() > 1);
    }
  }

  void settle() {
    for (const auto& [entry, kind] : kinds_) has_all_ = has_all_ || kind == "all";
    refuse_unknown();
    keep(file_.tensors);
    keep(file_.texts);
  }

 private:
  /// By the entry's name, or by its key as older versions have it: all, aa, ab, ba, bb.
  std::string kind_of(const std::string& entry) const {
    const auto named = names_.find(entry);
    return named != names_.end() ? kind_of_entry(named->second) : kind_of_entry(entry.substr(entry.rfind('.') + 1));
  }

  void refuse_unknown() const {
    if (has_all_ || !has_layers_ || kinds_.size() < 2) return;
    std::string found;
    for (const auto& [entry, kind] : kinds_) {
      const auto named = names_.find(entry);
      found += (found.empty() ? "" : ", ") + (named != names_.end() ? in_quotes(named->second) : "one without a name");
    }
    for (const auto& [entry, kind] : kinds_) {
      if (kind != "other") continue;
      throw Error({.kind = ErrorKind::input,
                   .file = file_.file,
                   .field = printable(entry),
                   .problem = "holds several lists of maps",
                   .found = found,
                   .expected = "one, or those that are named Encoder, Decoder and Cross, or one of them named All"});
    }
  }

  template <typename Part>
  void keep(std::vector<Part>& parts) const {
    std::erase_if(parts, [&](const Part& part) {
      const auto entry = kinds_.find(entry_of(part.name));
      return has_all_ && entry != kinds_.end() && entry->second != "all";
    });
    for (Part& part : parts) {
      const auto entry = kinds_.find(entry_of(part.name));
      const bool is_stack = entry != kinds_.end() && entry->second != "all" && entry->second != "other";
      if (is_stack) part.name = entry->second + part.name.substr(entry->first.size());
    }
  }

  DumpFile& file_;
  const std::map<std::string, std::string>& names_;
  std::map<std::string, std::string> kinds_;  // of entries that hold maps of all layers, by their path
  bool has_all_ = false;
  bool has_layers_ = false;  // an entry of no known name holds more than one layer
};

}  // namespace

void read_dump_json(std::string bytes, DumpFile& into, const Watch& watch) {
  const std::map<std::uint64_t, double> literals = blank_literals(bytes, watch);
  constexpr std::size_t kMostApart = 2;  // steps, and layers of different numbers of heads
  std::optional<Ragged> refusal;         // of the lists as one array
  for (std::size_t apart = 0; apart <= kMostApart; ++apart) {
    DumpFile read;
    read.file = into.file;
    try {
      DumpVisitor visitor(read, literals, apart, watch);
      scan_json(bytes, read.file, {}, visitor, visitor.position());
      Entries(read, visitor.names()).settle();
      into = std::move(read);
      return;
    } catch (const Ragged& ragged) {
      if (!refusal) refusal = ragged;
    } catch (const Error&) {
      if (!refusal) throw;
      break;
    }
  }
  throw Ragged(*refusal);
}

}  // namespace headlight
