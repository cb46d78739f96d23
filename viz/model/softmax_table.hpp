// One query row's online softmax, hop by hop: the numbers that a learner wants to touch.
//
//   m' = max(m, max_j s_j)    l' = l exp(m - m') + sum_j exp(s_j - m')
//   O' = (O l exp(m - m') + sum_j exp(s_j - m') v_j) / l'    lse = m + log l
//
// (Milakov & Gimelshein, arXiv 1805.02867.) The row's state is followed through the schedule: tiles
// fold keys in, messages carry it, merges join two of them.
#pragma once

#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

enum class StatePrecision { float32, bfloat16 };

enum class SoftmaxAction { fold, merge, sink };

struct SoftmaxRow {
  SoftmaxAction action = SoftmaxAction::fold;
  double time = 0;  // at which it is done
  int rank = 0, hop = 0, tile = -1;
  int origin = -1;         // shard of the block: colour
  std::string block;       // "D"
  Index visible_keys = 0;  // of this row in the block
  double block_max = 0;    // largest score of the block
  double m_old = 0, l_old = 0, m = 0, l = 0, shrink = 1, lse = 0;
  std::vector<double> out;  // first components of O, normalised
  // Ready to draw, the numbers as text:
  std::string hop_text, m_text, l_text, shrink_text, lse_text;
  std::vector<std::string> formula;  // lines with the numbers filled in
};

struct SoftmaxTable {
  Index query_position = 0;
  int head = 0;
  StatePrecision precision = StatePrecision::float32;
  std::vector<SoftmaxRow> rows;  // by time
  // The answers beside it:
  double right_lse = 0;           // float64, full attention
  double executor_lse = 0;        // of the distributed run
  std::vector<double> right_out;  // float64, as many components as rows have
  double lse_error = 0;           // |last row - right|
  bool empty_row = false;         // the query sees nothing: O = 0, lse = -inf
  std::string right_text;
  Sentence why_not;  // set, and rows empty, where there are no numbers
};

inline constexpr int kComponentsShown = 4;

/// The table of the query at a global position. Throws InputError (field `query` or `head`) for one
/// that does not exist.
SoftmaxTable softmax_table(const Story& story, Index query_position, int head,
                           StatePrecision precision);

/// How many rows of the table are done at a time.
int rows_done(const SoftmaxTable& table, double time);

}  // namespace ringlab::viz
