// What one core can do at best: the yardstick that `ringlab bench cpu` divides by.
#pragma once

namespace ringlab {

/// Float FMA peak of one thread in FLOP/s (an FMA counts as two): the best of short bursts over
/// about `seconds`, with the instruction set that v3_fast runs on.
double measure_fma_flops_per_second(double seconds);

/// Name of that instruction set, such as "AVX2" or "AVX3" (AVX-512).
const char* simd_target_name();

}  // namespace ringlab
