#include "ringlab/sim/run/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ringlab/reference/core/philox.hpp"
#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab::detail {

using engine::Id;
using engine::kNone;
using engine::OpKind;

namespace {

constexpr std::size_t at(int id) {
  return static_cast<std::size_t>(id);
}

Picoseconds picoseconds(double seconds) {
  // A longer time ends the run when it comes to it.
  return static_cast<Picoseconds>(std::llround(std::min(seconds * 1e12, 0x1p62)));
}

// A standard normal number of (seed, rank, operation): the same for any order of events.
double standard_normal(std::uint64_t seed, int rank, std::size_t operation) {
  const auto words = philox(seed, {static_cast<std::uint32_t>(rank),
                                   static_cast<std::uint32_t>(operation), 0x6a697474u, 0});
  const double u = (words[0] + 0.5) * 0x1p-32, v = (words[1] + 0.5) * 0x1p-32;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

Index& part_of(MemoryParts& parts, Quantity quantity) {
  switch (quantity) {
    case Quantity::query:
      return parts.query;
    case Quantity::key_value:
      return parts.key_value;
    case Quantity::partial:
      return parts.partial;
    case Quantity::output_gradient:
      return parts.output_gradient;
    case Quantity::row_statistics:
      return parts.row_statistics;
    case Quantity::query_gradient:
      return parts.query_gradient;
    case Quantity::key_value_gradient:
      break;
  }
  return parts.key_value_gradient;
}

}  // namespace

// One rank's program.
class RankCompiler {
 public:
  RankCompiler(Compiler& out, const Schedule& schedule, int rank,
               const CollectiveIndex* collectives)
      : out_(out),
        options_(out.options_),
        work_(out.compiled_.work),
        schedule_(schedule),
        rank_(rank),
        collectives_(collectives),
        held_(schedule, rank),
        memory_(schedule.rank(rank).buffers.size()),
        result_(out.compiled_.ranks.emplace_back()) {
    for (const Straggler& s : options_.stragglers) {
      if (s.rank == rank) result_.straggler *= s.factor;
    }
  }

  void compile() {
    for (std::size_t b = 0; b < memory_.size(); ++b) measure(static_cast<BufferId>(b));
    peak();
    for (const Step& step : schedule_.rank(rank_).steps) {
      std::visit([&](const auto& action) { add(step, action); }, step.action);
      peak();
    }
    work_.first_op.push_back(static_cast<std::int64_t>(work_.ops.size()));
    out_.compiled_.compute.push_back(compute_);
    Picoseconds longest = 0;
    for (const Channel& channel : channels_) longest = std::max(longest, channel.alone);
    out_.compiled_.channels.push_back(longest);
  }

 private:
  struct Channel {
    int number;
    Id id;
    Picoseconds alone = 0;
  };
  struct Memory {
    Index bytes = 0;
    Quantity quantity = Quantity::query;
  };
  struct Known {  // a pairing that this rank has used: few, so that a list is fastest
    int peer, channel, collective;
    bool sending;
    Compiler::Pairing* pairing;
  };

  void add(const Step& step, const Attend& a) {
    held_.apply(step);
    measure(a.partial);
    tile(step, a.query, a.key_value);
  }

  void add(const Step& step, const AttendBackward& a) {
    held_.apply(step);
    measure(a.query_gradient);
    measure(a.key_value_gradient);
    tile(step, a.query, a.key_value);
  }

  void add(const Step& step, const Exchange& e) {
    held_.apply(step);
    Channel& channel = open_group(step, e.id, e.channel);
    Picoseconds slowest = 0;
    int turn = 0;
    for (const Move& move : e.sends) {
      const Content& content = schedule_.content(move.content);
      slowest = std::max(slowest, send(step, move.peer, e.channel, kNone, content, turn++));
    }
    for (const Move& move : e.receives) {
      const Content& content = schedule_.content(move.content);
      slowest = std::max(slowest, receive(step, move.peer, e.channel, kNone, content));
      measure(move.buffer);
    }
    channel.alone += slowest;
    close_group();
  }

