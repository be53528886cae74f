// What a person brings along, on every screen: attention maps from a file beside a model, and names of any length.
#include "app/document/subjects.h"
#include "app/gui/views/views.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/extra_measure.h"
#include "tests/gui/every_screen.h"

namespace headlight::testing {
namespace {

class EveryScreenOfFiles : public EveryScreen {
 protected:
  /// Maps of `layers` × `heads` over a sentence, in a file of this name.
  std::string maps_file(const std::string& name, std::size_t layers, std::size_t heads) {
    const std::vector<std::string> tokens{"[CLS]", "the", "riders", "that", "antidisestablishmentarianism", "follows", "is", "[SEP]"};
    const std::size_t size = tokens.size();
    std::vector<float> maps(layers * heads * size * size, 0);
    for (std::size_t row = 0; row < layers * heads * size; ++row) {
      for (std::size_t key = 0; key < size; ++key) maps[row * size + key] = key == row * 3 % size ? 0.65F : 0.05F;
    }
    write_npz(folder_ / name,
              std::vector<TensorToWrite>{{"attentions", {static_cast<std::int64_t>(layers), static_cast<std::int64_t>(heads), 8, 8}, maps}},
              {{"tokens", Json(tokens).dump()}, {"headlight.mask", "none"}});
    return (folder_ / name).string();
  }
  void drop(const std::string& path) {
    context.dropped_paths = {path};
    settle();
  }
  bool says(std::string_view text) {
    window.frame(2);
    return std::any_of(window.items.texts().begin(), window.items.texts().end(),
                       [&](const DrawnText& each) { return each.text.find(text) != std::string::npos; });
  }
  /// What a tooltip over an item says, line by line.
  bool tooltip_says(const char* label, std::string_view text) {
    window.hover(label);
    for (int frame = 0; frame < 60; ++frame) window.frame();
    std::string all;
    for (const DrawnText& each : window.items.texts()) {
      if (each.window.find("Tooltip") != std::string::npos) all += each.text;
    }
    return all.find(text) != std::string::npos;
  }
  TemporaryFolder folder_;
  const std::string long_name_ = "attention-of-the-riders-that-the-sailor-follows-" + std::string(60, 'x') + "-layer-norm-after-seed-0123";
};

INSTANTIATE_TEST_SUITE_P(Sizes, EveryScreenOfFiles, ::testing::ValuesIn(kScreens), name_of_screen);

TEST_P(EveryScreenOfFiles, MapsOfAFileAndOfAModelSideBySide) {
  show(View::head);
  window.key("space");
  window.click("Add a text");
  settle();
  drop(maps_file("maps.npz", 3, 4));
  ASSERT_TRUE(snapshot()->is_dump());
  ASSERT_EQ(document().others.size(), 1U);
  expect_every_view_readable("maps of a file beside a model");
  view.pinned_query = TokenPlace{Side::text, 4};
  show(View::head);
  window.key("space");
  expect_every_view_readable("a row of them, and a pin of each");
  Document next = document();
  focus(next, next.others.front().id);
  session.apply(next, false, false);
  settle();
  ASSERT_FALSE(snapshot()->is_dump());
  expect_every_view_readable("the model beside them");
  drop(maps_file("others.npz", 2, 2));
  ASSERT_TRUE(snapshot()->is_dump());
  expect_every_view_readable("maps of two files");
}

TEST_P(EveryScreenOfFiles, ALongNameOfAModelIsShortInTheMiddleAndWholeInItsTooltip) {
  drop(maps_file(long_name_ + ".npz", 2, 2));
  ASSERT_TRUE(snapshot()->is_dump());
  expect_every_view_readable("a long name of a model");
  const auto& texts = window.items.texts();
  window.frame(2);
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const DrawnText& each) {
    return each.text.starts_with("atte") && each.text.ends_with(".npz") && each.text.find("…") != std::string::npos;
  })) << "its beginning and its end";
  EXPECT_TRUE(tooltip_says("Model", "layer-norm-after-seed-0123"));
  window.hover(ImVec2(1, 1));
  view.dialogs.model_picker = true;
  expect_readable("a long name among the recent models");
  view.dialogs.model_picker = false;
  view.dialogs.model_card = true;
  expect_readable("a long name on the card");
}

TEST_P(EveryScreenOfFiles, ALongNameOfADocument) {
  Document named = document();
  save_document(named, folder_ / (long_name_ + ".headlight.json"));
  drop((folder_ / (long_name_ + ".headlight.json")).string());
  ASSERT_EQ(session.file(), folder_ / (long_name_ + ".headlight.json"));
  window.click("Document menu");
  expect_readable("the menu of a document with a long name");
  EXPECT_TRUE(says("seed-0123 · saved"));
  window.key("escape");
  window.key("ctrl+o");
  expect_readable("the list of documents");
  window.key("escape");
  window.key("ctrl+shift+s");
  expect_readable("saving under another name");
}

/// As kLastKey, with a title that no column is wide enough for.
constexpr Measure kLongMeasure = [] {
  Measure measure = kLastKey;
  measure.id = "long";
  measure.title = "mean weight on the very last key of every row that may attend to two or more keys";
  return measure;
}();

TEST_P(EveryScreenOfFiles, ALongNameOfAMeasure) {
  const std::vector<Measure> longer = measures_and(kLongMeasure);
  Pipeline pipeline(1);
  pipeline.measure_by(longer);
  SilentProgress progress;
  const std::shared_ptr<const Snapshot> measured = pipeline.run(document().query, progress);
  for (const auto draw_view : {draw_compare_view, draw_overview}) {
    window.draw = [&] {
      Document draft = document();
      draft.pins = {{{0, 0}}, {{1, 1}}};
      caches.maps.begin_frame();
      caches.pictures.begin_frame(measured);
      const Screen& screen = GetParam();
      const Look look{palette(draft.style.theme), window.fonts, screen.scale, true};
      Panel panel{context, measured, session.worker().status(), draft, view, caches, look, all_views()};
      draw_view(panel, {0, 0, screen.width, screen.height});
    };
    settle();
    const std::string_view label = draw_view == draw_overview ? "head 1.2" : "compared long";
    const auto& items = window.items.items();
    const auto seen =
        std::find_if(items.begin(), items.end(), [&](const DrawnItem& each) { return each.label == label && each.box.width > 0; });
    if (seen != items.end()) window.hover(label);  // in a low window Compare scrolls to it
    for (int frame = 0; frame < 60; ++frame) window.frame();
    expect_readable("a long name of a measure");
  }
}

}  // namespace
}  // namespace headlight::testing
