#include "ringlab/reference/schedule/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "ringlab/reference/schedule/check_static.hpp"
#include "ringlab/reference/schedule/coverage.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab {
namespace {

// What stands in a buffer: its content, and for results which pairs went into it.
struct Value {
  Content content;
  std::optional<Coverage> coverage;
};

struct Slot {
  std::optional<Value> value;
  int sends_in_flight = 0;
  bool receive_in_flight = false;
};

// A move that was begun and not yet matched or not yet waited for.
struct PendingMove {
  Move move;
  int hop = 0;
  bool matched = false;
};

struct PendingExchange {
  int id = 0, hop = 0;
  std::vector<PendingMove> sends, receives;
  bool done() const {
    const auto matched = [](const PendingMove& m) { return m.matched; };
    return std::all_of(sends.begin(), sends.end(), matched) &&
           std::all_of(receives.begin(), receives.end(), matched);
  }
};

struct RankState {
  std::size_t next_step = 0;
  std::vector<Slot> slots;
  std::deque<PendingExchange> exchanges;  // in the order begun; waited ones are removed
};

class Checker {
 public:
  Checker(const Schedule& schedule, const Mask& mask) : schedule_(schedule), mask_(mask) {}

  std::vector<Finding> run() {
    start();
    bool moved = true;
    while (moved) {
      moved = false;
      for (int r = 0; r < schedule_.size(); ++r) moved = advance(r) || moved;
      moved = match_moves() || moved;
      if (findings_.size() > kEnough) return std::move(findings_);
    }
    report_stuck();
    if (findings_.empty()) check_results();
    return std::move(findings_);
  }

 private:
  static constexpr std::size_t kEnough = 32;  // later ones are consequences of earlier ones

  std::string buffer_name(int rank, BufferId buffer) const {
    return schedule_.rank(rank).buffers[static_cast<std::size_t>(buffer)].name;
  }

  void report(Fault fault, int rank, int hop, const std::string& buffer, const std::string& what) {
    findings_.push_back(make_finding(fault, rank, hop, buffer, what));
  }

  // ---- running a rank until it waits
  // -------------------------------------------------------------

  void start() {
    for (int r = 0; r < schedule_.size(); ++r) {
      RankState state;
      for (const Buffer& buffer : schedule_.rank(r).buffers) {
        state.slots.emplace_back();
        if (buffer.initially != kNothing) {
          state.slots.back().value = Value{schedule_.content(buffer.initially), std::nullopt};
        }
      }
      ranks_.push_back(std::move(state));
      count_blocks(r, 0);
    }
  }

