// The exercises, a file for each part of the course.
#pragma once

#include "ringlab/lessons/exercise/exercise.hpp"

namespace ringlab::exercise {

void add_sequence_problems(std::vector<Problem>& list);  // lessons 1 to 4
void add_ring_problems(std::vector<Problem>& list);      // lessons 5 to 9
void add_layer_problems(std::vector<Problem>& list);     // lesson 10
void add_planning_problems(std::vector<Problem>& list);  // lessons 11 to 13
void add_museum_problems(std::vector<Problem>& list);    // lesson 14
void add_gate_problems(std::vector<Problem>& list);      // lesson 15

}  // namespace ringlab::exercise
