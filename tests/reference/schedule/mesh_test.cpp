#include "ringlab/reference/schedule/mesh.hpp"

#include <set>

#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

TEST_CASE("the groups of an axis are a partition, and two axes meet in one rank") {
  for (const auto& [u, r] : std::vector<std::pair<int, int>>{
           {1, 1}, {2, 2}, {2, 4}, {4, 2}, {4, 4}, {1, 8}, {8, 1}, {3, 5}}) {
    for (const bool ulysses_first : {true, false}) {
      const Degree degree = ulysses_first ? Degree{{"U", u}, {"R", r}} : Degree{{"R", r}, {"U", u}};
      const Mesh mesh(degree, {"U", "R"}, u * r);
      INFO(to_text(degree));
      for (const char* axis : {"U", "R"}) {
        std::set<std::vector<int>> groups;
        std::multiset<int> members;
        for (int rank = 0; rank < u * r; ++rank) {
          const std::vector<int> group = mesh.group(axis, rank);
          REQUIRE(group[static_cast<std::size_t>(mesh.at(axis, rank))] == rank);
          if (groups.insert(group).second) members.insert(group.begin(), group.end());
        }
        const std::vector<int> all = all_ranks(u * r);
        REQUIRE(members == std::multiset<int>(all.begin(), all.end()));
      }
      for (int a = 0; a < u * r; ++a) {
        const std::vector<int> us = mesh.group("U", a), rs = mesh.group("R", a);
        std::vector<int> common;
        for (const int rank : us) {
          if (std::find(rs.begin(), rs.end(), rank) != rs.end()) common.push_back(rank);
        }
        REQUIRE(common == std::vector<int>{a});
      }
    }
  }
}

TEST_CASE("the first axis is the innermost") {
  const Mesh mesh({{"U", 2}, {"R", 4}}, {"U", "R"}, 8);
  CHECK(mesh.group("U", 5) == std::vector<int>{4, 5});
  CHECK(mesh.group("R", 5) == std::vector<int>{1, 3, 5, 7});
  // World 4, rings {0, 2} and {1, 3}: the neighbour of 2 is 0 (known mistake C8).
  const Mesh strided({{"U", 2}, {"R", 2}}, {"U", "R"}, 4);
  CHECK(RingSeat(strided.group("R", 2), 2, Rotation::next).to() == 0);
}

TEST_CASE("a ring visits every block once, whichever way it turns") {
  for (int ranks = 1; ranks <= 9; ++ranks) {
    for (const Rotation rotation : {Rotation::next, Rotation::previous}) {
      for (int rank = 0; rank < ranks; ++rank) {
        const RingSeat seat(all_ranks(ranks), rank, rotation);
        std::set<int> origins;
        for (int hop = 0; hop < ranks; ++hop) origins.insert(seat.origin(hop));
        REQUIRE(static_cast<int>(origins.size()) == ranks);
        REQUIRE(seat.origin(0) == rank);
        REQUIRE(seat.origin(1) == seat.from());
        REQUIRE(RingSeat(all_ranks(ranks), seat.to(), rotation).from() == rank);
      }
    }
  }
}

TEST_CASE("every union of rings visits all blocks once") {
  // Double ring of 2 x 4: in turn t and hop h the block of one rank is here; all eight come by.
  const Mesh mesh({{"I", 4}, {"O", 2}}, {"I", "O"}, 8);
  for (int rank = 0; rank < 8; ++rank) {
    std::set<int> seen;
    const RingSeat outer(mesh.group("O", rank), rank, Rotation::next);
    for (int turn = 0; turn < 2; ++turn) {
      for (const int owner : mesh.group("I", outer.origin(turn))) seen.insert(owner);
    }
    CHECK(seen.size() == 8);
  }
}

TEST_CASE("degrees are read back as written, and what does not fit is refused") {
  CHECK(to_text(degree_from("U=2,R=4")) == "U=2,R=4");
  CHECK(degree_from("").empty());
  for (const char* wrong : {"U", "U=", "=2", "U=x", "U=-2", "U=2,,R=4", "U=2;R=4", "U=99999999"}) {
    INFO(wrong);
    CHECK_THROWS_AS(degree_from(wrong), InputError);
  }
  for (const char* wrong : {"U=2", "U=2,R=3", "U=2,X=4", "U=8,U=1", "U=0,R=8", "U=2,R=4,I=1"}) {
    INFO(wrong);
    CHECK_THROWS_AS(Mesh(degree_from(wrong), {"U", "R"}, 8), InputError);
  }
}
