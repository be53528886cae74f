#include "app/gui/window/window.h"

#include <fmt/core.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/gui/dialogs/export/export_memory.h"
#include "app/gui/frame.h"
#include "app/gui/kit/fonts.h"
#include "app/gui/kit/theme.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/script/script_player.h"
#include "app/gui/script/state_dump.h"
#include "app/gui/shell/layout.h"
#include "app/gui/window/end_signals.h"
#include "app/gui/window/gl_textures.h"
#include "app/gui/window/gui_context.h"
#include "app/gui/window/lost_display.h"
#include "app/gui/window/platform_window.h"
#include "app/gui/window/redraw.h"
#include "app/gui/window/start.h"
#include "app/gui/window/window_news.h"
#include "app/lessons/load_lessons.h"
#include "app/session/autosave.h"
#include "app/session/state.h"
#include "engine/core/error.h"
#include "engine/figure/painters/png.h"
#include "engine/formats/file_reader.h"
#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

constexpr std::chrono::seconds kAutosaveDelay{5};
constexpr int kFramesAfterEvent = 5;  // Dear ImGui needs a few to settle
class Window final : ScriptHost {
 public:
  Window(const WindowOptions& options, WindowStart start, const Script& script, EndSignals& signals);
  ~Window() override;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  void run_live();
  void run_script(const Script& script);

 private:
  bool draw(ScriptPlayer* player);
  FrameChange change_of_frame(bool is_whole);
  void render_box(const Box& box);
  void render(const FrameChange& change);
  void present(const FrameChange& change);
  void apply_looks();
  void apply_font();
  bool is_starting() const;
  void remember(bool was_starting);
  void say_lost_display();
  void name_window();
  double patience();

  bool is_idle() override;
  bool is_asked_to_end() const override { return signals_.received() != 0; }
  void resize(int width, int height) override { platform_.resize(width, height); }
  void drop(const std::string& path) override { dropped_.push_back(path); }
  void light(std::optional<Box> place) override { state_.view.shell.spotlight = place; }
  void write_screenshot(const std::filesystem::path& path) override;
  void write_state(const std::filesystem::path& path) override;
  std::vector<std::string> view_titles() override;

  const float wanted_scale_;
  const bool is_scripted_;
  const std::filesystem::path state_folder_;  // empty: nothing is remembered
  WindowNews news_;                           // from the worker, the exporter and the downloader
  Autosave autosave_;                         // before the session, which opens the model: the start is marked by then
  Session session_;                           // before the window, which takes longer to open than most models
  PlatformWindow platform_;
  GuiContext context_;
  Fonts fonts_;            // of figures
  Fonts text_fonts_;       // of the window's words: the same, or with the family that a person chose
  std::string font_ = {};  // that family
  GlTextures textures_;
  ScenePainter painter_;
  std::optional<ItemRecorder> recorder_;
  FrameState state_;
  std::vector<std::string> dropped_;
  std::optional<std::pair<Theme, float>> looks_;
  std::string title_;
  int width_ = 0, height_ = 0;     // of the last frame, in pixels
  double frame_milliseconds_ = 0;  // that it took, from its input to the screen
  LastFrame on_screen_;
  Downloader downloader_;
  std::optional<FileWatch> file_watch_;  // none for scripts, which show the same every time
  EndSignals& signals_;
  DisplayWatch display_watch_{[this] { say_lost_display(); }};
};

Window::Window(const WindowOptions& options, WindowStart start, const Script& script, EndSignals& signals)
    : wanted_scale_(options.scale),
      is_scripted_(!options.script.empty()),
      state_folder_(start.store.folder()),
      autosave_(std::move(start.store), kAutosaveDelay, true),
      session_(
          std::move(start.restored.state.document), options.threads, [this] { news_.tell(); }, std::move(start.restored.state.unknown)),
      platform_(start.place, is_scripted_),
      context_(platform_.handle(), !is_scripted_ || script.is_live()),
      fonts_(load_fonts(1)),
      text_fonts_(fonts_),
      painter_(textures_, fonts_),
      state_{view_from_json(start.restored.state.settings.view, all_views())},
      downloader_([this] { news_.tell(); }),
      signals_(signals) {
  news_.wakes(true);
  if (const Json& kept = start.restored.state.settings.view; kept.is_object() && kept.contains("export"))
    restore_export(kept["export"], state_.dialogs.figure_export);
  state_.dialogs.model_picker.recent_models = std::move(start.restored.state.settings.recent);
  state_.dialogs.documents.recent = std::move(start.restored.state.settings.recent_documents);
  if (!state_folder_.empty() && !cache_folder().empty()) session_.keep_digests_in(cache_folder() / "weights.json");
  if (!start.file.empty()) session_.adopt_file(std::move(start.file), std::move(start.saved));
  if (!start.study.empty()) state_.view.corpus.wanted = std::move(start.study);
  if (names_lesson(options.lesson)) session_.lessons().add_own(options.lesson);
  state_.view.dialogs.wanted_lesson = name_of_lesson(options.lesson);
  session_.lessons().keep_guesses_in(options.guesses);
  state_.view.notes.is_welcoming =
      start.restored.is_first_start && !is_scripted_ && !state_folder_.empty() && options.open.empty() && options.lesson.empty();
  if (start.opens_study) state_.view.view = View::measures;
  state_.view.notes.banner = std::move(start.restored.notice);
  state_.view.notes.offered_document = std::move(start.restored.offered);
  if (!is_scripted_) {
    file_watch_.emplace([this] { news_.tell(); });
  }
  if (is_scripted_) {
    recorder_.emplace();
    platform_.resize(options.width, options.height);
  }
  signals_.listen([this] {
    autosave_.flush();
    news_.tell();
  });
}

