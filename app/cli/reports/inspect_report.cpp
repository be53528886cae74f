#include "app/cli/reports/inspect_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "app/cli/options/options.h"
#include "app/document/document.h"
#include "app/document/subjects.h"
#include "app/lessons/load_lessons.h"
#include "engine/core/error.h"
#include "engine/dumps/attention_dump.h"
#include "engine/dumps/dump_masks.h"
#include "engine/dumps/dump_tensors.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/gguf/gguf.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/files/gguf_model.h"
#include "engine/model/files/load_model.h"
#include "engine/model/files/model_places.h"
#include "engine/model/model.h"
#include "engine/studies/importance/patch_study.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Report = nlohmann::ordered_json;

constexpr std::uint64_t kLargestText = std::uint64_t{256} << 20;

/// Reports what opening a model's files gives.
void report_model(const fs::path& path, Report& report) {
  const ModelFacts facts = inspect_model(path);
  const ModelConfig& config = facts.config;
  report["family"] = config.family;
  if (config.is_encoder_decoder()) {
    report["encoder_layers"] = config.stacks.encoder_layers;
    report["decoder_layers"] = config.decoder_layers();
    report["attentions"] = config.layers;  // a layer of the decoder has two
  } else {
    report["layers"] = config.layers;
  }
  report["heads"] = config.heads.count;
  if (config.stacks.decoder_heads > 0) report["decoder_heads"] = config.stacks.decoder_heads;
  report["kv_heads"] = config.heads.kv_count;
  report["d_model"] = config.d_model;
  report["d_head"] = config.heads.d_head;
  report["d_ff"] = config.feed_forward.d_ff;
  report["vocabulary"] = config.vocabulary;
  report["positions"] = config.positions.most;
  report["parameters"] = facts.parameters;
  report["bytes"] = facts.bytes;
  report["type"] = facts.dtype;
  report["tokenizer"] = facts.tokenizer;
  report["warnings"] = facts.warnings;
}

void inspect_model_folder(const fs::path& folder, Report& report) {
  report["kind"] = "model folder";
  report_model(folder, report);
}

/// Header and tensors, in the words of config.json; then the checks of opening it.
void inspect_gguf(const fs::path& path, Report& report) {
  report["kind"] = "GGUF";
  const GgufFile file(path);
  report["bytes"] = file.bytes();
  report["version"] = file.header().version;
  const GgufModel model = read_gguf_model(file);
  report["config"] = model.config;
  report["tensor_count"] = model.tensors.size();
  report["tensors"] = Report::array();
  for (const GgufTensor& tensor : model.tensors) {
    report["tensors"].push_back(
        fmt::format("{} {} {} ({})", tensor.name, tensor.info.dtype_name, shape_text(tensor.info.shape), printable(tensor.info.name)));
  }
  report_model(path, report);
}

/// The mask in force and where it comes from: --mask takes precedence over the file.
std::string mask_of_layer(const LayerTrace& read, const MaskEdits& edits, int layer, Stack stack) {
  const std::string own = describe_mask(read.given_mask);
  const MaskEdits here = edits_of_layer(edits, layer, stack);
  if (here.rules.empty()) return own;
  std::string texts;
  for (const MaskRule& rule : here.rules) texts += (texts.empty() ? "" : ", ") + printable(rule.text, 200);
  const bool is_whole = here.rules.front().scope.kind != Scope::Kind::head;
  return is_whole ? texts + ", as --mask says" : fmt::format("{}; for some heads {}, as --mask says", own, texts);
}

/// One line where all layers have the same mask, else one for each.
Report masks_report(const std::vector<std::string>& masks, const ModelConfig& config) {
  const bool is_same = std::all_of(masks.begin(), masks.end(), [&](const std::string& mask) { return mask == masks.front(); });
  if (is_same) return masks.front();
  Report lines = Report::array();
  for (std::size_t layer = 0; layer < masks.size(); ++layer) {
    const LayerPlace place = config.place(static_cast<int>(layer));
    lines.push_back(fmt::format("{} {}: {}", name_of(place.stack), place.number, masks[layer]));
  }
  return lines;
}

