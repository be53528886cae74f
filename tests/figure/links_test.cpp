// Which weights become lines, how lines are laid out, and the figure of links in files.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/links/link_looks.h"
#include "engine/figure/links/links_figure.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

/// Maps of random rows that sum to 1, some of them masked.
std::shared_ptr<const LinkMaps> random_maps(std::size_t heads, Index queries, Index keys, unsigned seed) {
  std::mt19937 random(seed);
  std::exponential_distribution<float> draw(1);
  auto maps = std::make_shared<LinkMaps>();
  maps->queries = queries, maps->keys = keys;
  for (std::size_t head = 0; head < heads; ++head) {
    Matrix weights(queries, keys);
    for (Index query = 0; query < queries; ++query) {
      for (Index key = 0; key < keys; ++key) weights(query, key) = (random() % 4 == 0) ? 0 : draw(random);
      const float sum = weights.row(query).sum();
      if (sum > 0) weights.row(query) /= sum;
    }
    std::vector<double> received(static_cast<std::size_t>(keys));
    for (Index key = 0; key < keys; ++key) received[static_cast<std::size_t>(key)] = static_cast<double>(weights.col(key).sum());
    maps->heads.push_back({{0, static_cast<int>(head)}, nullptr, std::make_shared<const Matrix>(std::move(weights)), std::move(received)});
  }
  return maps;
}

/// A text of `tokens`; from `second` on those of the second of a pair. The first and last are special.
LinkTexts texts_of(Index tokens, Index second) {
  LinkText text;
  for (Index token = 0; token < tokens; ++token) {
    text.is_second.push_back(token >= second);
    text.is_special.push_back(token == 0 || token + 1 == tokens);
  }
  return {text, text, true};
}

LinkLines chosen(const std::shared_ptr<const LinkMaps>& maps, const LinkTexts& texts, const LinkFilter& filter) {
  SilentProgress silent;
  return choose_lines(maps, texts, filter, silent);
}

double mass_of(const LinkLines& lines) {
  return std::accumulate(lines.lines.begin(), lines.lines.end(), 0.0,
                         [](double sum, const LinkLine& line) { return sum + static_cast<double>(line.weight); });
}

TEST(ChooseLines, ShownAndHiddenMassMakeUpTheTotal) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto maps = random_maps(1 + seed % 5, 9, 9, seed);
    for (const LinkRule rule : {LinkRule::threshold, LinkRule::top}) {
      LinkFilter filter{.rule = rule, .threshold = 0.02F * static_cast<float>(seed), .top = 1 + static_cast<int>(seed % 4)};
      filter.parts = {seed % 2 == 0, true, seed % 3 == 0, true};
      filter.has_special = seed % 5 != 0;
      const LinkLines lines = chosen(maps, texts_of(9, 5), filter);
      EXPECT_NEAR(lines.shown + lines.hidden, lines.total, 1e-9);
      EXPECT_NEAR(mass_of(lines), lines.shown, 1e-9);
      EXPECT_NEAR(std::accumulate(lines.shown_of_head.begin(), lines.shown_of_head.end(), 0.0), lines.shown, 1e-9);
      EXPECT_LE(static_cast<std::int64_t>(lines.lines.size()), lines.candidates);
    }
  }
}

TEST(ChooseLines, TheSharesOfAPairSumToOneWhateverIsShown) {
  const auto maps = random_maps(3, 8, 8, 7);
  LinkFilter filter;
  const auto shares = chosen(maps, texts_of(8, 5), filter).share;
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  for (const double share : shares) EXPECT_GT(share, 0);
  filter.parts = {false, false, true, false};
  const LinkLines one_part = chosen(maps, texts_of(8, 5), filter);
  EXPECT_EQ(one_part.share, shares);
  for (const LinkLine& line : one_part.lines) EXPECT_TRUE(line.query >= 5 && line.key < 5);
  EXPECT_NEAR(one_part.total, shares[2] * 3 * 8, 1e-4) << "rows sum to 1: 8 of each of 3 heads";
  EXPECT_EQ(chosen(maps, texts_of(8, 8), {}).share[0], 1) << "no pair: all is one part";
}

