#include "engine/figure/files/write_figure.h"

#include <glib.h>

#include <cstring>
#include <limits>
#include <sstream>

#include "engine/figure/painters/painters.h"
#include "engine/formats/json.h"
#include "tests/figure/figure_testing.h"
#include "tests/figure/png_reading.h"
#include "tests/testing.h"

namespace headlight::testing {
namespace {

/// What an XML reader finds: element names in order and all text.
struct Xml {
  std::vector<std::string> elements;
  std::string text;
  std::string error;
};

Xml read_xml(const std::string& bytes) {
  Xml xml;
  GMarkupParser parser{};
  parser.start_element = [](GMarkupParseContext*, const gchar* name, const gchar**, const gchar**, gpointer data, GError**) {
    static_cast<Xml*>(data)->elements.emplace_back(name);
  };
  parser.text = [](GMarkupParseContext*, const gchar* text, gsize length, gpointer data, GError**) {
    static_cast<Xml*>(data)->text.append(text, length);
  };
  GError* error = nullptr;
  GMarkupParseContext* context = g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &xml, nullptr);
  const bool is_good = g_markup_parse_context_parse(context, bytes.data(), static_cast<gssize>(bytes.size()), &error) &&
                       g_markup_parse_context_end_parse(context, &error);
  if (!is_good) xml.error = error->message;
  g_clear_error(&error);
  g_markup_parse_context_free(context);
  return xml;
}

std::size_t count(const Xml& xml, const std::string& element) {
  return static_cast<std::size_t>(std::count(xml.elements.begin(), xml.elements.end(), element));
}

Scene text_scene(const std::string& text) {
  Scene scene{100, 50, {255, 255, 255}, text, {}};
  scene.items.emplace_back(SceneText{{10, 20}, text});
  return scene;
}

FigureRequest head_request(HeadId head) {
  FigureRequest request;
  request.head = head;
  return request;
}

TEST(Svg, IsWellFormedAndHoldsTheSentenceAsText) {
  const auto snapshot = sandbox_snapshot("The <cat> & \"dog\" sat", 2, 2);
  const Xml xml = read_xml(to_svg(make_figure(*snapshot, head_request({1, 1}), plain_measure())));
  EXPECT_EQ(xml.error, "");
  EXPECT_NE(xml.text.find("The <cat> & \"dog\" sat"), std::string::npos);
  EXPECT_EQ(count(xml, "title"), 1U);
  EXPECT_EQ(count(xml, "desc"), 1U);
  EXPECT_EQ(count(xml, "image"), 0U);
  EXPECT_GE(count(xml, "rect"), static_cast<std::size_t>(snapshot->tokens()));
}

TEST(Svg, HostileTextIsEscaped) {
  // Control characters, bidi controls, markup, broken UTF-8.
  const std::string hostile = "a\x01\x1b[0m\u202E]]>--><script>alert('x')</script>&amp;\xff\xc0";
  const std::string svg = to_svg(text_scene(hostile));
  const Xml xml = read_xml(svg);
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(count(xml, "script"), 0U);
  EXPECT_NE(xml.text.find("<script>alert('x')</script>&amp;"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find("\u202E"), std::string::npos);
}

Scene map_scene(Index cells) {
  Scene scene{300, 300, {255, 255, 255}, "map", {}};
  const auto picture = std::make_shared<MapPicture>(Matrix::Identity(cells, cells), 1, cells, cells, nullptr, false);
  const auto end = static_cast<float>(cells);
  scene.items.emplace_back(SceneMap{{0, 0, 300, 300}, picture, {0, end, 0, end}, {}, {}});
  return scene;
}

TEST(Svg, ShortMapsAreRectanglesOfEqualCellsAndLongOnesAnImage) {
  const Xml few = read_xml(to_svg(map_scene(100)));
  EXPECT_EQ(count(few, "image"), 0U);
  EXPECT_EQ(count(few, "rect"), 1 + 100 * 3U - 2) << "background; the diagonal cell and the runs beside it";
  const Xml many = read_xml(to_svg(map_scene(101)));
  EXPECT_EQ(count(many, "image"), 1U);
  EXPECT_EQ(many.error, "");
}

TEST(WriteFigure, SameFigureSameBytes) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2);
  const Scene scene = make_figure(*snapshot, head_request({1, 0}), pango_measure());
  EXPECT_EQ(to_svg(scene), to_svg(scene));
  EXPECT_EQ(to_png(scene, 2), to_png(scene, 2));
  EXPECT_EQ(to_pdf(scene), to_pdf(scene));
}

