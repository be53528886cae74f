#include "engine/text/files/gguf_tokenizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "engine/core/error.h"
#include "engine/text/files/gguf_cuts.h"
#include "engine/text/files/pipeline_tokenizer.h"
#include "engine/text/models/bpe.h"
#include "engine/text/models/score_bpe.h"

namespace headlight {
namespace {

constexpr const char* kModelKey = "tokenizer.ggml.model";
constexpr const char* kPreKey = "tokenizer.ggml.pre";
constexpr const char* kTokensKey = "tokenizer.ggml.tokens";
constexpr const char* kMergesKey = "tokenizer.ggml.merges";
constexpr const char* kScoresKey = "tokenizer.ggml.scores";
constexpr const char* kTypesKey = "tokenizer.ggml.token_type";
constexpr std::string_view kGgufBlankMark = "\xe2\x96\x81";  // "▁"

// The largest vocabularies have about 256,000 tokens; a list of strings takes more memory than its bytes on disk.
constexpr std::uint64_t kMostTokens = 4'000'000;

/// Tokens that llama.cpp knows by their text, whatever type the file gives them: where the file has none of the keys, a token with one of
/// the names, which are separated by blanks, is of the type (llama-vocab.cpp, llama_vocab::impl::load).
struct KnownNames {
  PieceType type;
  std::string_view names;
  std::array<const char*, 2> keys = {};  // after "tokenizer.ggml."
};
constexpr KnownNames kKnownNames[] = {
    {PieceType::control,
     "<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> </s> <|eom_id|> <EOT> _<EOT> "
     "[EOT] [EOS] <|end_of_text|> <end_of_utterance> <eos> <｜end▁of▁sentence｜> [e~["},
    {PieceType::control,
     "<|fim_prefix|> <fim-prefix> <fim_prefix> <｜fim▁begin｜> <PRE> ▁<PRE> <|code_prefix|> <|prefix|>",
     {"fim_pre_token_id", "prefix_token_id"}},
    {PieceType::control,
     "<|fim_suffix|> <fim-suffix> <fim_suffix> <｜fim▁hole｜> <SUF> ▁<SUF> <|code_suffix|> <|suffix|>",
     {"fim_suf_token_id", "suffix_token_id"}},
    {PieceType::control,
     "<|fim_middle|> <fim-middle> <fim_middle> <｜fim▁end｜> <MID> ▁<MID> <|code_middle|> <|middle|>",
     {"fim_mid_token_id", "middle_token_id"}},
    {PieceType::control, "<|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]", {"fim_pad_token_id"}},
    {PieceType::control, "<|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame>", {"fim_rep_token_id"}},
    {PieceType::control, "<|file_sep|>", {"fim_sep_token_id"}},
    {PieceType::user_defined, "<|channel|> <|message|> <|start|> <|constrain|>"},
};

std::vector<std::string> read_tokens(const GgufFile& file) {
  const std::uint64_t count = file.count(kTokensKey);
  if (count == 0 || count > kMostTokens) {
    file.refuse(kTokensKey, "the number of tokens is out of range", std::to_string(count), fmt::format("1 to {}", kMostTokens));
  }
  std::vector<std::string> tokens = file.texts(kTokensKey);
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (repair_utf8(tokens[id]).replaced == 0) continue;
    file.refuse(kTokensKey, fmt::format("token {} is not valid UTF-8", id), in_quotes(tokens[id]));
  }
  return tokens;
}

void check_entry_count(const GgufFile& file, const char* key, std::size_t tokens) {
  if (file.count(key) == tokens) return;
  file.refuse(key, "there are not as many entries as tokens", std::to_string(file.count(key)), std::to_string(tokens));
}

std::vector<PieceType> read_piece_types(const GgufFile& file, std::size_t tokens) {
  std::vector<PieceType> types(tokens, PieceType::normal);
  if (!file.has(kTypesKey)) return types;
  check_entry_count(file, kTypesKey, tokens);
  const std::vector<std::int64_t> numbers = file.integers(kTypesKey);
  for (std::size_t id = 0; id < tokens; ++id) {
    if (numbers[id] == 0) continue;  // undefined, as old files have it
    if (numbers[id] < 1 || numbers[id] > static_cast<std::int64_t>(PieceType::byte)) {
      file.refuse(kTypesKey, fmt::format("the type of token {} is unknown", id), std::to_string(numbers[id]), "0 to 6");
    }
    types[id] = static_cast<PieceType>(numbers[id]);
  }
  return types;
}

void set_known_types(const GgufFile& file, const std::vector<std::string>& tokens, std::vector<PieceType>& types) {
  std::map<std::string_view, PieceType> known;
  for (const KnownNames& row : kKnownNames) {
    const auto has = [&](const char* key) { return key != nullptr && file.has(std::string("tokenizer.ggml.") + key); };
    if (std::any_of(row.keys.begin(), row.keys.end(), has)) continue;
    for (const std::string_view name : names_in(row.names)) known.emplace(name, row.type);
  }
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (const auto item = known.find(tokens[id]); item != known.end()) types[id] = item->second;
  }
}

