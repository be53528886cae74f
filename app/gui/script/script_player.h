// Plays a script, one step a frame.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/kit/items.h"
#include "app/gui/script/input_feed.h"
#include "app/gui/script/script.h"

namespace headlight {

/// What a script asks of the window besides input.
class ScriptHost {
 public:
  ScriptHost() = default;
  ScriptHost(const ScriptHost&) = delete;
  ScriptHost& operator=(const ScriptHost&) = delete;
  virtual ~ScriptHost() = default;
  virtual bool is_idle() = 0;            ///< nothing is computed or written
  virtual bool is_asked_to_end() const;  ///< by a signal: the script ends at once, whatever it waits for; by default never
  virtual void resize(int width, int height) = 0;
  virtual void drop(const std::string& path) = 0;
  virtual void light(std::optional<Box> place) = 0;                      ///< dims everything else; nothing: no more
  virtual void write_screenshot(const std::filesystem::path& path) = 0;  ///< of the frame just drawn
  virtual void write_state(const std::filesystem::path& path) = 0;
  virtual std::vector<std::string> view_titles() = 0;  ///< of the tabs, in their order
};

/// A frame is drawn when nothing is computed or written any more, so that every frame is the same in every run, however long anything
/// takes; only those of `frames N` do not wait. Two frames follow each command.
/// All functions throw Error, with the script's file and line.
class ScriptPlayer {
 public:
  ScriptPlayer(Script script, ScriptHost& host, const ItemRecorder& items);

  bool before_frame();  ///< feeds what comes next; false when the script has ended, or was asked to
  void after_drawing();
  bool is_measuring() const { return measured_frames_ > 0 || measured_keys_ > 0; }
  bool is_measuring_movement() const { return measured_frames_ > 0 && movement_ != nullptr; }
  bool is_reproducible() const { return !is_measuring() && !is_free_; }  ///< the frame after `before_frame` waited for everything
  void after_present();

 private:
  using Clock = std::chrono::steady_clock;
  template <typename Action>
  void on_line(int number, Action action) const;
  bool begin(const Command& command);
  bool begin_gesture(const Command& command);
  void come_to_rest() const;
  ImVec2 place_of(const ScriptPlace& target) const;
  void insert_views(const BenchViewsCommand& command);
  /// movement: what is fed before each frame, by the share of the frames that are done; null: nothing.
  template <typename Bench>
  void measure_frames(const Bench& command, std::function<void(InputFeed&, double)> movement);
  void type_next_key();
  void print_measurement();

  Script script_;
  ScriptHost& host_;
  const ItemRecorder& items_;
  InputFeed feed_;
  std::size_t next_ = 0;
  int line_ = 0;
  std::optional<std::filesystem::path> screenshot_;
  int free_frames_ = 0;
  bool is_free_ = false;     // the frame that is drawn is one of those
  int measured_frames_ = 0;  // still to be measured
  int frames_in_all_ = 0;
  std::function<void(InputFeed&, double)> movement_;
  int measured_keys_ = 0;  // characters still to be typed
  int frames_of_key_ = 0;  // since the last was typed
  std::string measured_name_;
  std::vector<double> milliseconds_;
  Clock::time_point frame_start_;
};

}  // namespace headlight
