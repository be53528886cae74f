// What a figure's file says of how it was made, and back to the figure.
#include "app/recipe/recipe.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/document/subjects.h"
#include "app/recipe/command_text.h"
#include "engine/figure/files/read_record.h"
#include "tests/recipe/figures.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FigureRequest of_kind(const FigureKind& kind) {
  FigureRequest request;
  request.kind = &kind;
  return request;
}

std::shared_ptr<const Snapshot> with_a_head_off(const Snapshot& plain) {
  Query query = plain.query;
  query.switched_off = {{0, 0}};
  return run_of_query(query);
}

/// Every figure, with everything chosen that can be.
std::vector<FigureRequest> figures() {
  FigureRequest head;
  head.head = {1, 2};
  head.stage = Stage::masked;
  head.frames = {{FrameKind::relation, 1, 2, 0, 1}, {FrameKind::asked, 2, 3, 1, 2}, {FrameKind::drawn_map, 0, 1, 0, 1}};
  head.style.theme = Theme::light;
  head.style.map = ColourMap::viridis;
  head.style.range = RangeKind::fixed;
  head.style.fixed_high = 0.5F;
  head.part = {1, 3, 0.5F, 2.25F};
  head.marked = {.query = 2, .key = 1, .of_layer = 1};
  FigureRequest compare = of_kind(kCompareFigure);
  compare.part = {0, 3, 1, 2};
  compare.marked.query = 2;
  compare.heads = {{{0, 1}}, {{1, 3}}, {{1, 0}}};
  compare.difference = ComparedPair{2, 0};
  compare.has_own_scales = true;
  FigureRequest marked = of_kind(kGridFigure);
  marked.heads = {{{1, 1}}};
  marked.only = {{1, 2}, {0, 0}};
  marked.marked.key = 1;
  FigureRequest links = of_kind(kLinksFigure);
  links.links = {.heads = {{0, 1}, {0, 2}},
                 .filter = {.rule = LinkRule::top, .top = 2, .has_special = false},
                 .has_arcs = true,
                 .focus = LinkFocus{1, true},
                 .is_kept = true,
                 .tint = TextTint::received};
  FigureRequest inside = of_kind(kInsideFigure);
  inside.head = {0, 3};
  inside.query = 2;
  inside.moment_inside = {InsideStep::softmax, 0.5F};
  inside.chosen_key = 1;
  inside.opened_keys = {0, 1};
  inside.most_keys = 2;
  FigureRequest flow = of_kind(kFlowFigure);
  flow.flow = {{{0, 0}, {1, 2}}, {.reduction = Reduction::rollout, .fuses_by_max = true, .identity = 0.25F, .through = 1}};
  head.page = {.width_mm = 85,
               .height_mm = 120.5F,
               .type = 6.5F,
               .family = "DejaVu Serif",
               .letter = "(a)",
               .without = {PagePart::title, PagePart::footer},
               .is_transparent = true};
  flow.page = {.type = 9};
  FigureRequest measures = of_kind(kMeasuresFigure);
  auto imported = std::make_shared<HeadColumn>();
  imported->id = "scores.csv:retrieval";
  imported->title = "retrieval";
  imported->measured_on = "imported scores.csv";
  for (int each = 0; each < 3; ++each) imported->values.set({1, each}, each == 1 ? std::nan("") : 0.1 * each);
  measures.measures = {.ids = {"induction", "mean-distance"},
                       .given = {imported},
                       .sorts = {{"scores.csv:retrieval", true}, {"induction", false}},
                       .ranges = {{.column = "mean-distance", .low = 0.125, .high = 9, .has_low = false}},
                       .brushed = {{0, 1}}};
  FigureRequest scatter = of_kind(kScatterFigure);
  scatter.measures = {.ids = {"induction", "mean-distance"}, .across = "induction", .up = "mean-distance", .size = "induction"};
  FigureRequest arranged = of_kind(kGridFigure);
  arranged.measures = {.ids = {"induction", "mean-distance"},
                       .given = {imported},
                       .sorts = {{"mean-distance", true}},
                       .ranges = {{.column = "mean-distance", .low = 0}},
                       .tint = "scores.csv:retrieval",
                       .brushed = {{0, 1}}};
  FigureRequest text = of_kind(kTextFigure);
  text.links = {.heads = {{0, 1}, {0, 2}}, .focus = LinkFocus{1, true}, .is_kept = true};
  FigureRequest lab = of_kind(kLabFigure);
  lab.lab = {.asked = "mask-conventions:row=own", .layer = 1, .head = 2, .query = 1};
  lab.style.map = ColourMap::viridis;
  return {head, compare, marked, links, text, inside, flow, measures, scatter, arranged, lab};
}

