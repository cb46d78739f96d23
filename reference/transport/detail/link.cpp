#include "ringlab/reference/transport/detail/link.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::detail {
namespace {

std::string place(const Link& link) {
  if (link.side == Side::barrier) return "at the barrier";
  return fmt::format("at hop {} ({}{}{})", link.hop, link.side == Side::send ? "send" : "receive",
                     link.label.empty() ? "" : " ", link.label);
}

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::string waits_for(const Link& link) {
  return fmt::format("rank {} waits for rank {} {}", link.rank, link.peer, place(link));
}

std::string waited_for(const Link& link) {
  return fmt::format("rank {} waited for rank {} {}", link.rank, link.peer, place(link));
}

std::string nothing_moved(const Link& link, std::chrono::milliseconds timeout) {
  return fmt::format("{}: nothing moved for {:.1f} s", waited_for(link),
                     static_cast<double>(timeout.count()) * 1e-3);
}

std::string has_ended(const Link& link) {
  return fmt::format("{}: rank {} has ended", waited_for(link), link.peer);
}

std::string in_a_circle(std::vector<Link> circle) {
  std::rotate(circle.begin(),
              std::min_element(circle.begin(), circle.end(),
                               [](const Link& a, const Link& b) { return a.rank < b.rank; }),
              circle.end());
  std::string text = "deadlock";
  for (std::size_t i = 0; i < circle.size(); ++i) {
    text += (i == 0 ? ": " : "; ") + waits_for(circle[i]);
  }
  return text;
}

std::string wrong_size(const Link& send, std::size_t sent_bytes, const Link& receive,
                       std::size_t expected_bytes) {
  return fmt::format("rank {} sends rank {} {} bytes {}, but rank {} expects {} bytes {}",
                     send.rank, send.peer, sent_bytes, place(send), receive.rank, expected_bytes,
                     place(receive));
}

std::string ended_the_run(int rank, const std::string& why) {
  return fmt::format("rank {} ended the run: {}", rank, why);
}

void check_peers(int rank, int size, const std::vector<Send>& sends,
                 const std::vector<Receive>& receives) {
  const auto check = [&](int peer) {
    RINGLAB_ENSURE(peer >= 0 && peer < size && peer != rank,
                   fmt::format("rank {} of {} names peer {}", rank, size, peer));
  };
  for (const Send& send : sends) check(send.peer);
  for (const Receive& receive : receives) check(receive.peer);
}

void check_options(const TransportOptions& options) {
  using namespace std::chrono_literals;
  if (options.timeout <= 0ms || options.timeout > 24h) {
    throw InputError("timeout", fmt::format("{} ms", options.timeout.count()),
                     "give more than 0 and at most a day");
  }
  if (options.largest_delay < 0us || options.largest_delay > 1min) {
    throw InputError("largest_delay", fmt::format("{} us", options.largest_delay.count()),
                     "give 0 to a minute");
  }
}

std::chrono::nanoseconds delay_of(const TransportOptions& options, int sender,
                                  std::uint64_t index) {
  const auto largest =
      std::chrono::duration_cast<std::chrono::nanoseconds>(options.largest_delay).count();
  if (largest <= 0) return {};
  const std::uint64_t draw =
      mix(mix(mix(options.delay_seed) ^ static_cast<std::uint64_t>(sender)) ^ index);
  return std::chrono::nanoseconds(draw % static_cast<std::uint64_t>(largest));
}

}  // namespace ringlab::detail
