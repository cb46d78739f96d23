// Who waits for whom, for what: the sentence that every transport uses when something goes wrong.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ringlab/reference/transport/communicator.hpp"

namespace ringlab::detail {

enum class Side { send, receive, barrier };

/// One rank's reason to wait for another.
struct Link {
  int rank = 0;
  int peer = 0;
  int hop = 0;
  Side side = Side::send;
  std::string label;
  bool operator==(const Link&) const = default;
};

/// "rank 2 waits for rank 1 at hop 3 (receive kv1)".
std::string waits_for(const Link& link);
/// "rank 2 waited for rank 1 at hop 3 (receive kv1)".
std::string waited_for(const Link& link);
/// "...: nothing moved for 2.0 s".
std::string nothing_moved(const Link& link, std::chrono::milliseconds timeout);
/// "...: rank 1 has ended".
std::string has_ended(const Link& link);
/// "deadlock: rank 0 waits for rank 1 at ...; rank 1 waits for rank 0 at ...", from the smallest
/// rank on, so that all ranks that see the circle use the same words.
std::string in_a_circle(std::vector<Link> circle);
/// Both ranks, hops, labels and sizes of a move whose sides disagree.
std::string wrong_size(const Link& send, std::size_t sent_bytes, const Link& receive,
                       std::size_t expected_bytes);
/// "rank 2 ended the run: why".
std::string ended_the_run(int rank, const std::string& why);

template <class Byte>
std::size_t total_bytes(const std::vector<std::span<Byte>>& parts) {
  std::size_t total = 0;
  for (const auto& part : parts) total += part.size();
  return total;
}

/// Throws InvariantError unless every peer is another rank of the world.
void check_peers(int rank, int size, const std::vector<Send>& sends,
                 const std::vector<Receive>& receives);

/// Throws InputError unless 0 < timeout <= 1 day and 0 <= largest_delay <= 1 minute.
void check_options(const TransportOptions& options);

/// How long move `index` of `sender` is held back: below `largest_delay`, from the seed alone.
std::chrono::nanoseconds delay_of(const TransportOptions& options, int sender, std::uint64_t index);

}  // namespace ringlab::detail
