// What each family costs is its closed form, and the published choices between them come out.
#include <cmath>

#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/schedule/query_ring.hpp"
#include "tests/catch.hpp"
#include "tests/reference/schedule/problems.hpp"

using namespace ringlab;

namespace {

constexpr ElementBytes kMixed{2, 4};  // bfloat16 inputs, float32 results

struct Costs {
  Index messages, bytes;  // sent by every rank alike
};

Costs costs(const std::string& name, const ScheduleProblem& problem, bool backward) {
  const CatalogEntry& entry = catalog_entry(name);
  const Ledger ledger =
      make_ledger(backward ? entry.backward(problem) : entry.forward(problem), Mask{}, kMixed);
  for (const RankLedger& rank : ledger.ranks) {
    CHECK(rank.messages_sent == ledger.ranks[0].messages_sent);
    CHECK(rank.bytes_sent == ledger.ranks[0].bytes_sent);
  }
  return {ledger.ranks[0].messages_sent, ledger.ranks[0].bytes_sent};
}

ScheduleProblem even_problem(int ranks, int heads, int kv_heads) {
  return test::plain_problem(LayoutKind::zigzag, Index{48} * ranks, ranks, heads, kv_heads, 16);
}

Index lse_bytes(Index n, int heads) {
  return n * heads * kMixed.accumulator;
}

}  // namespace

TEST_CASE("messages and bytes of every family are the closed forms") {
  const Index n = 48, d = 16, b = kMixed.input, a = kMixed.accumulator;
  for (const int ranks : {1, 2, 4, 8}) {
    for (const auto& [hq, hkv] : std::vector<std::pair<int, int>>{{8, 8}, {16, 8}, {32, 8}}) {
      INFO(ranks << " ranks, heads " << hq << "/" << hkv);
      const ScheduleProblem problem = even_problem(ranks, hq, hkv);
      const Index r = ranks, rest = ranks - 1, home = ranks == 1 ? 0 : ranks;
      const Index block = n * 2 * hkv * d, rows = n * hq * d, column = n * hq;
      const auto hold = [&](const char* name, bool backward, Index messages, Index bytes) {
        INFO(name << (backward ? " backward" : " forward"));
        const Costs found = costs(name, problem, backward);
        CHECK(found.messages == messages);
        CHECK(found.bytes == bytes);
      };
      hold("ring", false, rest, rest * block * b);
      hold("ring", true, rest + home, rest * block * b + home * block * a);
      hold("bidirectional_ring", false, 2 * rest, rest * block * b);
      hold("bidirectional_ring", true, 2 * (rest + home), rest * block * b + home * block * a);
      hold("double_ring", false, rest, rest * block * b);
      hold("query_ring", false, 2 * rest, rest * rows * b + rest * (rows + column) * a);
      hold("query_ring", true, 3 * rest + home,
           rest * (2 * rows * b + 2 * column * a) + home * rows * a);
      hold("all_gather", false, rest, rest * block * b);
      hold("all_gather", true, 2 * rest, rest * block * b + rest * block * a);
      hold("all_gather_heads", false, rest * hkv, rest * block * b);
      hold("all_gather_heads", true, 2 * rest * hkv, rest * block * b + rest * block * a);
      // There: queries, keys and values; back: O and lse. Each in parts of 1 / R.
      hold("ulysses", false, 3 * rest, rest * ((rows + block) * b + (rows + column) * a) / r);
      hold("ulysses", true, 6 * rest,
           rest * ((2 * rows + block) * b + 2 * column * a + (rows + block) * a) / r);
    }
  }
}

TEST_CASE("the mesh of Ulysses and rings, and the way back of the double ring") {
  const Index n = 48, d = 16, b = kMixed.input, a = kMixed.accumulator;
  for (const auto& [u, r] : std::vector<std::pair<int, int>>{{2, 2}, {2, 4}, {4, 2}, {4, 4}}) {
    for (const bool ulysses_first : {true, false}) {
      ScheduleProblem problem = even_problem(u * r, 8, 8);
      problem.degree = ulysses_first ? Degree{{"U", u}, {"R", r}} : Degree{{"R", r}, {"U", u}};
      INFO(to_text(problem.degree));
      const Index block = n * 2 * 8 * d, rows = n * 8 * d, column = n * 8;
      const Costs mesh = costs("ulysses_ring", problem, false);
      CHECK(mesh.messages == 3 * (u - 1) + (r - 1));
      CHECK(mesh.bytes ==
            (u - 1) * ((rows + block) * b + (rows + column) * a) / u + (r - 1) * block * b);
      if (!ulysses_first) continue;
      problem.degree = {{"I", u}, {"O", r}};
      const Costs back = costs("double_ring", problem, true);
      // Blocks as in a ring; gradients go round every inner ring, and once round the outer one.
      CHECK(back.messages == (u * r - 1) + r * u + r);
      CHECK(back.bytes == (u * r - 1) * block * b + (r * u + r) * block * a);
    }
  }
}

