#include "engine/studies/study_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "engine/core/checked.h"
#include "engine/formats/digest.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/replacing_file.h"
#include "engine/studies/packed_numbers.h"
#include "engine/targets/effect.h"

namespace headlight {
namespace {

constexpr std::string_view kMagic = "headlight study 1\n";
constexpr std::size_t kDigest = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34U;

std::string digest_of(std::string_view bytes) {
  Digest digest = Digest::sha256();
  digest.add(std::as_bytes(std::span(bytes)));
  return digest.hex();
}

/// Lines of JSON may hold token ids without being asked to; other files are of one kind.
bool may_mix_ids(const StudyManifest& manifest) {
  return !manifest.has_ids && manifest.corpus.ends_with(".jsonl");
}

/// Which texts of a file are token ids.
struct IdTexts {
  bool are_all = false;
  std::optional<std::vector<std::uint64_t>> places;  ///< rising; nullopt: the file does not say
  bool is_mixed = false;
  bool contains(std::uint64_t index, const std::string& text) const {
    if (are_all || !is_mixed) return are_all;
    if (places) return std::binary_search(places->begin(), places->end(), index);
    return !text.empty() && text.find_first_not_of("0123456789 ") == std::string::npos;  // older files: what looks like them
  }
};

/// What was read beside texts, by their places in the corpus.
using AllBeside = std::map<std::uint64_t, std::shared_ptr<const BesideTexts>>;

AllBeside beside_of(const Json& manifest) {
  AllBeside all;
  for (const Json& each : manifest.value("beside", Json::array())) {
    BesideTexts texts;
    if (each.contains("text_pair")) texts.pair = each.at("text_pair").get<std::string>();
    if (each.contains("decoder_text")) texts.decoder = each.at("decoder_text").get<std::string>();
    all[each.at("index").get<std::uint64_t>()] = std::make_shared<const BesideTexts>(std::move(texts));
  }
  return all;
}

}  // namespace

/// The numbers of a study as bytes. Examples of all heads share their texts.
class StudyBytes {
 public:
  static std::string pack(const CorpusStudy& study) {
    Packer packer;
    for (const std::int64_t texts : study.texts_) packer.add(static_cast<std::uint64_t>(texts));
    for (const std::int64_t count : {study.counts.bad, study.counts.cut, study.counts.tokens})
      packer.add(static_cast<std::uint64_t>(count));
    packer.add(static_cast<std::uint64_t>(study.bad_lines_.size()));
    for (const BadLine& line : study.bad_lines_) {
      packer.add(line.line);
      packer.add(std::string_view(line.reason));
    }
    const std::map<std::uint64_t, const TopExample*> texts = texts_of(study);
    packer.add(static_cast<std::uint64_t>(texts.size()));
    for (const auto& [index, example] : texts) {
      packer.add(index);
      packer.add(example->line);
      packer.add(example->hash);
      packer.add(std::string_view(*example->text));
    }
    for (const StudyCell& cell : study.cells_) pack_cell(packer, cell);
    return std::move(packer.bytes);
  }

  /// What was read beside the texts kept, by their places in the corpus; none: null.
  static Json beside_texts(const CorpusStudy& study) {
    Json all;
    for (const auto& [index, example] : texts_of(study)) {
      if (!example->beside) continue;
      Json beside = {{"index", index}};
      if (example->beside->pair) beside["text_pair"] = *example->beside->pair;
      if (example->beside->decoder) beside["decoder_text"] = *example->beside->decoder;
      all.push_back(std::move(beside));
    }
    return all;
  }

  /// Places in the corpus of the texts kept that were token ids, rising.
  static std::vector<std::uint64_t> id_texts(const CorpusStudy& study) {
    std::vector<std::uint64_t> places;
    for (const auto& [index, example] : texts_of(study)) {
      if (example->is_ids) places.push_back(index);
    }
    return places;
  }

