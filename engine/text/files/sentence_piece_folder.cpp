// A SentencePiece model and what each family makes of it: the order of its ids, its special tokens, and what is done to the text first.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/file_names.h"
#include "engine/text/files/folder_settings.h"
#include "engine/text/files/sentence_piece_file.h"
#include "engine/text/files/vocabulary_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Pieces = std::vector<SentencePiece>;

void keep_order(Pieces& /*pieces*/) {}

/// Fairseq's special tokens come first: SentencePiece's <unk>, <s>, </s> are replaced by <s>, <pad>, </s>, <unk>; <mask> comes last.
void order_as_xlm_roberta(Pieces& pieces) {
  pieces.erase(pieces.begin(), pieces.begin() + std::min<std::ptrdiff_t>(3, static_cast<std::ptrdiff_t>(pieces.size())));
  pieces.insert(pieces.begin(), {{"<s>", 0, PieceType::control},
                                 {"<pad>", 0, PieceType::control},
                                 {"</s>", 0, PieceType::control},
                                 {"<unk>", 0, PieceType::unknown}});
  pieces.push_back({"<mask>", 0, PieceType::control});
}

/// Four tokens come before SentencePiece's, whose own <unk> is not used.
void order_as_camembert(Pieces& pieces) {
  for (SentencePiece& piece : pieces) {
    if (piece.type == PieceType::unknown) piece = {"<unk>NOTUSED", 0, PieceType::control};
  }
  pieces.insert(pieces.begin(), {{"<s>NOTUSED", 0, PieceType::control},
                                 {"<pad>", 0, PieceType::control},
                                 {"</s>NOTUSED", 0, PieceType::control},
                                 {"<unk>", 0, PieceType::unknown}});
  pieces.push_back({"<mask>", 0, PieceType::control});
}

struct Surroundings {
  const FolderSettings& settings;
  const Vocabulary& vocabulary;
  const std::string& file;
  SpecialToken special(const std::string& key, const std::string& fallback) const {
    return settings.special(key, fallback, vocabulary, file);
  }
};
using PostProcessorPointer = std::unique_ptr<const PostProcessor>;

/// A </s>
PostProcessorPointer end_each(const Surroundings& of) {
  const SpecialToken end = of.special("eos_token", "</s>");
  return make_template_processor({{}, {end}}, {{}, {end}, {}, {end}});
}

/// [CLS] A [SEP]
PostProcessorPointer surround_as_bert(const Surroundings& of) {
  return make_bert_processor(of.special("cls_token", "[CLS]"), of.special("sep_token", "[SEP]"));
}

/// <s> A </s>
PostProcessorPointer surround_as_roberta(const Surroundings& of) {
  const SpecialToken start = of.special("cls_token", "<s>");
  const SpecialToken end = of.special("sep_token", "</s>");
  return make_template_processor({{start}, {}, {end}}, {{start}, {}, {end}, {end}, {}, {end}});
}

/// What the settings ask for: <s> A </s>, either or none.
PostProcessorPointer surround_as_stated(const Surroundings& of, bool adds_start) {
  TokenTemplate single;
  TokenTemplate pair;
  for (int type : {0, 1}) {
    const auto add = [&](TemplatePart part) {
      if (type == 0) single.push_back(part);
      part.type_id = type;
      pair.push_back(std::move(part));
    };
    if (of.settings.boolean_or("add_bos_token", adds_start)) add({of.special("bos_token", "<s>")});
    add({});
    if (of.settings.boolean_or("add_eos_token", false)) add({of.special("eos_token", "</s>")});
  }
  return single.size() == 1 ? nullptr : make_template_processor(single, pair);
}
PostProcessorPointer start_each(const Surroundings& of) {
  return surround_as_stated(of, true);
}
PostProcessorPointer surround_if_stated(const Surroundings& of) {
  return surround_as_stated(of, false);
}

