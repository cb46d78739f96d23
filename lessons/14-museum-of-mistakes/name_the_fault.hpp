// A run that may be wrong, and the questions that can be asked about it. They are counted.
#pragma once

#include "exercise.hpp"

/// The exhibits that may be in it; `ringlab run --fault list --json` tells of each.
enum class Fault {
  none,
  merge_newest_only,
  merge_without_rescale,
  lse_base_two,
  lse_of_empty_wins,
  mask_local_indices,
  mask_strict_diagonal,
  mask_other_direction,
  scale_forgotten,
  kv_head_modulo,
  last_hop_skipped,
  gradient_one_hop_too_far,
  gradient_local_kv,
  gradient_group_mean,
};

enum class Gradient { query, key, value };

/// A causal ring with rotary positions in float64, forward and backward, held against the right
/// result. What is right differs by rounding, less than 1e-9; what is wrong by more than 1e-6.
class WrongRun {
 public:
  // Facts, free of charge.
  long long ranks = 0, tokens = 0, query_heads = 0, kv_heads = 0;
  bool zigzag = false;  // else contiguous
  /// Positions 0 to chunk() - 1 are on rank 0, the next chunk() positions on rank 1.
  long long chunk() const { return tokens / ranks / (zigzag ? 2 : 1); }

  // Questions.
  /// Of one row's output: the largest difference between found and right, by absolute value.
  double out_error(long long position, long long head) {
    return asked(outs_[static_cast<std::size_t>(position * query_heads + head)]);
  }
  /// Found minus right log-sum-exp of one row.
  double lse_error(long long position, long long head) {
    return asked(lses_[static_cast<std::size_t>(position * query_heads + head)]);
  }
  /// Of all dQ, dK or dV: the norm of found minus right, over the norm of the right one.
  double gradient_error(Gradient which) {
    return asked(gradients_[static_cast<std::size_t>(which)]);
  }

  long long questions() const { return questions_; }

  explicit WrongRun(Given& in) {
    ranks = in.integer();
    tokens = in.integer();
    query_heads = in.integer();
    kv_heads = in.integer();
    zigzag = in.integer() != 0;
    outs_ = in.reals(tokens * query_heads);
    lses_ = in.reals(tokens * query_heads);
    gradients_ = in.reals(3);
  }

 private:
  double asked(double answer) {
    ++questions_;
    return answer;
  }

  std::vector<double> outs_, lses_, gradients_;
  long long questions_ = 0;
};
