// Memory and balance as stacked bars.
#pragma once

#include "ringlab/viz/model/frame.hpp"

namespace ringlab::viz {

struct BarPart {
  Index amount = 0;  // bytes or pairs x heads
  int colour = 0;    // palette index
  Quantity quantity = Quantity::key_value;
  int copy = -1;  // of a memory bar: the copy, or -1
  int hop = 0;    // of a work bar
  float done = 1;
  std::string_view text;
};

struct RankBar {
  int rank = 0;
  std::vector<BarPart> parts;
  Index total = 0;
  Index peak = 0;    // over the whole story, of the ledger
  std::string text;  // "12.3 kB"
};

struct MemoryBars {
  std::vector<RankBar> ranks;      // keys and values, copy by copy
  std::vector<RankBar> all;        // everything, by quantity
  Index full_key_value_bytes = 0;  // what a rank would hold that gathers everything
  Index full_bytes = 0;            // ... with queries and results
  Index score_matrix_bytes = 0;    // of all heads, if the scores were kept
  Index largest = 0;               // for the scale of `ranks`
  Index largest_all = 0;           // for the scale of `all`
  std::vector<Sentence> words;
};
MemoryBars memory_bars(const Story& story, const Frame& frame);

struct WorkBars {
  std::vector<RankBar> ranks;  // one part a hop
  Index largest = 0;
  double efficiency = 1;  // of lock step
  std::vector<Sentence> words;
};
WorkBars work_bars(const Story& story, const Frame& frame);

}  // namespace ringlab::viz
