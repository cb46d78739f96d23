#include "ringlab/reference/execute/program.hpp"

#include <fmt/format.h>

#include <ctime>

#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/schedule/parts.hpp"

namespace ringlab {
namespace {

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Starts when it is made, on the clock of traces and on that of this thread's work.
struct Stopwatch {
  std::int64_t start_nanoseconds = now_nanoseconds();
  double start_cpu_seconds = thread_cpu_seconds();
  double cpu_seconds() const { return thread_cpu_seconds() - start_cpu_seconds; }
};

// One move as it is called in the trace.
struct NamedMove {
  int peer;
  Content content;
};

// An exchange or collective that was begun.
template <class T>
struct Begun {
  Communicator::Ticket ticket;
  int hop;
  std::vector<NamedMove> sends, receives;
  const Collective* collective = nullptr;  // if its parts are summed at the end:
  std::vector<Stored<T>> parts;            // ... as they arrive, in the order of `receives`
};

template <class T>
class Interpreter {
 public:
  Interpreter(const Schedule& schedule, const AttentionRule& rule, ProgramInputs<T> inputs,
              Communicator& communicator, const ProgramOptions& options)
      : schedule_(schedule),
        rule_(rule),
        communicator_(communicator),
        options_(options),
        rank_(communicator.rank()),
        program_(schedule.rank(rank_)),
        held_(schedule, rank_),
        collectives_(schedule),
        buffers_(program_.buffers.size()),
        kept_(program_.buffers.size(), 0) {
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      const ContentId content = program_.buffers[b].initially;
      if (content != kNothing) buffers_[b] = initial(schedule.content(content), inputs);
    }
  }

  ProgramResult<T> run() {
    measure_memory();
    for (const Step& step : program_.steps) {
      std::visit([&](const auto& action) { run(step, action); }, step.action);
      measure_memory();
    }
    take(program_.partial, Quantity::partial, result_.partial);
    take(program_.query_gradient, Quantity::query_gradient, result_.query_gradient);
    take(program_.key_value_gradient, Quantity::key_value_gradient, result_.key_value_gradient);
    return std::move(result_);
  }

 private:
  Stored<T> initial(const Content& content, ProgramInputs<T>& inputs) {
    const auto found = inputs.find(content.quantity);
    RINGLAB_ENSURE(found != inputs.end(), "every quantity that a program starts from is given");
    Stored<T> part;
    shape_as(schedule_, content, part);
    copy_common(schedule_, own_shard(schedule_, content.quantity, rank_), found->second, content,
                part);
    return part;
  }

  // Puts a result together from the buffers that hold it.
  void take(const std::vector<BufferId>& buffers, Quantity quantity, Stored<T>& result) {
    if (buffers.empty()) return;
    const Content own = own_shard(schedule_, quantity, rank_);
    if (buffers.size() == 1 && held_.of(buffers[0]) == own) {
      result = std::move(stored(buffers[0]));
      return;
    }
    shape_as(schedule_, own, result);
    for (const BufferId b : buffers) copy_common(schedule_, content(b), stored(b), own, result);
  }

  Stored<T>& stored(BufferId buffer) { return buffers_[static_cast<std::size_t>(buffer)]; }
  template <class Kind>
  Kind& as(BufferId buffer) {
    Kind* value = std::get_if<Kind>(&stored(buffer));
    RINGLAB_ENSURE(value && held_.of(buffer), "a step reads a buffer of the right kind");
    return *value;
  }
  const Content& content(BufferId buffer) const { return *held_.of(buffer); }

  // Takes the effect of a step whose results go into `targets`: empty ones start from the identity.
  void open_results(const Step& step, std::initializer_list<BufferId> targets) {
    std::vector<BufferId> empty;
    for (const BufferId target : targets) {
      if (!held_.of(target)) empty.push_back(target);
    }
    held_.apply(step);
    for (const BufferId target : empty) {
      shape_as(schedule_, content(target), stored(target));
      set_to_identity(stored(target));
    }
  }

  QueryTile<T> query_tile(BufferId buffer, const Positions& positions) {
    return {as<Tensor<T>>(buffer), positions, content(buffer).first_head};
  }
  KeyValueTile<T> key_value_tile(BufferId buffer, const Positions& positions) {
    return {as<KeyValue<T>>(buffer), positions, content(buffer).first_head};
  }

  const Arithmetic& arithmetic() const {
    static const Arithmetic right;
    return options_.arithmetic ? *options_.arithmetic : right;
  }
  TilePlace place(const Step& step, BufferId query, BufferId key_value) const {
    return {schedule_, rank_, step.hop, content(query), content(key_value)};
  }

