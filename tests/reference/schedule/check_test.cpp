// Planted faults: each a small change to a right schedule, each found under its right name.
#include "ringlab/reference/schedule/check.hpp"

#include <functional>

#include "ringlab/reference/schedule/ring.hpp"
#include "tests/catch.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

namespace {

Schedule forward() {
  return ring_forward(test::plain_problem(LayoutKind::zigzag, 32, 4, 4, 2));
}
Schedule backward() {
  return ring_backward(test::plain_problem(LayoutKind::zigzag, 32, 4, 4, 2));
}

std::vector<Step>& steps(Schedule& s, int rank) {
  return s.ranks[static_cast<std::size_t>(rank)].steps;
}

// The n-th step of a kind on a rank.
template <class Kind>
std::size_t find_step(Schedule& s, int rank, int n) {
  for (std::size_t i = 0; i < steps(s, rank).size(); ++i) {
    if (std::holds_alternative<Kind>(steps(s, rank)[i].action) && n-- == 0) return i;
  }
  throw std::logic_error("no such step");
}

template <class Kind>
Kind& step(Schedule& s, int rank, int n) {
  return std::get<Kind>(steps(s, rank)[find_step<Kind>(s, rank, n)].action);
}

template <class Kind>
void erase_step(Schedule& s, int rank, int n) {
  steps(s, rank).erase(steps(s, rank).begin() +
                       static_cast<std::ptrdiff_t>(find_step<Kind>(s, rank, n)));
}

template <class Kind>
void swap_with_next(Schedule& s, int rank, int n) {
  const std::size_t i = find_step<Kind>(s, rank, n);
  std::swap(steps(s, rank)[i], steps(s, rank)[i + 1]);
}

BufferId buffer(const Schedule& s, int rank, const std::string& wanted) {
  const auto& buffers = s.rank(rank).buffers;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (buffers[b].name == wanted) return static_cast<BufferId>(b);
  }
  throw std::logic_error("no buffer " + wanted);
}

struct Planted {
  const char* what;
  Fault expected;
  int rank, hop;
  const char* in_buffer;
  std::function<Schedule()> make;
};

Schedule changed(Schedule s, const std::function<void(Schedule&)>& change) {
  change(s);
  return s;
}