  void add(const Step& step, const Collective& c) {
    RINGLAB_ENSURE(collectives_, "collectives are compiled with an index of all ranks");
    held_.apply(step);
    measure(c.out);
    const CollectiveMoves moves = collectives_->moves(rank_, c);
    Channel& channel = open_group(step, c.id, c.channel);
    Picoseconds slowest = 0;
    // Each member begins with the one after it, so that no receiver is everybody's first.
    const auto seat = [&](int rank) {
      return std::find(c.group.begin(), c.group.end(), rank) - c.group.begin();
    };
    const auto size = static_cast<std::ptrdiff_t>(c.group.size()), own = seat(rank_);
    std::vector<const PartMove*> sends(c.group.size()), receives(c.group.size());
    for (const PartMove& m : moves.sends) {
      sends[static_cast<std::size_t>((seat(m.peer) - own + size) % size)] = &m;
    }
    for (const PartMove& m : moves.receives) {
      receives[static_cast<std::size_t>((own - seat(m.peer) + size) % size)] = &m;
    }
    Index reduced = 0;
    for (std::size_t i = 0; i < c.group.size(); ++i) {
      if (sends[i]) {
        slowest = std::max(slowest, send(step, sends[i]->peer, c.channel, c.id, sends[i]->part,
                                         static_cast<int>(i)));
      }
      if (receives[i]) {
        slowest =
            std::max(slowest, receive(step, receives[i]->peer, c.channel, c.id, receives[i]->part));
        if (moves.reduces) reduced += wire_bytes_of(schedule_, receives[i]->part, options_.element);
      }
    }
    if (reduced > 0) waiting_parts_.push_back({c.id, reduced});
    waiting_ += reduced;
    channel.alone += slowest;
    close_group();
  }

  void add(const Step& step, const Wait& wait) {
    const auto found = at(wait.id) < groups_.size() && wait.id >= 0 ? groups_[at(wait.id)] : kNone;
    RINGLAB_ENSURE(found != kNone, "only what was begun is waited for");
    push({0, found, OpKind::wait}, {});
    const auto parts = std::find_if(waiting_parts_.begin(), waiting_parts_.end(),
                                    [&](const auto& p) { return p.first == wait.id; });
    if (parts == waiting_parts_.end()) return;
    waiting_ -= parts->second;
    fold(step, parts->second, "add parts");
    waiting_parts_.erase(parts);
  }

  void add(const Step& step, const Merge& m) {
    held_.apply(step);
    measure(m.into);
    const std::optional<Content>& from = held_.of(m.from);
    if (from) fold(step, bytes_of(schedule_, *from, options_.element), "merge");
  }

  void add(const Step& step, const Accumulate& a) {
    held_.apply(step);
    measure(a.into);
    const std::optional<Content>& from = held_.of(a.from);
    if (from) fold(step, bytes_of(schedule_, *from, options_.element), "add");
  }

  void add(const Step& step, const Release& r) {
    held_.apply(step);
    measure(r.buffer);
  }

  const Positions& tokens_of(const Content& content, Positions& made) const {
    const Layout& layout =
        is_of_queries(content.quantity) ? schedule_.query_layout : schedule_.key_layout;
    if (content.pieces.size() == 1) {
      const Piece& piece = content.pieces[0];
      const Positions& shard = layout[at(piece.shard)];
      if (piece.first == 0 && piece.count == shard.size()) return shard;
    }
    made = schedule_.tokens_of(content);
    return made;
  }

  void tile(const Step& step, BufferId query, BufferId key_value) {
    const std::optional<Content>&q = held_.of(query), &kv = held_.of(key_value);
    RINGLAB_ENSURE(q && kv, "a tile is computed from queries and blocks that are there");
    Positions q_made, kv_made;
    const Positions& queries = tokens_of(*q, q_made);
    const Positions& keys = tokens_of(*kv, kv_made);
    const Index pairs = visible_pairs(options_.mask, queries, keys);
    if (pairs == 0) return;
    const auto heads = static_cast<double>(q->heads);
    const AttentionTile tile{
        static_cast<double>(pairs) * heads,
        static_cast<double>(queries.size()) * static_cast<double>(keys.size()) * heads,
        static_cast<double>(queries.size()),
        static_cast<double>(keys.size()),
        q->heads,
        schedule_.head_dim,
        schedule_.backward};
    const double flops = tile.pair_heads * flops_per_pair(schedule_);
    result_.flops += flops;
    Label label;
    if (out_.labels_) {
      label = {fmt::format("attend {} x {}", ringlab::label(schedule_, *q),
                           ringlab::label(schedule_, *kv)),
               step.hop, flops};
    }
    compute(options_.attention.seconds(tile), std::move(label));
  }

  // Both operands are read and one is written.
  void fold(const Step& step, Index bytes, const char* what) {
    if (options_.free_folds) return;
    const double seconds =
        3 * static_cast<double>(bytes) / options_.cluster.gpu.memory_bytes_per_second;
    compute(seconds, {out_.labels_ ? what : "", step.hop, 0});
  }

