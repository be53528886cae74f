// Where an allocation fails an exception comes out, wherever it is: nothing ends the program (reliability F17).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include "app/document/document.h"
#include "app/document/files/kept_documents.h"
#include "app/work/examples.h"
#include "engine/core/memory_reserve.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/file_names.h"
#include "engine/pipeline/pipeline.h"
#include "engine/text/files/load_tokenizer.h"
#include "tests/memory/failing_memory.h"

void* operator new(std::size_t bytes) {
  return headlight::testing::memory_end::allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return headlight::testing::memory_end::allocate(bytes, static_cast<std::size_t>(alignment));
}
// Not inlined: g++ 12 would take std::free for the wrong counterpart of new.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  operator delete(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  operator delete(memory);
}

namespace headlight {
namespace {

using ::testing::ElementsAre;
using testing::fail_each_allocation;
using testing::FailedWork;
using ::testing::IsEmpty;
using testing::NoMemory;
using ::testing::StartsWith;
using testing::TemporaryFolder;

const std::filesystem::path kTests = HEADLIGHT_TESTS_DIR;
const std::filesystem::path kModels = kTests / "reference" / "models";

/// A document with something in each of its fields.
Document full_document() {
  Document document;
  document.query.text = "The cat sat on the mat";
  document.pins = {{{0, 1}}, {{1, 0}}};
  document.query.switched_off = {{0, 2}};
  document.drawn_map.strokes = {{0, 1, 0, 1, true}};
  return document;
}

TEST(FailedAllocation, InAFunctionThatMustNotThrowIsSeenToEndTheProgram) {
  const auto must_not_throw = []() noexcept { ::operator delete(::operator new(1)); };
  const FailedWork failed = fail_each_allocation(must_not_throw);
  EXPECT_EQ(failed.places, 1);
  EXPECT_THAT(failed.ended_badly, ElementsAre(StartsWith("signal 6")));
  EXPECT_THAT(fail_each_allocation([] { ::operator delete(::operator new(1)); }).ended_badly, IsEmpty());
}

void run_model(const std::filesystem::path& model) {
  Pipeline pipeline(1);
  SilentProgress progress;
  Query query;
  query.model.name = model.string();
  query.text = "a b";
  pipeline.run(query, progress);
}

// Eigen and the C++ library make some things once: the first run is part of what is tried.
TEST(FailedAllocation, InTheRunOfAModelFolderIsAnException) {
  for (const char* name : {"gpt2", "bert-mlm", "t5"}) {
    const FailedWork failed = fail_each_allocation([&] { run_model(kModels / name); });
    EXPECT_THAT(failed.ended_badly, IsEmpty()) << name;
    EXPECT_GT(failed.places, 300) << name;
  }
}

// What a GGUF file says is put as a config.json of a dozen fields: JSON of our own, and so the reserve's.
TEST(FailedAllocation, InTheRunOfAGgufFileIsServedByTheReserve) {
  keep_memory_reserve();
  const FailedWork failed =
      fail_each_allocation([] { run_model(kTests / "reference/gguf/tiny-llama-Q4_K_M.gguf"); }, NoMemory::after_the_reserve);
  EXPECT_THAT(failed.ended_badly, IsEmpty());
  EXPECT_GT(failed.places, 300);
  std::set_new_handler(nullptr);
}

TEST(FailedAllocation, InATokenizerIsAnException) {
  for (const char* name : {"gpt2", "bert-mlm", "t5"}) {
    const FailedWork failed = fail_each_allocation([&] { load_tokenizer(kModels / name)->encode("It was na\u00efve.", {}); });
    EXPECT_THAT(failed.ended_badly, IsEmpty()) << name;
    EXPECT_GT(failed.places, 100) << name;
  }
}

TEST(FailedAllocation, InADumpOfMapsIsAnException) {
  const TemporaryFolder folder;
  const auto dump = folder.file("maps.json", R"({"tokens": ["a", "b"], "attention": [[[[1, 0], [0.25, 0.75]]]]})");
  const FailedWork failed = fail_each_allocation([&] {
    SilentProgress progress;
    read_attention_dump(dump, progress);
  });
  EXPECT_THAT(failed.ended_badly, IsEmpty());
  EXPECT_GT(failed.places, 30);
}

TEST(FailedAllocation, InAFolderThatIsListedIsAnException) {
  const TemporaryFolder state;
  add_generation(make_kept_document(state.path(), wall_time()), document_text(full_document(), Json::object()), wall_time());
  const FailedWork examples = fail_each_allocation([&] { load_examples(kTests.parent_path() / "assets" / "examples"); });
  EXPECT_THAT(examples.ended_badly, IsEmpty());
  const FailedWork documents = fail_each_allocation([&] { list_kept_documents(state.path()); });
  EXPECT_THAT(documents.ended_badly, IsEmpty());
  const FailedWork names = fail_each_allocation([&] { file_names_in(kModels); });
  EXPECT_THAT(names.ended_badly, IsEmpty());
}

TEST(FailedAllocation, InADocumentThatIsReadIsAnException) {
  const TemporaryFolder folder;
  const auto file = folder.file("d.headlight.json", document_text(full_document(), Json::object()));
  const FailedWork failed = fail_each_allocation([&] { load_document(file); });
  EXPECT_THAT(failed.ended_badly, IsEmpty());
  EXPECT_GT(failed.places, 50);
}

// The JSON of what we write is small, and its library's destructor allocates: that is what the reserve is for.
TEST(FailedAllocation, InADocumentThatIsWrittenIsServedByTheReserve) {
  keep_memory_reserve();
  const FailedWork failed = fail_each_allocation([] { document_text(full_document(), Json::object()); }, NoMemory::after_the_reserve);
  EXPECT_THAT(failed.ended_badly, IsEmpty());
  EXPECT_GT(failed.places, 50);
  std::set_new_handler(nullptr);
}

}  // namespace
}  // namespace headlight
#endif