  void run(const Step& step, const Attend& a) {
    open_results(step, {a.partial});
    const Positions queries = schedule_.tokens_of(content(a.query));
    const Positions keys = schedule_.tokens_of(content(a.key_value));
    const Stopwatch watch;
    arithmetic().tile(AttendCall<T>{place(step, a.query, a.key_value), rule_,
                                    query_tile(a.query, queries), key_value_tile(a.key_value, keys),
                                    as<Partial<T>>(a.partial), options_.kernel});
    computed(step, a.query, a.key_value, visible_pairs(rule_.mask, queries, keys), watch);
  }

  void run(const Step& step, const AttendBackward& a) {
    open_results(step, {a.query_gradient, a.key_value_gradient});
    const Positions queries = schedule_.tokens_of(content(a.query));
    const Positions keys = schedule_.tokens_of(content(a.key_value));
    const Stopwatch watch;
    arithmetic().tile(AttendBackwardCall<T>{
        place(step, a.query, a.key_value), rule_, query_tile(a.query, queries),
        as<Tensor<T>>(a.output_gradient), as<RowStatistics<T>>(a.row_statistics),
        key_value_tile(a.key_value, keys), as<Tensor<T>>(a.query_gradient),
        as<KeyValue<T>>(a.key_value_gradient), options_.kernel});
    computed(step, a.query, a.key_value, visible_pairs(rule_.mask, queries, keys), watch);
  }

  Send send_of(int peer, const Content& whole, BufferId buffer, const Content& part) {
    Send send{peer, {}, label(schedule_, part)};
    for (const std::span<std::byte> range : part_bytes(schedule_, whole, stored(buffer), part)) {
      send.parts.push_back(range);
      result_.counts.bytes_sent += static_cast<Index>(range.size());
    }
    ++result_.counts.messages_sent;
    return send;
  }

  Receive receive_of(int peer, const Content& whole, Stored<T>& into, const Content& part) {
    Receive receive{peer, part_bytes(schedule_, whole, into, part), label(schedule_, part)};
    for (const std::span<std::byte> range : receive.parts) {
      result_.counts.bytes_received += static_cast<Index>(range.size());
    }
    return receive;
  }

  void run(const Step& step, const Exchange& exchange) {
    held_.apply(step);
    std::vector<Send> sends;
    std::vector<Receive> receives;
    Begun<T> begun{0, step.hop, {}, {}, nullptr, {}};
    for (const Move& move : exchange.sends) {
      const Content& content = schedule_.content(move.content);
      sends.push_back(send_of(move.peer, content, move.buffer, content));
      begun.sends.push_back({move.peer, content});
    }
    for (const Move& move : exchange.receives) {
      const Content& content = schedule_.content(move.content);
      shape_as(schedule_, content, stored(move.buffer));
      receives.push_back(receive_of(move.peer, content, stored(move.buffer), content));
      begun.receives.push_back({move.peer, content});
    }
    begun.ticket = communicator_.begin(step.hop, std::move(sends), std::move(receives));
    begun_.emplace(exchange.id, std::move(begun));
  }

  void run(const Step& step, const Collective& c) {
    held_.apply(step);
    const CollectiveMoves moves = collectives_.moves(rank_, c);
    const Content& in = schedule_.content(c.sends);
    const Content& out = schedule_.content(c.receives);
    shape_as(schedule_, out, stored(c.out));
    Begun<T> begun{0, step.hop, {}, {}, moves.reduces ? &c : nullptr, {}};
    std::vector<Send> sends;
    std::vector<Receive> receives;
    for (const PartMove& move : moves.sends) {
      sends.push_back(send_of(move.peer, in, c.in, move.part));
      begun.sends.push_back({move.peer, move.part});
    }
    begun.parts.resize(moves.reduces ? moves.receives.size() : 0);
    for (std::size_t m = 0; m < moves.receives.size(); ++m) {
      const PartMove& move = moves.receives[m];
      if (moves.reduces) {
        shape_as(schedule_, move.part, begun.parts[m]);
        receives.push_back(receive_of(move.peer, move.part, begun.parts[m], move.part));
      } else {
        receives.push_back(receive_of(move.peer, out, stored(c.out), move.part));
      }
      begun.receives.push_back({move.peer, move.part});
    }
    if (moves.reduces) {
      set_to_identity(stored(c.out));
    } else if (moves.own) {
      copy_common(schedule_, in, stored(c.in), out, stored(c.out));
    }
    begun.ticket = communicator_.begin(step.hop, std::move(sends), std::move(receives));
    begun_.emplace(c.id, std::move(begun));
  }

  void run(const Step&, const Wait& wait) {
    auto found = begun_.find(wait.id);
    RINGLAB_ENSURE(found != begun_.end(), "only what was begun is waited for");
    Begun<T>& begun = found->second;
    const GroupTiming timing = communicator_.wait(begun.ticket);
    moved(begun.hop, Lane::send, begun.sends, timing.sends);
    moved(begun.hop, Lane::receive, begun.receives, timing.receives);
    if (begun.collective) add_parts(begun);
    begun_.erase(found);
  }

