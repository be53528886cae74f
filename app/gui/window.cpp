#include "app/gui/window.h"

#include <fmt/core.h>
#include <glad/gl.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/gui/fonts.h"
#include "app/gui/frame.h"
#include "app/gui/gl_textures.h"
#include "app/gui/gui_context.h"
#include "app/gui/platform_window.h"
#include "app/gui/script_player.h"
#include "app/gui/state_dump.h"
#include "app/session/state.h"
#include "engine/core/error.h"
#include "engine/figure/png.h"
#include "engine/formats/file_reader.h"
#include "engine/model/model_places.h"
#include "engine/pipeline.h"

namespace headlight {
namespace {

constexpr int kFramesAfterEvent = 5;  // Dear ImGui needs a few to settle
constexpr const char* kPlaceField = "window";

WindowPlace place_from_json(const Json& view, WindowPlace place) {
  if (!view.contains(kPlaceField) || !view[kPlaceField].is_object()) return place;
  const JsonFields fields(view[kPlaceField], "state.json", kPlaceField);
  try {
    place.width = static_cast<int>(fields.integer_or("width", place.width, 480, 16384));
    place.height = static_cast<int>(fields.integer_or("height", place.height, 320, 16384));
    place.is_maximised = fields.boolean_or("is_maximised", false);
  } catch (const Error&) {
    return {};  // a place that makes no sense never stops a start
  }
  return place;
}

Json to_json(const WindowPlace& place) {
  return {{"width", place.width}, {"height", place.height}, {"is_maximised", place.is_maximised}};
}

/// What the window starts with.
struct Start {
  SavedState state;
  std::string notice;
  std::filesystem::path folder;  ///< where the state is kept; empty: nowhere
  WindowPlace place;
};

/// Throws Error (input) for a document that cannot be opened.
Start make_start(const WindowOptions& options) {
  Start start;
  const bool is_remembering = options.script.empty() && !options.is_safe_mode;
  if (is_remembering) {
    start.folder = state_folder();
    RestoredState restored = restore_state(start.folder);
    start.state = std::move(restored.state);
    start.notice = std::move(restored.notice);
  }
  const WindowOptions defaults;
  start.place = {options.width, options.height, false};
  const bool is_sized = options.width != defaults.width || options.height != defaults.height;
  if (!is_sized) start.place = place_from_json(start.state.view, start.place);
  if (options.open.empty()) return start;
  start.state.unknown = Json::object();
  if (std::filesystem::is_regular_file(options.open) && !names_model_file(options.open)) {
    start.state.document = load_document(options.open, &start.state.unknown);
  } else {
    start.state.document = document_of_model(lasting_name(options.open));
  }
  return start;
}

class Window final : ScriptHost {
 public:
  Window(const WindowOptions& options, Start start, const Script& script);
  void run_live();
  void run_script(const Script& script);

 private:
  bool draw(ScriptPlayer* player);
  void apply_looks();
  void remember();
  void name_window();
  double patience();

  bool is_idle() override;
  void resize(int width, int height) override { platform_.resize(width, height); }
  void drop(const std::string& path) override { dropped_.push_back(path); }
  void write_screenshot(const std::filesystem::path& path) override;
  void write_state(const std::filesystem::path& path) override;

