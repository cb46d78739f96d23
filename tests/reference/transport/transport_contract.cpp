#include "tests/reference/transport/transport_contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::contract {
namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;

void expect(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("broken promise: " + what);
}

// The message that `from` sends `to` at `hop`: no two messages look alike, and within one no word
// comes twice. Made by words, as the sanitizers make single bytes dear.
Bytes message(int from, int to, int hop, std::size_t size) {
  Bytes out(size);
  const std::uint64_t id = static_cast<std::uint64_t>((from * 64 + to) * 64 + hop + 1);
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t x = (id << 32) + i;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 29;
    std::memcpy(out.data() + i, &x, std::min<std::size_t>(8, size - i));
  }
  return out;
}

void expect_message(const Bytes& got, int from, int to, int hop) {
  const Bytes want = message(from, to, hop, got.size());
  if (got == want) return;
  const auto place = std::mismatch(got.begin(), got.end(), want.begin()).first - got.begin();
  expect(false, fmt::format("byte {} of {} from rank {} to rank {} at hop {} is right", place,
                            got.size(), from, to, hop));
}

Send send(int peer, const Bytes& bytes, std::string label = "kv") {
  return {peer, {std::span<const std::byte>(bytes)}, std::move(label)};
}
Receive receive(int peer, Bytes& bytes, std::string label = "kv") {
  return {peer, {std::span<std::byte>(bytes)}, std::move(label)};
}

int next(const Communicator& world) {
  return (world.rank() + 1) % world.size();
}
int previous(const Communicator& world) {
  return (world.rank() + world.size() - 1) % world.size();
}

void expect_timing(const MoveTiming& timing, std::int64_t posted) {
  // A sender may see the end a little before the receiver does, but never before the start.
  expect(timing.start_nanoseconds >= posted, "a move starts after it was posted");
  expect(timing.end_nanoseconds >= timing.start_nanoseconds, "a move ends after its start");
  expect(timing.end_nanoseconds <= now_nanoseconds(), "a move has ended when wait returns");
}

void ring(Communicator& world, std::size_t size, int hops) {
  if (world.size() == 1) return;
  for (int hop = 0; hop < hops; ++hop) {
    const Bytes out = message(world.rank(), next(world), hop, size);
    Bytes in(size);
    const std::int64_t posted = now_nanoseconds();
    const auto ticket = world.begin(hop, {send(next(world), out)}, {receive(previous(world), in)});
    const GroupTiming timing = world.wait(ticket);
    expect_message(in, previous(world), world.rank(), hop);
    expect(timing.sends.size() == 1 && timing.receives.size() == 1, "each move has its timing");
    expect_timing(timing.sends[0], posted);
    expect_timing(timing.receives[0], posted);
  }
}

void rings_of_odd_sizes(Communicator& world) {
  for (const std::size_t size : {0u, 1u, 3u, 4097u, 65537u}) ring(world, size, 3);
}

void ring_above_a_megabyte(Communicator& world) {
  ring(world, 1'500'007, 1);
}

// All hops are posted before the first wait, and the waits go backwards.
void many_groups_in_flight(Communicator& world) {
  if (world.size() == 1) return;
  constexpr int kHops = 24;
  std::vector<Bytes> out, in;
  std::vector<Communicator::Ticket> tickets;
  for (int hop = 0; hop < kHops; ++hop) {
    const std::size_t size = static_cast<std::size_t>(hop * 997 % 5000);
    out.push_back(message(world.rank(), next(world), hop, size));
    in.emplace_back(size);
  }
  for (int hop = 0; hop < kHops; ++hop) {
    const std::size_t h = static_cast<std::size_t>(hop);
    tickets.push_back(
        world.begin(hop, {send(next(world), out[h])}, {receive(previous(world), in[h])}));
  }
  for (int hop = kHops - 1; hop >= 0; --hop) world.wait(tickets[static_cast<std::size_t>(hop)]);
  for (int hop = 0; hop < kHops; ++hop) {
    expect_message(in[static_cast<std::size_t>(hop)], previous(world), world.rank(), hop);
  }
}

