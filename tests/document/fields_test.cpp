// The tables of fields: a further row works wherever rows are used, and nothing else lists fields by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "app/document/fields/field.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A row more than the program has. It reaches the gain by another name, since a test cannot add a member to the sandbox.
std::vector<Field<SandboxSpec>> longer_table() {
  std::vector<Field<SandboxSpec>> rows(sandbox_fields().begin(), sandbox_fields().end());
  rows.push_back(
      {.json = "extra.sharpness", .value = access<SandboxSpec, &SandboxSpec::gain>(), .low = 0, .high = 10, .words = {"sharpness"}});
  return rows;
}

TEST(Fields, OfAFurtherRowAreWrittenReadAndTold) {
  const std::vector<Field<SandboxSpec>> rows = longer_table();
  const std::span<const Field<SandboxSpec>> fields(rows);
  SandboxSpec spec;
  Json json = fields_json(spec, fields);
  ASSERT_TRUE(json.contains("extra")) << json;
  EXPECT_EQ(json["extra"]["sharpness"], 1);
  json["extra"]["sharpness"] = 2.5;
  SandboxSpec read;
  read_fields(JsonFields(json, "a.json"), read, fields);
  EXPECT_EQ(read.gain, 2.5F);
  std::vector<std::string> parts;
  add_changes(parts, spec, read, fields);
  EXPECT_THAT(parts, ::testing::Contains("sharpness 1 → 2.5"));
}

TEST(Fields, OfAFurtherRowAreRefusedOutsideItsRange) {
  const std::vector<Field<SandboxSpec>> rows = longer_table();
  SandboxSpec spec;
  const Json json = {{"extra", {{"sharpness", 11}}}};
  try {
    read_fields(JsonFields(json, "a.json"), spec, std::span<const Field<SandboxSpec>>(rows));
    FAIL() << "11 is read";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail().field, "extra.sharpness");
  }
}

template <typename Owner>
void expect_own_names(std::span<const Field<Owner>> fields) {
  std::set<std::string_view> keys, options, controls;
  std::size_t option_count = 0, control_count = 0;
  for (const Field<Owner>& field : fields) {
    EXPECT_TRUE(keys.insert(field.json).second) << field.json;
    if (!field.option.name.empty()) options.insert(field.option.name), ++option_count;
    for (const FlagOption& flag : field.option.flags) options.insert(flag.option), ++option_count;
    if (field.control.kind == ControlKind::none) continue;
    ASSERT_NE(field.control.label, nullptr) << field.json;
    controls.insert(field.control.name ? field.control.name : field.control.label);
    ++control_count;
  }
  EXPECT_EQ(options.size(), option_count);
  EXPECT_EQ(controls.size(), control_count);
}

TEST(Fields, HaveKeysOptionsAndControlsOfTheirOwn) {
  expect_own_names(sandbox_fields());
  expect_own_names(style_fields());
}

template <typename Owner>
void expect_values_survive(std::span<const Field<Owner>> fields) {
  for (const Field<Owner>& field : fields) {
    Owner owner;
    if (!field.value.names) continue;
    for (const std::string_view name : field.value.names()) {
      field.value.set(owner, name);
      EXPECT_EQ(std::get<std::string_view>(field.value.get(owner)), name) << field.json;
    }
  }
}

TEST(Fields, TakeEveryNameOfTheirEnumeration) {
  expect_values_survive(sandbox_fields());
  expect_values_survive(style_fields());
}

TEST(Fields, WordsForChoicesAreOfEnumeratorsThatThereAre) {
  for (const Field<SandboxSpec>& field : sandbox_fields()) {
    for (const ChoiceWords& choice : field.control.choices) EXPECT_THAT(field.value.names(), ::testing::Contains(choice.value));
    for (const FlagOption& flag : field.option.flags) EXPECT_THAT(field.value.names(), ::testing::Contains(flag.value));
  }
  for (const Field<Style>& field : style_fields()) {
    for (const ChoiceWords& choice : field.control.choices) EXPECT_THAT(field.value.names(), ::testing::Contains(choice.value));
  }
}

// --- A field's name stands in its row and where the field is used, and nowhere else -----------------------------------------------------

const fs::path kApp = fs::path(HEADLIGHT_TESTS_DIR).parent_path() / "app";

/// Path below app/ -> text, of every source file.
std::map<std::string, std::string> app_sources() {
  std::map<std::string, std::string> sources;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kApp)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".h") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    sources[fs::relative(entry.path(), kApp).generic_string()] = text.str();
  }
  return sources;
}

bool holds_rows(const std::string& path) {
  return path.starts_with("document/fields/");
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) found.push_back((*match)[1]);
  return found;
}

