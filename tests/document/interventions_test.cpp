// Interventions in documents: written and read, undone, described, and refused where they cannot be read.
#include "app/document/fields/interventions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/document/document.h"
#include "app/document/history.h"
#include "app/document/subjects.h"
#include "engine/core/error.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

Document edited_document() {
  Document document;
  document.query.text = "The cat sat";
  add_intervention(document.query, parse_intervention("2.0=map:1.3"));
  add_intervention(document.query, parse_intervention("0.1,1=patch:\"The \\\"dog\\\" ran\"@0-1"));
  Intervention mean = parse_intervention("1.2=mean:\"a b.txt\"");
  mean.texts = std::make_shared<const TextSet>(TextSet{"a b.txt", {"one", "two three"}});
  add_intervention(document.query, mean);
  return document;
}

TEST(DocumentInterventions, AreReadBackAsTheyWereWritten) {
  const Document document = edited_document();
  const Json json = to_json(document);
  EXPECT_EQ(json["version"], 4) << "an earlier Headlight would overlook them";
  Json unknown;
  const Document read = document_from_json(json, "d.json", &unknown);
  EXPECT_EQ(read, document);
  EXPECT_EQ(read.query.interventions[2].texts->texts, (std::vector<std::string>{"one", "two three"}));
  EXPECT_EQ(unknown, Json::object());
  Document several = document;
  add_text(several, "another text");
  EXPECT_EQ(to_json(several)["version"], 4);
  EXPECT_EQ(document_from_json(to_json(several), "d.json"), several);
}

TEST(DocumentInterventions, ADocumentWithoutThemIsOneThatEarlierVersionsOpen) {
  Document document;
  EXPECT_LT(to_json(document)["version"], 4);
  EXPECT_FALSE(to_json(document)["query"].contains("interventions"));
  document.query.switched_off = {{0, 1}};
  EXPECT_EQ(to_json(document)["version"], 3);
}

TEST(DocumentInterventions, WhatCannotBeReadIsAnErrorOfInputThatNamesItsField) {
  const auto field = [](const char* pointer, const char* value) {
    Json json = to_json(edited_document());
    json[Json::json_pointer(pointer)] = Json::parse(value);
    const Error error = error_of([&] { document_from_json(json, "d.json"); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << pointer;
    return error.detail().field;
  };
  EXPECT_EQ(field("/query/interventions", "7"), "query.interventions");
  EXPECT_EQ(field("/query/interventions/0", "7"), "query.interventions[0]");
  EXPECT_EQ(field("/query/interventions/0/edit", "\"1.3=oof\""), "query.interventions[0].edit");
  EXPECT_EQ(field("/query/interventions/0/edit", "\"99999999999.3=off\""), "query.interventions[0].edit");
  EXPECT_EQ(field("/query/interventions/2/texts", "[]"), "query.interventions[2].texts");
  EXPECT_EQ(field("/query/interventions/2/texts", "[3]"), "query.interventions[2].texts");
}

TEST(DocumentInterventions, AddingAndTakingAwayIsTheIdentity) {
  Query query;
  query.switched_off = {{0, 1}};
  const Query before = query;
  for (const InterventionRow& row : intervention_rows()) {
    const Intervention made = parse_intervention(row.form);
    add_intervention(query, made);
    EXPECT_NE(query, before) << row.name;
    add_intervention(query, made);
    EXPECT_EQ(interventions_of(query).size(), row.kind == InterventionKind::off ? 1U : 2U) << "once, however often";
    remove_intervention(query, made);
    EXPECT_EQ(query, before) << row.name;
  }
  add_intervention(query, parse_intervention("1.2,0.0=off"));
  EXPECT_THAT(query.switched_off, ElementsAre(HeadId{0, 0}, HeadId{0, 1}, HeadId{1, 2})) << "single heads are with those switched off";
  EXPECT_EQ(describe_intervention(interventions_of(query).front()), "head 0.0, head 0.1, head 1.2 switched off");
  add_intervention(query, parse_intervention("3=off"));
  EXPECT_EQ(query.interventions.size(), 1U) << "how many heads a layer has is not known";
}

TEST(DocumentInterventions, AHeadIsToldWhatIsPutInItsPlace) {
  Query query;
  for (const char* edit : {"2.1=previous", "2.1,3.0=patch:\"The dog\"@6"}) query.interventions.push_back(parse_intervention(edit));
  query.interventions.push_back({.kind = InterventionKind::uniform, .heads = {{2, kWholeLayer}}});
  EXPECT_EQ(edits_in_words(query, {0, 0}), "");
  EXPECT_THAT(edits_in_words(query, {2, 1}), HasSubstr("looks at the previous token; "));
  EXPECT_THAT(edits_in_words(query, {2, 1}), HasSubstr("The dog"));
  EXPECT_EQ(edits_in_words(query, {2, 5}), "even map") << "all heads of its layer";
  EXPECT_THAT(edits_in_words(query, {3, 0}), ::testing::Not(HasSubstr("head")));
}

TEST(DocumentInterventions, AnEditIsOneStepOfUndoThatSaysWhatItDoes) {
  Document before, after;
  add_intervention(after.query, parse_intervention("2.0=map:1.3"));
  EXPECT_EQ(describe_change(before, after), "head 2.0: map of head 1.3");
  EXPECT_EQ(describe_change(after, before), "no longer head 2.0: map of head 1.3");
}

}  // namespace
}  // namespace headlight