// Everybody to everybody, two messages per pair in one group: order within a pair holds.
void all_pairs(Communicator& world) {
  std::vector<Bytes> out, in;
  std::vector<Send> sends;
  std::vector<Receive> receives;
  const int ranks = world.size();
  out.reserve(static_cast<std::size_t>(2 * ranks));
  in.reserve(static_cast<std::size_t>(2 * ranks));
  const auto size = [&](int from, int to, int turn) {
    return static_cast<std::size_t>((from * 31 + to * 17 + turn * 1201) % 3001);
  };
  for (int turn = 0; turn < 2; ++turn) {
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer == world.rank()) continue;
      out.push_back(message(world.rank(), peer, turn, size(world.rank(), peer, turn)));
      in.emplace_back(size(peer, world.rank(), turn));
      sends.push_back(send(peer, out.back()));
      receives.push_back(receive(peer, in.back()));
    }
  }
  world.wait(world.begin(0, std::move(sends), std::move(receives)));
  std::size_t i = 0;
  for (int turn = 0; turn < 2; ++turn) {
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer != world.rank()) expect_message(in[i++], peer, world.rank(), turn);
    }
  }
}

// One message, cut at other places by the sender than by the receiver, with empty parts in both.
void parts_cut_differently(Communicator& world) {
  if (world.size() == 1) return;
  const std::size_t size = 10'007;
  const Bytes out = message(world.rank(), next(world), 5, size);
  Bytes in(size + 64, std::byte{0x5a});  // the receiver's parts leave holes
  const std::span<const std::byte> whole(out);
  const Send sending{
      next(world), {whole.first(1), {}, whole.subspan(1, 4999), whole.subspan(5000)}, "partial"};
  const std::span<std::byte> room(in);
  const Receive receiving{previous(world),
                          {{}, room.first(7), room.subspan(39, 9000), room.subspan(9071, 1000), {}},
                          "partial"};
  world.wait(world.begin(5, {sending}, {receiving}));
  Bytes joined;
  for (const auto& part : receiving.parts) {
    for (const std::byte byte : part) joined.push_back(byte);
  }
  expect_message(joined, previous(world), world.rank(), 5);
  for (std::size_t i = 0; i < 32; ++i) {
    expect(in[7 + i] == std::byte{0x5a} && in[9039 + i] == std::byte{0x5a},
           "what lies between the parts is left alone");
  }
}

void messages_without_bytes(Communicator& world) {
  if (world.size() == 1) return;
  const Send sending{next(world), {}, "empty"};
  const Receive receiving{previous(world), {}, "empty"};
  for (int hop = 0; hop < 4; ++hop) world.wait(world.begin(hop, {sending}, {receiving}));
  world.wait(world.begin(4, {}, {}));  // and a group without messages
}

// A chain in which each rank does something else: nobody may need symmetry.
void line_of_unequal_ranks(Communicator& world) {
  Bytes token(1000);
  if (world.rank() > 0) {
    world.wait(world.begin(world.rank(), {}, {receive(world.rank() - 1, token)}));
    expect_message(token, 0, 0, 9);
  } else {
    token = message(0, 0, 9, 1000);
  }
  if (world.rank() + 1 < world.size()) {
    world.wait(world.begin(world.rank() + 1, {send(world.rank() + 1, token)}, {}));
  }
}

void barriers(Communicator& world) {
  for (int i = 0; i < 5; ++i) world.barrier();
  ring(world, 10, 3);
  world.barrier();
}

// A rank that does not call the transport at all still sends: the move ends long before the wait.
void moves_while_the_rank_computes(Communicator& world) {
  if (world.size() == 1) return;
  const std::size_t size = 100'000;
  const Bytes out = message(world.rank(), next(world), 0, size);
  Bytes in(size);
  world.barrier();
  const auto ticket = world.begin(0, {send(next(world), out)}, {receive(previous(world), in)});
  std::this_thread::sleep_for(200ms);
  const std::int64_t before_wait = now_nanoseconds();
  const GroupTiming timing = world.wait(ticket);
  expect(timing.sends[0].end_nanoseconds < before_wait, "the send ended while its rank was away");
  expect(timing.receives[0].end_nanoseconds < before_wait,
         "the receive ended while its rank was away");
  expect_message(in, previous(world), world.rank(), 0);
}

