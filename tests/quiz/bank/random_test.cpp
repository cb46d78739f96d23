// The generator against the published reference sequence, and its uses against counting.
#include <algorithm>
#include <array>

#include "ringlab/quiz/bank/random.hpp"
#include "tests/catch.hpp"

namespace {

using ringlab::quiz::Random;

TEST_CASE("SplitMix64 gives its published sequence") {
  // Seed 1234567, as in the reference code by Sebastiano Vigna (prng.di.unimi.it/splitmix64.c).
  Random random(1234567);
  for (const std::uint64_t word : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                   4593380528125082431u, 16408922859458223821u}) {
    CHECK(random.next() == word);
  }
}

TEST_CASE("below, between and shuffle draw evenly and within bounds") {
  Random random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  // Six standard deviations of a binomial count are 6 * sqrt(70000 / 7 * 6 / 7) = 556.
  for (const int count : counts) CHECK(std::abs(count - 10000) < 556);
  for (int i = 0; i < 1000; ++i) {
    const auto value = random.between(-3, 3);
    CHECK((value >= -3 && value <= 3));
  }
  std::array<int, 6> orders{};
  for (int i = 0; i < 60000; ++i) {
    std::vector<int> list = {0, 1, 2};
    random.shuffle(list);
    ++orders[static_cast<std::size_t>(list[0] * 2 + (list[1] > list[2]))];
  }
  for (const int count : orders) CHECK(std::abs(count - 10000) < 556);
}

}  // namespace
