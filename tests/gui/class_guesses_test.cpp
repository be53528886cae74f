// The guesses of a class in a file: asked for by a person, of every lesson from then on, and without names.
#include <gmock/gmock.h>

#include "app/lessons/play/guess_file.h"
#include "tests/gui/lesson_fixture.h"

namespace headlight::testing {
namespace {

using GuessesOfAClass = LessonFrameTest;

TEST_F(GuessesOfAClass, GuessesAreAddedToAFileWhereOneWasAskedFor) {
  const TemporaryFolder folder;
  session.lessons().keep_guesses_in(folder / "class.csv");
  take("trained-head");
  go_to(5);
  window.click("Yes");
  settle();
  const std::string text = bytes_of(folder / "class.csv");
  EXPECT_THAT(text, ::testing::StartsWith("lesson,step,kind,question,guess,answer,score,right\n\"trained-head\",5,yes-no,"));
  go_to(3);
  press("space");
  EXPECT_EQ(bytes_of(folder / "class.csv"), text) << "no guess, no line";
}

TEST_F(GuessesOfAClass, GuessesAreAddedToAFileThatIsNamedInTheWindow) {
  const TemporaryFolder folder;
  folder.file("marks.csv", "name,mark\n");
  take("trained-head");
  go_to(5);
  window.key("f2");
  settle();
  const auto name_file = [&](const std::string& name) {
    window.click("Guess file");
    window.key("ctrl+a");
    window.type((folder / name).string());
    window.click("Write guesses");
    settle();
  };
  name_file("marks.csv");
  EXPECT_THAT(view.dialogs.guess_problem, ::testing::HasSubstr("this is not a file of guesses"));
  EXPECT_TRUE(session.lessons().guess_file().empty());
  name_file("class.csv");
  EXPECT_EQ(view.dialogs.guess_problem, "");
  EXPECT_EQ(session.lessons().guess_file(), folder / "class.csv");
  window.key("escape");
  window.click("Yes");
  settle();
  EXPECT_EQ(tally_guesses(folder / "class.csv").size(), 1U) << "of the lesson that was open already, too";
  window.key("f2");
  settle();
  window.click("Stop writing");
  window.key("escape");
  go_to(6);
  go_to(5);
  window.click("No");
  settle();
  EXPECT_EQ(tally_guesses(folder / "class.csv").front().guesses, 1);
}

TEST_F(GuessesOfAClass, AGuessThatCannotBeWrittenIsSaidAndTheLessonGoesOn) {
  const TemporaryFolder folder;
  session.lessons().keep_guesses_in(folder.file("marks.csv", "name,mark\n"));
  take("trained-head");
  go_to(5);
  window.click("Yes");
  settle();
  EXPECT_FALSE(lesson().asks());
  EXPECT_THAT(lesson().guessing.unsaved, ::testing::HasSubstr("this is not a file of guesses"));
  EXPECT_EQ(bytes_of(folder / "marks.csv"), "name,mark\n");
  go_to(6);
  EXPECT_EQ(lesson().guessing.unsaved, "");
}

}  // namespace
}  // namespace headlight::testing
