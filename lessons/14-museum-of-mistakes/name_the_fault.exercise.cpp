// The museum's last room: a run is wrong. Which exhibit is it?
#include "name_the_fault.hpp"

// The exhibits, the facts and the questions stand in name_the_fault.hpp. There are at least 3
// ranks, 2 positions in a chunk, 2 key/value heads, and 2 query heads on each of them.
Fault name_the_fault(WrongRun& run) {
  // About twenty lines. Ask as much as you like at first.
  (void)run;
  return Fault::none;
}
