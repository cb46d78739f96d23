// Which layouts there are for a model, a workload and a number of GPUs.
#pragma once

#include <functional>
#include <string>

#include "ringlab/sim/memory/memory.hpp"

namespace ringlab {

/// Why a layout is not possible, as a sentence with the numbers; empty if it is.
///
///   tensor    divides the query heads and the MLP, and divides the key/value heads or is a
///   multiple context   two tokens a rank at least (zigzag); Ulysses degrees divide a tensor rank's
///   heads pipeline  no more stages than layers; interleaved: whole groups, micro batches in rounds
///   data      divides the batch, and the micro batch a data rank's share
///   experts   their ranks divide the experts and the ranks that hold the same weights
///   ZeRO      2 and 3 without a pipeline: each micro batch would move all gradients again
std::string why_not(const Model& model, const Workload& work, const Parallel& parallel);

/// Calls `visit` for every layout of so many GPUs for which why_not is empty. Axes that `fixed`
/// sets (not 0) stay as they are. Choices without effect are not tried twice: ZeRO without
/// replicas, families without a context axis.
void for_each_layout(const Model& model, const Workload& work, int gpus, const Parallel& fixed,
                     const std::function<void(const Parallel&)>& visit);

/// Nothing fixed.
inline constexpr Parallel kAnyLayout{
    .data = 0, .tensor = 0, .pipeline = 0, .context = 0, .expert = 0};

}  // namespace ringlab