/// Tokens that are found in text before anything else: control tokens, and those that were added to the vocabulary.
std::vector<AddedToken> find_added_tokens(const std::vector<std::string>& tokens, const std::vector<PieceType>& types) {
  std::vector<AddedToken> added;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const bool is_special = types[id] == PieceType::control || types[id] == PieceType::unknown;
    if (tokens[id].empty() || (!is_special && types[id] != PieceType::user_defined)) continue;
    AddedToken token;
    token.id = static_cast<std::int64_t>(id);
    token.content = tokens[id];
    token.is_special = is_special;
    added.push_back(std::move(token));
  }
  return added;
}

/// The token that a value names by its id; where the file does not have the value, or has it as -1, the usual one, if there is such a
/// token.
std::optional<std::int64_t> read_token_id(const GgufFile& file, const std::string& key, std::size_t tokens,
                                          std::optional<std::int64_t> usual) {
  constexpr std::int64_t kNoToken = 0xFFFFFFFF;
  if (usual && *usual >= static_cast<std::int64_t>(tokens)) usual.reset();
  if (!file.has(key)) return usual;
  const std::int64_t id = file.integer(key, -1, kNoToken);
  if (id == -1 || id == kNoToken) return usual;
  return file.integer(key, 0, static_cast<std::int64_t>(tokens) - 1);
}

/// A token at one end of each sentence: which one, and whether it is there when the file does not say.
struct EndRule {
  bool is_added = false;
  std::optional<std::int64_t> id = {};
};

