#include "app/cli/reports/attribution_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/cli/reports/listed_token.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;

constexpr std::size_t kListedPairs = 20;

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) field.append(character == '"' ? 2 : 1, character);
  field += '"';
  return field;
}

std::string csv_number(int number) {
  return number < 0 ? std::string() : std::to_string(number);
}

const Token& token_at(const Snapshot& snapshot, int layer, bool is_key, Index position) {
  const Encoding& text = is_key ? snapshot.key_tokens(layer) : snapshot.query_tokens(layer);
  return text.tokens[static_cast<std::size_t>(position)];
}

/// As lists have it, for people; files have the token itself.
std::string shown_token(const Snapshot& snapshot, const Token& token) {
  return printable(listed_token(*snapshot.model->tokenizer, token.id), 40);
}

Report id_json(const Snapshot& snapshot, PartId id) {
  Report report = {{"part", part_label(snapshot, id)}, {"kind", row_of(id.kind).name}};
  if (id.layer >= 0) report["layer"] = id.layer;
  if (id.head >= 0) report["head"] = id.head;
  return report;
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text.append(note).append("\n");
  return text;
}

std::size_t widest(const Snapshot& snapshot, const std::vector<PartId>& ids) {
  std::size_t width = 4;
  for (const PartId id : ids) width = std::max(width, part_label(snapshot, id).size());
  return width;
}

/// A side of a score: each part and what all its pairs add.
std::string side_table(const Snapshot& snapshot, const std::vector<PartId>& ids, const DoubleRow& values) {
  const std::size_t width = widest(snapshot, ids);
  std::string text;
  for (std::size_t at = 0; at < ids.size(); ++at)
    text += fmt::format("  {:{}}  {:>10}\n", part_label(snapshot, ids[at]), width, number_text(values[static_cast<Index>(at)], 4));
  return text;
}

Report side_json(const Snapshot& snapshot, const std::vector<PartId>& ids, const DoubleRow& values) {
  Report list = Report::array();
  for (std::size_t at = 0; at < ids.size(); ++at) {
    list.push_back(id_json(snapshot, ids[at]));
    list.back()["value"] = values[static_cast<Index>(at)];
  }
  return list;
}

/// Pairs of parts, those that add most first.
std::vector<std::pair<Index, Index>> pairs_by_size(const CellParts& cell) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index query = 0; query < cell.table.rows(); ++query) {
    for (Index key = 0; key < cell.table.cols(); ++key) pairs.emplace_back(query, key);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return std::abs(cell.table(a.first, a.second)) > std::abs(cell.table(b.first, b.second));
  });
  return pairs;
}

}  // namespace

WrittenReport report_parts(const Snapshot& snapshot, const LogitParts& parts, const std::string& target) {
  std::vector<PartId> ids;
  for (const LogitPart& part : parts.parts) ids.push_back(part.id);
  const std::size_t width = widest(snapshot, ids);
  WrittenReport report;
  report.table = fmt::format("what adds to the {}\n", printable(target, 120));
  report.csv = "kind,layer,head,part,value\n";
  report.json = {{"target", target}, {"position", parts.question.position}, {"logit", parts.logit}, {"sum", parts.sum}};
  report.json["parts"] = Report::array();
  for (const LogitPart& part : parts.parts) {
    const std::string label = part_label(snapshot, part.id);
    report.table += fmt::format("{:{}}  {:>10}\n", label, width, number_text(part.value, 4));
    report.csv += fmt::format("{},{},{},{},{}\n", row_of(part.id.kind).name, csv_number(part.id.layer), csv_number(part.id.head),
                              csv_field(label), part.value);
    report.json["parts"].push_back(id_json(snapshot, part.id));
    report.json["parts"].back()["value"] = part.value;
  }
  report.table += fmt::format("{:{}}  {:>10}\n{:{}}  {:>10}\n", "sum", width, number_text(parts.sum, 4), "the model's", width,
                              number_text(parts.logit, 4));
  report.table += notes_text(parts.notes);
  report.json["notes"] = parts.notes;
  return report;
}

