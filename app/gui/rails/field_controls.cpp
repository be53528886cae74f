#include "app/gui/rails/field_controls.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "app/gui/panel/draft_model.h"

namespace headlight {
namespace {

constexpr float kSwatchWidth = 64;
constexpr float kSwatchHeight = 10;
constexpr float kKeysWidth = 150;                    // at most
constexpr float kKeysPopup = 260, kBelowKeys = 120;  // its width; the box and the words below the list

/// The seed after a press on "new": spread out, and the same every time.
std::uint64_t next_seed(std::uint64_t seed) {
  return (seed * 6364136223846793005ULL + 1442695040888963407ULL) >> 48U;
}

/// Fields of a style always fit together.
std::string problem_of(const Style& /*style*/) {
  return {};
}

bool is_dark(const SandboxSpec& /*spec*/) {
  return true;
}
bool is_dark(const Style& style) {
  return style.theme == Theme::dark;
}

/// One row while it is drawn.
template <typename Owner>
struct FieldRow {
  const Look& look;
  Owner& owner;
  const Field<Owner>& field;
  std::string& typed;
  const std::string& note;
  const Row row;
  const FieldControl<Owner>& control = field.control;
  const char* name = control.name ? control.name : control.label;

  FieldValue value() const { return field.value.get(owner); }
  void choose(const FieldValue& chosen) {
    field.choose_value(owner, chosen);
    if (control.settle) control.settle(owner);
  }
  std::string problem_with(const FieldValue& other) const {
    if (!control.must_fit) return {};
    Owner changed = owner;
    field.value.set(changed, other);
    return problem_of(changed);
  }
  std::string number_text(double number) const { return control.text ? control.text(owner, number) : fmt::format("{}", number); }

  void draw_steps() {
    int number = std::get<int>(value());
    if (stepper(look, row, name, number, static_cast<int>(control.low), static_cast<int>(control.high))) choose(number);
  }

  void draw_slider() {
    const double present = number_of(value());
    auto number = static_cast<float>(present);
    const bool is_moved = slider(look, row, name, number, static_cast<float>(control.low), static_cast<float>(control.high),
                                 static_cast<float>(control.home), number_text(present));
    const auto parts = static_cast<float>(control.parts);
    if (is_moved) choose(number_like(value(), static_cast<double>(std::round(number * parts) / parts)));
  }

  void draw_seed() {
    const auto seed = std::get<std::uint64_t>(value());
    const float width = button_width(look, name);
    const float height = look.px(kControl);
    const bool is_pressed = quiet_button(look, name, {row.right - width, std::round(row.middle() - height / 2)}, {width, height});
    if (is_pressed) choose(next_seed(seed));
    const std::string text = fmt::format("{}", std::get<std::uint64_t>(value()));
    draw_text(look, row.right - width - look.px(12), row.middle(), Type::number, look.colours.text, text, AlignX::right);
  }

  /// The enumerators that are offered, and which of them is chosen: −1, none.
  std::vector<ChoiceWords> offered_names(int& chosen) const {
    std::vector<ChoiceWords> offered(control.choices.begin(), control.choices.end());
    if (offered.empty()) {
      for (const std::string_view each : field.value.names()) offered.push_back({each});
    }
    chosen = -1;
    for (std::size_t place = 0; place < offered.size(); ++place) {
      if (FieldValue(offered[place].value) == value()) chosen = static_cast<int>(place);
    }
    return offered;
  }

  void draw_segments_of_names() {
    int chosen = -1;
    const std::vector<ChoiceWords> offered = offered_names(chosen);
    std::vector<Choice> choices;
    for (const ChoiceWords& choice : offered) {
      const char* const help = choice.help ? choice.help : control.help;
      choices.push_back({std::string(choice.label ? std::string_view(choice.label) : choice.value), help ? help : "", true});
    }
    if (segmented(look, row, name, choices, chosen)) choose(offered[static_cast<std::size_t>(chosen)].value);
  }

