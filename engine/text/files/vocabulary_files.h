// Tokenizers of folders without a tokenizer.json: one reader per kind of vocabulary file. What is not in the files is as in Hugging Face's
// tokenizer classes; tokenizer_config.json or config.json says which class that is (folder_settings.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/text/files/pipeline_tokenizer.h"

namespace headlight {

/// vocab.txt: a token per line, as for BERT. Throws Error (input) naming the line.
TokenizerParts read_vocab_txt(const std::filesystem::path& folder);

/// vocab.json and merges.txt: byte-level BPE as for GPT-2, RoBERTa and BART, OPT, Qwen.
TokenizerParts read_vocab_and_merges(const std::filesystem::path& folder);

/// The SentencePiece model of a folder: one of the names that the ecosystem gives it, else the only *.model; empty when there is none.
std::string sentence_piece_name(const std::filesystem::path& folder);
/// A SentencePiece model as for T5, ALBERT, XLM-R, CamemBERT, Llama, Mistral and Gemma.
TokenizerParts read_sentence_piece(const std::filesystem::path& folder);

/// source.spm, target.spm and vocab.json, as for Marian.
bool has_marian_files(const std::filesystem::path& folder);
std::shared_ptr<const Tokenizer> load_marian(const std::filesystem::path& folder);

}  // namespace headlight
