#include "ringlab/viz/app/run.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/viz/app/moment.hpp"
#include "ringlab/viz/app/picture_files.hpp"
#include "ringlab/viz/app/script.hpp"

namespace ringlab::viz {
namespace {

constexpr int kMostFilmFrames = 4000;

// Where the frames of a film go.
class Film {
 public:
  explicit Film(const std::filesystem::path& path) : path_(path) {
    if (path.extension() == ".gif") {
      gif_.emplace(path);
      return;
    }
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error)
      throw InputError("record", path.string(), "cannot be made a folder: " + error.message());
  }
  void add(const Image& image, int hundredths) {
    if (gif_) {
      gif_->add(image, hundredths);
    } else {
      write_png(image, path_ / fmt::format("frame_{:04}.png", count_));
    }
    ++count_;
  }
  void close() {
    if (gif_) gif_->close();
  }
  int count() const { return count_; }

 private:
  std::filesystem::path path_;
  std::optional<GifWriter> gif_;
  int count_ = 0;
};

// From the current moment to the end: motion between break points, and a rest at each for the text.
int film(App& app, Surface& surface, const std::filesystem::path& path) {
  constexpr int kFramesPerSecond = 10;
  constexpr double kRestSeconds = 1.2;
  Film out(path);
  Playback& playback = app.playback();
  playback.set_stop_at_breaks(true);
  const double step = 1.0 / kFramesPerSecond;
  const auto shoot = [&](double seconds) {
    out.add(surface.read(), static_cast<int>(std::lround(100 * seconds)));
  };
  app.frame(step);
  app.frame(step);
  shoot(kRestSeconds);
  while (!playback.at_end() && out.count() < kMostFilmFrames) {
    playback.play();
    do {
      app.frame(step);
      shoot(playback.playing() ? step : kRestSeconds);
    } while (playback.playing() && out.count() < kMostFilmFrames);
  }
  out.close();
  return out.count();
}

}  // namespace

void parse_size(const std::string& text, int& width, int& height) {
  const char* end = text.data() + text.size();
  int w = 0, h = 0;
  const auto [middle, first] = std::from_chars(text.data(), end, w);
  if (first == std::errc{} && middle != end && (*middle == 'x' || *middle == 'X')) {
    const auto [last, second] = std::from_chars(middle + 1, end, h);
    if (second == std::errc{} && last == end && w >= 320 && h >= 240 && w <= 7680 && h <= 4320) {
      width = w;
      height = h;
      return;
    }
  }
  throw InputError("size", text.empty() ? "\"\"" : text,
                   "give WIDTHxHEIGHT, 320x240 to 7680x4320, e.g. 1280x800");
}

bool run_viz(const VizOptions& options) {
  const bool window =
      options.screenshot.empty() && options.record.empty() && options.script.empty();
  AppOptions app_options;
  // Pictures are the same for everyone: what a person likes to see does not enter them.
  if (window && options.remember) {
    app_options.settings_file = settings_path();
    app_options.settings = load_settings(app_options.settings_file);
    app_options.quiz_folder = quiz::data_path();
    app_options.reading = options.reading;
  }
  Settings& settings = app_options.settings;
  if (options.width) settings.width = *options.width;
  if (options.height) settings.height = *options.height;
  if (options.theme) settings.theme = *options.theme;
  if (options.scale) settings.ui_scale = *options.scale;
  app_options.state = options.state;
  app_options.trace = options.trace;
  app_options.scene_of_command = options.scene_of_command;

  const std::unique_ptr<Surface> surface =
      window ? open_window(settings.width, settings.height, "RingLab")
             : open_headless(settings.width, settings.height);
  App app(*surface, app_options);
  if (options.lesson != 0) {
    app.show_lesson(options.lesson, options.lesson_scene);
    if (!window && options.reading.set_read) options.reading.set_read(options.lesson);
  }
  if (!options.at.empty()) go_to_moment(app, options.at);
  if (window) {
    if (options.greets && options.at.empty()) app.greet();
    while (app.frame(0)) {
    }
    return true;
  }
  if (!options.screenshot.empty()) {
    // Two frames: scroll regions know their content from the one before.
    for (int i = 0; i < 3; ++i) app.frame(1.0 / 60);
    write_png(surface->read(), options.screenshot);
    options.say(options.screenshot.string());
  }
  if (!options.record.empty()) {
    const int frames = film(app, *surface, options.record);
    options.say(fmt::format("{}: {} frames", options.record.string(), frames));
  }
  if (options.script.empty()) return true;
  ScriptRunner runner(app, *surface, std::filesystem::current_path(), options.script.parent_path());
  const ScriptResult result =
      runner.run(read_file(options.script, "script", 1u << 20), options.script.filename().string());
  for (const auto& shot : result.shots) options.say(shot.string());
  for (const std::string& failure : result.failures) options.say(failure);
  options.say(fmt::format("{} steps, {} expectation{} failed", result.steps, result.failures.size(),
                          result.failures.size() == 1 ? "" : "s"));
  return result.failures.empty();
}

}  // namespace ringlab::viz