/// The members that rows reach: "gain", and how many rows reach each.
std::map<std::string, int> members_of_rows(const std::map<std::string, std::string>& sources) {
  static const std::regex kMember(R"(&(?:Spec|SandboxSpec|Style|RotarySettings|RotaryScaling)::(\w+)>)");
  std::map<std::string, int> members;
  for (const auto& [path, text] : sources) {
    for (const std::string& member : matches(text, kMember)) members[member] += 1;
    EXPECT_TRUE(holds_rows(path) || matches(text, kMember).empty()) << path << " reaches a field by a row of its own";
  }
  return members;
}

TEST(Fields, HaveOneRowEach) {
  const std::map<std::string, int> members = members_of_rows(app_sources());
  EXPECT_EQ(members.size(), sandbox_fields().size() + style_fields().size() - 1) << "kind is a member of the sandbox and of the scaling";
  for (const auto& [member, rows] : members) EXPECT_EQ(rows, member == "kind" ? 2 : 1) << member;
}

TEST(Fields, StandInTheirRowAndWhereTheyAreUsedAndNowhereElse) {
  const std::map<std::string, std::string> sources = app_sources();
  std::string members;
  for (const auto& [member, rows] : members_of_rows(sources)) members += (members.empty() ? "" : "|") + member;
  const std::regex use("\\b(?:spec|sandbox|rotary|style|plain|changed)\\.((?:" + members + "))\\b");
  std::map<std::string, std::set<std::string>> used;
  for (const auto& [path, text] : sources) {
    if (holds_rows(path)) continue;
    for (const std::string& member : matches(text, use)) used[path].insert(member);
  }
  // What a use is for: whoever adds a field adds none of these, unless something beyond the setting itself asks for it.
  const std::map<std::string, std::set<std::string>> expected = {
      {"cli/commands/bench_command.cpp", {"d_model", "heads", "layers"}},  // a sandbox of a known size
      {"cli/bench/bench_figures.cpp", {"d_model", "heads", "layers"}},     // a sandbox of a known size
      {"cli/bench/bench_long.cpp", {"d_model", "heads", "layers"}},        // a sandbox of a known size
      {"cli/figures/figure_options.cpp", {"scale"}},                       // --gamma without a gamma scale
      {"cli/figures/figure_runs.cpp", {"among", "hidden"}},  // colours among all heads need all layers; hidden keys that are not there
      {"cli/commands/models_command.cpp", {"d_model", "heads", "layers"}},  // the sandbox's line of the list
      {"cli/commands/save_command.cpp", {"d_model", "heads"}},              // a head count that does not divide
      {"cli/commands/tokenize_command.cpp", {"unit"}},                      // the tokenizer without a model
      {"cli/options/options.cpp", {"heads", "kv_heads"}},                   // --heads, --kv-heads of a query
      {"document/describe_change.cpp", {"heads", "kind", "layers"}},        // names of layers; head counts of a query
      {"document/labs/head_labs.cpp", {"seed"}},                            // draws of the labs
      {"gui/bars/status_bar.cpp", {"among", "fixed_high", "gamma", "percentile", "range", "scale"}},  // the sentence on the scale
      {"gui/bars/strip_chips.cpp", {"hidden", "hiding"}},             // the chip that shows hidden keys again
      {"gui/bars/token_strip.cpp", {"hiding"}},                       // tokens are tinted by what is left
      {"gui/bars/top_bar.cpp", {"kind"}},                             // whether there is a decoder's text
      {"gui/columns/shown_columns.cpp", {"hidden"}},                  // that hidden keys count in measures
      {"gui/dialogs/export/export_controls.cpp", {"hidden"}},         // numbers are the true weights
      {"gui/dialogs/export/export_figure.cpp", {"theme"}},            // a figure's theme of its own
      {"gui/dialogs/export/export_page.cpp", {"theme"}},              // and where it is set
      {"gui/dialogs/parameters_dialog.cpp", {"theme"}},               // ramps
      {"gui/dialogs/settings_dialog.cpp", {"theme"}},                 // that new documents begin with
      {"gui/frame.cpp", {"theme"}},                                   // the window's colours
      {"gui/labs/lab_page.cpp", {"gamma", "map", "scale", "theme"}},  // ramps
      {"gui/panel/focus.cpp", {"hidden", "hiding"}},                  // what is hidden of a row
      {"gui/state/pictures.cpp", {"hiding"}},                         // pictures of what is left
      {"recipe/command_text.cpp", {"heads", "kv_heads"}},             // head counts of a query
      {"recipe/figure_arguments.cpp", {"fixed_high", "range"}},       // --range of a number
      {"recipe/recipe.cpp",
       {"fixed_high", "gamma", "hidden", "hiding", "map", "range", "scale", "theme"}},             // what does not count as the rest is
      {"gui/selection/menu_entries.cpp", {"hidden"}},                                              // hiding a key that was clicked
      {"gui/lessons/lesson_steps.cpp", {"theme"}},                                                 // the person's own stays
      {"gui/panel/choices.cpp", {"hidden"}},                                                       // keys that the text does not have
      {"gui/panel/draft_model.cpp", {"d_model", "dimensions", "heads", "kv_heads"}},               // what another head count leaves behind
      {"gui/rails/block_panel.cpp", {"biases"}},                                                   // whether there are biases to switch off
      {"gui/rails/field_controls.cpp", {"theme"}},                                                 // ramps
      {"gui/rails/heads_panel.cpp", {"d_model", "dimensions", "heads", "kv_heads", "positions"}},  // the head count's own panel
      {"gui/views/inside/inside_view.cpp", {"theme"}},                                             // that of the ledger
      {"gui/views/links/links_settings.cpp", {"theme"}},                                           // colours of heads
      {"gui/views/links/links_view.cpp", {"theme"}},                                               // colours of heads
      {"gui/views/links/running_text.cpp", {"theme"}},                                             // that of the tint
      {"gui/views/output/output_view.cpp", {"theme"}},                                             // colours of effects
      {"gui/views/overview_view.cpp", {"among", "percentile", "range", "scale"}},                  // whether the maps share one scale
      {"gui/window/window.cpp", {"theme"}},                                                        // the window's colours
      {"gui/why/why_cell.cpp", {"theme"}},                                                         // colours of shares
      {"session/model_card.cpp", {"dimensions", "theta"}},                                         // what a model has
      {"work/flow/flow_studies.cpp", {"hidden", "hiding"}},                                        // weights without hidden keys
      {"work/links/link_studies.h", {"hidden", "hiding"}},                                         // likewise
  };
  EXPECT_EQ(used, expected);
}

