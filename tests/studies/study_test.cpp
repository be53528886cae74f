// A corpus measured: in one run, in parts, stopped and gone on with, it comes out the same to the bit.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "engine/formats/csv.h"
#include "engine/formats/digest.h"
#include "engine/model/model.h"
#include "engine/studies/study_file.h"
#include "engine/studies/study_run.h"
#include "engine/studies/study_tables.h"
#include "tests/testing.h"

namespace headlight {
namespace {

/// A study's bytes with a piece of them replaced, and the checksum that belongs to that: whatever it says now reaches the reader.
std::string with(const std::string& bytes, const std::string& before, const std::string& after) {
  std::string changed = bytes.substr(0, bytes.size() - 64);
  const std::size_t at = changed.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  changed.replace(at, before.size(), after);
  Digest digest = Digest::sha256();
  digest.add(std::as_bytes(std::span(changed)));
  return changed + digest.hex();
}

class Studied : public ::testing::Test {
 protected:
  void SetUp() override {
    query.model.sandbox = {.layers = 2, .d_model = 16, .heads = 2};
    manifest.version = "test";
    manifest.model_digest = "model";
    manifest.corpus_digest = "corpus";
    manifest.measures = {"normalised-entropy", "induction", "mean-distance", "previous-abs", "output-norm-ratio", "next-token"};
    manifest.length_edges = {4, 8};
    manifest.top = 3;
    manifest.longest = 12;
    std::string lines;
    const std::vector<std::string> words = {"the", "cat", "sat", "on", "a", "mat", "and", "dog"};
    for (std::size_t line = 0; line < 90; ++line) {
      for (std::size_t word = 0; word < line % 14; ++word)
        lines += (word == 0 ? "" : " ") + words[(line * line + word * (line + 3)) % words.size()];
      lines += "\n";
    }
    path = folder.file("texts.txt", lines);
  }

  StoredStudy study(StudyPart part = {}, int threads = 1, std::uint64_t stop_after = ~std::uint64_t{0}) {
    const StudySettings settings = manifest.settings();
    const PassingRun passing(make_sandbox(query.model.sandbox), query);
    StoredStudy stored{manifest, CorpusStudy(heads_of(passing), settings)};
    stored.study.part = part;
    go_on(stored.study, threads, stop_after);
    return stored;
  }
  void go_on(CorpusStudy& study, int threads = 1, std::uint64_t stop_after = ~std::uint64_t{0}) {
    const StudySettings settings = manifest.settings();
    const PassingRun passing(make_sandbox(query.model.sandbox), query);
    ThreadPool pool(threads);
    SilentProgress progress;
    CorpusReader corpus(path, corpus_format(path, "", false));
    run_study(
        {.run = passing, .settings = settings, .query = query, .pool = pool, .should_stop = [&] { return study.part.next >= stop_after; }},
        corpus, study, progress);
  }
  std::string bytes(const StoredStudy& stored) { return study_bytes(stored.manifest, stored.study); }

