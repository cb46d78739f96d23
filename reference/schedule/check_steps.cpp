#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/schedule/check_state.hpp"

namespace ringlab::detail {
namespace {

// Runs steps of one rank.
class Stepper {
 public:
  Stepper(CheckState& state, int rank) : state_(state), schedule_(state.schedule), rank_(rank) {}

  void run(const Step& step) {
    hop_ = step.hop;
    std::visit([&](const auto& action) { apply(action); }, step.action);
    count_blocks();
  }

  // False while something of it is not matched.
  bool finish(int hop, int id) {
    auto& operations = state_.rank(rank_).operations;
    const auto found = std::find_if(operations.begin(), operations.end(),
                                    [&](const Operation& o) { return o.id == id; });
    if (found == operations.end()) {
      state_.report(Fault::bad_reference, rank_, hop, "", fmt::format("waits twice for {}", id));
      return true;
    }
    if (!found->done()) return false;
    for (const PendingMove& send : found->sends) --slot(send.buffer).sends_in_flight;
    for (const PendingMove& receive : found->receives) slot(receive.buffer).arriving.reset();
    if (found->collective) {
      const Collective& c = *state_.collectives.find(rank_, id);
      --slot(c.in).sends_in_flight;
      slot(c.out).arriving.reset();
    }
    operations.erase(found);
    return true;
  }

  void count_blocks() {
    Index largest = 0, alive = 0;
    for (const Positions& shard : schedule_.key_layout) largest = std::max(largest, shard.size());
    for (const Slot& s : state_.rank(rank_).slots) {
      const Content* content = s.arriving ? &*s.arriving : s.value ? &s.value->content : nullptr;
      if (!content || content->quantity != Quantity::key_value) continue;
      alive += schedule_.token_count(*content) * content->heads;
    }
    const Index block = largest * schedule_.kv_heads;
    if (alive <= schedule_.key_value_blocks * block || state_.too_many_blocks_reported) return;
    state_.too_many_blocks_reported = true;
    state_.report(Fault::too_many_blocks, rank_, hop_, "",
                  fmt::format("{} key/value tokens x heads are alive, {} blocks of {} are promised",
                              alive, schedule_.key_value_blocks, block));
  }

 private:
  Slot& slot(BufferId buffer) { return state_.slot(rank_, buffer); }
  std::string label_of(const Content& content) const { return label(schedule_, content); }
  void report(Fault fault, BufferId buffer, const std::string& what) {
    state_.report(fault, rank_, hop_, state_.buffer_name(rank_, buffer), what);
  }

  // A buffer that a step reads, or null after a finding.
  Value* readable(BufferId buffer, std::initializer_list<Quantity> wanted) {
    Slot& s = slot(buffer);
    if (s.arriving) {
      report(Fault::read_before_arrival, buffer, "read while its receive is under way");
      return nullptr;
    }
    if (!s.value) {
      report(Fault::empty_buffer, buffer, "read while it holds nothing");
      return nullptr;
    }
    const Quantity held = s.value->content.quantity;
    if (std::find(wanted.begin(), wanted.end(), held) == wanted.end()) {
      report(Fault::wrong_quantity, buffer,
             fmt::format("holds {}, where {} is wanted", name(held), name(*wanted.begin())));
      return nullptr;
    }
    return &*s.value;
  }

  bool writable(BufferId buffer) {
    const Slot& s = slot(buffer);
    if (s.sends_in_flight == 0 && !s.arriving) return true;
    report(Fault::overwritten_in_use, buffer,
           s.arriving ? "written while a receive into it is under way"
                      : "written while a send of it is under way");
    return false;
  }

  // The result that a step adds to; an empty buffer starts as the identity.
  Value* result(BufferId buffer, Quantity quantity, const Content& like) {
    if (!writable(buffer)) return nullptr;
    Slot& s = slot(buffer);
    Content content = like;
    content.quantity = quantity;
    if (!s.value) s.value = Value{content, std::nullopt};
    if (s.value->content != content) {
      report(Fault::wrong_content, buffer,
             fmt::format("holds {}, where {} is added", label_of(s.value->content),
                         label_of(content)));
      return nullptr;
    }
    if (!s.value->coverage) s.value->coverage.emplace(schedule_, state_.mask);
    return &*s.value;
  }

  void add_tile(BufferId buffer, Value* into, const Content& query, const Content& key_value) {
    if (into && !into->coverage->add(query, key_value)) {
      report(Fault::repeated_tile, buffer,
             fmt::format("{} x {} is folded in twice", label_of(query), label_of(key_value)));
    }
  }

  // Every query head finds its key/value head in the block.
  bool heads_fit(BufferId buffer, const Content& query, const Content& block) {
    const int group = schedule_.query_heads / schedule_.kv_heads;
    const int first = query.first_head / group;
    const int last = (query.first_head + std::max(query.heads, 1) - 1) / group;
    if (first >= block.first_head && last < block.first_head + block.heads) return true;
    report(Fault::wrong_content, buffer,
           fmt::format("{} lacks the key/value heads of {}", label_of(block), label_of(query)));
    return false;
  }

  void apply(const Attend& a) {
    const Value* q = readable(a.query, {Quantity::query});
    const Value* kv = readable(a.key_value, {Quantity::key_value});
    if (!q || !kv || !heads_fit(a.key_value, q->content, kv->content)) return;
    add_tile(a.partial, result(a.partial, Quantity::partial, q->content), q->content, kv->content);
  }

