// A figure before it is written: the scene that its file gets, the pixels of it that are on the screen, and its command. Made on the desk.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/recipe/sweep.h"
#include "app/work/compute/worker.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

struct FigureQuestion {
  std::shared_ptr<const Snapshot> snapshot;
  FigureRequest request;               ///< of runs that it holds itself
  const FigureFile* file = nullptr;    ///< a row of figure_files
  FigureOutput output;                 ///< its pixels; nothing else is set
  std::optional<Sweep> sweep = {};     ///< the figure is the first of several
  std::optional<Query> measured = {};  ///< of a figure of a study: the model and the edits that it is of
  // Of every text of a file: the figures and the kinds of files that the command is for; empty: it is for the figure alone.
  std::vector<FigureRequest> of_texts = {};
  std::vector<const FigureFile*> files = {};
  bool operator==(const FigureQuestion& other) const {
    return snapshot == other.snapshot && measured == other.measured && request == other.request && file == other.file &&
           output.pixels_per_point == other.output.pixels_per_point && sweep == other.sweep && of_texts == other.of_texts &&
           files == other.files;
  }
};

struct FigurePreview {
  FigureQuestion question;  ///< that it answers
  Scene scene;              ///< make_figure: what write_figure draws, or the picture of the numbers that it writes
  /// What a person types, without `-o FILE` and `--texts FILE`; nullopt: some part of the figure has no option (command_here).
  std::optional<std::string> command;
  std::size_t bytes = 0;  ///< of its file; 0: it holds numbers, which are counted when they are written
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
  std::shared_ptr<const FigurePreview> ask(const FigureQuestion& question);
  std::shared_ptr<const PreviewPixels> pixels(const std::shared_ptr<const FigurePreview>& preview, float pixels_per_point);
  /// What is there now, whatever was asked last.
  std::shared_ptr<const FigurePreview> shown() const { return shown_; }
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
  std::shared_ptr<const FigurePreview> shown_, last_whole_;  // what is shown may have no size yet
  Study<PixelsQuestion, PreviewPixels> pixels_;
};

}  // namespace headlight
