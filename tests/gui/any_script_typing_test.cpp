// Typing in any script: where the caret goes and what is taken away, by what people count as characters and as their eyes see it.
#include <algorithm>
#include <set>
#include <thread>

#include "app/gui/kit/theme.h"
#include "app/gui/typing/line_edit.h"
#include "app/gui/typing/sentence_box.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

constexpr const char* kHebrewWord = "שלום";
constexpr const char* kFamily = "👩‍👩‍👧‍👦";

class AnyScriptTyping : public testing::FrameTest {
 protected:
  void begin(const std::string& text) {
    window.click("Sentence");
    window.key("ctrl+a");
    window.type(text);
  }
  void press(std::initializer_list<const char*> keys) {
    for (const char* key : keys) window.key(key);
  }
  const std::string& text() const { return document().query.text; }
};

TEST_F(AnyScriptTyping, ArrowsAndBackspaceTakeAFamilyForOneCharacter) {
  begin(std::string("a") + kFamily + "b");
  press({"left", "backspace"});
  EXPECT_EQ(text(), "ab");
  begin(std::string("a") + kFamily + "b");
  press({"home", "right", "delete"});
  EXPECT_EQ(text(), "ab");
  begin("xe\u0301y");
  press({"left", "left"});
  window.type("-");
  EXPECT_EQ(text(), "x-e\u0301y") << "an accent stays with its letter";
}

TEST_F(AnyScriptTyping, AHindiSyllableIsOneStep) {
  begin("नि");
  press({"left"});
  window.type("x");
  EXPECT_EQ(text(), "xनि");
}

TEST_F(AnyScriptTyping, InHebrewTheLeftArrowGoesOnAndTheRightArrowGoesBack) {
  begin(kHebrewWord);
  press({"home", "left"});
  window.type("-");
  EXPECT_EQ(text(), "ש-לום");
  press({"right", "backspace"});
  EXPECT_EQ(text(), "-לום");
}

TEST_F(AnyScriptTyping, AHebrewSentenceBeginsAtTheRightEdge) {
  begin(kHebrewWord);
  const Box box = window.box_of("Sentence");
  window.click(ImVec2(box.right() - 12, box.y + box.height / 2));
  window.type("-");
  EXPECT_EQ(text(), std::string("-") + kHebrewWord);
  window.click(ImVec2(box.x + 20, box.y + box.height / 2));
  window.type("+");
  EXPECT_EQ(text(), std::string("-") + kHebrewWord + "+") << "left of the text is its end";
}

TEST_F(AnyScriptTyping, ShiftSelectsAsTheEyeSees) {
  begin(kHebrewWord);
  press({"home", "shift+left", "shift+left"});
  window.type("x");
  EXPECT_EQ(text(), "xום");
  begin("one two");
  press({"shift+ctrl+left", "delete"});
  EXPECT_EQ(text(), "one ");
}

TEST_F(AnyScriptTyping, AnArrowFromASelectionGoesToItsEdge) {
  begin("abcd");
  press({"shift+left", "shift+left", "left"});
  window.type("x");
  EXPECT_EQ(text(), "abxcd");
  begin(kHebrewWord);
  press({"ctrl+a", "right"});
  window.type("x");
  EXPECT_EQ(text(), std::string("x") + kHebrewWord) << "the right edge is the start";
}

TEST_F(AnyScriptTyping, ADoubleClickSelectsAWord) {
  begin("القطة جلست");
  window.frame();
  const Look look{palette(Theme::dark), window.fonts};
  const Box box = window.box_of("Sentence");
  const float middle_of_first = box.right() - 10 - text_width(look, Type::body, "القطة") / 2;
  window.feed.click({middle_of_first, box.y + box.height / 2}, ImGuiMouseButton_Left, 2);
  window.play();
  window.type("x");
  EXPECT_EQ(text(), "x جلست");
}

TEST_F(AnyScriptTyping, ControlWithArrowsGoesByWords) {
  begin("one two three");
  press({"ctrl+left", "ctrl+left"});
  window.type("-");
  EXPECT_EQ(text(), "one -two three");
  press({"ctrl+right", "ctrl+backspace"});
  EXPECT_EQ(text(), "one -three");
  press({"home", "ctrl+delete"});
  EXPECT_EQ(text(), "-three");
}

TEST_F(AnyScriptTyping, CutCopyAndPasteTakeTheSelection) {
  begin("one two");
  press({"shift+ctrl+left", "ctrl+x"});
  EXPECT_EQ(text(), "one ");
  EXPECT_STREQ(ImGui::GetClipboardText(), "two");
  press({"ctrl+v", "ctrl+v"});
  EXPECT_EQ(text(), "one twotwo");
  press({"ctrl+a", "ctrl+c"});
  EXPECT_STREQ(ImGui::GetClipboardText(), "one twotwo");
}

TEST_F(AnyScriptTyping, ATypedWordIsOneStepOfUndo) {
  const std::string before = text();
  window.click("Sentence");
  window.key("end");
  window.type(kHebrewWord);
  EXPECT_EQ(text(), before + kHebrewWord);
  window.key("ctrl+z");
  EXPECT_EQ(text(), before);
  window.type("x");
  EXPECT_EQ(text().size(), before.size() + 1) << "the caret is inside the text that came back";
}

