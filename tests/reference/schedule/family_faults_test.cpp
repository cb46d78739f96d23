// Faults planted into collectives, meshes and decoding, each found under its right name.
#include <functional>

#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/check.hpp"
#include "tests/catch.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

namespace {

using Change = std::function<void(Schedule&)>;

Schedule built(const char* name, bool backward, const Degree& degree = {}, int ranks = 4) {
  ScheduleProblem problem =
      test::plain_problem(LayoutKind::zigzag, Index{8} * ranks, ranks, 8, 2, 4);
  problem.degree = degree;
  const CatalogEntry& entry = catalog_entry(name);
  return backward ? entry.backward(problem) : entry.forward(problem);
}

template <class Kind>
std::vector<std::size_t> steps_of(const Schedule& s, int rank) {
  std::vector<std::size_t> found;
  const auto& steps = s.rank(rank).steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (std::holds_alternative<Kind>(steps[i].action)) found.push_back(i);
  }
  return found;
}

template <class Kind>
Kind& step(Schedule& s, int rank, std::size_t n) {
  return std::get<Kind>(
      s.ranks[static_cast<std::size_t>(rank)].steps[steps_of<Kind>(s, rank).at(n)].action);
}

template <class Kind>
void erase(Schedule& s, int rank, std::size_t n) {
  auto& steps = s.ranks[static_cast<std::size_t>(rank)].steps;
  steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(steps_of<Kind>(s, rank).at(n)));
}

ContentId content(Schedule& s, const Content& wanted) {
  s.contents.push_back(wanted);
  return static_cast<ContentId>(s.contents.size()) - 1;
}

struct Planted {
  const char* what;
  Fault expected;
  std::function<Schedule()> make;
};

Schedule changed(Schedule s, const Change& change) {
  change(s);
  return s;
}