  void apply(const AttendBackward& g) {
    const Value* q = readable(g.query, {Quantity::query});
    const Value* dout = readable(g.output_gradient, {Quantity::output_gradient});
    const Value* statistics = readable(g.row_statistics, {Quantity::row_statistics});
    const Value* kv = readable(g.key_value, {Quantity::key_value});
    if (!q || !dout || !statistics || !kv) return;
    if (!heads_fit(g.key_value, q->content, kv->content)) return;
    for (const auto& [value, buffer] :
         {std::pair{dout, g.output_gradient}, std::pair{statistics, g.row_statistics}}) {
      Content wanted = q->content;
      wanted.quantity = value->content.quantity;
      if (value->content == wanted) continue;
      report(Fault::wrong_content, buffer,
             fmt::format("{} does not go with {}", label_of(value->content), label_of(q->content)));
      return;
    }
    add_tile(g.query_gradient, result(g.query_gradient, Quantity::query_gradient, q->content),
             q->content, kv->content);
    add_tile(g.key_value_gradient,
             result(g.key_value_gradient, Quantity::key_value_gradient, kv->content), q->content,
             kv->content);
  }

  void apply(const Merge& m) { fold(m.from, m.into, {Quantity::partial}); }
  void apply(const Accumulate& a) {
    fold(a.from, a.into, {Quantity::query_gradient, Quantity::key_value_gradient});
  }

  void fold(BufferId from, BufferId into, std::initializer_list<Quantity> wanted) {
    const Value* source = readable(from, wanted);
    if (!source) return;
    Value* target = result(into, source->content.quantity, source->content);
    if (target && source->coverage && !target->coverage->add(*source->coverage)) {
      report(
          Fault::repeated_tile, into,
          fmt::format("'{}' brings tiles that are there already", state_.buffer_name(rank_, from)));
    }
  }

  // A buffer that is sent from: it holds what is said.
  void begin_send(BufferId buffer, const Content& said) {
    const Value* value = readable(buffer, {said.quantity});
    if (value && value->content != said) {
      report(
          Fault::wrong_content, buffer,
          fmt::format("holds {}, but {} is to be sent", label_of(value->content), label_of(said)));
    }
    ++slot(buffer).sends_in_flight;
  }

  void apply(const Exchange& exchange) {
    Operation operation{exchange.id, hop_, exchange.channel, false, {}, {}};
    for (const Move& move : exchange.sends) {
      const Content& content = schedule_.content(move.content);
      begin_send(move.buffer, content);
      operation.sends.push_back({move.peer, move.buffer, content, hop_});
    }
    for (const Move& move : exchange.receives) {
      const Content& content = schedule_.content(move.content);
      writable(move.buffer);
      slot(move.buffer).arriving = content;
      operation.receives.push_back({move.peer, move.buffer, content, hop_});
    }
    state_.rank(rank_).operations.push_back(std::move(operation));
  }

  void apply(const Collective& c) {
    begin_send(c.in, schedule_.content(c.sends));
    writable(c.out);
    Slot& out = slot(c.out);
    const Content& content = schedule_.content(c.receives);
    out.arriving = content;
    out.value = Value{content, std::nullopt};
    const CollectiveMoves moves = state_.collectives.moves(rank_, c);
    const std::optional<Value>& in = slot(c.in).value;
    if (moves.own && in && in->coverage) {
      out.value->coverage.emplace(in->coverage->restricted(*moves.own));
    }
    Operation operation{c.id, hop_, c.channel, true, {}, {}};
    for (const PartMove& m : moves.sends) {
      ++slot(c.in).sends_in_flight;
      operation.sends.push_back({m.peer, c.in, m.part, hop_});
    }
    for (const PartMove& m : moves.receives) {
      operation.receives.push_back({m.peer, c.out, m.part, hop_});
    }
    state_.rank(rank_).operations.push_back(std::move(operation));
  }

  void apply(const Wait&) {}  // advance() does it

  void apply(const Release& r) {
    if (writable(r.buffer)) slot(r.buffer).value.reset();
  }

  CheckState& state_;
  const Schedule& schedule_;
  int rank_;
  int hop_ = 0;
};

}  // namespace

void start_ranks(CheckState& state) {
  for (int r = 0; r < state.schedule.size(); ++r) {
    RankState rank;
    for (const Buffer& buffer : state.schedule.rank(r).buffers) {
      rank.slots.emplace_back();
      if (buffer.initially == kNothing) continue;
      rank.slots.back().value = Value{state.schedule.content(buffer.initially), std::nullopt};
    }
    state.ranks.push_back(std::move(rank));
    Stepper(state, r).count_blocks();
  }
}

bool advance(CheckState& state, int rank) {
  bool moved = false;
  const std::vector<Step>& steps = state.schedule.rank(rank).steps;
  while (!state.finished(rank)) {
    const Step& step = steps[state.rank(rank).next_step];
    Stepper stepper(state, rank);
    if (const auto* wait = std::get_if<Wait>(&step.action)) {
      if (!stepper.finish(step.hop, wait->id)) return moved;
    } else {
      stepper.run(step);
    }
    ++state.rank(rank).next_step;
    moved = true;
  }
  return moved;
}

}  // namespace ringlab::detail