TEST(Recipe, EveryChoiceOfAFigureComesBackFromItsFile) {
  const auto snapshot = run_of_text("sandbox", "The cat sat");
  const TemporaryFolder folder;
  for (const FigureRequest& request : figures()) {
    write_recorded(*snapshot, request, folder / "a.svg");
    const RecordedFigure read = read_recorded_figure(folder / "a.svg");
    FigureRequest back = request_of(read, [&](int) { return snapshot; });
    const auto own = [](const std::shared_ptr<const Snapshot>&) { return 1; };
    EXPECT_EQ(to_json(back, own), to_json(request, own)) << request.kind->name;
    EXPECT_EQ(back.style, request.style) << request.kind->name;
    EXPECT_EQ(back.page, request.page) << request.kind->name;
    EXPECT_EQ(read.document.query, snapshot->query) << request.kind->name;
    FigureRequest found = request;
    SilentProgress silent;
    ThreadPool pool(1);
    find_effects(*snapshot, found, pool, silent);
    find_effects(*snapshot, back, pool, silent);
    const Scene scene = make_figure(*snapshot, found, pango_measure()), again = make_figure(*snapshot, back, pango_measure());
    EXPECT_EQ(to_svg(scene), to_svg(again)) << request.kind->name;
  }
}

TEST(Recipe, HoldsOnlyTheRunsThatTheFigureUses) {
  const auto own = run_of_text("sandbox", "The cat sat"), other = run_of_text("sandbox", "A dog ran");
  const TemporaryFolder folder;
  FigureRequest request = of_kind(kCompareFigure);
  request.heads = {{.head = {0, 1}, .subject = "text 1"}, {.head = {0, 1}, .of = other, .subject = "text 2"}};
  write_recorded(*own, request, folder / "two.json");
  const RecordedFigure two = read_recorded_figure(folder / "two.json");
  ASSERT_EQ(two.document.others.size(), 1U);
  EXPECT_EQ(two.document.others.front().query.text, "A dog ran");
  EXPECT_EQ(subjects_of(two), (std::vector<int>{1, 2}));
  request.kind = &kHeatmapFigure;  // of one head: what is pinned beside it is not part of it
  write_recorded(*own, request, folder / "one.json");
  EXPECT_TRUE(read_recorded_figure(folder / "one.json").document.others.empty());
}

TEST(Recipe, ABaselineComesBack) {
  const auto now = run_of_text("sandbox", "The cat sat");
  Query query = now->query;
  query.switched_off = {{0, 0}};
  const auto before = run_of_query(query);
  const TemporaryFolder folder;
  FigureRequest request;
  request.head = {1, 1};
  request.moment = Moment::difference;
  request.baseline = before;
  write_recorded(*now, request, folder / "a.svg");
  const RecordedFigure read = read_recorded_figure(folder / "a.svg");
  ASSERT_TRUE(read.document.baseline);
  EXPECT_EQ(query_of(read.document, *read.document.baseline)->switched_off, query.switched_off);
  EXPECT_EQ(request_of(read, [&](int) { return before; }).baseline, before);
}

TEST(Recipe, WhatExplainsALogitComesBackWithItsTarget) {
  const auto now = run_of_text(small_model(), "It was late.");
  const TemporaryFolder folder;
  const auto command_of_kind = [&](const FigureKind& kind, const EffectsRequest& effects) {
    FigureRequest request = of_kind(kind);
    request.effects = effects;
    ThreadPool pool(1);
    SilentProgress silent;
    find_effects(*now, request, pool, silent);
    for (const char* name : {"a.svg", "a.json", "a.npz"}) {
      write_recorded(*now, request, folder / name);
      FigureRequest back = request_of(read_recorded_figure(folder / name), [](int) { return nullptr; });
      find_effects(*now, back, pool, silent);
      EXPECT_EQ(back.effects, request.effects) << kind.name << " " << name;
    }
    return read_recorded_figure(folder / "a.svg").provenance.command;
  };
  EXPECT_THAT(command_of_kind(kAttributionFigure, {}), HasSubstr("--figure attribution -o"));
  EXPECT_THAT(command_of_kind(kAttributionFigure, {.position = 2, .head = HeadId{1, 0}}),
              HasSubstr("--figure attribution --query 2 --layer 1 --head 0"));
  EXPECT_THAT(command_of_kind(kAttributionFigure, {.target = parse_target("logit:#4-#11@2")}), HasSubstr("--target 'logit:#4-#11@2'"));
  EXPECT_THAT(command_of_kind(kLensFigure, {.target = parse_target("prob:#4@1")}), HasSubstr("--figure lens --target 'prob:#4@1'"));
  EXPECT_THAT(command_of_kind(kEffectsFigure, {}), HasSubstr("--figure effects -o"));
  EXPECT_THAT(command_of_kind(kEffectsFigure, {.target = parse_target("logit:#4@2"), .method = EffectMethod::gate}),
              HasSubstr("--figure effects --target 'logit:#4@2' --method gate"));
}