  static void unpack(Unpacker& from, const std::string& file, const IdTexts& ids, const AllBeside& beside, CorpusStudy& study) {
    for (std::int64_t& texts : study.texts_) texts = from.count();
    for (std::int64_t* count : {&study.counts.bad, &study.counts.cut, &study.counts.tokens}) *count = from.count();
    for (std::uint64_t left = from.number(); left > 0; --left) {
      const std::uint64_t line = from.number();
      study.add_bad_line({line, from.text()});
    }
    std::map<std::uint64_t, TopExample> texts;
    for (std::uint64_t left = from.number(); left > 0; --left) {
      TopExample example{.index = from.number()};
      example.line = from.number();
      example.hash = from.number();
      example.text = std::make_shared<const std::string>(from.text());
      example.is_ids = ids.contains(example.index, *example.text);
      if (const auto found = beside.find(example.index); found != beside.end()) example.beside = found->second;
      texts.emplace(example.index, std::move(example));
    }
    for (StudyCell& cell : study.cells_) unpack_cell(from, file, texts, study.top_, cell);
    if (from.left() != 0) refuse_bytes(file, "there are more numbers than heads and measures");
  }

 private:
  static std::map<std::uint64_t, const TopExample*> texts_of(const CorpusStudy& study) {
    std::map<std::uint64_t, const TopExample*> texts;
    for (const StudyCell& cell : study.cells_) {
      for (const TopExample& example : cell.top) texts.emplace(example.index, &example);
    }
    return texts;
  }

  static void pack_cell(Packer& packer, const StudyCell& cell) {
    packer.add(static_cast<std::uint64_t>(cell.sum.count));
    packer.add(cell.sum.sum);
    packer.add(cell.sum.squares);
    for (std::size_t bin = 0; bin < Bins::kCount; ++bin) {  // few bins hold any
      if (cell.bins.counts[bin] == 0) continue;
      packer.add(std::uint64_t{bin + 1});
      packer.add(static_cast<std::uint64_t>(cell.bins.counts[bin]));
    }
    packer.add(std::uint64_t{0});
    packer.add(static_cast<std::uint64_t>(cell.top.size()));
    for (const TopExample& example : cell.top) {
      packer.add(example.index);
      packer.add(example.value);
      packer.add(static_cast<std::uint64_t>(example.query + 1));
      packer.add(static_cast<std::uint64_t>(example.key + 1));
      packer.add(static_cast<double>(example.weight));
    }
  }

