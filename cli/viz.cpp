// `ringlab viz`: the visualiser, in a window or as pictures without one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/scenario_flags.hpp"
#include "ringlab/reference/core/error.hpp"

#ifdef RINGLAB_HAVE_VIZ
#include "cli/scene_of_command.hpp"
#include "ringlab/lessons/course/progress.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/limits.hpp"
#include "ringlab/reference/trace/chrome.hpp"
#include "ringlab/viz/app/bench.hpp"
#include "ringlab/viz/app/form.hpp"
#include "ringlab/viz/app/run.hpp"
#include "ringlab/viz/model/presets.hpp"
#include "ringlab/viz/model/simulated.hpp"
#endif

namespace ringlab::cli {
namespace {

struct Options {
  ScenarioFlags flags;
  std::string preset, trace, at, screenshot, record, script, size, theme;
  double scale = 0;
  bool list = false;
  int lesson = 0;
  std::map<std::string, std::string> story;  // fields of the story's clock that were given
};

struct BenchOptions {
  int ranks = 64, frames = 200;
  std::string size = "1280x800";
  bool json = false;
};

#ifdef RINGLAB_HAVE_VIZ

constexpr const char* kGreeting = "causal-zigzag";

// A preset, a file and a trace are three ways to say what to show; flags go over each of them.
viz::SharedState state_of(const Options& options, std::optional<Trace>& trace) {
  viz::SharedState state;
  const std::vector<std::string> given = options.flags.given();
  if (!options.trace.empty()) {
    trace = parse_chrome_json(read_file(options.trace, "trace", kLargestJsonFile), options.trace);
    const auto scenario = trace->metadata.find("scenario");
    if (scenario != trace->metadata.end()) {
      state.scenario = parse_scenario(scenario->second, options.trace);
    } else if (given.empty() && options.preset.empty()) {
      throw InputError("trace", options.trace,
                       "says nothing of its scenario: give that as a file or with flags");
    }
    state.options.clock = viz::Clock::imported;
  }
  if (!options.preset.empty()) {
    const viz::SharedState preset = viz::preset_named(options.preset).state;
    state.scenario = preset.scenario;
    state.view = preset.view;
    const viz::Clock clock = state.options.clock;
    state.options = preset.options;
    if (trace) state.options.clock = clock;
    if (given.empty()) state.view.preset = options.preset;
  } else if (given.empty() && !trace) {
    state = viz::preset_named(kGreeting).state;
    state.view.preset = kGreeting;
  }
  state.scenario = options.flags.scenario(state.scenario);
  for (const auto& [field, value] : options.story) {
    viz::apply_change({field, value}, state.scenario, state.options);
    state.view.preset.clear();
  }
  if (!options.story.empty()) viz::check_simulated(state.scenario, state.options);
  return state;
}

viz::ReadingProgress reading_progress() {
  const auto progress = std::make_shared<course::Progress>(course::Progress::default_file());
  return {.has_read = [progress](int lesson) { return progress->has_read(lesson); },
          .set_read = [progress](int lesson) { progress->set_read(lesson); }};
}

int run(const Options& options) {
  if (options.list) {
    for (const viz::Preset& preset : viz::presets()) {
      fmt::print("{:<18}{}\n", preset.name, viz::Texts::english().get(preset.title));
    }
    return kGood;
  }
  viz::VizOptions viz_options;
  viz_options.state = state_of(options, viz_options.trace);
  viz_options.scene_of_command = scene_of_command;
  viz_options.lesson = options.lesson;
  const bool no_scene =
      options.preset.empty() && options.trace.empty() && options.flags.given().empty();
  // Who names a scene as well wants that one beside the page.
  viz_options.lesson_scene = no_scene;
  viz_options.greets = no_scene && options.lesson == 0;
  viz_options.reading = reading_progress();
  viz_options.at = options.at;
  viz_options.screenshot = options.screenshot;
  viz_options.record = options.record;
  viz_options.script = options.script;
  if (!options.size.empty()) {
    int width = 0, height = 0;
    viz::parse_size(options.size, width, height);
    viz_options.width = width;
    viz_options.height = height;
  }
  if (!options.theme.empty()) {
    viz::ThemeKind theme{};
    if (!viz::find_theme(options.theme.c_str(), theme)) {
      throw InputError("theme", options.theme, "give dark, light or high-contrast");
    }
    viz_options.theme = theme;
  }
  if (options.scale != 0) {
    if (!(options.scale >= 0.6 && options.scale <= 3)) {
      throw InputError("ui_scale", fmt::format("{:g}", options.scale), "give 0.6 to 3");
    }
    viz_options.scale = static_cast<float>(options.scale);
  }
  viz_options.say = [](const std::string& line) { fmt::print("{}\n", line); };
  return viz::run_viz(viz_options) ? kGood : kNo;
}

int bench(const BenchOptions& options) {
  if (options.ranks < 1 || options.ranks > viz::Limits::kRanks) {
    throw InputError("ranks", std::to_string(options.ranks),
                     fmt::format("give 1 to {}", viz::Limits::kRanks));
  }
  if (options.frames < 1 || options.frames > 100000) {
    throw InputError("frames", std::to_string(options.frames), "give 1 to 100000");
  }
  int width = 0, height = 0;
  viz::parse_size(options.size, width, height);
  const viz::SharedState greeting = viz::preset_named(kGreeting).state;
  viz::SharedState state = viz::preset_named("many-ranks").state;
  state.scenario.ranks = options.ranks;
  state.scenario.tokens = 16 * options.ranks;
  const viz::VizBench b = viz::bench_viz(greeting, state, width, height, options.frames);
  const auto ms = [](double seconds) { return 1e3 * seconds; };
  if (options.json) {
    const nlohmann::ordered_json json = {{"ranks", b.ranks},
                                         {"size", options.size},
                                         {"frames", b.frames},
                                         {"renderer", b.renderer},
                                         {"story_ms", ms(b.story_seconds)},
                                         {"first_frame_ms", ms(b.first_frame_seconds)},
                                         {"build_ms", ms(b.build_seconds)},
                                         {"slowest_build_ms", ms(b.slowest_build_seconds)},
                                         {"frame_ms", ms(b.frame_seconds)},
                                         {"raster_ms", ms(b.raster_seconds)},
                                         {"vertices", b.vertices}};
    fmt::print("{}\n", json.dump(1));
    return kGood;
  }
  fmt::print("{} ranks, {}, {} frames, {}\n\n", b.ranks, options.size, b.frames, b.renderer);
  fmt::print("  start to first picture   {:8.1f} ms, of the greeting scene\n",
             ms(b.first_frame_seconds));
  fmt::print("  story of this scene      {:8.1f} ms, once\n", ms(b.story_seconds));
  fmt::print("  model and draw lists     {:8.2f} ms median, {:.2f} ms at most\n",
             ms(b.build_seconds), ms(b.slowest_build_seconds));
  fmt::print("  rasteriser               {:8.2f} ms median, {} vertices\n", ms(b.raster_seconds),
             b.vertices);
  fmt::print("  whole frame              {:8.2f} ms median\n", ms(b.frame_seconds));
  return kGood;
}

#else

int run(const Options&) {
  throw RunError(
      "viz: this program was built without the visualiser; missing were: " RINGLAB_VIZ_MISSING
      ". Install them and build again");
}
int bench(const BenchOptions&) {
  return run({});
}

#endif

}  // namespace

void add_viz(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("viz", "Watch key/value blocks go round, and touch every number");
  command->footer(
      "Examples:\n"
      "  ringlab viz\n"
      "  ringlab viz --screenshot out.png --preset causal-zigzag --at hop=3\n"
      "  ringlab viz --record out.gif --preset plain\n"
      "  ringlab viz --lesson 5\n"
      "  ringlab viz --ranks 16 --layout striped --tokens 256\n"
      "  ringlab viz --ranks 16 --clock simulated --cluster 2x8xh100 --tokens 256 "
      "--simulated-tokens 262144");
  command
      ->add_option("--preset", options->preset,
                   "A scene that the program comes with; --list names them")
      ->type_name("NAME");
  command->add_flag("--list", options->list, "List the scenes");
  command
      ->add_option("--trace", options->trace,
                   "A trace file of ringlab run or sim to lay over the story")
      ->type_name("FILE");
  command
      ->add_option("--at", options->at,
                   "The moment: start, end, hop=3, hop=3:arrive, time=1.5, break=7; also rank=2, "
                   "query=37, head=1")
      ->type_name("MOMENT");
  command
      ->add_option("--screenshot", options->screenshot,
                   "Write one picture instead of opening a window")
      ->type_name("FILE.png");
  command
      ->add_option("--record", options->record,
                   "Write the film from the moment to the end: a .gif, or a folder of PNGs")
      ->type_name("FILE.gif");
  command
      ->add_option("--script", options->script,
                   "Run a script of keys, clicks, expectations and shots")
      ->type_name("FILE");
  command->add_option("--lesson", options->lesson, "A lesson beside its first scene")
      ->type_name("NN");
  command->add_option("--size", options->size, "Pixels [1280x800]")->type_name("WxH");
  command->add_option("--theme", options->theme, "dark, light or high-contrast")->type_name("NAME");
  command->add_option("--ui-scale", options->scale, "Size of text and controls, 0.6 to 3")
      ->type_name("FACTOR");
#ifdef RINGLAB_HAVE_VIZ
  for (const viz::StoryField& field : viz::story_fields()) {
    std::string flag = "--" + field.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const auto take = [options, name = field.name](const std::string& value) {
      options->story[name] = value;
    };
    command->add_option_function<std::string>(flag, take, field.help)
        ->group("The story's clock")
        ->type_name("VALUE");
  }
#else
  command->allow_extras();
#endif
  options->flags.add_to(*command);
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

void add_bench_viz(CLI::App& parent, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = parent.add_subcommand("viz", "Frames of the visualiser, drawn in memory");
  command->footer("Example:\n  ringlab bench viz --ranks 64");
  command->add_option("--ranks", options->ranks, "Ranks of the scene [64]");
  command->add_option("--frames", options->frames, "Frames over the whole story [200]");
  command->add_option("--size", options->size, "Pixels [1280x800]")->type_name("WxH");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace ringlab::cli
