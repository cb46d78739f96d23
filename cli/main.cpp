// The program: picks the command, and turns what goes wrong into an exit code and one clear line.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "ringlab/reference/core/error.hpp"

namespace {

std::vector<std::string> arguments;

std::string names_of(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names += " " + command->get_name();
  return names;
}

int run(int argc, char** argv) {
  using namespace ringlab::cli;
  CLI::App app{
      "RingLab: exact attention over one long sequence, split over many ranks.\n"
      "Start with: ringlab demo"};
  app.name("ringlab");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "ringlab " RINGLAB_VERSION);
  Action action;
  add_demo(app, action);
  add_run(app, action);
  add_schedule(app, action);
  add_merge(app, action);
  add_sim(app, action);
  add_plan(app, action);
  add_gate(app, action);
  add_viz(app, action);
  add_lesson(app, action);
  add_quiz(app, action);
  add_bench(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::string first = argc > 1 ? argv[1] : "";
    bool is_command = false;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
      is_command = is_command || command->get_name() == first;
    }
    if (!is_command && !first.empty() && first[0] != '-') {
      fmt::print(stderr, "ringlab: '{}' is no command; give one of:{}\n", first, names_of(app));
    } else {
      fmt::print(stderr, "ringlab: {}; see 'ringlab {}--help'\n", error.what(),
                 is_command ? first + " " : "");
    }
    return kBadInput;
  }
  if (action) return action();
  fmt::print(stderr, "ringlab: give one of the commands:{}; see 'ringlab --help'\n", names_of(app));
  return kBadInput;
}

}  // namespace

const std::vector<std::string>& ringlab::cli::original_arguments() {
  return arguments;
}

int main(int argc, char** argv) {
  using namespace ringlab::cli;
  arguments.assign(argv + 1, argv + argc);
  try {
    return run(argc, argv);
  } catch (const ringlab::InputError& error) {
    fmt::print(stderr, "ringlab: {}\n", error.what());
    return kBadInput;
  } catch (const ringlab::RunError& error) {
    fmt::print(stderr, "ringlab: the run failed: {}\n", error.what());
    return kFailed;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ringlab: the run failed: not enough memory; give fewer tokens or heads\n");
    return kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ringlab: the run failed: {}\n", error.what());
    return kFailed;
  }
}
