#include "name_the_fault.hpp"

Fault name_the_fault(WrongRun& run) {
  const auto wrong = [](double error) { return !(std::fabs(error) < 1e-6); };

  // Row 0 sees one key, itself: its output is that key's value whatever the scale.
  const double first = run.lse_error(0, 0);
  if (std::isinf(first)) return first < 0 ? Fault::mask_strict_diagonal : Fault::lse_of_empty_wins;
  if (wrong(first)) {
    if (wrong(run.out_error(0, 0))) return Fault::mask_local_indices;
    // Row 1 sees two keys of one block: a scale spoils it, a merge does not come to it.
    return wrong(run.out_error(1, 0)) ? Fault::scale_forgotten : Fault::lse_base_two;
  }
  // Head 0 reads key/value head 0 by either rule, head 1 does not.
  if (wrong(run.out_error(0, 1))) return Fault::kv_head_modulo;

  // dQ needs the output (through delta), dV the log-sum-exp and no more.
  if (!wrong(run.gradient_error(Gradient::query))) {
    const double key = run.gradient_error(Gradient::key);
    if (!wrong(key)) return Fault::none;
    const double mean = 1 - static_cast<double>(run.kv_heads) / run.query_heads;
    return wrong(key - mean) ? Fault::gradient_one_hop_too_far : Fault::gradient_group_mean;
  }
  if (!wrong(run.gradient_error(Gradient::value))) return Fault::merge_without_rescale;

  // The last row sees all of every block; the first row of rank 1 sees rank 0's first chunk and
  // itself, which the last hop does not bring.
  const bool last = wrong(run.lse_error(run.tokens - 1, 0));
  const bool second = wrong(run.lse_error(run.chunk(), 0));
  if (last) return second ? Fault::merge_newest_only : Fault::last_hop_skipped;
  return second ? Fault::mask_other_direction : Fault::gradient_local_kv;
}