  void compute(double seconds, Label label) {
    seconds *= result_.straggler;
    const Picoseconds steady = picoseconds(seconds);
    compute_ = std::min(compute_ + steady, kLatestTime);
    Picoseconds duration = steady;
    if (options_.jitter > 0) {
      const double draw = std::fabs(standard_normal(options_.seed, rank_, drawn_++));
      duration = std::max(steady, picoseconds(seconds * (1 + options_.jitter * draw)));
    }
    push({duration, kNone, OpKind::compute}, std::move(label));
  }

  void push(engine::Op op, Label label) {
    work_.ops.push_back(op);
    if (out_.labels_) out_.compiled_.ops.push_back(std::move(label));
  }

  Channel& open_group(const Step& step, int id, int channel) {
    const auto found = std::find_if(channels_.begin(), channels_.end(),
                                    [&](const Channel& c) { return c.number == channel; });
    Channel& used = found != channels_.end()
                        ? *found
                        : channels_.emplace_back(Channel{channel, work_.channels++});
    RINGLAB_ENSURE(id >= 0 && id < 1 << 24, "ids of exchanges are small");
    group_ = static_cast<Id>(work_.groups.size());
    if (groups_.size() <= at(id)) groups_.resize(std::max(at(id) + 1, 2 * groups_.size()), kNone);
    groups_[at(id)] = group_;
    work_.groups.push_back({rank_, used.id, static_cast<Id>(work_.group_messages.size()), 0});
    push({0, group_, OpKind::begin}, {"", step.hop, 0});
    return used;
  }

  void close_group() {
    engine::Group& group = work_.groups.back();
    group.messages = static_cast<Id>(work_.group_messages.size()) - group.first_message;
  }

  Compiler::Pairing& pairing(int peer, int channel, int collective, bool sending) {
    for (const Known& k : known_) {
      if (k.peer == peer && k.channel == channel && k.collective == collective &&
          k.sending == sending) {
        return *k.pairing;
      }
    }
    Compiler::Pairing& found =
        out_.pairing({sending ? rank_ : peer, sending ? peer : rank_, channel, collective});
    if (collective == kNone && known_.size() < 16) {
      known_.push_back({peer, channel, collective, sending, &found});
    }
    return found;
  }

  // The message of one end, made by whichever end is compiled first.
  Id message(Compiler::Pairing& pair, std::size_t number, Index bytes) {
    if (number == pair.messages.size()) {
      pair.messages.push_back(static_cast<Id>(work_.messages.size()));
      work_.messages.push_back({bytes, pair.path, kNone, kNone});
      if (out_.labels_) {
        out_.compiled_.sends.emplace_back();
        out_.compiled_.receives.emplace_back();
      }
    }
    const Id m = pair.messages[number];
    RINGLAB_ENSURE(work_.messages[at(m)].bytes == bytes,
                   "what is sent and what is to arrive have one size");
    work_.group_messages.push_back(m);
    return m;
  }

  // `turn` is its place among the sends of its group.
  Picoseconds send(const Step& step, int peer, int channel, int collective, const Content& content,
                   int turn) {
    const Index bytes = wire_bytes_of(schedule_, content, options_.element);
    Compiler::Pairing& pair = pairing(peer, channel, collective, true);
    const Id m = message(pair, pair.sent++, bytes);
    work_.messages[at(m)].sender = group_;
    work_.messages[at(m)].turn = turn;
    ++result_.messages_sent;
    result_.bytes_sent += bytes;
    if (out_.labels_) {
      out_.compiled_.sends[at(m)] = {
          fmt::format("{} to rank {}", ringlab::label(schedule_, content), peer), step.hop, 0};
    }
    return static_cast<Picoseconds>(static_cast<double>(bytes) * pair.first_link);
  }

  Picoseconds receive(const Step& step, int peer, int channel, int collective,
                      const Content& content) {
    const Index bytes = wire_bytes_of(schedule_, content, options_.element);
    Compiler::Pairing& pair = pairing(peer, channel, collective, false);
    const Id m = message(pair, pair.received++, bytes);
    work_.messages[at(m)].receiver = group_;
    ++result_.messages_received;
    result_.bytes_received += bytes;
    if (out_.labels_) {
      out_.compiled_.receives[at(m)] = {
          fmt::format("{} from rank {}", ringlab::label(schedule_, content), peer), step.hop, 0};
    }
    return static_cast<Picoseconds>(static_cast<double>(bytes) * pair.whole_path) + pair.latency;
  }

