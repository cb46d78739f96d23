// Proves a schedule, or says what is wrong with it, before a single number is computed.
//
// All ranks are run together over contents instead of numbers. Moves meet as on the wire: between
// two ranks in order, and a send completes only with its receive (nothing is buffered, so what
// passes here cannot deadlock for want of a buffer); exchanges of one rank run in the order in
// which they were begun, as on a communication stream. Proven are: every visible (query, key) pair
// in each result exactly once, for every head; every move matched, with the right content; no cycle
// of waits; no buffer read before its content arrived or written while it is in use; no more
// key/value blocks alive than promised; gradients at home at the end.
#pragma once

#include <string>
#include <vector>

#include "ringlab/reference/schedule/schedule.hpp"
#include "ringlab/reference/sequence/mask.hpp"

namespace ringlab {

enum class Fault {
  bad_reference,        // a buffer, content, peer or exchange that does not exist
  wrong_quantity,       // a buffer holds another kind of thing than the step wants
  empty_buffer,         // a step reads a buffer that holds nothing
  read_before_arrival,  // a step reads a buffer whose receive was not waited for
  overwritten_in_use,   // a buffer is written or freed while a move reads or writes it
  wrong_content,        // a move carries something else than was said
  unmatched_send,       // nobody receives it
  unmatched_receive,    // nobody sends it
  group_mismatch,       // the members of a collective do not agree on it
  never_waited,         // the program ends with a move still in flight
  deadlock,             // ranks wait for each other in a circle
  missed_tile,          // visible pairs that no step computes
  repeated_tile,        // visible pairs that are folded in twice
  too_many_blocks,      // more key/value blocks alive than promised
  not_home,             // a result does not stand where the schedule says, or is not the rank's own
};

const char* name(Fault fault);

struct Finding {
  Fault fault;
  int rank;
  int hop;             // -1 where no hop is at fault
  std::string buffer;  // empty where no buffer is at fault
  std::string text;    // a sentence with rank, hop and buffer
};

/// The findings, the first cause first; empty for a schedule that is right.
std::vector<Finding> check(const Schedule& schedule, const Mask& mask);

}  // namespace ringlab
