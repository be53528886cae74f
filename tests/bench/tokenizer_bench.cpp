// Loading tokenizers and cutting text with them: `build/tests/bench_tokenizer`. Files are made here from random words of fixed seeds;
// GPT-2's own are read from the reference folder where they are found.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "engine/text/files/load_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// Words of 2 to 12 letters, the frequent ones short.
class Words {
 public:
  explicit Words(unsigned seed) : random_(seed) {}
  std::string next() {
    static constexpr std::string_view kLetters = "eeeeetttaaaooiinnsshhrrddlluucmfwypvbgkjqxz";
    std::string word;
    for (std::size_t size = 2 + random_() % 6 + random_() % 6; size > 0; --size) word += kLetters[random_() % kLetters.size()];
    return word;
  }
  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  std::mt19937 random_;
};

std::string json_text(const std::string& token) {
  return '"' + token + '"';
}

/// As saved with indentation, like Gemma's file of 34 MB.
std::string merge_of(const std::string& left, const std::string& right) {
  return "\n      [\n        " + json_text(left) + ",\n        " + json_text(right) + "\n      ]";
}

/// A text of `bytes` bytes, from 20,000 words as English has it: the n-th word about 1/n as often as the first.
std::string english(std::size_t bytes) {
  Words words(2);
  std::vector<std::string> known;
  for (int word = 0; word < 20'000; ++word) known.push_back(words.next());
  std::string text;
  while (text.size() < bytes) {
    const double rank = std::pow(20'000.0, static_cast<double>(words.pick(1'000'000)) / 1e6) - 1;
    text += known[static_cast<std::size_t>(rank)] + (words.pick(12) == 0 ? ". " : " ");
  }
  text.resize(bytes);
  return text;
}

/// Like Gemma's: byte fallback, 256,000 tokens, about 500,000 merges, no pre-tokenizer.
std::string large_bpe() {
  Words words(1);
  std::vector<std::string> tokens = {"<unk>", "<s>", "\u2581"};
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(fmt::format("<0x{:02X}>", byte));
  for (char letter = 'a'; letter <= 'z'; ++letter) tokens.emplace_back(1, letter);
  std::set<std::string> known(tokens.begin(), tokens.end());
  std::string merges;
  std::size_t count = 0;
  while (tokens.size() < 256'000) {
    const std::string word = (words.pick(2) == 0 ? "\u2581" : "") + words.next();
    const std::size_t first = word.starts_with("\u2581") ? 3 : 1;
    std::string left = word.substr(0, first);
    for (std::size_t at = first; at < word.size(); ++at) {
      const std::string right = word.substr(at, 1);
      if (known.insert(left + right).second) {
        tokens.push_back(left + right);
        merges += (count++ == 0 ? "" : ",") + merge_of(left, right);
      }
      left += right;
    }
  }
  // As in real files, most tokens can be made in several ways.
  for (const std::string& token : tokens) {
    for (std::size_t cut = 1; cut + 1 < token.size() && count < 500'000; ++cut) {
      const std::string left = token.substr(0, cut), right = token.substr(cut);
      if (!known.contains(left) || !known.contains(right)) continue;
      merges += "," + merge_of(left, right);
      ++count;
    }
  }
  std::string vocabulary;
  for (std::size_t id = 0; id < tokens.size(); ++id)
    vocabulary += fmt::format("{}{}:{}", id == 0 ? "" : ",\n      ", json_text(tokens[id]), id);
  return R"({"version":"1.0","normalizer":{"type":"Replace","pattern":{"String":" "},"content":"▁"},"model":{"type":"BPE",)"
         R"("unk_token":"<unk>","fuse_unk":true,"byte_fallback":true,"vocab":{)" +
         vocabulary + "},\"merges\":[" + merges + "]}}";
}

std::string large_unigram() {
  Words words(3);
  std::set<std::string> known;
  std::string vocabulary = R"(["<unk>",0],["▁",-3])";
  const auto add = [&](const std::string& token, double score) {
    if (known.insert(token).second) vocabulary += fmt::format(",\n      [\"{}\",{:.10f}]", token, score);
  };
  for (char letter = 'a'; letter <= 'z'; ++letter) add(std::string(1, letter), -9);
  while (known.size() < 250'000) add((words.pick(2) == 0 ? "▁" : "") + words.next(), -8 - static_cast<double>(words.pick(100'000)) / 1e4);
  return R"({"version":"1.0","pre_tokenizer":{"type":"Metaspace"},"model":{"type":"Unigram","unk_id":0,"vocab":[)" + vocabulary + "]}}";
}

const fs::path& folder_of(const std::string& name, std::string (*make)()) {
  static std::map<std::string, std::unique_ptr<testing::TemporaryFolder>> folders;
  auto& folder = folders[name];
  if (folder == nullptr) {
    folder = std::make_unique<testing::TemporaryFolder>();
    folder->file("tokenizer.json", make());
  }
  return folder->path();
}

std::optional<fs::path> gpt2_folder() {
  for (const fs::path& root : testing::reference_folders()) {
    if (fs::exists(root / "tokenizers" / "gpt2" / "merges.txt")) return root / "tokenizers" / "gpt2";
  }
  return std::nullopt;
}

std::optional<fs::path> folder_named(std::string_view name) {
  if (name == "gpt2") return gpt2_folder();
  return name == "bpe" ? folder_of("bpe", large_bpe) : folder_of("unigram", large_unigram);
}

void Load(benchmark::State& state, std::string_view name) {
  const std::optional<fs::path> folder = folder_named(name);
  if (!folder) return state.SkipWithError("not found");
  for (auto _ : state) benchmark::DoNotOptimize(load_tokenizer(*folder));
  double bytes = 0;
  for (const char* file : {"tokenizer.json", "vocab.json", "merges.txt"}) {
    if (fs::exists(*folder / file)) bytes += static_cast<double>(fs::file_size(*folder / file));
  }
  state.counters["MB"] = bytes / 1e6;
}
BENCHMARK_CAPTURE(Load, gpt2, "gpt2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Load, bpe_256k_tokens_500k_merges, "bpe")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Load, unigram_250k_tokens, "unigram")->Unit(benchmark::kMillisecond);

void Encode(benchmark::State& state, std::string_view name, bool has_blanks) {
  const std::optional<fs::path> folder = folder_named(name);
  if (!folder) return state.SkipWithError("not found");
  const auto tokenizer = load_tokenizer(*folder);
  std::string text = english(static_cast<std::size_t>(state.range(0)));
  if (!has_blanks) std::erase_if(text, [](char letter) { return letter == ' ' || letter == '.'; });
  std::size_t tokens = 0;
  for (auto _ : state) tokens = tokenizer->encode(text, std::nullopt).tokens.size();
  state.counters["tokens"] = static_cast<double>(tokens);
}
BENCHMARK_CAPTURE(Encode, gpt2_english, "gpt2", true)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Encode, gpt2_one_word, "gpt2", false)->Arg(250'000)->Arg(500'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Encode, bpe_english, "bpe", true)->Arg(250'000)->Arg(500'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Encode, bpe_one_word, "bpe", false)->Arg(250'000)->Arg(500'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Encode, unigram_english, "unigram", true)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Encode, unigram_one_word, "unigram", false)->Arg(250'000)->Arg(500'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headlight

BENCHMARK_MAIN();
