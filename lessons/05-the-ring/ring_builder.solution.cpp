#include "exercise.hpp"

struct Hop {
  long long attend = -1;
  long long send_to = -1;
  long long receive_from = -1;
};

std::vector<Hop> ring(long long rank, long long ranks) {
  std::vector<Hop> hops;
  for (long long hop = 0; hop < ranks; ++hop) {
    const bool last = hop == ranks - 1;  // the block that comes last need not travel on
    hops.push_back({(rank - hop + ranks) % ranks, last ? -1 : (rank + 1) % ranks,
                    last ? -1 : (rank - 1 + ranks) % ranks});
  }
  return hops;
}
