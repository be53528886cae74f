// The window with a lesson.
#pragma once

#include <string>

#include "tests/gui/frame_fixture.h"

namespace headlight::testing {

class LessonFrameTest : public FrameTest {
 protected:
  OpenLesson& lesson() { return *session.lessons().open(); }
  void take(const std::string& name) {
    view.dialogs.wanted_lesson = name;
    settle();
    ASSERT_NE(session.lessons().open(), nullptr) << name;
  }
  /// By its number, from 1.
  void go_to(std::size_t step) {
    window.click("Lesson step " + std::to_string(step));
    settle();
  }
  void press(const std::string& key) {
    window.key(key);
    settle();
  }
};

}  // namespace headlight::testing
