// From a buffer to a message and back, on the compute stream.
//
// A content that travels whole lies in one range already, and the buffer is the message. A part of
// one (some heads, some tokens, as a collective sends them) is packed into memory of its own first,
// and a 16-bit wire narrows it there; what arrives is widened, unpacked or added.
#pragma once

#include <optional>

#include "ringlab/cuda/execute/program.hpp"
#include "ringlab/cuda/execute/program_memory.hpp"

namespace ringlab::cuda {

/// One end of a move.
struct WireEnd {
  int peer = 0;
  BufferId buffer = 0;
  Content whole, part;  // what the buffer holds, and what travels
  Index bytes = 0;      // on the wire
  std::optional<DeviceBuffer> packed, narrow;
};

class Packer {
 public:
  Packer(const Schedule& schedule, const DeviceOptions& options, const KernelSet& kernels,
         ProgramMemory& memory, Stream& compute);

  /// Fills the message.
  WireEnd send(int peer, BufferId buffer, const Content& whole, const Content& part);
  /// Makes room for the message. `beside`: it stays beside the buffer, to be added later.
  WireEnd receive(int peer, BufferId buffer, const Content& whole, const Content& part,
                  bool beside);
  DeviceMessage message(WireEnd& end);
  /// Brings what has arrived to its buffer, or adds it to what is there.
  void arrived(WireEnd& end, bool add);
  /// Gives back the memory of a message that is done with.
  void done(WireEnd& end);

  /// Copies what two buffers have in common, or adds it: gradients are summed, partial results
  /// merged.
  void bring(BufferId from, const Content& from_content, BufferId into, const Content& into_content,
             bool add);

 private:
  void move_rows(DeviceBuffer& buffer, const Content& whole, DeviceBuffer& packed,
                 const Content& part, bool pack);
  void add_packed(DeviceBuffer& packed, const Content& part, BufferId into, const Content& whole);
  Shape shape(const Content& content) const;
  bool narrowed(Quantity quantity) const;
  Index narrow_values(const Content& part) const;
  void convert(DeviceBuffer& wide, DeviceBuffer& narrow, const Content& part, bool to_narrow);
  DeviceBuffer& wide_memory(WireEnd& end);

  const Schedule& schedule_;
  const DeviceOptions& options_;
  const KernelSet& kernels_;
  ProgramMemory& memory_;
  Stream& compute_;
};

}  // namespace ringlab::cuda