  const float wanted_scale_;
  const bool is_scripted_;
  PlatformWindow platform_;
  GuiContext context_;
  Fonts fonts_;
  GlTextures textures_;
  ScenePainter painter_;
  std::optional<ItemRecorder> recorder_;
  ViewState view_;
  std::vector<std::string> dropped_;
  std::optional<std::pair<Theme, float>> looks_;
  std::string title_;
  int width_ = 0, height_ = 0;          // of the last frame, in pixels
  std::atomic<bool> has_news_ = false;  // from the worker or the exporter
  Session session_;
  Downloader downloader_;
  Autosave autosave_;
  std::string autosave_notice_;
};

Window::Window(const WindowOptions& options, Start start, const Script& script)
    : wanted_scale_(options.scale),
      is_scripted_(!options.script.empty()),
      platform_(start.place, is_scripted_),
      context_(platform_.handle(), !is_scripted_ || script.is_live()),
      fonts_(load_fonts(1)),
      painter_(textures_, fonts_),
      view_(view_from_json(start.state.view)),
      session_(std::move(start.state.document), options.threads,
               [this] {
                 has_news_ = true;
                 PlatformWindow::wake();
               }),
      downloader_([this] {
        has_news_ = true;
        PlatformWindow::wake();
      }),
      autosave_(start.folder) {
  view_.recent_models = std::move(start.state.recent);
  view_.banner = std::move(start.notice);
  if (is_scripted_) {
    recorder_.emplace();
    platform_.resize(options.width, options.height);
  }
}

/// Colours and sizes follow the document's theme and the monitor's scale.
void Window::apply_looks() {
  const float scale = wanted_scale_ > 0 ? wanted_scale_ : is_scripted_ ? 1 : platform_.content_scale();
  const std::pair looks{session_.document().style.theme, scale};
  if (looks_ == looks) return;
  looks_ = looks;
  fonts_.scale = scale;
  apply_theme(looks.first, scale);
}

void Window::name_window() {
  constexpr std::size_t kLongest = 60;
  std::string title = printable(session_.document().query.text, kLongest);
  title += title.empty() ? "Headlight" : " — Headlight";
  if (title == title_) return;
  title_ = title;
  platform_.set_title(title);
}

void Window::remember() {
  SavedState state{session_.document(), session_.unknown(), headlight::to_json(view_), view_.recent_models};
  state.view[kPlaceField] = to_json(platform_.place());
  autosave_.update(state);
  const std::string notice = autosave_.notice();
  if (notice != autosave_notice_ && !notice.empty()) view_.banner = notice;
  autosave_notice_ = notice;
}

/// One frame. Returns whether it was drawn: a window without a size is not.
bool Window::draw(ScriptPlayer* player) {
  platform_.framebuffer_size(width_, height_);
  if (width_ <= 0 || height_ <= 0) return false;
  apply_looks();
  if (recorder_) recorder_->begin_frame();
  context_.begin_frame(width_, height_);
  for (std::string& path : platform_.take_dropped()) dropped_.push_back(std::move(path));
  FrameContext frame{session_, painter_, fonts_, std::exchange(dropped_, {}), &downloader_, is_scripted_};
  draw_frame(frame, view_);
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Q, ImGuiInputFlags_RouteGlobal)) platform_.close();
  ImGui::Render();
  const Colour ground = palette(looks_->first).ground;
  glViewport(0, 0, width_, height_);
  glClearColor(static_cast<float>(ground.red) / 255, static_cast<float>(ground.green) / 255, static_cast<float>(ground.blue) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  context_.render();
  if (player != nullptr) player->after_drawing();
  if (is_scripted_) {
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
      throw Error({.problem = fmt::format("OpenGL error 0x{:04x} in a frame of {}x{} pixels", error, width_, height_)});
    }
  }
  platform_.present();
  return true;
}

/// How long to sleep when nothing happens: a caret blinks, progress goes on.
double Window::patience() {
  if (!is_idle()) return 0.25;
  return ImGui::GetIO().WantTextInput ? 0.4 : 1.0;
}

void Window::run_live() {
  int frames_due = kFramesAfterEvent;
  while (!platform_.wants_to_close()) {
    if (frames_due > 0 || context_.has_queued_input()) {
      platform_.poll();
    } else {
      platform_.wait(patience());
    }
    const int width = width_, height = height_;
    const bool has_events = context_.has_queued_input() || has_news_.exchange(false);
    if (!draw(nullptr)) {
      platform_.wait(0.5);
      continue;
    }
    frames_due = has_events || width != width_ || height != height_ ? kFramesAfterEvent : std::max(0, frames_due - 1);
    name_window();
    remember();
  }
}

void Window::run_script(const Script& script) {
  platform_.keep_open();
  ScriptPlayer player(script, *this, *recorder_);
  for (;;) {
    platform_.poll();
    if (!player.before_frame()) return;
    draw(&player);
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
  write_file(path, dump_state(session_, view_, recorder_->items()).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

int run_window(const WindowOptions& options) {
  const Script script = options.script.empty() ? Script{} : load_script(options.script);
  Window window(options, make_start(options), script);
  if (options.script.empty() || script.is_live()) window.run_live();
  if (!options.script.empty()) window.run_script(script);
  return 0;
}

}  // namespace headlight