TEST(ToImage, MapsAreThePaintersPixelsUntouched) {
  const Scene scene = map_scene(20);
  const Image image = to_image(scene, 1.5F);
  ASSERT_EQ(image.width, 450);
  Image expected{450, 450, std::vector<std::uint8_t>(std::size_t{450} * 450 * 4)};
  const auto& map = std::get<SceneMap>(scene.items[0]);
  HatchStyle hatch = map.hatch;
  hatch.spacing *= 1.5F;
  paint_map(*map.picture, map.window, map.scale, hatch, expected, {0, 0, 450, 450});
  EXPECT_EQ(image.pixels, expected.pixels);
}

TEST(ToImage, TooManyPixelsAreRefused) {
  Scene scene;
  scene.width = 20000;
  scene.height = 10;
  EXPECT_EQ(error_of([&] { to_image(scene, 2); }).kind(), ErrorKind::limit);
  scene.width = 0;
  EXPECT_EQ(error_of([&] { to_image(scene, 2); }).kind(), ErrorKind::limit);
}

TEST(WriteFigure, TheEndingDecidesTheFormat) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2);
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> beginnings = {{"a.png", "\x89PNG"},   {"a.SVG", "<?xml"},
                                                                       {"a.pdf", "%PDF-1."},   {"a.csv", "\"query"},
                                                                       {"a.npy", "\x93NUMPY"}, {"a.json", "{\"model\": \"sandbox\""}};
  for (const auto& [name, beginning] : beginnings) {
    for (const FigureKind* kind : {&kGridFigure, &kCompareFigure, &kHeatmapFigure}) {
      FigureRequest request = head_request({1, 1});
      request.kind = kind;
      request.heads = {{{0, 0}}, {{1, 1}}};
      write_figure(*snapshot, request, folder / name);
    }
    EXPECT_TRUE(bytes_of(folder / name).starts_with(beginning)) << name;
  }
  for (const char* name : {"a.gif", "a", "png"}) {
    const Error error = error_of([&] { write_figure(*snapshot, head_request({0, 0}), folder / name); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find(".svg"), std::string::npos) << error.message();
  }
}

TEST(WriteFigure, AFailureSaysWhereAndLeavesNoFile) {
  const auto snapshot = sandbox_snapshot("The cat sat", 1, 1);
  const TemporaryFolder folder;
  for (const char* name : {"a.png", "a.csv", "a.npy"}) {
    const auto path = folder.path() / "missing" / name;
    EXPECT_EQ(error_of([&] { write_figure(*snapshot, head_request({0, 0}), path); }).kind(), ErrorKind::write);
    EXPECT_EQ(error_of([&] { write_figure(*snapshot, head_request({9, 0}), folder / name); }).kind(), ErrorKind::usage);
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
}

TEST(WriteFigure, ThePngHasTheScenesSize) {
  const auto snapshot = sandbox_snapshot("The cat sat", 1, 1);
  const TemporaryFolder folder;
  write_figure(*snapshot, head_request({0, 0}), folder / "a.png", {.pixels_per_point = 3});
  const Scene scene = make_figure(*snapshot, head_request({0, 0}), pango_measure());
  EXPECT_EQ(decode_png(folder / "a.png").width, static_cast<int>(std::ceil(scene.width * 3)));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(WriteFigure, CsvReadsBackToTheSameFloats) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2);
  const TemporaryFolder folder;
  write_figure(*snapshot, head_request({1, 1}), folder / "a.csv");
  const auto lines = lines_of(bytes_of(folder / "a.csv"));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], R"("query \ key","The","cat","sat")");
  const Matrix weights = snapshot->maps({1, 1}).weights;
  for (Index query = 0; query < 3; ++query) {
    std::stringstream line(lines[static_cast<std::size_t>(query) + 1]);
    std::string cell;
    std::getline(line, cell, ',');
    for (Index key = 0; key < 3; ++key) {
      std::getline(line, cell, ',');
      EXPECT_EQ(std::strtof(cell.c_str(), nullptr), weights(query, key));
    }
  }
}