Window::~Window() {
  autosave_.mark_start(false);
  autosave_.flush();  // before the threads are waited for, which may take a while
  platform_.hide();   // a figure that was asked for is still finished, without the window
  signals_.stop_listening();
  news_.wakes(false);
}

/// Colours and sizes follow the document's theme and the monitor's scale.
void Window::apply_looks() {
  const float monitor = wanted_scale_ > 0 ? wanted_scale_ : is_scripted_ ? 1 : platform_.content_scale();
  const float scale = scale_of(state_.view.shell, monitor, static_cast<float>(width_), static_cast<float>(height_));
  const std::pair looks{session_.document().style.theme, scale};
  if (looks_ == looks) return;
  looks_ = looks;
  fonts_.scale = text_fonts_.scale = scale;
  apply_theme(looks.first, scale);
}

/// The family that the settings name, once the installed ones are known; Inter if it has been uninstalled.
void Window::apply_font() {
  const std::string& wanted = state_.view.shell.font;
  if (wanted == font_) return;
  const auto families = wanted.empty() ? nullptr : session_.fonts().families();
  if (!wanted.empty() && !families) return;
  font_ = wanted;
  const FontFamily* family = families ? find_family(*families, wanted) : nullptr;
  const Fonts former = std::exchange(text_fonts_, family != nullptr ? with_family(fonts_, *family) : fonts_);
  ImGui::GetIO().FontDefault = text_fonts_.ui;
  release_family(fonts_, former);
}

void Window::name_window() {
  constexpr std::size_t kLongest = 60;
  std::string title = printable(on_one_line(session_.document().query.text), kLongest);
  if (!session_.file().empty()) title = printable(document_name(session_.file()), kLongest) + (session_.is_modified() ? "*" : "");
  title += title.empty() ? "Headlight" : " — Headlight";
  if (title == title_) return;
  title_ = title;
  platform_.set_title(title);
}

/// Whether a model is being opened that has not been shown yet. Should it crash the program, the next start must not open it by itself.
bool Window::is_starting() const {
  const WorkerStatus status = session_.worker().status();
  const std::shared_ptr<const Snapshot> shown = session_.snapshot();
  const bool is_new_model = !shown || shown->query.model.name != session_.document().query.model.name;
  return is_new_model && status.finished < status.requested;
}

/// Call it after a frame; `was_starting`: is_starting() before the frame.
void Window::remember(bool was_starting) {
  if (state_folder_.empty()) return;
  autosave_.mark_start(was_starting);
  Json view = view_to_keep(state_.view, platform_.place());
  view["export"] = export_to_keep(state_.dialogs.figure_export);
  const Settings settings{std::move(view), state_.dialogs.model_picker.recent_models, state_.dialogs.documents.recent,
                          session_.file().string()};
  autosave_.update({{session_.own_document(), session_.unknown(), settings}, session_.openings(), session_.origin()});
}

void Window::say_lost_display() {
  autosave_.mark_start(false);
  autosave_.flush();
  const std::string problem = autosave_.problem();
  const bool is_kept = !state_folder_.empty() && problem.empty();
  fmt::print(stderr, "The display was lost, so the window closed. {}\n",
             is_kept           ? "Your document comes back at the next start."
             : problem.empty() ? "This session was not being saved."
                               : problem);
}

/// `is_whole`: draw everything, whatever is on the screen, as scripts take screenshots of the frame, and time it. What moves is timed as a
/// hand gets it.
FrameChange Window::change_of_frame(bool is_whole) {
  if (platform_.take_damage() || is_whole) on_screen_.forget();
  FrameChange change = on_screen_.replace(*ImGui::GetDrawData(), palette(looks_->first).ground, textures_.take_written());
  // Parts are presented without waiting for the screen. A software renderer never waits; with a graphics card they could tear.
  const bool has_parts = context_.is_software() && platform_.can_present_part();
  change.is_all = change.is_all || (!change.is_nothing() && !has_parts);
  return change;
}

