// The answers: heads by what is asked, and heads like one.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/document/subjects.h"
#include "app/document/wording.h"
#include "app/gui/finding/asking.h"
#include "app/gui/finding/finding_panel.h"
#include "app/gui/finding/unanswered.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"

namespace headlight {
namespace {

constexpr std::size_t kFirst = 10;
constexpr float kName = 36, kNumber = 50;  // widths of columns, in points
constexpr float kBar = 6;                  // height

/// "7.0", "0.4", "< 0.1": how many times as much.
std::string times_text(double lift) {
  if (std::isnan(lift)) return "–";
  if (lift > 0 && lift < 0.05) return "< 0.1";
  return lift >= 100 ? fmt::format("{:.0f}", lift) : fmt::format("{:.1f}", lift);
}

/// "> 0.999" for what is not quite 1.
std::string share_text(double share) {
  return share < 1 && share >= 0.9995 ? (share > 1 - 1e-6 ? "1.000" : "> 0.999") : weight_text(share);
}

/// One line of a list: its name, a bar, and numbers from the right.
struct ListLine {
  std::string label;  ///< for scripts: "found 1.3"
  std::string name;
  double share = 0;  ///< of the bar, 0 … 1
  std::vector<std::string> numbers;
  std::string help;
  bool is_shown = false;  ///< it is the head that is looked at
};

bool draw_line(const Look& look, const ListLine& line) {
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const Press press = press_area(line.label.c_str(), {row.left, row.top}, {row.right - row.left, row.height});
  hint(look, line.help.c_str());
  const ImVec2 from{row.left - look.px(kInside), row.top}, to{row.right + look.px(kInside), row.top + row.height};
  if (line.is_shown) fill(look, from, to, mix(look.colours.panel, look.colours.accent, 0.16F));
  if (press.is_hovered) outline(look, from, to, look.colours.text_third);
  draw_text(look, row.left, row.middle(), Type::number, look.colours.text, elided(look, Type::number, line.name, look.px(kName)));
  float right = row.right;
  for (auto number = line.numbers.rbegin(); number != line.numbers.rend(); ++number) {
    const bool is_score = number + 1 == line.numbers.rend();
    draw_text(look, right, row.middle(), Type::number, is_score ? look.colours.text : look.colours.text_second, *number, AlignX::right);
    right -= look.px(kNumber);
  }
  const float left = row.left + look.px(kName + kInside), room = right - left - look.px(kInside);
  if (room < look.px(kUnit)) return press.is_clicked;
  const float top = row.middle() - look.px(kBar) / 2, bottom = top + look.px(kBar);
  fill(look, {left, top}, {left + room, bottom}, look.colours.raised, 2);
  const auto length = static_cast<float>(std::clamp(line.share, 0.0, 1.0)) * room;
  if (length >= 1) fill(look, {left, top}, {left + length, bottom}, look.colours.key, 2);
  return press.is_clicked;
}

/// Names of the columns of numbers, with what each means.
struct Column {
  const char* name;
  const char* help;
};
void draw_columns(const Look& look, std::span<const Column> columns) {
  const Row row = begin_row(look, "", nullptr, kLine);
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second, "head");
  float right = row.right;
  for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
    press_area(column->name, {right - look.px(kNumber - kInside), row.top}, {look.px(kNumber - kInside), row.height});
    hint(look, column->help);
    draw_text(look, right, row.middle(), Type::caption, look.colours.text_second, column->name, AlignX::right);
    right -= look.px(kNumber);
  }
}

/// The rest of the list, or only its first lines.
void draw_more(Panel& panel, std::size_t all) {
  if (all <= kFirst) return;
  const Look& look = panel.look;
  bool& shows_all = panel.view.finding.shows_all;
  const Row row = begin_row(look, "", nullptr, kLine);
  const std::string text = shows_all ? fmt::format("only the first {}", kFirst) : fmt::format("all {} heads", all);
  const float right = row.left + text_width(look, Type::caption, text);
  if (word_button(look, "More of the list", text, right, {row.left, row.top, row.right - row.left, row.height}).is_clicked)
    shows_all = !shows_all;
}