/// A family: how its tokenizer class is named, and what it does.
struct Family {
  std::initializer_list<std::string_view> kinds;
  void (*order)(Pieces& pieces);
  PostProcessorPointer (*surround)(const Surroundings& of);
  std::int64_t extra_ids = 0;  ///< T5's <extra_id_0> … after the pieces, the first one last
  bool cleans_as_albert = false;
};
const Family kFamilies[] = {
    {{"t5", "mt5", "umt5", "longt5", "switchtransformers"}, keep_order, end_each, 100, false},
    {{"albert"}, keep_order, surround_as_bert, 0, true},
    {{"debertav2", "deberta"}, keep_order, surround_as_bert, 0, false},
    {{"xlmroberta"}, order_as_xlm_roberta, surround_as_roberta, 0, false},
    {{"camembert"}, order_as_camembert, surround_as_roberta, 0, false},
    {{"llama", "codellama", "mistral", "mixtral", "phi3", "gemma", "gemma2", "gemma3", "gemma3text"}, keep_order, start_each, 0, false},
};
const Family kOther = {{}, keep_order, surround_if_stated, 0, false};

const Family& family_of(const FolderSettings& settings) {
  const auto family =
      std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const Family& row) { return settings.is_kind(row.kinds); });
  return family == std::end(kFamilies) ? kOther : *family;
}

/// T5's sentinels count down from the end of the vocabulary.
void add_extra_ids(std::int64_t count, std::size_t pieces, std::vector<AddedToken>& into) {
  for (std::int64_t at = 0; at < count; ++at) {
    AddedToken token;
    token.content = fmt::format("<extra_id_{}>", at);
    token.id = static_cast<std::int64_t>(pieces) + count - 1 - at;
    token.is_special = true;
    const auto same = [&](const AddedToken& other) { return other.content == token.content; };
    if (std::none_of(into.begin(), into.end(), same)) into.push_back(std::move(token));
  }
}

/// github.com/google-research/albert, tokenization.py, preprocess_text
std::unique_ptr<const Normalizer> make_albert_cleaning(const FolderSettings& settings, const std::string& file) {
  Json steps = Json::array();
  for (const char* quotes : {"``", "''"}) steps.push_back({{"type", "Replace"}, {"pattern", {{"String", quotes}}}, {"content", "\""}});
  if (!settings.boolean_or("keep_accents", false)) {
    steps.push_back({{"type", "NFKD"}});
    steps.push_back({{"type", "StripAccents"}});
  }
  if (settings.boolean_or("do_lower_case", true)) steps.push_back({{"type", "Lowercase"}});
  return make_normalizer({{"type", "Sequence"}, {"normalizers", steps}}, file, "normalizer");
}

}  // namespace

std::string sentence_piece_name(const fs::path& folder) {
  for (const char* name : {"spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "spm.model", "sentencepiece.model"}) {
    if (has_file(folder, name)) return name;
  }
  std::string found;
  for (const std::string& name : file_names_in(folder)) {
    if (!name.ends_with(".model") || name == ".model") continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

TokenizerParts read_sentence_piece(const fs::path& folder) {
  TokenizerParts parts;
  const fs::path path = folder / sentence_piece_name(folder);
  const std::string name = printable_path(path);
  parts.file = name;
  SentencePieceFile file = read_sentence_piece_file(read_tokenizer_file(path), name);
  const FolderSettings settings(folder, parts.warnings);
  const Family& family = family_of(settings);
  family.order(file.pieces);
  parts.model = make_sentence_piece_model(file, parts.warnings);
  const Vocabulary& vocabulary = parts.model->vocabulary();

  std::vector<std::string> special;
  for (const SentencePiece& piece : file.pieces) {
    const bool is_special = piece.type == PieceType::control || piece.type == PieceType::unknown;
    if (is_special && !piece.text.ends_with("NOTUSED")) special.push_back(piece.text);
  }
  parts.added_tokens = settings.added_tokens(vocabulary, special);
  constexpr std::int64_t kMostExtraIds = 10'000;
  add_extra_ids(settings.integer_or("extra_ids", family.extra_ids, kMostExtraIds), file.pieces.size(), parts.added_tokens);

  std::vector<std::unique_ptr<const Normalizer>> steps;
  if (family.cleans_as_albert) steps.push_back(make_albert_cleaning(settings, name));
  steps.push_back(make_sentence_piece_normalizer(file));
  parts.normalizer = make_normalizer_sequence(std::move(steps));
  parts.post_processor = family.surround({settings, vocabulary, name});
  parts.decoder = make_sentence_piece_decoder(file.adds_dummy_prefix);
  parts.labels = LabelScheme::metaspace;
  return parts;
}

}  // namespace headlight
