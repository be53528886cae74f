// What the picker lists, and what choosing it does.
#include "app/document/files/kept_documents.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/environment.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
const fs::path kReference = fs::path(HEADLIGHT_TESTS_DIR) / "reference";

/// Assets with one built-in model, a cache with another, and a shelf of files that are none of these.
class ModelPickerLists : public testing::FrameTest {
 protected:
  void SetUp() override {
    copy_model("assets/models/story-gpt");
    copy_model("hub/models--tiny--gpt/snapshots/c1");
    copy_model("shelf/a-model");
    fs::copy(kReference / "gguf/tiny-llama-Q4_K_M.gguf", folder_ / "shelf/tiny.gguf");
    const std::vector<float> maps(8, 0.5F);
    write_safetensors(folder_ / "shelf/maps.safetensors", std::vector<TensorToWrite>{{"attention.0", {2, 2, 2}, maps}}, {});
    FrameTest::SetUp();
    open_picker();
  }
  void copy_model(const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy(kReference / "models/gpt2", folder_ / name, fs::copy_options::recursive);
  }
  void open_picker() {
    view.dialogs.model_picker = true;
    settle();
  }
  void choose(const std::string& label) {
    window.click(label);
    settle();
    EXPECT_FALSE(view.dialogs.model_picker);
    EXPECT_TRUE(view.notes.banner.empty()) << view.notes.banner;
  }
  void go_to_shelf() {
    window.click("Folder");
    window.key("ctrl+a");
    window.type((folder_ / "shelf").string());
    settle();
  }
  const std::string& chosen() const { return document().query.model.name; }
  testing::TemporaryFolder folder_;
  testing::OwnModelPlaces places_{folder_.path()};
};

TEST_F(ModelPickerLists, BuiltInModelsStandFirstAndKeepTheSentence) {
  const std::string text = document().query.text;
  EXPECT_LT(window.box_of("Choose story-gpt").y, window.box_of("Choose sandbox").y);
  choose("Choose story-gpt");
  EXPECT_EQ(chosen(), "story-gpt");
  EXPECT_EQ(snapshot()->model->config.family, "GPT-2");
  EXPECT_EQ(document().query.text, text);
  EXPECT_TRUE(dialogs.model_picker.recent_models.empty()) << "it is listed anyway";
  open_picker();
  choose("Choose sandbox");
  EXPECT_EQ(chosen(), "sandbox");
  EXPECT_EQ(document().query.text, text);
}

TEST_F(ModelPickerLists, ASentenceOfAModelsOwnComesAndGoesWithIt) {
  const std::string text = document().query.text;
  folder_.file("assets/models/story-gpt/card.json", R"({"version": 5, "text": "quick fox quick fox"})");
  view.pinned_query = TokenPlace{Side::text, 2};
  choose("Choose story-gpt");
  EXPECT_EQ(document().query.text, "quick fox quick fox");
  EXPECT_FALSE(view.pinned_query.has_value()) << "the row that was held is of another sentence";
  EXPECT_EQ(document().query.model.version, 5);
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(chosen(), "sandbox");
  EXPECT_EQ(document().query.text, text) << "one step back";
  window.key("ctrl+y");
  open_picker();
  choose("Choose sandbox");
  EXPECT_EQ(document().query.text, sandbox_document().query.text) << "its own sentence is not left behind";
}

TEST_F(ModelPickerLists, ChoosingAModelAgainMeansTheTrainingThatIsThere) {
  choose("Choose story-gpt");
  EXPECT_EQ(document().query.model.version, 1);
  folder_.file("assets/models/story-gpt/card.json", R"({"version": 5})");
  open_picker();
  choose("Choose story-gpt");
  EXPECT_EQ(document().query.model.version, 5);
  EXPECT_EQ(document().query.text, sandbox_document().query.text);
}

TEST_F(ModelPickerLists, AModelOfTheCacheIsChosenAndRememberedByItsId) {
  choose("Choose cached tiny/gpt");
  EXPECT_EQ(chosen(), "tiny/gpt");
  EXPECT_EQ(dialogs.model_picker.recent_models, std::vector<std::string>{"tiny/gpt"});
  open_picker();
  EXPECT_TRUE(window.has("Choose recent 0"));
  EXPECT_FALSE(window.has("Choose cached tiny/gpt"));
}

TEST_F(ModelPickerLists, DocumentsThatAreKeptAreListedAndOpenWithTheirHistoryBegunAnew) {
  const fs::path state = folder_ / "state";
  const auto keep = [&](const std::string& text, WallTime when) {
    Document kept = sandbox_document();
    kept.query.text = text;
    const fs::path place = make_kept_document(state, when);
    add_generation(place, document_text(kept), when);
    return place;
  };
  const WallTime now = wall_time();
  keep("an older document", now - std::chrono::hours(2));
  context.keeping.state_folder = state;
  context.keeping.document_folder = keep("the open one", now);
  view.dialogs.model_picker = false;
  settle();
  open_picker();
  EXPECT_TRUE(window.has("Choose document 0")) << "the open one, which is not opened again";
  window.click("Choose document 0");
  EXPECT_TRUE(view.dialogs.model_picker);
  choose("Choose document 1");
  EXPECT_EQ(document().query.text, "an older document");
  EXPECT_EQ(session.origin().parent_path().parent_path(), kept_documents_folder(state));
  EXPECT_FALSE(session.history().can_undo());
}

TEST_F(ModelPickerLists, NoDocumentsAreListedWhereNothingIsRemembered) {
  EXPECT_FALSE(window.has("Choose document 0"));
}

TEST_F(ModelPickerLists, GgufFilesAndMapsStandBesideFolders) {
  go_to_shelf();
  EXPECT_LT(window.box_of("folder 0").y, window.box_of("file maps.safetensors").y);
  choose("file tiny.gguf");
  EXPECT_EQ(snapshot()->model->config.family, "Llama");
  open_picker();
  choose("file maps.safetensors");
  EXPECT_TRUE(snapshot()->is_dump());
  EXPECT_EQ(dialogs.model_picker.recent_models.size(), 2U);
}

TEST_F(ModelPickerLists, AFileCanBeTyped) {
  window.click("Folder");
  window.key("ctrl+a");
  window.type((folder_ / "shelf/tiny.gguf").string());
  choose("Open");
  EXPECT_EQ(snapshot()->model->config.family, "Llama");
}

TEST_F(ModelPickerLists, ASnapshotOfTheCacheThatIsTypedIsKnownByItsId) {
  window.click("Folder");
  window.key("ctrl+a");
  window.type((folder_ / "hub/models--tiny--gpt/snapshots/c1").string());
  choose("Open");
  EXPECT_EQ(chosen(), "tiny/gpt");
}

TEST_F(ModelPickerLists, WhatADocumentMissesIsOfferedForDownload) {
  Document asking = document();
  asking.query.model.name = "tiny/dog";
  session.replace(asking);
  view.dialogs.model_picker = false;
  settle();
  EXPECT_NE(session.worker().status().error_message.find("headlight models get tiny/dog"), std::string::npos);
  open_picker();
  EXPECT_EQ(dialogs.model_picker.hub_id, "tiny/dog");
  copy_model("hub/models--tiny--dog/snapshots/c1");
  view.dialogs.model_picker = false;
  settle();
  open_picker();
  choose("Choose cached tiny/dog");
  EXPECT_EQ(snapshot()->query.model.name, "tiny/dog");
}

}  // namespace
}  // namespace headlight
