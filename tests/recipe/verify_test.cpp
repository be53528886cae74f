// `verify`: every kind of file, untouched and with one thing changed.
#include "app/recipe/verify.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/recipe/recipe.h"
#include "engine/figure/files/read_record.h"
#include "engine/figure/painters/png.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/recipe/figures.h"

namespace headlight::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kText = "It was late in the day.";

/// Figures of a copy of a small model, whose weights a test may change.
class Verify : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_ / "tiny");
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) fs::copy(fs::path(small_model()) / name, model_ / name);
  }

  fs::path write(const std::string& name, const FigureRequest& request = {}) const {
    write_recorded(*run_of_text(model_.string(), kText), request, folder_ / name);
    return folder_ / name;
  }
  Verification verify(const fs::path& figure) const {
    SilentProgress progress;
    return verify_figure(figure, {.model = model_.string(), .threads = 1}, progress);
  }
  Error refusal(const fs::path& figure) const {
    return error_of([&] { verify(figure); });
  }
  void expect_differs(const fs::path& figure, const std::string& words) const {
    const Verification found = verify(figure);
    EXPECT_FALSE(found.is_equal) << figure;
    EXPECT_THAT(found.lines.front(), StartsWith("differs: ")) << figure;
    EXPECT_THAT(found.lines.front(), HasSubstr(words)) << figure;
  }
  /// Replaces the first `what` of a file.
  static void replace(const fs::path& file, const std::string& what, const std::string& by) {
    std::string bytes = bytes_of(file);
    const std::size_t at = bytes.find(what);
    ASSERT_NE(at, std::string::npos) << file << ": " << what;
    write_file(file, bytes.replace(at, what.size(), by));
  }

  const TemporaryFolder folder_;
  const fs::path model_ = folder_ / "tiny";
};

constexpr const char* kNames[] = {"a.png", "a.svg", "a.pdf", "a.html", "a.json", "a.npz", "a.safetensors"};

TEST_F(Verify, EveryKindOfFileAndFigureIsEqual) {
  for (const FigureKind* kind : figure_kinds()) {
    FigureRequest request;
    request.kind = kind;
    request.heads = {{{0, 0}}, {{1, 1}}};
    request.links.heads = request.flow.heads = {{0, 0}, {0, 1}};
    request.style.theme = Theme::light;
    request.part = {1, 4, 0, 2.5F};
    request.marked = {.query = 2, .key = 1};
    request.only = {{1, 1}, {0, 1}};
    request.effects.other_text = kText;  // which patches nothing: shares are not numbers
    request.lab = {.asked = "dropout:sample=2", .layer = 1, .head = 0};
    request.measures = {.ids = {"induction", "mean-distance"}, .sorts = {{"mean-distance", true}}, .across = "induction"};
    for (const char* name : kNames) {
      if (file_of_figure(*kind, name) == nullptr) continue;
      const Verification found = verify(write(name, request));
      EXPECT_TRUE(found.is_equal) << kind->name << " " << name << ": " << found.lines.front();
      EXPECT_THAT(found.lines.front(), StartsWith("equal: ")) << kind->name << " " << name;
    }
  }
}

TEST_F(Verify, EveryLabIsEqual) {
  for (const char* asked : {"attempts:self=on,heads=2", "mask-conventions", "mask-conventions:row=own", "scaling", "head-cost:bias=off",
                            "concatenation:show=projections", "effective", "toy-run:valid=4+0"}) {
    FigureRequest request;
    request.kind = &kLabFigure;
    request.lab = {.asked = asked, .layer = 1, .head = 0};
    for (const char* name : {"a.svg", "a.json", "a.npz"}) {
      const Verification found = verify(write(name, request));
      EXPECT_TRUE(found.is_equal) << asked << " " << name << ": " << found.lines.front();
    }
  }
}

TEST_F(Verify, AnotherSampleOfALabDiffers) {
  FigureRequest request;
  request.kind = &kLabFigure;
  request.lab = {.asked = "dropout:sample=2", .layer = 0, .head = 0};
  const fs::path figure = write("a.json", request);
  replace(figure, "sample=2\"", "sample=3\"");  // that of the record, not of its command
  EXPECT_FALSE(verify(figure).is_equal);
  replace(figure, "dropout:sample=3\"", "dropping:sample=3\"");
  EXPECT_THAT(refusal(figure).message(), HasSubstr("there is no such lab"));
}

