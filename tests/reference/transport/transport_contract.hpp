// What every transport promises, as bodies that each rank of a world runs: the same for threads and
// for processes. A broken promise throws, as the assertions of a test library are for one thread.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab::contract {

struct Case {
  const char* name;
  int min_ranks;
  TransportOptions options;
  void (*body)(Communicator&);
};

/// Cases that end well, under no delays and under two seeds of delays.
const std::vector<Case>& good_cases();

/// Cases in which every rank ends with a RunError whose text holds one of `any_of`, within 5 s of
/// its start, at a timeout of 500 ms.
struct Fault {
  const char* name;
  int min_ranks;
  void (*body)(Communicator&);
  std::vector<std::string> any_of;
};
const std::vector<Fault>& faults();
TransportOptions fault_options();
/// Runs the body; throws unless it ends as promised.
void expect_fault(const Fault& fault, Communicator& world);

}  // namespace ringlab::contract
