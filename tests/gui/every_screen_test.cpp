// Every view, panel and dialog on every screen that the program is made for: no two texts lie over each other, none is cut off.
#include <fmt/core.h>

#include "app/gui/shell/layout.h"
#include "app/session/file_watch.h"
#include "tests/gui/frame_fixture.h"
#include "tests/gui/text_layout.h"

namespace headlight {
namespace {

struct Screen {
  float width, height, scale;
};
constexpr std::array<Screen, 9> kScreens{{{800, 500, 1},
                                          {1024, 768, 1},
                                          {1280, 800, 1},
                                          {1600, 1000, 0.75F},
                                          {1600, 1000, 1},
                                          {1920, 1080, 2},
                                          {2560, 1440, 1},
                                          {2560, 1440, 2},
                                          {3840, 2160, 3}}};

class EveryScreen : public testing::FrameTest, public ::testing::WithParamInterface<Screen> {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
    const Screen& screen = GetParam();
    window.fonts.scale = screen.scale;
    apply_theme(Theme::dark, screen.scale);
    window.resize({screen.width, screen.height});
    window.hover(ImVec2(1, 1));
    settle();
  }
  float points(float pixels) const { return pixels / GetParam().scale; }
  void expect_readable(const std::string& what) {
    window.frame(2);
    expect_readable(what, window.items.texts());
  }
  /// Of a text that the strip scrolls through sideways: all but the strip.
  void expect_readable_beside_strip(const std::string& what) {
    window.frame(2);
    std::vector<DrawnText> texts = window.items.texts();
    std::erase_if(texts, [](const DrawnText& text) { return text.window.starts_with("Token strip"); });
    expect_readable(what, texts);
  }
  void expect_readable(const std::string& what, const std::vector<DrawnText>& texts) {
    for (const std::string& problem : testing::layout_problems(texts, GetParam().scale)) ADD_FAILURE() << what << ": " << problem;
  }
  void expect_every_view_readable(const std::string& what) {
    for (const ViewRow& row : all_views()) {
      show(row.view);
      expect_readable(what + ", " + row.title);
    }
  }
};

std::string name_of(const ::testing::TestParamInfo<Screen>& screen) {
  return fmt::format("{:.0f}x{:.0f}at{:.0f}percent", screen.param.width, screen.param.height, 100 * screen.param.scale);
}
INSTANTIATE_TEST_SUITE_P(Sizes, EveryScreen, ::testing::ValuesIn(kScreens), name_of);

TEST_P(EveryScreen, ViewsOfASentence) {
  expect_every_view_readable("a sentence");
  for (const char* text : {"Hi", "Donaudampfschifffahrtsgesellschaftskapitän antidisestablishmentarianism", ""}) {
    say(text);
    expect_every_view_readable(text);
  }
}

TEST_P(EveryScreen, AnyScript) {
  for (const char* text : {"القطة جلست على السجادة", "क्षत्रिय नमस्ते สวัสดี 猫坐", "👩‍👩‍👧‍👦 👍🏽 e\u0301 ❤\uFE0F",
                           "החתול ישב על the mat 123"}) {
    say(text);
    expect_every_view_readable(text);
  }
  show(View::head);
  window.click(window.cell_of("map", {5, 2}));
  window.hover(window.cell_of("map", {5, 3}));
  expect_readable("a cell of words that are shaped");
}

TEST_P(EveryScreen, TheQuestionBeforeALongPaste) {
  ImGui::SetClipboardText(std::string(1'000'000, 'a').c_str());
  window.click("Sentence");
  window.key("ctrl+v");
  EXPECT_TRUE(window.has("Paste nothing"));
  expect_readable("a long paste");
}

TEST_P(EveryScreen, ACellAndItsRow) {
  show(View::head);
  window.hover(window.cell_of("map", {5, 2}));
  expect_readable("a cell under the pointer");
  window.click(window.cell_of("map", {5, 2}));
  window.hover(ImVec2(1, 1));
  expect_every_view_readable("a row that is kept");
}

TEST_P(EveryScreen, ALongTextWithARowThatIsKept) {
  std::string text;
  for (int word = 0; word < 200; ++word) text += (word > 0 ? " follow" : "follow") + std::to_string(word % 7);
  say(text);
  ASSERT_GT(snapshot()->tokens(), 190);
  expect_every_view_readable("a long text");
  view.pinned_query = TokenPlace{Side::text, 150};
  expect_every_view_readable("row 150 is kept");
  show(View::head);
  window.hover(window.cell_of("map", {180, 40}));
  expect_readable("a cell far down");
  view.head_page.zoom = {100, 120, 90, 110};
  expect_readable("zoomed");
}

TEST_P(EveryScreen, TheContextMenu) {
  show(View::head);
  window.feed.click(window.cell_of("map", {5, 2}), ImGuiMouseButton_Right);
  window.play();
  ASSERT_TRUE(window.has("Explain this"));
  expect_readable("the menu of a cell");
  window.click("Explain this");
  ASSERT_TRUE(window.has("Explained"));
  expect_readable("a cell explained");
  window.key("escape");
  window.right_click("token 4");
  expect_readable("the menu of a token");
  window.click("Explain this");
  expect_readable("a token explained");
  window.key("escape");
  show(View::overview);
  window.right_click("head 0.1");
  expect_readable("the menu of a head");
}

TEST_P(EveryScreen, RailsInEveryForm) {
  for (const Fold left : {Fold::open, Fold::folded}) {
    for (const Fold right : {Fold::open, Fold::folded}) {
      view.shell.left = left, view.shell.right = right;
      for (const View which : {View::overview, View::head}) {
        show(which);
        expect_readable(fmt::format("left {}, right {}", static_cast<int>(left), static_cast<int>(right)));
      }
    }
  }
  view.shell.is_presenting = true;
  expect_every_view_readable("presenting");
}

TEST_P(EveryScreen, SectionsOfTheFoldedRail) {
  view.shell.left = Fold::folded;
  show(View::head);
  for (const char* name : {"Heads", "Mask", "Score", "Block", "Display", "Sandbox", "Train a head", "Edits"}) {
    const bool is_in_stub = window.has(name);
    window.click(is_in_stub ? name : "More sections");
    if (!is_in_stub) window.click(name);
    expect_readable(name);
    EXPECT_TRUE(window.has("Keep open")) << name;
    window.key("escape");
  }
}

TEST_P(EveryScreen, ManyHeads) {
  Document many = document();
  many.query.model.sandbox.layers = 12;
  many.query.model.sandbox.heads = 12;
  many.query.model.sandbox.d_model = 144;
  session.apply(many, false, false);
  settle();
  expect_readable("144 heads");
}

TEST_P(EveryScreen, Compare) {
  show(View::head);
  for (int head = 0; head < 3; ++head) {
    view.head = {1, head};
    window.key("space");
  }
  show(View::compare);
  expect_readable("three cards");
}

TEST_P(EveryScreen, Links) {
  const auto expect_links_readable = [&](const std::string& what) {
    for (const LinksPage::Heads which : {LinksPage::Heads::layer, LinksPage::Heads::all}) {
      for (const bool has_arcs : {false, true}) {
        view.links.which = which, view.links.has_arcs = has_arcs;
        settle();
        expect_readable(fmt::format("{}, heads {}, arcs {}", what, static_cast<int>(which), has_arcs));
      }
    }
  };
  show(View::links);
  expect_links_readable("links of a sentence");
  for (const Fold band : {Fold::open, Fold::folded}) {
    view.links.band = band;
    window.hover("link query 0");
    expect_links_readable(fmt::format("a token under the pointer, text {}", static_cast<int>(band)));
  }
  view.links.band = Fold::by_room;
  view.pinned_query = TokenPlace{Side::text, 4};
  view.links.filter.rule = LinkRule::top;
  expect_links_readable("a row that is kept");
  say("Donaudampfschifffahrtsgesellschaftskapitän antidisestablishmentarianism is it");
  expect_links_readable("long words");
}

TEST_P(EveryScreen, LinksOfAPairAndAcrossTwoTexts) {
  Document pair = document();
  pair.query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/bert-mlm";
  pair.query.text = "the cat sat";
  pair.query.text_pair = "a dog ran";
  session.apply(pair, false, false);
  show(View::links);
  expect_readable("links of a pair");
  Document cross = sandbox_document();
  cross.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
  cross.query.text = "The cat sat on the mat";
  cross.query.decoder_text = "Die Katze sass da";
  session.apply(cross, false, false);
  settle();
  view.head = {3, 1};
  settle();
  expect_readable("links across two texts");
}

TEST_P(EveryScreen, EveryStepInside) {
  const auto expect_steps = [&](const std::string& what) {
    for (int step = 1; step <= kInsideSteps; ++step) {
      view.inside.moment = end_of_step(step);
      expect_readable(fmt::format("{}, step {}", what, step));
    }
  };
  show(View::inside);
  expect_steps("a sentence");
  view.inside.ringed = InsideNumber{InsideValue::weight, 2};
  view.inside.moment = {InsideStep::products, 0.4F};
  expect_readable("half of the products");
  Document next = document();
  SandboxSpec& sandbox = next.query.model.sandbox;
  sandbox.positions = PositionKind::alibi;
  sandbox.kv_heads = 2;
  next.query.score.sink = 1.0F;
  next.query.score.softcap = 3.0F;
  session.apply(next, false, false);
  settle();
  expect_steps("soft-cap, bias and a sink");
  std::string text;
  for (int word = 0; word < 150; ++word) text += "word" + std::to_string(word % 31) + " ";
  say(text);
  for (int step = 1; step <= kInsideSteps; ++step) {
    view.inside.moment = end_of_step(step);
    expect_readable_beside_strip(fmt::format("a long text, step {}", step));
  }
}

TEST_P(EveryScreen, Labs) {
  show(View::lab);
  for (const Lab& lab : {Lab::attempts, Lab::mask_fills, Lab::scaling, Lab::dropout, Lab::head_cost, Lab::toy_run, Lab::concatenation}) {
    view.labs.lab = lab;
    settle();
    expect_readable(std::string(lab.name));
  }
}

TEST_P(EveryScreen, Dialogs) {
  const auto open = [&](const char* name, bool OpenDialogs::*dialog) {
    view.dialogs.*dialog = true;
    settle();
    expect_readable(name);
    view.dialogs.*dialog = false;
    window.frame(2);
  };
  open("models", &OpenDialogs::model_picker);
  open("a document to open", &OpenDialogs::document_open);
  open("a document to save", &OpenDialogs::document_save);
  open("export", &OpenDialogs::figure_export);
  open("help", &OpenDialogs::help);
  open("card", &OpenDialogs::model_card);
  open("mask file", &OpenDialogs::mask_file);
  open("parameters", &OpenDialogs::parameters);
  open("settings", &OpenDialogs::settings);
}

TEST_P(EveryScreen, TheCommandPalette) {
  window.key("ctrl+p");
  expect_readable("commands");
  window.type("head");
  expect_readable("heads");
  for (int letter = 0; letter < 4; ++letter) window.key("backspace");
  window.type("zzzz");
  expect_readable("nothing that fits");
}

TEST_P(EveryScreen, NotesThatOfferSomething) {
  const testing::TemporaryFolder folder;
  FileWatch watch({}, std::chrono::milliseconds(0));
  context.file_watch = &watch;
  const std::filesystem::path file = folder / "a document with a rather long name.headlight.json";
  session.save(file);
  settle();
  watch.look_now();
  Document theirs = document();
  theirs.query.text = "another";
  save_document(theirs, file);
  watch.look_now(), watch.look_now();
  expect_every_view_readable("a file that changed on disk");
  context.file_watch = nullptr;
  view.notes.changed_files.clear();
  Document next = document_of_model("story-gpt");
  next.query.text = "Der Hund läuft über die Straße und bellt.";
  session.apply(next, false, false);
  settle();
  EXPECT_TRUE(window.has("Close Unfamiliar words"));
  show(View::head);
  expect_readable("words that the model does not know");
  next = document_of_model("story-bert");
  next.query.text = "I am going to deposit my money at the bank";
  session.apply(next, false, false);
  settle();
  EXPECT_TRUE(window.has("Close Relation heads"));
  expect_readable("heads that follow relations");
}

TEST_P(EveryScreen, FrameTimeAndMemory) {
  view.shell.shows_cost = true;
  expect_readable("frame time and memory");
}

TEST_P(EveryScreen, NotesLieOverAViewAndMoveNothingInIt) {
  for (const View which : {View::overview, View::head, View::compare}) {
    show(which);
    view.notes.is_random_closed = true;
    window.frame(2);
    const auto maps = [&] {
      std::vector<Box> boxes;
      for (const DrawnItem& item : window.items.items()) {
        if (item.label == "map" || item.label.starts_with("head ")) boxes.push_back(item.box);
      }
      return boxes;
    };
    const std::vector<Box> before = maps();
    view.notes.is_random_closed = false;
    view.notes.banner =
        "The file notes.headlight.json cannot be read: line 3 has no number where one is expected, found \"many\". Save it "
        "anew from the program that wrote it, or open another one. The document you had open stays open.";
    view.notes.offered_document = "/nowhere/last.headlight.json";
    expect_readable("notes over " + std::string(which.name));
    EXPECT_EQ(maps(), before) << which.name;
    EXPECT_TRUE(window.has("Close Refusal")) << "in sight";
    view.notes = {};
  }
}

TEST_P(EveryScreen, ABaselineAndSeveralTexts) {
  window.key("b");
  settle();
  window.click("Add a text");
  settle();
  say("Another text that is longer than the first one was");
  for (const Moment moment : {Moment::now, Moment::before, Moment::difference}) {
    view.head_page.moment = moment;
    expect_every_view_readable("a baseline and two texts");
  }
}

TEST_P(EveryScreen, ModelsOfTwoTextsAndOfGroups) {
  Document next = document();
  next.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
  next.query.text = "The cat sat on the mat";
  next.query.decoder_text = "Die Katze";
  session.apply(next, false, false);
  settle();
  expect_every_view_readable("an encoder-decoder");
  view.head = {3, 1};
  expect_every_view_readable("its cross-attention");
  next = sandbox_document();
  next.query.kv_heads = 2;
  session.apply(next, false, false);
  settle();
  expect_every_view_readable("two key/value heads");
}

TEST_P(EveryScreen, LongTextsAndFewTokens) {
  std::string text;
  for (int word = 0; word < 80; ++word) text += "The keys to the ";
  say(text);
  expect_every_view_readable("320 tokens");
}

TEST_P(EveryScreen, TrainingAHead) {
  show(View::head);
  view.drawn_map.is_painted = true;
  view.shell.left = Fold::open;
  expect_readable("a map that is drawn");
}

TEST_P(EveryScreen, Menus) {
  for (const char* menu : {"Document menu", "Examples"}) {
    if (!window.has(menu)) continue;
    window.click(menu);
    settle();
    expect_readable(menu);
    window.key("escape");
  }
  say("an edit that would be lost");
  window.key("ctrl+n");
  settle();
  expect_readable("the question before a new document");
}

TEST_P(EveryScreen, TheSentenceAndTheMapHaveTheirRoom) {
  EXPECT_GE(points(window.box_of("Sentence").width), 240);
  show(View::head);
  const Box map = window.box_of("map");
  const Layout layout = make_layout(GetParam().width, GetParam().height, GetParam().scale, view.shell);
  EXPECT_GE(map.height, layout.centre.height / 2);
}

}  // namespace
}  // namespace headlight
