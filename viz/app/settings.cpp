#include "ringlab/viz/app/settings.hpp"

#include <algorithm>
#include <cstdlib>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::viz {
namespace {

using detail::Json;

void take(const Json& json, const char* key, float& into) {
  if (json.contains(key) && json[key].is_number()) into = json[key].get<float>();
}

void take(const Json& json, const char* key, int& into) {
  if (json.contains(key) && json[key].is_number()) {
    into = static_cast<int>(std::clamp(json[key].get<double>(), 0.0, 1e6));
  }
}

}  // namespace

Settings clamped(Settings s) {
  s.ui_scale = std::clamp(s.ui_scale, 0.6f, 3.0f);
  s.left = std::clamp(s.left, 0.1f, 0.4f);
  s.right = std::clamp(s.right, 0.1f, 0.4f);
  s.reading = std::clamp(s.reading, 0.15f, 0.5f);
  s.upper = std::clamp(s.upper, 0.3f, 0.8f);
  s.width = std::clamp(s.width, 480, 7680);
  s.height = std::clamp(s.height, 360, 4320);
  return s;
}

std::string to_json(const Settings& s) {
  const Json json = {
      {"theme", name(s.theme)}, {"ui_scale", s.ui_scale}, {"reduced_motion", s.reduced_motion},
      {"predict", s.predict},   {"left", s.left},         {"right", s.right},
      {"reading", s.reading},   {"upper", s.upper},       {"width", s.width},
      {"height", s.height}};
  return json.dump(1) + "\n";
}

Settings parse_settings(const std::string& text, const std::string& source) {
  const Json json = detail::parse_json(text, source);
  if (!json.is_object()) throw InputError(source, detail::kind_of(json), "give a JSON object");
  Settings s;
  if (json.contains("theme") && json["theme"].is_string())
    find_theme(json["theme"].get<std::string>().c_str(), s.theme);
  if (json.contains("reduced_motion") && json["reduced_motion"].is_boolean())
    s.reduced_motion = json["reduced_motion"].get<bool>();
  if (json.contains("predict") && json["predict"].is_boolean())
    s.predict = json["predict"].get<bool>();
  take(json, "ui_scale", s.ui_scale);
  take(json, "left", s.left);
  take(json, "right", s.right);
  take(json, "reading", s.reading);
  take(json, "upper", s.upper);
  take(json, "width", s.width);
  take(json, "height", s.height);
  return clamped(s);
}

std::filesystem::path settings_path() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && config[0] == '/')
    return std::filesystem::path(config) / "ringlab" / "viz.json";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return {};
  return std::filesystem::path(home) / ".config" / "ringlab" / "viz.json";
}

Settings load_settings(const std::filesystem::path& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::is_regular_file(path, error)) return {};
  try {
    return parse_settings(read_file(path, "settings", 1u << 20), path.string());
  } catch (const InputError&) {
    return {};  // a broken file of looks is no reason not to start
  }
}

bool save_settings(const Settings& settings, const std::filesystem::path& path) {
  if (path.empty()) return false;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return false;
  try {
    write_file(path, to_json(settings), "settings");
  } catch (const InputError&) {
    return false;
  }
  return true;
}

}  // namespace ringlab::viz