MaskEdits edits_of(const fs::path& path, const InspectedMaps& asked) {
  ModelChoice choice;
  choice.name = path.string();
  HeadNames names(choice, asked.item);
  MaskEdits edits;
  apply_masks(asked.masks, names, edits);
  return edits;
}

/// The first cell that is NaN in each map that has some: "NaN in layer 0 head 1: first at query 2, key 0, 3 rows in all".
void warn_of_nan(const LayerTrace& layer, const std::string& name, Report& warnings) {
  for (std::size_t head = 0; head < layer.given.size(); ++head) {
    const GivenMap& map = layer.given[head];
    if (map.sums.nan_rows == 0) continue;
    const Matrix& weights = map.weights();
    const std::span<const float> cells(weights.data(), static_cast<std::size_t>(weights.size()));  // row by row
    const auto first = std::find_if(cells.begin(), cells.end(), [](float cell) { return std::isnan(cell); }) - cells.begin();
    warnings.push_back(fmt::format("NaN in {} head {}: first at query {}, key {}, {} row{} in all; its measures are undefined", name, head,
                                   first / weights.cols(), first % weights.cols(), map.sums.nan_rows, map.sums.nan_rows == 1 ? "" : "s"));
  }
}

/// Reports the maps of each layer, and the masks in force.
void report_layers(const AttentionDump& dump, const MaskEdits& edits, Report& report) {
  const ModelConfig& config = dump.model->config;
  std::vector<std::string> masks;
  Report lines = Report::array();
  for (int layer = 0; layer < config.layers; ++layer) {
    const LayerPlace place = config.place(layer);
    const std::shared_ptr<const LayerTrace>& read = dump.layers[static_cast<std::size_t>(layer)];
    masks.push_back(mask_of_layer(*read, edits, layer, place.stack));
    const std::shared_ptr<const LayerTrace> trace = with_edits(read, layer, edits, place.stack);
    warn_of_nan(*trace, fmt::format("{} {}", name_of(place.stack), place.number), report["warnings"]);
    GivenSums all;
    for (const GivenMap& map : trace->given) all.add(map.sums);
    const std::string sums = sums_text(all);
    const Matrix& first = trace->given.front().weights();
    lines.push_back(fmt::format("{} {}: {} head{} of {} × {}, {}", name_of(place.stack), place.number, trace->heads,
                                trace->heads == 1 ? "" : "s", first.rows(), first.cols(), sums.empty() ? "rows sum to 1" : sums));
  }
  report["mask"] = masks_report(masks, config);
  report["maps"] = std::move(lines);
}

/// Maps of a file, layer by layer.
void report_maps(const fs::path& path, const InspectedMaps& asked, Report& report) {
  SilentProgress progress;
  const AttentionDump dump = read_attention_dump(path, progress, asked.item, UnchosenItem::first);
  const ModelConfig& config = dump.model->config;
  if (dump.item) {
    report["texts"] = dump.axes.texts;
    report["item"] = *dump.item;
    if (!asked.item) report["warnings"].push_back("this describes the first of several texts; choose another with --item");
  }
  if (config.is_encoder_decoder()) {
    report["encoder_layers"] = config.stacks.encoder_layers;
    report["decoder_layers"] = config.decoder_layers();
    report["attentions"] = config.layers;
  } else {
    report["layers"] = config.layers;
  }
  report["heads"] = config.heads.count;
  if (!config.heads.counts.empty()) report["heads"] = config.heads.counts;
  report["tokens"] = dump.encoding->text;
  if (dump.decoder_encoding) report["query_tokens"] = dump.decoder_encoding->text;
  report_layers(dump, edits_of(path, asked), report);
  for (const std::string& notice : dump.notices) report["warnings"].push_back(notice);
}

void inspect_dump(const fs::path& path, const InspectedMaps& asked, Report& report) {
  report["kind"] = "attention maps";
  report["bytes"] = FileReader(path).size();
  report["warnings"] = Report::array();
  report_maps(path, asked, report);
}

