#include "engine/finding/question_columns.h"

namespace headlight {
namespace {

constexpr const char* kNoTarget = "no row of two or more allowed keys may attend to such a key";

/// All columns of a question have the rows of its heads.
std::shared_ptr<const HeadColumn> filled(HeadColumn column, const HeadRanking& ranking, double (*value_of)(const RankedHead&)) {
  column.origin = ColumnOrigin::question;
  column.undefined = kNoTarget;
  column.low = 0;
  column.texts = 1;
  for (const RankedHead& head : ranking.heads) {
    column.values.set(head.head, value_of(head));
    column.rows.set(head.head, static_cast<double>(head.rows));
  }
  return std::make_shared<const HeadColumn>(std::move(column));
}

/// The mass of a head that knows nothing, of each head and as the mean of all.
ColumnBaseline baseline(std::string name, const HeadRanking& ranking, double (*value_of)(const RankedHead&)) {
  ColumnBaseline found{.name = std::move(name)};
  for (const RankedHead& head : ranking.heads) {
    found.means.set(head.head, value_of(head));
    found.mean += value_of(head) / static_cast<double>(ranking.heads.size());
  }
  return found;
}

}  // namespace

HeadColumns columns_of(const HeadRanking& ranking, const std::string& name, const std::string& measured_on) {
  HeadColumn mass{.id = kMassColumn,
                  .title = name,
                  .formula = "Σ a over the asked keys",
                  .meaning = "How much of its attention a head gives to the keys that are asked for, mean over the rows that have one.",
                  .source = "pattern mass; the lift says what it is worth",
                  .high = 1,
                  .measured_on = measured_on};
  if (!ranking.heads.empty())
    mass.baselines = {baseline("all keys alike", ranking, [](const RankedHead& head) { return head.uniform; }),
                      baseline("best fixed offset", ranking, [](const RankedHead& head) { return head.fixed; })};
  HeadColumn lift{.id = kLiftColumn,
                  .title = "× even",
                  .formula = "Σ a over the asked keys / (|asked keys| / |allowed keys|)",
                  .meaning = "How many times as much as a head that looks at all keys alike.",
                  .source = name,
                  .limit = "|allowed keys|",
                  .measured_on = measured_on};
  HeadColumn fixed{
      .id = kFixedLiftColumn,
      .title = "× offset",
      .formula = "Σ a over the asked keys / share of rows in which the best fixed offset is asked for",
      .meaning = "How many times as much as a head that always looks the same number of tokens away. Up to 1, distance explains it.",
      .source = "as the baseline of Clark et al. 2019, arXiv 1906.04341, section 4.2",
      .limit = "rows",
      .measured_on = measured_on};
  return {filled(std::move(mass), ranking, [](const RankedHead& head) { return head.mass; }),
          filled(std::move(lift), ranking, [](const RankedHead& head) { return head.lift(); }),
          filled(std::move(fixed), ranking, [](const RankedHead& head) { return head.lift_over_fixed(); })};
}

}  // namespace headlight