  void draw_list_of_names() {
    int chosen = -1;
    const std::vector<ChoiceWords> offered = offered_names(chosen);
    std::vector<Choice> choices;
    for (const ChoiceWords& choice : offered) {
      const std::string problem = problem_with(choice.value);
      std::string help = control.explain ? fmt::format("{} {}", control.explain(choice.value), problem)
                                         : std::string(choice.help ? choice.help : problem.c_str());
      choices.push_back({std::string(choice.label ? std::string_view(choice.label) : choice.value), std::move(help), problem.empty()});
    }
    if (drop_down(look, row, name, choices, chosen)) choose(offered[static_cast<std::size_t>(chosen)].value);
  }

  void draw_list_of_numbers() {
    const FieldValue present = value();
    std::vector<double> candidates = control.offered ? control.offered(owner) : std::vector<double>();
    candidates.push_back(number_of(present));
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<std::string> labels;
    std::vector<FieldValue> values;
    int chosen = 0;
    for (const double candidate : candidates) {
      const FieldValue number = number_like(present, candidate);
      if (number != present && !problem_with(number).empty()) continue;
      if (number == present) chosen = static_cast<int>(values.size());
      values.push_back(number);
      labels.push_back(number_text(candidate));
    }
    if (drop_down(look, row, name, labels, chosen)) choose(values[static_cast<std::size_t>(chosen)]);
  }

  void draw_swatch(std::string_view map, float right, float middle) const {
    const float width = look.px(kSwatchWidth);
    const float height = look.px(kSwatchHeight);
    const ColourMap colours = from_name<ColourMap>(map).value_or(ColourMap::magma);
    draw_ramp(ramp(colours, is_dark(owner)), {right - width, std::round(middle - height / 2)}, {width, height});
  }

  void draw_ramps() {
    draw_swatch(std::get<std::string_view>(value()), row.right - look.px(18), row.middle());
    const float width = look.px(kSwatchWidth + 24);
    const Press press = press_area(name, {row.right - width, row.top}, {width, row.height});
    hint(look, row.help);
    draw_triangle(look, {row.right - look.px(4), row.middle()}, press.is_hovered ? look.colours.text : look.colours.text_second);
    constexpr const char* kPopup = "Colour maps";
    if (press.is_clicked) ImGui::OpenPopup(kPopup);
    ImGui::SetNextWindowPos({row.right, row.top + row.height}, ImGuiCond_Appearing, {1, 0});
    ImGui::SetNextWindowSize({look.px(208), 0});
    if (!begin_popup(kPopup)) return;
    int chosen = -1;
    for (const ChoiceWords& choice : offered_names(chosen)) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float room = ImGui::GetContentRegionAvail().x;
      const std::string map(choice.value);
      const bool was_chosen = FieldValue(choice.value) == value();
      if (list_entry(look, map, was_chosen, 0, kRow)) choose(choice.value);
      if (FieldValue(choice.value) == value()) ImGui::SetItemDefaultFocus();
      draw_swatch(choice.value, at.x + room, at.y + look.px(kRow) / 2);
    }
    ImGui::EndPopup();
  }

  /// The text as it is offered, or itself.
  std::string text_label() const {
    const std::string text = std::get<std::string>(value());
    for (const ChoiceWords& each : control.texts) {
      if (each.value == text) return each.label;
    }
    return text;
  }

