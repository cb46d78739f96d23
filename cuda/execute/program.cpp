#include "ringlab/cuda/execute/program.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

#include "ringlab/cuda/execute/nvtx_range.hpp"
#include "ringlab/cuda/execute/packer.hpp"
#include "ringlab/cuda/execute/program_memory.hpp"
#include "ringlab/cuda/kernels/arguments.hpp"
#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/reference/schedule/contents.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/schedule/parts.hpp"

namespace ringlab::cuda {
namespace {

// A tile on the compute stream, to be read off its events at the end.
struct TimedTile {
  int hop;
  std::string name;
  double flops;
  Event begin, end;
};

// An exchange or collective that was begun.
struct Begun {
  DeviceCommunicator::Ticket ticket;
  int hop;
  std::vector<WireEnd> sends, receives;
  const Collective* sums = nullptr;  // if its parts are added at the end
};

}  // namespace

class DeviceProgram::Interpreter {
 public:
  Interpreter(const Schedule& schedule, const AttentionRule& rule, ProgramInputs<float> inputs,
              DeviceCommunicator& communicator, const DeviceOptions& options)
      : schedule_(schedule),
        rule_(rule),
        communicator_(communicator),
        options_(options),
        kernels_(options.kernels ? *options.kernels : kernels_of(communicator.device())),
        rank_(communicator.rank()),
        program_(schedule.rank(rank_)),
        held_(supported(schedule), rank_),
        compute_(communicator.device(), fmt::format("compute of rank {}", rank_)),
        memory_(schedule, rule, rank_, options.type, compute_),
        packer_(schedule, options_, kernels_, memory_, compute_),
        collectives_(schedule),
        kept_(program_.buffers.size(), 0) {
    upload(inputs);
    measure_memory();
    clock_.emplace(compute_);
  }

  bool advance() {
    const std::size_t before = next_;
    while (next_ < program_.steps.size()) {
      const Step& step = program_.steps[next_];
      if (const auto* wait = std::get_if<Wait>(&step.action)) {
        if (!communicator_.launched(begun(*wait)->second.ticket)) break;
      }
      std::visit([&](const auto& action) { run(step, action); }, step.action);
      measure_memory();
      ++next_;
    }
    return next_ > before;
  }
  bool finished() const { return next_ == program_.steps.size(); }
  Index allocated_bytes() const { return memory_.allocated_bytes(); }

  ProgramResult<float> finish() {
    communicator_.synchronize(compute_);
    take(program_.partial, Quantity::partial, result_.partial);
    take(program_.query_gradient, Quantity::query_gradient, result_.query_gradient);
    take(program_.key_value_gradient, Quantity::key_value_gradient, result_.key_value_gradient);
    for (TimedTile& tile : tiles_) {
      result_.events.push_back({rank_, Lane::compute, std::move(tile.name), clock_->at(tile.begin),
                                clock_->at(tile.end), tile.hop, 0, tile.flops});
    }
    for (const Begun& group : waited_) {
      const GroupTiming timing = communicator_.timing(group.ticket, *clock_);
      moved(group.hop, Lane::send, group.sends, timing.sends);
      moved(group.hop, Lane::receive, group.receives, timing.receives);
    }
    return std::move(result_);
  }

 private:
  using BegunAt = std::map<int, Begun>::iterator;

  // Says what no kernel can do before memory is got for it.
  const Schedule& supported(const Schedule& schedule) const {
    kernels_.check_supported(
        attend_arguments(rule_, options_.type, 0, schedule.query_heads, 0, schedule.kv_heads),
        options_.rung_used());
    return schedule;
  }

  void upload(ProgramInputs<float>& inputs) {
    std::vector<std::vector<std::byte>> bytes;  // lives until it was read
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
      if (program_.buffers[b].initially == kNothing) continue;
      const Content& content = schedule_.content(program_.buffers[b].initially);
      const auto found = inputs.find(content.quantity);
      RINGLAB_ENSURE(found != inputs.end(), "every quantity that a program starts from is given");
      Stored<float> part;
      shape_as(schedule_, content, part);
      copy_common(schedule_, own_shard(schedule_, content.quantity, rank_), found->second, content,
                  part);
      bytes.push_back(to_device_bytes(shape_of(schedule_, content, options_.type), part));
      compute_.copy(CopyKind::to_device, memory_.buffer(static_cast<BufferId>(b)).data(),
                    bytes.back().data(), bytes.back().size());
    }
    compute_.synchronize();
  }

  // Puts a result together from the buffers that hold it.
  void take(const std::vector<BufferId>& buffers, Quantity quantity, Stored<float>& result) {
    if (buffers.empty()) return;
    const Content own = own_shard(schedule_, quantity, rank_);
    shape_as(schedule_, own, result);
    for (const BufferId b : buffers) {
      Stored<float> held = download(b);
      copy_common(schedule_, content(b), held, own, result);
    }
  }