TEST(Recipe, PredictionsComeBackWithTheirBaseline) {
  const auto now = run_of_text(small_model(), "It was late.");
  const auto before = with_a_head_off(*now);
  const TemporaryFolder folder;
  FigureRequest request = of_kind(kOutputFigure);
  request.output = {.position = 2, .first = 1, .count = 2, .listed = 3};
  write_recorded(*now, request, folder / "a.svg");
  EXPECT_THAT(read_recorded_figure(folder / "a.svg").provenance.command, HasSubstr("--figure output --query 2 --tokens 1-2 --listed 3"));
  request.baseline = before;
  for (const char* name : {"a.svg", "a.json"}) {
    write_recorded(*now, request, folder / name);
    const RecordedFigure read = read_recorded_figure(folder / name);
    const FigureRequest back = request_of(read, [&](int) { return before; });
    EXPECT_EQ(back.output, request.output) << name;
    EXPECT_EQ(back.baseline, before) << name;
    EXPECT_EQ(query_of(read.document, *read.document.baseline)->switched_off, before->query.switched_off) << name;
    EXPECT_THAT(read.provenance.command, HasSubstr("--document THIS-FILE")) << name;
  }
}

TEST(Recipe, PredictionsOfARunWithEditsAreBesideThoseWithoutByThemselves) {
  const auto plain = run_of_text(small_model(), "It was late.");
  const auto edited = with_a_head_off(*plain);
  const TemporaryFolder folder;
  FigureRequest request = of_kind(kOutputFigure);
  const auto command = [&] {
    write_recorded(*edited, request, folder / "a.svg");
    return read_recorded_figure(folder / "a.svg").provenance.command;
  };
  EXPECT_THAT(command(), HasSubstr("--document THIS-FILE")) << "without the run before, options would add it";
  request.baseline = plain;
  EXPECT_THAT(command(), HasSubstr("--off 0.0 --figure output -o"));
  request.baseline = edited;
  EXPECT_THAT(command(), HasSubstr("--document THIS-FILE"));
  EXPECT_EQ(request_of(read_recorded_figure(folder / "a.svg"), [&](int) { return edited; }).baseline, edited)
      << "a baseline from which nothing differs yet";
}

TEST(Recipe, NamesNoFolderOfTheMachine) {
  const TemporaryFolder folder;
  const auto snapshot = run_of_text(small_model(), "It was late.");
  for (const char* name : {"a.png", "a.svg", "a.pdf", "a.html", "a.json", "a.npz", "a.safetensors"}) {
    write_recorded(*snapshot, {}, folder / name);
    const Provenance provenance = read_provenance(folder / name);
    EXPECT_EQ(provenance.models.front().name, "gpt2");
    EXPECT_EQ(provenance.models.front().sha256.size(), 64U);
    EXPECT_THAT(to_text(provenance), Not(HasSubstr(small_model()))) << name;
    EXPECT_THAT(bytes_of(folder / name), Not(HasSubstr(HEADLIGHT_TESTS_DIR))) << name;
  }
}

TEST(Recipe, SameFigureSameBytesWhateverTheFileIsCalled) {
  const TemporaryFolder folder;
  const auto snapshot = run_of_text("sandbox", "The \"cat\" (sat) on\\the <mat> & 日本");
  for (const FigureFile& file : figure_files()) {
    for (const char* name : {"a", "b"}) write_recorded(*snapshot, {}, folder / (std::string(name) + std::string(file.ending)));
    EXPECT_EQ(bytes_of(folder / ("a" + std::string(file.ending))), bytes_of(folder / ("b" + std::string(file.ending)))) << file.ending;
    EXPECT_EQ(file.has_record, has_record_by_ending(folder / ("a" + std::string(file.ending)))) << file.ending;
    if (!file.has_record) continue;
    EXPECT_EQ(read_recorded_figure(folder / ("a" + std::string(file.ending))).document.query, snapshot->query);
  }
}

TEST(Recipe, NumbersAreNamedAlikeInEveryFileOfNumbersAndOfAMapInPicturesToo) {
  const TemporaryFolder folder;
  const auto snapshot = run_of_text("sandbox", "The cat sat");
  std::set<std::string> sums;
  for (const char* name : {"a.png", "a.svg", "a.pdf", "a.html", "a.json", "a.npz", "a.safetensors"}) {
    write_recorded(*snapshot, {}, folder / name);
    sums.insert(read_provenance(folder / name).numbers_sha256);
  }
  EXPECT_EQ(sums.size(), 1U);
  FigureRequest other;
  other.head = {0, 1};
  write_recorded(*snapshot, other, folder / "b.json");
  EXPECT_FALSE(sums.contains(read_provenance(folder / "b.json").numbers_sha256));
}

