// Choose the degrees of Ulysses and ring for a model and a machine.
#include "exercise.hpp"

struct Degrees {
  long long ulysses = 1, ring = 1;
};

// ulysses * ring = gpus; the query heads are a multiple of ulysses; a Ulysses group stays within a
// node. Several layouts may fit.
Degrees choose_layout(Heads heads, long long gpus, long long gpus_per_node) {
  // About eight lines.
  (void)heads;
  (void)gpus;
  (void)gpus_per_node;
  return {};
}
