// vocab.json and merges.txt: byte-level BPE.
#include <utility>

#include "engine/text/files/folder_settings.h"
#include "engine/text/files/vocabulary_files.h"
#include "engine/text/models/bpe.h"

namespace headlight {
namespace {

// github.com/huggingface/transformers, tokenization_qwen2.py
constexpr const char* kQwenPattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// RoBERTa's special tokens are in the vocabularies of its relatives; GPT-2 has none of them.
bool is_robertas(const FolderSettings& settings, const Vocabulary& vocabulary) {
  if (settings.is_kind({"roberta", "bart", "longformer", "led", "mvp", "xlmroberta"})) return true;
  if (!settings.kind().empty()) return false;
  return vocabulary.id_of("<s>") && vocabulary.id_of("</s>") && vocabulary.id_of("<mask>") && !vocabulary.id_of("<|endoftext|>");
}

void become_roberta(const FolderSettings& settings, const std::string& file, TokenizerParts& parts) {
  const Vocabulary& vocabulary = parts.model->vocabulary();
  parts.added_tokens = settings.added_tokens(vocabulary, {"<s>", "<pad>", "</s>", "<unk>", "<mask>"});
  for (AddedToken& token : parts.added_tokens) {
    if (token.content == "<mask>") token.strips_left = true;
  }
  const SpecialToken start = settings.special("cls_token", "<s>", vocabulary, file);
  parts.post_processor = make_roberta_processor(start, settings.special("sep_token", "</s>", vocabulary, file));
}

/// OPT's vocabulary has RoBERTa's special tokens, of which it puts one before the text.
void become_gpt2(const FolderSettings& settings, const std::string& file, TokenizerParts& parts) {
  const Vocabulary& vocabulary = parts.model->vocabulary();
  const bool is_opt = settings.is_kind({"opt"});
  const std::vector<std::string> special = {"<s>", "<pad>", "</s>", "<unk>"};
  parts.added_tokens = settings.added_tokens(vocabulary, is_opt ? special : std::vector<std::string>{"<|endoftext|>"});
  if (!settings.boolean_or("add_bos_token", is_opt)) return;
  const SpecialToken start = settings.special("bos_token", is_opt ? "</s>" : "<|endoftext|>", vocabulary, file);
  parts.post_processor = make_template_processor({{start}, {}}, {{start}, {}, {start, 1}, {std::nullopt, 1}});
}

}  // namespace

TokenizerParts read_vocab_and_merges(const std::filesystem::path& folder) {
  TokenizerParts parts;
  const std::string vocabulary_name = printable_path(folder / "vocab.json");
  parts.file = vocabulary_name;
  const std::string merges_name = printable_path(folder / "merges.txt");
  const JsonTree json = parse_json(read_tokenizer_file(folder / "vocab.json"), vocabulary_name, {}, &parts.warnings);
  Vocabulary vocabulary(JsonFields(*json, vocabulary_name), parts.warnings);
  const BpeMerges merges = read_merges(read_tokenizer_file(folder / "merges.txt"), merges_name, parts.warnings);
  const FolderSettings settings(folder, parts.warnings);
  const bool is_roberta = is_robertas(settings, vocabulary);
  parts.model = std::make_unique<BpeModel>(std::move(vocabulary), merges, BpeOptions{}, parts.warnings);
  if (is_roberta) {
    become_roberta(settings, vocabulary_name, parts);
  } else {
    become_gpt2(settings, vocabulary_name, parts);
  }
  const bool is_qwen = settings.is_kind({"qwen2", "qwen3"});
  if (is_qwen) parts.normalizer = make_unicode_normalizer(UnicodeForm::nfc);
  const std::string pattern = is_qwen ? kQwenPattern : "";
  parts.pre_tokenizer = make_byte_level({settings.boolean_or("add_prefix_space", false), true, pattern});
  parts.decoder = make_byte_level_decoder();
  parts.labels = LabelScheme::byte_level;
  return parts;
}

}  // namespace headlight
