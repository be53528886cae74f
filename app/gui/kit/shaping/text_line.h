// One line of text as carets and pointers see it: where the caret stands, what a key or a click means. In a text that needs no shaping the
// places are those of Dear ImGui's glyphs, else those of pango.
//
// Offsets are bytes. A caret goes between characters as people count them (grapheme clusters of Unicode Standard Annex 29), wherever the
// text runs to the left or to the right: pango's strong caret, as in GTK.
#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/kit/shaping/atlas_ink.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {

class TextLine {
 public:
  /// `text`: valid UTF-8.
  TextLine(std::string text, ImFont& font, float size);                     ///< set by Dear ImGui
  TextLine(std::string text, PangoText& pango, FontFace face, float size);  ///< shaped; throws Error (limit) as PangoText does

  const std::string& text() const { return text_; }
  float width() const { return width_; }
  bool runs_left() const { return runs_left_; }  ///< its first letter is one of a script that is written from right to left

  float x_of(std::size_t caret) const;            ///< pixels from the left end
  std::size_t caret_at(float x) const;            ///< the one nearest to a place
  std::size_t snapped(std::size_t offset) const;  ///< the offset, or the next place where a caret can stand
  std::size_t before(std::size_t caret) const;    ///< one character towards the start of the text
  std::size_t after(std::size_t caret) const;
  std::size_t left_of(std::size_t caret) const;  ///< one character to the left, as the eye sees it
  std::size_t right_of(std::size_t caret) const;
  std::size_t word_left_of(std::size_t caret) const;  ///< likewise, to the start of a word
  std::size_t word_right_of(std::size_t caret) const;
  std::size_t word_before(std::size_t caret) const;
  std::size_t word_after(std::size_t caret) const;
  ByteRange word_around(std::size_t caret) const;  ///< the word, or the blanks, that the character after the caret belongs to
  /// The stretches of the line that a part of the text takes, from left to right.
  std::vector<std::pair<float, float>> stretches(std::size_t begin, std::size_t end) const;

  /// `corner`: the top left one, `baseline` pixels over the baseline. Only what is between two places of the line is painted, and kept.
  void draw(ImDrawList& list, ImVec2 corner, float baseline, float from, float to, ImU32 colour);
  void release();  ///< what it painted into the atlas

 private:
  struct Unref {
    void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  };
  bool runs_left_at(std::size_t caret) const;
  std::size_t beside(std::size_t caret, int direction) const;

  std::string text_;
  std::vector<std::uint32_t> stops_;   // where a caret can stand, the start and the end among them
  std::vector<std::uint32_t> starts_;  // of words
  std::vector<float> places_;          // of the stops; empty where pango knows them
  std::unique_ptr<PangoLayout, Unref> layout_;
  ImFont* font_ = nullptr;
  float size_ = 0, width_ = 0;
  bool runs_left_ = false;
  std::map<int, AtlasInk> tiles_;  // of a shaped line
};

}  // namespace headlight