// The window always looks at some head; a figure of all heads does not depend on which.
TEST_F(Verify, AFigureOfAllHeadsIsEqualWhicheverHeadIsLookedAt) {
  for (const FigureKind* kind : {&kGridFigure, &kMeasuresFigure}) {
    FigureRequest request;
    request.kind = kind;
    request.head = {1, 1};
    request.measures.ids = {"previous-token"};
    const Verification found = verify(write(std::string(kind->name) + ".svg", request));
    EXPECT_TRUE(found.is_equal) << kind->name << ": " << found.lines.front();
  }
}

TEST_F(Verify, PagesOfEveryLookAreEqual) {
  FigureRequest request;
  request.head = {1, 0};
  for (const PageLook& page : {PageLook{.width_mm = 85}, PageLook{.width_mm = 60, .height_mm = 40, .type = 6, .letter = "b"},
                               PageLook{.type = 9, .family = "DejaVu Serif", .without = {PagePart::caption, PagePart::bar}},
                               PageLook{.width_mm = 100, .is_transparent = true}, PageLook{.is_transparent = true}}) {
    request.page = page;
    for (const char* name : kNames) EXPECT_TRUE(verify(write(name, request)).is_equal) << name;
  }
}

TEST_F(Verify, AChangedOpacityIsFoundAndTold) {
  FigureRequest request;
  request.page = {.width_mm = 60, .is_transparent = true};
  const fs::path file = write("a.png", request);
  const std::string bytes = bytes_of(file), record = *text_in_png(bytes, kPngKeyword, "a.png");
  Image image = decode_png(bytes, "a.png");
  ASSERT_EQ(image.pixels[3], 0);
  image.pixels[3] = 96;
  const std::array kept{PngText{kPngKeyword, record}};
  write_file(file, with_texts(encode_png(image), kept));
  expect_differs(file, "the file was changed after it was written: ");
}

TEST_F(Verify, AChangedPageIsFoundAndTold) {
  FigureRequest request;
  request.page = {.width_mm = 85, .letter = "a"};
  const fs::path file = write("a.svg", request);
  replace(file, "\"width_mm\":85", "\"width_mm\":86");
  expect_differs(file, "the file was changed after it was written: ");
  for (const char* broken : {"\"width_mm\":-5", "\"width_mm\":1e9", "\"width_mm\":\"85\""}) {
    replace(write("b.svg", request), "\"width_mm\":85", broken);
    EXPECT_EQ(refusal(folder_ / "b.svg").kind(), ErrorKind::input) << broken;
  }
  replace(write("c.svg", request), "\"letter\":\"a\"", "\"letter\":\"a long letter\"");
  EXPECT_EQ(refusal(folder_ / "c.svg").kind(), ErrorKind::input);
}

TEST_F(Verify, AChangedWeightIsSaidToBeTheWeights) {
  for (const char* name : kNames) write(name);
  const SafetensorsFile weights(model_ / "model.safetensors");
  const TensorInfo* tensor = nullptr;
  for (const TensorInfo& each : weights.tensors()) {
    if (each.name.find("c_attn.weight") != std::string::npos && each.name.find("h.0.") != std::string::npos) tensor = &each;
  }
  ASSERT_NE(tensor, nullptr);
  std::string bytes = bytes_of(model_ / "model.safetensors");
  bytes[tensor->begin + 1] = static_cast<char>(bytes[tensor->begin + 1] ^ 0x55);
  bytes[tensor->begin + 3] = static_cast<char>(bytes[tensor->begin + 3] ^ 0x01);
  write_file(model_ / "model.safetensors", bytes);
  for (const char* name : kNames) {
    expect_differs(folder_ / name, "the weights of tiny are not those that the figure was made with");
    const Verification found = verify(folder_ / name);
    EXPECT_FALSE(found.has_same_weights);
    EXPECT_THAT(found.lines.at(1), HasSubstr("The numbers shown differ")) << name;
  }
  // Who has changed both is told both.
  replace(folder_ / "a.svg", "<rect width=", "<rect  width=");
  replace(folder_ / "a.json", "\"weights\": [\n   [1,", "\"weights\": [\n   [0.75,");
  std::string numbers = bytes_of(folder_ / "a.safetensors");
  numbers.back() = static_cast<char>(numbers.back() ^ 0x40);
  write_file(folder_ / "a.safetensors", numbers);
  for (const char* name : {"a.svg", "a.json", "a.safetensors"}) {
    const Verification found = verify(folder_ / name);
    EXPECT_THAT(found.lines.front(), HasSubstr("the weights of tiny are not those")) << name;
    EXPECT_EQ(found.lines.at(1), "differs: the file was changed after it was written, too") << name;
  }
}

