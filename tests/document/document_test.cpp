#include "app/document/document.h"

#include <gmock/gmock.h>

#include "app/document/subjects.h"
#include "tests/document/sample_document.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::read_document;
using testing::sample_document;
using testing::TemporaryFolder;

TEST(Document, ComesBackFromItsFileWithEveryField) {
  const TemporaryFolder folder;
  save_document(sample_document(), folder / "d.json");
  EXPECT_EQ(load_document(folder / "d.json"), sample_document());
  save_document(sandbox_document(), folder / "d.json");
  EXPECT_EQ(load_document(folder / "d.json"), sandbox_document());
}

TEST(Document, FloatsAreWrittenAsShortAsTheyRead) {
  EXPECT_EQ(to_json(sample_document())["query"]["score"]["temperature"].dump(), "0.7");
}

TEST(Document, OnlyFormatVersionAndQueryMustBeThere) {
  const Document document = read_document(Json::parse(R"({"format": "headlight-document", "version": 1, "query": {"text": "hi"}})"));
  Document expected;
  expected.query.text = std::string("hi");
  EXPECT_EQ(document, expected);
}

TEST(Document, UnknownFieldsSurviveASaveAtEveryDepth) {
  Json json = to_json(sample_document());
  json["author"] = "somebody";
  json["query"]["later"] = {1, 2};
  json["query"]["model"]["sandbox"]["later"] = nullptr;
  json["query"]["mask"][1]["note"] = "kept";
  json["style"]["later"] = {{"deep", true}};
  Json unknown;
  Document document = document_from_json(json, "d.json", &unknown);
  EXPECT_EQ(to_json(document, unknown), json);

  document.query.text = "edited";
  json["query"]["text"] = "edited";
  EXPECT_EQ(to_json(document, unknown), json);
}

TEST(Document, UnknownFieldsOfListItemsGoWhenTheListChangesItsLength) {
  Json json = to_json(sample_document());
  json["query"]["mask"][1]["note"] = "of the second rule";
  Json unknown;
  Document document = document_from_json(json, "d.json", &unknown);
  document.query.mask.rules.erase(document.query.mask.rules.begin());
  EXPECT_EQ(to_json(document, unknown), to_json(document));
}

TEST(Document, AHeadThatIsSwitchedOffIsReadUnderItsOldName) {
  Json json = to_json(sample_document());
  EXPECT_EQ(json["query"]["switched_off"], Json::parse("[[0, 1], [2, 3]]"));
  json["query"]["silenced"] = json["query"]["switched_off"];
  json["query"].erase("switched_off");
  Json unknown;
  const Document document = document_from_json(json, "d.json", &unknown);
  EXPECT_EQ(document, sample_document());
  EXPECT_EQ(to_json(document, unknown), to_json(sample_document())) << "written under the new name alone";
}

TEST(Document, ADrawnMapIsReadUnderItsOldName) {
  Document document;
  document.drawn_map = {{1, 2}, {{0, 3, 1, 2, true}}, 40};
  Document with_others = document;
  add_text(with_others, "another text");
  for (const Document& each : {document, with_others}) {
    Json json = to_json(each);
    EXPECT_EQ(json["version"], 3) << "earlier versions would overlook it";
    for (Json* owner : each.others.empty() ? std::vector{&json} : std::vector{&json["subjects"][0], &json["subjects"][1]}) {
      if (!owner->contains("drawn_map")) continue;
      Json drawn = (*owner)["drawn_map"];
      drawn["taught_steps"] = drawn["training_steps"];
      drawn.erase("training_steps");
      (*owner)["wish"] = drawn;
      owner->erase("drawn_map");
    }
    EXPECT_NE(json.dump().find("taught_steps"), std::string::npos);
    Json unknown;
    EXPECT_EQ(document_from_json(json, "d.json", &unknown), each);
    EXPECT_EQ(to_json(each, unknown), to_json(each)) << "written under the new name alone";
  }
}

TEST(Document, OneWithAHeadSwitchedOffIsRefusedByVersionsThatWouldOverlookIt) {
  Document document;
  document.query.switched_off = {{0, 1}};
  const Json json = to_json(document);
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(document_from_json(json, "d.json"), document);
}

