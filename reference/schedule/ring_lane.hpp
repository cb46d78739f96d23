// One ring as a building block: something that travels from seat to seat, and gradients behind it.
//
// A lane carries its cargo (key/value blocks, or queries with what belongs to them) round a ring of
// ranks. Its own cargo serves hop 0, then two slots take turns: while one is computed on and sent
// on, the other receives. Gradients of the cargo follow one hop behind, so that their transfer
// hides behind the next tile, and come home one move after the last hop. Builders say what is
// computed at each hop.
#pragma once

#include <array>
#include <functional>

#include "ringlab/reference/schedule/builder.hpp"

namespace ringlab {

class RingLane {
 public:
  /// The content of the cargo that belongs to the rank `origin`.
  using ContentOf = std::function<ContentId(Quantity, int origin)>;

  /// Adds two slots for each quantity of the cargo. `own` are the buffers that hold this rank's
  /// cargo (a quantity each). Names of buffers end in `suffix`; moves go over `channel`.
  RingLane(ProgramBuilder& program, RingSeat seat, std::vector<Quantity> cargo,
           std::vector<BufferId> own, ContentOf content_of, const std::string& suffix = "",
           int channel = 0);

  int hops() const { return seat_.size(); }
  /// Starts another turn of the same ring with other cargo of its own; hops count on from there.
  void restart(std::vector<BufferId> own, ContentOf content_of, int first_hop);

  /// The buffer of a quantity of the cargo that is here at `hop`.
  BufferId here(int hop, std::size_t quantity = 0) const;
  /// Passes the cargo of this hop on and begins to receive the next; nothing at the last hop.
  void begin(int hop);
  /// Waits until that is done.
  void end(int hop);

  /// Adds the buffers for gradients of the cargo's first quantity.
  void carry_gradients(Quantity gradient, const std::string& name);
  /// Where the gradients of this hop's tile go; empty before it.
  BufferId gradient(int hop) const { return mine_[static_cast<std::size_t>(hop % 2)]; }
  /// After the tile: folds in what has come behind the cargo, ends the hop, passes the sum on.
  void end_with_gradients(int hop);
  /// After the last hop: the buffer in which the gradient of this rank's own cargo has come home.
  BufferId gradient_at_home() const { return hops() == 1 ? mine_[0] : travelling_; }

 private:
  bool last(int hop) const { return hop == hops() - 1; }
  void add(int hop, Action action) { program_.add(first_hop_ + hop, std::move(action)); }

  ProgramBuilder& program_;
  RingSeat seat_;
  std::vector<Quantity> cargo_;
  std::vector<BufferId> own_;
  ContentOf content_of_;
  int channel_;
  int first_hop_ = 0;
  std::array<std::vector<BufferId>, 2> slots_;
  int passed_ = -1;

  Quantity gradient_kind_ = Quantity::key_value_gradient;
  std::array<BufferId, 2> mine_{};  // what this rank adds; one is sent while the other is computed
  BufferId travelling_ = -1;        // what comes behind the cargo
  int gradient_passed_ = -1;
};

}  // namespace ringlab
