#include "app/gui/script/script.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLargestScript = 1 << 20;

struct Word {
  std::string text;
  bool is_quoted = false;
};

/// One line being read: its words, and refusals that name its number.
class LineWords {
 public:
  LineWords(std::string_view line, const std::string& file, int number) : file_(file), number_(number) { split(line); }

  bool is_empty() const { return next_ == words_.size(); }

  std::string word(const char* expected) {
    if (is_empty()) refuse("something is missing", {}, expected);
    return words_[next_++].text;
  }

  bool skip(std::string_view keyword) {
    if (is_empty() || words_[next_].is_quoted || words_[next_].text != keyword) return false;
    ++next_;
    return true;
  }

  int integer(const char* expected, int highest) {
    const std::string text = word(expected);
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || value < 1 || value > highest) {
      refuse("this is not a number from 1 on", text, fmt::format("{} from 1 to {}", expected, highest));
    }
    return value;
  }

  /// "12,-3.5"
  std::optional<Point> try_point() {
    if (is_empty() || words_[next_].is_quoted) return std::nullopt;
    const std::optional<Point> point = parse_pair(words_[next_].text, ',');
    if (point) ++next_;
    return point;
  }

  Point point(const char* expected) {
    const std::optional<Point> found = try_point();
    if (!found) refuse("this is not a pair of numbers", is_empty() ? "" : words_[next_].text, expected);
    return *found;
  }

  ScriptPlace target() {
    ScriptPlace result;
    if (const std::optional<Point> found = try_point()) {
      result.point = *found;
      return result;
    }
    result.label = word("\"Label\", or X,Y in pixels");
    if (!skip("cell")) return result;
    const Point cell = point("QUERY,KEY");
    result.cell = Cell{static_cast<Index>(cell.x), static_cast<Index>(cell.y)};
    return result;
  }

  static std::optional<Point> parse_pair(std::string_view text, char between) {
    Point point;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, point.x);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != between) return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, point.y);
    if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
    return point;
  }

  [[noreturn]] void refuse(std::string problem, const std::string& found, std::string expected) const {
    throw Error({.kind = ErrorKind::usage,
                 .file = file_,
                 .field = fmt::format("line {}", number_),
                 .problem = std::move(problem),
                 .found = found.empty() ? "" : "\"" + printable(found, 60) + "\"",
                 .expected = std::move(expected)});
  }

 private:
  void split(std::string_view line) {
    std::size_t at = 0;
    while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos && line[at] != '#') {
      if (line[at] == '"') {
        words_.push_back({quoted(line, at), true});
      } else {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words_.push_back({std::string(line.substr(at, end - at)), false});
        at = end;
      }
    }
  }

  /// A text in quotes from `at` on, with \" \\ and \n; moves `at` past it.
  std::string quoted(std::string_view line, std::size_t& at) const {
    std::string text;
    for (++at; at < line.size(); ++at) {
      if (line[at] == '"') {
        ++at;
        return text;
      }
      if (line[at] == '\\' && at + 1 < line.size()) {
        ++at;
        text += line[at] == 'n' ? '\n' : line[at];
      } else {
        text += line[at];
      }
    }
    refuse("the quote is not closed", text, "\" at its end");
  }

  const std::string& file_;
  int number_;
  std::vector<Word> words_;
  std::size_t next_ = 0;
};

Command read_click(LineWords& line, ClickCommand command) {
  command.at = line.target();
  return command;
}

Command read_drag(LineWords& line) {
  DragCommand command;
  command.from = line.target();
  if (line.skip("by")) {
    command.is_by = true;
    command.to.point = line.point("DX,DY in pixels");
  } else if (line.skip("to")) {
    command.to = line.target();
  } else {
    line.refuse("a drag needs an end", {}, "`to` and a place, or `by` and DX,DY");
  }
  return command;
}

Command read_wheel(LineWords& line) {
  const Point turn = line.point("ACROSS,UP in notches");
  return WheelCommand{turn.x, turn.y};
}

Command read_resize(LineWords& line) {
  const std::string text = line.word("WIDTHxHEIGHT");
  const std::optional<Point> size = LineWords::parse_pair(text, 'x');
  if (!size || !(size->x >= 1 && size->x <= 16384 && size->y >= 1 && size->y <= 16384)) {
    line.refuse("this is not a size", text, "WIDTHxHEIGHT, 1 to 16384 pixels each");
  }
  return ResizeCommand{static_cast<int>(size->x), static_cast<int>(size->y)};
}

template <typename Bench>
Command read_bench(LineWords& line) {
  const int count = line.integer("a count", 100000);
  return Bench{count, line.word("a name for the result")};
}

struct CommandRow {
  const char* name;
  const char* arguments;
  const char* what;
  Command (*read)(LineWords&);
};