  Stored<float> download(BufferId buffer) {
    std::vector<std::byte> bytes(shape(buffer).bytes);
    compute_.copy(CopyKind::to_host, bytes.data(), memory_.buffer(buffer).data(), bytes.size());
    compute_.synchronize();
    return from_device_bytes(schedule_, content(buffer), bytes);
  }

  const Content& content(BufferId buffer) const {
    RINGLAB_ENSURE(held_.of(buffer), "a step reads a buffer that holds something");
    return *held_.of(buffer);
  }
  Shape shape(BufferId buffer) const { return shape_of(schedule_, content(buffer), options_.type); }
  // One tensor of a buffer that holds the quantity.
  template <class T>
  T* part(BufferId buffer, Quantity quantity, std::size_t index) {
    RINGLAB_ENSURE(content(buffer).quantity == quantity, "a step reads a buffer of the right kind");
    return memory_.buffer(buffer).as<T>(shape(buffer).parts[index].offset_bytes);
  }
  StreamHandle stream() const { return compute_.handle(); }

  // Takes the effect of a step whose results go into `targets`: empty ones start from the identity.
  void open_results(const Step& step, std::initializer_list<BufferId> targets) {
    std::vector<BufferId> empty;
    for (const BufferId target : targets) {
      if (!held_.of(target)) empty.push_back(target);
    }
    held_.apply(step);
    for (const BufferId target : empty) set_to_identity(target);
  }

  void set_to_identity(BufferId target) {
    const Shape identity = shape(target);
    for (std::size_t p = 0; p < identity.parts.size(); ++p) {
      const bool lse = p == 1 && content(target).quantity == Quantity::partial;
      if (identity.parts[p].values == 0) continue;
      kernels_.fill(memory_.buffer(target).as<float>(identity.parts[p].offset_bytes),
                    lse ? -std::numeric_limits<float>::infinity() : 0, identity.parts[p].values,
                    stream());
    }
  }

  // What both passes know of a tile; the places are those of its contents.
  AttendArguments tile_arguments(BufferId query, BufferId key_value) {
    const Content &q = content(query), &kv = content(key_value);
    AttendArguments a =
        attend_arguments(rule_, options_.type, q.first_head, q.heads, kv.first_head, kv.heads);
    a.query = part<void>(query, Quantity::query, 0);
    a.keys = part<void>(key_value, Quantity::key_value, 0);
    a.values = part<void>(key_value, Quantity::key_value, 1);
    a.query_places = memory_.places(q);
    a.key_places = memory_.places(kv);
    a.alibi_slopes = memory_.alibi_slopes();
    return a;
  }

  template <class Launch>
  void timed_tile(const Step& step, BufferId query, BufferId key_value, Launch launch) {
    const Content &q = content(query), &kv = content(key_value);
    const Index pairs = visible_pairs(rule_.mask, schedule_.tokens_of(q), schedule_.tokens_of(kv));
    Device& device = communicator_.device();
    TimedTile tile{step.hop,
                   fmt::format("attend {} x {}", label(schedule_, q), label(schedule_, kv)),
                   static_cast<double>(pairs) * flops_per_pair(schedule_) * q.heads,
                   Event(device, "tile begins"), Event(device, "tile ends")};
    const NvtxRange range(fmt::format("hop {}: {}", step.hop, tile.name));
    compute_.record(tile.begin);
    // Nothing to see is nothing to launch: an empty shard, or a tile wholly behind the mask.
    if (pairs > 0) launch();
    compute_.record(tile.end);
    tiles_.push_back(std::move(tile));
  }

  void run(const Step& step, const Attend& a) {
    open_results(step, {a.partial});
    timed_tile(step, a.query, a.key_value, [&] {
      ForwardArguments f{tile_arguments(a.query, a.key_value)};
      f.out = part<float>(a.partial, Quantity::partial, 0);
      f.lse = part<float>(a.partial, Quantity::partial, 1);
      kernels_.attend_forward(f, options_.rung_used(), stream());
    });
  }

  void run(const Step& step, const AttendBackward& a) {
    open_results(step, {a.query_gradient, a.key_value_gradient});
    timed_tile(step, a.query, a.key_value, [&] {
      BackwardArguments b{tile_arguments(a.query, a.key_value)};
      b.output_gradient = part<void>(a.output_gradient, Quantity::output_gradient, 0);
      b.lse = part<float>(a.row_statistics, Quantity::row_statistics, 0);
      b.delta = part<float>(a.row_statistics, Quantity::row_statistics, 1);
      b.query_gradient = part<float>(a.query_gradient, Quantity::query_gradient, 0);
      b.key_gradient = part<float>(a.key_value_gradient, Quantity::key_value_gradient, 0);
      b.value_gradient = part<float>(a.key_value_gradient, Quantity::key_value_gradient, 1);
      kernels_.attend_backward(b, options_.rung_used(), stream());
    });
  }

