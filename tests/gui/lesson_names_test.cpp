// Lessons name views, stages, labs and pages as the window saves them: what a lesson may name, the window can show, and the other way round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/gui/frame.h"
#include "app/gui/labs/lab_table.h"
#include "app/gui/panel/saved_view.h"
#include "app/lessons/lesson.h"

namespace headlight {
namespace {

std::set<std::string> names_of(std::span<const LessonName> names) {
  std::set<std::string> all;
  for (const LessonName& each : names) all.emplace(each.name);
  return all;
}

/// The state after a look.
Json shown(const Json& look) {
  ViewState view;
  show_look(look, view, all_views());
  return to_json(view, all_views());
}

TEST(LessonNames, OfViewsAreThoseOfTheWindow) {
  std::set<std::string> views;
  for (const ViewRow& row : all_views()) views.emplace(row.view.name);
  EXPECT_EQ(names_of(lesson_views()), views);
}

TEST(LessonNames, OfLabsAreThoseOfTheWindow) {
  std::set<std::string> labs;
  for (const LabRow& row : all_labs()) labs.emplace(row.lab.name);
  EXPECT_EQ(names_of(lesson_labs()), labs);
  for (const LessonName& lab : lesson_labs()) EXPECT_EQ(shown({{"labs", {{"shown", lab.name}}}})["labs"]["shown"], lab.name);
}

TEST(LessonNames, OfStagesAndPagesAreShown) {
  for (const LessonName& stage : lesson_stages()) EXPECT_EQ(shown({{"stage", stage.name}})["stage"], stage.name);
  for (const LessonName& page : lesson_pages()) EXPECT_EQ(shown({{"output", {{"page", page.name}}}})["output"]["page"], page.name);
}

}  // namespace
}  // namespace headlight
