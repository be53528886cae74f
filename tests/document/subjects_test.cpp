#include "app/document/subjects.h"

#include <gmock/gmock.h>

#include "app/document/history.h"
#include "tests/document/sample_document.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::read_document;
using testing::sample_document;

/// Three texts, the second in front, a baseline, a frozen pin of the first, and a live pin of each.
Document several() {
  Document document = sample_document();
  document.pins = {{{0, 1}}, {{0, 2}}};
  freeze_pin(document, 1);
  add_text(document, "the second");
  set_baseline(document);
  document.query.mask.rules.clear();
  toggle_pin(document, {1, 1});
  const int second = document.focused;
  add_text(document, "the third");
  toggle_pin(document, {2, 2});
  document.drawn_map = {{0, 0}, {{0, 1, 0, 1, true}}, 3};
  focus(document, second);
  return document;
}

std::string text_in(const Document& document, int id) {
  return query_of(document, id)->text;
}

TEST(Subjects, AreCountedFromOneInTheOrderInWhichTheyWereAdded) {
  const Document document = several();
  EXPECT_THAT(texts_of(document), ElementsAre(1, 3, 5));
  EXPECT_EQ(subject_name(document, 5), "text 3");
  EXPECT_EQ(subject_name(document, *document.baseline), "before");
  EXPECT_EQ(subject_name(document, 2), "frozen");
  EXPECT_EQ(text_number(document, 2), 0);
  EXPECT_EQ(query_of(document, 9), nullptr);
}

TEST(Subjects, FocusBringsQueryAndDrawnMapToTheFrontAndBackAgain) {
  Document document = several();
  const Document before = document;
  focus(document, 5);
  EXPECT_EQ(document.query.text, "the third");
  EXPECT_EQ(document.drawn_map.training_steps, 3);
  EXPECT_EQ(text_in(document, 3), "the second");
  focus(document, 3);
  EXPECT_EQ(document, before);
  focus(document, *document.baseline);
  EXPECT_EQ(document, before) << "what is frozen cannot be edited";
  focus(document, 77);
  EXPECT_EQ(document, before);
}

TEST(Subjects, AnAddedTextHasTheEditsOfTheOneInFront) {
  Document document = sample_document();
  const int id = add_text(document, "another");
  EXPECT_EQ(document.focused, id);
  Query expected = sample_document().query;
  expected.text = "another";
  expected.ids.clear();
  EXPECT_EQ(document.query, expected);
  EXPECT_EQ(document.drawn_map, DrawnMap{}) << "its cells are those of the first text";
  EXPECT_EQ(*query_of(document, 1), sample_document().query);
}

TEST(Subjects, AreLimitedSayingSo) {
  Document document;
  for (std::size_t text = 1; text < kMostTexts; ++text) {
    EXPECT_THAT(why_no_more_texts(document), IsEmpty());
    add_text(document, "x");
  }
  EXPECT_THAT(why_no_more_texts(document), HasSubstr("at most 4 texts"));
  const Document full = document;
  EXPECT_EQ(error_of([&] { add_text(document, "x"); }).kind(), ErrorKind::limit);
  EXPECT_EQ(document, full);
  for (int head = 0; head < 5; ++head) {
    toggle_pin(document, {0, head});
    document.query.score.temperature = static_cast<float>(head + 2);
    const auto place = static_cast<std::size_t>(head);
    if (head < 4) {
      EXPECT_THAT(why_not_frozen(document, place), IsEmpty());
      freeze_pin(document, place);
    } else {
      EXPECT_THAT(why_not_frozen(document, place), HasSubstr("at most 4 frozen"));
      const Error error = error_of([&] { freeze_pin(document, place); });
      EXPECT_EQ(error.kind(), ErrorKind::limit);
      EXPECT_THAT(error.message(), HasSubstr("Unfreeze"));
    }
  }
}

TEST(Subjects, ARemovedTextTakesItsPinsAlongAndTheOneBeforeItComesToTheFront) {
  Document document = several();
  remove_subject(document, document.focused);
  EXPECT_EQ(document.focused, 1);
  EXPECT_EQ(document.query.text, sample_document().query.text);
  for (const Pin& pin : document.pins) EXPECT_NE(query_of(document, pin.subject), nullptr);
  EXPECT_EQ(document.pins.size(), 3U);
  remove_subject(document, 1);
  EXPECT_EQ(document.query.text, "the third");
  const Document last = document;
  remove_subject(document, document.focused);
  EXPECT_EQ(document, last) << "the last text stays";
}

