// The questions that planners ask, each answered by one table from the same models of time and
// memory that the search uses.
#pragma once

#include <string>
#include <vector>

#include "ringlab/sim/plan/search.hpp"

namespace ringlab {

/// A cell with its unit, so that a person sees "1.2 GB" and a program 1.2e9.
struct Cell {
  enum Unit { text, count, bytes, seconds, percent, factor } unit = text;
  std::string words;
  double value = 0;
};

struct Answer {
  std::string title;                 // the question
  std::vector<std::string> columns;  // of the table
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> conclusions;  // sentences with the numbers filled in
};

struct Question {
  std::string name, asks;
  Answer (*answer)(const PlanRequest&);
};

const std::vector<Question>& questions();

/// Answers one by name. Throws InputError (field `question`) that lists the names, and for a
/// request that the question makes no sense for.
Answer answer(const std::string& question, const PlanRequest& request);

namespace detail {

inline Cell words(std::string text) {
  return {Cell::text, std::move(text), 0};
}
inline Cell count(double value) {
  return {Cell::count, {}, value};
}
inline Cell bytes(double value) {
  return {Cell::bytes, {}, value};
}
inline Cell seconds(double value) {
  return {Cell::seconds, {}, value};
}
inline Cell percent(double value) {
  return {Cell::percent, {}, value};
}
inline Cell factor(double value) {
  return {Cell::factor, {}, value};
}

/// The layout that a question is asked about: given axes, the rest of the GPUs as context.
Parallel context_layout(const PlanRequest& request);

// One function a question.
Answer which_family(const PlanRequest&);
Answer why_slower(const PlanRequest&);
Answer which_balance(const PlanRequest&);
Answer which_heads(const PlanRequest&);
Answer which_placement(const PlanRequest&);
Answer which_axis(const PlanRequest&);
Answer what_batch(const PlanRequest&);
Answer what_padding(const PlanRequest&);
Answer when_hidden(const PlanRequest&);
Answer what_memory(const PlanRequest&);
Answer which_decode(const PlanRequest&);

}  // namespace detail
}  // namespace ringlab
