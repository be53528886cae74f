#include "app/gui/finding/asking.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/document/subjects.h"
#include "app/gui/panel/drawn_map_here.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// "the sailors", of tokens from begin up to end.
std::string words_of(const TokenNames& names, int begin, int end) {
  constexpr int kMost = 3;
  std::string words;
  for (int token = begin; token < std::min({end, begin + kMost, static_cast<int>(names.axis.size())}); ++token) {
    words += (words.empty() ? "" : " ") + names[token];
  }
  return end - begin > kMost ? words + " …" : words;
}

/// Nothing but relations: blocks that add, few enough to be named.
bool are_relations(const std::vector<CellBlock>& cells) {
  constexpr std::size_t kMostNamed = 2;
  const auto adds = [](const CellBlock& block) { return block.is_allowed; };
  return cells.size() <= kMostNamed && std::all_of(cells.begin(), cells.end(), adds);
}

std::vector<Span> words_of_cells(const Panel& panel) {
  const HeadQuestion& question = panel.view.finding.question;
  const Palette& colours = panel.look.colours;
  const int layer = panel.view.head.layer;
  const bool is_named =
      !is_of_another_text(panel) && are_relations(question.cells) && tokens_of(*panel.snapshot, layer).stack == question.stack;
  if (!is_named) {
    const Index cells = is_of_another_text(panel) ? 0 : asked_here(panel).cells;
    return {{cells == 0 ? std::string("painted cells") : fmt::format("{} {}", cells, cells == 1 ? "cell" : "cells"), colours.text}};
  }
  const TokenNames &queries = panel.caches.pictures.query_names(layer), &keys = panel.caches.pictures.key_names(layer);
  std::vector<Span> spans;
  for (const CellBlock& block : question.cells) {
    if (!spans.empty()) spans.push_back({", ", colours.text_second});
    spans.push_back({words_of(queries, block.query_begin, block.query_end), colours.query});
    spans.push_back({" → ", colours.text_second});
    spans.push_back({words_of(keys, block.key_begin, block.key_end), colours.key});
  }
  return spans;
}

void stop_framing(Panel& panel) {
  FindingPage& page = panel.view.finding;
  if (is_framing(panel)) panel.view.painting.brush = Brush::off;
  page.drawing = FindingPage::Drawing::off;
  page.query.reset();
}

}  // namespace

void show_finding(Panel& panel) {
  panel.view.shell.is_presenting = false;
  panel.view.rails.wanted_section = kFindingSection;
}

void ask_question(Panel& panel, HeadQuestion question) {
  FindingPage& page = panel.view.finding;
  const bool is_drawn = question.kind == HeadQuestion::Kind::cells;
  if (!is_drawn) stop_framing(panel);
  page.question = std::move(question);
  page.alike_to.reset();
  page.typed = page.question.mask;
  page.problem.clear();
}

void ask_alike(Panel& panel, HeadId head) {
  ask_nothing(panel);
  panel.view.finding.alike_to = head;
}

void ask_nothing(Panel& panel) {
  stop_framing(panel);
  FindingPage& page = panel.view.finding;
  const AlikeBy by = page.alike_by;
  page = {};
  page.alike_by = by;
}

std::vector<Span> question_words(const Panel& panel) {
  const HeadQuestion& question = panel.view.finding.question;
  const Colour plain = panel.look.colours.text;
  switch (question.kind) {
    case HeadQuestion::Kind::nothing:
      return {};
    case HeadQuestion::Kind::pattern:
      return {{std::string(row_of(question.pattern).title), plain}};
    case HeadQuestion::Kind::mask:
      return {{printable(question.mask, 40), plain, Type::number}};
    case HeadQuestion::Kind::cells:
      break;
  }
  return words_of_cells(panel);
}

bool is_of_another_text(const Panel& panel) {
  const HeadQuestion& question = panel.view.finding.question;
  if (!panel.has_picture() || question.kind != HeadQuestion::Kind::cells) return false;
  for (int layer = 0; layer < panel.snapshot->layers(); ++layer) {
    const MapTokens tokens = tokens_of(*panel.snapshot, layer);
    if (tokens.stack == question.stack && is_about(question, tokens.queries)) return false;
  }
  return true;
}

std::shared_ptr<const AnsweredQuestion> answered_question(const Panel& panel) {
  const HeadQuestion& question = panel.view.finding.question;
  if (!panel.has_picture() || question.is_nothing() || is_of_another_text(panel)) return nullptr;
  auto answer = panel.context.session.head_rankings().ask(AskedQuestion{panel.snapshot, question});
  const bool is_of_this = answer && answer->asked.question == question && answer->asked.snapshot->model == panel.snapshot->model;
  return is_of_this ? answer : nullptr;
}