  const testing::TemporaryFolder folder;
  std::filesystem::path path;
  Query query;
  StudyManifest manifest;
};

TEST_F(Studied, MeansAreThoseOfTheTexts) {
  const StoredStudy stored = study();
  EXPECT_TRUE(stored.study.part.is_complete);
  std::int64_t texts = 0;
  for (std::size_t length = 0; length < 3; ++length) texts += stored.study.texts(length);
  EXPECT_EQ(texts + stored.study.counts.bad, 90 - 7) << "blank lines are none";
  EXPECT_EQ(stored.study.counts.bad, 6) << "13 tokens are too long";
  EXPECT_EQ(stored.study.bad_lines().front().line, 14U);
  const StudyCell& undefined = stored.study.cell(1, 0, 5);
  EXPECT_EQ(undefined.sum.count, 0) << "next token under a causal mask";
  EXPECT_TRUE(std::isnan(undefined.sum.mean()));
  const StudyCell& spread = stored.study.cell(2, 0, 0);
  EXPECT_EQ(spread.sum.count, stored.study.texts(2));
  EXPECT_GT(spread.sum.mean(), 0);
  EXPECT_GT(spread.sum.standard_error(), 0);
  ASSERT_EQ(spread.top.size(), 3U);
  EXPECT_GE(spread.top[0].value, spread.top[2].value);
}

TEST_F(Studied, OneThreeAndSixteenShardsAreOneRunToTheByte) {
  const std::string whole = bytes(study());
  for (const int count : {1, 3, 16}) {
    std::vector<std::filesystem::path> shards;
    for (int number = count; number >= 1; --number) {  // in any order
      const auto shard = folder / (std::to_string(count) + "-" + std::to_string(number));
      const StoredStudy part = study({number, count, 0, false}, 1 + number % 3);
      write_study(shard, part.manifest, part.study);
      shards.push_back(shard);
    }
    SilentProgress progress;
    const StoredStudy merged = merge_studies(shards, progress);
    EXPECT_EQ(bytes(merged), whole) << count << " shards";
  }
}

/// Lines of JSON that mix texts and token ids, equal as text.
class StudiedMix : public Studied {
 protected:
  void SetUp() override {
    Studied::SetUp();
    manifest.corpus = "mix.jsonl";
    manifest.length_edges = {};
    manifest.top = 20;
    path = folder.file("mix.jsonl",
                       "{\"text\": \"1 2 3\"}\n{\"text\": [1, 2, 3]}\n{\"text\": \"the cat sat\"}\n{\"text\": \"the cat sat\"}\n"
                       "{\"ids\": [1, 2, 3], \"text\": \"4 5\"}\n{\"text\": [1, 2, 3]}\n");
  }
  /// "line: text", with # before ids.
  static std::vector<std::string> kept(const StoredStudy& stored) {
    std::vector<std::string> texts;
    for (const TopExample& example : stored.study.cell(0, 0, 0).top)
      texts.push_back(fmt::format("{}: {}{}", example.line, example.is_ids ? "#" : "", *example.text));
    std::sort(texts.begin(), texts.end());
    return texts;
  }
};

TEST_F(StudiedMix, ExamplesKeepWhetherTheyWereIds) {
  const StoredStudy found = study();
  const std::vector<std::string> wanted = {"1: 1 2 3", "2: #1 2 3", "3: the cat sat", "5: 4 5"};
  EXPECT_EQ(kept(found), wanted) << "each text once, where it is first";
  EXPECT_EQ(kept(read_study_bytes(bytes(found), "file")), wanted);
  EXPECT_EQ(study_jsonl(found).find("\"is_ids\":true") != std::string::npos, true);
  const std::string older = with(bytes(found), ",\"id_texts\":[1]", "");
  std::vector<std::string> guessed = kept(read_study_bytes(older, "file"));
  ASSERT_EQ(guessed.size(), 3U) << "files that do not say: what looks like ids is read as ids, and then two texts are equal";
  EXPECT_TRUE(guessed[0].ends_with(": #1 2 3"));
  EXPECT_EQ(guessed[1], "3: the cat sat");
  EXPECT_EQ(guessed[2], "5: #4 5");
}

TEST_F(StudiedMix, ShardsKeepItThroughTheMergeToTheByte) {
  const std::string whole = bytes(study());
  std::vector<std::filesystem::path> shards;
  for (int number = 1; number <= 2; ++number) {
    const StoredStudy part = study({number, 2, 0, false});
    shards.push_back(folder / std::to_string(number));
    write_study(shards.back(), part.manifest, part.study);
  }
  SilentProgress progress;
  EXPECT_EQ(bytes(merge_studies(shards, progress)), whole);
}

TEST_F(StudiedMix, ATextFileNeverHoldsIdsUnlessItWasReadAsIds) {
  manifest.corpus = "mix.txt";
  path = folder.file("mix.txt", "1 2 3\nthe cat sat\n");
  const StoredStudy found = study();
  EXPECT_EQ(bytes(found).find("id_texts"), std::string::npos);
  EXPECT_EQ(kept(read_study_bytes(bytes(found), "file")), (std::vector<std::string>{"1: 1 2 3", "2: the cat sat"}));
}

TEST_F(Studied, WhatChanceGivesIsMeasuredBesideAndMergesToTheByte) {
  const StoredStudy plain = study();
  manifest.nulls = {NullKind::random_weights, NullKind::shuffled_tokens};
  const StoredStudy whole = study({}, 3);
  std::vector<std::filesystem::path> shards;
  for (int number = 1; number <= 3; ++number) {
    const StoredStudy part = study({number, 3, 0, false}, number);
    write_study(folder / std::to_string(number), part.manifest, part.study);
    shards.push_back(folder / std::to_string(number));
  }
  SilentProgress progress;
  EXPECT_EQ(bytes(merge_studies(shards, progress)), bytes(whole));
  for (std::size_t head = 0; head < whole.study.heads().size(); ++head) {
    for (std::size_t request = 0; request < manifest.measures.size(); ++request) {
      EXPECT_TRUE(whole.study.cell(2, head, request).sum == plain.study.cell(2, head, request).sum) << "what was asked for is as before";
      const CellNumbers numbers = numbers_of(whole.study, whole.manifest, 2, head, request);
      const auto nulls = null_numbers_of(whole, 2, head, request);
      ASSERT_EQ(nulls.size(), 2U);
      for (const NullNumbers& null : nulls) {
        EXPECT_LE(null.n, whole.study.texts(2));
        if (numbers.n == 0) {
          EXPECT_TRUE(std::isnan(null.z));
        } else if (null.deviation > 0) {
          EXPECT_NEAR(null.z, (numbers.mean - null.mean) / null.deviation, 1e-12);
        }
      }
    }
  }
  const std::string csv = study_csv(whole, {});
  EXPECT_NE(csv.find(",mean-distance,mean-distance.random-weights,mean-distance.random-weights.z,mean-distance.shuffled-tokens,"),
            std::string::npos);
  EXPECT_NE(study_jsonl(whole).find("\"null\":{\"random-weights\":{\"mean\":"), std::string::npos);
  manifest.nulls = {NullKind::random_weights};
  EXPECT_EQ(manifest.difference(whole.manifest), "the measures");
}

TEST_F(Studied, TextsOfManyBytesAreNotCutIntoTokens) {
  path = folder.file("long.txt", "the cat sat\n" + std::string(std::size_t{1} << 17U, 'x') + "\non a mat\n");
  const StoredStudy found = study();
  ASSERT_EQ(found.study.counts.bad, 1);
  EXPECT_EQ(found.study.bad_lines().front().reason, "131072 bytes, more than any text of 12 tokens");
}

TEST_F(Studied, LinesThatAreNotTextAreListedAndDoNotStopTheRest) {
  path = folder.file("bytes.txt", "the \xFF cat\nthe cat sat\nthe cat \xED\xA0\x80 sat\n");
  const StoredStudy found = study();
  EXPECT_EQ(found.study.texts(), 1);
  ASSERT_EQ(found.study.counts.bad, 2);
  EXPECT_EQ(found.study.bad_lines().front().line, 1U);
  EXPECT_EQ(found.study.bad_lines().back().line, 3U);
  EXPECT_EQ(found.study.bad_lines().back().reason, "not valid UTF-8");
  for (const TopExample& example : found.study.cell(0, 0, 0).top) EXPECT_EQ(*example.text, "the cat sat");
}

TEST_F(Studied, AStoppedRunGoesOnFromItsFileToTheSameBytes) {
  const std::string whole = bytes(study());
  StoredStudy stopped = study({}, 1, 40);
  EXPECT_FALSE(stopped.study.part.is_complete);
  EXPECT_LT(stopped.study.part.next, 90U);
  StoredStudy again = read_study_bytes(bytes(stopped), "state");
  go_on(again.study, 2);
  EXPECT_EQ(bytes(again), whole);
}

TEST_F(Studied, AStopIsAnsweredBetweenTwoTexts) {
  const std::string whole = bytes(study());
  const StudySettings settings = manifest.settings();
  const PassingRun passing(make_sandbox(query.model.sandbox), query);
  for (const int threads : {1, 3}) {
    StoredStudy stored{manifest, CorpusStudy(heads_of(passing), settings)};
    ThreadPool pool(threads);
    SilentProgress progress;
    CorpusReader corpus(path, corpus_format(path, "", false));
    std::atomic<int> asked = 0;
    run_study({.run = passing, .settings = settings, .query = query, .pool = pool, .should_stop = [&] { return ++asked > 5; }}, corpus,
              stored.study, progress);
    EXPECT_FALSE(stored.study.part.is_complete);
    const auto measured = stored.study.texts(0) + stored.study.texts(1) + stored.study.texts(2) + stored.study.counts.bad;
    EXPECT_LE(measured, 5) << "no block is finished first";
    if (threads == 1) {
      EXPECT_EQ(measured, 5);
    }
    go_on(stored.study, threads);
    EXPECT_EQ(bytes(stored), whole) << threads << " threads";
  }
}

TEST_F(Studied, MergingRefusesWhatDoesNotBelongTogether) {
  const auto part_file = [&](const std::string& name, StudyPart part, bool is_stopped = false) {
    const StoredStudy stored = study(part, 1, is_stopped ? 10 : ~std::uint64_t{0});
    write_study(folder / name, stored.manifest, stored.study);
    return folder / name;
  };
  const auto one = part_file("one", {1, 3, 0, false}), two = part_file("two", {2, 3, 0, false}),
             three = part_file("three", {3, 3, 0, false});
  const auto problem = [](const std::vector<std::filesystem::path>& paths) {
    SilentProgress progress;
    const Error error = testing::error_of([&] { merge_studies(paths, progress); });
    return error.detail().problem;
  };
  EXPECT_EQ(problem({one, three}), "of 3 shards these are missing: 2");
  EXPECT_NE(problem({one, two, two, three}).find("2/3 is there twice"), std::string::npos);
  EXPECT_NE(problem({one, two, part_file("stopped", {3, 3, 0, false}, true)}).find("not finished"), std::string::npos);
  EXPECT_NE(problem({one, two, part_file("other", {3, 4, 0, false})}).find("a shard of 4"), std::string::npos);
  EXPECT_NE(problem({one, part_file("whole", {1, 1, 0, false})}).find("this is a whole study, and "), std::string::npos);
  manifest.corpus_digest = "other texts";
  EXPECT_NE(problem({one, two, part_file("foreign", {3, 3, 0, false})}).find("the texts differ"), std::string::npos);
  manifest.corpus_digest = "corpus";
  manifest.model_digest = "other weights";
  EXPECT_NE(problem({one, two, part_file("foreign", {3, 3, 0, false})}).find("the model's weights differ"), std::string::npos);
}

TEST_F(Studied, EveryTruncationAndEveryFlippedByteOfAFileIsRefused) {
  const std::string whole = bytes(study());
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    EXPECT_EQ(testing::error_of([&] { read_study_bytes(whole.substr(0, size), "x"); }).kind(), ErrorKind::input);
  }
  for (std::size_t at = 0; at < whole.size(); at += 131) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 1);
    EXPECT_EQ(testing::error_of([&] { read_study_bytes(broken, "x"); }).kind(), ErrorKind::input);
  }
}

