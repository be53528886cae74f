// Every view on every screen that the program is made for: no two texts lie over each other, none is cut off.
#include "tests/gui/every_screen.h"

#include <fmt/core.h>

#include "app/gui/shell/layout.h"

namespace headlight::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Sizes, EveryScreen, ::testing::ValuesIn(kScreens), name_of_screen);

TEST_P(EveryScreen, ViewsOfASentence) {
  expect_every_view_readable("a sentence");
  for (const char* text : {"Hi", "Donaudampfschifffahrtsgesellschaftskapitän antidisestablishmentarianism", ""}) {
    say(text);
    expect_every_view_readable(text);
  }
}

TEST_P(EveryScreen, AnyScript) {
  for (const char* text : {"القطة جلست على السجادة", "क्षत्रिय नमस्ते สวัสดี 猫坐", "👩‍👩‍👧‍👦 👍🏽 e\u0301 ❤\uFE0F",
                           "החתול ישב על the mat 123"}) {
    say(text);
    expect_every_view_readable(text);
  }
  show(View::head);
  window.click(window.cell_of("map", {5, 2}));
  window.hover(window.cell_of("map", {5, 3}));
  expect_readable("a cell of words that are shaped");
}

TEST_P(EveryScreen, ACellAndItsRow) {
  show(View::head);
  window.hover(window.cell_of("map", {5, 2}));
  expect_readable("a cell under the pointer");
  window.click(window.cell_of("map", {5, 2}));
  window.hover(ImVec2(1, 1));
  expect_every_view_readable("a row that is kept");
}

TEST_P(EveryScreen, TheMixedZ) {
  show(View::head);
  view.head_page.stage = Stage::z;
  settle();
  expect_readable("z");
  window.hover(window.cell_of("map", {4, 3}));
  expect_readable("a number of z under the pointer");
  view.painting.brush = Brush::cell;
  expect_readable("why the brush does not paint z");
  view.painting.brush = Brush::off;
  window.click(window.cell_of("map", {4, 3}));
  window.feed.click(window.cell_of("map", {4, 3}), ImGuiMouseButton_Right);
  window.play();
  expect_readable("the menu of a number of z");
  window.key("escape");
  Document next = document();
  next.query.model.sandbox.d_model = 512;
  next.query.model.sandbox.heads = 4;
  next.query.model.sandbox.layers = 1;
  session.apply(next, false, false);
  settle();
  window.hover(ImVec2(1, 1));
  expect_readable("128 numbers of z");
}

TEST_P(EveryScreen, ALongTextWithARowThatIsKept) {
  std::string text;
  for (int word = 0; word < 200; ++word) text += (word > 0 ? " follow" : "follow") + std::to_string(word % 7);
  say(text);
  ASSERT_GT(snapshot()->tokens(), 190);
  expect_every_view_readable("a long text");
  view.pinned_query = TokenPlace{Side::text, 150};
  expect_every_view_readable("row 150 is kept");
  show(View::head);
  window.hover(window.cell_of("map", {180, 40}));
  expect_readable("a cell far down");
  view.head_page.zoom = {100, 120, 90, 110};
  expect_readable("zoomed");
}

TEST_P(EveryScreen, ManyHeads) {
  Document many = document();
  many.query.model.sandbox.layers = 12;
  many.query.model.sandbox.heads = 12;
  many.query.model.sandbox.d_model = 144;
  session.apply(many, false, false);
  settle();
  expect_readable("144 heads");
}

TEST_P(EveryScreen, Compare) {
  show(View::head);
  for (int head = 0; head < 3; ++head) {
    view.head = {1, head};
    window.key("space");
  }
  show(View::compare);
  expect_readable("three cards");
  window.feed.click(window.cell_of("card A − B", {3, 1}), ImGuiMouseButton_Right);
  window.play();
  expect_readable("the menu of the difference");
  window.frame(2);
  if (!window.has("Explain this")) {  // a small window scrolls to the third card
    ASSERT_LT(points(GetParam().width), 1100);
    return;
  }
  window.click("Explain this");
  expect_readable("the difference explained");
}