  /// A list of texts; under them a box for any other, taken over where it makes sense.
  void draw_keys() {
    const std::string label = elided(look, Type::body, text_label(), look.px(kKeysWidth));
    const float width = text_width(look, Type::body, label) + look.px(24);
    const Press press = press_area(name, {row.right - width, row.top}, {width, row.height});
    hint(look, row.help);
    draw_text(look, row.right - look.px(18), row.middle(), Type::body, look.colours.text, label, AlignX::right);
    draw_triangle(look, {row.right - look.px(4), row.middle()}, press.is_hovered ? look.colours.text : look.colours.text_second);
    constexpr const char* kPopup = "Keys";
    if (press.is_clicked) ImGui::OpenPopup(kPopup);
    // Under the row, or where all of it is in the window.
    const ImVec2 display = ImGui::GetIO().DisplaySize,
                 size{look.px(kKeysPopup), look.px(kRow) * static_cast<float>(std::size(control.texts)) + look.px(kBelowKeys)};
    const float left = std::clamp(row.right - size.x, 0.0F, std::max(0.0F, display.x - size.x));
    ImGui::SetNextWindowPos({left, std::max(0.0F, std::min(row.top + row.height, display.y - size.y))}, ImGuiCond_Appearing);
    ImGui::SetNextWindowSize({size.x, 0});
    if (!begin_popup(kPopup)) return;
    if (ImGui::IsWindowAppearing()) typed = std::get<std::string>(value());
    for (const ChoiceWords& each : control.texts) {
      const FieldValue text = std::string(each.value);
      const bool was_chosen = text == value();
      if (list_entry(look, each.label, was_chosen, 0, kRow)) {
        choose(text);
        typed = each.value;
      }
      if (each.help != nullptr) hint(look, each.help);
      if (text == value()) ImGui::SetItemDefaultFocus();
    }
    draw_keys_box();
    ImGui::EndPopup();
  }

  void draw_keys_box() {
    const Row box = begin_row(look, "");
    const float width = box.right - box.left;
    const bool is_changed = text_box(look, "Other keys", "first-token+3+#13", typed, {box.left, box.top + look.px(2)}, width);
    const bool is_fitting = field.value.problem(typed).empty();
    if (is_changed && is_fitting && typed != std::get<std::string>(value())) choose(typed);
    const std::string help = "Positions, token ids (#13) and the names above, joined by +.";
    if (is_fitting && !note.empty()) paragraph(look, Type::caption, look.colours.bad, note, width);
    paragraph(look, Type::caption, is_fitting ? look.colours.text_second : look.colours.bad,
              is_fitting ? help + " A right click on a token hides it, too." : "This names no keys, so nothing has changed. " + help,
              width);
  }

  void draw() {
    switch (control.kind) {
      case ControlKind::none:
        return;
      case ControlKind::steps:
        return draw_steps();
      case ControlKind::segments:
        return draw_segments_of_names();
      case ControlKind::list:
        return field.value.names ? draw_list_of_names() : draw_list_of_numbers();
      case ControlKind::slider:
        return draw_slider();
      case ControlKind::seed:
        return draw_seed();
      case ControlKind::ramps:
        return draw_ramps();
      case ControlKind::keys:
        return draw_keys();
    }
  }
};

}  // namespace

template <typename Owner>
void draw_field(const Look& look, Owner& owner, const Field<Owner>& field, std::string& typed, const std::string& note) {
  if (!field.applies(owner) || (field.control.is_shown && !field.control.is_shown(owner))) return;
  FieldRow<Owner>{look, owner, field, typed, note, begin_row(look, field.control.label, field.control.help)}.draw();
}

int advanced_changes(const SandboxSpec& spec, std::span<const Field<SandboxSpec>> fields) {
  const SandboxSpec plain;
  std::set<std::string_view> changed;
  for (const Field<SandboxSpec>& field : fields) {
    const bool is_changed = field.value.get(spec) != field.value.get(plain);
    if (is_changed && field.is_advanced && field.applies(spec)) changed.insert(field.words.name);
  }
  return static_cast<int>(changed.size());
}

template void draw_field(const Look&, SandboxSpec&, const Field<SandboxSpec>&, std::string&, const std::string&);
template void draw_field(const Look&, Style&, const Field<Style>&, std::string&, const std::string&);

}  // namespace headlight