  // Sums what the members brought, in the order of the group, so that every run gives the same
  // bits.
  void add_parts(Begun<T>& begun) {
    const Collective& c = *begun.collective;
    const Content& out = schedule_.content(c.receives);
    for (const int member : c.group) {
      if (member == rank_) {
        add_common(schedule_, schedule_.content(c.sends), stored(c.in), out, stored(c.out));
      }
      for (std::size_t m = 0; m < begun.receives.size(); ++m) {
        if (begun.receives[m].peer != member) continue;
        add_common(schedule_, begun.receives[m].content, begun.parts[m], out, stored(c.out));
      }
    }
  }

  void run(const Step& step, const Merge& m) {
    open_results(step, {m.into});
    merge(as<Partial<T>>(m.from), as<Partial<T>>(m.into));
  }

  void run(const Step& step, const Accumulate& a) {
    open_results(step, {a.into});
    const auto from = tensors_of(stored(a.from)), into = tensors_of(stored(a.into));
    for (std::size_t t = 0; t < from.size(); ++t) {
      RINGLAB_ENSURE(from[t]->same_shape(*into[t]), "gradients that are added have one shape");
      for (Index i = 0; i < from[t]->size(); ++i) into[t]->data()[i] += from[t]->data()[i];
    }
  }

  void run(const Step& step, const Release& r) {
    held_.apply(step);
    stored(r.buffer) = Stored<T>{};
  }

  void computed(const Step& step, BufferId query, BufferId key_value, Index pairs,
                const Stopwatch& watch) {
    const double flops =
        static_cast<double>(pairs) * flops_per_pair(schedule_) * content(query).heads;
    result_.events.push_back({rank_, Lane::compute,
                              fmt::format("attend {} x {}", label(schedule_, content(query)),
                                          label(schedule_, content(key_value))),
                              watch.start_nanoseconds, now_nanoseconds(), step.hop, 0, flops});
    if (options_.observer) options_.observer({rank_, step.hop, watch.cpu_seconds()});
  }

  void moved(int hop, Lane lane, const std::vector<NamedMove>& moves,
             const std::vector<MoveTiming>& timings) {
    for (std::size_t m = 0; m < moves.size(); ++m) {
      const Content& content = moves[m].content;
      result_.events.push_back({rank_, lane,
                                fmt::format("{} {} rank {}", label(schedule_, content),
                                            lane == Lane::send ? "to" : "from", moves[m].peer),
                                timings[m].start_nanoseconds, timings[m].end_nanoseconds, hop,
                                bytes_of(schedule_, content, {sizeof(T), sizeof(T)}), 0});
    }
  }

  // A buffer keeps the memory of the largest thing it has held until it is released.
  void measure_memory() {
    Index all = 0, key_value = 0;
    for (auto& [id, begun] : begun_) {
      for (Stored<T>& part : begun.parts) all += bytes_held(part);
    }
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      const std::optional<Content>& content = held_.of(static_cast<BufferId>(b));
      kept_[b] = content ? std::max(kept_[b], bytes_held(buffers_[b])) : 0;
      all += kept_[b];
      if (content && content->quantity == Quantity::key_value) key_value += kept_[b];
    }
    result_.counts.peak_bytes = std::max(result_.counts.peak_bytes, all);
    result_.counts.peak_key_value_bytes = std::max(result_.counts.peak_key_value_bytes, key_value);
  }

  const Schedule& schedule_;
  const AttentionRule& rule_;
  Communicator& communicator_;
  const ProgramOptions& options_;
  int rank_;
  const RankProgram& program_;
  Holdings held_;
  CollectiveIndex collectives_;
  std::vector<Stored<T>> buffers_;
  std::vector<Index> kept_;  // bytes of memory behind each buffer
  std::map<int, Begun<T>> begun_;
  ProgramResult<T> result_;
};

}  // namespace

template <class T>
ProgramResult<T> run_program(const Schedule& schedule, const AttentionRule& rule,
                             ProgramInputs<T> inputs, Communicator& communicator,
                             const ProgramOptions& options) {
  RINGLAB_ENSURE(communicator.size() == schedule.size(), "one rank for each program");
  Interpreter<T> interpreter(schedule, rule, std::move(inputs), communicator, options);
  try {
    return interpreter.run();
  } catch (const std::exception& error) {
    communicator.abort(error.what());  // nobody shall wait for a rank that has stopped
    throw;
  }
}

#define RINGLAB_INSTANTIATE(T)                                                    \
  template ProgramResult<T> run_program<T>(const Schedule&, const AttentionRule&, \
                                           ProgramInputs<T>, Communicator&,       \
                                           const ProgramOptions&);
RINGLAB_INSTANTIATE(float)
RINGLAB_INSTANTIATE(double)
#undef RINGLAB_INSTANTIATE

}  // namespace ringlab
