#include "app/work/card_heads.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "app/work/model_shelf.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr int kMostHeads = 1 << 16;

CardHead card_head(const Json& json, const std::string& file, const std::string& place) {
  const JsonFields fields(json, file, place);
  CardHead told;
  told.head = {static_cast<int>(fields.integer("layer", 0, kMostHeads)), static_cast<int>(fields.integer("head", 0, kMostHeads))};
  told.name = fields.text("name");
  told.text = fields.text("text");
  told.query = fields.integer("query", 0, kMostHeads);
  told.from = fields.text("from");
  told.to = fields.text("to");
  if (fields.has("measure")) told.measure = fields.text("measure");
  if (fields.has("value")) told.figure = fields.number_or("value", 0.0, -1e9, 1e9);
  return told;
}

/// How often a relation was counted, and how well a fixed offset does: the figure of the same head and relation, if the card has it.
void add_cases(const JsonFields& card, CardHead& told) {
  if (!card.has("figures")) return;
  const Json& figures = card.array("figures");
  for (std::size_t at = 0; at < figures.size(); ++at) {
    const JsonFields figure(figures[at], card.file(), "figures[" + std::to_string(at) + "]");
    if (!figure.has("relation") || !figure.has("cases")) continue;
    const std::string measure = figure.text("relation") + ", from the " + figure.text("query");
    const HeadId head{static_cast<int>(figure.integer("layer", 0, kMostHeads)), static_cast<int>(figure.integer("head", 0, kMostHeads))};
    if (head != told.head || measure != told.measure) continue;
    told.cases = figure.integer("cases", 0, std::int64_t{1} << 40U);
    if (figure.has("baseline")) told.offset = figure.number_or("baseline", 0.0, -1e9, 1e9);
  }
}

}  // namespace

std::string CardHead::figure_text() const {
  if (!figure) return {};
  const std::string value = measure + ": " + weight_text(*figure);
  if (cases == 0) return value + " on held-out sentences";
  return fmt::format("{} of {} held-out cases{}", value, cases, offset ? fmt::format(", {} by a fixed offset", weight_text(*offset)) : "");
}

CardHeads load_card_heads(const std::filesystem::path& card) {
  const std::string file = card.filename().string();
  const JsonTree json = parse_json(read_file(card, kLargestCard), file);
  const JsonFields fields(*json, file);
  CardHeads found;
  if (!fields.has("heads")) return found;
  const Json& list = fields.array("heads");
  for (std::size_t at = 0; at < list.size(); ++at) {
    try {
      CardHead told = card_head(list[at], file, "heads[" + std::to_string(at) + "]");
      add_cases(fields, told);
      found.heads.push_back(std::move(told));
    } catch (const Error& error) {
      found.left_out.push_back(error.message());
    }
  }
  return found;
}

CardHeadShelf::CardHeadShelf(Worker& worker) : study_(worker.desk(), [](const std::string& model, StepContext&) { return read(model); }) {}

CardHeadShelf::Answer CardHeadShelf::read(const std::string& model) {
  Answer answer{model, {}};
  std::error_code ignored;
  const std::optional<BuiltInModel> found = find_built_in_model(model);
  const std::filesystem::path card = found ? found->folder / "card.json" : std::filesystem::path();
  try {
    if (std::filesystem::exists(card, ignored)) answer.found = load_card_heads(card);
  } catch (const Error& error) {  // the model works without its card
    answer.found.left_out.push_back(error.message());
  }
  return answer;
}

std::shared_ptr<const CardHeads> CardHeadShelf::ask(const std::string& model) {
  const std::shared_ptr<const Answer> answer = study_.ask(model);
  if (!answer || answer->model != model) return nullptr;
  return {answer, &answer->found};
}

}  // namespace headlight
