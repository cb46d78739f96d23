#include "ringlab/reference/schedule/check_state.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace ringlab::detail {
namespace {

class References {
 public:
  References(const Schedule& schedule, int rank, std::vector<Finding>& findings)
      : schedule_(schedule), program_(schedule.rank(rank)), rank_(rank), findings_(findings) {}

  void check() {
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.initially != kNothing) content(buffer.initially, 0);
    }
    for (const Step& step : program_.steps) {
      need(step.hop >= 0 && step.hop < schedule_.hops, step.hop,
           fmt::format("the schedule has hops 0 to {}", schedule_.hops - 1));
      std::visit([&](const auto& action) { check(step.hop, action); }, step.action);
    }
  }

 private:
  void need(bool holds, int hop, const std::string& what) {
    if (!holds) findings_.push_back(make_finding(Fault::bad_reference, rank_, hop, "", what));
  }
  void buffer(BufferId id, int hop) {
    need(id >= 0 && id < static_cast<int>(program_.buffers.size()), hop,
         fmt::format("buffer {} does not exist", id));
  }
  void content(ContentId id, int hop) {
    need(id >= 0 && id < static_cast<int>(schedule_.contents.size()), hop,
         fmt::format("content {} does not exist", id));
  }
  void moves(const std::vector<Move>& moves, int hop) {
    for (const Move& move : moves) {
      buffer(move.buffer, hop);
      content(move.content, hop);
      need(move.peer >= 0 && move.peer < schedule_.size() && move.peer != rank_, hop,
           fmt::format("peer {} is not another rank of {}", move.peer, schedule_.size()));
    }
  }

  void check(int hop, const Attend& a) {
    for (const BufferId id : {a.query, a.key_value, a.partial}) buffer(id, hop);
  }
  void check(int hop, const AttendBackward& a) {
    for (const BufferId id : {a.query, a.output_gradient, a.row_statistics, a.key_value,
                              a.query_gradient, a.key_value_gradient}) {
      buffer(id, hop);
    }
  }
  void check(int hop, const Exchange& e) {
    moves(e.sends, hop);
    moves(e.receives, hop);
    need(begun_.insert(e.id).second, hop, fmt::format("exchange {} is begun twice", e.id));
  }
  void check(int hop, const Collective& c) {
    buffer(c.in, hop);
    buffer(c.out, hop);
    content(c.sends, hop);
    content(c.receives, hop);
    const std::set<int> members(c.group.begin(), c.group.end());
    need(members.size() == c.group.size(), hop, "a group names a rank twice");
    need(members.count(rank_) > 0, hop, "a rank is a member of its collective's group");
    need(members.empty() || (*members.begin() >= 0 && *members.rbegin() < schedule_.size()), hop,
         fmt::format("a group's ranks are 0 to {}", schedule_.size() - 1));
    need(begun_.insert(c.id).second, hop, fmt::format("collective {} is begun twice", c.id));
  }
  void check(int hop, const Wait& w) {
    need(begun_.count(w.id) > 0, hop, fmt::format("waits for {}, which is not begun", w.id));
  }
  void check(int hop, const Merge& m) {
    for (const BufferId id : {m.from, m.into}) buffer(id, hop);
  }
  void check(int hop, const Accumulate& a) {
    for (const BufferId id : {a.from, a.into}) buffer(id, hop);
  }
  void check(int hop, const Release& r) { buffer(r.buffer, hop); }

  const Schedule& schedule_;
  const RankProgram& program_;
  int rank_;
  std::vector<Finding>& findings_;
  std::set<int> begun_;
};

// A move as it stands in a program, with what is needed to name it.
struct PlacedMove {
  const Move* move;
  int hop;
};

struct PairMoves {
  std::vector<PlacedMove> sends, receives;
};

}  // namespace