TEST(Fields, OptionsStandInTheirRowAndInMessagesThatNameThem) {
  std::set<std::string> options;
  const auto add = [&](const auto& fields) {
    for (const auto& field : fields) {
      std::stringstream names{std::string(field.option.name)};
      for (std::string name; std::getline(names, name, ',');) options.insert(name);
      for (const FlagOption& flag : field.option.flags) options.insert(std::string(flag.option));
    }
  };
  add(sandbox_fields());
  add(style_fields());
  static const std::regex kOption(R"((--[a-z][a-z-]*))");
  std::map<std::string, std::set<std::string>> used;
  for (const auto& [path, text] : app_sources()) {
    if (holds_rows(path)) continue;
    for (const std::string& option : matches(text, kOption)) {
      if (options.contains(option)) used[path].insert(option);
    }
  }
  const std::map<std::string, std::set<std::string>> expected = {
      {"cli/figures/check_options.cpp", {"--hide"}},                                              // where it means nothing
      {"cli/figures/figure_options.cpp", {"--gamma", "--scale"}},                                 // one without the other
      {"cli/figures/figure_runs.cpp", {"--hide"}},                                                // a key that the text has not
      {"cli/commands/models_command.cpp", {"--d-model", "--layers", "--seed"}},                   // the sandbox's line of the list
      {"recipe/arguments.h", {"--colors", "--colours"}},                                          // an example
      {"recipe/figure_arguments.cpp", {"--range"}},                                               // a number for --range
      {"cli/options/options.cpp", {"--d-model", "--layers", "--positions", "--seed", "--unit"}},  // "… and the like"
  };
  EXPECT_EQ(used, expected);
}

// --- Enumerations ------------------------------------------------------------------------------------------------------------------------

enum class Season : std::uint8_t { spring, summer, autumn };

TEST(Enumerators, WithoutARowOrInAnotherOrderDoNotCompile) {
  constexpr std::array kWhole{NameRow{Season::spring, "spring"}, NameRow{Season::summer, "summer"}, NameRow{Season::autumn, "autumn"}};
  constexpr std::array kShort{NameRow{Season::spring, "spring"}, NameRow{Season::summer, "summer"}};
  constexpr std::array kMixed{NameRow{Season::summer, "summer"}, NameRow{Season::spring, "spring"}, NameRow{Season::autumn, "autumn"}};
  static_assert(has_row_of_each(kWhole, &NameRow<Season>::value));
  static_assert(!has_row_of_each(kShort, &NameRow<Season>::value), "name_of asserts this of its table");
  static_assert(!has_row_of_each(kMixed, &NameRow<Season>::value));
  static_assert(!HasNameRows<Season>, "so that name_of and from_name of it do not compile");
}

}  // namespace
}  // namespace headlight