TEST(Document, ADocumentWithoutUnknownFieldsHasNone) {
  Json unknown = "to be replaced";
  document_from_json(to_json(sample_document()), "d.json", &unknown);
  EXPECT_EQ(unknown, Json::object());
}

TEST(Document, ALaterVersionIsRefusedNamingBoth) {
  Json json = to_json(sample_document());
  json["version"] = 999;
  const Error error = error_of([&] { read_document(json); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.detail().field, "version");
  EXPECT_THAT(error.message(), HasSubstr("999"));
  EXPECT_THAT(error.message(), HasSubstr("version " + std::to_string(kDocumentVersion)));
}

struct BadValue {
  const char* pointer;  // JSON pointer to the field that is set …
  const char* value;    // … to this
  const char* field;    // what the error must name
};

TEST(Document, EveryBadValueIsAnErrorOfInputThatNamesItsField) {
  const std::vector<BadValue> bad = {
      {"/format", "\"attention-session\"", "format"},
      {"/format", "7", "format"},
      {"/version", "\"1\"", "version"},
      {"/version", "0", "version"},
      {"/version", "1.5", "version"},
      {"/version", "-1", "version"},
      {"/query", "[]", "query"},
      {"/query/text", "7", "query.text"},
      {"/query/text_pair", "[]", "query.text_pair"},
      {"/query/ids", "7", "query.ids"},
      {"/query/ids/1", "-1", "query.ids[1]"},
      {"/query/ids/1", "1.5", "query.ids[1]"},
      {"/query/ids/1", "18446744073709551615", "query.ids[1]"},
      {"/query/heads", "0", "query.heads"},
      {"/query/heads", "1e300", "query.heads"},
      {"/query/model/name", "\"https://example.org/model\"", "query.model.name"},
      {"/query/model/name", "\"\"", "query.model.name"},
      {"/query/model/sandbox/layers", "0", "query.model.sandbox.layers"},
      {"/query/model/sandbox/d_model", "-4", "query.model.sandbox.d_model"},
      {"/query/model/sandbox/positions", "\"rotating\"", "query.model.sandbox.positions"},
      {"/query/model/sandbox/is_causal", "1", "query.model.sandbox.is_causal"},
      {"/query/model/sandbox/kind", "\"decoder\"", "query.model.sandbox.kind"},
      {"/query/model/sandbox/gain", "-1", "query.model.sandbox.gain"},
      {"/query/model/sandbox/rotary/theta", "0", "query.model.sandbox.rotary.theta"},
      {"/query/model/sandbox/edits/0/at", "[0, -1]", "query.model.sandbox.edits[0].at[1]"},
      {"/query/model/sandbox/edits/0/values/0", "\"1\"", "query.model.sandbox.edits[0].values"},
      {"/query/kv_heads", "0", "query.kv_heads"},
      {"/query/mask_reach", "\"far\"", "query.mask_reach"},
      {"/query/score/kind", "\"dott\"", "query.score.kind"},
      {"/query/score/softcap", "-1", "query.score.softcap"},
      {"/query/block/has_biases", "1", "query.block.has_biases"},
      {"/query/model/sandbox/unit", "\"letters\"", "query.model.sandbox.unit"},
      {"/query/model/sandbox/seed", "-1", "query.model.sandbox.seed"},
      {"/query/mask", "{}", "query.mask"},
      {"/query/mask/0", "7", "query.mask[0]"},
      {"/query/mask/0/text", "\"causal +\"", "query.mask[0].text"},
      {"/query/mask/1/scope/kind", "\"some\"", "query.mask[1].scope.kind"},
      {"/query/mask/1/scope/layer", "-1", "query.mask[1].scope.layer"},
      {"/query/mask/2/scope/head", "\"5\"", "query.mask[2].scope.head"},
      {"/query/mask/0/strokes/1/keys", "[0]", "query.mask[0].strokes[1].keys"},
      {"/query/mask/0/strokes/1/keys/1", "2147483648", "query.mask[0].strokes[1].keys[1]"},
      {"/query/score/temperature", "0", "query.score.temperature"},
      {"/query/score/temperature", "1e308", "query.score.temperature"},
      {"/query/switched_off/0", "[0, 1, 2]", "query.switched_off[0]"},
      {"/target", "\"lost\"", "target"},
      {"/target", "7", "target"},
      {"/style/theme", "\"sepia\"", "style.theme"},
      {"/style/colours", "\"jet\"", "style.colours"},
      {"/style/gamma", "-1", "style.gamma"},
      {"/style/range", "\"auto\"", "style.range"},
      {"/style/fixed_high", "\"1\"", "style.fixed_high"},
      {"/pins", "\"0.1\"", "pins"},
      {"/pins/0", "[0, -1]", "pins[0][1]"},
  };
  for (const BadValue& each : bad) {
    SCOPED_TRACE(std::string(each.pointer) + " = " + each.value);
    Json json = to_json(sample_document());
    json[Json::json_pointer(each.pointer)] = Json::parse(each.value);
    const Error error = error_of([&] { read_document(json); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.detail().field, each.field);
    EXPECT_EQ(error.detail().file, "d.json");
  }
}

TEST(Document, EveryTruncationIsRefused) {
  const TemporaryFolder folder;
  const std::string whole = to_json(sample_document()).dump();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const auto path = folder.file("d.json", std::string_view(whole).substr(0, bytes));
    EXPECT_EQ(error_of([&] { load_document(path); }).kind(), ErrorKind::input) << bytes << " bytes";
  }
}

std::string in_utf16(const std::string& ascii) {
  std::string result = "\xff\xfe";
  for (const char character : ascii) result.append(1, character).append(1, '\0');
  return result;
}

TEST(Document, DamagedFilesAreRefusedAndLeftAsTheyAre) {
  const TemporaryFolder folder;
  const std::string good = to_json(sandbox_document()).dump();
  std::string half_zero = good;
  std::fill(half_zero.begin() + static_cast<std::ptrdiff_t>(good.size() / 2), half_zero.end(), '\0');
  const std::vector<std::string> damaged = {
      "",
      "[]",
      half_zero,
      good + good,
      in_utf16(good),
      std::string(100'000, '[') + std::string(100'000, ']'),
      std::string(200'000, '['),
      R"({"format": "headlight-document", "version": 1, "query": {"text": "\ud83d"}})",
      R"({"format": "headlight-document", "version": 1, "query": {"text": "a", "text": "b"}})",
      R"({"format": "headlight-document", "version": 1, "query": {"text": "a", "score": {"temperature": NaN}}})",
      R"({"format": "headlight-document", "version": 1, "query": {"text": "a"}},)",
  };
  for (const std::string& bytes : damaged) {
    SCOPED_TRACE(printable(bytes, 80));
    const auto path = folder.file("d.json", bytes);
    EXPECT_EQ(error_of([&] { load_document(path); }).kind(), ErrorKind::input);
    EXPECT_EQ(testing::bytes_of(path), bytes);
  }
}

TEST(Document, BrokenBytesInTheSentenceDoNotBreakTheFile) {
  const TemporaryFolder folder;
  Document document = sandbox_document();
  document.query.text = "cut \xf0\x9f";
  save_document(document, folder / "d.json");
  EXPECT_EQ(load_document(folder / "d.json").query.text, "cut \xEF\xBF\xBD");
}

TEST(Document, ASaveThatFailsLeavesTheOldFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { save_document(sandbox_document(), folder / "missing/d.json"); }).kind(), ErrorKind::write);
}

TEST(Document, AScopeOfAStackComesBackAndMakesTheFileOneOfVersionTwo) {
  Document document;
  EXPECT_EQ(to_json(document)["version"], 1) << "an earlier Headlight opens it";
  document.query.mask.rules = {{{Scope::Kind::stack, {}, Stack::cross}, "window:4", {}}};
  const Json json = to_json(document);
  EXPECT_EQ(json["version"], 2);
  EXPECT_EQ(document_from_json(json, "d.json"), document);
  Json broken = json;
  broken["query"]["mask"][0]["scope"]["stack"] = "layer";
  EXPECT_THROW(document_from_json(broken, "d.json"), Error);
  broken["query"]["mask"][0]["scope"].erase("stack");
  EXPECT_THROW(document_from_json(broken, "d.json"), Error);
}

}  // namespace
}  // namespace headlight