/// A CSV as RFC 4180 reads it.
std::vector<std::vector<std::string>> rows_of_csv(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool is_quoted = false;
  for (std::size_t at = 0; at < csv.size(); ++at) {
    if (is_quoted && csv[at] == '"' && at + 1 < csv.size() && csv[at + 1] == '"') {
      rows.back().back() += csv[at++];
    } else if (csv[at] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && csv[at] == ',') {
      rows.back().emplace_back();
    } else if (!is_quoted && csv[at] == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += csv[at];
    }
  }
  rows.pop_back();
  return rows;
}

TEST(WriteFigure, CsvHoldsTokensAsTheyAre) {
  const auto snapshot = sandbox_snapshot("=1+1 @cmd -2 \"x\" 'tis a,b +", 1, 1);
  std::vector<std::string> tokens;
  for (const Token& token : snapshot->encoding->tokens) tokens.push_back(snapshot->label(token).text);
  const TemporaryFolder folder;
  write_figure(*snapshot, head_request({0, 0}), folder / "a.csv");
  const auto table = rows_of_csv(bytes_of(folder / "a.csv"));
  ASSERT_EQ(table.size(), tokens.size() + 1);
  EXPECT_EQ(table[0][0], "query \\ key");
  EXPECT_EQ(std::vector(table[0].begin() + 1, table[0].end()), tokens);
  for (std::size_t query = 0; query < tokens.size(); ++query) EXPECT_EQ(table[query + 1][0], tokens[query]);
  FigureRequest list;
  list.kind = &kGridFigure;
  write_figure(*snapshot, list, folder / "b.csv");
  const auto lines = rows_of_csv(bytes_of(folder / "b.csv"));
  EXPECT_EQ(lines[0][4], "query_token");
  for (std::size_t key = 0; key < tokens.size(); ++key) EXPECT_EQ(lines[key + 1][5], tokens[key]);
}