TEST_F(Studied, WhateverTheBytesOfASoundFileSayItIsReadOrRefused) {
  manifest.nulls = {NullKind::shuffled_tokens};
  const std::string whole = bytes(study());
  int refused = 0;
  for (std::size_t at = 18; at + 64 < whole.size(); at += 7) {
    for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
      std::string changed = whole.substr(0, whole.size() - 64);
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
      Digest digest = Digest::sha256();
      digest.add(std::as_bytes(std::span(changed)));
      try {
        const StoredStudy read = read_study_bytes(changed + digest.hex(), "x");
        EXPECT_FALSE(study_csv(read, {.has_details = true}).empty());
        EXPECT_FALSE(study_jsonl(read).empty());
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_F(Studied, ShardsThatCannotBeAreRefused) {
  const std::string whole = bytes(study());
  EXPECT_NO_THROW(read_study_bytes(with(whole, "\"shard\":[1,1]", "\"shard\":[7,1000000]"), "x"));
  for (const std::string shard : {"[7,0]", "[0,1]", "[2,1]", "[-1,1]", "[1,2147483647]", "[1,1000001]", "[4294967297,4294967297]",
                                  "[1.5,2]", "[1]", "[\"1\",2]", "3", "[1,18446744073709551615]"}) {
    const Error error = testing::error_of([&] { read_study_bytes(with(whole, "\"shard\":[1,1]", "\"shard\":" + shard), "x"); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << shard;
  }
}

TEST_F(Studied, OfManyMissingShardsTheFirstAreNamed) {
  const auto path_of = folder.file("one", with(bytes(study()), "\"shard\":[1,1]", "\"shard\":[2,1000000]"));
  SilentProgress progress;
  const std::string problem = testing::error_of([&] { merge_studies({path_of}, progress); }).detail().problem;
  EXPECT_TRUE(problem.starts_with("of 1000000 shards these are missing: 1, 3, 4,")) << problem;
  EXPECT_TRUE(problem.ends_with(", 21 and 999979 more")) << problem;
}

TEST_F(Studied, AManifestThatAsksForMoreThanItsFileHoldsIsRefused) {
  std::string heads, edges;
  for (int number = 0; number < 100'000; ++number) {
    heads += (number == 0 ? "" : ",") + std::string("[0,0]");
    edges += (number == 0 ? "" : ",") + std::to_string(number + 1);
  }
  const std::string whole = bytes(study());
  const std::string many = with(whole, "\"heads\":[[0,0],[0,1],[1,0],[1,1]]", "\"heads\":[" + heads + "]");
  EXPECT_EQ(testing::error_of([&] { read_study_bytes(with(many, "[4,8]", "[" + edges + "]"), "x"); }).kind(), ErrorKind::input);
}

TEST_F(Studied, ATextThatIsTooLongForTheMemoryIsListedAndTheRestIsMeasured) {
  path = folder.file(
      "long.txt", "the cat sat\n" + [] {
        std::string words;
        for (int word = 0; word < 500; ++word) words += "the ";
        return words;
      }() + "\non a mat\n");
  manifest.longest = 4096;
  const StudySettings settings = manifest.settings();
  const PassingRun passing(make_sandbox(query.model.sandbox), query, {.bytes = std::size_t{1} << 20U});
  CorpusStudy found(heads_of(passing), settings);
  ThreadPool pool(2);
  SilentProgress progress;
  CorpusReader corpus(path, corpus_format(path, "", false));
  run_study({.run = passing, .settings = settings, .query = query, .pool = pool}, corpus, found, progress);
  ASSERT_EQ(found.counts.bad, 1);
  EXPECT_EQ(found.bad_lines().front().line, 2U);
  EXPECT_NE(found.bad_lines().front().reason.find("more memory than allowed"), std::string::npos) << found.bad_lines().front().reason;
  EXPECT_EQ(found.texts(0), 2);
}

TEST_F(Studied, TablesHoldALineAHeadWithDigitsThatReadBack) {
  manifest.length_edges.clear();
  const StoredStudy stored = study();
  const std::string csv = study_csv(stored, {});
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "layer,head,n,normalised-entropy,induction,mean-distance,previous-abs,output-norm-ratio,next-token");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  std::vector<std::string> fields;
  const std::size_t second = csv.find('\n') + 1;
  split_csv(csv.substr(second, csv.find('\n', second) - second), fields);
  ASSERT_EQ(fields.size(), 9U);
  EXPECT_EQ(std::stod(fields[3]), stored.study.cell(0, 0, 0).sum.mean());
  EXPECT_EQ(fields[8], "") << "undefined";
  const std::string jsonl = study_jsonl(stored);
  EXPECT_EQ(std::count(jsonl.begin(), jsonl.end(), '\n'), 5);
  const std::string npy = study_npy(stored, {});
  EXPECT_TRUE(npy.starts_with("\x93NUMPY"));
  EXPECT_EQ(npy.size() % 64, (4 * (4 + 4 + 8 + 6 * 8)) % 64U) << "numbers begin at a multiple of 64";
  write_study_table(folder / "a.sqlite", stored, {});
  EXPECT_TRUE(testing::bytes_of(folder / "a.sqlite").starts_with("SQLite format 3"));
  EXPECT_EQ(testing::error_of([&] { write_study_table(folder / "a.xls", stored, {}); }).kind(), ErrorKind::usage);
}

TEST_F(Studied, LabelsSayScoreThresholdAndTexts) {
  manifest.measures = {"positional-previous-without-first-token"};
  manifest.length_edges.clear();
  StoredStudy stored = study();
  MeasuredCorpusText text;
  text.tokens = 3;
  for (const HeadId& head : stored.study.heads()) text.heads.push_back({head, {1.0}, {2}, {BestCell{}}});
  StoredStudy labelled{manifest, CorpusStudy(stored.study.heads(), manifest.settings())};
  labelled.study.add(text);
  EXPECT_NE(study_jsonl(labelled).find(
                R"x("labels":["positional, previous without the first token: 1.000 (threshold 0.9, 1 text: a hint, not a finding)"])x"),
            std::string::npos);
}

TEST_F(Studied, LengthsStandApart) {
  const StoredStudy stored = study();
  const std::string csv = study_csv(stored, {});
  EXPECT_TRUE(csv.starts_with("layer,head,length_from,length,n,"));
  EXPECT_NE(csv.find("\n0,0,1,4,"), std::string::npos);
  EXPECT_NE(csv.find("\n0,0,9,,"), std::string::npos) << "the last has no limit";
}

}  // namespace
}  // namespace headlight
