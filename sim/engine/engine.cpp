#include "ringlab/sim/engine/engine.hpp"

#include <algorithm>
#include <cmath>

#include "ringlab/sim/engine/event_queue.hpp"
#include "ringlab/sim/engine/meter.hpp"
#include "ringlab/sim/engine/sharing.hpp"

namespace ringlab::engine {
namespace {

// What an event is, in the top bits of its key; the rest is the group, rank, message or flow.
constexpr std::uint64_t kGroupDone = std::uint64_t{0} << 62;
constexpr std::uint64_t kComputed = std::uint64_t{1} << 62;
constexpr std::uint64_t kAtSwitch = std::uint64_t{2} << 62;
constexpr std::uint64_t kShared = std::uint64_t{3} << 62;
constexpr std::uint64_t kKind = std::uint64_t{3} << 62;

constexpr std::size_t at(Id id) {
  return static_cast<std::size_t>(id);
}

std::uint64_t key_of(std::uint64_t kind, Id id) {
  return kind | static_cast<std::uint32_t>(id);
}

// Settled: the time at which it will be done is known, but nobody has asked for it yet.
enum class Phase : std::uint8_t { idle, queued, active, settled, done };

// All that a turn of a group touches, half a cache line.
struct GroupState {
  Picoseconds finish = 0;
  Id channel = 0;
  std::uint32_t messages : 28 = 0;
  Phase phase : 4 = Phase::idle;
  Id few[2] = {kNone, kNone};  // its messages; of more than two, where they begin
  Id pending = 0;              // ends of messages whose end is not known
  Id next = kNone;             // behind it on its channel
};
static_assert(sizeof(GroupState) == 32);

struct Channel {
  Id active = kNone, last = kNone;
  Id rank = kNone;
};

struct RankState {
  std::int64_t next_op = 0, end_op = 0;
  Id waits_for = kNone;
  bool computing = false;
  Picoseconds since = 0;
  Meter meter;
};

class Runner {
 public:
  Runner(const Workload& workload, const Options& options)
      : w_(workload),
        queueing_(options.queueing),
        keep_(options.keep_times),
        channels_(static_cast<std::size_t>(workload.channels)),
        ranks_(static_cast<std::size_t>(workload.ranks())),
        missing_(workload.messages.size(), 2),
        free_at_(workload.links.size(), 0),
        sharing_(workload) {
    groups_.reserve(workload.groups.size());
    for (const Group& group : workload.groups) {
      GroupState& state = groups_.emplace_back();
      state.channel = group.channel;
      state.messages = static_cast<std::uint32_t>(group.messages) & 0xfffffffu;
      channels_[at(group.channel)].rank = group.rank;
      if (group.messages > 2) {
        state.few[0] = group.first_message;
        continue;
      }
      for (Id i = 0; i < group.messages; ++i) {
        state.few[i] = workload.group_messages[at(group.first_message + i)];
      }
    }
    outcome_.ranks.resize(ranks_.size());
    outcome_.links.resize(workload.links.size());
    if (keep_) {
      outcome_.op_times.resize(workload.ops.size());
      outcome_.message_times.resize(workload.messages.size());
    }
    for (std::size_t m = 0; m < missing_.size(); ++m) {
      const Message& message = w_.messages[m];
      if (message.sender == kNone || message.receiver == kNone) missing_[m] = 1;
    }
    for (const Path& path : w_.paths) {
      double slowest = 0;
      bool shares = false;
      for (int i = 0; i < path.links; ++i) {
        slowest = std::max(slowest, link(path, i).picoseconds_per_byte);
        shares = shares || link(path, i).fair_share;
      }
      path_cost_.push_back({slowest, shares && queueing_});
      if (path.store_and_forward && stage_.empty()) stage_.resize(w_.messages.size(), 0);
    }
  }

