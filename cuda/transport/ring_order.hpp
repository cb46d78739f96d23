// In which order GPUs should sit on a ring: neighbours on the fastest links.
//
// Every hop of a ring lasts as long as its slowest link, so the ring whose slowest link is best is
// wanted, and among those the one with the least sum.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringlab::cuda {

/// distances[a][b]: how far b is from a; symmetric, and smaller is faster.
using DistanceMatrix = std::vector<std::vector<int>>;

/// GPUs in the order of the ring, from GPU 0 on. Exact up to 12 GPUs, beyond that a nearest
/// neighbour ring improved by reversals. As they are numbered where nothing is gained. Throws
/// InputError (field `distances`) for a matrix that is not square and symmetric.
std::vector<int> ring_order(const DistanceMatrix& distances);

/// The longest link of a ring, and the sum of all.
struct RingCost {
  int longest = 0;
  long long sum = 0;
  auto operator<=>(const RingCost&) const = default;
};
RingCost ring_cost(const DistanceMatrix& distances, const std::vector<int>& order);

/// Reads "0,2,1,3". Throws InputError (field `gpu_order`) unless it names each of `gpus` once.
std::vector<int> parse_gpu_order(const std::string& text, int gpus);

/// Distances between GPUs of these PCI bus ids, from NVML: 1 over NVLink, else 10 to 50 for PCIe
/// switch, host bridge, socket and system. Empty where NVML is not there.
std::optional<DistanceMatrix> gpu_distances(const std::vector<std::string>& bus_ids);

}  // namespace ringlab::cuda
