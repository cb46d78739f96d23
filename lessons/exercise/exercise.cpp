#include "ringlab/lessons/exercise/exercise.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ringlab/lessons/course/files.hpp"
#include "ringlab/lessons/exercise/problems.hpp"

namespace ringlab::exercise {

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all = [] {
    std::vector<Problem> list;
    add_sequence_problems(list);
    add_ring_problems(list);
    add_layer_problems(list);
    add_planning_problems(list);
    add_museum_problems(list);
    add_gate_problems(list);
    // An exercise stands in the program with its lesson.
    std::erase_if(list,
                  [](const Problem& p) { return !has_course_file(p.lesson + "/lesson.json"); });
    return list;
  }();
  return all;
}

std::vector<const Problem*> problems_of(const std::string& lesson) {
  std::vector<const Problem*> found;
  for (const Problem& problem : problems()) {
    if (problem.lesson == lesson) found.push_back(&problem);
  }
  return found;
}

std::string number_text(double value) {
  if (std::isfinite(value) && value == std::floor(value) && std::abs(value) < 1e15) {
    return fmt::format("{:.0f}", value);
  }
  return fmt::format("{:.9g}", value);
}

std::optional<Complaint> compare(const Answer& answer, const std::vector<double>& right,
                                 double tolerance,
                                 const std::function<std::string(std::size_t)>& where) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (i >= answer.size()) return Complaint{where(i), "nothing", number_text(right[i])};
    const double a = answer[i], b = right[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b))) continue;
    return Complaint{where(i), number_text(a), number_text(b)};
  }
  return std::nullopt;
}

std::uint64_t Draw::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

long long Draw::integer(long long least, long long most) {
  const auto range = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<long long>(next() % range);
}

double Draw::real(double least, double most) {
  return least + (most - least) * static_cast<double>(next() >> 11) * 0x1p-53;
}

}  // namespace ringlab::exercise