TEST_F(Verify, OnePixelIsFoundAndTold) {
  const fs::path file = write("a.png");
  const std::string bytes = bytes_of(file);
  Image image = decode_png(bytes, "a.png");
  const std::size_t pixel = (std::size_t{17} * static_cast<std::size_t>(image.width) + 5) * 4;
  image.pixels[pixel] = static_cast<std::uint8_t>(image.pixels[pixel] ^ 0x80U);
  const std::string record = *text_in_png(bytes, kPngKeyword, "a.png");
  const std::array kept{PngText{kPngKeyword, record}};
  write_file(file, with_texts(encode_png(image), kept));
  expect_differs(file, "the file was changed after it was written: 1 of ");
  EXPECT_THAT(verify(file).lines.front(), HasSubstr("pixels differs, the first at x 5, y 17, the most by 128 of 255"));
}

TEST_F(Verify, APngThatAnotherProgramPackedAnewIsEqual) {
  const fs::path file = write("a.png");
  const std::string bytes = bytes_of(file), record = *text_in_png(bytes, kPngKeyword, "a.png");
  const std::array kept{PngText{"Comment", "packed anew"}, PngText{kPngKeyword, record}};
  write_file(file, with_texts(encode_png(decode_png(bytes, "a.png")), kept));
  EXPECT_TRUE(verify(file).is_equal);
}

TEST_F(Verify, OneNumberIsFoundAndTold) {
  const fs::path json = write("a.json");
  replace(json, "\"weights\": [\n   [1,", "\"weights\": [\n   [0.75,");
  expect_differs(json, "the file was changed");
  EXPECT_THAT(verify(json).lines.front(),
              HasSubstr("numbers differs, the most by 0.25 (heads[0].weights[0][0]: 0.75 in the file, 1 made again)"));
  const fs::path tensors = write("a.safetensors");
  std::string bytes = bytes_of(tensors);
  bytes[bytes.size() - 1] = static_cast<char>(bytes[bytes.size() - 1] ^ 0x40);  // the exponent of the last weight
  write_file(tensors, bytes);
  expect_differs(tensors, "1 of ");
  EXPECT_THAT(verify(tensors).lines.front(), HasSubstr("attention["));
}

TEST_F(Verify, ABrokenPngSaysWhatIsBroken) {
  const fs::path file = write("a.png");
  std::string bytes = bytes_of(file);
  const std::size_t rows = bytes.find("IDAT") + 40;
  bytes[rows] = static_cast<char>(bytes[rows] ^ 0x20);
  write_file(file, bytes);
  EXPECT_THAT(refusal(file).message(), AllOf(HasSubstr("this PNG picture is broken"), HasSubstr("the part IDAT at byte ")));
  write_file(file, bytes_of(write("b.png")).substr(0, 3000));
  EXPECT_THAT(refusal(file).message(), Not(HasSubstr("memory")));
}

TEST_F(Verify, ANumberOfAnArchiveIsFound) {
  const fs::path file = write("a.npz"), other = write("b.npz", [] {
                                          FigureRequest request;
                                          request.head = {0, 1};
                                          return request;
                                        }());
  // The record of one figure beside the numbers of another.
  const RecordedFigure figure = read_recorded_figure(file);
  const auto snapshot = run_of_text(model_.string(), kText);
  FigureRequest request;
  request.head = {0, 1};
  write_figure(*snapshot, request, file, {.provenance = figure.provenance, .is_again = true});
  expect_differs(file, "numbers differ");
  EXPECT_TRUE(verify(other).is_equal);
}

TEST_F(Verify, AVectorPictureTellsItsFirstOtherLine) {
  const fs::path svg = write("a.svg");
  replace(svg, "<rect width=", "<rect  width=");
  expect_differs(svg, "the file was changed after it was written: 1 of ");
  const fs::path far = write("far.svg");
  replace(far, ">0.25</text>", ">0.26</text>");
  EXPECT_LT(verify(far).lines.front().size(), 240U) << "a long line is quoted where it differs";
  EXPECT_THAT(verify(far).lines.front(), AllOf(HasSubstr("…"), HasSubstr(">0.26</text>"), HasSubstr(">0.25</text>")));
  const fs::path pdf = write("a.pdf");
  replace(pdf, "/Creator (Headlight", "/Creator (Headlighd");
  expect_differs(pdf, "1 of ");
}