TEST(ChooseLines, AThresholdKeepsExactlyTheWeightsThatReachIt) {
  const auto maps = random_maps(4, 10, 10, 3);
  LinkFilter filter{.threshold = 0.1F};
  const LinkLines lines = chosen(maps, texts_of(10, 10), filter);
  std::size_t expected = 0;
  for (const LinkedHead& head : maps->heads) expected += static_cast<std::size_t>((head.weights->array() >= 0.1F).count());
  ASSERT_GT(expected, 0U);
  EXPECT_EQ(lines.lines.size(), expected);
  for (const LinkLine& line : lines.lines) EXPECT_EQ(line.weight, maps->weight(line.head, line.query, line.key));
}

TEST(ChooseLines, TopKeepsTheLargestOfEveryQueryAndHead) {
  const auto maps = random_maps(3, 7, 12, 5);
  LinkFilter filter{.rule = LinkRule::top, .top = 2};
  LinkTexts texts{texts_of(7, 7).queries, texts_of(12, 12).keys, false};
  const LinkLines lines = chosen(maps, texts, filter);
  std::map<std::pair<Index, std::uint32_t>, std::vector<float>> rows;
  for (const LinkLine& line : lines.lines) rows[{line.query, line.head}].push_back(line.weight);
  EXPECT_EQ(rows.size(), 21U);
  for (const auto& [place, weights] : rows) {
    ASSERT_EQ(weights.size(), 2U);
    const auto row = maps->heads[place.second].weights->row(place.first);
    EXPECT_EQ(weights.front(), row.maxCoeff());
    EXPECT_EQ((row.array() > weights.back()).count(), 1);
  }
}

TEST(ChooseLines, EveryLineIsListedOnceAtItsQueryAndOnceAtItsKey) {
  const auto maps = random_maps(3, 9, 9, 11);
  const LinkLines lines = chosen(maps, texts_of(9, 4), {.threshold = 0.05F});
  std::size_t at_queries = 0, at_keys = 0;
  for (Index token = 0; token < 9; ++token) {
    for (const LinkLine& line : lines.of_query(token)) EXPECT_EQ(line.query, token);
    at_queries += lines.of_query(token).size();
    at_keys += lines.of_key(token).size();
    float before = 2;
    for (const std::uint32_t line : lines.of_key(token)) {
      EXPECT_EQ(lines.lines[line].key, token);
      EXPECT_LE(lines.lines[line].weight, before) << "the heaviest first";
      before = lines.lines[line].weight;
    }
  }
  EXPECT_EQ(at_queries, lines.lines.size());
  EXPECT_EQ(at_keys, lines.lines.size());
}

TEST(ChooseLines, WhatIsNoWeightHasNoLineAndNoMass) {
  auto maps = std::make_shared<LinkMaps>();
  maps->queries = maps->keys = 2;
  Matrix weights(2, 2);
  weights << std::numeric_limits<float>::quiet_NaN(), 0.5F, std::numeric_limits<float>::infinity(), -1;
  maps->heads.push_back({{0, 0}, nullptr, std::make_shared<const Matrix>(weights), {0, 0.5}});
  const LinkLines lines = chosen(maps, texts_of(2, 2), {});
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.total, 0.5);
  EXPECT_EQ(maps->mean_of_query(1), (std::vector<float>{0, -1}));
}

TEST(ChooseLines, WithoutSpecialTokensTheirMassIsHidden) {
  const auto maps = random_maps(2, 6, 6, 2);
  const LinkLines lines = chosen(maps, texts_of(6, 6), {.threshold = 0, .has_special = false});
  for (const LinkLine& line : lines.lines) EXPECT_TRUE(line.query > 0 && line.query < 5 && line.key > 0 && line.key < 5);
  EXPECT_GT(lines.hidden, 0);
  EXPECT_NEAR(lines.shown + lines.hidden, lines.total, 1e-9);
}