  // A buffer's memory is as large as the largest thing it has held since it was last released.
  void measure(BufferId buffer) {
    const std::optional<Content>& content = held_.of(buffer);
    Memory& memory = memory_[at(buffer)];
    part_of(parts_, memory.quantity) -= memory.bytes;
    total_ -= memory.bytes;
    memory.bytes =
        content ? std::max(memory.bytes, bytes_of(schedule_, *content, options_.element)) : 0;
    if (content) memory.quantity = content->quantity;
    part_of(parts_, memory.quantity) += memory.bytes;
    total_ += memory.bytes;
  }

  void peak() {
    if (total_ + waiting_ <= peak_) return;
    peak_ = total_ + waiting_;
    result_.memory = parts_;
    result_.memory.waiting = waiting_;
  }

  Compiler& out_;
  const SimOptions& options_;
  engine::Workload& work_;
  const Schedule& schedule_;
  int rank_;
  const CollectiveIndex* collectives_;
  Holdings held_;
  std::vector<Memory> memory_;
  RankResult& result_;
  MemoryParts parts_;
  Index total_ = 0, waiting_ = 0, peak_ = -1;
  std::vector<std::pair<int, Index>> waiting_parts_;  // collective, bytes
  std::vector<Channel> channels_;
  std::vector<Id> groups_;  // by id of exchange
  std::vector<Known> known_;
  Id group_ = kNone;
  Picoseconds compute_ = 0;
  std::size_t drawn_ = 0;
};

std::size_t Compiler::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = static_cast<std::uint32_t>(key.from);
  for (const int word : {key.to, key.channel, key.collective}) {
    h = (h ^ static_cast<std::uint32_t>(word)) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 29;
  }
  return static_cast<std::size_t>(h);
}

Compiler::Compiler(int ranks, const SimOptions& options, bool keep_labels)
    : options_(options), labels_(keep_labels), network_(options.cluster) {
  const int gpus = options.cluster.gpus();
  placement_ = options.placement;
  if (placement_.empty()) {
    for (int r = 0; r < ranks; ++r) placement_.push_back(r);
  }
  if (ranks > gpus) {
    throw InputError("ranks", std::to_string(ranks),
                     fmt::format("cluster {} has {} GPUs; give at most as many ranks, or a larger "
                                 "cluster",
                                 options.cluster.name, gpus));
  }
  std::vector<int> sorted = placement_;
  std::sort(sorted.begin(), sorted.end());
  if (static_cast<int>(sorted.size()) != ranks ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() ||
      (ranks > 0 && (sorted.front() < 0 || sorted.back() >= gpus))) {
    throw InputError(
        "placement", fmt::format("{} places", sorted.size()),
        fmt::format("give each of the {} ranks a GPU of its own, 0 to {}", ranks, gpus - 1));
  }
  for (const Straggler& s : options.stragglers) {
    if (s.rank < 0 || s.rank >= ranks) {
      throw InputError("straggler", fmt::format("rank={}", s.rank),
                       fmt::format("give a rank from 0 to {}", ranks - 1));
    }
    if (!(s.factor >= 1 && s.factor <= 1e6)) {
      throw InputError("straggler", fmt::format("x={:g}", s.factor),
                       "give a factor from 1 to 1000000: so many times slower");
    }
  }
  if (!(options.jitter >= 0 && options.jitter <= 10)) {
    throw InputError("jitter", fmt::format("{:g}", options.jitter), "give a share from 0 to 10");
  }
  const auto are_two_ranks = [&](int from, int to) {
    return from >= 0 && from < ranks && to >= 0 && to < ranks && from != to;
  };
  for (const SlowLink& slow : options.slow_links) {
    if (!are_two_ranks(slow.from_rank, slow.to_rank)) {
      throw InputError("slow_link", fmt::format("from={},to={}", slow.from_rank, slow.to_rank),
                       fmt::format("give two different ranks from 0 to {}", ranks - 1));
    }
    if (!(slow.factor >= 1 && slow.factor <= 1e6)) {
      throw InputError("slow_link", fmt::format("x={:g}", slow.factor),
                       "give a factor from 1 to 1000000: so many times slower");
    }
    const std::vector<std::int64_t> links =
        network_.path(placement_[at(slow.from_rank)], placement_[at(slow.to_rank)]);
    double& factor = slow_.try_emplace(links.front(), 1.0).first->second;
    factor *= slow.factor;
  }
  if (const std::optional<LinkLoss>& loss = options.link_loss) {
    if (!are_two_ranks(loss->from_rank, loss->to_rank)) {
      throw InputError("lose", fmt::format("from={},to={}", loss->from_rank, loss->to_rank),
                       fmt::format("give two different ranks from 0 to {}", ranks - 1));
    }
    if (!(loss->seconds >= 0 && loss->seconds <= 4e6)) {
      throw InputError("lose", fmt::format("at={:g}", loss->seconds),
                       "give a time in seconds from 0 to 4000000");
    }
    const engine::Id first = compiled_.work.path_links[static_cast<std::size_t>(
        compiled_.work.paths[at(path(loss->from_rank, loss->to_rank))].first_link)];
    compiled_.work.links[at(first)].lost_at = picoseconds(loss->seconds);
  }
}