std::size_t shown_of(const Panel& panel, std::size_t all) {
  return panel.view.finding.shows_all ? all : std::min(kFirst, all);
}

void note_waiting(const Look& look) {
  text_line(look, Type::caption, look.colours.text_second, "Ranking the heads …");
}

std::string offset_words(Index offset) {
  if (offset == 0) return "the token itself";
  const Index far = std::abs(offset);
  return fmt::format("the token {} {}", far, offset < 0 ? "before" : "after");
}

std::string token_text(const Panel& panel, const Encoding& encoding, Index token) {
  return "“" + panel.caches.pictures.names(*panel.snapshot, encoding)[token] + "”";
}

std::string help_of(const Panel& panel, const Snapshot& run, const RankedHead& head) {
  std::string text =
      fmt::format("{} gives these keys {} of its attention, mean over {} row{}. A head that looks at all keys alike: {}.",
                  head_title(run, head.head), share_text(head.mass), head.rows, head.rows == 1 ? "" : "s", share_text(head.uniform));
  if (!std::isnan(head.fixed)) {
    text += fmt::format(" One that always looks at {}: {}.", offset_words(head.offset), share_text(head.fixed));
  }
  const bool is_there = &run == panel.snapshot.get() && head.best.query >= 0;
  if (is_there) {
    text += fmt::format(
        " Most: {} → {} {}. Click opens the head at that row.", token_text(panel, run.query_tokens(head.head.layer), head.best.query),
        token_text(panel, run.key_tokens(head.head.layer), head.best.key), weight_text(static_cast<double>(head.best.weight)));
  }
  return text;
}

constexpr std::array kRankedColumns{
    Column{"weight", "Pattern mass: Σ of the weights on these keys, mean over the rows that have one. 0 none … 1 all of its attention."},
    Column{"× even", "Lift over a uniform head: how many times what a head has that looks at all keys alike."},
    Column{"× offset",
           "Lift over the best fixed offset: how many times what a head has that always looks the same number of tokens away. Up to 1, "
           "distance alone explains it: ask about more rows, of other distances."}};

/// "11 rows · even 0.361 · best offset −1: 1", of the first head.
void draw_baselines(const Look& look, const RankedHead& head) {
  std::string text = fmt::format("{} row{} · uniform head {}", head.rows, head.rows == 1 ? "" : "s", share_text(head.uniform));
  if (!std::isnan(head.fixed)) {
    text += fmt::format(" · best fixed offset {}: {}", head.offset < 0 ? fmt::format("−{}", -head.offset) : fmt::format("{}", head.offset),
                        share_text(head.fixed));
  }
  paragraph(look, Type::caption, look.colours.text_second, text);
}

}  // namespace

void draw_ranked_heads(Panel& panel) {
  const Look& look = panel.look;
  const std::shared_ptr<const AnsweredQuestion> answer = answered_question(panel);
  if (!answer) return note_waiting(look);
  const HeadRanking& ranking = answer->ranking;
  const Snapshot& run = *answer->asked.snapshot;
  if (ranking.heads.empty()) return draw_unanswered(panel);
  draw_columns(look, kRankedColumns);
  for (std::size_t i = 0; i < shown_of(panel, ranking.heads.size()); ++i) {
    const RankedHead& head = ranking.heads[i];
    const std::string name = short_name(run, head.head);
    const ListLine line{"found " + name,
                        name,
                        head.mass,
                        {share_text(head.mass), times_text(head.lift()), times_text(head.lift_over_fixed())},
                        help_of(panel, run, head),
                        panel.view.head == head.head};
    if (draw_line(look, line)) open_at_row(panel, head.head, head.best.query);
  }
  draw_more(panel, ranking.heads.size());
  draw_baselines(look, ranking.heads.front());
  if (!ranking.undefined.empty()) {
    text_line(
        look, Type::caption, look.colours.text_second,
        fmt::format("{} of {} heads have no such row (–)", ranking.undefined.size(), ranking.undefined.size() + ranking.heads.size()));
  }
  paragraph(look, Type::caption, look.colours.text_second, "One sentence: a hint, not a finding.");
}

