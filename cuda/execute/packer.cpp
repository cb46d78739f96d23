#include "ringlab/cuda/execute/packer.hpp"

#include "ringlab/reference/schedule/parts.hpp"

namespace ringlab::cuda {

Packer::Packer(const Schedule& schedule, const DeviceOptions& options, const KernelSet& kernels,
               ProgramMemory& memory, Stream& compute)
    : schedule_(schedule),
      options_(options),
      kernels_(kernels),
      memory_(memory),
      compute_(compute) {}

Shape Packer::shape(const Content& content) const {
  return shape_of(schedule_, content, options_.type);
}

void Packer::move_rows(DeviceBuffer& buffer, const Content& whole, DeviceBuffer& packed,
                       const Content& part, bool pack) {
  const Shape outer = shape(whole), inner = shape(part);
  const Index all_rows = schedule_.token_count(whole) * whole.heads;
  if (inner.bytes == 0) return;
  for (std::size_t t = 0; t < outer.parts.size(); ++t) {
    // Bytes of one head of one token of this tensor.
    const auto value =
        static_cast<std::size_t>(outer.parts[t].values / all_rows * bytes_per_value(outer.type));
    const std::size_t pitch = value * static_cast<std::size_t>(whole.heads);
    const std::size_t width = value * static_cast<std::size_t>(part.heads);
    const std::size_t head = value * static_cast<std::size_t>(part.first_head - whole.first_head);
    std::size_t at = inner.parts[t].offset_bytes;
    for (const RowRun& rows : rows_of_part(whole, part)) {
      const auto count = static_cast<std::size_t>(rows.count);
      void* outside = buffer.as<std::byte>(outer.parts[t].offset_bytes +
                                           static_cast<std::size_t>(rows.row) * pitch + head);
      void* inside = packed.as<std::byte>(at);
      if (pack) {
        compute_.copy_rows(inside, width, outside, pitch, width, count);
      } else {
        compute_.copy_rows(outside, pitch, inside, width, width, count);
      }
      at += width * count;
    }
  }
}

bool Packer::narrowed(Quantity quantity) const {
  return options_.wire16 && !is_input(quantity) && quantity != Quantity::row_statistics;
}

// All of a gradient, and O but not lse.
Index Packer::narrow_values(const Content& part) const {
  const Shape s = shape(part);
  Index values = s.parts[0].values;
  if (part.quantity != Quantity::partial && s.parts.size() > 1) values += s.parts[1].values;
  return values;
}

// The narrow values first, then what stays wide; head_dim is even, so lse is aligned.
void Packer::convert(DeviceBuffer& wide, DeviceBuffer& narrow, const Content& part,
                     bool to_narrow) {
  const DataType type = options_.type == DataType::f32 ? DataType::bf16 : options_.type;
  const Index values = narrow_values(part);
  if (values == 0) return;
  const auto narrow_bytes = static_cast<std::size_t>(2 * values);
  const std::size_t rest = shape(part).bytes - 2 * narrow_bytes;
  std::byte* wide_rest = wide.as<std::byte>(2 * narrow_bytes);
  std::byte* narrow_rest = narrow.as<std::byte>(narrow_bytes);
  if (to_narrow) {
    kernels_.convert(DataType::f32, wide.data(), type, narrow.data(), values, compute_.handle());
    compute_.copy(CopyKind::on_device, narrow_rest, wide_rest, rest);
  } else {
    kernels_.convert(type, narrow.data(), DataType::f32, wide.data(), values, compute_.handle());
    compute_.copy(CopyKind::on_device, wide_rest, narrow_rest, rest);
  }
}

DeviceBuffer& Packer::wide_memory(WireEnd& end) {
  return end.packed ? *end.packed : memory_.buffer(end.buffer);
}

WireEnd Packer::receive(int peer, BufferId buffer, const Content& whole, const Content& part,
                        bool beside) {
  const std::size_t wide = shape(part).bytes;
  WireEnd end{peer, buffer, whole, part, static_cast<Index>(wide), {}, {}};
  if (beside || whole != part) end.packed = memory_.acquire(wide);
  if (narrowed(part.quantity)) {
    end.bytes -= 2 * narrow_values(part);
    end.narrow = memory_.acquire(static_cast<std::size_t>(end.bytes));
  }
  return end;
}

WireEnd Packer::send(int peer, BufferId buffer, const Content& whole, const Content& part) {
  WireEnd end = receive(peer, buffer, whole, part, false);
  if (end.packed) move_rows(memory_.buffer(buffer), whole, *end.packed, part, true);
  if (end.narrow) convert(wide_memory(end), *end.narrow, part, true);
  return end;
}

DeviceMessage Packer::message(WireEnd& end) {
  DeviceBuffer& memory = end.narrow ? *end.narrow : wide_memory(end);
  return {end.peer, memory.data(), static_cast<std::size_t>(end.bytes), label(schedule_, end.part)};
}

void Packer::arrived(WireEnd& end, bool add) {
  if (end.narrow) convert(wide_memory(end), *end.narrow, end.part, false);
  if (!end.packed) return;
  if (add) {
    add_packed(*end.packed, end.part, end.buffer, end.whole);
  } else {
    move_rows(memory_.buffer(end.buffer), end.whole, *end.packed, end.part, false);
  }
}

void Packer::done(WireEnd& end) {
  for (std::optional<DeviceBuffer>* memory : {&end.packed, &end.narrow}) {
    if (*memory) memory_.give_back(std::move(**memory));
    memory->reset();
  }
}

// The part of the buffer is packed too, added to, and put back.
void Packer::add_packed(DeviceBuffer& packed, const Content& part, BufferId into,
                        const Content& whole) {
  const Shape s = shape(part);
  if (s.bytes == 0) return;
  DeviceBuffer sum = memory_.acquire(s.bytes);
  move_rows(memory_.buffer(into), whole, sum, part, true);
  if (part.quantity == Quantity::partial) {
    const std::size_t lse = s.parts[1].offset_bytes;
    kernels_.merge(packed.as<float>(), packed.as<float>(lse), sum.as<float>(), sum.as<float>(lse),
                   s.parts[1].values, schedule_.head_dim, compute_.handle());
  } else {
    kernels_.accumulate(packed.as<float>(), sum.as<float>(),
                        static_cast<Index>(s.bytes / sizeof(float)), compute_.handle());
  }
  move_rows(memory_.buffer(into), whole, sum, part, false);
  memory_.give_back(std::move(sum));
}

void Packer::bring(BufferId from, const Content& from_content, BufferId into,
                   const Content& into_content, bool add) {
  const Content part = common_part(from_content, into_content);
  const std::size_t bytes = shape(part).bytes;
  if (bytes == 0) return;
  DeviceBuffer packed = memory_.acquire(bytes);
  move_rows(memory_.buffer(from), from_content, packed, part, true);
  if (add) {
    add_packed(packed, part, into, into_content);
  } else {
    move_rows(memory_.buffer(into), into_content, packed, part, false);
  }
  memory_.give_back(std::move(packed));
}

}  // namespace ringlab::cuda