void Compiler::add_rank(const Schedule& schedule, int rank, const CollectiveIndex* collectives) {
  RankCompiler(*this, schedule, rank, collectives).compile();
  if (compiled_.ranks.size() > 1) return;
  // Others are likely to be of the size of the first, as long as that is no bad guess of gigabytes.
  engine::Workload& work = compiled_.work;
  const auto reserve = [&](auto& list, std::size_t share) {
    const std::size_t all = list.size() * placement_.size() / share;
    if (all * sizeof(list[0]) < std::size_t{1} << 28) list.reserve(all + 1024);
  };
  reserve(work.ops, 1);
  reserve(work.messages, 2);  // those that come from others count twice
  reserve(work.groups, 1);
  reserve(work.group_messages, 1);
}

Compiler::Pairing& Compiler::pairing(const Key& key) {
  const auto [found, is_new] = pairings_.try_emplace(key);
  Pairing& pair = found->second;
  if (is_new) {
    RINGLAB_ENSURE(key.from != key.to && key.from >= 0 && key.to >= 0 &&
                       at(key.from) < placement_.size() && at(key.to) < placement_.size(),
                   "a message goes from one rank to another");
    pair.path = path(key.from, key.to);
    const engine::Path& p = compiled_.work.paths[at(pair.path)];
    const auto link_of = [&](int i) -> const engine::Link& {
      return compiled_.work
          .links[at(compiled_.work.path_links[static_cast<std::size_t>(p.first_link + i)])];
    };
    for (int i = 0; i < p.links; ++i) {
      const double cost = link_of(i).picoseconds_per_byte;
      pair.whole_path =
          p.store_and_forward ? pair.whole_path + cost : std::max(pair.whole_path, cost);
    }
    pair.first_link = p.store_and_forward ? link_of(0).picoseconds_per_byte : pair.whole_path;
    pair.latency = p.store_and_forward ? p.latency * p.links : p.latency;
  }
  return pair;
}

engine::Id Compiler::path(int from, int to) {
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
  const auto [found, is_new] =
      paths_.try_emplace(key, static_cast<Id>(compiled_.work.paths.size()));
  if (!is_new) return found->second;
  const int a = placement_[at(from)], b = placement_[at(to)];
  const std::vector<std::int64_t> links = network_.path(a, b);
  const Level& level = options_.cluster.levels[at(options_.cluster.level_between(a, b))];
  const double latencies = level.kind == LevelKind::torus && !level.store_and_forward
                               ? static_cast<double>(links.size())
                               : 1;
  compiled_.work.paths.push_back({static_cast<std::int64_t>(compiled_.work.path_links.size()),
                                  static_cast<std::int32_t>(links.size()), level.store_and_forward,
                                  picoseconds(level.link.latency_seconds * latencies)});
  for (const std::int64_t id : links) {
    const Id l = link(id);
    compiled_.work.path_links.push_back(l);
    const auto slow = slow_.find(id);
    compiled_.work.links[at(l)].picoseconds_per_byte =
        1e12 / level.link.bytes_per_second * (slow == slow_.end() ? 1.0 : slow->second);
    compiled_.work.links[at(l)].fair_share = level.fair_share;
  }
  return found->second;
}

engine::Id Compiler::link(std::int64_t id) {
  const auto [found, is_new] = links_.try_emplace(id, static_cast<Id>(compiled_.link_ids.size()));
  if (is_new) {
    compiled_.link_ids.push_back(id);
    compiled_.work.links.emplace_back();
  }
  return found->second;
}

Compiled Compiler::take() {
  for (const auto& [key, pair] : pairings_) {
    if (pair.sent == pair.received) continue;
    const bool unsent = pair.sent < pair.received;
    throw RunError(fmt::format("deadlock: rank {} {} {} messages {} rank {}, which {} {}",
                               unsent ? key.to : key.from, unsent ? "receives" : "sends",
                               unsent ? pair.received : pair.sent, unsent ? "from" : "to",
                               unsent ? key.from : key.to, unsent ? "sends" : "receives",
                               unsent ? pair.sent : pair.received));
  }
  return std::move(compiled_);
}

}  // namespace ringlab::detail
