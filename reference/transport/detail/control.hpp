// The small messages that the MPI ranks of a world exchange beside their data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ringlab/reference/transport/detail/link.hpp"

namespace ringlab::detail {

struct Control {
  enum class Kind : std::int32_t {
    ready,    // my next receive from you is posted: hop, bytes, text = its label
    abort,    // the run is over: text = the first cause
    ended,    // I shall post nothing more
    barrier,  // I have come to one more barrier
    probe,    // are you blocked too? (see MpiWorld::pass_on)
  };
  Kind kind = Kind::abort;
  std::int32_t hop = 0;
  std::int32_t origin = 0;  // of a probe: the rank that began it
  std::uint64_t bytes = 0;
  std::uint64_t wait = 0;   // of a probe: which wait of its origin
  std::uint64_t index = 0;  // of a probe: which move of its last link's pair and direction
  std::string text;
  std::vector<Link> path;  // of a probe: who waits for whom, from the origin on
};

/// As bytes for machines of one kind, and back. Throws RunError if the bytes are not a control
/// message.
std::string pack(const Control& control);
Control unpack(const std::string& bytes);

}  // namespace ringlab::detail