TEST_P(EveryScreen, Links) {
  const auto expect_links_readable = [&](const std::string& what) {
    for (const LinksPage::Heads which : {LinksPage::Heads::layer, LinksPage::Heads::all}) {
      for (const bool has_arcs : {false, true}) {
        view.links.which = which, view.links.has_arcs = has_arcs;
        settle();
        expect_readable(fmt::format("{}, heads {}, arcs {}", what, static_cast<int>(which), has_arcs));
      }
    }
  };
  show(View::links);
  expect_links_readable("links of a sentence");
  for (const Fold band : {Fold::open, Fold::folded}) {
    view.links.band = band;
    window.hover("link query 0");
    expect_links_readable(fmt::format("a token under the pointer, text {}", static_cast<int>(band)));
  }
  view.links.band = Fold::by_room;
  view.pinned_query = TokenPlace{Side::text, 4};
  view.links.filter.rule = LinkRule::top;
  expect_links_readable("a row that is kept");
  say("Donaudampfschifffahrtsgesellschaftskapitän antidisestablishmentarianism is it");
  expect_links_readable("long words");
}

TEST_P(EveryScreen, HiddenKeysRanksAndFlow) {
  const auto restyle = [&](const auto& edit) {
    Document next = document();
    edit(next.style);
    session.apply(next, false, false);
    settle();
  };
  restyle([](Style& style) {
    style.hidden = parse_key_set("first-token+special");
    style.hiding = Hiding::renormalise;
  });
  expect_every_view_readable("the first token hidden");
  view.pinned_query = TokenPlace{Side::text, 2};
  expect_every_view_readable("and a row is kept");
  restyle([](Style& style) {
    style.hidden = {};
    style.scale = ScaleKind::percentile;
    style.percentile = 80;
  });
  expect_every_view_readable("up to a percentile");
  restyle([](Style& style) {
    style.scale = ScaleKind::rank;
    style.among = Among::model;
  });
  expect_every_view_readable("by rank");
  view.flow.which = FlowPage::Heads::all;
  for (const ReductionRow& row : kReductionRows) {
    view.flow.settings.reduction = row.reduction;
    show(View::flow);
    expect_readable(fmt::format("{} of all heads", row.name));
  }
  window.hover(window.cell_of("flow map", {3, 1}));
  expect_readable("a cell of a flow");
}

TEST_P(EveryScreen, LinksOfAPairAndAcrossTwoTexts) {
  Document pair = document();
  pair.query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/bert-mlm";
  pair.query.text = "the cat sat";
  pair.query.text_pair = "a dog ran";
  session.apply(pair, false, false);
  show(View::links);
  expect_readable("links of a pair");
  Document cross = sandbox_document();
  cross.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
  cross.query.text = "The cat sat on the mat";
  cross.query.decoder_text = "Die Katze sass da";
  session.apply(cross, false, false);
  settle();
  view.head = {3, 1};
  settle();
  expect_readable("links across two texts");
}

TEST_P(EveryScreen, EveryStepInside) {
  const auto expect_steps = [&](const std::string& what) {
    for (int step = 1; step <= kInsideSteps; ++step) {
      view.inside.moment = end_of_step(step);
      expect_readable(fmt::format("{}, step {}", what, step));
    }
  };
  show(View::inside);
  expect_steps("a sentence");
  view.inside.ringed = InsideNumber{InsideValue::weight, 2};
  view.inside.moment = {InsideStep::products, 0.4F};
  expect_readable("half of the products");
  Document next = document();
  SandboxSpec& sandbox = next.query.model.sandbox;
  sandbox.positions = PositionKind::alibi;
  sandbox.kv_heads = 2;
  next.query.score.sink = 1.0F;
  next.query.score.softcap = 3.0F;
  session.apply(next, false, false);
  settle();
  expect_steps("soft-cap, bias, a sink, and heads that share keys");
  view.inside.most_keys = 3;
  view.inside.opened = {1};
  expect_steps("a few keys, one of them opened");
  view.inside.most_keys = 0;
  view.inside.opened.clear();
  std::string text;
  for (int word = 0; word < 150; ++word) text += "word" + std::to_string(word % 31) + " ";
  say(text);
  for (int step = 1; step <= kInsideSteps; ++step) {
    view.inside.moment = end_of_step(step);
    expect_readable_beside_strip(fmt::format("a long text, step {}", step));
  }
}

TEST_P(EveryScreen, Labs) {
  show(View::lab);
  for (const Lab& lab : {Lab::attempts, Lab::mask_fills, Lab::scaling, Lab::dropout, Lab::head_cost, Lab::toy_run, Lab::concatenation}) {
    view.labs.lab = lab;
    settle();
    expect_readable(std::string(lab.name));
    window.key("ctrl+c");
    settle();
    expect_readable(std::string(lab.name) + ", copied");
  }
}

