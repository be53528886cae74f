#include "engine/attention/dump_json.h"

#include <fmt/core.h>

#include <optional>

#include "engine/core/error.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::size_t kHighestRank = 8;

/// Builds tensors and texts from the events; nothing else of the file is kept.
class DumpVisitor final : public JsonVisitor {
 public:
  explicit DumpVisitor(DumpFile& into) : into_(into) {}
  std::uint64_t* position() { return &position_; }

  void key(std::string&& name) override { places_.back().name = std::move(name); }

  void scalar(Json&& value) override {
    if (places_.empty() || !places_.back().is_array) return;
    if (value.is_number()) return add_number(value.get<double>());
    if (value.is_string()) return add_text(value.get<std::string>());
    if (is_in_tensor()) refuse("the list of numbers holds something else", describe(value), "a number");
    ++places_.back().count;
  }

  void begin_object() override {
    if (is_in_tensor()) refuse("the list of numbers holds something else", "an object", "a number or a list");
    places_.push_back({});
  }
  void end_object() override { close(); }

  void begin_array() override {
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
        into_.tensors.push_back({path(), std::move(tensor_->shape), std::move(tensor_->values)});
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
    std::string name = {};   // of the field that is being read
    std::int64_t count = 0;  // elements of an array so far
    std::vector<std::string> texts = {};
  };
  /// A list of numbers, from its outermost bracket on.
  struct Tensor {
    std::size_t depth = 0;  // places around it
    std::size_t rank = 0;
    std::vector<std::int64_t> shape;  // -1: not known yet
    std::vector<float> values;
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

  /// The first number: all lists around it up to the nearest object, or list with other elements before, are its axes.
  void begin_tensor() {
    std::size_t depth = places_.size();
    while (depth > 0 && places_[depth - 1].is_array && places_[depth - 1].count == 0) --depth;
    const std::size_t rank = places_.size() - depth;
    if (rank > kHighestRank) refuse("too many dimensions", std::to_string(rank), fmt::format("at most {}", kHighestRank));
    tensor_ = Tensor{depth, rank, std::vector<std::int64_t>(rank, -1), {}};
  }

  void add_number(double number) {
    Place& list = places_.back();
    if (!tensor_ && list.count > 0) {  // among other things
      ++list.count;
      return;
    }
    if (!tensor_) begin_tensor();
    if (places_.size() != tensor_->depth + tensor_->rank) {
      refuse("the lists are not equally deep", fmt::format("a number in {} lists", places_.size() - tensor_->depth),
             fmt::format("{}", tensor_->rank));
    }
    tensor_->values.push_back(static_cast<float>(number));
    ++list.count;
  }

  void add_text(std::string&& text) {
    if (tensor_) refuse("the list of numbers holds something else", in_quotes(text), "a number");
    places_.back().texts.push_back(std::move(text));
    ++places_.back().count;
  }

  void check_length(std::size_t axis, std::int64_t length) {
    std::int64_t& known = tensor_->shape[axis];
    if (known < 0) known = length;
    if (known == length) return;
    refuse("the lists are not equally long", fmt::format("{} elements", length), std::to_string(known));
  }

  void close() {
    places_.pop_back();
    if (!places_.empty() && places_.back().is_array) ++places_.back().count;
  }

  [[noreturn]] void refuse(std::string problem, std::string found, std::string expected) const {
    throw Error({.kind = ErrorKind::input,
                 .file = into_.file,
                 .field = path(),
                 .offset = position_,
                 .problem = std::move(problem),
                 .found = std::move(found),
                 .expected = std::move(expected)});
  }

  DumpFile& into_;
  std::uint64_t position_ = 0;
  std::vector<Place> places_;
  std::optional<Tensor> tensor_;
};

}  // namespace

void read_dump_json(std::string_view bytes, DumpFile& into) {
  DumpVisitor visitor(into);
  scan_json(bytes, into.file, {}, visitor, visitor.position());
}

}  // namespace headlight