  Outcome run() {
    for (Id r = 0; r < w_.ranks(); ++r) {
      ranks_[at(r)].next_op = w_.first_op[at(r)];
      ranks_[at(r)].end_op = w_.first_op[at(r) + 1];
      advance(r, 0);
    }
    while (!outcome_.too_long) {
      if (!ready_.empty() && (queue_.empty() || queue_.front().time > now_)) set_all_out();
      if (queue_.empty()) break;
      const Event event = queue_.pop();
      now_ = event.time;
      if (!queue_.empty()) look_ahead(queue_.front());
      ++outcome_.events;
      const auto id = static_cast<Id>(event.key & 0xffffffffu);
      switch (event.key & kKind) {
        case kGroupDone:
          group_done(id, event.time);
          break;
        case kComputed:
          computed(id, event.time);
          break;
        case kAtSwitch:
          pass_switch(id, event.time);
          break;
        case kShared:
          shared_done(event);
          break;
      }
    }
    finish();
    return std::move(outcome_);
  }

 private:
  const Link& link(const Path& path, int i) const { return w_.links[at(link_id(path, i))]; }
  Id link_id(const Path& path, int i) const {
    return w_.path_links[static_cast<std::size_t>(path.first_link + i)];
  }

  Picoseconds later(Picoseconds time, double duration) {
    const double end = static_cast<double>(time) + duration;
    if (!(end < static_cast<double>(kLatestTime))) {
      outcome_.too_long = true;
      return kLatestTime;
    }
    return time + static_cast<Picoseconds>(std::llround(duration));
  }

  // Goes on with a rank's program until it computes, blocks or ends.
  void advance(Id r, Picoseconds now) {
    RankState& rank = ranks_[at(r)];
    while (rank.next_op < rank.end_op) {
      const Op op = w_.ops[static_cast<std::size_t>(rank.next_op)];
      switch (op.kind()) {
        case OpKind::compute:
          if (op.duration() == 0) {
            if (keep_) outcome_.op_times[static_cast<std::size_t>(rank.next_op)] = {now, now};
            break;
          }
          rank.meter.flush(now, false);
          prefetch(r);
          rank.computing = true;
          rank.since = now;
          queue_.push({later(now, static_cast<double>(op.duration())), key_of(kComputed, r)});
          return;
        case OpKind::begin:
          begin(op.group(), now);
          break;
        case OpKind::wait:
          if (!is_done(op.group(), now)) {
            prefetch(r);
            rank.waits_for = op.group();
            rank.since = now;
            return;
          }
          break;
      }
      ++rank.next_op;
    }
    outcome_.ranks[at(r)].finish = now;
  }

  // Thousands of ranks take turns, so that by its next turn a rank's memory has left the cache, and
  // no hardware follows so many streams: asking for what comes next, one turn ahead, halves the
  // time of an event.
  void prefetch(Id r) const {
    __builtin_prefetch(w_.ops.data() + ranks_[at(r)].next_op + 1);
    __builtin_prefetch(w_.ops.data() + ranks_[at(r)].next_op + 9);
  }

  void look_ahead(const Event& event) const {
    const auto id = static_cast<Id>(event.key & 0xffffffffu);
    if ((event.key & kKind) == kGroupDone) {
      __builtin_prefetch(&groups_[at(id)], 1);
    } else if ((event.key & kKind) == kComputed) {
      prefetch(id);
    }
  }

  void computed(Id r, Picoseconds now) {
    RankState& rank = ranks_[at(r)];
    rank.meter.flush(now, true);
    rank.computing = false;
    outcome_.ranks[at(r)].compute += now - rank.since;
    if (keep_) outcome_.op_times[static_cast<std::size_t>(rank.next_op)] = {rank.since, now};
    ++rank.next_op;
    advance(r, now);
  }

  // True if the group is done by now. Else its event is sure to come, if it can.
  bool is_done(Id g, Picoseconds now) {
    GroupState& state = groups_[at(g)];
    if (state.phase == Phase::settled) {
      if (state.finish > now) {
        state.phase = Phase::active;
        queue_.push({state.finish, key_of(kGroupDone, g)});
        return false;
      }
      state.phase = Phase::done;
      channels_[at(state.channel)].active = kNone;  // nobody queues behind a settled group
    }
    return state.phase == Phase::done;
  }