TEST(Baseline, IsAFrozenCopyThatEditsDoNotReach) {
  Document document = sample_document();
  const Query before = document.query;
  set_baseline(document);
  document.query.text = "now";
  EXPECT_EQ(*query_of(document, *document.baseline), before);
  set_baseline(document);
  EXPECT_EQ(query_of(document, *document.baseline)->text, "now");
  EXPECT_EQ(document.others.size(), 1U) << "the one before was let go";
  clear_baseline(document);
  EXPECT_FALSE(document.baseline);
  EXPECT_THAT(document.others, IsEmpty());
}

TEST(Baseline, CanAlwaysBeSetAnew) {
  Document document;
  for (int head = 0; head < 3; ++head) {
    toggle_pin(document, {0, head});
    document.query.score.temperature = static_cast<float>(head + 2);
    freeze_pin(document, static_cast<std::size_t>(head));
  }
  for (const char* text : {"a", "b", "c"}) {
    document.query.text = text;
    set_baseline(document);
    EXPECT_EQ(query_of(document, *document.baseline)->text, text);
  }
}

TEST(FrozenPin, SharesAnEqualFrozenSubjectAndLetsItGoWithTheLast) {
  Document document = sample_document();
  freeze_pin(document, 0);
  freeze_pin(document, 1);
  EXPECT_EQ(document.others.size(), 1U);
  EXPECT_TRUE(is_frozen(document, document.pins[0].subject));
  unfreeze_pin(document, 0);
  EXPECT_EQ(document.pins[0], (Pin{{2, 1}}));
  unpin(document, 1);
  EXPECT_THAT(document.others, IsEmpty());
}

TEST(FrozenPin, GoesBackToTheTextThatItCameFrom) {
  Document document = sample_document();
  freeze_pin(document, 0);
  add_text(document, "another");
  unfreeze_pin(document, 0);
  EXPECT_EQ(document.pins[0], (Pin{{2, 1}, 1}));
}

TEST(FrozenPin, NeverStandsBesideItsEqual) {
  Document document = sample_document();
  freeze_pin(document, 0);
  toggle_pin(document, {2, 1});
  const std::size_t live = document.pins.size() - 1;
  const Document both = document;
  freeze_pin(document, live);
  EXPECT_EQ(document.pins.size(), both.pins.size() - 1);
  document = both;
  unfreeze_pin(document, 0);
  EXPECT_EQ(document.pins.size(), both.pins.size() - 1);
  EXPECT_THAT(document.others, IsEmpty());
}

// The file

TEST(SubjectsFile, SeveralSubjectsComeBackWithPinsBaselineAndFocus) {
  const Document document = several();
  const Json json = to_json(document);
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["focused"], 3);
  EXPECT_EQ(json["subjects"].size(), 5U);
  EXPECT_EQ(json["pins"][0], Json::parse("[0, 1]"));
  EXPECT_EQ(json["pins"][2], Json::parse("[1, 1, 3]"));
  EXPECT_FALSE(json.contains("query"));
  EXPECT_EQ(read_document(json), document);
}

// A file of the version before, written out: its bytes must not change.
TEST(SubjectsFile, OneSubjectIsWrittenAsItEverWas) {
  Document document;
  document.query.text = "hi";
  document.pins = {{{2, 1}}};
  const Json json = to_json(document);
  EXPECT_EQ(json["version"], 1);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("format", "pins", "query", "style", "version"));
  EXPECT_EQ(json["pins"].dump(), "[[2,1]]");

  Document left_alone = document;
  add_text(left_alone, "hi");
  toggle_pin(left_alone, {2, 1});
  remove_subject(left_alone, 1);
  EXPECT_EQ(to_json(left_alone), json) << "whatever was beside it, and whatever its id";
  EXPECT_EQ(read_document(to_json(left_alone)), document);
}

TEST(SubjectsFile, UnknownFieldsOfSubjectsSurvive) {
  Json json = to_json(several());
  json["author"] = "somebody";
  json["subjects"][1]["note"] = "kept";
  json["subjects"][2]["query"]["later"] = 7;
  Json unknown;
  const Document document = document_from_json(json, "d.json", &unknown);
  EXPECT_EQ(to_json(document, unknown), json);
}

TEST(SubjectsFile, NeverHoldsTheFieldsOfBothForms) {
  Json json = to_json(sample_document());
  json["query"]["later"] = 7;
  json["focused"] = "a field of somebody else's";
  Json unknown;
  Document document = document_from_json(json, "d.json", &unknown);
  EXPECT_EQ(read_document(to_json(document, unknown)), document);
  add_text(document, "another");
  EXPECT_FALSE(to_json(document, unknown).contains("query"));
  EXPECT_EQ(read_document(to_json(document, unknown)), document);
}

