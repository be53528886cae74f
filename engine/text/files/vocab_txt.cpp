// vocab.txt: BERT's vocabulary.
#include <fmt/core.h>

#include <unordered_map>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/files/folder_settings.h"
#include "engine/text/files/vocabulary_files.h"
#include "engine/text/models/word_piece.h"
#include "engine/text/steps/bert_normalizer.h"

namespace headlight {
namespace {

[[noreturn]] void refuse_line(const std::string& file, std::size_t line, std::uint64_t offset, std::string problem,
                              std::string_view found) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .field = fmt::format("line {}", line),
               .offset = offset,
               .problem = std::move(problem),
               .found = in_quotes(found)});
}

/// The lines by id. Empty ones keep their place, and are never found.
std::vector<std::string> read_lines(std::string_view bytes, const std::string& file, std::vector<std::string>& warnings) {
  std::vector<std::string> lines;
  std::unordered_map<std::string_view, std::size_t> seen;
  std::uint64_t offset = 0;
  if (bytes.starts_with("\xef\xbb\xbf")) {
    warnings.push_back(file + ": starts with a byte order mark, which was skipped");
    offset = 3;
  }
  std::size_t empty = 0;
  while (offset < bytes.size()) {
    const std::size_t end = std::min(bytes.find('\n', offset), bytes.size());
    std::string_view line = bytes.substr(offset, end - offset);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t number = lines.size() + 1;
    if (repair_utf8(line).replaced > 0) refuse_line(file, number, offset, "the token is not valid UTF-8", line);
    if (line.find('\0') != std::string_view::npos) refuse_line(file, number, offset, "the token holds a NUL character", line);
    empty += line.empty() ? 1 : 0;
    const auto [first, is_new] = seen.emplace(line, number);
    if (!is_new && !line.empty()) refuse_line(file, number, offset, fmt::format("the token is already in line {}", first->second), line);
    lines.emplace_back(line);
    offset = end + 1;
  }
  if (empty > 0) warnings.push_back(fmt::format("{}: {} {} empty", file, empty, empty == 1 ? "line is" : "lines are"));
  if (lines.size() == empty) throw Error({.kind = ErrorKind::input, .file = file, .problem = "the vocabulary is empty"});
  return lines;
}

}  // namespace

TokenizerParts read_vocab_txt(const std::filesystem::path& folder) {
  TokenizerParts parts;
  const FolderSettings settings(folder, parts.warnings);
  const std::string file = printable_path(folder / "vocab.txt");
  parts.file = file;
  Vocabulary vocabulary(read_lines(read_tokenizer_file(folder / "vocab.txt"), file, parts.warnings));

  WordPieceOptions options;
  options.unknown_token = settings.special_text("unk_token").value_or(options.unknown_token);
  BertNormalizerOptions normalizer;
  normalizer.lowercases = settings.boolean_or("do_lower_case", true);
  normalizer.strips_accents = settings.boolean("strip_accents");
  normalizer.surrounds_ideographs = settings.boolean_or("tokenize_chinese_chars", true);
  parts.added_tokens = settings.added_tokens(vocabulary, {"[PAD]", options.unknown_token, "[CLS]", "[SEP]", "[MASK]"});
  parts.model = std::make_unique<WordPieceModel>(std::move(vocabulary), options, file, "unk_token");
  const SpecialToken start = settings.special("cls_token", "[CLS]", parts.model->vocabulary(), file);
  const SpecialToken separator = settings.special("sep_token", "[SEP]", parts.model->vocabulary(), file);
  parts.normalizer = make_bert_normalizer(normalizer);
  parts.pre_tokenizer = make_bert_split();
  parts.post_processor = make_bert_processor(start, separator);
  parts.decoder = make_word_piece_decoder();
  return parts;
}

}  // namespace headlight