const std::vector<Planted> kPlanted = {
    {"a hop's attention is dropped", Fault::missed_tile, 2, -1, "partial",
     [] { return changed(forward(), [](Schedule& s) { erase_step<Attend>(s, 2, 1); }); }},
    {"a block is attended to twice", Fault::repeated_tile, 1, 2, "partial",
     [] {
       return changed(forward(), [](Schedule& s) {
         const Step again = steps(s, 1)[find_step<Attend>(s, 1, 2)];
         steps(s, 1).insert(
             steps(s, 1).begin() + static_cast<std::ptrdiff_t>(find_step<Attend>(s, 1, 2)), again);
       });
     }},
    {"the local block at every hop", Fault::repeated_tile, 0, 1, "partial",
     [] {
       return changed(forward(),
                      [](Schedule& s) { step<Attend>(s, 0, 1).key_value = buffer(s, 0, "kv"); });
     }},
    {"a send goes to the wrong neighbour", Fault::unmatched_send, 1, 1, "slot b",
     [] {
       return changed(forward(), [](Schedule& s) { step<Exchange>(s, 1, 1).sends[0].peer = 0; });
     }},
    {"a send is dropped", Fault::unmatched_receive, 3, 1, "slot a",
     [] { return changed(forward(), [](Schedule& s) { step<Exchange>(s, 2, 1).sends.clear(); }); }},
    {"a receive is dropped", Fault::unmatched_send, 1, 0, "kv",
     [] {
       return changed(forward(), [](Schedule& s) { step<Exchange>(s, 2, 0).receives.clear(); });
     }},
    {"a block is used before it arrived", Fault::read_before_arrival, 2, 1, "slot b",
     [] {
       return changed(forward(), [](Schedule& s) {
         // The wait of hop 0 moves behind the computation of hop 1.
         const std::size_t at = find_step<Wait>(s, 2, 0);
         const Step wait = steps(s, 2)[at];
         steps(s, 2).erase(steps(s, 2).begin() + static_cast<std::ptrdiff_t>(at));
         const std::size_t to = find_step<Attend>(s, 2, 1) + 1;
         steps(s, 2).insert(steps(s, 2).begin() + static_cast<std::ptrdiff_t>(to), wait);
       });
     }},
    {"a slot is received into while it is sent", Fault::overwritten_in_use, 0, 1, "slot b",
     [] {
       return changed(forward(), [](Schedule& s) {
         step<Exchange>(s, 0, 1).receives[0].buffer = buffer(s, 0, "slot b");
       });
     }},
    {"a slot is freed while it is sent", Fault::overwritten_in_use, 0, 1, "slot b",
     [] {
       return changed(forward(), [](Schedule& s) {
         const auto at =
             steps(s, 0).begin() + static_cast<std::ptrdiff_t>(find_step<Attend>(s, 0, 1));
         steps(s, 0).insert(at + 1, Step{1, Release{buffer(s, 0, "slot b")}});
       });
     }},
    {"everybody sends, then receives", Fault::deadlock, 0, 0, "kv",
     [] {
       return changed(forward(), [](Schedule& s) {
         for (int r = 0; r < 4; ++r) {
           const std::size_t at = find_step<Exchange>(s, r, 0);
           Exchange& first = std::get<Exchange>(steps(s, r)[at].action);
           const Exchange receive{100, {}, first.receives, 0};
           first.receives.clear();
           const int id = first.id;
           steps(s, r).insert(steps(s, r).begin() + static_cast<std::ptrdiff_t>(at) + 1,
                              {Step{0, Wait{id}}, Step{0, receive}});
           step<Wait>(s, r, 1).id = 100;
         }
       });
     }},
    {"an exchange is never waited for", Fault::never_waited, 3, 3, "",
     [] {
       return changed(backward(), [](Schedule& s) {
         erase_step<Release>(s, 3, 6);
         erase_step<Wait>(s, 3, 6);
       });
     }},
    {"the wrong block is announced", Fault::wrong_content, 2, 0, "kv",
     [] {
       return changed(forward(), [](Schedule& s) {
         step<Exchange>(s, 2, 0).sends[0].content = step<Exchange>(s, 2, 1).sends[0].content;
       });
     }},
    {"another block is expected than comes", Fault::wrong_content, 1, 0, "slot b",
     [] {
       return changed(forward(), [](Schedule& s) {
         step<Exchange>(s, 1, 0).receives[0].content = step<Exchange>(s, 1, 1).receives[0].content;
       });
     }},
    {"all blocks are kept", Fault::too_many_blocks, 0, 2, "",
     [] {
       return changed(forward(), [](Schedule& s) {
         s.ranks[0].buffers.push_back({"slot c", kNothing});
         const BufferId c = static_cast<BufferId>(s.ranks[0].buffers.size()) - 1;
         step<Exchange>(s, 0, 2).receives[0].buffer = c;
         step<Attend>(s, 0, 3).key_value = c;
       });
     }},
    {"the last move of the gradients is missing", Fault::not_home, 0, -1, "dkv travelling",
     [] {
       return changed(backward(), [](Schedule& s) {
         for (int r = 0; r < 4; ++r) {
           erase_step<Wait>(s, r, 6);
           erase_step<Exchange>(s, r, 6);
         }
       });
     }},
    {"the last hop's gradient is lost", Fault::missed_tile, 2, -1, "dkv travelling",
     [] { return changed(backward(), [](Schedule& s) { erase_step<Accumulate>(s, 1, 2); }); }},
    {"a gradient is not set back to zero", Fault::wrong_content, 1, 2, "dkv a",
     [] { return changed(backward(), [](Schedule& s) { erase_step<Release>(s, 1, 1); }); }},
    {"a gradient is computed into while it is sent", Fault::overwritten_in_use, 0, 1, "dkv a",
     [] {
       return changed(backward(), [](Schedule& s) {
         step<AttendBackward>(s, 0, 1).key_value_gradient = buffer(s, 0, "dkv a");
       });
     }},
    {"keys and queries are exchanged", Fault::wrong_quantity, 0, 0, "kv",
     [] {
       return changed(forward(), [](Schedule& s) {
         std::swap(step<Attend>(s, 0, 0).query, step<Attend>(s, 0, 0).key_value);
       });
     }},
    {"a buffer that holds nothing is read", Fault::empty_buffer, 0, 0, "slot a",
     [] {
       return changed(forward(), [](Schedule& s) {
         step<Attend>(s, 0, 0).key_value = buffer(s, 0, "slot a");
       });
     }},
    {"a peer outside the group", Fault::bad_reference, 3, 0, "",
     [] {
       return changed(forward(), [](Schedule& s) { step<Exchange>(s, 3, 0).sends[0].peer = 4; });
     }},
    {"a rank sends to itself", Fault::bad_reference, 3, 0, "",
     [] {
       return changed(forward(), [](Schedule& s) { step<Exchange>(s, 3, 0).sends[0].peer = 3; });
     }},
    {"the ring turns the other way on one rank", Fault::unmatched_receive, 1, 0, "slot b",
     [] {
       return changed(forward(), [](Schedule& s) {
         for (int n = 0; n < 3; ++n) {
           step<Exchange>(s, 0, n).sends[0].peer = 3;
           step<Exchange>(s, 0, n).receives[0].peer = 1;
         }
       });
     }},
};

}  // namespace

TEST_CASE("each planted fault is found under its name, with rank, hop and buffer") {
  for (const Planted& planted : kPlanted) {
    INFO(planted.what);
    const std::vector<Finding> findings = check(planted.make(), test::causal_mask());
    REQUIRE(!findings.empty());
    const Finding& first = findings.front();
    INFO(first.text);
    CHECK(std::string(name(first.fault)) == name(planted.expected));
    CHECK(first.rank == planted.rank);
    CHECK(first.hop == planted.hop);
    CHECK(first.buffer == planted.in_buffer);
    CHECK(first.text.find("rank " + std::to_string(planted.rank)) == 0);
  }
}

TEST_CASE("a deadlock names everybody in the circle") {
  for (const Planted& planted : kPlanted) {
    if (planted.expected != Fault::deadlock) continue;
    const std::vector<Finding> findings = check(planted.make(), test::causal_mask());
    REQUIRE(!findings.empty());
    CHECK(
        findings.front().text ==
        "rank 0, hop 0, buffer 'kv': deadlock: rank 0 waits for rank 1 at hop 0 (send kv0, buffer "
        "'kv'); rank 1 waits for rank 2 at hop 0 (send kv1, buffer 'kv'); rank 2 waits for rank 3 "
        "at "
        "hop 0 (send kv2, buffer 'kv'); rank 3 waits for rank 0 at hop 0 (send kv3, buffer 'kv')");
  }
}

TEST_CASE("a missed tile counts only where something is visible") {
  // A contiguous causal ring may leave out its empty tiles.
  Schedule s = ring_forward(test::plain_problem(LayoutKind::contiguous, 32, 4));
  erase_step<Attend>(s, 0, 1);
  CHECK(check(s, test::causal_mask()).empty());
  const std::vector<Finding> findings = check(s, Mask{});
  REQUIRE(!findings.empty());
  CHECK(findings.front().fault == Fault::missed_tile);
}
