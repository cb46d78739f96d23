#include "ringlab/reference/sequence/positions.hpp"

#include <random>

#include "tests/catch.hpp"

using namespace ringlab;

TEST_CASE("runs are joined where they continue each other") {
  CHECK(Positions({{0, 1, 4, 0}, {4, 1, 4, 0}}).runs() == std::vector<Run>{{0, 1, 8, 0}});
  CHECK(Positions({{1, 4, 2, 0}, {9, 4, 2, 0}}).runs() == std::vector<Run>{{1, 4, 4, 0}});
  CHECK(Positions({{0, 1, 0, 0}}).empty());
  // A document boundary is never joined over.
  CHECK(Positions({{0, 1, 4, 0}, {4, 1, 4, 1}}).runs().size() == 2);
}

TEST_CASE("places given one by one come back, in any order") {
  std::mt19937 engine(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Place> places;
    Index position = 0;
    for (int i = 0; i < 40; ++i) {
      position += 1 + static_cast<Index>(engine() % 3);
      places.push_back({position, static_cast<std::int32_t>(i / 13)});
    }
    if (round % 2) std::shuffle(places.begin(), places.end(), engine);
    const Positions found = Positions::from_places(places);
    REQUIRE(found.expand() == places);
    for (Index i = 0; i < found.size(); ++i) {
      REQUIRE(found.at(i) == places[static_cast<std::size_t>(i)]);
    }
    const Index cut = static_cast<Index>(engine() % 41);
    REQUIRE(found.slice(0, cut).joined(found.slice(cut, 40 - cut)) == found);
  }
}

TEST_CASE("an index outside the shard breaks an invariant") {
  const Positions p = Positions::contiguous(0, 4);
  CHECK_THROWS_AS(p.at(4), InvariantError);
  CHECK_THROWS_AS(p.slice(2, 3), InvariantError);
}