namespace {

/// The focused subject, then the other live texts whose picture is there.
std::vector<std::pair<int, std::shared_ptr<const Snapshot>>> live_runs(const Panel& panel) {
  std::vector<std::pair<int, std::shared_ptr<const Snapshot>>> runs{{panel.draft.focused, panel.snapshot}};
  for (const int id : texts_of(panel.draft)) {
    if (id == panel.draft.focused) continue;
    if (auto run = panel.context.session.run_of(panel.draft, id).snapshot) runs.emplace_back(id, std::move(run));
  }
  return runs;
}

}  // namespace

std::shared_ptr<const AnsweredAlike> answered_alike(const Panel& panel) {
  const std::optional<HeadId> head = panel.view.finding.alike_to;
  if (!panel.has_picture() || !head || !panel.snapshot->contains(*head)) return nullptr;
  AskedAlike asked{{}, *head};
  for (auto& [id, run] : live_runs(panel)) asked.runs.push_back(std::move(run));
  auto answer = panel.context.session.head_rankings().ask(asked);
  return answer && answer->asked.head == *head ? answer : nullptr;
}

std::optional<int> subject_of(const Panel& panel, const AnsweredAlike& answer, std::size_t run) {
  if (run == 0) return panel.draft.focused;
  for (const auto& [id, snapshot] : live_runs(panel)) {
    if (snapshot == answer.asked.runs[run]) return id;
  }
  return std::nullopt;
}

void rest_finding(Panel& panel) {
  HeadRankings& rankings = panel.context.session.head_rankings();
  FindingPage& page = panel.view.finding;
  if (page.question.is_nothing()) rankings.rest_question();
  if (!page.alike_to) rankings.rest_alike();
  if (is_framing(panel) && panel.view.painting.brush == Brush::off) stop_framing(panel);  // the brush was put away
}

void open_at_row(Panel& panel, HeadId head, Index query) {
  ViewState& view = panel.view;
  view.head = head;
  view.view = View::head;
  view.head_page.stage = Stage::weights;
  if (query >= 0) view.pinned_query = TokenPlace{query_side(*panel.snapshot, head.layer), query};
}

void begin_framing(Panel& panel, FindingPage::Drawing drawing) {
  FindingPage& page = panel.view.finding;
  if (page.drawing == drawing) return stop_framing(panel);
  page.alike_to.reset();
  if (page.question.kind != HeadQuestion::Kind::cells || is_of_another_text(panel)) page.question = {};
  page.drawing = drawing;
  page.query.reset();
  page.typed.clear();
  page.problem.clear();
  panel.view.drawn_map.is_painted = false;
  panel.view.painting.brush = drawing == FindingPage::Drawing::cells ? Brush::cell : Brush::rectangle;
  panel.view.head_page.moment = Moment::now;
  if (drawing == FindingPage::Drawing::cells) panel.view.view = View::head;
}

void press_for_relation(Panel& panel, int layer, const TokenPlace& place, bool is_query, bool is_key) {
  FindingPage& page = panel.view.finding;
  if (!page.query) {
    if (is_query) page.query = place;
    return;
  }
  if (*page.query == place && !is_key) {
    page.query.reset();
    return;
  }
  if (!is_key) return;
  const auto query = static_cast<int>(page.query->token), key = static_cast<int>(place.token);
  std::vector<CellBlock> cells = page.question.cells;
  cells.push_back({query, query + 1, key, key + 1, true});
  page.query.reset();
  ask_question(panel, question_of_cells(std::move(cells), tokens_of(*panel.snapshot, layer)));
  if (panel.left_form == RailForm::open) return;
  stop_framing(panel);  // the answer opens beside the folded rail, over what could be pressed next
  show_finding(panel);
}

const char* framing_words(const Panel& panel) {
  const FindingPage& page = panel.view.finding;
  if (page.drawing == FindingPage::Drawing::cells) return "Paint cells on the map";
  return page.query ? "Press the word that it looks at" : "Press the word that looks";
}

AskedToken asked_token(const Panel& panel, int layer, const TokenPlace& place) {
  const FindingPage& page = panel.view.finding;
  const Snapshot& run = *panel.snapshot;
  AskedToken found;
  if (page.query) found.is_query = *page.query == place;
  const HeadQuestion& question = page.question;
  if (question.kind != HeadQuestion::Kind::cells) return found;
  const MapTokens tokens = tokens_of(run, layer);
  if (tokens.stack != question.stack || !is_about(question, tokens.queries)) return found;
  const auto token = static_cast<int>(place.token);
  for (const CellBlock& block : question.cells) {
    if (!block.is_allowed) continue;
    if (place.side == query_side(run, layer) && token >= block.query_begin && token < block.query_end) found.is_query = true;
    if (place.side == key_side(run, layer) && token >= block.key_begin && token < block.key_end) found.is_key = true;
  }
  return found;
}

}  // namespace headlight