  RankState& state(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Slot& slot(int rank, BufferId buffer) {
    return state(rank).slots[static_cast<std::size_t>(buffer)];
  }

  bool advance(int rank) {
    bool moved = false;
    const std::vector<Step>& steps = schedule_.rank(rank).steps;
    while (state(rank).next_step < steps.size()) {
      const Step& step = steps[state(rank).next_step];
      if (const auto* wait = std::get_if<Wait>(&step.action)) {
        if (!finish_exchange(rank, step.hop, wait->exchange)) return moved;
      } else {
        run_step(rank, step);
      }
      ++state(rank).next_step;
      moved = true;
    }
    return moved;
  }

  bool finish_exchange(int rank, int hop, int id) {
    auto& exchanges = state(rank).exchanges;
    const auto found = std::find_if(exchanges.begin(), exchanges.end(),
                                    [&](const PendingExchange& e) { return e.id == id; });
    if (found == exchanges.end()) {
      report(Fault::bad_reference, rank, hop, "", fmt::format("waits twice for exchange {}", id));
      return true;
    }
    if (!found->done()) return false;
    for (const PendingMove& send : found->sends) --slot(rank, send.move.buffer).sends_in_flight;
    for (const PendingMove& receive : found->receives) {
      slot(rank, receive.move.buffer).receive_in_flight = false;
    }
    exchanges.erase(found);
    return true;
  }

  // A buffer that a step reads, or null after a finding.
  Value* readable(int rank, int hop, BufferId buffer, std::initializer_list<Quantity> wanted) {
    Slot& s = slot(rank, buffer);
    const std::string who = buffer_name(rank, buffer);
    if (s.receive_in_flight) {
      report(Fault::read_before_arrival, rank, hop, who, "read while its receive is under way");
      return nullptr;
    }
    if (!s.value) {
      report(Fault::empty_buffer, rank, hop, who, "read while it holds nothing");
      return nullptr;
    }
    if (std::find(wanted.begin(), wanted.end(), s.value->content.quantity) == wanted.end()) {
      report(Fault::wrong_quantity, rank, hop, who,
             fmt::format("holds {}, where {} is wanted", name(s.value->content.quantity),
                         name(*wanted.begin())));
      return nullptr;
    }
    return &*s.value;
  }

  bool writable(int rank, int hop, BufferId buffer) {
    const Slot& s = slot(rank, buffer);
    if (s.sends_in_flight == 0 && !s.receive_in_flight) return true;
    report(Fault::overwritten_in_use, rank, hop, buffer_name(rank, buffer),
           s.receive_in_flight ? "written while a receive into it is under way"
                               : "written while a send of it is under way");
    return false;
  }

  // The result that a step adds to; an empty buffer starts as the identity.
  Value* result(int rank, int hop, BufferId buffer, Quantity quantity, const Content& like) {
    if (!writable(rank, hop, buffer)) return nullptr;
    Slot& s = slot(rank, buffer);
    Content content = like;
    content.quantity = quantity;
    if (!s.value) s.value = Value{content, Coverage(schedule_, mask_)};
    if (s.value->content != content) {
      report(Fault::wrong_content, rank, hop, buffer_name(rank, buffer),
             fmt::format("holds {}, where {} is added", label_of(s.value->content),
                         label_of(content)));
      return nullptr;
    }
    if (!s.value->coverage) s.value->coverage.emplace(schedule_, mask_);
    return &*s.value;
  }

  std::string label_of(const Content& content) const { return label(schedule_, content); }

  void add_tile(int rank, int hop, BufferId buffer, Value* into, const Content& query,
                const Content& key_value) {
    if (into && !into->coverage->add(query, key_value)) {
      report(Fault::repeated_tile, rank, hop, buffer_name(rank, buffer),
             fmt::format("{} x {} is folded in twice", label_of(query), label_of(key_value)));
    }
  }

  void run_step(int rank, const Step& step) {
    const int hop = step.hop;
    if (const auto* a = std::get_if<Attend>(&step.action)) {
      Value* q = readable(rank, hop, a->query, {Quantity::query});
      Value* kv = readable(rank, hop, a->key_value, {Quantity::key_value});
      if (!q || !kv || !heads_fit(rank, hop, a->key_value, q->content, kv->content)) return;
      add_tile(rank, hop, a->partial, result(rank, hop, a->partial, Quantity::partial, q->content),
               q->content, kv->content);
    } else if (const auto* g = std::get_if<AttendBackward>(&step.action)) {
      backward(rank, hop, *g);
    } else if (const auto* e = std::get_if<Exchange>(&step.action)) {
      begin_exchange(rank, hop, *e);
    } else if (const auto* m = std::get_if<Merge>(&step.action)) {
      fold(rank, hop, m->from, m->into, {Quantity::partial});
    } else if (const auto* c = std::get_if<Accumulate>(&step.action)) {
      fold(rank, hop, c->from, c->into, {Quantity::query_gradient, Quantity::key_value_gradient});
    } else if (const auto* f = std::get_if<Release>(&step.action)) {
      if (writable(rank, hop, f->buffer)) slot(rank, f->buffer).value.reset();
    }
    count_blocks(rank, hop);
  }

  // Every query head finds its key/value head in the block.
  bool heads_fit(int rank, int hop, BufferId buffer, const Content& query, const Content& block) {
    const int group = schedule_.query_heads / schedule_.kv_heads;
    const int first = query.first_head / group;
    const int last = (query.first_head + std::max(query.heads, 1) - 1) / group;
    if (first >= block.first_head && last < block.first_head + block.heads) return true;
    report(Fault::wrong_content, rank, hop, buffer_name(rank, buffer),
           fmt::format("{} lacks the key/value heads of {}", label_of(block), label_of(query)));
    return false;
  }

  void backward(int rank, int hop, const AttendBackward& g) {
    Value* q = readable(rank, hop, g.query, {Quantity::query});
    Value* dout = readable(rank, hop, g.output_gradient, {Quantity::output_gradient});
    Value* statistics = readable(rank, hop, g.row_statistics, {Quantity::row_statistics});
    Value* kv = readable(rank, hop, g.key_value, {Quantity::key_value});
    if (!q || !dout || !statistics || !kv) return;
    if (!heads_fit(rank, hop, g.key_value, q->content, kv->content)) return;
    for (const auto& [value, buffer] :
         {std::pair{dout, g.output_gradient}, std::pair{statistics, g.row_statistics}}) {
      Content wanted = q->content;
      wanted.quantity = value->content.quantity;
      if (value->content != wanted) {
        report(Fault::wrong_content, rank, hop, buffer_name(rank, buffer),
               fmt::format("{} goes with {}", label_of(value->content), label_of(q->content)));
        return;
      }
    }
    add_tile(rank, hop, g.query_gradient,
             result(rank, hop, g.query_gradient, Quantity::query_gradient, q->content), q->content,
             kv->content);
    add_tile(rank, hop, g.key_value_gradient,
             result(rank, hop, g.key_value_gradient, Quantity::key_value_gradient, kv->content),
             q->content, kv->content);
  }

  void fold(int rank, int hop, BufferId from, BufferId into,
            std::initializer_list<Quantity> wanted) {
    Value* source = readable(rank, hop, from, wanted);
    if (!source) return;
    Value* target = result(rank, hop, into, source->content.quantity, source->content);
    if (target && source->coverage && !target->coverage->add(*source->coverage)) {
      report(Fault::repeated_tile, rank, hop, buffer_name(rank, into),
             fmt::format("{} brings tiles that are there already", buffer_name(rank, from)));
    }
  }

  void begin_exchange(int rank, int hop, const Exchange& exchange) {
    PendingExchange pending{exchange.id, hop, {}, {}};
    for (const Move& move : exchange.sends) {
      Slot& s = slot(rank, move.buffer);
      const Content& said = schedule_.content(move.content);
      const Value* value = readable(rank, hop, move.buffer, {said.quantity});
      if (value && value->content != said) {
        report(Fault::wrong_content, rank, hop, buffer_name(rank, move.buffer),
               fmt::format("holds {}, but {} is to be sent", label_of(value->content),
                           label_of(said)));
      }
      ++s.sends_in_flight;
      pending.sends.push_back({move, hop, false});
    }
    for (const Move& move : exchange.receives) {
      writable(rank, hop, move.buffer);
      slot(rank, move.buffer).receive_in_flight = true;
      pending.receives.push_back({move, hop, false});
    }
    state(rank).exchanges.push_back(std::move(pending));
  }

  void count_blocks(int rank, int hop) {
    Index largest = 0, alive = 0;
    for (const Positions& shard : schedule_.key_layout) largest = std::max(largest, shard.size());
    const auto add = [&](const Content& c) {
      if (c.quantity == Quantity::key_value) alive += schedule_.token_count(c) * c.heads;
    };
    for (const Slot& s : state(rank).slots) {
      if (s.value && !s.receive_in_flight) add(s.value->content);
    }
    for (const PendingExchange& e : state(rank).exchanges) {
      for (const PendingMove& m : e.receives) add(schedule_.content(m.move.content));
    }
    const Index promised = schedule_.key_value_blocks * largest * schedule_.kv_heads;
    if (alive <= promised || too_many_reported_) return;
    too_many_reported_ = true;
    report(Fault::too_many_blocks, rank, hop, "",
           fmt::format("{} key/value tokens x heads are alive, {} blocks of {} are promised", alive,
                       schedule_.key_value_blocks, largest * schedule_.kv_heads));
  }

  // ---- the wire
  // ----------------------------------------------------------------------------------

  // The first exchange of a rank that still moves something: the head of its communication stream.
  PendingExchange* running(int rank) {
    for (PendingExchange& e : state(rank).exchanges) {
      if (!e.done()) return &e;
    }
    return nullptr;
  }

  static PendingMove* first_open(std::vector<PendingMove>& moves, int peer) {
    for (PendingMove& m : moves) {
      if (!m.matched && m.move.peer == peer) return &m;
    }
    return nullptr;
  }

  bool match_moves() {
    bool moved = false;
    for (int r = 0; r < schedule_.size(); ++r) {
      PendingExchange* sender = running(r);
      if (!sender) continue;
      for (PendingMove& send : sender->sends) {
        if (send.matched || first_open(sender->sends, send.move.peer) != &send) continue;
        PendingExchange* receiver = running(send.move.peer);
        PendingMove* receive = receiver ? first_open(receiver->receives, r) : nullptr;
        if (!receive) continue;
        deliver(r, send, *receive);
        moved = true;
      }
    }
    return moved;
  }

  void deliver(int rank, PendingMove& send, PendingMove& receive) {
    const int peer = send.move.peer;
    if (send.move.content != receive.move.content) {
      report(Fault::wrong_content, peer, receive.hop, buffer_name(peer, receive.move.buffer),
             fmt::format("expects {} from rank {}, which sends {}",
                         label(schedule_, receive.move.content), rank,
                         label(schedule_, send.move.content)));
    }
    Slot& target = slot(peer, receive.move.buffer);
    target.value = slot(rank, send.move.buffer).value;
    send.matched = receive.matched = true;
  }

  // ---- the end
  // -----------------------------------------------------------------------------------

  bool finished(int rank) { return state(rank).next_step == schedule_.rank(rank).steps.size(); }

  // The first move that keeps a rank's communication from going on.
  struct Blocked {
    const PendingMove* move = nullptr;
    bool sending = false;
  };

  Blocked blocked(int rank) {
    const PendingExchange* e = running(rank);
    if (!e) return {};
    for (const PendingMove& m : e->sends) {
      if (!m.matched) return {&m, true};
    }
    for (const PendingMove& m : e->receives) {
      if (!m.matched) return {&m, false};
    }
    return {};
  }

  std::string describe(int rank, const Blocked& b) {
    return fmt::format("rank {} waits for rank {} at hop {} ({} {}, buffer '{}')", rank,
                       b.move->move.peer, b.move->hop, b.sending ? "send" : "receive",
                       label(schedule_, b.move->move.content),
                       buffer_name(rank, b.move->move.buffer));
  }

  void report_stuck() {
    if (report_cycle()) return;
    for (int r = 0; r < schedule_.size(); ++r) {
      const Blocked b = blocked(r);
      if (b.move) {
        report(b.sending ? Fault::unmatched_send : Fault::unmatched_receive, r, b.move->hop,
               buffer_name(r, b.move->move.buffer),
               fmt::format("{}, which has no matching {}", describe(r, b),
                           b.sending ? "receive" : "send"));
      } else if (finished(r) && !state(r).exchanges.empty()) {
        const PendingExchange& e = state(r).exchanges.front();
        report(Fault::never_waited, r, e.hop, "",
               fmt::format("exchange {} is never waited for", e.id));
      }
    }
  }

  bool report_cycle() {
    for (int start = 0; start < schedule_.size(); ++start) {
      std::vector<int> path;
      int r = start;
      while (!finished(r) && blocked(r).move &&
             std::find(path.begin(), path.end(), r) == path.end()) {
        path.push_back(r);
        r = blocked(r).move->move.peer;
      }
      const auto back = std::find(path.begin(), path.end(), r);
      if (back == path.end()) continue;
      std::string text;
      for (auto at = back; at != path.end(); ++at) {
        text += (at == back ? "" : "; ") + describe(*at, blocked(*at));
      }
      const Blocked first = blocked(*back);
      report(Fault::deadlock, *back, first.move->hop, buffer_name(*back, first.move->move.buffer),
             text);
      return true;
    }
    return false;
  }

  void check_results() {
    for (int r = 0; r < schedule_.size(); ++r) {
      const RankProgram& program = schedule_.rank(r);
      if (schedule_.backward) {
        check_result(r, program.query_gradient, Quantity::query_gradient);
        check_result(r, program.key_value_gradient, Quantity::key_value_gradient);
      } else {
        check_result(r, program.partial, Quantity::partial);
      }
    }
  }

  void check_result(int rank, BufferId buffer, Quantity quantity) {
    const bool queries = is_of_queries(quantity);
    const Layout& layout = queries ? schedule_.query_layout : schedule_.key_layout;
    const Index tokens = layout[static_cast<std::size_t>(rank)].size();
    const int heads = queries ? schedule_.query_heads : schedule_.kv_heads;
    const Content own{quantity, {{rank, 0, tokens}}, 0, heads};
    if (buffer < 0 || buffer >= static_cast<int>(schedule_.rank(rank).buffers.size())) {
      report(Fault::not_home, rank, -1, "", fmt::format("no buffer for its {}", name(quantity)));
      return;
    }
    const std::optional<Value>& value = slot(rank, buffer).value;
    if (!value || value->content != own) {
      report(Fault::not_home, rank, -1, buffer_name(rank, buffer),
             fmt::format("holds {} at the end, where {} belongs",
                         value ? label_of(value->content) : "nothing", label_of(own)));
      return;
    }
    for (int other = 0; other < schedule_.size(); ++other) check_pairs(rank, buffer, *value, other);
  }

  // The result has every visible pair of its own shard with shard `other` (once: see
  // repeated_tile).
  void check_pairs(int rank, BufferId buffer, const Value& value, int other) {
    const bool queries = is_of_queries(value.content.quantity);
    const Piece& piece = value.content.pieces.front();
    const int q = queries ? rank : other, k = queries ? other : rank;
    const Index wanted = visible_pairs(mask_, schedule_.query_layout[static_cast<std::size_t>(q)],
                                       schedule_.key_layout[static_cast<std::size_t>(k)]) *
                         schedule_.query_heads;
    Index found = 0;
    if (value.coverage) {
      found = queries ? value.coverage->covered(piece, 0, schedule_.query_heads, other)
                      : value.coverage->covered_of_keys(piece, 0, schedule_.kv_heads, other);
    }
    if (found == wanted) return;
    report(Fault::missed_tile, rank, -1, buffer_name(rank, buffer),
           fmt::format("q{} x kv{}: {} of {} visible pairs x heads are missing", q, k,
                       wanted - found, wanted));
  }

  const Schedule& schedule_;
  const Mask& mask_;
  std::vector<RankState> ranks_;
  std::vector<Finding> findings_;
  bool too_many_reported_ = false;
};

}  // namespace

const char* name(Fault fault) {
  switch (fault) {
    case Fault::bad_reference:
      return "bad reference";
    case Fault::wrong_quantity:
      return "wrong quantity";
    case Fault::empty_buffer:
      return "empty buffer";
    case Fault::read_before_arrival:
      return "read before arrival";
    case Fault::overwritten_in_use:
      return "overwritten in use";
    case Fault::wrong_content:
      return "wrong content";
    case Fault::unmatched_send:
      return "unmatched send";
    case Fault::unmatched_receive:
      return "unmatched receive";
    case Fault::never_waited:
      return "never waited for";
    case Fault::deadlock:
      return "deadlock";
    case Fault::missed_tile:
      return "missed tile";
    case Fault::repeated_tile:
      return "repeated tile";
    case Fault::too_many_blocks:
      return "too many blocks";
    case Fault::not_home:
      return "not home";
  }
  return "?";
}

std::vector<Finding> check(const Schedule& schedule, const Mask& mask) {
  // What does not even refer to something, or has no partner, cannot be run.
  if (auto findings = check_references(schedule); !findings.empty()) return findings;
  if (auto findings = check_pairing(schedule); !findings.empty()) return findings;
  return Checker(schedule, mask).run();
}

}  // namespace ringlab