  void begin(Id g, Picoseconds now) {
    GroupState& state = groups_[at(g)];
    Channel& channel = channels_[at(state.channel)];
    if (channel.active == kNone || is_done(channel.active, now)) {
      channel.active = channel.last = g;
      activate(g, now);
      return;
    }
    state.phase = Phase::queued;
    groups_[at(channel.last)].next = g;
    channel.last = g;
  }

  Id message_of(const GroupState& group, Id i) const {
    return group.messages <= 2 ? group.few[i] : w_.group_messages[at(group.few[0] + i)];
  }

  Id rank_of(const GroupState& group) const { return channels_[at(group.channel)].rank; }

  void activate(Id g, Picoseconds now) {
    GroupState& group = groups_[at(g)];
    group.phase = Phase::active;
    group.pending = static_cast<Id>(group.messages);
    group.finish = now;
    __builtin_prefetch(groups_.data() + g + 1, 1);
    if (group.messages == 0) settle(g);
    for (Id i = 0; i < static_cast<Id>(group.messages); ++i) {
      const Id m = message_of(group, i);
      __builtin_prefetch(w_.messages.data() + m + 1);  // very likely of this rank's next group
      __builtin_prefetch(missing_.data() + m + 1, 1);
      if (--missing_[at(m)] == 0) ready_.push_back(m);
    }
  }

  // Links are asked for when all that is ready at one time is known, turn by turn, so that an
  // all-to-all is a sequence of permutations and not a race.
  void set_all_out() {
    const auto turn = [&](Id m) { return w_.messages[at(m)].turn; };
    const Id first = turn(ready_.front());
    if (std::any_of(ready_.begin(), ready_.end(), [&](Id m) { return turn(m) != first; })) {
      std::stable_sort(ready_.begin(), ready_.end(), [&](Id a, Id b) { return turn(a) < turn(b); });
    }
    for (const Id m : ready_) set_out(m, now_);
    ready_.clear();
  }

  // All its ends are known. Its event is needed only by who waits for it already.
  void settle(Id g) {
    GroupState& group = groups_[at(g)];
    if (group.next != kNone || ranks_[at(rank_of(group))].waits_for == g) {
      queue_.push({group.finish, key_of(kGroupDone, g)});
    } else {
      group.phase = Phase::settled;
    }
  }

  void group_done(Id g, Picoseconds now) {
    GroupState& group = groups_[at(g)];
    group.phase = Phase::done;
    channels_[at(group.channel)].active = group.next;
    if (group.next != kNone) activate(group.next, now);
    const Id r = rank_of(group);
    RankState& rank = ranks_[at(r)];
    if (rank.waits_for != g) return;
    rank.waits_for = kNone;
    ++rank.next_op;
    advance(r, now);
  }

  // Both ends are ready.
  void set_out(Id m, Picoseconds now) {
    const Message& message = w_.messages[at(m)];
    const Path& path = w_.paths[at(message.path)];
    const PathCost& cost = path_cost_[at(message.path)];
    if (path.store_and_forward) return pass_switch(m, now);
    if (cost.shares) {
      sharing_.add(m, now, kShared, queue_);
      if (message.sender != kNone) meter(message.sender).open(now, kNever, m);
      if (message.receiver != kNone) {
        meter(message.receiver).open(now + path.latency, kNever, m);
      }
      return;
    }
    Picoseconds start = now;
    Id last = kNone;
    for (int i = 0; i < path.links && queueing_; ++i) {
      const Id l = link_id(path, i);
      if (free_at_[at(l)] > start) {
        start = free_at_[at(l)];
        last = l;
      }
    }
    const Picoseconds end = later(start, static_cast<double>(message.bytes) * cost.slowest);
    for (int i = 0; i < path.links; ++i) {
      if (link(path, i).lost_at < end) return lose(m);
    }
    for (int i = 0; i < path.links; ++i) take(link_id(path, i), message.bytes, start, end);
    if (last != kNone) note_queue(last, start - now);
    sent(m, start, end);
    received(m, start + path.latency, end + path.latency);
  }

