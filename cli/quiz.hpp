// The parts of `ringlab quiz`, one file each; quiz.cpp puts them together.
#pragma once

#include "cli/command.hpp"

namespace ringlab::cli {

/// `certificate`, `verify`, `keygen` and `issue`.
void add_quiz_credential(CLI::App& quiz, Action& action);
void add_quiz_export(CLI::App& quiz, Action& action);
void add_quiz_stats(CLI::App& quiz, Action& action);

}  // namespace ringlab::cli