/// Begin and end tokens around each sentence, where the file asks for them.
std::unique_ptr<const PostProcessor> make_ends(const GgufFile& file, const std::vector<std::string>& tokens, EndRule begins, EndRule ends) {
  Json single = Json::array(), pair = Json::array(), special = Json::object();
  const auto add_special = [&](std::int64_t id, int sentence) {
    const std::string& text = tokens[static_cast<std::size_t>(id)];
    special[text] = {{"id", text}, {"ids", {static_cast<std::uint64_t>(id)}}, {"tokens", {text}}};
    const Json entry = {{"SpecialToken", {{"id", text}, {"type_id", sentence}}}};
    if (sentence == 0) single.push_back(entry);
    pair.push_back(entry);
  };
  const auto find = [&](EndRule usual, const std::string& add_key, const std::string& id_key) -> std::optional<std::int64_t> {
    if (!file.boolean_or(add_key, usual.is_added)) return std::nullopt;
    const std::optional<std::int64_t> id = read_token_id(file, id_key, tokens.size(), usual.id);
    if (!id && file.has(add_key)) file.refuse(id_key, "a token should be added, but the file does not say which one");
    return id;
  };
  const auto begin = find(begins, "tokenizer.ggml.add_bos_token", "tokenizer.ggml.bos_token_id");
  const auto end = find(ends, "tokenizer.ggml.add_eos_token", "tokenizer.ggml.eos_token_id");
  if (!begin && !end) return nullptr;
  for (const int sentence : {0, 1}) {
    if (begin) add_special(*begin, sentence);
    const Json entry = {{"Sequence", {{"id", sentence == 0 ? "A" : "B"}, {"type_id", sentence}}}};
    if (sentence == 0) single.push_back(entry);
    pair.push_back(entry);
    if (end) add_special(*end, sentence);
  }
  return make_post_processor({{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", special}}, file.name(),
                             "tokenizer.ggml");
}

BpeMerges read_gguf_merges(const GgufFile& file) {
  BpeMerges merges;
  merges.file = file.name();
  merges.place = [](std::size_t index) { return fmt::format("metadata {}[{}]", kMergesKey, index); };
  if (file.count(kMergesKey) > kMostTokens) {
    file.refuse(kMergesKey, "too many merges", std::to_string(file.count(kMergesKey)), fmt::format("at most {}", kMostTokens));
  }
  for (const std::string& line : file.texts(kMergesKey)) {
    const std::size_t blank = line.find(' ', 1);
    if (line.empty() || blank == std::string::npos || blank + 1 == line.size()) {
      file.refuse(kMergesKey, fmt::format("merge {} is not a pair of tokens", merges.rules.size()), in_quotes(line), "\"a b\"");
    }
    merges.rules.push_back({line.substr(0, blank), line.substr(blank + 1)});
  }
  return merges;
}

/// Byte-level BPE, as GPT-2 has it.
TokenizerParts read_byte_level(const GgufFile& file) {
  const GgufCut& cut = find_gguf_cut(file);
  TokenizerParts parts;
  parts.file = file.name();
  std::vector<std::string> tokens = read_tokens(file);
  std::vector<PieceType> types = read_piece_types(file, tokens.size());
  set_known_types(file, tokens, types);
  parts.added_tokens = find_added_tokens(tokens, types);
  parts.precedence = Precedence::longest;
  parts.post_processor = make_ends(file, tokens, {cut.starts_with_begin_token}, {});
  if (!file.has(kPreKey)) parts.warnings.push_back(file.name() + ": the file names no pre-tokenizer; the default one is used");
  Json steps = Json::array();
  for (const char* pattern : cut.patterns) {
    steps.push_back({{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}});
  }
  steps.push_back({{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}});
  parts.pre_tokenizer = make_pre_tokenizer({{"type", "Sequence"}, {"pretokenizers", steps}}, file.name(), kPreKey);
  Vocabulary vocabulary(std::move(tokens), [&](std::size_t first, std::size_t last) {
    parts.warnings.push_back(fmt::format("{}: the tokens {} and {} are the same", file.name(), first, last));
  });
  BpeOptions options;
  options.ignores_merges = cut.ignores_merges;
  parts.model = std::make_unique<BpeModel>(std::move(vocabulary), read_gguf_merges(file), options, parts.warnings);
  parts.decoder = make_decoder({{"type", "ByteLevel"}}, file.name(), kModelKey);
  parts.labels = LabelScheme::byte_level;
  return parts;
}

/// SentencePiece's BPE by scores, as Llama 1 and 2 and Mistral have it.
TokenizerParts read_pieces(const GgufFile& file) {
  TokenizerParts parts;
  parts.file = file.name();
  const std::vector<std::string> tokens = read_tokens(file);
  std::vector<PieceType> types = read_piece_types(file, tokens.size());
  set_known_types(file, tokens, types);
  check_entry_count(file, kScoresKey, tokens.size());
  const std::vector<float> scores = file.numbers(kScoresKey);
  std::vector<SentencePiece> pieces(tokens.size());
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (!std::isfinite(scores[id]))
      file.refuse(kScoresKey, fmt::format("the score of token {} is not a number", id), std::to_string(scores[id]));
    pieces[id] = {tokens[id], scores[id], PieceType::normal};  // whatever its type, a token is used once merging gives its text
  }
  parts.added_tokens = find_added_tokens(tokens, types);
  parts.precedence = Precedence::longest;
  parts.post_processor = make_ends(file, tokens, {true, 1}, {false, 2});
  Json steps = Json::array();
  const bool adds_blank = file.boolean_or("tokenizer.ggml.add_space_prefix", true);
  if (adds_blank) steps.push_back({{"type", "Prepend"}, {"prepend", kGgufBlankMark}});
  steps.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kGgufBlankMark}});
  parts.normalizer = make_normalizer({{"type", "Sequence"}, {"normalizers", steps}}, file.name(), kModelKey);
  UnknownPieces unknown;
  unknown.id = read_token_id(file, "tokenizer.ggml.unknown_token_id", tokens.size(), 0);
  unknown.has_byte_fallback = true;
  parts.model = std::make_unique<ScoreBpeModel>(std::move(pieces), unknown, file.name(), parts.warnings);
  // As in the tokenizer.json files of these models: marks become blanks, bytes characters, and the blank put first is taken away.
  const Json marks = {{"type", "Replace"}, {"pattern", {{"String", kGgufBlankMark}}}, {"content", " "}};
  Json back = Json::array({marks, {{"type", "ByteFallback"}}, {{"type", "Fuse"}}});
  if (adds_blank) back.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  parts.decoder = make_decoder({{"type", "Sequence"}, {"decoders", back}}, file.name(), kModelKey);
  parts.labels = LabelScheme::metaspace;
  return parts;
}

}  // namespace

std::shared_ptr<const Tokenizer> load_gguf_tokenizer(const GgufFile& file) {
  if (!file.has(kModelKey)) file.refuse(kModelKey, "the file has no tokenizer");
  const std::string kind = file.text(kModelKey);
  if (kind == "gpt2") return make_pipeline_tokenizer(read_byte_level(file));
  if (kind == "llama") return make_pipeline_tokenizer(read_pieces(file));
  file.refuse(kModelKey, "this kind of tokenizer is not supported in GGUF files", in_quotes(kind), "one of: gpt2, llama");
}

}  // namespace headlight