TEST(LinkMaps, TheirMeansAreThoseOfTheHeads) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 2, 4);
  SilentProgress silent;
  const std::vector<HeadId> heads{{0, 1}, {1, 0}, {1, 3}};
  const LinkMaps maps = make_link_maps(*snapshot, heads, {}, nullptr, silent);
  ASSERT_EQ(maps.heads.size(), 3U);
  for (Index query = 0; query < maps.queries; ++query) {
    const std::vector<float> means = maps.mean_of_query(query);
    EXPECT_NEAR(std::accumulate(means.begin(), means.end(), 0.0F), 1, 1e-5);
    for (Index key = 0; key < maps.keys; ++key) {
      float sum = 0;
      for (const HeadId head : heads) sum += snapshot->maps(head).weights(query, key);
      EXPECT_NEAR(means[static_cast<std::size_t>(key)], sum / 3, 1e-6);
      EXPECT_NEAR(maps.mean_of_key(key)[static_cast<std::size_t>(query)], sum / 3, 1e-6);
    }
  }
  const LinkMaps again = make_link_maps(*snapshot, std::vector<HeadId>{{1, 0}, {0, 0}}, {}, &maps, silent);
  EXPECT_EQ(again.heads[0].weights, maps.heads[1].weights) << "what was made before is shared";
}

TEST(LinkMaps, HeadsAreThoseBetweenTheSameTexts) {
  const auto snapshot = pair_snapshot("the cat sat", "a dog");
  const std::vector<HeadId> all{{0, 0}, {1, 2}, {2, 0}, {3, 1}, {5, 0}, {9, 9}};
  EXPECT_EQ(heads_between_texts_of(*snapshot, 0, all), (std::vector<HeadId>{{0, 0}, {1, 2}}));
  EXPECT_EQ(heads_between_texts_of(*snapshot, 3, all), (std::vector<HeadId>{{3, 1}, {5, 0}}));
}

/// A figure of random lines.
LinksFigureRequest figure_of(const std::shared_ptr<const LinkMaps>& maps, const LinkTexts& texts, const LinkFilter& filter) {
  std::vector<std::string> queries, keys;
  for (Index token = 0; token < maps->queries; ++token) queries.push_back("query" + std::to_string(token));
  for (Index token = 0; token < maps->keys; ++token) keys.push_back("key" + std::to_string(token));
  LinksFigureRequest request;
  request.lines = std::make_shared<const LinkLines>(chosen(maps, texts, filter));
  request.query_labels = std::make_shared<const std::vector<std::string>>(queries);
  request.key_labels = std::make_shared<const std::vector<std::string>>(keys);
  request.area = {0, 0, 900, 700};
  return request;
}

TEST(LinksFigure, ALineIsAsWideAndOpaqueAsItsWeightSays) {
  const LinksFigureRequest request = figure_of(random_maps(2, 6, 6, 4), texts_of(6, 6), {.threshold = 0.1F});
  const auto curves = items_of<SceneCurve>(make_links_figure(request, plain_measure()).scene);
  ASSERT_EQ(curves.size(), request.lines->lines.size());
  std::multiset<float> widths, expected;
  for (const SceneCurve& curve : curves) widths.insert(curve.width);
  for (const LinkLine& line : request.lines->lines) expected.insert(1 + 7 * line.weight);
  EXPECT_EQ(widths, expected);
  EXPECT_EQ(link_shade(link_colour(Theme::dark, 0), 1).alpha, 255);
  EXPECT_EQ(link_shade(link_colour(Theme::dark, 0), 0).alpha, 64);
}

TEST(LinksFigure, ATokenInFocusHasItsLinesInFullAndAllOthersFaint) {
  LinksFigureRequest request = figure_of(random_maps(2, 6, 6, 4), texts_of(6, 6), {.threshold = 0.05F});
  for (const bool is_key : {false, true}) {
    request.focus = LinkFocus{2, is_key};
    const auto curves = items_of<SceneCurve>(make_links_figure(request, plain_measure()).scene);
    std::size_t own = 0;
    std::set<std::pair<Index, Index>> others;
    for (const LinkLine& line : request.lines->lines) {
      (is_key ? line.key : line.query) == 2 ? void(++own) : void(others.insert({line.query, line.key}));
    }
    ASSERT_GT(own, 0U);
    ASSERT_EQ(curves.size(), others.size() + own) << "of the others one line between the same two tokens, however many heads have one";
    for (std::size_t i = 0; i < curves.size(); ++i) EXPECT_EQ(curves[i].colour.alpha <= 18, i < curves.size() - own) << i;
  }
}

