#include "ringlab/sim/cost/collective_cost.hpp"

#include <algorithm>

namespace ringlab {

double all_gather_seconds(const LinkSpec& hop, int members, double bytes) {
  return members < 2 ? 0 : (members - 1) * hop.seconds(bytes / members);
}

double reduce_scatter_seconds(const LinkSpec& hop, int members, double bytes) {
  return all_gather_seconds(hop, members, bytes);
}

double all_reduce_seconds(const LinkSpec& hop, int members, double bytes) {
  return reduce_scatter_seconds(hop, members, bytes) + all_gather_seconds(hop, members, bytes);
}

double all_to_all_seconds(const LinkSpec& link, int members, double bytes) {
  return members < 2 ? 0 : link.seconds(bytes * (members - 1) / members);
}

double two_way_all_gather_seconds(const LinkSpec& link, int members, double bytes, bool wrapped) {
  const int steps = wrapped ? members / 2 : members - 1;
  return steps * link.seconds(bytes / members);
}

double torus_all_gather_seconds(const LinkSpec& link, int axes, double bytes) {
  return bytes / (2 * axes * link.bytes_per_second);
}

double direct_exchange_bytes(const GroupPath& path, std::size_t spanned, double bytes) {
  const bool outermost = spanned + 1 == path.levels.size();
  const int within = outermost ? path.group.size : path.levels[spanned + 1].members_inside;
  return (within - path.levels[spanned].members_inside) * bytes;
}

double direct_exchange_seconds(const GroupPath& path, double bytes) {
  double slowest = 0;
  for (std::size_t i = 0; i < path.levels.size(); ++i) {
    slowest =
        std::max(slowest, path.levels[i].share.seconds(direct_exchange_bytes(path, i, bytes)));
  }
  return slowest;
}

}  // namespace ringlab
