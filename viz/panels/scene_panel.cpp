#include "ringlab/viz/panels/scene_panel.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ringlab::viz {
namespace {

void push_native(const Ui& ui) {
  ImGui::PushFont(ui.fonts.body);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(ui.px(8), std::max(1.0f, (ui.px(24) - ui.fonts.body->FontSize) / 2)));
}

void pop_native() {
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

// A text field keeps what is typed in one buffer of ours: the value behind it may change any time.
std::optional<std::string> edit_text(const Ui& ui, const std::string& id, const Rect& place,
                                     const std::string& value, FormState& state) {
  const bool editing = state.editing == id;
  char fresh[sizeof state.buffer];
  char* buffer = editing ? state.buffer : fresh;
  if (!editing) {
    const std::size_t size = std::min(value.size(), sizeof fresh - 1);
    std::memcpy(fresh, value.data(), size);
    fresh[size] = '\0';
  }
  push_native(ui);
  place_cursor(min_of(place));
  ImGui::SetNextItemWidth(place.width());
  const bool entered =
      ImGui::InputText(("###" + id).c_str(), buffer, sizeof state.buffer,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  pop_native();
  ui.items.add(id);
  if (!editing && ImGui::IsItemActive()) {
    state.editing = id;
    std::memcpy(state.buffer, fresh, sizeof fresh);
  }
  if (editing && (entered || !ImGui::IsItemActive())) {
    state.editing.clear();
    if (value != state.buffer) return std::string(state.buffer);
  }
  return {};
}

std::optional<std::string> edit_whole(const Ui& ui, const std::string& id, const Rect& place,
                                      const std::string& value, FormState& state) {
  const float h = place.height(), gap = ui.px(3);
  long long number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = error == std::errc{} && end == value.data() + value.size();
  const std::string lower = id + "-", raise = id + "+";
  if (icon_button(ui, lower.c_str(),
                  {place.x1 - 2 * h - gap, place.y0, place.x1 - h - gap, place.y1}, Icon::minus, {},
                  {.enabled = is_number})) {
    // Long lengths are halved and doubled, short ones counted.
    return std::to_string(number > 64 ? number / 2 : number - 1);
  }
  if (icon_button(ui, raise.c_str(), {place.x1 - h, place.y0, place.x1, place.y1}, Icon::plus, {},
                  {.enabled = is_number})) {
    return std::to_string(number >= 64 ? number * 2 : number + 1);
  }
  return edit_text(ui, id, {place.x0, place.y0, place.x1 - 2 * (h + gap), place.y1}, value, state);
}

std::optional<std::string> edit_choice(const Ui& ui, const std::string& id, const Rect& place,
                                       const FormField& field) {
  std::optional<std::string> chosen;
  push_native(ui);
  place_cursor(min_of(place));
  ImGui::SetNextItemWidth(place.width());
  const bool open = ImGui::BeginCombo(("###" + id).c_str(), field.value.c_str());
  ui.items.add(id, min_of(place), max_of(place));
  if (open) {
    const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.items.push_pane(id + "/list", from, from + size, true, 2);
    for (const std::string& choice : field.choices) {
      if (ImGui::Selectable((choice + "###" + id + "/" + choice).c_str(), choice == field.value))
        chosen = choice;
      ui.items.add(id + "/" + choice);
    }
    ui.items.pop_pane();
    if (compat::pressed(Key::escape, false)) ImGui::CloseCurrentPopup();
    ImGui::EndCombo();
  }
  pop_native();
  return chosen;
}

}  // namespace

std::optional<FormChange> draw_scene_panel(const Ui& ui, const Rect& rect, const ScenePanel& panel,
                                           FormState& state) {
  const Theme& t = ui.theme;
  std::optional<FormChange> change;
  begin_scroll(ui, "scene", rect);
  const float top = ImGui::GetWindowPos().y - ImGui::GetScrollY();
  const float x0 = rect.x0, x1 = rect.x1 - ui.px(12);
  const float label = std::min(ui.px(112), (x1 - x0) * 0.42f), height = ui.px(24);
  float y = top;
  for (const FormField& field : panel.fields) {
    if (field.heading) {
      if (y > top) y += ui.px(12);
      draw_text_within(ui, ui.fonts.strong, {x0, y}, x1 - x0, t.text, field.name);
      y += ui.px(24);
      continue;
    }
    const std::string id = "scene/" + field.name;
    const float middle = y + height / 2 - ui.fonts.body->FontSize / 2;
    draw_text_within(ui, ui.fonts.body, {x0, middle}, label - ui.px(6), t.muted, field.name);
    if (pointed_at({x0, y, x0 + label, y + height})) show_tooltip(ui, field.help);
    const Rect place{x0 + label, y, x1, y + height};
    std::optional<std::string> value;
    switch (field.kind) {
      case FormField::Kind::flag:
        if (check_box(ui, id.c_str(), place,
                      ui.t(field.value == "true" ? "ui.scene.on" : "ui.scene.off"),
                      field.value == "true")) {
          value = field.value == "true" ? "false" : "true";
        }
        break;
      case FormField::Kind::choice:
        value = edit_choice(ui, id, place, field);
        break;
      case FormField::Kind::whole:
        value = edit_whole(ui, id, place, field.value, state);
        break;
      case FormField::Kind::text:
        value = edit_text(ui, id, place, field.value, state);
        break;
    }
    if (value) change = FormChange{field.name, *value};
    y += height + ui.px(4);
    if (panel.fault_field == field.name && !panel.fault.empty()) {
      y += draw_paragraph(ui, ui.fonts.small, {x0, y}, x1 - x0, t.bad, panel.fault) + ui.px(6);
    }
  }
  end_scroll(ui, y);
  return change;
}

}  // namespace ringlab::viz