  void run(const Step& step, const Exchange& exchange) {
    held_.apply(step);
    Begun group{0, step.hop, {}, {}};
    for (const Move& move : exchange.sends) {
      const Content& whole = schedule_.content(move.content);
      group.sends.push_back(packer_.send(move.peer, move.buffer, whole, whole));
    }
    for (const Move& move : exchange.receives) {
      const Content& whole = schedule_.content(move.content);
      group.receives.push_back(packer_.receive(move.peer, move.buffer, whole, whole, false));
    }
    begin(step, exchange.id, exchange.channel, std::move(group));
  }

  void run(const Step& step, const Collective& c) {
    held_.apply(step);
    const CollectiveMoves moves = collectives_.moves(rank_, c);
    const Content& in = schedule_.content(c.sends);
    const Content& out = schedule_.content(c.receives);
    Begun group{0, step.hop, {}, {}, moves.reduces ? &c : nullptr};
    for (const PartMove& move : moves.sends) {
      group.sends.push_back(packer_.send(move.peer, c.in, in, move.part));
    }
    for (const PartMove& move : moves.receives) {
      group.receives.push_back(packer_.receive(move.peer, c.out, out, move.part, moves.reduces));
    }
    if (moves.reduces) {
      set_to_identity(c.out);
    } else if (moves.own) {
      packer_.bring(c.in, in, c.out, out, false);
    }
    begin(step, c.id, c.channel, std::move(group));
  }

  void begin(const Step& step, int id, int channel, Begun group) {
    const NvtxRange range(fmt::format("hop {}: exchange", step.hop));
    std::vector<DeviceMessage> sends, receives;
    for (WireEnd& end : group.sends) {
      sends.push_back(packer_.message(end));
      result_.counts.bytes_sent += end.bytes;
      ++result_.counts.messages_sent;
    }
    for (WireEnd& end : group.receives) {
      receives.push_back(packer_.message(end));
      result_.counts.bytes_received += end.bytes;
    }
    group.ticket =
        communicator_.begin(step.hop, channel, std::move(sends), std::move(receives), compute_);
    begun_.emplace(id, std::move(group));
  }

  BegunAt begun(const Wait& wait) {
    const auto found = begun_.find(wait.id);
    RINGLAB_ENSURE(found != begun_.end(), "only what was begun is waited for");
    return found;
  }

  void run(const Step&, const Wait& wait) {
    const BegunAt found = begun(wait);
    Begun& group = found->second;
    communicator_.wait(group.ticket, compute_);
    if (group.sums) {
      add_parts(group);
    } else {
      for (WireEnd& end : group.receives) packer_.arrived(end, false);
    }
    for (std::vector<WireEnd>* ends : {&group.sends, &group.receives}) {
      for (WireEnd& end : *ends) packer_.done(end);
    }
    waited_.push_back(std::move(group));
    begun_.erase(found);
  }

  // Sums what the members brought, in the order of the group: the same bits on every run.
  void add_parts(Begun& group) {
    const Collective& c = *group.sums;
    for (const int member : c.group) {
      if (member == rank_) {
        packer_.bring(c.in, schedule_.content(c.sends), c.out, schedule_.content(c.receives), true);
      }
      for (WireEnd& end : group.receives) {
        if (end.peer == member) packer_.arrived(end, true);
      }
    }
  }

  void run(const Step& step, const Merge& m) {
    open_results(step, {m.into});
    RINGLAB_ENSURE(shape(m.from).bytes == shape(m.into).bytes, "partial results have one shape");
    const Index rows = shape(m.from).parts[1].values;
    if (rows == 0) return;
    kernels_.merge(part<float>(m.from, Quantity::partial, 0),
                   part<float>(m.from, Quantity::partial, 1),
                   part<float>(m.into, Quantity::partial, 0),
                   part<float>(m.into, Quantity::partial, 1), rows, schedule_.head_dim, stream());
  }

  void run(const Step& step, const Accumulate& a) {
    open_results(step, {a.into});
    const std::size_t bytes = shape(a.from).bytes;
    RINGLAB_ENSURE(bytes == shape(a.into).bytes, "gradients that are added have one shape");
    if (bytes == 0) return;
    kernels_.accumulate(memory_.buffer(a.from).as<float>(), memory_.buffer(a.into).as<float>(),
                        static_cast<Index>(bytes / sizeof(float)), stream());
  }

