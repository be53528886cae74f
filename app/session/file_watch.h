// Files whose content the window shows, looked at once in a while: whether another program has written one of them since.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace headlight {

/// The files of a model, by its name in documents: its one file, or of a folder configuration, tokenizer and weights. None for the sandbox
/// and a model that is not there. Asks the disk.
std::vector<std::filesystem::path> files_of_model(const std::string& name);

/// A file has changed once its size or time differ from those it had when it was first watched, and two looks in a row see the same: a file
/// that is still being written is not reported. Nor is one that is gone, until it is back.
/// Thread contract: the UI thread; none of the functions waits for the disk, which has a thread of its own.
class FileWatch {
 public:
  /// `on_change` is called from that thread. Without a pause nothing is looked at but by look_now: for tests.
  explicit FileWatch(std::function<void()> on_change = {}, std::chrono::milliseconds pause = std::chrono::seconds(1));
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// From now on these and no others. Cheap enough for every frame.
  void watch(const std::vector<std::filesystem::path>& files);
  /// What the file holds now is what is shown: the program wrote it itself, or is reading it again.
  void accept(const std::filesystem::path& file);
  /// Those that changed since the last call.
  std::vector<std::filesystem::path> take_changed();
  /// One look at every file, on the caller's thread.
  void look_now();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
