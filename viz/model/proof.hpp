// The distributed result against full attention in float64.
#pragma once

#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

struct ProofLine {
  std::string quantity;  // "O", "lse", "dQ", "dK", "dV"
  double largest = 0, relative = 0;
  double bound = 0;  // what rounding explains
  bool good = true;
  /// Where the largest difference is (O and lse).
  Index position = -1;
  int head = -1, component = -1, rank = -1;
  double found = 0, right = 0;
  Sentence words;
};

struct Proof {
  std::vector<ProofLine> lines;
  bool good = true;
  Sentence why_not;  // set, and lines empty, where there are no numbers
};

Proof make_proof(const Story& story);

}  // namespace ringlab::viz