TEST(LinksFigure, OfALongTextOnlyWhatIsInSightIsDrawn) {
  LinksFigureRequest request = figure_of(random_maps(4, 400, 400, 9), texts_of(400, 400), {.threshold = 0.01F});
  request.scroll = 3000;
  const LinksFigure figure = make_links_figure(request, plain_measure());
  EXPECT_GT(figure.layout.content_height, 5000);
  EXPECT_GT(figure.left_out, 0U);
  const auto curves = items_of<SceneCurve>(figure.scene);
  EXPECT_GT(curves.size(), 50U);
  for (const SceneCurve& curve : curves) {
    for (const Point& point : {curve.from, curve.to}) EXPECT_TRUE(point.y > -20 && point.y < 720) << point.y;
  }
  EXPECT_LT(items_of<SceneText>(figure.scene).size(), 200U);
  for (const SceneText& text : items_of<SceneText>(figure.scene)) EXPECT_TRUE(text.at.y > -40 && text.at.y < 740) << text.text;
  float lightest = 9;
  for (const SceneCurve& curve : items_of<SceneCurve>(figure.scene)) lightest = std::min(lightest, curve.width);
  EXPECT_GT(lightest, 1.08F) << "the heaviest are kept";
}

TEST(LinksFigure, ThePointerFindsEveryRow) {
  for (const bool has_arcs : {false, true}) {
    LinksFigureRequest request = figure_of(random_maps(2, 9, 9, 4), texts_of(9, 5), {});
    request.has_arcs = has_arcs;
    const LinksLayout layout = links_layout(request, plain_measure());
    for (Index token = 0; token < 9; ++token) {
      const Box query = layout.query_box(token), key = layout.key_box(token);
      EXPECT_EQ(token_at(layout, request.area, {query.right() - 2, query.y + query.height / 2}), (LinkFocus{token, false}));
      if (has_arcs) continue;
      EXPECT_EQ(token_at(layout, request.area, {key.x + 12, key.y + key.height / 2}), (LinkFocus{token, true}));
    }
    EXPECT_EQ(token_at(layout, request.area, {1, 1}), std::nullopt);
  }
}

TEST(LinksFigure, NoTwoTextsLieOverEachOtherAndNoneLeavesTheArea) {
  const MeasureText measure = plain_measure();
  for (const float width : {460.0F, 620.0F, 1200.0F}) {
    for (const float height : {260.0F, 800.0F}) {
      for (const bool has_arcs : {false, true}) {
        LinksFigureRequest request = figure_of(random_maps(9, 12, 12, 6), texts_of(12, 7), {});
        request.area = {10, 5, width, height};
        request.has_arcs = has_arcs;
        const auto texts = items_of<SceneText>(make_links_figure(request, measure).scene);
        for (std::size_t i = 0; i < texts.size(); ++i) {
          for (const Point& corner : corners_of(texts[i], measure)) {
            EXPECT_TRUE(corner.x >= 9 && corner.x <= 11 + width) << texts[i].text << " at width " << width;
          }
          for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(texts[i], texts[j], measure)) << texts[i].text << " " << texts[j].text;
        }
      }
    }
  }
}

TEST(LinkLooks, TenHeadsHaveColoursOfTheirOwnAwayFromQueryAndKeyAndLaterOnesLetters) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& colours = palette(theme);
    std::vector<Colour> taken{colours.query, colours.key};
    for (std::size_t place = 0; place < kLinkColours; ++place) {
      const Colour colour = link_colour(theme, place);
      for (const Colour other : taken) {
        const int distance = std::abs(colour.red - other.red) + std::abs(colour.green - other.green) + std::abs(colour.blue - other.blue);
        EXPECT_GE(distance, 60) << hex_text(colour) << " and " << hex_text(other);
      }
      taken.push_back(colour);
      EXPECT_EQ(link_letter(place), "");
    }
  }
  std::set<std::pair<std::string, std::string>> looks;
  for (std::size_t place = 0; place < 400; ++place) looks.insert({hex_text(link_colour(Theme::dark, place)), link_letter(place)});
  EXPECT_EQ(looks.size(), 400U);
}

FigureRequest links_request(std::vector<HeadId> heads) {
  FigureRequest request;
  request.kind = &kLinksFigure;
  request.links.heads = std::move(heads);
  return request;
}