WrittenReport report_sources(const Snapshot& snapshot, const LogitParts& parts, const std::vector<HeadSources>& heads,
                             const std::string& target) {
  WrittenReport report;
  report.table = fmt::format("what each head adds to the {}, by the token that it was read from\n", printable(target, 120));
  report.csv = "layer,head,position,token,value\n";
  report.json = {{"target", target}, {"position", parts.question.position}, {"heads", Report::array()}, {"notes", parts.notes}};
  for (const HeadSources& head : heads) {
    const std::string label = part_label(snapshot, {PartKind::head, head.head.layer, head.head.head});
    Report each = {{"layer", head.head.layer}, {"head", head.head.head}, {"part", label}};
    report.table += label;
    double sum = 0;
    each["sources"] = Report::array();
    for (std::size_t key = 0; key < head.values.size(); ++key) {
      const Token& token = token_at(snapshot, head.head.layer, true, static_cast<Index>(key));
      sum += head.values[key];
      report.table += fmt::format("  {} {}", shown_token(snapshot, token), number_text(head.values[key], 4));
      report.csv +=
          fmt::format("{},{},{},{},{}\n", head.head.layer, head.head.head, key, csv_field(printable(token.text, 200)), head.values[key]);
      each["sources"].push_back({{"position", key}, {"token", token.text}, {"value", head.values[key]}});
    }
    report.table += head.problem.empty() ? fmt::format("  sum {}\n", number_text(sum, 4)) : fmt::format("  –  {}\n", head.problem);
    if (head.problem.empty()) {
      each["sum"] = sum;
    } else {
      each["reason"] = head.problem;
    }
    report.json["heads"].push_back(std::move(each));
  }
  report.table += notes_text(parts.notes);
  return report;
}

WrittenReport report_cell(const Snapshot& snapshot, const CellParts& cell) {
  const int layer = cell.head.layer;
  const std::string label = part_label(snapshot, {PartKind::head, layer, cell.head.head});
  const Token &query = token_at(snapshot, layer, false, cell.query), &key = token_at(snapshot, layer, true, cell.key);
  WrittenReport report;
  report.table = fmt::format("why {} looks from {} \"{}\" at {} \"{}\"\n", label, cell.query, shown_token(snapshot, query), cell.key,
                             shown_token(snapshot, key));
  report.table += fmt::format("weight {}, score {}, the parts add up to {}{}\n", weight_text(static_cast<double>(cell.weight)),
                              number_text(static_cast<double>(cell.score), 4), number_text(cell.sum, 4),
                              cell.is_allowed ? "" : "; the mask forbids the cell");
  report.table += "what the query's side is made of\n" + side_table(snapshot, cell.query_parts, cell.by_query());
  report.table += "what the key's side is made of\n" + side_table(snapshot, cell.key_parts, cell.by_key());
  report.table += "pairs that add most\n";
  report.csv = "query_part,key_part,value\n";
  report.json = {{"layer", layer},        {"head", cell.head.head}, {"query", cell.query},          {"query_token", query.text},
                 {"key", cell.key},       {"key_token", key.text},  {"score", cell.score},          {"sum", cell.sum},
                 {"factor", cell.factor}, {"weight", cell.weight},  {"is_allowed", cell.is_allowed}};
  report.json["by_query"] = side_json(snapshot, cell.query_parts, cell.by_query());
  report.json["by_key"] = side_json(snapshot, cell.key_parts, cell.by_key());
  report.json["pairs"] = Report::array();
  std::size_t listed = 0;
  for (const auto& [from, to] : pairs_by_size(cell)) {
    const std::string query_part = part_label(snapshot, cell.query_parts[static_cast<std::size_t>(from)]);
    const std::string key_part = part_label(snapshot, cell.key_parts[static_cast<std::size_t>(to)]);
    const double value = cell.table(from, to);
    if (listed++ < kListedPairs) report.table += fmt::format("  {:>10}  {} · {}\n", number_text(value, 4), query_part, key_part);
    report.csv += fmt::format("{},{},{}\n", csv_field(query_part), csv_field(key_part), value);
    report.json["pairs"].push_back({{"query_part", query_part}, {"key_part", key_part}, {"value", value}});
  }
  report.table += notes_text(cell.notes);
  report.json["notes"] = cell.notes;
  return report;
}

}  // namespace headlight
