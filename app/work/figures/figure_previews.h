// A figure before it is written: the scene that its file gets, the pixels of it that are on the screen, and its command. Made on the desk.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/work/compute/worker.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

struct FigureQuestion {
  std::shared_ptr<const Snapshot> snapshot;
  FigureRequest request;             ///< of runs that it holds itself
  const FigureFile* file = nullptr;  ///< a row of figure_files
  FigureOutput output;               ///< its pixels; nothing else is set
  bool operator==(const FigureQuestion& other) const {
    return snapshot == other.snapshot && request == other.request && file == other.file &&
           output.pixels_per_point == other.output.pixels_per_point;
  }
};

struct FigurePreview {
  FigureQuestion question;  ///< that it answers
  Scene scene;              ///< make_figure: what write_figure draws, or the picture of the numbers that it writes
  /// What a person types, without `-o FILE`; nullopt: some part of the figure has no option (command_here).
  std::optional<std::string> command;
};

/// The picture as files have it: letters shaped by pango in the figure's own family, so that nothing differs from what is written.
struct PreviewPixels {
  std::shared_ptr<const FigurePreview> of;
  float pixels_per_point = 0;          ///< of the scene
  std::shared_ptr<const Image> image;  ///< by itself: what shows it may outlive the rest
};

/// The door for the export dialog: ask every frame, draw what comes back. Thread contract: the UI thread only.
class FigurePreviews {
 public:
  explicit FigurePreviews(Worker& worker);
  /// The last result, or null before the first.
  std::shared_ptr<const FigurePreview> ask(const FigureQuestion& question) { return previews_.ask(question); }
  std::shared_ptr<const PreviewPixels> pixels(const std::shared_ptr<const FigurePreview>& preview, float pixels_per_point);
  /// What is there now, whatever was asked last.
  std::shared_ptr<const FigurePreview> shown() const { return previews_.result(); }
  std::shared_ptr<const PreviewPixels> shown_pixels() const { return pixels_.result(); }
  StudyStatus status() const { return previews_.status(); }  ///< of the preview
  /// Releases questions and results: call it while no figure is previewed.
  void rest();

 private:
  struct PixelsQuestion {
    std::shared_ptr<const FigurePreview> preview;
    float pixels_per_point = 0;
    bool operator==(const PixelsQuestion&) const = default;
  };
  Study<FigureQuestion, FigurePreview> previews_;
  Study<PixelsQuestion, PreviewPixels> pixels_;
};

}  // namespace headlight