TEST_CASE("decoding over a sharded cache") {
  for (const int ranks : {1, 2, 3, 8}) {
    // One new token, owned by the last rank.
    ScheduleProblem problem = even_problem(ranks, 8, 2);
    for (std::size_t r = 0; r < problem.query_layout.size(); ++r) problem.query_layout[r] = {};
    problem.query_layout.back() = problem.key_layout.back().slice(0, 1);
    const Index rest = ranks - 1;
    const auto total = [&](const char* name) {
      Costs sum{0, 0};
      for (const RankLedger& rank :
           make_ledger(catalog_entry(name).forward(problem), Mask{}, kMixed).ranks) {
        sum.messages += rank.messages_sent;
        sum.bytes += rank.bytes_sent;
      }
      return sum;
    };
    const Index query = 8 * 16 * kMixed.input, result = 8 * 17 * kMixed.accumulator;
    CHECK(total("decode_tree").messages == 2 * rest);
    CHECK(total("decode_tree").bytes == rest * (query + result));
    CHECK(total("decode_ring").bytes == rest * query + (ranks == 1 ? 0 : ranks) * result);
  }
}

TEST_CASE("the ring sends less than Ulysses iff R < 1 + Hq / Hkv") {
  // In one precision and without the column of lse, which the published count leaves out.
  const ElementBytes same{2, 2};
  const auto ring = [&](const ScheduleProblem& p) {
    return make_ledger(catalog_entry("ring").forward(p), Mask{}, same).ranks[0].bytes_sent;
  };
  const auto ulysses = [&](const ScheduleProblem& p) {
    const Index column = Index{48} * p.query_heads * 2 * (p.ranks() - 1) / p.ranks();
    return make_ledger(catalog_entry("ulysses").forward(p), Mask{}, same).ranks[0].bytes_sent -
           column;
  };
  const ScheduleProblem plain_tie = even_problem(2, 8, 8);     // R = 2, Hq = Hkv
  const ScheduleProblem grouped_tie = even_problem(9, 72, 9);  // R = 9, 8 : 1
  CHECK(ring(plain_tie) == ulysses(plain_tie));
  CHECK(ring(grouped_tie) == ulysses(grouped_tie));
  for (const int ranks : {2, 3, 4, 6, 8, 12}) {
    for (const int group : {1, 2, 4, 8}) {
      const ScheduleProblem p = even_problem(ranks, 24 * group, 24);
      INFO(ranks << " ranks, group " << group);
      CHECK((ring(p) < ulysses(p)) == (ranks < 1 + group));
    }
  }
  CHECK(lse_bytes(1, 1) == 4);
}

TEST_CASE("which ring: the published decisions at 128000 tokens on four ranks") {
  // Llama-3 405B, 128 query and 8 key/value heads: queries travel at 2.5 % new tokens, blocks at 10
  // %.
  const auto travel = [](double new_tokens) {
    return queries_should_travel({.new_tokens = new_tokens,
                                  .cached_tokens = 128000 - new_tokens,
                                  .query_heads = 128,
                                  .kv_heads = 8,
                                  .ranks = 4});
  };
  CHECK(travel(3200));
  CHECK_FALSE(travel(12800));
  CHECK_FALSE(travel(38400));
  CHECK_FALSE(travel(128000));
  // The rule by bytes alone turns at 2 Hkv / Hq.
  const auto by_bytes = [](double share) {
    return queries_should_travel({.new_tokens = share,
                                  .cached_tokens = 1 - share,
                                  .query_heads = 128,
                                  .kv_heads = 8,
                                  .ranks = 4,
                                  .bytes_per_second = 0});
  };
  CHECK(by_bytes(0.125));
  CHECK_FALSE(by_bytes(0.1251));
}

TEST_CASE("auto builds the ring that the rule picks") {
  const auto picked = [](Index tokens, Index new_tokens) {
    const Positions all = whole_sequence(tokens);
    ScheduleProblem problem;
    problem.key_layout = make_layout(LayoutKind::striped, all, 4);
    problem.query_layout =
        make_layout(LayoutKind::striped, all.slice(tokens - new_tokens, new_tokens), 4);
    problem.query_heads = 128;
    problem.kv_heads = 8;
    problem.head_dim = 128;
    return catalog_entry("auto").forward(problem).name;
  };
  CHECK(picked(128000, 3200) == "query_ring");
  CHECK(picked(128000, 38400) == "ring");
  CHECK(picked(128000, 128000) == "ring");
}

TEST_CASE("replicated key/value heads are sent to every rank that reads them") {
  // Hq = 4, Hkv = 2 over four ranks: head h reads key/value head h / 2 (known mistake C7).
  const Schedule s = catalog_entry("ulysses").forward(even_problem(4, 4, 2));
  const Ledger ledger = make_ledger(s, Mask{});
  for (int r = 0; r < 4; ++r) {
    const TileWork& tile = ledger.ranks[static_cast<std::size_t>(r)].tiles[0];
    CHECK(tile.query.first_head == r);
    CHECK(tile.key_value.first_head == r / 2);
    CHECK(tile.key_value.heads == 1);
  }
}