// The only list of commands: parsing, the manual and suggestions for mistyped words all use it.
constexpr std::array<CommandRow, 27> kCommands{{
    {"click", "PLACE", "left button", [](LineWords& line) { return read_click(line, {}); }},
    {"double-click", "PLACE", "", [](LineWords& line) { return read_click(line, {.at = {}, .times = 2}); }},
    {"right-click", "PLACE", "", [](LineWords& line) { return read_click(line, {.at = {}, .button = 1}); }},
    {"ctrl-click", "PLACE", "", [](LineWords& line) { return read_click(line, {.at = {}, .has_ctrl = true}); }},
    {"shift-click", "PLACE", "", [](LineWords& line) { return read_click(line, {.at = {}, .has_shift = true}); }},
    {"hover", "PLACE", "moves the pointer there", [](LineWords& line) -> Command { return MoveCommand{line.target()}; }},
    {"move", "PLACE", "the same", [](LineWords& line) -> Command { return MoveCommand{line.target()}; }},
    {"drag", "PLACE to PLACE", "also: drag PLACE by DX,DY", read_drag},
    {"press", "PLACE", "and hold", [](LineWords& line) -> Command { return PressCommand{line.target()}; }},
    {"release", "", "the held button", [](LineWords&) -> Command { return ReleaseCommand{}; }},
    {"wheel", "ACROSS,UP", "notches, where the pointer is", read_wheel},
    {"type", "\"text\"", "one character a frame", [](LineWords& line) -> Command { return TypeCommand{line.word("\"text\"")}; }},
    {"key", "CHORD", "ctrl+z, escape, left, F1", [](LineWords& line) -> Command { return KeyCommand{line.word("a key such as ctrl+z")}; }},
    {"wait", "", "a few frames more, for what follows from a result", [](LineWords&) -> Command { return WaitCommand{}; }},
    {"frames", "N", "draws N frames without waiting for results",
     [](LineWords& line) -> Command { return FramesCommand{line.integer("a count of frames", 100000)}; }},
    {"resize", "WIDTHxHEIGHT", "pixels", read_resize},
    {"drop", "PATH", "a file or folder dropped on the window", [](LineWords& line) -> Command { return DropCommand{line.word("a path")}; }},
    {"spotlight", "\"Label\"", "dims everything else, until `spotlight off`",
     [](LineWords& line) -> Command {
       const bool is_off = line.skip("off");
       return SpotlightCommand{is_off ? std::string() : line.word("\"Label\", or off")};
     }},
    {"screenshot", "F.png", "", [](LineWords& line) -> Command { return ScreenshotCommand{line.word("F.png")}; }},
    {"dump-state", "F.json", "document, view, result and what is drawn",
     [](LineWords& line) -> Command { return DumpCommand{line.word("F.json")}; }},
    {"bench-frames", "N \"name\"", "prints the median time of N whole frames", read_bench<BenchCommand>},
    {"bench-wheel", "N \"name\"",
     "the same while the wheel turns, down and up again, of which, without a graphics card, only what changes is drawn",
     read_bench<BenchWheelCommand>},
    {"bench-drag", "N REACH \"name\"", "the same while the pointer, or what is held, goes REACH pixels to the upper left and back",
     [](LineWords& line) -> Command {
       const int frames = line.integer("a count", 100000), reach = line.integer("a number of pixels", 10000);
       return BenchDragCommand{frames, line.word("a name for the result"), reach};
     }},
    {"bench-views", "N \"name\"", "the same in every view", read_bench<BenchViewsCommand>},
    {"bench-keys", "N \"name\"", "types N characters, prints the median time from a key to its picture", read_bench<BenchKeysCommand>},
    {"expect", "\"Label\"", "fails where it is not in sight; `expect not \"Label\"` where it is",
     [](LineWords& line) -> Command {
       const bool is_absent = line.skip("not");
       return ExpectCommand{line.word("\"Label\""), is_absent};
     }},
    {"live", "", "first line only: a real mouse and keyboard until the window is closed; then the rest is played",
     [](LineWords&) -> Command { return LiveCommand{}; }},
}};

std::string command_names() {
  std::string names;
  for (const CommandRow& row : kCommands) names.append(row.name).append(", ");
  return names + "quit";
}

Command read_command(LineWords& line) {
  const std::string name = line.word("a command");
  if (name == "quit") return QuitCommand{};
  const auto* const row = std::find_if(kCommands.begin(), kCommands.end(), [&](const CommandRow& each) { return each.name == name; });
  if (row == kCommands.end()) line.refuse("unknown command", name, command_names());
  return row->read(line);
}

}  // namespace

std::string script_manual() {
  std::string text =
      "One command a line; # begins a comment. PLACE is \"Label\", \"Panel/Label\", \"Label#2\", \"map\" cell QUERY,KEY, or X,Y in "
      "pixels.\n";
  for (const CommandRow& row : kCommands) text += fmt::format("  {:<12} {:<16} {}\n", row.name, row.arguments, row.what);
  return text + fmt::format("  {:<12} {:<16} {}\n", "quit", "", "ends here");
}

Script parse_script(std::string_view text, const std::string& file) {
  Script script{file, {}};
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    LineWords line(text.substr(0, end), file, ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.is_empty()) continue;
    const Command command = read_command(line);
    if (!line.is_empty()) line.refuse("there is too much on this line", line.word(""), "the end of the line");
    if (std::holds_alternative<LiveCommand>(command) && !script.lines.empty()) {
      line.refuse("live must be the first command", {}, {});
    }
    script.lines.push_back({number, command});
  }
  return script;
}

Script load_script(const std::filesystem::path& path) {
  return parse_script(read_file(path, kLargestScript), path.string());
}

}  // namespace headlight