  static void unpack_cell(Unpacker& from, const std::string& file, const std::map<std::uint64_t, TopExample>& texts, int most,
                          StudyCell& cell) {
    cell.sum.count = from.count();
    cell.sum.sum = from.wide();
    cell.sum.squares = from.wide();
    if (!cell.sum.is_possible()) refuse_bytes(file, "a sum is too large");
    for (std::uint64_t bin = from.number(); bin != 0; bin = from.number()) {
      if (bin > Bins::kCount) refuse_bytes(file, "a bin is out of range");
      cell.bins.counts[bin - 1] = from.count();
    }
    for (std::uint64_t left = from.number(); left > 0; --left) {
      const auto known = texts.find(from.number());
      if (known == texts.end()) refuse_bytes(file, "an example without its text");
      TopExample example = known->second;
      example.value = from.real();
      example.query = from.count() - 1;
      example.key = from.count() - 1;
      example.weight = static_cast<float>(from.real());
      cell.add_example(std::move(example), most);
    }
  }
};

StudySettings StudyManifest::settings() const {
  StudySettings settings{.requests = {}, .nulls = nulls, .length_edges = length_edges, .top = top, .longest = longest};
  for (const std::string& id : measures) settings.requests.push_back(study_request(id, "study"));
  return settings;
}

Json StudyManifest::to_json() const {
  Json json = {
      {"version", version}, {"model", model},     {"model_digest", model_digest}, {"corpus", corpus}, {"corpus_digest", corpus_digest},
      {"column", column},   {"has_ids", has_ids}, {"measures", measures},         {"top", top},       {"length_edges", length_edges},
      {"longest", longest}, {"edits", edits}};
  for (const NullKind kind : nulls) json["nulls"].push_back(name_of(kind));
  if (!partner_column.empty()) json["partner_column"] = partner_column;
  if (!target.empty()) json["target"] = target;
  return json;
}

std::string StudyManifest::difference(const StudyManifest& other) const {
  if (version != other.version) return "the program's version";
  if (model_digest != other.model_digest) return "the model's weights";
  if (corpus_digest != other.corpus_digest) return "the texts";
  if (partner_column != other.partner_column) return "the columns of the partners";
  if (column != other.column || has_ids != other.has_ids) return "the column of the texts";
  if (measures != other.measures || nulls != other.nulls) return "the measures";
  if (target != other.target) return "the targets";
  if (length_edges != other.length_edges || top != other.top || longest != other.longest) return "the options";
  return edits != other.edits ? "the edits of the model" : "";
}

std::string study_bytes(const StudyManifest& manifest, const CorpusStudy& study) {
  Json json = manifest.to_json();
  json["shard"] = {study.part.number, study.part.count};
  json["next"] = study.part.next;
  json["is_complete"] = study.part.is_complete;
  json["heads"] = Json::array();
  for (const HeadId& head : study.heads()) json["heads"].push_back({head.layer, head.head});
  if (may_mix_ids(manifest)) json["id_texts"] = StudyBytes::id_texts(study);
  if (Json beside = StudyBytes::beside_texts(study); !beside.is_null()) json["beside"] = std::move(beside);
  if (study.counts.longer > 0) {
    json["longer"] = study.counts.longer;
    json["made_for"] = study.counts.made_for;
  }
  std::string bytes = std::string(kMagic) + json_text(json) + "\n" + StudyBytes::pack(study);
  return bytes + digest_of(bytes);
}

namespace {

StudyManifest manifest_of(const Json& json, const std::string& file) {
  const JsonFields fields(json, file);
  StudyManifest manifest;
  const auto text = [&](const char* name) { return json.at(name).get<std::string>(); };
  manifest.version = text("version");
  manifest.model = text("model");
  manifest.model_digest = text("model_digest");
  manifest.corpus = text("corpus");
  manifest.corpus_digest = text("corpus_digest");
  manifest.column = text("column");
  manifest.has_ids = json.at("has_ids").get<bool>();
  manifest.measures = json.at("measures").get<std::vector<std::string>>();
  for (const Json& name : json.value("nulls", Json::array())) {
    const std::optional<NullKind> kind = null_kind(name.get<std::string>());
    if (!kind) refuse_bytes(file, "it has an unknown kind of chance");
    manifest.nulls.push_back(*kind);
  }
  manifest.length_edges = json.at("length_edges").get<std::vector<Index>>();
  manifest.top = static_cast<int>(fields.integer("top", 0, 1'000'000));
  manifest.longest = fields.integer("longest", 1, std::int64_t{1} << 40U);
  manifest.edits = text("edits");
  if (json.contains("partner_column")) manifest.partner_column = text("partner_column");
  if (json.contains("target")) manifest.target = text("target");
  return manifest;
}

StudyPart part_of(const Json& json, const std::string& file) {
  const Json &shard = json.at("shard"), &number = shard.at(0), &count = shard.at(1);
  const bool is_possible = number.is_number_unsigned() && count.is_number_unsigned() && number >= 1U && number <= count &&
                           count <= static_cast<unsigned>(StudyPart::kMost);
  if (!is_possible) refuse_bytes(file, "the shard's number is out of range");
  return {number.get<int>(), count.get<int>(), json.at("next").get<std::uint64_t>(), json.at("is_complete").get<bool>()};
}

/// Each cell takes at least five bytes: a manifest cannot ask for more memory than the file justifies.
void check_cells(std::size_t heads, const StudyManifest& manifest, std::size_t bytes, const std::string& file) {
  std::optional<std::uint64_t> cells = checked_multiply(heads, manifest.measures.size());
  cells = cells ? checked_multiply(*cells, manifest.nulls.size() + 1) : std::nullopt;
  cells = cells ? checked_multiply(*cells, manifest.length_edges.size() + 1) : std::nullopt;
  if (!cells || *cells > bytes / 5) refuse_bytes(file, "there are fewer numbers than heads and measures");
}

}  // namespace

StoredStudy read_study_bytes(const std::string& bytes, const std::string& file) {
  const std::string_view all = bytes;
  if (!all.starts_with(kMagic)) refuse_bytes(file, "this is not a study");
  if (all.size() < kMagic.size() + kDigest || digest_of(all.substr(0, all.size() - kDigest)) != all.substr(all.size() - kDigest)) {
    refuse_bytes(file, "the file is not whole: its checksum is wrong");
  }
  const std::size_t end = all.find('\n', kMagic.size());
  if (end == std::string_view::npos) refuse_bytes(file, "it has no manifest");
  const JsonTree tree = parse_json(all.substr(kMagic.size(), end - kMagic.size()), file, {.field = "manifest"});
  const Json& json = *tree;
  try {
    StoredStudy stored{manifest_of(json, file), {}};
    std::vector<HeadId> heads;
    for (const Json& head : json.at("heads")) heads.push_back({head.at(0).get<int>(), head.at(1).get<int>()});
    check_cells(heads.size(), stored.manifest, all.size(), file);
    stored.study = CorpusStudy(std::move(heads), stored.manifest.settings());
    stored.study.part = part_of(json, file);
    const JsonFields fields(json, file);
    stored.study.counts.longer = fields.integer_or("longer", 0, 0, ExactSum::kMostCounted);
    stored.study.counts.made_for = fields.integer_or("made_for", 0, 0, ExactSum::kMostCounted);
    Unpacker unpacker(all.substr(end + 1, all.size() - kDigest - end - 1), file);
    IdTexts ids{.are_all = stored.manifest.has_ids, .places = {}, .is_mixed = may_mix_ids(stored.manifest)};
    if (json.contains("id_texts")) ids.places = json.at("id_texts").get<std::vector<std::uint64_t>>();
    StudyBytes::unpack(unpacker, file, ids, beside_of(json), stored.study);
    return stored;
  } catch (const Json::exception& problem) {
    refuse_bytes(file, "its manifest lacks something");
  }
}

void write_study(const std::filesystem::path& path, const StudyManifest& manifest, const CorpusStudy& study) {
  ReplacingFile file(path);
  file.write(study_bytes(manifest, study));
  file.commit();
}

StoredStudy read_study(const std::filesystem::path& path) {
  return read_study_bytes(read_file(path, kMostBytes), path.string());
}

bool names_study(const std::filesystem::path& path) {
  try {
    return read_beginning(path, kMagic.size()) == kMagic;
  } catch (const Error&) {
    return false;
  }
}

namespace {

[[noreturn]] void refuse_merge(const std::string& file, const std::string& problem, const std::string& hint = {}) {
  throw Error({.kind = ErrorKind::usage, .file = file, .problem = problem, .hint = hint});
}

/// "of 16 shards these are missing: 3, 7".
std::string missing_text(const std::map<int, std::string>& files, int count) {
  constexpr int kMostNamed = 20;
  const int all = count - static_cast<int>(files.size());
  std::string missing;
  for (int number = 1, named = 0; named < std::min(all, kMostNamed); ++number) {
    if (files.contains(number)) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", number);
    ++named;
  }
  if (all > kMostNamed) missing += fmt::format(" and {} more", all - kMostNamed);
  return fmt::format("of {} shards these are missing: {}", count, missing);
}

}  // namespace

StoredStudy merge_studies(const std::vector<std::filesystem::path>& paths, Progress& progress) {
  std::map<int, std::string> files;
  StoredStudy merged;
  int count = 0;
  for (std::size_t at = 0; at < paths.size(); ++at) {
    progress.step(static_cast<double>(at) / static_cast<double>(paths.size()), "merging shards");
    const std::string name = paths[at].string();
    StoredStudy shard = read_study(paths[at]);
    const StudyPart& part = shard.study.part;
    if (!part.is_complete) {
      const bool is_whole = part.count == 1;
      refuse_merge(name, is_whole ? "this study is not finished" : fmt::format("shard {}/{} is not finished", part.number, part.count),
                   is_whole ? "Open it in the window and press Go on, or run its command again with -o and this file"
                            : "Run its command again: it goes on");
    }
    if (at > 0 && part.count != count) {
      const auto what = [](int shards) { return shards == 1 ? std::string("a whole study") : fmt::format("a shard of {}", shards); };
      refuse_merge(name, fmt::format("this is {}, and {} is {}", what(part.count), files.begin()->second, what(count)));
    }
    if (const auto [known, is_new] = files.try_emplace(part.number, name); !is_new) {
      refuse_merge(name, fmt::format("shard {}/{} is there twice: {} is the same", part.number, part.count, known->second));
    }
    if (at == 0) {
      count = part.count;
      merged = std::move(shard);
      continue;
    }
    if (const std::string difference = merged.manifest.difference(shard.manifest); !difference.empty()) {
      refuse_merge(name, fmt::format("this shard is of another study than {}: {} differ", files.begin()->second, difference));
    }
    if (merged.study.heads() != shard.study.heads()) refuse_merge(name, "this shard has other heads");
    merged.study.add(shard.study);
  }
  if (std::ssize(files) < count) refuse_merge("merge", missing_text(files, count));
  merged.study.part = {1, 1, merged.study.part.next, true};
  return merged;
}

}  // namespace headlight