TEST_F(AnyScriptTyping, CommittedTextOfAnInputMethodArrivesAtOnce) {
  begin("x");
  ImGui::GetIO().AddInputCharactersUTF8("漢字かな");
  window.frame(8);
  EXPECT_EQ(text(), "x漢字かな");
  ImGui::GetIO().AddInputCharacterUTF16(0xD83D);
  ImGui::GetIO().AddInputCharacterUTF16(0xDE00);
  window.frame(4);
  EXPECT_EQ(text(), "x漢字かな😀") << "two surrogates are one character";
  ImGui::GetIO().AddInputCharactersUTF8(kFamily);
  window.frame(16);
  EXPECT_EQ(text(), std::string("x漢字かな😀") + kFamily);
  window.key("backspace");
  EXPECT_EQ(text(), "x漢字かな😀");
}

TEST_F(AnyScriptTyping, ALongPasteAsksBeforeItIsCut) {
  begin("x");
  const std::string megabyte(1'000'000, 'a');
  ImGui::SetClipboardText(megabyte.c_str());
  window.key("ctrl+v");
  EXPECT_EQ(text(), "x");
  ASSERT_TRUE(window.has("Paste nothing"));
  window.click("Paste nothing");
  EXPECT_EQ(text(), "x");
  window.click("Sentence");
  window.key("end");
  window.key("ctrl+v");
  window.click("Paste the first 20,000");
  EXPECT_EQ(text(), "x" + std::string(kMostPasted, 'a'));
  EXPECT_FALSE(window.has("Paste nothing"));
}

TEST_F(AnyScriptTyping, WhatIsPastedIsRepairedAndLosesControls) {
  begin("");
  ImGui::SetClipboardText(
      "a\x01"
      "b\xff"
      "c\x7f");
  window.key("ctrl+v");
  EXPECT_EQ(text(), "ab\uFFFDc");
}

TEST_F(AnyScriptTyping, EnterAndEscapeLeaveTheBox) {
  for (const char* key : {"enter", "escape"}) {
    begin("x");
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    window.key(key);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput) << key;
    EXPECT_EQ(text(), "x");
  }
}

TEST_F(AnyScriptTyping, ADroppedTextFileBecomesTheSentence) {
  const testing::TemporaryFolder folder;
  folder.file("two lines.txt", "שלום\nuno\n");
  context.dropped_paths = {(folder.path() / "two lines.txt").string()};
  settle();
  EXPECT_EQ(text(), "שלום\nuno");
  folder.file("long.txt", std::string(100'000, 'b'));
  context.dropped_paths = {(folder.path() / "long.txt").string()};
  settle();
  EXPECT_EQ(text(), std::string(kMostPasted, 'b'));
  EXPECT_NE(view.notes.banner.find("20000 characters"), std::string::npos) << view.notes.banner;
  folder.file("picture.bin", std::string("\x89PNG\0\xff", 6));
  context.dropped_paths = {(folder.path() / "picture.bin").string()};
  settle();
  EXPECT_NE(view.notes.banner.find("is neither a text"), std::string::npos) << view.notes.banner;
}

// --- Laws of the line that carets move along ----------------------------------------------------------------------------------------

TEST_F(AnyScriptTyping, RightwardStepsFromTheLeftEdgeReachEveryCharacterOnce) {
  for (const char* line_text : {"plain", kHebrewWord, "القطة جلست", "क्षत्रिय नमस्ते", "สวัสดี น้ำ", "e\u0301👍🏽x"}) {
    const TextLine& line = window.fonts.shaped->line(line_text, FontFace::ui, *window.fonts.ui, 14);
    std::size_t caret = line.runs_left() ? line.text().size() : 0;
    std::set<std::size_t> reached{caret};
    float x = line.x_of(caret);
    for (std::size_t next = line.right_of(caret); next != caret; next = line.right_of(caret)) {
      EXPECT_TRUE(reached.insert(next).second) << line_text;
      EXPECT_GT(line.x_of(next), x) << line_text;
      EXPECT_EQ(line.left_of(next), caret) << line_text;
      caret = next, x = line.x_of(next);
    }
    EXPECT_EQ(reached.size(), graphemes_of(line_text).size() + 1) << line_text;
  }
}

TEST_F(AnyScriptTyping, AClickOnACaretFindsIt) {
  for (const char* line_text : {"plain text", kHebrewWord, "क्षत्रिय", "สวัสดี"}) {
    const TextLine& line = window.fonts.shaped->line(line_text, FontFace::ui, *window.fonts.ui, 14);
    for (const ByteRange& character : graphemes_of(line_text))
      EXPECT_EQ(line.caret_at(line.x_of(character.begin)), character.begin) << line_text;
  }
}

TEST_F(AnyScriptTyping, ASelectionCoversTheWholeLine) {
  for (const char* line_text : {"plain text", "abc שלום def", "القطة"}) {
    const TextLine& line = window.fonts.shaped->line(line_text, FontFace::ui, *window.fonts.ui, 14);
    float covered = 0;
    for (const auto& [from, to] : line.stretches(0, line.text().size())) covered += to - from;
    EXPECT_NEAR(covered, line.width(), 1) << line_text;
  }
}

}  // namespace
}  // namespace headlight