const std::vector<Planted> kPlanted = {
    {"a group with the wrong stride", Fault::group_mismatch,
     [] {
       return changed(built("ulysses_ring", false, {{"U", 2}, {"R", 2}}), [](Schedule& s) {
         step<Collective>(s, 1, 0).group = {1, 3};
       });
     }},
    {"a member that is missing from the collective", Fault::group_mismatch,
     [] {
       return changed(built("all_gather", false), [](Schedule& s) {
         erase<Collective>(s, 2, 0);
         erase<Wait>(s, 2, 0);
       });
     }},
    {"a rank outside its own group", Fault::bad_reference,
     [] {
       return changed(built("all_gather", false), [](Schedule& s) {
         step<Collective>(s, 0, 0).group = {1, 2, 3};
       });
     }},
    {"an all-to-all whose rows come in another order than dO", Fault::wrong_content,
     [] {
       return changed(built("ulysses", true), [](Schedule& s) {
         Collective& dout = step<Collective>(s, 0, 1);
         Content turned = s.content(dout.receives);
         std::swap(turned.pieces[0], turned.pieces[1]);
         dout.receives = content(s, turned);
       });
     }},
    {"replicated keys are gathered twice", Fault::wrong_content,
     [] {
       return changed(built("all_gather", false), [](Schedule& s) {
         // Rank 1 brings rank 0's block too.
         Content both = s.content(step<Collective>(s, 1, 0).sends);
         both.pieces.insert(both.pieces.begin(), {0, 0, 8});
         step<Collective>(s, 1, 0).sends = content(s, both);
       });
     }},
    {"a gather that leaves a shard out", Fault::wrong_content,
     [] {
       return changed(built("all_gather", false), [](Schedule& s) {
         Content half = s.content(step<Collective>(s, 3, 0).sends);
         half.pieces[0].count = 4;
         step<Collective>(s, 3, 0).sends = content(s, half);
       });
     }},
    {"a key/value head read by modulo instead of division", Fault::wrong_content,
     [] {
       return changed(built("ulysses", false), [](Schedule& s) {
         Content wrong = s.content(step<Collective>(s, 1, 1).receives);
         wrong.first_head = 1;  // 1 % 2, where 1 / 2 is right
         step<Collective>(s, 1, 1).receives = content(s, wrong);
       });
     }},
    {"collectives in another order on one rank", Fault::deadlock,
     [] {
       return changed(built("ulysses", false), [](Schedule& s) {
         const auto at = steps_of<Collective>(s, 2);
         auto& steps = s.ranks[2].steps;
         std::swap(steps[at[0]], steps[at[1]]);
       });
     }},
    {"gathered keys read before they are all here", Fault::read_before_arrival,
     [] {
       return changed(built("all_gather", false), [](Schedule& s) {
         auto& steps = s.ranks[1].steps;
         const std::size_t wait = steps_of<Wait>(s, 1)[0];
         std::swap(steps[wait], steps[wait + 1]);
       });
     }},
    {"a share of dK and dV is left out of the reduce-scatter", Fault::wrong_content,
     [] {
       return changed(built("all_gather", true), [](Schedule& s) {
         Collective& scatter = step<Collective>(s, 2, 1);
         Content kept = s.content(scatter.sends);
         kept.pieces.erase(kept.pieces.begin());
         scatter.sends = content(s, kept);
       });
     }},
    {"one rank's tile is left out of the sum of dK and dV", Fault::missed_tile,
     [] {
       return changed(built("ulysses_ring", true, {{"U", 2}, {"R", 2}}),
                      [](Schedule& s) { erase<Accumulate>(s, 2, 0); });
     }},
    {"the outer block is overwritten during the inner turn", Fault::overwritten_in_use,
     [] {
       return changed(built("double_ring", false, {{"I", 2}, {"O", 2}}), [](Schedule& s) {
         // The inner ring receives into the buffer that the outer ring is filling.
         Exchange& outer = step<Exchange>(s, 0, 0);
         Exchange& inner = step<Exchange>(s, 0, 1);
         inner.receives[0].buffer = outer.receives[0].buffer;
       });
     }},
    {"a partial result is merged twice", Fault::repeated_tile,
     [] {
       return changed(built("query_ring", false), [](Schedule& s) {
         auto& steps = s.ranks[3].steps;
         const std::size_t at = steps_of<Merge>(s, 3)[0];
         const Step again = steps[at];
         steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), again);
       });
     }},
    {"a partial result is never merged", Fault::missed_tile,
     [] {
       return changed(built("query_ring", false), [](Schedule& s) { erase<Merge>(s, 3, 1); });
     }},
    {"a result comes home to the wrong rank", Fault::wrong_content,
     [] {
       return changed(built("query_ring", false), [](Schedule& s) {
         Exchange& closing = step<Exchange>(s, 0, 3);
         std::swap(closing.sends[0].peer, closing.sends[1].peer);
       });
     }},
    {"a leaf of the decoding tree answers to nobody", Fault::unmatched_receive,
     [] {
       return changed(built("decode_tree", false), [](Schedule& s) {
         for (const std::size_t at : steps_of<Exchange>(s, 3)) {
           Exchange& e = std::get<Exchange>(s.ranks[3].steps[at].action);
           if (!e.sends.empty() && e.receives.empty()) {
             e.sends.clear();
             return;
           }
         }
       });
     }},
    {"half a ring turns the other way", Fault::unmatched_receive,
     [] {
       return changed(built("bidirectional_ring", false), [](Schedule& s) {
         for (std::size_t n = 0; n < 6; n += 2) {
           Exchange& e = step<Exchange>(s, 0, n);
           std::swap(e.sends[0].peer, e.receives[0].peer);
         }
       });
     }},
};

}  // namespace

TEST_CASE("each fault planted into the families is found under its name") {
  for (const Planted& planted : kPlanted) {
    INFO(planted.what);
    const std::vector<Finding> findings = check(planted.make(), test::causal_mask());
    REQUIRE(!findings.empty());
    INFO(findings.front().text);
    CHECK(std::string(name(findings.front().fault)) == name(planted.expected));
  }
}