TEST(SubjectsFile, WhatNamesNoSubjectIsRefusedWithItsPlace) {
  struct Bad {
    const char* pointer;
    const char* value;
    const char* field;
  };
  const std::vector<Bad> bad = {
      {"/subjects", "[]", "focused"},
      {"/subjects", "{}", "subjects"},
      {"/subjects/0/id", "0", "subjects[0].id"},
      {"/subjects/0/id", "1.5", "subjects[0].id"},
      {"/subjects/1/id", "1", "subjects[1].id"},
      {"/subjects/1/id", "9", "subjects[2].id"},
      {"/subjects/1/query", "[]", "subjects[1].query"},
      {"/subjects/1/query/text", "7", "subjects[1].query.text"},
      {"/subjects/1/is_frozen", "1", "subjects[1].is_frozen"},
      {"/subjects/4/is_frozen", "\"no\"", "subjects[4].is_frozen"},
      {"/focused", "77", "focused"},
      {"/focused", "2", "focused"},
      {"/focused", "null", "focused"},
      {"/baseline", "1", "baseline"},
      {"/baseline", "77", "baseline"},
      {"/pins/0", "[0, 1, 77]", "pins[0]"},
      {"/pins/0", "[0, 1, 0]", "pins[0][2]"},
      {"/pins/0", "[0, 1, 2, 3]", "pins[0]"},
  };
  for (const Bad& each : bad) {
    SCOPED_TRACE(std::string(each.pointer) + " = " + each.value);
    Json json = to_json(several());
    json[Json::json_pointer(each.pointer)] = Json::parse(each.value);
    const Error error = error_of([&] { read_document(json); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.detail().field, each.field);
  }
  Json crowded = to_json(several());
  for (int id = 10; id < 14; ++id) {
    crowded["subjects"].push_back(crowded["subjects"][0]);
    crowded["subjects"].back()["id"] = id;
  }
  EXPECT_THAT(error_of([&] { read_document(crowded); }).message(), HasSubstr("at most 4"));
}

TEST(SubjectsFile, EveryTruncationIsRefused) {
  const testing::TemporaryFolder folder;
  const std::string whole = to_json(several()).dump();
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 7) {
    const auto path = folder.file("d.json", std::string_view(whole).substr(0, bytes));
    EXPECT_EQ(error_of([&] { load_document(path); }).kind(), ErrorKind::input) << bytes << " bytes";
  }
}

// The history

TEST(DescribeSubjects, EveryStepHasItsWords) {
  const auto change = [](Document before, auto edit) {
    Document after = before;
    edit(after);
    return describe_change(before, after);
  };
  const Document one = sandbox_document();
  Document two = one;
  add_text(two, "another");
  Document pinned = two;
  toggle_pin(pinned, {0, 3});
  Document frozen = pinned;
  freeze_pin(frozen, 0);
  Document with_baseline = one;
  set_baseline(with_baseline);
  EXPECT_EQ(describe_change(one, two), "text 2 added");
  EXPECT_EQ(change(two, [](Document& d) { remove_subject(d, 1); }), "text 1 closed");
  EXPECT_EQ(change(pinned, [](Document& d) { remove_subject(d, d.focused); }), "text 2 closed");
  EXPECT_EQ(change(two, [](Document& d) { focus(d, 1); }), "go to text 1");
  EXPECT_EQ(change(two, [](Document& d) { d.query.text += "!"; }), "text");
  EXPECT_EQ(describe_change(two, pinned), "pin layer 0 head 3 of text 2");
  EXPECT_EQ(describe_change(pinned, frozen), "freeze layer 0 head 3 of text 2");
  EXPECT_EQ(describe_change(frozen, pinned), "unfreeze layer 0 head 3 of text 2");
  EXPECT_EQ(change(frozen, [](Document& d) { unpin(d, 0); }), "unpin layer 0 head 3");
  EXPECT_EQ(describe_change(one, with_baseline), "baseline set");
  EXPECT_EQ(describe_change(with_baseline, one), "baseline cleared");
  EXPECT_EQ(change(with_baseline,
                   [](Document& d) {
                     d.query.text = "x";
                     set_baseline(d);
                   }),
            "baseline set, text");
}

}  // namespace
}  // namespace headlight
