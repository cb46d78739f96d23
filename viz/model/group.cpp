// Which ranks stand together in the picture: those of one node where the cluster is known, else
// read from the traffic: a collective's group that is not everybody, else the ranks that channel 0
// connects (an outer ring runs on a channel of its own).
#include <numeric>

#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz::detail {
namespace {

class Union {
 public:
  explicit Union(int ranks) : parent_(static_cast<std::size_t>(ranks)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int rank) {
    int& parent = parent_[static_cast<std::size_t>(rank)];
    return parent == rank ? rank : parent = root(parent);
  }
  void join(int a, int b) {
    const int low = std::min(root(a), root(b)), high = std::max(root(a), root(b));
    parent_[static_cast<std::size_t>(high)] = low;
  }
  // The nodes if they are neighbours and more than one, of more than one rank each; else nothing.
  std::vector<int> nodes() {
    std::vector<int> node(parent_.size(), 0), sizes;
    for (int r = 0; r < static_cast<int>(parent_.size()); ++r) {
      if (root(r) == r) sizes.push_back(0);
      if (r > 0 && root(r) != r && root(r) != root(r - 1)) return {};
      node[static_cast<std::size_t>(r)] = static_cast<int>(sizes.size()) - 1;
      ++sizes.back();
    }
    for (const int size : sizes) {
      if (size < 2 || sizes.size() < 2) return {};
    }
    return node;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace

void group_ranks(Story& story) {
  const int ranks = story.size();
  std::vector<int> nodes = std::move(story.node_of_rank);
  if (!nodes.empty()) {
    // As the cluster has it.
  } else if (story.options.node_size > 0) {
    for (int r = 0; r < ranks; ++r) nodes.push_back(r / story.options.node_size);
  } else {
    Union by_group(ranks), by_channel(ranks);
    for (int r = 0; r < ranks; ++r) {
      for (const Step& step : story.schedule.rank(r).steps) {
        if (const auto* collective = std::get_if<Collective>(&step.action)) {
          for (const int member : collective->group) by_group.join(r, member);
        } else if (const auto* exchange = std::get_if<Exchange>(&step.action)) {
          if (exchange->channel != 0) continue;
          for (const Move& move : exchange->sends) by_channel.join(r, move.peer);
        }
      }
    }
    nodes = by_group.nodes();
    if (nodes.empty()) nodes = by_channel.nodes();
  }
  if (nodes.empty()) nodes.assign(static_cast<std::size_t>(ranks), 0);
  story.nodes = ranks > 0 ? nodes.back() + 1 : 1;
  story.node_of_rank = std::move(nodes);
}

}  // namespace ringlab::viz::detail
