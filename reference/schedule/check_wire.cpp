#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/schedule/check_state.hpp"

namespace ringlab::detail {
namespace {

// The operations of a rank that move something now: on each channel the first that is not done.
std::vector<Operation*> running(CheckState& state, int rank) {
  std::vector<Operation*> heads;
  for (Operation& o : state.rank(rank).operations) {
    const auto same_channel = [&](const Operation* h) { return h->channel == o.channel; };
    if (!o.done() && std::none_of(heads.begin(), heads.end(), same_channel)) heads.push_back(&o);
  }
  return heads;
}

PendingMove* first_open(std::vector<PendingMove>& moves, int peer) {
  for (PendingMove& m : moves) {
    if (!m.matched && m.peer == peer) return &m;
  }
  return nullptr;
}

// The receive that a send of `operation` meets: of the same channel, and of the same collective.
PendingMove* partner(CheckState& state, int rank, const Operation& operation,
                     const PendingMove& send) {
  for (Operation* other : running(state, send.peer)) {
    if (other->channel != operation.channel || other->collective != operation.collective) continue;
    if (operation.collective && other->id != operation.id) continue;
    if (PendingMove* receive = first_open(other->receives, rank)) return receive;
  }
  return nullptr;
}

void deliver(CheckState& state, int rank, const Operation& operation, PendingMove& send,
             PendingMove& receive) {
  const int peer = send.peer;
  if (send.content != receive.content) {
    state.report(Fault::wrong_content, peer, receive.hop, state.buffer_name(peer, receive.buffer),
                 fmt::format("expects {} from rank {}, which sends {}",
                             label(state.schedule, receive.content), rank,
                             label(state.schedule, send.content)));
  }
  const std::optional<Value>& source = state.slot(rank, send.buffer).value;
  std::optional<Value>& target = state.slot(peer, receive.buffer).value;
  if (!operation.collective) {
    target = source;
  } else if (source && source->coverage && target) {
    const Coverage part = source->coverage->restricted(send.content);
    if (!target->coverage) target->coverage.emplace(state.schedule, state.mask);
    if (!target->coverage->add(part)) {
      state.report(Fault::repeated_tile, peer, receive.hop, state.buffer_name(peer, receive.buffer),
                   fmt::format("{} from rank {} brings tiles that are there already",
                               label(state.schedule, send.content), rank));
    }
  }
  send.matched = receive.matched = true;
}

// The first move that keeps a rank's communication from going on.
struct Blocked {
  const PendingMove* move = nullptr;
  bool sending = false;
};

Blocked blocked(CheckState& state, int rank) {
  for (const Operation* o : running(state, rank)) {
    for (const PendingMove& m : o->sends) {
      if (!m.matched) return {&m, true};
    }
    for (const PendingMove& m : o->receives) {
      if (!m.matched) return {&m, false};
    }
  }
  return {};
}

std::string describe(CheckState& state, int rank, const Blocked& b) {
  return fmt::format("rank {} waits for rank {} at hop {} ({} {}, buffer '{}')", rank, b.move->peer,
                     b.move->hop, b.sending ? "send" : "receive",
                     label(state.schedule, b.move->content),
                     state.buffer_name(rank, b.move->buffer));
}

bool report_cycle(CheckState& state) {
  for (int start = 0; start < state.schedule.size(); ++start) {
    std::vector<int> path;
    int r = start;
    while (!state.finished(r) && blocked(state, r).move &&
           std::find(path.begin(), path.end(), r) == path.end()) {
      path.push_back(r);
      r = blocked(state, r).move->peer;
    }
    const auto back = std::find(path.begin(), path.end(), r);
    if (back == path.end()) continue;
    std::string text;
    for (auto at = back; at != path.end(); ++at) {
      text += (at == back ? "" : "; ") + describe(state, *at, blocked(state, *at));
    }
    const Blocked first = blocked(state, *back);
    state.report(Fault::deadlock, *back, first.move->hop,
                 state.buffer_name(*back, first.move->buffer), text);
    return true;
  }
  return false;
}

}  // namespace

bool match_moves(CheckState& state) {
  bool moved = false;
  for (int r = 0; r < state.schedule.size(); ++r) {
    for (Operation* operation : running(state, r)) {
      for (PendingMove& send : operation->sends) {
        if (send.matched || first_open(operation->sends, send.peer) != &send) continue;
        PendingMove* receive = partner(state, r, *operation, send);
        if (!receive) continue;
        deliver(state, r, *operation, send, *receive);
        moved = true;
      }
    }
  }
  return moved;
}

void report_stuck(CheckState& state) {
  if (report_cycle(state)) return;
  for (int r = 0; r < state.schedule.size(); ++r) {
    const Blocked b = blocked(state, r);
    if (b.move) {
      state.report(b.sending ? Fault::unmatched_send : Fault::unmatched_receive, r, b.move->hop,
                   state.buffer_name(r, b.move->buffer),
                   fmt::format("{}, which has no matching {}", describe(state, r, b),
                               b.sending ? "receive" : "send"));
    } else if (state.finished(r) && !state.rank(r).operations.empty()) {
      const Operation& o = state.rank(r).operations.front();
      state.report(
          Fault::never_waited, r, o.hop, "",
          fmt::format("{} {} is never waited for", o.collective ? "collective" : "exchange", o.id));
    }
  }
}

}  // namespace ringlab::detail
