#include "ringlab/reference/execute/program.hpp"

#include <fmt/format.h>

#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/reference/schedule/ledger.hpp"

namespace ringlab {
namespace {

// An exchange that was begun: what its moves are called in the trace.
struct Begun {
  Communicator::Ticket ticket;
  int hop;
  const Exchange* exchange;
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
        buffers_(program_.buffers.size()) {
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
    const auto take = [&](BufferId buffer, Stored<T>& result) {
      if (buffer >= 0) result = std::move(stored(buffer));
    };
    take(program_.partial, result_.partial);
    take(program_.query_gradient, result_.query_gradient);
    take(program_.key_value_gradient, result_.key_value_gradient);
    return std::move(result_);
  }

 private:
  Stored<T> initial(const Content& content, ProgramInputs<T>& inputs) {
    const auto found = inputs.find(content.quantity);
    RINGLAB_ENSURE(found != inputs.end(), "every quantity that a program starts from is given");
    return part_of_shard(schedule_, content, rank_, found->second);
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

  void run(const Step& step, const Attend& a) {
    open_results(step, {a.partial});
    const Positions queries = schedule_.tokens_of(content(a.query));
    const Positions keys = schedule_.tokens_of(content(a.key_value));
    const std::int64_t start = now_nanoseconds();
    attend(rule_, query_tile(a.query, queries), key_value_tile(a.key_value, keys),
           as<Partial<T>>(a.partial), options_.kernel);
    computed(step, a.query, a.key_value, visible_pairs(rule_.mask, queries, keys), start);
  }

  void run(const Step& step, const AttendBackward& a) {
    open_results(step, {a.query_gradient, a.key_value_gradient});
    const Positions queries = schedule_.tokens_of(content(a.query));
    const Positions keys = schedule_.tokens_of(content(a.key_value));
    const std::int64_t start = now_nanoseconds();
    attend_backward(rule_, query_tile(a.query, queries), as<Tensor<T>>(a.output_gradient),
                    as<RowStatistics<T>>(a.row_statistics), key_value_tile(a.key_value, keys),
                    as<Tensor<T>>(a.query_gradient), as<KeyValue<T>>(a.key_value_gradient),
                    options_.kernel);
    computed(step, a.query, a.key_value, visible_pairs(rule_.mask, queries, keys), start);
  }

  void run(const Step& step, const Exchange& exchange) {
    held_.apply(step);
    std::vector<Send> sends;
    std::vector<Receive> receives;
    for (const Move& move : exchange.sends) {
      Send send{move.peer, {}, label(schedule_, move.content)};
      for (const Tensor<T>* tensor : tensors_of(stored(move.buffer))) {
        send.parts.push_back(std::as_bytes(
            std::span<const T>(tensor->data(), static_cast<std::size_t>(tensor->size()))));
        result_.counts.bytes_sent += static_cast<Index>(send.parts.back().size());
      }
      ++result_.counts.messages_sent;
      sends.push_back(std::move(send));
    }
    for (const Move& move : exchange.receives) {
      shape_as(schedule_, schedule_.content(move.content), stored(move.buffer));
      Receive receive{move.peer, {}, label(schedule_, move.content)};
      for (Tensor<T>* tensor : tensors_of(stored(move.buffer))) {
        receive.parts.push_back(std::as_writable_bytes(
            std::span<T>(tensor->data(), static_cast<std::size_t>(tensor->size()))));
        result_.counts.bytes_received += static_cast<Index>(receive.parts.back().size());
      }
      receives.push_back(std::move(receive));
    }
    const Communicator::Ticket ticket =
        communicator_.begin(step.hop, std::move(sends), std::move(receives));
    begun_.emplace(exchange.id, Begun{ticket, step.hop, &exchange});
  }

  void run(const Step&, const Wait& wait) {
    const auto found = begun_.find(wait.exchange);
    RINGLAB_ENSURE(found != begun_.end(), "only an exchange that was begun is waited for");
    const Begun begun = found->second;
    begun_.erase(found);
    const GroupTiming timing = communicator_.wait(begun.ticket);
    moved(begun.hop, Lane::send, begun.exchange->sends, timing.sends);
    moved(begun.hop, Lane::receive, begun.exchange->receives, timing.receives);
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
                std::int64_t start) {
    const double flops =
        static_cast<double>(pairs) * flops_per_pair(schedule_) * content(query).heads;
    result_.events.push_back({rank_, Lane::compute,
                              fmt::format("attend {} x {}", label(schedule_, content(query)),
                                          label(schedule_, content(key_value))),
                              start, now_nanoseconds(), step.hop, 0, flops});
    if (options_.observer) options_.observer(rank_, step.hop);
  }

  void moved(int hop, Lane lane, const std::vector<Move>& moves,
             const std::vector<MoveTiming>& timings) {
    for (std::size_t m = 0; m < moves.size(); ++m) {
      const Content& content = schedule_.content(moves[m].content);
      result_.events.push_back({rank_, lane,
                                fmt::format("{} {} rank {}", label(schedule_, content),
                                            lane == Lane::send ? "to" : "from", moves[m].peer),
                                timings[m].start_nanoseconds, timings[m].end_nanoseconds, hop,
                                bytes_of(schedule_, content, {sizeof(T), sizeof(T)}), 0});
    }
  }

  void measure_memory() {
    Index all = 0, key_value = 0;
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      const std::optional<Content>& content = held_.of(static_cast<BufferId>(b));
      if (!content) continue;
      const Index bytes = bytes_held(buffers_[b]);
      all += bytes;
      if (content->quantity == Quantity::key_value) key_value += bytes;
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
  std::vector<Stored<T>> buffers_;
  std::map<int, Begun> begun_;
  ProgramResult<T> result_;
};

}  // namespace

template <class T>
ProgramResult<T> run_program(const Schedule& schedule, const AttentionRule& rule,
                             ProgramInputs<T> inputs, Communicator& communicator,
                             const ProgramOptions& options) {
  RINGLAB_ENSURE(communicator.size() == schedule.size(), "one rank for each program");
  try {
    return Interpreter<T>(schedule, rule, std::move(inputs), communicator, options).run();
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