namespace {

constexpr std::array kAlikeColumns{
    Column{"apart", "Jensen–Shannon divergence of the weights, mean over rows: 0 the same keys … 0.693 (ln 2) no key in common."},
    Column{"output",
           "Cosine of the outputs z, mean over rows: 1 the same direction … −1 the opposite one; – where only maps are known. z "
           "is written in each head's own values, so heads that differ in W_V may look alike and yet have a low cosine."}};

void draw_order(Panel& panel) {
  const std::array<std::string, 2> orders{"where they look", "output"};
  int chosen = static_cast<int>(panel.view.finding.alike_by);
  const Row row = begin_row(panel.look, "Order", "By the divergence of their weights, or by the cosine of their outputs.");
  if (segmented(panel.look, row, "Order", orders, chosen)) panel.view.finding.alike_by = static_cast<AlikeBy>(chosen);
}

void open_alike(Panel& panel, const AlikeHead& head, int subject) {
  focus(panel.draft, subject);
  panel.view.head = head.head;
  panel.view.view = View::head;
}

/// Other texts whose maps have another size: their cells correspond to none of this text's.
void note_other_sizes(Panel& panel, const AnsweredAlike& answer) {
  for (std::size_t run = 1; run < answer.asked.runs.size(); ++run) {
    const auto is_of_run = [run](const AlikeHead& head) { return head.run == run; };
    const std::optional<int> subject = subject_of(panel, answer, run);
    if (!subject || std::any_of(answer.heads.begin(), answer.heads.end(), is_of_run)) continue;
    paragraph(panel.look, Type::caption, panel.look.colours.text_second,
              fmt::format("No heads of {}: its maps have a different size. Only texts with the same number of tokens are compared.",
                          subject_name(panel.draft, *subject)));
  }
}

}  // namespace

void draw_alike_heads(Panel& panel) {
  const Look& look = panel.look;
  const std::shared_ptr<const AnsweredAlike> answer = answered_alike(panel);
  if (!answer) return note_waiting(look);
  draw_order(panel);
  std::vector<AlikeHead> heads = answer->heads;
  sort_alike(heads, panel.view.finding.alike_by);
  draw_columns(look, kAlikeColumns);
  for (std::size_t i = 0; i < shown_of(panel, heads.size()); ++i) {
    const AlikeHead& head = heads[i];
    const std::optional<int> subject = subject_of(panel, *answer, head.run);
    if (!subject) continue;
    const bool is_own = head.run == 0;
    const std::string of = is_own ? std::string() : ", " + subject_name(panel.draft, *subject);
    const std::string name = short_name(*answer->asked.runs[head.run], head.head);
    const ListLine line{
        "alike " + name + of,
        is_own ? name : fmt::format("{}·{}", name, text_number(panel.draft, *subject)),
        panel.view.finding.alike_by == AlikeBy::divergence ? 1 - head.divergence / std::numbers::ln2 : head.agreement,
        {weight_text(head.divergence), std::isnan(head.agreement) ? std::string("–") : number_text(head.agreement, 2)},
        fmt::format("Head {}{}: {} nats apart over {} rows. Click opens it.", name, of, weight_text(head.divergence), head.rows),
        is_own && panel.view.head == head.head};
    if (draw_line(look, line)) open_alike(panel, head, *subject);
  }
  draw_more(panel, heads.size());
  note_other_sizes(panel, *answer);
  paragraph(look, Type::caption, look.colours.text_second, "One sentence: heads that look alike here may differ elsewhere.");
}

}  // namespace headlight