  // The whole message has come to the next link of its path.
  void pass_switch(Id m, Picoseconds now) {
    const Message& message = w_.messages[at(m)];
    const Path& path = w_.paths[at(message.path)];
    const int stage = stage_[at(m)]++;
    const Id l = link_id(path, stage);
    const Picoseconds start = queueing_ ? std::max(now, free_at_[at(l)]) : now;
    const Link& next = w_.links[at(l)];
    const Picoseconds end =
        later(start, static_cast<double>(message.bytes) * next.picoseconds_per_byte);
    if (next.lost_at < end) return lose(m);
    take(l, message.bytes, start, end);
    if (start > now) note_queue(l, start - now);
    if (stage == 0) sent(m, start, end);
    if (stage + 1 == path.links) {
      received(m, start + path.latency, end + path.latency);
    } else {
      queue_.push({end + path.latency, key_of(kAtSwitch, m)});
    }
  }

  void shared_done(const Event& event) {
    const Sharing::Done done = sharing_.done(event.key & ~kKind, event.time, kShared, queue_);
    if (done.message == kNone) return;
    const Message& message = w_.messages[at(done.message)];
    const Path& path = w_.paths[at(message.path)];
    for (int i = 0; i < path.links; ++i) {
      if (link(path, i).lost_at < event.time) return lose(done.message);
    }
    const double alone = static_cast<double>(message.bytes) * path_cost_[at(message.path)].slowest;
    for (int i = 0; i < path.links; ++i) {
      LinkTimes& times = outcome_.links[at(link_id(path, i))];
      ++times.messages;
      times.bytes += message.bytes;
    }
    note_queue(link_id(path, 0),
               std::max<Picoseconds>(
                   0, event.time - done.started - static_cast<Picoseconds>(std::llround(alone))));
    if (message.sender != kNone) meter(message.sender).close(done.message, event.time);
    if (message.receiver != kNone) {
      meter(message.receiver).close(done.message, event.time + path.latency);
    }
    ended(message.sender, event.time);
    ended(message.receiver, event.time + path.latency);
    note_times(done.message, true, done.started, event.time);
    note_times(done.message, false, done.started + path.latency, event.time + path.latency);
  }

  void take(Id l, std::int64_t bytes, Picoseconds start, Picoseconds end) {
    free_at_[at(l)] = std::max(free_at_[at(l)], end);
    LinkTimes& times = outcome_.links[at(l)];
    ++times.messages;
    times.bytes += bytes;
    times.busy += end - start;
  }

  void note_queue(Id l, Picoseconds waited) {
    LinkTimes& times = outcome_.links[at(l)];
    times.queued += waited;
    times.most_queued = std::max(times.most_queued, waited);
  }

  void lose(Id m) { outcome_.lost.push_back(m); }

  Meter& meter(Id group) { return ranks_[at(rank_of(groups_[at(group)]))].meter; }

  void note_times(Id m, bool send, Picoseconds start, Picoseconds end) {
    if (!keep_) return;
    MessageTimes& times = outcome_.message_times[at(m)];
    (send ? times.send : times.receive) = {start, end};
  }

  void sent(Id m, Picoseconds start, Picoseconds end) {
    const Id g = w_.messages[at(m)].sender;
    if (g == kNone) return;
    meter(g).open(start, end, m);
    note_times(m, true, start, end);
    ended(g, end);
  }

  void received(Id m, Picoseconds start, Picoseconds end) {
    const Id g = w_.messages[at(m)].receiver;
    if (g == kNone) return;
    meter(g).open(start, end, m);
    note_times(m, false, start, end);
    ended(g, end);
  }

  // The time at which one end of a message is done is known.
  void ended(Id g, Picoseconds time) {
    if (g == kNone) return;
    GroupState& state = groups_[at(g)];
    state.finish = std::max(state.finish, time);
    if (--state.pending == 0) settle(g);
  }

