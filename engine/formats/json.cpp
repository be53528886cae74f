#include "engine/formats/json.h"

#include <fmt/core.h>

#include <cstddef>
#include <iterator>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Leaves nothing inside `value`: an empty array or object is destroyed without a list of what it holds.
void take_apart(Json& value) noexcept {
  if (Json::array_t* const items = value.get_ptr<Json::array_t*>()) {
    for (Json& item : *items) take_apart(item);
    items->clear();
  } else if (Json::object_t* const fields = value.get_ptr<Json::object_t*>()) {
    for (auto& [name, field] : *fields) take_apart(field);
    fields->clear();
  }
}

/// Walks the bytes and leaves its position where the events can see it: the parser itself does not report offsets to them.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

/// Counts depth, turns the parser's own errors into ours and passes the rest on.
class Events {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  Events(std::string_view bytes, const std::string& file, const JsonOptions& options, JsonVisitor& visitor, std::uint64_t* position)
      : bytes_(bytes), file_(file), options_(options), visitor_(visitor), position_(position), seen_(bytes.data()) {}

  void run() {
    update();
    const CountingIterator begin(bytes_.data(), &seen_);
    const CountingIterator end(bytes_.data() + bytes_.size(), &seen_);
    Json::sax_parse(begin, end, this);
  }

  bool null() { return pass(Json(nullptr)); }
  bool boolean(bool value) { return pass(Json(value)); }
  bool number_integer(number_integer_t value) { return pass(Json(value)); }
  bool number_unsigned(number_unsigned_t value) { return pass(Json(value)); }
  bool number_float(number_float_t value, const string_t& /*text*/) { return pass(Json(value)); }
  bool string(string_t& value) { return pass(Json(std::move(value))); }
  bool binary(binary_t& /*value*/) { return false; }  // not in JSON text

  bool start_object(std::size_t /*size*/) {
    enter();
    visitor_.begin_object();
    return true;
  }
  bool start_array(std::size_t /*size*/) {
    enter();
    visitor_.begin_array();
    return true;
  }
  bool key(string_t& name) {
    update();
    visitor_.key(std::move(name));
    return true;
  }
  bool end_object() {
    --depth_;
    update();
    visitor_.end_object();
    return true;
  }
  bool end_array() {
    --depth_;
    update();
    visitor_.end_array();
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*last*/, const Json::exception& error) const {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while parsing value - invalid literal; last read: …"
    const std::string_view what = error.what();
    const std::size_t at = what.find("] ");
    throw refusal("is not valid JSON: " + std::string(at == std::string_view::npos ? what : what.substr(at + 2)));
  }

  Error refusal(std::string problem) const {
    return Error({.kind = ErrorKind::input, .file = file_, .field = options_.field, .offset = offset(), .problem = std::move(problem)});
  }

 private:
  std::uint64_t offset() const { return options_.first_byte + static_cast<std::uint64_t>(seen_ - bytes_.data()); }
  void update() const {
    if (position_ != nullptr) *position_ = offset();
  }
  void enter() {
    update();
    if (++depth_ > options_.depth) throw refusal(fmt::format("is nested deeper than {} levels", options_.depth));
  }
  bool pass(Json&& value) {
    update();
    visitor_.scalar(std::move(value));
    return true;
  }

  std::string_view bytes_;
  const std::string& file_;
  const JsonOptions& options_;
  JsonVisitor& visitor_;
  std::uint64_t* position_;
  const char* seen_;
  int depth_ = 0;
};

/// Builds the value, refusing a key that an object already has.
class TreeBuilder final : public JsonVisitor {
 public:
  TreeBuilder(const std::string& file, const JsonOptions& options, const std::uint64_t& position)
      : file_(file), options_(options), position_(position) {}
  ~TreeBuilder() override { take_apart(root_); }

  void scalar(Json&& value) override { place(std::move(value)); }
  void begin_object() override { open_.push_back(place(Json::object())); }
  void begin_array() override { open_.push_back(place(Json::array())); }
  void end_object() override { close(); }
  void end_array() override { close(); }

  void key(std::string&& name) override {
    const auto [item, is_new] = open_.back()->get_ref<Json::object_t&>().emplace(std::move(name), nullptr);
    if (!is_new) {
      throw Error({.kind = ErrorKind::input,
                   .file = file_,
                   .field = path(item->first),
                   .offset = position_,
                   .problem = "duplicate key: an object has the same name twice"});
    }
    keys_.resize(open_.size());
    keys_.back() = &item->first;
    slot_ = &item->second;
  }

  JsonTree take() { return JsonTree(std::move(root_)); }

 private:
  Json* place(Json&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      auto& items = open_.back()->get_ref<Json::array_t&>();
      items.push_back(std::move(value));
      return &items.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }
  void close() {
    open_.pop_back();
    if (keys_.size() > open_.size()) keys_.resize(open_.size());
  }
  std::string path(const std::string& last) const {
    std::string path = options_.field;
    for (std::size_t level = 0; level + 1 < open_.size(); ++level) {
      const std::string* name = level < keys_.size() ? keys_[level] : nullptr;
      if (name != nullptr) path += (path.empty() ? "" : ".") + printable(*name);
    }
    return path + (path.empty() ? "" : ".") + printable(last);
  }

  const std::string& file_;
  const JsonOptions& options_;
  const std::uint64_t& position_;
  Json root_;
  std::vector<Json*> open_;               // the objects and arrays around what comes next
  std::vector<const std::string*> keys_;  // the key that each of them is at; null in arrays
  Json* slot_ = nullptr;                  // where the value of the last key goes
};

}  // namespace

void scan_json(std::string_view bytes, const std::string& file, const JsonOptions& options, JsonVisitor& visitor, std::uint64_t* position) {
  // The library takes a NUL byte for the end of the input, and silently skips a byte order mark.
  if (const std::size_t at = bytes.find('\0'); at != std::string_view::npos) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = options.field,
                 .offset = options.first_byte + at,
                 .problem = "is not valid JSON: it holds a NUL byte"});
  }
  if (bytes.starts_with(kByteOrderMark)) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = options.field,
                 .offset = options.first_byte,
                 .problem = "is not valid JSON: it starts with a byte order mark"});
  }
  Events(bytes, file, options, visitor, position).run();
}

JsonTree::~JsonTree() {
  take_apart(value_);
}

JsonTree parse_json(std::string_view bytes, const std::string& file, const JsonOptions& options, std::vector<std::string>* warnings) {
  JsonOptions shifted = options;
  if (bytes.starts_with(kByteOrderMark)) {
    bytes.remove_prefix(kByteOrderMark.size());
    shifted.first_byte += kByteOrderMark.size();
    if (warnings != nullptr) warnings->push_back(file + ": starts with a byte order mark, which was skipped");
  }
  std::uint64_t position = 0;
  TreeBuilder builder(file, shifted, position);
  scan_json(bytes, file, shifted, builder, &position);
  return builder.take();
}

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", printable(text, 60));
}

std::string describe(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return fmt::format("an object of {}", value.size());
    case Json::value_t::array:
      return fmt::format("an array of {}", value.size());
    case Json::value_t::string:
      return in_quotes(value.get_ref<const std::string&>());
    default:
      return value.dump();
  }
}

}  // namespace headlight
