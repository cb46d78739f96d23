#include "ringlab/lessons/exercise/check.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <sstream>

#include "ringlab/lessons/course/files.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

namespace ringlab::exercise {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A folder that goes away with everything in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "ringlab-exercise-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw RunError("cannot make a folder in " + pattern);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The first lines, so that one missing bracket does not fill the screen.
std::string first_lines(const std::string& text, int lines) {
  std::size_t end = 0;
  while (lines-- > 0 && end < text.size()) {
    const std::size_t newline = text.find('\n', end);
    if (newline == std::string::npos) return text;
    end = newline + 1;
  }
  return end < text.size() ? text.substr(0, end) + "...\n" : text;
}

std::string compiler() {
  const char* named = getenv("CXX");
  return named && *named ? named : "g++";
}

// The compiler's words if it does not build.
std::optional<std::string> build(const Problem& problem, const std::string& text,
                                 const fs::path& folder) {
  const std::string file = problem.name + ".cpp";
  write_file(folder / file, text);
  write_file(folder / "exercise.hpp", course_file("exercise/harness.hpp"));
  const std::string header = problem.name + ".hpp";
  if (has_course_file(problem.lesson + "/" + header)) {
    write_file(folder / header, course_file(problem.lesson + "/" + header));
  }
  write_file(folder / "check.cpp", course_file(problem.lesson + "/" + problem.name + ".check.cpp"));
  Limits limits;
  // It takes some two seconds of work, which a busy machine may be long about.
  limits.processor = std::chrono::seconds(30);
  limits.wall = std::chrono::milliseconds(120000);
  limits.memory_bytes = std::uint64_t{4} << 30;
  limits.file_bytes = std::uint64_t{64} << 20;
  limits.filtered = false;  // a compiler starts processes and writes files
  const Outcome outcome =
      run_limited({compiler(), "-std=c++20", "-O0", "-Wall", "-fmax-errors=3",
                   "-fdiagnostics-color=never", "-o", "answer", "check.cpp", file},
                  folder, "", limits);
  if (outcome.ending == Ending::exited && outcome.code == 127) {
    throw RunError("there is no compiler '" + compiler() + "'; install g++ or set CXX");
  }
  if (outcome.ending == Ending::out_of_time) return "the compiler did not end within 120 s";
  if (outcome.ending == Ending::too_much_output) return first_lines(outcome.error, 12);
  if (outcome.ending != Ending::exited || outcome.code != 0) return first_lines(outcome.error, 12);
  return std::nullopt;
}

std::string input_of(const std::vector<Case>& cases) {
  std::string text;
  for (const Case& one : cases) {
    text += std::to_string(one.input.size());
    for (const double value : one.input) text += fmt::format(" {:.17g}", value);
    text += '\n';
  }
  return text;
}

// Whole lines of answers; anything that is no list of numbers ends them.
std::vector<Answer> answers_of(const std::string& text, std::size_t most) {
  std::vector<Answer> answers;
  std::size_t begin = 0;
  while (answers.size() < most) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const char* at = line.c_str();
    char* next = nullptr;
    const long long count = strtoll(at, &next, 10);
    if (next == at || count < 0 || count > 1000000) break;
    Answer answer;
    for (long long i = 0; i < count; ++i) {
      at = next;
      const double value = strtod(at, &next);
      if (next == at) return answers;
      answer.push_back(value);
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::string how_it_ended(const Outcome& outcome, const Limits& limits) {
  switch (outcome.ending) {
    case Ending::out_of_time:
      return fmt::format("it did not end within {:.0f} s: is there a loop without an end?",
                         static_cast<double>(limits.wall.count()) / 1000);
    case Ending::too_much_output:
      return fmt::format("it printed more than {} bytes", limits.output_bytes);
    case Ending::forbidden_call:
      return "it tried what no exercise needs: to start a process or thread, to write a file, or "
             "to "
             "reach the network";
    case Ending::crashed:
      if (outcome.error.find("bad_alloc") != std::string::npos) {
        return fmt::format("it asked for more memory than the {} MB it may have",
                           limits.memory_bytes >> 20);
      }
      return fmt::format("it crashed: {}", strsignal(outcome.code));
    case Ending::exited:
      return fmt::format("it ended by itself with code {} before all was answered", outcome.code);
  }
  return "it ended";
}

Checked judge(const Problem& problem, const std::vector<Case>& cases, const Outcome& outcome,
              const Limits& limits) {
  Checked checked;
  const std::size_t needed = cases.size() - static_cast<std::size_t>(problem.bonus);
  checked.cases = static_cast<int>(needed);
  checked.printed = first_lines(outcome.out, 8);
  const std::vector<Answer> answers = answers_of(outcome.answers, cases.size());
  for (std::size_t i = 0; i < std::min(needed, answers.size()); ++i) {
    if (const auto complaint = problem.judge(cases[i], answers[i])) {
      checked.verdict = Verdict::wrong;
      checked.given = cases[i].given;
      checked.complaint = *complaint;
      return checked;
    }
    ++checked.passed;
  }
  const bool ended_well = outcome.ending == Ending::exited && outcome.code == 0;
  if (answers.size() < needed || (!ended_well && problem.bonus == 0)) {
    checked.verdict = Verdict::no_answer;
    checked.given = answers.size() < needed ? cases[answers.size()].given : "";
    checked.trouble = how_it_ended(outcome, limits);
    return checked;
  }
  checked.has_second = problem.second != nullptr;
  if (answers.size() < cases.size()) {
    checked.second = fmt::format("in the case {} {}", cases[answers.size()].given,
                                 how_it_ended(outcome, limits));
  } else if (problem.second) {
    checked.second = problem.second(cases, answers);
  }
  return checked;
}

}  // namespace

Checked check_text(const Problem& problem, const std::string& text) {
  const ScratchFolder folder;
  const auto start = Clock::now();
  if (const auto words = build(problem, text, folder.path())) {
    Checked checked;
    checked.verdict = Verdict::does_not_build;
    checked.trouble = *words;
    checked.build_seconds = seconds_since(start);
    return checked;
  }
  const double build_seconds = seconds_since(start);
  const auto run_start = Clock::now();
  const std::vector<Case> cases = problem.cases();
  const Limits limits;
  const Outcome outcome = run_limited({"./answer"}, folder.path(), input_of(cases), limits);
  Checked checked = judge(problem, cases, outcome, limits);
  checked.build_seconds = build_seconds;
  checked.run_seconds = seconds_since(run_start);
  return checked;
}

Checked check(const Problem& problem, const std::filesystem::path& file) {
  return check_text(problem, read_file(file, "file", 1 << 20));
}

}  // namespace ringlab::exercise