TEST(Recipe, ADocumentIsReadFromAFigure) {
  const TemporaryFolder folder;
  write_recorded(*run_of_text("sandbox", "The cat sat"), {}, folder / "a.pdf");
  EXPECT_EQ(load_document_or_figure(folder / "a.pdf").query.text, "The cat sat");
  save_document(load_document_or_figure(folder / "a.pdf"), folder / "a.headlight.json");
  EXPECT_EQ(load_document_or_figure(folder / "a.headlight.json").query.text, "The cat sat");
}

TEST(CommandText, AShellReadsEveryWordAsItWas) {
  EXPECT_EQ(shell_quoted("k<=q"), "'k<=q'");
  EXPECT_EQ(shell_quoted("causal+window:3"), "causal+window:3");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(CommandText, NamesTheFileItselfWhereNoOptionSaysIt) {
  const TemporaryFolder folder;
  const auto command_of_figure = [&](const FigureRequest& request) {
    write_recorded(*run_of_text("sandbox", "The cat sat"), request, folder / "a.svg");
    return read_provenance(folder / "a.svg").command;
  };
  EXPECT_EQ(command_of_figure({}), "headlight export -m sandbox -t 'The cat sat' --figure heatmap --layer 0 --head 0 -o head.svg");
  FigureRequest framed;
  framed.frames = {{FrameKind::relation, 0, 1, 0, 2}};
  framed.part = {1, 3, 0, 2};
  framed.marked = {.query = 2, .key = 0};
  EXPECT_EQ(
      command_of_figure(framed),
      "headlight export -m sandbox -t 'The cat sat' --figure heatmap --layer 0 --head 0 --frame 0:0-1 --queries 1-2 --keys 0-1 --row 2 "
      "--key 0 -o head.svg");
  FigureRequest drawn, zoomed, mixed;
  drawn.frames = {{FrameKind::drawn_map, 0, 1, 0, 1}, {FrameKind::drawn_map, 2, 3, 1, 2}};
  EXPECT_EQ(command_of_figure(drawn),
            "headlight export -m sandbox -t 'The cat sat' --figure heatmap --layer 0 --head 0 --draw 0.0@0:0,2:1 -o head.svg");
  zoomed.part = {0.5F, 2.25F, 0, 2};
  EXPECT_EQ(command_of_figure(zoomed),
            "headlight export -m sandbox -t 'The cat sat' --figure heatmap --layer 0 --head 0 --queries 0.5-2.25 --keys 0-1 -o head.svg");
  zoomed.part = {1, 2.1F, 0, 2};
  EXPECT_THAT(command_of_figure(zoomed), HasSubstr("--queries 1.0-2.1 --keys 0-1 "));
  mixed.frames = {{FrameKind::relation, 0, 1, 0, 1}, {FrameKind::drawn_map, 2, 3, 1, 2}};  // in an order that options do not make
  EXPECT_EQ(command_of_figure(mixed), "headlight export --document THIS-FILE.svg -o head.svg");
}

TEST(CommandText, SaysHowTheHeadsOfAGridAreArranged) {
  const auto snapshot = run_of_text("sandbox", "The cat sat on the mat");
  const auto options_for = [&](const FigureRequest& request, const char* file) {
    Document document;
    document.query = snapshot->query;
    return options_of(document, *snapshot, request, *file_of_figure(kGridFigure, file), {}).value_or("none");
  };
  const std::string begin = "headlight export -m sandbox -t 'The cat sat on the mat' --figure grid";
  FigureRequest grid = of_kind(kGridFigure);
  EXPECT_EQ(options_for(grid, "a.svg"), begin);
  grid.measures = {.ids = {"induction"}, .sorts = {{"induction", true}}, .tint = "induction"};
  EXPECT_EQ(options_for(grid, "a.svg"), begin + " --sort induction:rising");
  grid.measures.tint.clear();
  EXPECT_EQ(options_for(grid, "a.svg"), begin + " --sort induction:rising --tint none");
  grid.measures = {
      .ids = {"entropy", "induction"}, .ranges = {{.column = "induction", .high = 0.5}}, .tint = "entropy", .brushed = {{0, 1}}};
  EXPECT_EQ(options_for(grid, "a.svg"), begin + " --where 'induction ≤ 0.5' --tint entropy --brush 0.1");
  EXPECT_EQ(options_for(grid, "a.npz"), begin + " --where 'induction ≤ 0.5'") << "numbers and marks are of pictures";
  grid.measures.tint.clear();
  EXPECT_EQ(options_for(grid, "a.svg"), "none") << "a measure that nothing names";
}

}  // namespace
}  // namespace headlight::testing
