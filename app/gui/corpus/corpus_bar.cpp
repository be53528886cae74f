#include "app/gui/corpus/corpus_bar.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/document/amounts.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/work/corpora/corpus_columns.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kProgress = 120;    // points
constexpr double kWorthSaying = 2;  // seconds that are left
constexpr float kLowView = 420;     // points: under it the bar gives up its second line
constexpr const char* kMeasure = "Measure many texts …";

const CorpusStudies& corpora_of(const Panel& panel) {
  return panel.context.session.corpora();
}

bool has_corpus(const Panel& panel) {
  return corpora_of(panel).state() != CorpusState::none;
}

/// One line of the bar, filled from both ends.
struct Line {
  const Look& look;
  Box box;
  float left, right;
  Line(const Look& with, Box in) : look(with), box(in), left(in.x), right(in.right()) {}
  float middle() const { return box.y + box.height / 2; }

  bool button(const char* name, const char* help) {
    const float width = button_width(look, name), height = look.px(kControl);
    const bool is_pressed = quiet_button(look, name, {right - width, middle() - height / 2}, {width, height});
    hint(look, help);
    right -= width + look.px(kUnit);
    return is_pressed;
  }
  bool close(const char* name) {
    const float size = look.px(kControl);
    const bool is_pressed = close_button(look, name, {right - size / 2, middle()});
    right -= size + look.px(kInside);
    return is_pressed;
  }
  void text(Type type, Colour colour, const std::string& words, const char* name) {
    const float room = std::max(0.0F, right - left);
    const std::string shown = elided(look, type, words, room);
    press_area(name, {left, box.y}, {room, box.height});
    if (shown != words) hint(look, words.c_str());
    draw_text(look, left, middle(), type, colour, shown);
    left += text_width(look, type, shown) + look.px(kBetween);
  }
};

std::string words_of_texts(const StudyTexts& texts) {
  return texts.draws > 0 ? "repeated random tokens" : printable(texts.file.filename().string(), 60);
}

/// "1,204 of 10,000 texts of stories.txt, about 3 min left".
std::string words_of_state(const Panel& panel) {
  const CorpusStudies& corpora = corpora_of(panel);
  const std::shared_ptr<const MeasuredCorpus>& shown = corpora.shown();
  const bool has_numbers = shown && shown->stored;
  const std::string name = has_numbers                    ? corpus_title(*shown->stored)
                           : corpora.request() == nullptr ? std::string()
                                                          : words_of_texts(corpora.request()->texts);
  const auto texts_so_far = [&] {
    if (!has_numbers || !shown->texts_in_all) return name;
    return corpus_so_far(*shown->stored, *shown->texts_in_all);
  };
  switch (corpora.state()) {
    case CorpusState::none:
      return {};
    case CorpusState::waiting:
    case CorpusState::running: {
      const std::string step = corpora.step();
      std::string words = step.empty() ? "waiting to measure " + name : step;
      const std::optional<double> left = corpora.seconds_left();
      if (left.value_or(0) >= kWorthSaying && !panel.context.is_scripted) words += ", " + time_left_text(*left);
      return words;
    }
    case CorpusState::paused:
      return "Paused: " + texts_so_far();
    case CorpusState::stopped:
      return "Not finished: " + texts_so_far();
    case CorpusState::finished:
      if (!has_numbers || shown->stored->study.texts() > 0) return name;
      return shown->stored->study.counts.bad == 0 ? "There are no texts in " + shown->stored->manifest.corpus
                                                  : "No text could be measured: " + name;
    case CorpusState::refused:
      return shown->problem;
  }
  return {};
}

void draw_progress(const Look& look, Line& line, double done) {
  const float half = look.px(2), width = look.px(kProgress), right = line.left + width;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled({line.left, line.middle() - half}, {right, line.middle() + half}, to_imgui(look.colours.line), half);
  const float end = line.left + static_cast<float>(std::clamp(done, 0.0, 1.0)) * width;
  canvas.AddRectFilled({line.left, line.middle() - half}, {end, line.middle() + half}, to_imgui(look.colours.accent), half);
  name_area("Corpus progress", {line.left, line.box.y, width, line.box.height});
  line.left = right + look.px(kBetween);
}

constexpr const char* kBadLines = "bad lines";

