// What the tests of exercises share: a problem by name, its files, a solution with something
// changed.
#pragma once

#include <stdexcept>
#include <string>

#include "ringlab/lessons/course/files.hpp"
#include "ringlab/lessons/exercise/check.hpp"
#include "tests/catch.hpp"

namespace ringlab::exercise {

inline std::string file_of(const Problem& problem, const char* kind) {
  return std::string(course_file(problem.lesson + "/" + problem.name + "." + kind + ".cpp"));
}

inline const Problem& problem_named(const std::string& name) {
  for (const Problem& problem : problems()) {
    if (problem.name == name) return problem;
  }
  throw std::logic_error("no problem " + name);
}

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  INFO(what);
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

inline std::string solution_of(const std::string& problem) {
  return file_of(problem_named(problem), "solution");
}

inline Checked check_named(const std::string& problem, const std::string& text) {
  return check_text(problem_named(problem), text);
}

/// The solution with one thing changed.
inline Checked spoilt(const std::string& problem, const std::string& what,
                      const std::string& with) {
  return check_named(problem, replaced(solution_of(problem), what, with));
}

}  // namespace ringlab::exercise
