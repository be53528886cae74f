#include "app/gui/script/script_player.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

constexpr auto kLongestWait = std::chrono::minutes(10);  // only guards against hanging
constexpr int kSettlingFrames = 8;                       // a picture may ask for maps, whose frame asks for more
void turn_wheel(InputFeed& feed, double share) {
  feed.wheel(0, share < 0.5 ? -1 : 1);
}

/// `reach` pixels to the left and as many up, and back.
std::function<void(InputFeed&, double)> drag_to_and_fro(ImVec2 from, int reach) {
  return [from, reach](InputFeed& feed, double share) {
    const auto way = static_cast<float>(reach * (share < 0.5 ? 2 * share : 2 - 2 * share));
    feed.move({from.x - way, from.y - way});
  };
}

constexpr std::string_view kTyped = " and then she went home again";  // by bench-keys, again and again

}  // namespace

bool ScriptHost::is_asked_to_end() const {
  return false;
}

ScriptPlayer::ScriptPlayer(Script script, ScriptHost& host, const ItemRecorder& items)
    : script_(std::move(script)), host_(host), items_(items) {
  feed_.pause(kSettlingFrames);
}

/// Adds file and line to what `action` throws.
template <typename Action>
void ScriptPlayer::on_line(int number, Action action) const {
  try {
    action();
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    const std::string place = detail.file.empty() ? detail.field : detail.file + (detail.field.empty() ? "" : ": " + detail.field);
    detail.file = script_.file;
    detail.field = fmt::format("line {}{}{}", number, place.empty() ? "" : ": ", place);
    throw Error(std::move(detail));
  }
}

