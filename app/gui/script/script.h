// A script: what a person does in the window, one command a line. `headlight gui --size 1600x1000 --script FILE` plays it through the input
// queue, with a clock of 60 frames a second that waits for nobody: the same script gives the same pixels every time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/figure/figures.h"

namespace headlight {

/// The commands with their arguments, for people.
std::string script_manual();

/// A place in the window: a label, a cell of a named map, or pixels.
struct ScriptPlace {
  std::string label = {};  ///< empty: the point itself
  std::optional<Cell> cell = {};
  Point point = {};
  bool operator==(const ScriptPlace&) const = default;
};

struct ClickCommand {
  ScriptPlace at;
  int button = 0;
  int times = 1;
  bool has_ctrl = false, has_shift = false;
};
struct MoveCommand {
  ScriptPlace to;
};
struct DragCommand {
  ScriptPlace from, to;
  bool is_by = false;  ///< `to` is a distance
};
struct PressCommand {
  ScriptPlace at;
};
struct ReleaseCommand {};
struct WheelCommand {
  float across = 0, up = 0;
};
struct TypeCommand {
  std::string text;
};
struct KeyCommand {
  std::string chord;
};
struct WaitCommand {};
struct FramesCommand {
  int count = 1;
};
struct ResizeCommand {
  int width = 0, height = 0;
};
struct DropCommand {
  std::string path;
};
struct SpotlightCommand {
  std::string label;  ///< empty: off
};
struct ScreenshotCommand {
  std::filesystem::path path;
};
struct DumpCommand {
  std::filesystem::path path;
};
struct BenchCommand {
  int frames = 0;
  std::string name;
};
/// The same while the wheel is turned where the pointer is, down and up again, or while what is held is dragged to and fro.
struct BenchWheelCommand {
  int frames = 0;
  std::string name;
};
struct BenchDragCommand {
  int frames = 0;
  std::string name;
  int reach = 0;  ///< pixels, across and down
};
/// The same in every view, one after the other.
struct BenchViewsCommand {
  int frames = 0;
  std::string name;
};
/// Types so many characters where the keyboard is, and times each until its picture is shown.
struct BenchKeysCommand {
  int keys = 0;
  std::string name;
};
struct ExpectCommand {
  std::string label;
  bool is_absent = false;
};
struct LiveCommand {};
struct QuitCommand {};

using Command =
    std::variant<ClickCommand, MoveCommand, DragCommand, PressCommand, ReleaseCommand, WheelCommand, TypeCommand, KeyCommand, WaitCommand,
                 FramesCommand, ResizeCommand, DropCommand, SpotlightCommand, ScreenshotCommand, DumpCommand, BenchCommand,
                 BenchWheelCommand, BenchDragCommand, BenchViewsCommand, BenchKeysCommand, ExpectCommand, LiveCommand, QuitCommand>;

struct ScriptLine {
  int number = 0;  ///< in the file, from 1
  Command command;
};

struct Script {
  std::string file;  ///< for messages
  std::vector<ScriptLine> lines;
  /// Begins with `live`: a real mouse and keyboard first.
  bool is_live() const { return !lines.empty() && std::holds_alternative<LiveCommand>(lines.front().command); }
};

/// Throws Error (usage) naming the line, what was found and what was expected.
Script parse_script(std::string_view text, const std::string& file);
Script load_script(const std::filesystem::path& path);

}  // namespace headlight