/// Lines that could not be measured, by number.
void draw_list_of_bad_lines(const Look& look, const CorpusStudy& study) {
  constexpr float kWidth = 440, kMostRows = 12;
  if (!begin_popup(kBadLines)) return;
  const std::vector<BadLine>& lines = study.bad_lines();
  const float width = std::min(look.px(kWidth), ImGui::GetIO().DisplaySize.x - look.px(2 * kBetween));
  ImGui::PushTextWrapPos();
  ImGui::Dummy({width, 0});
  text_line(look, Type::heading, look.colours.text_second, "Lines that could not be measured");
  const auto rows = static_cast<float>(lines.size());
  ImGui::BeginChild("lines", {width, std::min(rows, kMostRows) * look.px(kLine)}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoBackground);
  for (const BadLine& bad : lines) {
    const std::string text = fmt::format("line {}: {}", grouped(static_cast<std::int64_t>(bad.line)), printable(bad.reason, 400));
    const Row row = begin_row(look, "", nullptr, kLine);
    const std::string shown = elided(look, Type::body, text, row.right - row.left - look.px(kBetween));
    press_area(fmt::format("Bad line {}", bad.line).c_str(), {row.left, row.top}, {row.right - row.left, row.height});
    if (shown != text) hint(look, text.c_str());
    draw_text(look, row.left, row.middle(), Type::body, look.colours.text, shown);
  }
  ImGui::EndChild();
  if (study.counts.bad > std::ssize(lines)) {
    text_line(look, Type::caption, look.colours.text_second,
              fmt::format("and {} further ones", grouped(study.counts.bad - std::ssize(lines))));
  }
  ImGui::PopTextWrapPos();
  ImGui::EndPopup();
}

/// "3 lines left out": shows which.
void draw_bad_lines(const Look& look, Line& line, const CorpusStudy& study) {
  if (study.counts.bad > 0) {
    const std::string words = fmt::format("{} line{} left out", grouped(study.counts.bad), study.counts.bad == 1 ? "" : "s");
    if (word_button(look, "Bad lines", words, line.right, line.box).is_clicked) ImGui::OpenPopup(kBadLines);
    hint(look, "Lines that could not be measured, with their numbers and reasons.");
    line.right -= text_width(look, Type::caption, words) + look.px(kBetween);
  }
  draw_list_of_bad_lines(look, study);
}

/// What of a text does not fit into a line, which is cut down to what does: at a blank.
std::string cut_off(const Look& look, Type type, std::string& words, float room) {
  if (text_width(look, type, words) <= room) return {};
  std::size_t cut = std::string::npos;
  for (std::size_t at = words.find(' '); at != std::string::npos; at = words.find(' ', at + 1)) {
    if (text_width(look, type, std::string_view(words).substr(0, at)) <= room) cut = at;
  }
  if (cut == std::string::npos) return {};
  std::string rest = words.substr(cut + 1);
  words.resize(cut);
  return rest;
}

/// How far it is, and what to do with it. Of a refusal, returns what belongs on a second line where there is one.
std::string draw_state(Panel& panel, const Box& box, bool is_alone) {
  const Look& look = panel.look;
  CorpusStudies& corpora = panel.context.session.corpora();
  const std::shared_ptr<const MeasuredCorpus> shown = corpora.shown();
  Line line(look, box);
  if (line.close("Close the corpus")) {
    corpora.close();
    panel.view.corpus.file.clear();
    panel.view.measures.source.clear();
    return {};
  }
  if (!corpora.is_under_way() && line.button("Measure more …", "Measure all heads over other texts, or other measures over these.")) {
    panel.view.dialogs.corpus = true;
    panel.view.corpus.wants_effects = shown && shown->stored && !target_words(*shown->stored).empty();
  }
  if (shown && shown->stored && line.button("Save as …", "A study that opens again, or a table for other programs."))
    panel.view.dialogs.corpus_save = true;
  if (corpora.is_under_way() && line.button("Stop", "Ends the run. What was found until now stays, and Go on measures the rest."))
    corpora.stop();
  if (corpora.can_go_on() && line.button("Go on", "Measures the rest of the texts.")) corpora.go_on();
  if (std::optional<CorpusRequest> rest = rest_of_corpus(panel); rest && line.button("Go on", "Measures the rest of the texts."))
    corpora.start(*std::move(rest));
  const bool is_running = corpora.is_under_way() && corpora.state() != CorpusState::paused;
  if (is_running && line.button("Pause", "The texts wait until you go on.")) corpora.pause();
  if (shown && shown->is_refused_for_file && line.button("Replace it", "Measures all texts, and replaces what the file holds."))
    corpora.start_replacing();
  if (is_alone && shown && shown->stored) draw_bad_lines(look, line, shown->stored->study);
  if (corpora.is_under_way()) draw_progress(look, line, corpora.done());
  const bool is_refused = corpora.state() == CorpusState::refused;
  std::string words = words_of_state(panel);
  std::string rest = is_refused && !is_alone ? cut_off(look, Type::strong, words, line.right - line.left) : std::string();
  line.text(Type::strong, is_refused ? look.colours.bad : look.colours.text, words, "Corpus state");
  return rest;
}

