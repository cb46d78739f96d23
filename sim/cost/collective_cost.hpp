// Closed forms of collectives on alpha-beta links: n members, each step costs the latency once.
//
// Chan et al., "Collective communication: theory, practice, and experience", 2007: a ring moves
// (n - 1) / n of the data per member for an all-gather or a reduce-scatter, twice that for an
// all-reduce.
#pragma once

#include "ringlab/sim/cost/group_path.hpp"

namespace ringlab {

/// `bytes` is the gathered result: (n - 1) steps of bytes / n.
double all_gather_seconds(const LinkSpec& hop, int members, double bytes);
/// `bytes` is what each member brings; the same steps backwards.
double reduce_scatter_seconds(const LinkSpec& hop, int members, double bytes);
/// A reduce-scatter and an all-gather.
double all_reduce_seconds(const LinkSpec& hop, int members, double bytes);
/// `bytes` is what each member holds, (n - 1) / n of it for others, sent one after the other; the
/// latency is paid once, since the messages do not wait for each other.
double all_to_all_seconds(const LinkSpec& link, int members, double bytes);

/// All-gather on a ring of chips that sends both ways: ceil((n - 1) / 2) steps of bytes / n on
/// links of one direction; on a line that does not close, n - 1 steps.
double two_way_all_gather_seconds(const LinkSpec& link, int members, double bytes,
                                  bool wrapped = true);

/// All-gather of a large array over so many axes of a wrapped torus at once, latency left out: what
/// a chip's two links of each axis bring in.
double torus_all_gather_seconds(const LinkSpec& link, int axes, double bytes);

/// Every member sends `bytes` to every other one directly, all at once; of every level that the
/// group spans a member has its share, and the slowest level tells.
double direct_exchange_seconds(const GroupPath& path, double bytes);

/// Bytes of one member that leave it over the given spanned level in a direct exchange.
double direct_exchange_bytes(const GroupPath& path, std::size_t spanned, double bytes);

}  // namespace ringlab