// ---- faults ------------------------------------------------------------------------------------

void all_receive(Communicator& world) {
  Bytes in(8);
  world.wait(world.begin(2, {}, {receive(previous(world), in, "kv1")}));
}

void all_send_first(Communicator& world) {
  const Bytes out(8);
  Bytes in(8);
  world.wait(world.begin(1, {send(next(world), out, "kv0")}, {}));
  world.wait(world.begin(1, {}, {receive(previous(world), in, "kv0")}));
}

void wrong_size(Communicator& world) {
  const Bytes out(world.rank() == 0 ? 8 : 4);
  Bytes in(4);
  world.wait(
      world.begin(3, {send(next(world), out, "kv0")}, {receive(previous(world), in, "kv1")}));
  world.barrier();
}

// Rank 0 forgets to send and is busy with something else for longer than the others are patient.
void missing_send(Communicator& world) {
  if (world.rank() == 0) {
    std::this_thread::sleep_for(800ms);
  } else {
    Bytes in(8);
    world.wait(world.begin(3, {}, {receive(world.rank() - 1, in, "kv1")}));
  }
  world.barrier();
}

void one_aborts(Communicator& world) {
  if (world.rank() == 1) world.abort("out of cheese");
  Bytes in(8);
  world.wait(world.begin(0, {}, {receive(previous(world), in)}));
}

void one_skips_the_barrier(Communicator& world) {
  if (world.rank() == 0) std::this_thread::sleep_for(800ms);
  world.barrier();
}

}  // namespace

const std::vector<Case>& good_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> out;
    for (const std::uint64_t seed : {0u, 1u, 2u}) {
      TransportOptions options;
      options.delay_seed = seed;
      options.largest_delay = seed == 0 ? 0us : 3000us;
      out.insert(out.end(), {{"rings of odd sizes", 1, options, rings_of_odd_sizes},
                             {"many groups in flight", 1, options, many_groups_in_flight},
                             {"all pairs", 1, options, all_pairs},
                             {"parts cut differently", 1, options, parts_cut_differently},
                             {"messages without bytes", 1, options, messages_without_bytes},
                             {"line of unequal ranks", 1, options, line_of_unequal_ranks},
                             {"barriers", 1, options, barriers}});
    }
    out.push_back({"ring above a megabyte", 1, {}, ring_above_a_megabyte});
    out.push_back({"moves while the rank computes", 1, {}, moves_while_the_rank_computes});
    return out;
  }();
  return cases;
}

const std::vector<Fault>& faults() {
  static const std::vector<Fault> list = {
      {"all receive", 2, all_receive, {"deadlock: rank 0 waits for rank"}},
      {"all send first",
       2,
       all_send_first,
       {"deadlock: rank 0 waits for rank 1 at hop 1 (send kv0)"}},
      {"wrong size",
       2,
       wrong_size,
       {"rank 0 sends rank 1 8 bytes at hop 3 (send kv0), but rank 1 expects 4 bytes at hop 3 "
        "(receive kv1)"}},
      {"missing send", 2, missing_send, {"at hop 3 (receive kv1): nothing moved for 0.5 s"}},
      {"one aborts", 2, one_aborts, {"rank 1 ended the run: out of cheese"}},
      {"one skips the barrier",
       2,
       one_skips_the_barrier,
       {"waited for rank 0 at the barrier: nothing moved for 0.5 s"}},
  };
  return list;
}

TransportOptions fault_options() {
  TransportOptions options;
  options.timeout = 500ms;
  return options;
}

void expect_fault(const Fault& fault, Communicator& world) {
  const std::int64_t start = now_nanoseconds();
  std::string text;
  try {
    fault.body(world);
  } catch (const RunError& error) {
    text = error.what();
  }
  expect(!text.empty(), fmt::format("rank {} ends with an error", world.rank()));
  const bool known = std::any_of(fault.any_of.begin(), fault.any_of.end(), [&](const auto& part) {
    return text.find(part) != std::string::npos;
  });
  expect(known, "the error names its cause, but it says: " + text);
  expect(now_nanoseconds() - start < 5'000'000'000, "the error comes within 5 s");
}

}  // namespace ringlab::contract