TEST_F(Verify, AChangedTextOfTheRecipeIsNoticed) {
  const fs::path json = write("a.json");
  replace(json, "\"text\":\"It was late in the day.\"", "\"text\":\"It was late in the sun.\"");
  EXPECT_FALSE(verify(json).is_equal);
}

TEST_F(Verify, AnotherVersionIsNamed) {
  const fs::path json = write("a.json");
  replace(json, "\"headlight\":\"" + program_version() + "\"", "\"headlight\":\"0.0.7\"");
  const Verification found = verify(json);
  EXPECT_TRUE(found.is_equal);
  EXPECT_FALSE(found.is_same_version);
  EXPECT_THAT(found.lines.back(), HasSubstr("made by Headlight 0.0.7; this is " + program_version()));
}

TEST_F(Verify, AFigureWithoutARecordIsRefused) {
  const auto snapshot = run_of_text(model_.string(), kText);
  for (const char* name : {"a.png", "a.svg", "a.pdf", "a.html", "a.json", "a.npz", "a.safetensors"}) {
    write_figure(*snapshot, {}, folder_ / name);
    EXPECT_EQ(refusal(folder_ / name).kind(), ErrorKind::input) << name;
    EXPECT_THAT(refusal(folder_ / name).message(), HasSubstr("does not say how it was made")) << name;
  }
  EXPECT_THAT(refusal(write("a.csv")).message(), HasSubstr("cannot say how they were made"));
}

TEST_F(Verify, AModelThatIsNotHereIsAskedFor) {
  SilentProgress progress;
  const fs::path file = write("a.svg");
  const Error error = error_of([&] { verify_figure(file, {}, progress); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_THAT(error.message(), HasSubstr("--model PATH"));
}

TEST_F(Verify, EveryTruncationIsRefused) {
  for (const char* name : kNames) {
    const std::string bytes = bytes_of(write(name));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 16) {
      const Error error = error_of([&] {
        const RecordedFigure read = read_recorded_figure(folder_.file(std::string("cut-") + name, bytes.substr(0, size)));
        if (verify(folder_ / (std::string("cut-") + name)).is_equal) return;
        throw Error({.kind = ErrorKind::input, .problem = "it differs"});
      });
      EXPECT_EQ(error.kind(), ErrorKind::input) << name << " " << size;
    }
  }
}

TEST_F(Verify, HostileRecordsAreRefusedAsTheFilesFault) {
  const fs::path file = write("a.svg");
  const std::string good = bytes_of(file);
  const std::vector<std::pair<std::string, std::string>> changes{
      {"\"layer\":0", "\"layer\":99"},
      {"\"layer\":0", "\"layer\":-1"},
      {"\"layer\":0", "\"layer\":1e99"},
      {"\"layer\":0", "\"layer\":\"0\""},
      {"\"kind\":\"heatmap\"", "\"kind\":\"nothing\""},
      {"\"kind\":\"heatmap\"", "\"kind\":\"compare\",\"heads\":[[0,0,7],[0,1,1]]"},
      {"\"kind\":\"heatmap\"", "\"kind\":\"inside\",\"step\":99"},
      {"\"kind\":\"heatmap\"", "\"frames\":[{\"kind\":\"relation\",\"keys\":[1],\"queries\":[]}],\"kind\":\"heatmap\""},
      {"\"format_version\":1", "\"format_version\":2"},
      {"\"models\":[", "\"models\":[7,"},
      {"\"weights_sha256\":\"", "\"weights_sha256\":\"x"},
      {"\"figure\":{", "\"figure\":" + std::string(100'000, '[') + "{"},
      {"\"document\":{", "\"document\":7,\"other\":{"},
      {"\"headlight\":", "\"headlight\":\"twice\",\"headlight\":"},
  };
  for (const auto& [what, by] : changes) {
    const fs::path changed = folder_.file("changed.svg", good);
    replace(changed, what, by);
    const Error error = refusal(changed);
    EXPECT_EQ(error.kind(), ErrorKind::input) << by.substr(0, 80) << ": " << error.message();
    EXPECT_LE(error.message().size(), kLongestMessage + 100);
  }
}

}  // namespace
}  // namespace headlight::testing