TEST(WriteFigure, SpreadsheetSafeCsvQuotesWhatLooksLikeAFormulaAndSaysSo) {
  const auto snapshot = sandbox_snapshot("=1+1 @cmd -2 \"x\"", 1, 1);
  const TemporaryFolder folder;
  for (const FigureKind* kind : {&kHeatmapFigure, &kGridFigure}) {
    FigureRequest request = head_request({0, 0});
    request.kind = kind;
    request.is_spreadsheet_safe = true;
    write_figure(*snapshot, request, folder / "a.csv");
    const std::string csv = bytes_of(folder / "a.csv");
    for (const char sign : {'=', '+', '@', '-'}) {
      EXPECT_EQ(csv.find(std::string("\"") + sign), std::string::npos) << sign;
      EXPECT_NE(csv.find(std::string("\"'") + sign), std::string::npos) << sign;
    }
    EXPECT_NE(csv.find(R"("""")"), std::string::npos) << "a quote is doubled";
    EXPECT_NE(lines_of(csv)[0].find("(spreadsheet-safe)"), std::string::npos);
  }
}

TEST(WriteFigure, NumpyHoldsTheMapsInOrder) {
  const auto snapshot = sandbox_snapshot("The cat sat", 2, 2);
  const TemporaryFolder folder;
  FigureRequest request;
  request.kind = &kGridFigure;
  write_figure(*snapshot, request, folder / "a.npy");
  const std::string bytes = bytes_of(folder / "a.npy");
  EXPECT_NE(bytes.find("(2, 2, 3, 3)"), std::string::npos);
  const Matrix last = snapshot->maps({1, 1}).weights;
  ASSERT_GT(bytes.size(), 36 * sizeof(float));
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - 9 * sizeof(float), last.data(), 9 * sizeof(float)), 0);
}

TEST(WriteFigure, NumbersOfACrossMapHaveTheTokensAndSizesOfBothTexts) {
  const auto snapshot = pair_snapshot("The cat sat", "Die Katze");
  const TemporaryFolder folder;
  write_figure(*snapshot, head_request({3, 1}), folder / "a.csv");
  const auto lines = lines_of(bytes_of(folder / "a.csv"));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], R"("query \ key","The","cat","sat")");
  EXPECT_TRUE(lines[2].starts_with("\"Katze\",")) << lines[2];

  write_figure(*snapshot, head_request({3, 1}), folder / "a.npy");
  EXPECT_NE(bytes_of(folder / "a.npy").find("'shape': (2, 3)"), std::string::npos);

  FigureRequest grid;
  grid.kind = &kGridFigure;
  write_figure(*snapshot, grid, folder / "b.csv");
  const std::string list = bytes_of(folder / "b.csv");
  EXPECT_NE(list.find("\n3,1,\"cross 0\",1,2,\"Katze\",\"sat\","), std::string::npos);
  EXPECT_NE(list.find("\n2,0,\"decoder 0\",1,0,\"Katze\",\"Die\","), std::string::npos);
  EXPECT_NE(list.find("\n0,0,\"encoder 0\",2,1,\"sat\",\"cat\","), std::string::npos);

  write_figure(*snapshot, grid, folder / "b.json");
  const Json json = parse_json(bytes_of(folder / "b.json"), "b.json");
  EXPECT_EQ(json["tokens"], Json({"The", "cat", "sat"}));
  EXPECT_EQ(json["decoder_tokens"], Json({"Die", "Katze"}));
  EXPECT_EQ(json["decoder_text"], "Die Katze");
  EXPECT_EQ(json["heads"][9]["attention"], "cross 0");
  EXPECT_EQ(json["heads"][9]["weights"].size(), 2U);
  EXPECT_EQ(json["heads"][9]["weights"][0].size(), 3U);
}

TEST(WriteFigure, MapsOfDifferentSizesDoNotFitOneArray) {
  const auto snapshot = pair_snapshot("The cat sat", "Die Katze");
  const TemporaryFolder folder;
  FigureRequest compare;
  compare.kind = &kCompareFigure;
  compare.heads = {{{3, 0}}, {{5, 2}}};
  write_figure(*snapshot, compare, folder / "a.npy");
  EXPECT_NE(bytes_of(folder / "a.npy").find("'shape': (2, 2, 3)"), std::string::npos);
  compare.heads = {{{3, 0}}, {{2, 2}}};
  const Error error = error_of([&] { write_figure(*snapshot, compare, folder / "b.npy"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.message().find("2 × 3 in cross 0 and 2 × 2 in decoder 0"), std::string::npos) << error.message();
  EXPECT_FALSE(std::filesystem::exists(folder / "b.npy"));
}

TEST(WriteFigure, JsonIsStrictAndNanIsNull) {
  auto snapshot = std::make_shared<Snapshot>(*sandbox_snapshot("The \"cat\" sat", 1, 1));
  auto layer = std::make_shared<LayerTrace>(*snapshot->trace.layers[0]);
  Matrix q = *layer->q.whole();
  q(1, 0) = std::numeric_limits<float>::quiet_NaN();
  layer->q = SharedRows(q);
  snapshot->trace.layers[0] = layer;
  const TemporaryFolder folder;
  write_figure(*snapshot, head_request({0, 0}), folder / "a.json");
  const Json json = parse_json(bytes_of(folder / "a.json"), "a.json");
  EXPECT_EQ(json["text"], "The \"cat\" sat");
  const Json& weights = json["heads"][0]["weights"];
  EXPECT_EQ(weights[0][0], 1.0);
  EXPECT_TRUE(weights[1][0].is_null());
  EXPECT_EQ(weights[2][1].get<float>(), snapshot->maps({0, 0}).weights(2, 1));
}

TEST(PangoMeasure, WidthsGrowWithTextAndSize) {
  const MeasureText measure = pango_measure();
  EXPECT_EQ(measure("", FontFace::ui, 12), 0);
  EXPECT_GT(measure("because it", FontFace::ui, 12), measure("because", FontFace::ui, 12));
  EXPECT_NEAR(measure("because", FontFace::ui, 24), 2 * measure("because", FontFace::ui, 12), 0.5);
  EXPECT_NEAR(measure("iiii", FontFace::mono, 12), measure("WWWW", FontFace::mono, 12), 0.1);
  EXPECT_EQ(measure("a\nb", FontFace::ui, 12) > 0, true) << "one line whatever comes";
}

}  // namespace
}  // namespace headlight::testing