TEST(LinksInFiles, HoldTheLinesTheLegendAndWhatTheyMean) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 2, 4);
  FigureRequest request = links_request({{0, 1}, {1, 2}});
  request.links.filter.threshold = 0.1F;
  const Scene scene = make_figure(*snapshot, request, plain_measure());
  const std::string text = to_text(scene);
  EXPECT_NE(text.find("“0.1”"), std::string::npos);
  EXPECT_NE(text.find("“1.2”"), std::string::npos);
  EXPECT_NE(text.find("2 heads as links"), std::string::npos);
  EXPECT_NE(text.find("width 1 + 7 w"), std::string::npos);
  EXPECT_NE(text.find("of the attention has no line"), std::string::npos);
  std::size_t expected = 0;
  for (const HeadId head : request.links.heads)
    expected += static_cast<std::size_t>((snapshot->maps(head).weights.array() >= 0.1F).count());
  EXPECT_EQ(items_of<SceneCurve>(scene).size(), expected);
  const TemporaryFolder folder;
  for (const char* name : {"a.svg", "a.png", "a.pdf", "a.csv", "a.npy", "a.json"}) {
    write_figure(*snapshot, request, folder / name);
    EXPECT_GT(bytes_of(folder / name).size(), 100U) << name;
  }
  EXPECT_NE(bytes_of(folder / "a.svg").find("<path d=\"M"), std::string::npos);
  EXPECT_NE(bytes_of(folder / "a.npy").find("'shape': (2, 6, 6)"), std::string::npos);
}

TEST(LinksInFiles, EveryTokenHasItsLabelOnALowPage) {
  const auto snapshot =
      sandbox_snapshot("the horse that the sailors follow gallops and the boy sees the dog and the cat on the mat in a house", 1, 2);
  const auto tokens = static_cast<std::size_t>(snapshot->queries(0));
  ASSERT_GT(tokens, 20U);
  for (const bool has_arcs : {false, true}) {
    for (const PageLook& look : {PageLook{.width_mm = 120, .height_mm = 60}, find_preset("slide")->look, PageLook{.height_mm = 30}}) {
      FigureRequest request = links_request({{0, 1}});
      request.links.has_arcs = has_arcs;
      request.page = look;
      const Scene page = make_figure(*snapshot, request, plain_measure());
      EXPECT_LE(page.height, look.height_mm * kPointsPerMm + 0.01F);
      std::map<std::string, std::size_t> found;
      for (const SceneText& text : items_of<SceneText>(page)) {
        EXPECT_LE(text.at.y, page.height);
        if (text.face == FontFace::mono) ++found[text.text];
      }
      for (std::size_t token = 0; token < tokens; ++token) EXPECT_EQ(found[std::to_string(token)], has_arcs ? 1U : 2U) << token;
    }
  }
}

TEST(LinksInFiles, ARowBringsTheTextTintedByItsWeights) {
  const auto snapshot = sandbox_snapshot("the cat sat on the mat", 1, 2);
  FigureRequest request = links_request({{0, 0}, {0, 1}});
  const std::size_t without = items_of<SceneText>(make_figure(*snapshot, request, plain_measure())).size();
  request.links.focus = LinkFocus{4, false};
  request.links.is_kept = true;
  const std::string text = to_text(make_figure(*snapshot, request, plain_measure()));
  EXPECT_NE(text.find("weight from “the”, mean of 2 heads"), std::string::npos) << text;
  EXPECT_GE(items_of<SceneText>(make_figure(*snapshot, request, plain_measure())).size(), without + 6);
}

TEST(LinksInFiles, ARequestThatCannotBeDrawnIsRefused) {
  const auto snapshot = pair_snapshot("the cat sat", "a dog");
  const auto refusal = [&](FigureRequest request) { return error_of([&] { check_figure(*snapshot, request); }).detail().problem; };
  EXPECT_EQ(refusal(links_request({})), "links need at least one head");
  EXPECT_EQ(refusal(links_request({{0, 7}})), "no such head");
  EXPECT_EQ(refusal(links_request({{0, 0}, {3, 0}})), "the heads of links have the same queries and keys");
  FigureRequest request = links_request({{3, 0}});
  request.links.has_arcs = true;
  EXPECT_NE(refusal(request).find("cross-attention"), std::string::npos);
  request = links_request({{3, 0}});
  request.links.focus = LinkFocus{2, false};
  EXPECT_EQ(refusal(request), "there is no token 2: tokens 0 to 1");
  request.links.focus = LinkFocus{2, true};
  EXPECT_NO_THROW(check_figure(*snapshot, request)) << "the encoder has three";
}

}  // namespace
}  // namespace headlight::testing
