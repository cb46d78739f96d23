// What a command is to the program: a subcommand of the parser, and a function that returns the
// exit code. One file a command; main.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace ringlab::cli {

/// Done and good; done, and the answer is no; the input is wrong; the run failed.
enum ExitCode { kGood = 0, kNo = 1, kBadInput = 2, kFailed = 3 };

/// Set by the subcommand that was called; main runs it after parsing.
using Action = std::function<int()>;

/// The arguments of this process, without the program's name.
const std::vector<std::string>& original_arguments();

void add_demo(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_schedule(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_sim(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_gate(CLI::App& app, Action& action);
void add_viz(CLI::App& app, Action& action);
void add_lesson(CLI::App& app, Action& action);
void add_quiz(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

/// Adds a command below `bench`.
void add_bench_cuda(CLI::App& bench, Action& action);
void add_bench_calibrate(CLI::App& bench, Action& action);
void add_bench_sim(CLI::App& bench, Action& action);
void add_bench_plan(CLI::App& bench, Action& action);
void add_bench_viz(CLI::App& bench, Action& action);

}  // namespace ringlab::cli
