#include "ringlab/reference/schedule/all_gather.hpp"

#include <array>

namespace ringlab {
namespace {

constexpr auto kGather = CollectiveKind::all_gather;
constexpr auto kScatter = CollectiveKind::reduce_scatter;

// The contents and buffers of one group of heads: key/value heads `kv` and the query heads that
// read them.
class HeadGroup {
 public:
  HeadGroup(ProgramBuilder& program, HeadSlice kv, std::array<BufferId, 2> gathered, int index)
      : program_(program),
        kv_(kv),
        gathered_(gathered[static_cast<std::size_t>(index % 2)]),
        hop_(index) {
    const Schedule& s = program.schedule();
    const int group = s.query_heads / s.kv_heads;
    query_ = {kv.first * group, kv.count * group};
    suffix_ = kv.count == s.kv_heads ? "" : " " + std::to_string(index);
    own_ = buffer("kv", Quantity::key_value, kv_);
  }

  void begin_gather() {
    gather_ = program_.collective(hop_, kGather, ranks(), {0, own_, own(Quantity::key_value, kv_)},
                                  {0, gathered_, all(Quantity::key_value)});
  }

  // Returns the buffer of the partial result.
  BufferId attend(int hop) {
    const BufferId query = buffer("query", Quantity::query, query_);
    const BufferId partial = program_.buffer("partial" + suffix_);
    program_.wait(hop, gather_);
    program_.add(hop, Attend{query, gathered_, partial});
    return partial;
  }

  // Returns the buffers of dQ and of this rank's share of dK and dV.
  std::pair<BufferId, BufferId> attend_backward(int hop) {
    const BufferId query = buffer("query", Quantity::query, query_);
    const BufferId dout = buffer("dout", Quantity::output_gradient, query_);
    const BufferId statistics = buffer("statistics", Quantity::row_statistics, query_);
    const BufferId dq = program_.buffer("dq" + suffix_);
    const BufferId all_gradients = program_.buffer("dkv of all" + suffix_);
    const BufferId own_gradients = program_.buffer("dkv" + suffix_);
    program_.wait(hop, gather_);
    program_.add(hop, AttendBackward{query, dout, statistics, gathered_, dq, all_gradients});
    const int scattered = program_.collective(
        hop, kScatter, ranks(), {0, all_gradients, all(Quantity::key_value_gradient)},
        {0, own_gradients, own(Quantity::key_value_gradient, kv_)});
    program_.wait(hop, scattered);
    program_.add(hop, Release{all_gradients});
    return {dq, own_gradients};
  }

 private:
  std::vector<int> ranks() const { return all_ranks(program_.schedule().size()); }
  ContentId own(Quantity quantity, HeadSlice heads) {
    return shards(program_.schedule(), quantity, {program_.rank()}, heads);
  }
  ContentId all(Quantity quantity) { return shards(program_.schedule(), quantity, ranks(), kv_); }
  BufferId buffer(const char* name, Quantity quantity, HeadSlice heads) {
    return program_.buffer(name + suffix_, own(quantity, heads));
  }

  ProgramBuilder& program_;
  HeadSlice kv_, query_;
  BufferId gathered_, own_ = -1;
  std::string suffix_;
  int gather_ = -1, hop_;
};

Schedule build(const ScheduleProblem& problem, const char* name, bool backward, int groups) {
  Schedule schedule = empty_schedule(problem, name, backward, groups);
  const int heads = problem.kv_heads / groups;
  // The rank's own block, and one or two gathered slices of R blocks over the number of groups.
  const int in_flight = std::min(2, groups) * problem.ranks();
  schedule.key_value_blocks = 1 + (in_flight + groups - 1) / groups;
  for (int rank = problem.built_ranks().first; rank < problem.built_ranks().last; ++rank) {
    ProgramBuilder program(schedule, rank);
    std::array<BufferId, 2> gathered{};
    gathered[0] = program.buffer("gathered a");
    gathered[1] = groups > 1 ? program.buffer("gathered b") : gathered[0];
    std::vector<HeadGroup> parts;
    for (int g = 0; g < groups; ++g) {
      parts.emplace_back(program, HeadSlice{g * heads, heads}, gathered, g);
    }
    parts[0].begin_gather();
    for (int g = 0; g < groups; ++g) {
      if (g + 1 < groups) parts[static_cast<std::size_t>(g + 1)].begin_gather();
      HeadGroup& part = parts[static_cast<std::size_t>(g)];
      if (backward) {
        const auto [dq, dkv] = part.attend_backward(g);
        program.program().query_gradient.push_back(dq);
        program.program().key_value_gradient.push_back(dkv);
      } else {
        program.program().partial.push_back(part.attend(g));
      }
    }
  }
  return schedule;
}

}  // namespace

Schedule all_gather_forward(const ScheduleProblem& problem) {
  return build(problem, "all_gather", false, 1);
}
Schedule all_gather_backward(const ScheduleProblem& problem) {
  return build(problem, "all_gather", true, 1);
}
Schedule all_gather_heads_forward(const ScheduleProblem& problem) {
  return build(problem, "all_gather_heads", false, problem.kv_heads);
}
Schedule all_gather_heads_backward(const ScheduleProblem& problem) {
  return build(problem, "all_gather_heads", true, problem.kv_heads);
}

}  // namespace ringlab
