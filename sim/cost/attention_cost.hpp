// How long a tile of attention takes on a GPU: FLOPs of visible pairs over the rate that a kernel
// reaches on tiles of this size.
#pragma once

#include <string>
#include <vector>

#include "ringlab/sim/cluster/gpu.hpp"

namespace ringlab {

struct AttentionTile {
  double pair_heads = 0;    // visible pairs, counted once for each query head
  double square_heads = 0;  // all pairs likewise
  double queries = 0, keys = 0;
  int query_heads = 1, head_dim = 1;
  bool backward = false;
};

/// A rate that grows with the tile, interpolated between measured points.
class AttentionCost {
 public:
  /// The same rate for every tile, FLOP/s of visible pairs: closed forms, and other people's
  /// models.
  static AttentionCost constant(double flops_per_second, double overhead_seconds = 0);
  /// A curve from sim/data/kernels or a file. Throws InputError.
  static AttentionCost load(const std::string& name_or_file);
  /// The same from text; `source` names it in messages.
  static AttentionCost parse(const std::string& json_text, const std::string& source);
  /// The curve measured for this part, or one scaled by the ratio of matrix peaks; `provenance`
  /// says which.
  static AttentionCost for_gpu(const Gpu& gpu);

  /// Seconds of one tile; 0 for a tile without visible pairs.
  double seconds(const AttentionTile& tile) const;
  /// Where the figures come from, for people.
  const std::string& provenance() const { return provenance_; }

  struct Point {
    double tile_tokens;  // geometric mean of queries and keys
    double full_flops_per_second, partial_flops_per_second;
  };

 private:
  std::vector<Point> forward_, backward_;
  double overhead_seconds_ = 0;  // launch, once a tile
  std::string provenance_;
};

}  // namespace ringlab