  void finish() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      outcome_.total = std::max(outcome_.total, outcome_.ranks[r].finish);
    }
    for (const GroupState& group : groups_) outcome_.total = std::max(outcome_.total, group.finish);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].meter.flush(outcome_.total, false);
      outcome_.ranks[r].transfer = ranks_[r].meter.transfer();
      outcome_.ranks[r].hidden = ranks_[r].meter.hidden();
    }
    for (std::size_t l = 0; l < w_.links.size(); ++l) {
      if (w_.links[l].fair_share && queueing_) {
        outcome_.links[l].busy = sharing_.busy(static_cast<Id>(l));
      }
    }
    if (!outcome_.too_long) find_blocked();
  }

  void find_blocked() {
    std::vector<char> named(ranks_.size(), 0);
    for (Id r = 0; r < w_.ranks(); ++r) {
      const RankState& rank = ranks_[at(r)];
      if (rank.next_op == rank.end_op) continue;
      named[at(r)] = 1;
      outcome_.blocked.push_back(blocked_on(r, rank.waits_for, rank.since));
    }
    // A rank that is through, but whose messages are not.
    for (Id g = 0; g < static_cast<Id>(groups_.size()); ++g) {
      const Phase phase = groups_[at(g)].phase;
      if (phase != Phase::queued && phase != Phase::active) continue;
      const Id r = w_.groups[at(g)].rank;
      if (named[at(r)]++) continue;
      outcome_.blocked.push_back(blocked_on(r, g, outcome_.ranks[at(r)].finish));
    }
  }

  Blocked blocked_on(Id r, Id g, Picoseconds since) const {
    Blocked blocked{r, g, kNone, false, kNone, false, since};
    Id front = g;
    if (groups_[at(g)].phase != Phase::active) {
      front = channels_[at(w_.groups[at(g)].channel)].active;
    }
    if (front == kNone) return blocked;  // it waits for what it never began
    const Group& group = w_.groups[at(front)];
    for (const bool lost : {true, false}) {
      for (Id i = 0; i < group.messages; ++i) {
        const Id m = w_.group_messages[at(group.first_message + i)];
        const bool is_lost =
            std::find(outcome_.lost.begin(), outcome_.lost.end(), m) != outcome_.lost.end();
        if (lost ? !is_lost : missing_[at(m)] == 0) continue;
        const Message& message = w_.messages[at(m)];
        blocked.message = m;
        blocked.sending = message.sender == front;
        const Id other = blocked.sending ? message.receiver : message.sender;
        blocked.peer = other == kNone ? kNone : w_.groups[at(other)].rank;
        blocked.lost = is_lost;
        return blocked;
      }
    }
    return blocked;
  }

  struct PathCost {
    double slowest;  // picoseconds a byte
    bool shares;
  };

  const Workload& w_;
  bool queueing_, keep_;
  LargeVector<GroupState> groups_;
  std::vector<Channel> channels_;
  std::vector<RankState> ranks_;
  LargeVector<std::int8_t> missing_;  // ends of a message that are not ready
  std::vector<std::uint16_t> stage_;  // links that a stored and forwarded message has passed
  std::vector<Picoseconds> free_at_;
  std::vector<PathCost> path_cost_;
  Sharing sharing_;
  EventQueue queue_;
  Picoseconds now_ = 0;
  std::vector<Id> ready_;  // messages, at this time
  Outcome outcome_;
};

}  // namespace

Outcome run(const Workload& workload, const Options& options) {
  return Runner(workload, options).run();
}

std::vector<std::size_t> waiting_cycle(const std::vector<Blocked>& blocked) {
  const auto of_rank = [&](Id rank) {
    const auto found = std::find_if(blocked.begin(), blocked.end(),
                                    [&](const Blocked& b) { return b.rank == rank; });
    return static_cast<std::size_t>(found - blocked.begin());
  };
  for (std::size_t start = 0; start < blocked.size(); ++start) {
    std::vector<std::size_t> path;
    std::size_t here = start;
    while (here < blocked.size() && blocked[here].peer != kNone && !blocked[here].lost &&
           std::find(path.begin(), path.end(), here) == path.end()) {
      path.push_back(here);
      here = of_rank(blocked[here].peer);
    }
    const auto back = std::find(path.begin(), path.end(), here);
    if (back != path.end()) return {back, path.end()};
  }
  return {};
}

}  // namespace ringlab::engine