/// A file of weights, or of maps among other tensors. Maps that do not fit together are a warning: the file itself is sound.
void inspect_safetensors(const fs::path& path, const InspectedMaps& asked, Report& report) {
  report["kind"] = "safetensors";
  const SafetensorsFile file(path);
  report["bytes"] = file.bytes();
  report["warnings"] = file.warnings();
  if (!describe_dump_file(path).empty()) {
    Report maps = report;
    try {
      report_maps(path, asked, maps);
      report = std::move(maps);
      report["kind"] = "attention maps";
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage) throw;  // the request is at fault, not the file
      report["warnings"].push_back("it does not open as attention maps: " + error.message());
    }
  }
  report["tensor_count"] = file.tensors().size();
  report["tensors"] = Report::array();
  for (const TensorInfo& tensor : file.tensors()) {
    report["tensors"].push_back(fmt::format("{} {} {}", tensor.name, tensor.dtype_name, shape_text(tensor.shape)));
  }
  report["metadata"] = file.metadata();
}

/// What opening a document would say about a model that is missing; empty if it is there.
std::string why_missing(const std::string& model) {
  try {
    if (model != "sandbox") model_path(model);
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

void inspect_document(const fs::path& path, Report& report) {
  report["kind"] = "document";
  Json unknown;
  const Document document = load_document(path, &unknown);
  const Query& query = document.query;
  report["version"] = version_of(document);
  report["model"] = query.model.name;
  report["text"] = query.text;
  if (query.text_pair) report["text_pair"] = *query.text_pair;
  if (query.item) report["item"] = *query.item;
  if (query.heads) report["heads"] = *query.heads;
  report["mask_rules"] = query.mask.rules.size();
  report["switched_off"] = query.switched_off.size();
  if (!query.interventions.empty()) {
    report["interventions"] = Report::array();
    for (const Intervention& each : query.interventions) report["interventions"].push_back(describe_intervention(each));
  }
  report["pins"] = document.pins.size();
  if (!document.others.empty()) {
    const std::size_t texts = texts_of(document).size();
    report["texts"] = texts;
    report["frozen"] = document.others.size() + 1 - texts;
    report["has_baseline"] = document.baseline.has_value();
  }
  report["warnings"] = Report::array();
  if (const std::string missing = why_missing(query.model.name); !missing.empty()) report["warnings"].push_back(missing);
  for (const auto& [key, value] : unknown.items()) {
    if (key == kLookField || key == kWeightsField) continue;
    report["warnings"].push_back(fmt::format("\"{}\" holds fields that this version does not know; they are kept", key));
  }
}

/// What was measured, on what, and how far it is.
void inspect_study(const fs::path& path, Report& report) {
  report["kind"] = "study";
  report["bytes"] = FileReader(path).size();
  const StoredStudy stored = read_study(path);
  const StudyManifest& manifest = stored.manifest;
  const CorpusStudy& study = stored.study;
  report["version"] = manifest.version;
  report["model"] = manifest.model;
  report["model_sha256"] = manifest.model_digest;
  report["edits"] = manifest.edits;
  if (!manifest.corpus.empty()) report["corpus"] = manifest.corpus;
  if (!manifest.corpus_digest.empty()) report["corpus_sha256"] = manifest.corpus_digest;
  if (!manifest.column.empty()) report["column"] = manifest.column;
  if (manifest.has_ids) report["texts_are_ids"] = true;
  if (!manifest.partner_column.empty()) report["partner_column"] = manifest.partner_column;
  report[is_by_position(manifest) ? "places" : "heads"] = study.heads().size();
  report["measures"] = manifest.measures;
  for (const NullKind kind : manifest.nulls) report["chance"].push_back(name_of(kind));
  if (!manifest.length_edges.empty()) report["length_bins"] = manifest.length_edges;
  report["examples_kept"] = manifest.top;
  report["longest"] = manifest.longest;
  if (study.part.count > 1) report["shard"] = fmt::format("{}/{}", study.part.number, study.part.count);
  report["is_complete"] = study.part.is_complete;
  report["texts"] = study.texts();
  report["tokens"] = study.counts.tokens;
  report["bad_lines"] = study.counts.bad;
  report["cut_texts"] = study.counts.cut;
  report["long_texts"] = study.counts.longer;
  if (study.counts.longer > 0) report["made_for"] = study.counts.made_for;
  report["warnings"] = Report::array();
  if (!study.part.is_complete) report["warnings"].push_back("the run was stopped: the same command goes on, if this is its file");
  for (const BadLine& line : study.bad_lines()) {
    report["warnings"].push_back(fmt::format("line {}: {}", line.line, printable(line.reason)));
  }
}

void inspect_lesson(const fs::path& path, Report& report) {
  report["kind"] = "lesson";
  const Lesson lesson = load_lesson(path);
  report["title"] = lesson.title;
  report["goal"] = lesson.goal;
  report["minutes"] = lesson.minutes;
  report["steps"] = Report::array();
  for (const LessonStep& step : lesson.steps) report["steps"].push_back(step.title);
  report["questions"] =
      std::count_if(lesson.steps.begin(), lesson.steps.end(), [](const LessonStep& step) { return step.question.has_value(); });
  report["warnings"] = Report::array();
}

void inspect_text(const fs::path& path, Report& report) {
  report["kind"] = "text";
  const std::string bytes = read_file(path, kLargestText);
  const RepairedText repaired = repair_utf8(bytes);
  report["bytes"] = bytes.size();
  report["code_points"] = code_point_index(repaired.text).back();
  report["words"] = split_words(repaired.text).size();
  report["lines"] = std::count(bytes.begin(), bytes.end(), '\n') + (bytes.empty() || bytes.back() == '\n' ? 0 : 1);
  report["warnings"] = Report::array();
  if (repaired.replaced > 0) {
    report["warnings"].push_back(fmt::format("not valid UTF-8: {} broken sequences are read as U+FFFD", repaired.replaced));
  }
}

/// Eight bytes of length, then the brace of the header: what every safetensors file starts with.
bool looks_like_safetensors(const std::string& first) {
  return first.size() > 8 && first[8] == '{' && first[6] == '\0' && first[7] == '\0';
}

void inspect_file(const fs::path& path, const InspectedMaps& asked, Report& report) {
  const std::string first = read_beginning(path, 64);
  const std::string ending = ending_of(path);
  constexpr std::array<std::string_view, 2> kJsonEndings = {".json", ".headlight"};
  if (names_study(path)) {
    inspect_study(path, report);
  } else if (names_lesson(path)) {
    inspect_lesson(path, report);
  } else if (names_document(path)) {
    inspect_document(path, report);
  } else if (ending == ".safetensors" || looks_like_safetensors(first)) {
    inspect_safetensors(path, asked, report);
  } else if (first.starts_with("GGUF")) {
    inspect_gguf(path, report);
  } else if (ending == ".npy" || ending == ".npz" || names_attention_dump(path.string())) {
    inspect_dump(path, asked, report);
  } else if (std::find(kJsonEndings.begin(), kJsonEndings.end(), ending) != kJsonEndings.end()) {
    inspect_document(path, report);
  } else if (const std::optional<FileKind> kind = ending == ".txt" ? std::nullopt : recognize_kind(first)) {
    throw Error(
        {.kind = ErrorKind::input,
         .file = path.string(),
         .problem = fmt::format("this is {}, which Headlight cannot read", kind->name),
         .expected = "a model folder, .safetensors, .gguf, attention maps (.npy, .npz, .json), a document, a lesson, a study or text",
         .hint = std::string(kind->advice)});
  } else if (ending == ".txt" || first.find('\0') == std::string::npos) {
    inspect_text(path, report);
  } else {
    throw Error(
        {.kind = ErrorKind::input,
         .file = path.string(),
         .problem = "Headlight does not know this kind of file",
         .expected = "a model folder, .safetensors, .gguf, attention maps (.npy, .npz, .json), a document, a lesson, a study or text"});
  }
}

}  // namespace

void inspect_path(const fs::path& path, const InspectedMaps& asked, Report& report) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    inspect_model_folder(path, report);
  } else {
    inspect_file(path, asked, report);
  }
  if (report.contains("maps")) return;
  if (asked.item) report["warnings"].push_back("--item does nothing here: it chooses a text of a file of attention maps.");
  if (!asked.masks.empty()) report["warnings"].push_back("--mask does nothing here: it is for the maps of a file of attention maps.");
}

}  // namespace headlight
