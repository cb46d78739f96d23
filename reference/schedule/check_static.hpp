// The part of check() that needs no run: names that exist, and moves that have a partner at all.
#pragma once

#include "ringlab/reference/schedule/check.hpp"

namespace ringlab {

/// A finding whose sentence starts with rank, hop and buffer.
Finding make_finding(Fault fault, int rank, int hop, const std::string& buffer,
                     const std::string& what);

/// Every buffer, content, peer, hop and exchange that a step names exists.
std::vector<Finding> check_references(const Schedule& schedule);

/// Between each two ranks there are as many sends as receives; else names the first one left over.
std::vector<Finding> check_pairing(const Schedule& schedule);

}  // namespace ringlab