void Window::render_box(const Box& box) {
  const Colour ground = palette(looks_->first).ground;
  glEnable(GL_SCISSOR_TEST);
  glScissor(static_cast<int>(box.x), height_ - static_cast<int>(box.bottom()), static_cast<int>(box.width), static_cast<int>(box.height));
  glClearColor(static_cast<float>(ground.red) / 255, static_cast<float>(ground.green) / 255, static_cast<float>(ground.blue) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  context_.render();
}

/// Draws what changed into the back buffer. What lies around it there may be older than what is on the screen, and is not presented.
void Window::render(const FrameChange& change) {
  if (change.is_nothing()) return;
  glViewport(0, 0, width_, height_);
  context_.prepare();
  if (change.is_all) return render_box({0, 0, static_cast<float>(width_), static_cast<float>(height_)});
  for_each_part(*ImGui::GetDrawData(), change.boxes, [this](const Box& box) { render_box(box); });
}

void Window::present(const FrameChange& change) {
  if (change.is_nothing()) return;
  if (change.is_all) return platform_.present();
  for (const Box& box : change.boxes) {
    platform_.present_part(static_cast<int>(box.x), height_ - static_cast<int>(box.bottom()), static_cast<int>(box.width),
                           static_cast<int>(box.height));
  }
}

/// One frame. Returns whether it was drawn: a window without a size is not.
bool Window::draw(ScriptPlayer* player) {
  platform_.framebuffer_size(width_, height_);
  if (width_ <= 0 || height_ <= 0) return false;
  const auto begin = std::chrono::steady_clock::now();
  apply_looks();
  apply_font();
  if (recorder_) recorder_->begin_frame();
  context_.begin_frame(width_, height_);
  for (std::string& path : platform_.take_dropped()) dropped_.push_back(std::move(path));
  FrameContext frame{session_,
                     painter_,
                     text_fonts_,
                     std::exchange(dropped_, {}),
                     &downloader_,
                     is_scripted_,
                     {state_folder_, autosave_.document_folder(), autosave_.problem()}};
  frame.frame_milliseconds = frame_milliseconds_;
  frame.file_watch = file_watch_ ? &*file_watch_ : nullptr;
  draw_frame(frame, state_);
  if (frame.wants_to_close) platform_.close();
  ImGui::Render();
  const FrameChange change = change_of_frame(player != nullptr && !player->is_measuring_movement());
  render(change);
  if (player != nullptr) player->after_drawing();
  if (is_scripted_) {
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
      throw Error({.problem = fmt::format("OpenGL error 0x{:04x} in a frame of {}x{} pixels", error, width_, height_)});
    }
  }
  present(change);
  frame_milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return true;
}

/// How many seconds to sleep when nothing happens: until the next frame of what plays, progress is shown again, or a caret blinks.
double Window::patience() {
  constexpr double kProgress = 0.25, kLongest = 1, kFrame = 1.0 / 60;
  if (state_.view.inside.is_playing) return kFrame;
  if (!is_idle()) return kProgress;
  return std::min(kLongest, seconds_to_blink().value_or(kLongest));
}

void Window::run_live() {
  int frames_due = kFramesAfterEvent;
  while (!platform_.wants_to_close() && signals_.received() == 0) {
    if (frames_due > 0 || context_.has_queued_input()) {
      platform_.poll();
    } else {
      platform_.wait(patience());
    }
    const int width = width_, height = height_;
    const bool has_events = context_.has_queued_input() || news_.take();
    const bool was_starting = is_starting();
    if (!draw(nullptr)) {
      platform_.wait(0.5);
      continue;
    }
    frames_due = has_events || width != width_ || height != height_ ? kFramesAfterEvent : std::max(0, frames_due - 1);
    name_window();
    remember(was_starting);
  }
}

void Window::run_script(const Script& script) {
  platform_.keep_open();
  ScriptPlayer player(script, *this, *recorder_);
  while (signals_.received() == 0) {
    platform_.poll();
    if (!player.before_frame()) return;
    const bool was_starting = is_starting();
    {
      // What a study finds while the frame is drawn would be in sight or not, as the machine is fast or slow.
      std::optional<Desk::Quiet> quiet;
      if (player.is_reproducible()) quiet.emplace(session_.worker().desk());
      draw(&player);
    }
    remember(was_starting);
    if (player.is_measuring()) glFinish();
    player.after_present();
  }
}

bool Window::is_idle() {
  return session_.worker().is_idle() && !session_.exporter().status().is_busy && !downloader_.status().is_busy;
}

void Window::write_screenshot(const std::filesystem::path& path) {
  write_file(path, encode_png(read_back_buffer(width_, height_)));
}

void Window::write_state(const std::filesystem::path& path) {
  write_file(
      path,
      dump_state(session_, to_json(state_.view, all_views()), recorder_->items()).dump(2, ' ', false, Json::error_handler_t::replace) +
          "\n");
}

std::vector<std::string> Window::view_titles() {
  std::vector<std::string> titles;
  for (const ViewRow& row : all_views()) titles.emplace_back(row.title);
  return titles;
}

}  // namespace

int run_window(const WindowOptions& options) {
  const Script script = options.script.empty() ? Script{} : load_script(options.script);
  EndSignals signals;  // before any thread
  {
    Window window(options, make_start(options), script, signals);
    if (options.script.empty() || script.is_live()) window.run_live();
    if (!options.script.empty()) window.run_script(script);
  }
  signals.end_as_asked();
  return 0;
}

}  // namespace headlight