TEST_P(EveryScreen, ABaselineAndSeveralTexts) {
  window.key("b");
  settle();
  window.click("Add a text");
  settle();
  say("Another text that is longer than the first one was");
  for (const Moment moment : {Moment::now, Moment::before, Moment::difference}) {
    view.head_page.moment = moment;
    expect_every_view_readable("a baseline and two texts");
  }
}

TEST_P(EveryScreen, ModelsOfTwoTextsAndOfGroups) {
  Document next = document();
  next.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
  next.query.text = "The cat sat on the mat";
  next.query.decoder_text = "Die Katze";
  session.apply(next, false, false);
  settle();
  expect_every_view_readable("an encoder-decoder");
  view.head = {3, 1};
  expect_every_view_readable("its cross-attention");
  next = sandbox_document();
  next.query.kv_heads = 2;
  session.apply(next, false, false);
  settle();
  expect_every_view_readable("two key/value heads");
}

TEST_P(EveryScreen, LongTextsAndFewTokens) {
  std::string text;
  for (int word = 0; word < 80; ++word) text += "The keys to the ";
  say(text);
  expect_every_view_readable("320 tokens");
}

TEST_P(EveryScreen, OverviewSaysWhatAClickDoes) {
  window.frame(2);
  const auto& texts = window.items.texts();
  EXPECT_TRUE(
      std::any_of(texts.begin(), texts.end(), [](const DrawnText& each) { return each.text.ends_with("click opens, ctrl-click pins"); }));
}

TEST_P(EveryScreen, NamesOfTabsStandApartAndNoViewIsOutOfReach) {
  window.key("b");  // its chip takes of their room
  for (const ViewRow& shown : all_views()) {
    show(shown.view);
    float end = 0;
    bool is_folded = false;
    for (const ViewRow& row : all_views()) {
      const auto text = std::find_if(window.items.texts().begin(), window.items.texts().end(),
                                     [&](const DrawnText& each) { return each.window.starts_with("Tabs") && each.text == row.title; });
      if (text == window.items.texts().end()) {
        is_folded = true;
        EXPECT_NE(row.view, shown.view) << "the shown view has a tab";
        continue;
      }
      EXPECT_GE(points(text->corners[0].x) - end, 8.9F) << row.title;
      end = points(text->corners[1].x);
    }
    EXPECT_EQ(window.has("More views"), is_folded);
  }
}

TEST_P(EveryScreen, ComparedHeadsFillTheirView) {
  Document next = document();
  next.pins = {{{0, 0}}, {{1, 1}}};
  session.apply(next, false, false);
  show(View::compare);
  const Layout layout = make_layout(GetParam().width, GetParam().height, GetParam().scale, view.shell);
  window.frame(2);
  const auto& items = window.items.items();
  const auto found = std::find_if(items.begin(), items.end(), [](const DrawnItem& item) { return item.label == "compared numbers"; });
  ASSERT_NE(found, items.end());
  const Box numbers = found->box;
  if (numbers.width <= 0) {
    EXPECT_LT(points(layout.centre.height), 420) << "only a low view scrolls to the numbers";
    return;
  }
  const float margin = 25 * GetParam().scale;
  EXPECT_GE(numbers.right(), layout.centre.right() - margin);
  EXPECT_GE(numbers.bottom(), layout.centre.bottom() - margin);
}

TEST_P(EveryScreen, TheSentenceAndTheMapHaveTheirRoom) {
  EXPECT_GE(points(window.box_of("Sentence").width), 240);
  show(View::head);
  const Box map = window.box_of("map");
  const Layout layout = make_layout(GetParam().width, GetParam().height, GetParam().scale, view.shell);
  EXPECT_GE(map.height, layout.centre.height / 2);
  if (points(GetParam().height) < 540) return;
  Document told = document();
  told.query.model.name = "story-gpt";
  told.query.text = "The horse that the sailors follow is tired.";
  session.apply(told, false, false);
  settle();
  view.head = {2, 1};
  settle();
  EXPECT_GE(window.box_of("map").height, layout.centre.height / 2) << "under a long caption, with the name of a special token";
}

}  // namespace
}  // namespace headlight::testing