/// "story-gpt · 12 measures · kept in stories-story-gpt.study".
std::string words_of_study(const MeasuredCorpus& shown, bool is_under_way) {
  const StudyManifest& manifest = shown.stored->manifest;
  const CorpusStudy& study = shown.stored->study;
  const std::string target = target_words(*shown.stored);
  const std::string model =
      printable(manifest.model, 60) + (shown.edits.empty() ? "" : fmt::format(" with edits ({})", printable(shown.edits, 120)));
  const bool has_partners = patched_part_of(manifest).has_value();
  std::string words =
      target.empty()
          ? fmt::format("Measured in {}: {} measure{}", model, manifest.measures.size(), manifest.measures.size() == 1 ? "" : "s")
      : has_partners
          ? fmt::format("What patches from the column “{}” do in {} to {}", printable(manifest.partner_column, 40), model, target)
          : fmt::format("What heads of {} do to {}", model, target);
  words += fmt::format(", {} tokens", grouped(study.counts.tokens));
  if (study.part.count > 1) words += fmt::format(" · shard {} of {}", study.part.number, study.part.count);
  if (study.counts.cut > 0) words += fmt::format(" · {} cut to the model's positions", grouped(study.counts.cut));
  if (study.counts.longer > 0)
    words +=
        fmt::format(" · {} longer than the model was made for ({} tokens)", grouped(study.counts.longer), grouped(study.counts.made_for));
  if (!shown.file_problem.empty()) return words + " · not kept: " + shown.file_problem;
  if (shown.file.empty() && is_under_way) return words;  // its file is written at times
  words += shown.file.empty() ? " · kept in no file" : " · kept in " + printable(shown.file.filename().string(), 80);
  return words;
}

/// What it was measured with, and what was left out.
void draw_study(Panel& panel, const MeasuredCorpus& shown, const Box& box) {
  const Look& look = panel.look;
  Line line(look, box);
  draw_bad_lines(look, line, shown.stored->study);
  const Colour colour = shown.file_problem.empty() ? look.colours.text_second : look.colours.bad;
  line.text(Type::caption, colour, words_of_study(shown, panel.context.session.corpora().is_under_way()), "Measured with");
}

}  // namespace

float draw_corpus_button(Panel& panel, float right, float middle) {
  if (has_corpus(panel) && !is_of_positions(panel)) return right;
  const Look& look = panel.look;
  const float width = button_width(look, kMeasure), height = look.px(kControl);
  if (quiet_button(look, kMeasure, {right - width, middle - height / 2}, {width, height}, !panel.is_dump()))
    panel.view.dialogs.corpus = true;
  hint(look, panel.is_dump() ? "The maps come from a file, which has no other texts."
                             : "One sentence gives hints, many texts give findings: measures all heads over a .txt, .csv or .jsonl file.");
  return right - width - look.px(kBetween);
}

float corpus_bar_height(const Panel& panel, const Box& view) {
  if (!has_corpus(panel)) return 0;
  const std::shared_ptr<const MeasuredCorpus>& shown = corpora_of(panel).shown();
  const bool has_second = shown && (shown->stored || !shown->problem.empty()) && view.height >= panel.look.px(kLowView);
  return panel.look.px(kRow + (has_second ? kLine : 0) + kUnit);
}

void draw_corpus_bar(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Corpus", box, Colour{0, 0, 0, 0}, {0, 0});
  const Box first{box.x, box.y, box.width, look.px(kRow)};
  const bool has_second = box.height > look.px(kRow + kUnit);
  const std::string rest = draw_state(panel, first, !has_second);
  const std::shared_ptr<const MeasuredCorpus> shown = corpora_of(panel).shown();
  const Box second{box.x, first.bottom(), box.width, look.px(kLine)};
  if (!rest.empty()) {
    Line(look, second).text(Type::strong, look.colours.bad, rest, "Corpus problem");
  } else if (has_second && shown && shown->stored) {
    draw_study(panel, *shown, second);
  }
  end_region();
}

}  // namespace headlight
