#include "ringlab/cuda/transport/ring_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {
namespace {

constexpr int kMostExact = 12;  // 2^12 * 12^2 steps

int at(const DistanceMatrix& d, int a, int b) {
  return d[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

void check_matrix(const DistanceMatrix& d) {
  const int n = static_cast<int>(d.size());
  for (int a = 0; a < n; ++a) {
    if (static_cast<int>(d[static_cast<std::size_t>(a)].size()) != n) {
      throw InputError("distances", fmt::format("row {}", a), "give a square matrix");
    }
  }
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < a; ++b) {
      if (at(d, a, b) != at(d, b, a)) {
        throw InputError("distances", fmt::format("{} to {}", a, b), "give a symmetric matrix");
      }
    }
  }
}

// The cost of a path with one more link.
RingCost with(RingCost cost, int link) {
  return {std::max(cost.longest, link), cost.sum + link};
}

// Held and Karp: the shortest ring whose links are all at most `longest_allowed`, from the best
// path from 0 through each set of GPUs to each of them; empty if there is none. The longest link
// cannot be minimised along with the sum (a path that is worse by one may end better by the other),
// so the caller tries its lengths in turn.
std::vector<int> exact(const DistanceMatrix& d, int longest_allowed) {
  const int n = static_cast<int>(d.size());
  const std::size_t sets = std::size_t{1} << n;
  constexpr long long kNone = -1;
  std::vector<std::vector<long long>> best(
      sets, std::vector<long long>(static_cast<std::size_t>(n), kNone));
  std::vector<std::vector<int>> before(sets, std::vector<int>(static_cast<std::size_t>(n), -1));
  best[1][0] = 0;
  for (std::size_t set = 1; set < sets; set += 2) {
    for (int last = 0; last < n; ++last) {
      const long long cost = best[set][static_cast<std::size_t>(last)];
      if (cost == kNone) continue;
      for (int next = 1; next < n; ++next) {
        const std::size_t bit = std::size_t{1} << next;
        if ((set & bit) || at(d, last, next) > longest_allowed) continue;
        long long& there = best[set | bit][static_cast<std::size_t>(next)];
        if (there != kNone && there <= cost + at(d, last, next)) continue;
        there = cost + at(d, last, next);
        before[set | bit][static_cast<std::size_t>(next)] = last;
      }
    }
  }
  int end = -1;
  long long least = 0;
  for (int last = 1; last < n; ++last) {
    const long long cost = best[sets - 1][static_cast<std::size_t>(last)];
    if (cost == kNone || at(d, last, 0) > longest_allowed) continue;
    if (end < 0 || cost + at(d, last, 0) < least) {
      end = last;
      least = cost + at(d, last, 0);
    }
  }
  std::vector<int> order;
  std::size_t set = sets - 1;
  while (end >= 0) {
    order.push_back(end);
    const int previous = before[set][static_cast<std::size_t>(end)];
    set &= ~(std::size_t{1} << end);
    end = previous;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> nearest_neighbours(const DistanceMatrix& d) {
  const int n = static_cast<int>(d.size());
  std::vector<int> order = {0}, left;
  for (int g = 1; g < n; ++g) left.push_back(g);
  while (!left.empty()) {
    const auto next = std::min_element(left.begin(), left.end(), [&](int a, int b) {
      return at(d, order.back(), a) < at(d, order.back(), b);
    });
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

// Reverses stretches of the ring while that helps (2-opt).
void improve(const DistanceMatrix& d, std::vector<int>& order) {
  for (bool better = true; better;) {
    better = false;
    for (auto first = order.begin() + 1; first != order.end(); ++first) {
      for (auto last = first + 1; last != order.end(); ++last) {
        const RingCost before = ring_cost(d, order);
        std::reverse(first, last + 1);
        if (ring_cost(d, order) < before) {
          better = true;
        } else {
          std::reverse(first, last + 1);
        }
      }
    }
  }
}

}  // namespace

RingCost ring_cost(const DistanceMatrix& distances, const std::vector<int>& order) {
  RingCost cost;
  for (std::size_t i = 0; order.size() > 1 && i < order.size(); ++i) {
    cost = with(cost, at(distances, order[i], order[(i + 1) % order.size()]));
  }
  return cost;
}

std::vector<int> ring_order(const DistanceMatrix& distances) {
  check_matrix(distances);
  const int n = static_cast<int>(distances.size());
  std::vector<int> as_numbered(static_cast<std::size_t>(n));
  std::iota(as_numbered.begin(), as_numbered.end(), 0);
  if (n < 4) return as_numbered;  // there is but one ring

  std::vector<int> order;
  if (n <= kMostExact) {
    std::vector<int> links;
    for (const auto& row : distances) links.insert(links.end(), row.begin(), row.end());
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const int longest : links) {
      order = exact(distances, longest);
      if (!order.empty()) break;
    }
  } else {
    order = nearest_neighbours(distances);
    improve(distances, order);
  }
  return ring_cost(distances, order) < ring_cost(distances, as_numbered) ? order : as_numbered;
}

std::vector<int> parse_gpu_order(const std::string& text, int gpus) {
  std::vector<int> order;
  std::string number;
  const auto refuse = [&] {
    throw InputError("gpu_order", fmt::format("'{}'", text),
                     fmt::format("name each of the GPUs 0 to {} once, like 0,2,1,3", gpus - 1));
  };
  for (const char c : text + ",") {
    if (c != ',') {
      if (c < '0' || c > '9' || number.size() > 3) refuse();
      number += c;
      continue;
    }
    if (number.empty()) refuse();
    order.push_back(std::stoi(number));
    number.clear();
  }
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int g = 0; g < gpus; ++g) {
    if (static_cast<int>(sorted.size()) != gpus || sorted[static_cast<std::size_t>(g)] != g) {
      refuse();
    }
  }
  return order;
}

}  // namespace ringlab::cuda