/// Otherwise pictures would appear in a different frame in every run, and glyphs in a different order in the atlas.
void ScriptPlayer::come_to_rest() const {
  const auto deadline = Clock::now() + kLongestWait;
  while (!host_.is_asked_to_end() && !host_.is_idle()) {
    if (Clock::now() > deadline) throw Error({.problem = "the window did not come to rest within ten minutes"});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

ImVec2 ScriptPlayer::place_of(const ScriptPlace& target) const {
  if (target.label.empty()) return {target.point.x, target.point.y};
  const DrawnItem& item = items_.find(target.label);
  if (target.cell) return centre_of_cell(item, *target.cell);
  return {item.box.x + item.box.width / 2, item.box.y + item.box.height / 2};
}

/// Mouse and keyboard. False when the command is of another kind.
bool ScriptPlayer::begin_gesture(const Command& command) {
  const auto click = [this](const ClickCommand& c) {
    feed_.click(place_of(c.at), c.button, c.times, (c.has_ctrl ? ImGuiMod_Ctrl : 0) | (c.has_shift ? ImGuiMod_Shift : 0));
  };
  const auto drag = [this](const DragCommand& c) {
    const ImVec2 from = place_of(c.from);
    feed_.drag(from, c.is_by ? ImVec2(from.x + c.to.point.x, from.y + c.to.point.y) : place_of(c.to));
  };
  bool is_gesture = true;
  std::visit(Overloaded{[&](const ClickCommand& c) { click(c); },                     //
                        [&](const DragCommand& c) { drag(c); },                       //
                        [&](const MoveCommand& c) { feed_.move(place_of(c.to)); },    //
                        [&](const PressCommand& c) { feed_.press(place_of(c.at)); },  //
                        [&](const ReleaseCommand&) { feed_.release(); },              //
                        [&](const WheelCommand& c) { feed_.wheel(c.across, c.up); },  //
                        [&](const TypeCommand& c) { feed_.type(c.text); },            //
                        [&](const KeyCommand& c) { feed_.key(parse_key(c.chord)); },  //
                        [&](const auto&) { is_gesture = false; }},
             command);
  return is_gesture;
}

/// False for `quit`.
bool ScriptPlayer::begin(const Command& command) {
  if (begin_gesture(command)) return true;
  bool goes_on = true;
  const auto expect = [this](const ExpectCommand& c) {
    if (!c.is_absent) {
      items_.find(c.label);
    } else if (items_.contains(c.label)) {
      throw Error({.kind = ErrorKind::usage, .field = "\"" + printable(c.label) + "\"", .problem = "this is in sight, and should not be"});
    }
  };
  std::visit(
      Overloaded{[&](const WaitCommand&) { feed_.pause(kSettlingFrames); },         //
                 [&](const FramesCommand& c) { free_frames_ = c.count; },           //
                 [&](const ResizeCommand& c) { host_.resize(c.width, c.height); },  //
                 [&](const DropCommand& c) { host_.drop(c.path); },                 //
                 [&](const SpotlightCommand& c) { host_.light(c.label.empty() ? std::nullopt : std::optional(items_.find(c.label).box)); },
                 [&](const ScreenshotCommand& c) { screenshot_ = c.path; },  //
                 [&](const DumpCommand& c) { host_.write_state(c.path); },   //
                 [&](const BenchCommand& c) { measure_frames(c, nullptr); },
                 [&](const BenchWheelCommand& c) { measure_frames(c, turn_wheel); },
                 [&](const BenchDragCommand& c) { measure_frames(c, drag_to_and_fro(ImGui::GetIO().MousePos, c.reach)); },
                 [&](const BenchViewsCommand& c) { insert_views(c); },
                 [&](const BenchKeysCommand& c) { measured_keys_ = c.keys, measured_name_ = c.name; },
                 [&](const ExpectCommand& c) { expect(c); },  //
                 [&](const QuitCommand&) { goes_on = false; }, [](const auto&) {}},
      command);
  return goes_on;
}

template <typename Bench>
void ScriptPlayer::measure_frames(const Bench& command, std::function<void(InputFeed&, double)> movement) {
  measured_frames_ = frames_in_all_ = command.frames;
  measured_name_ = command.name;
  movement_ = std::move(movement);
}

/// Plays a click on each tab and the measurement of what it shows next.
void ScriptPlayer::insert_views(const BenchViewsCommand& command) {
  std::vector<ScriptLine> lines;
  for (const std::string& title : host_.view_titles()) {
    lines.push_back({line_, ClickCommand{.at = {.label = title}}});
    lines.push_back({line_, WaitCommand{}});
    lines.push_back({line_, BenchCommand{command.frames, fmt::format("{}: {}", title, command.name)}});
  }
  script_.lines.insert(script_.lines.begin() + static_cast<std::ptrdiff_t>(next_), lines.begin(), lines.end());
}

void ScriptPlayer::type_next_key() {
  if (frames_of_key_++ > 0) return;
  feed_.type(kTyped.substr(static_cast<std::size_t>(measured_keys_) % kTyped.size(), 1));
}

bool ScriptPlayer::before_frame() {
  while (feed_.is_empty() && !is_measuring() && free_frames_ == 0) {
    if (next_ == script_.lines.size()) return false;
    const ScriptLine& line = script_.lines[next_++];
    line_ = line.number;
    bool goes_on = true;
    on_line(line_, [&] { goes_on = begin(line.command); });
    if (!goes_on) return false;
    feed_.pause(2);
  }
  is_free_ = free_frames_ > 0;
  if (is_free_) {
    --free_frames_;
    return true;
  }
  if (measured_keys_ > 0) type_next_key();
  if (measured_frames_ > 0 && movement_) movement_(feed_, 1 - static_cast<double>(measured_frames_) / frames_in_all_);
  on_line(line_, [&] {
    feed_.step();
    come_to_rest();
  });
  if (host_.is_asked_to_end()) return false;
  if (frames_of_key_ <= 1) frame_start_ = Clock::now();
  return true;
}

void ScriptPlayer::after_drawing() {
  if (!screenshot_) return;
  on_line(line_, [&] { host_.write_screenshot(*screenshot_); });
  screenshot_.reset();
}

void ScriptPlayer::after_present() {
  if (!is_measuring()) return;
  // A key is handled in one frame, and its picture shown in the next, or in a later one where that asks for more.
  if (measured_keys_ > 0 && (frames_of_key_ < 2 || !host_.is_idle())) return;
  milliseconds_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - frame_start_).count());
  frames_of_key_ = 0;
  if (--(measured_keys_ > 0 ? measured_keys_ : measured_frames_) == 0) print_measurement();
}

/// As a line of `headlight bench`: the median, and the fastest and slowest.
void ScriptPlayer::print_measurement() {
  std::sort(milliseconds_.begin(), milliseconds_.end());
  const double median = milliseconds_[milliseconds_.size() / 2];
  fmt::print("{:<66} {:>9.2f} ms   {:>8.2f} … {:.2f}\n", measured_name_, median, milliseconds_.front(), milliseconds_.back());
  std::fflush(stdout);
  milliseconds_.clear();
}

}  // namespace headlight