std::vector<Finding> check_references(const Schedule& schedule) {
  std::vector<Finding> findings;
  for (int r = 0; r < schedule.size(); ++r) References(schedule, r, findings).check();
  return findings;
}

std::vector<Finding> check_pairing(const Schedule& schedule) {
  std::map<std::pair<int, int>, PairMoves> pairs;  // (sender, receiver)
  for (int r = 0; r < schedule.size(); ++r) {
    for (const Step& step : schedule.rank(r).steps) {
      const auto* exchange = std::get_if<Exchange>(&step.action);
      if (!exchange) continue;
      for (const Move& m : exchange->sends) pairs[{r, m.peer}].sends.push_back({&m, step.hop});
      for (const Move& m : exchange->receives)
        pairs[{m.peer, r}].receives.push_back({&m, step.hop});
    }
  }
  std::vector<Finding> findings;
  for (const auto& [ends, moves] : pairs) {
    const auto& [sends, receives] = moves;
    if (sends.size() == receives.size()) continue;
    // The first place where the two lists part is the one that lacks its partner.
    std::size_t i = 0;
    while (i < std::min(sends.size(), receives.size()) &&
           sends[i].move->content == receives[i].move->content) {
      ++i;
    }
    const bool lacks_send = sends.size() < receives.size();
    const PlacedMove& lonely = lacks_send ? receives[i] : sends[i];
    const int rank = lacks_send ? ends.second : ends.first;
    const auto& buffers = schedule.rank(rank).buffers;
    findings.push_back(make_finding(
        lacks_send ? Fault::unmatched_receive : Fault::unmatched_send, rank, lonely.hop,
        buffers[static_cast<std::size_t>(lonely.move->buffer)].name,
        fmt::format("{} {} rank {}, which never {} it", lacks_send ? "waits for" : "sends",
                    label(schedule, lonely.move->content) + (lacks_send ? " from" : " to"),
                    lacks_send ? ends.first : ends.second, lacks_send ? "sends" : "receives")));
  }
  return findings;
}

std::vector<Finding> check_groups(const Schedule& schedule) {
  std::vector<Finding> findings;
  const CollectiveIndex index(schedule);
  for (int r = 0; r < schedule.size(); ++r) {
    for (const Step& step : schedule.rank(r).steps) {
      const auto* c = std::get_if<Collective>(&step.action);
      if (!c) continue;
      const auto report = [&](Fault fault, const std::string& what) {
        findings.push_back(
            make_finding(fault, r, step.hop,
                         schedule.rank(r).buffers[static_cast<std::size_t>(c->out)].name, what));
      };
      bool agreed = true;
      for (const int member : c->group) {
        const Collective* other = index.find(member, c->id);
        if (other && other->kind == c->kind && other->group == c->group &&
            other->channel == c->channel) {
          continue;
        }
        report(Fault::group_mismatch,
               fmt::format("{} {} of ranks {}: rank {} has {}", name(c->kind), c->id,
                           fmt::join(c->group, ", "), member,
                           other ? fmt::format("{} of ranks {}", name(other->kind),
                                               fmt::join(other->group, ", "))
                                 : std::string("none of that number")));
        agreed = false;
        break;
      }
      if (!agreed) continue;
      const Content& want = schedule.content(c->receives);
      Index brought = 0;
      for (const int member : c->group) {
        const Content part = common_part(schedule.content(index.find(member, c->id)->sends), want);
        brought += schedule.token_count(part) * part.heads;
      }
      const Index wanted = schedule.token_count(want) * want.heads;
      const bool sums = want.quantity == Quantity::partial ||
                        want.quantity == Quantity::query_gradient ||
                        want.quantity == Quantity::key_value_gradient;
      if (brought < wanted || (brought > wanted && !sums)) {
        report(Fault::wrong_content,
               fmt::format("the group brings {} of the {} tokens x heads of {}", brought, wanted,
                           label(schedule, want)));
      }
    }
  }
  return findings;
}

}  // namespace ringlab::detail
