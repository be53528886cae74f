// The whole window without a display: a session with the sandbox, and every panel drawn each frame.
#pragma once

#include "app/gui/frame.h"
#include "app/gui/kit/theme.h"
#include "app/gui/panel/panel.h"
#include "tests/gui/null_window.h"
#include "tests/testing.h"

namespace headlight::testing {

class FrameTest : public ::testing::Test {
 protected:
  void SetUp() override {
    apply_theme(Theme::dark, window.fonts.scale);
    window.draw = [this] {
      draw_frame(context, frame_state);
      context.dropped_paths.clear();
    };
    window.settle(session);
  }

  const Document& document() const { return session.document(); }
  std::shared_ptr<const Snapshot> snapshot() const { return session.snapshot(); }
  void settle() { window.settle(session); }
  void show(View which) {
    view.view = which;
    settle();
  }
  /// Replaces the sentence at once, as a test's starting point.
  void say(const std::string& text) {
    Document next = document();
    next.query.text = text;
    session.apply(next, false, false);
    settle();
  }

  /// The small GPT-2 of the reference models, which predicts tokens, in place of the sandbox.
  void open_gpt2(const std::string& text = "the animal did not cross") {
    Document next = document();
    next.query.model = {};
    next.query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
    next.query.text = text;
    session.apply(next, false, false);
    settle();
  }

  /// All words of the next frame. Lines of a paragraph, which are drawn one by one, follow each other.
  std::string drawn_words() {
    window.items.watch_texts();
    window.frame(2);
    std::string drawn;
    for (const DrawnText& text : window.items.texts()) drawn += text.text + " ";
    return drawn;
  }

  NullWindow window{{1600, 1500}};
  Session session{sandbox_document(), 1};
  FrameState frame_state;
  ViewState& view = frame_state.view;
  FrameCaches& caches = frame_state.caches;
  DialogStates& dialogs = frame_state.dialogs;
  FrameContext context{session, window.painter, window.fonts, {}};
};

}  // namespace headlight::testing