  void run(const Step& step, const Release& r) {
    held_.apply(step);
    // A CPU can afford to show who reads it all the same: NaN from here on.
    DeviceBuffer& buffer = memory_.buffer(r.buffer);
    if (!communicator_.device().is_gpu()) compute_.fill_bytes(buffer.data(), 0xff, buffer.bytes());
  }

  void moved(int hop, Lane lane, const std::vector<WireEnd>& ends,
             const std::vector<MoveTiming>& timings) {
    for (std::size_t m = 0; m < ends.size(); ++m) {
      result_.events.push_back({rank_, lane,
                                fmt::format("{} {} rank {}", label(schedule_, ends[m].part),
                                            lane == Lane::send ? "to" : "from", ends[m].peer),
                                timings[m].start_nanoseconds, timings[m].end_nanoseconds, hop,
                                ends[m].bytes, 0});
    }
  }

  // The bytes that the schedule needs at a time, as the ledger counts them; allocated_bytes() is
  // what it takes to have them all ready.
  void measure_memory() {
    Index all = 0, key_value = 0;
    for (const auto& [id, group] : begun_) {
      for (const WireEnd& end : group.receives) all += group.sums ? end.bytes : 0;
    }
    for (std::size_t b = 0; b < kept_.size(); ++b) {
      const auto id = static_cast<BufferId>(b);
      const std::optional<Content>& holds = held_.of(id);
      kept_[b] = holds ? std::max(kept_[b], static_cast<Index>(shape(id).bytes)) : 0;
      all += kept_[b];
      if (holds && holds->quantity == Quantity::key_value) key_value += kept_[b];
    }
    result_.counts.peak_bytes = std::max(result_.counts.peak_bytes, all);
    result_.counts.peak_key_value_bytes = std::max(result_.counts.peak_key_value_bytes, key_value);
  }

  const Schedule& schedule_;
  const AttentionRule& rule_;
  DeviceCommunicator& communicator_;
  const DeviceOptions options_;
  const KernelSet& kernels_;
  const int rank_;
  const RankProgram& program_;
  Holdings held_;
  Stream compute_;
  ProgramMemory memory_;
  Packer packer_;
  CollectiveIndex collectives_;
  std::optional<DeviceClock> clock_;
  std::vector<Index> kept_;  // bytes behind each buffer
  std::size_t next_ = 0;     // step
  std::map<int, Begun> begun_;
  std::vector<Begun> waited_;
  std::vector<TimedTile> tiles_;
  ProgramResult<float> result_;
};

DeviceProgram::DeviceProgram(const Schedule& schedule, const AttentionRule& rule,
                             ProgramInputs<float> inputs, DeviceCommunicator& communicator,
                             const DeviceOptions& options)
    : interpreter_(std::make_unique<Interpreter>(schedule, rule, std::move(inputs), communicator,
                                                 options)) {}
DeviceProgram::~DeviceProgram() = default;
DeviceProgram::DeviceProgram(DeviceProgram&&) noexcept = default;

bool DeviceProgram::advance() {
  return interpreter_->advance();
}
bool DeviceProgram::finished() const {
  return interpreter_->finished();
}
ProgramResult<float> DeviceProgram::finish() {
  return interpreter_->finish();
}
Index DeviceProgram::allocated_bytes() const {
  return interpreter_->allocated_bytes();
}

std::vector<ProgramResult<float>> run_programs(const Schedule& schedule, const AttentionRule& rule,
                                               std::vector<ProgramInputs<float>> inputs,
                                               const std::vector<DeviceCommunicator*>& ranks,
                                               const DeviceOptions& options) {
  RINGLAB_ENSURE(inputs.size() == ranks.size(), "inputs for each rank that is driven here");
  std::vector<DeviceProgram> programs;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    RINGLAB_ENSURE(ranks[i]->size() == schedule.size(), "one rank for each program");
    programs.emplace_back(schedule, rule, std::move(inputs[i]), *ranks[i], options);
  }
  for (bool open = true; open;) {
    bool moved = false;
    open = false;
    for (DeviceProgram& program : programs) {
      moved = program.advance() || moved;
      open = open || !program.finished();
    }
    if (open && !moved) throw RunError(ranks.front()->why_stuck());
  }
  std::vector<ProgramResult<float>> results;
  for (DeviceProgram& program : programs) results.push_back(program.finish());
  return results;
}

const KernelSet& kernels_of(const Device& device) {
  if (!device.is_gpu()) return cpu_kernels();
  if (!gpu_kernels()) throw RunError("this program was built without CUDA");
  return *gpu_kernels();
}

}  // namespace ringlab::cuda
