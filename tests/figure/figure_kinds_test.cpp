#include "engine/figure/kinds/figure_kinds.h"

#include <algorithm>
#include <set>

#include "engine/figure/files/write_figure.h"
#include "engine/formats/json.h"
#include "tests/extra_figure.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

TEST(FigureKinds, EveryRowIsCompleteAndFoundByItsName) {
  std::set<std::string_view> names, files;
  for (const FigureKind* kind : figure_kinds()) {
    EXPECT_EQ(find_figure(figure_kinds(), kind->name), kind);
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_TRUE(files.insert(kind->file_name).second) << kind->file_name;
    EXPECT_TRUE(kind->noun.starts_with("a ") || kind->noun.starts_with("an ")) << kind->noun;
    EXPECT_NE(kind->what, "");
    EXPECT_NE(kind->scene, nullptr);
    EXPECT_NE(kind->caption, nullptr);
    EXPECT_GE(kind->needs.named_heads, kind->needs.heads) << kind->name;
    for (const std::string_view ending : kind->endings) {
      const FigureFile* file = file_of_figure(*kind, fmt::format("x{}", ending));
      ASSERT_NE(file, nullptr) << kind->name << ending;
      const FigureNumbers& numbers = kind->numbers;
      const bool has_numbers = numbers.tables != nullptr || numbers.columns != nullptr || numbers.list != nullptr ||
                               numbers.named != nullptr || numbers.derived != nullptr ||
                               (numbers.heads != nullptr && numbers.axes != nullptr);
      EXPECT_TRUE(file->is_drawn || has_numbers) << kind->name << ending;
    }
  }
  EXPECT_EQ(find_figure(figure_kinds(), "nothing"), nullptr);
}

TEST(FigureKinds, OneMoreFigureIsWrittenWithItsOwnEndings) {
  const auto snapshot = sandbox_snapshot("The cat sat", 1, 1);
  const TemporaryFolder folder;
  FigureRequest request;
  request.kind = find_figure(figures_and(kTallyFigure), "tally");
  ASSERT_NE(request.kind, nullptr);
  write_figure(*snapshot, request, folder / "a.svg");
  EXPECT_NE(bytes_of(folder / "a.svg").find("3 tokens counted"), std::string::npos);
  write_figure(*snapshot, request, folder / "a.PNG");
  write_figure(*snapshot, request, folder / "a.pdf");
  for (const char* name : {"a.csv", "a.npy", "a.json", "a.gif"}) {
    const Error error = error_of([&] { write_figure(*snapshot, request, folder / name); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.detail().expected, ".png, .svg, .pdf or .html") << name;
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
}

TEST(FigureKinds, OneMoreFigureWithNumbersIsWrittenAsEveryKindOfFile) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2);
  const TemporaryFolder folder;
  FigureKind last_heads = kTallyFigure;  // the last head of each of the layers
  last_heads.numbers = {[](const Snapshot& of, const FigureRequest&) {
                          std::vector<ComparedHead> heads;
                          for (int layer = 0; layer < of.layers(); ++layer) heads.push_back({{layer, of.heads(layer) - 1}});
                          return heads;
                        },
                        [](const Snapshot& of, const FigureRequest&) { return std::vector<std::int64_t>{of.layers()}; }};
  last_heads.endings = kAllEndings;
  FigureRequest request;
  request.kind = &last_heads;
  for (const std::string_view ending : kAllEndings) write_figure(*snapshot, request, folder / ("a" + std::string(ending)));
  const Json json = parse_json(bytes_of(folder / "a.json"), "a.json");
  ASSERT_EQ(json["heads"].size(), 2U);
  EXPECT_EQ(json["heads"][1]["layer"], 1);
  EXPECT_EQ(json["heads"][1]["head"], 1);
  EXPECT_EQ(json["heads"][1]["weights"][2][1].get<float>(), snapshot->maps({1, 1}).weights(2, 1));
  EXPECT_NE(bytes_of(folder / "a.npy").find("'shape': (2, 3, 3)"), std::string::npos);
  const std::string csv = bytes_of(folder / "a.csv");
  EXPECT_TRUE(csv.starts_with("layer,head,query,key,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 9);
}

TEST(FigureKinds, OneMoreFigureIsCheckedByWhatItNeeds) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2);
  FigureKind needy = kTallyFigure;
  FigureRequest request;
  request.kind = &needy;
  request.head = {9, 0};
  request.heads = {{{9, 0}}};
  EXPECT_NO_THROW(check_figure(*snapshot, request)) << "it reads neither";
  request.stage = Stage::scores;
  EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).kind(), ErrorKind::usage);
  needy.needs = {.has_stage = true};
  EXPECT_NO_THROW(check_figure(*snapshot, request));
  needy.needs = {.has_head = true, .has_stage = true};
  EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).detail().found, "layer 9, head 0");
  needy.needs = {.has_stage = true, .heads = 1, .named_heads = 1};
  EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).detail().found, "layer 9, head 0");
  request.heads.clear();
  EXPECT_EQ(error_of([&] { check_figure(*snapshot, request); }).detail().problem, "a tally needs at least 1 named head");
}

}  // namespace
}  // namespace headlight::testing
