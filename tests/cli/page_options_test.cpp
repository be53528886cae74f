// `export` with a page of a stated size.
#include "app/cli/figures/page_options.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/figure/files/read_record.h"
#include "engine/figure/painters/png.h"
#include "tests/cli/program.h"

namespace headlight::testing {
namespace {

using ::testing::HasSubstr;

ProgramResult export_with(const ProgramFolder& folder, const std::string& options) {
  return folder.run_line("headlight export -m sandbox --layers 2 -t 'The cat sat on the mat' " + options);
}

TEST(PageOptions, LengthsAreReadInEveryUnit) {
  for (const auto& [text, mm] : std::vector<std::pair<std::string, float>>{
           {"85mm", 85}, {"85", 85}, {"8.5cm", 85}, {"3.35in", 85.09F}, {"240.94pt", 85}, {"85 mm", 85}}) {
    ASSERT_TRUE(millimetres_of(text)) << text;
    EXPECT_NEAR(*millimetres_of(text), mm, 0.01F) << text;
  }
  for (const char* text : {"", "mm", "85px", "-85mm", "0", "nan", "85mm wide", "8,5cm", "1e99mm"})
    EXPECT_FALSE(millimetres_of(text)) << text;
}

TEST(PageOptions, WhatIsNoPageIsRefusedWithWhatWouldBe) {
  const ProgramFolder folder;
  for (const auto& [options, words] : std::vector<std::pair<std::string, std::string>>{
           {"--width wide", "this is not a length"},
           {"--width 1mm", "no page has this size"},
           {"--font 7mm", "this is not a size of letters"},
           {"--font 0.1pt", "letters have another size"},
           {"--preset postcard", "column, page, slide, poster"},
           {"--without margin", "title, caption, legend, bar, row, footer"},
           {"--without legend", "a heatmap has no such part"},
           {"--preset column --with legend", "a heatmap has no such part"},
           {"--figure text --without caption", "a tinted text is the text, and has none above it"},
           {"--with margin", "title, caption, legend, bar, row, footer"},
           {"--with title --without title", "--without leaves this part out"},
           {"--figure inside --without bar", "a look inside has no such part"},
           {"--letter 'a long letter'", "the letter of a panel has at most 8 bytes"},
           {"--font-family 'a\"b'", "the name of a family has letters"},
           {"--font-family 'No Such Family'", "no such family is installed"},
           {"--font-family serif", "no such family is installed"},
           {"--dpi 300", "the figure has no size in print"},
           {"--width 85mm --dpi 300 --pixels 2", "--pixels says how many pixels there are, too"}}) {
    const ProgramResult result = export_with(folder, options + " -o a.png");
    EXPECT_EQ(result.status, 2) << options;
    EXPECT_THAT(result.error, HasSubstr(words)) << options;
  }
}

TEST(PageOptions, APartThatAPresetLeavesOutCanBeKept) {
  const ProgramFolder folder;
  const auto svg_of = [&](const std::string& options) {
    EXPECT_EQ(export_with(folder, options + " -o a.svg").status, 0) << options;
    return bytes_of(folder / "a.svg");
  };
  const std::string text = ">The cat sat on the mat<";
  EXPECT_THAT(svg_of("--preset column"), ::testing::Not(HasSubstr(text)));
  EXPECT_THAT(svg_of("--preset column --with caption"), ::testing::AllOf(HasSubstr(text), ::testing::Not(HasSubstr("γ"))));
  EXPECT_THAT(svg_of("--preset column --with caption,footer"), ::testing::AllOf(HasSubstr(text), HasSubstr("γ")));
  const std::string kept = bytes_of(folder / "a.svg");
  ASSERT_EQ(folder.run_line("headlight export --document a.svg --without footer -o b.svg").status, 0);
  ASSERT_EQ(folder.run_line("headlight export --document b.svg --with footer -o c.svg").status, 0);
  EXPECT_EQ(bytes_of(folder / "c.svg"), kept) << "and in a figure that is made again";
}

TEST(PageOptions, NumbersHaveNoPage) {
  const ProgramFolder folder;
  for (const char* option :
       {"--width 85mm", "--font 7pt", "--letter a", "--without title", "--preset column", "--transparent", "--with title"}) {
    const ProgramResult result = export_with(folder, std::string(option) + " -o a.csv");
    EXPECT_EQ(result.status, 2) << option;
    EXPECT_THAT(result.error, HasSubstr("does not use this option")) << option;
  }
}

TEST(PageOptions, TheNumberOfACellIsWrittenInItWhereItFits) {
  const ProgramFolder folder;
  ASSERT_EQ(export_with(folder, "--cell-numbers -o a.svg").status, 0);
  const std::string picture = bytes_of(folder / "a.svg");
  EXPECT_THAT(picture, HasSubstr(">1</text>")) << "the first query has one key";
  EXPECT_EQ(folder.run_line("headlight verify a.svg").status, 0);
  ASSERT_EQ(export_with(folder, "-o none.svg").status, 0);
  EXPECT_THAT(bytes_of(folder / "none.svg"), ::testing::Not(HasSubstr(">1</text>")));
  const std::string many = "headlight export -m sandbox -t 'a b c d e f g h i j k l m n o p q r s t' ";
  ASSERT_EQ(folder.run_line(many + "--cell-numbers --width 30mm -o narrow.svg").status, 0);
  EXPECT_THAT(bytes_of(folder / "narrow.svg"), ::testing::Not(HasSubstr(">1</text>"))) << "letters keep their size";
  EXPECT_EQ(export_with(folder, "--figure grid --cell-numbers -o b.svg").status, 2);
  EXPECT_EQ(export_with(folder, "--cell-numbers -o b.csv").status, 2);
  ASSERT_EQ(export_with(folder, "--figure flow --cell-numbers -o f.svg").status, 0);
  EXPECT_THAT(bytes_of(folder / "f.svg"), HasSubstr(">1</text>"));
}

TEST(PageOptions, TypeThatCannotBeKeptIsSaid) {
  const ProgramFolder folder;
  const ProgramResult kept = export_with(folder, "--width 85mm --font 7pt -o a.pdf");
  EXPECT_EQ(kept.status, 0) << kept.error;
  EXPECT_EQ(kept.error, "");
  const ProgramResult small = export_with(folder, "--figure inside --width 40mm --font 7pt -o b.pdf");
  EXPECT_EQ(small.status, 0) << small.error;
  EXPECT_THAT(small.error, HasSubstr(" pt, not 7: the figure needs "));
}

TEST(PageOptions, OptionsChangeAPresetAndAFigureThatIsMadeAgain) {
  const ProgramFolder folder;
  ASSERT_EQ(export_with(folder, "--preset column --width 80mm --letter a -o a.svg").status, 0);
  EXPECT_THAT(bytes_of(folder / "a.svg"), HasSubstr("width=\"80mm\""));
  EXPECT_THAT(read_provenance(folder / "a.svg").command, HasSubstr("--width 80mm --font 7pt --letter a --without caption,footer"));
  ASSERT_EQ(folder.run_line("headlight export --document a.svg --width 174mm -o b.svg").status, 0);
  EXPECT_THAT(bytes_of(folder / "b.svg"), HasSubstr("width=\"174mm\""));
  EXPECT_THAT(read_provenance(folder / "b.svg").command, HasSubstr("--letter a --without caption,footer"));
}

TEST(PageOptions, APngHasThePixelsOfItsWidth) {
  const ProgramFolder folder;
  ASSERT_EQ(export_with(folder, "--width 85mm -o a.png").status, 0);
  ASSERT_EQ(export_with(folder, "--width 85mm --dpi 150 -o b.png").status, 0);
  const auto width_of = [&](const char* name) { return png_size(bytes_of(folder / name), name).width; };
  EXPECT_EQ(width_of("a.png"), 1004U) << "300 on an inch";
  EXPECT_EQ(width_of("b.png"), 502U);
  EXPECT_THAT(read_provenance(folder / "b.png").command, HasSubstr("--dpi 150"));
}

}  // namespace
}  // namespace headlight::testing
