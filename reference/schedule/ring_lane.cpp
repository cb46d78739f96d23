#include "ringlab/reference/schedule/ring_lane.hpp"

namespace ringlab {
namespace {

const char* slot_name(Quantity quantity) {
  switch (quantity) {
    case Quantity::key_value:
      return "slot";
    case Quantity::query:
      return "query slot";
    case Quantity::output_gradient:
      return "dout slot";
    case Quantity::row_statistics:
      return "statistics slot";
    default:
      return "cargo slot";
  }
}

}  // namespace

RingLane::RingLane(ProgramBuilder& program, RingSeat seat, std::vector<Quantity> cargo,
                   std::vector<BufferId> own, ContentOf content_of, const std::string& suffix,
                   int channel)
    : program_(program),
      seat_(std::move(seat)),
      cargo_(std::move(cargo)),
      own_(std::move(own)),
      content_of_(std::move(content_of)),
      channel_(channel) {
  for (const Quantity quantity : cargo_) {
    slots_[0].push_back(program_.buffer(slot_name(quantity) + std::string(" a") + suffix));
    slots_[1].push_back(program_.buffer(slot_name(quantity) + std::string(" b") + suffix));
  }
}

void RingLane::restart(std::vector<BufferId> own, ContentOf content_of, int first_hop) {
  own_ = std::move(own);
  content_of_ = std::move(content_of);
  first_hop_ = first_hop;
}

BufferId RingLane::here(int hop, std::size_t quantity) const {
  return hop == 0 ? own_[quantity] : slots_[static_cast<std::size_t>(hop % 2)][quantity];
}

void RingLane::begin(int hop) {
  if (last(hop)) return;
  std::vector<Move> sends, receives;
  for (std::size_t c = 0; c < cargo_.size(); ++c) {
    sends.push_back({seat_.to(), here(hop, c), content_of_(cargo_[c], seat_.origin(hop))});
    receives.push_back(
        {seat_.from(), here(hop + 1, c), content_of_(cargo_[c], seat_.origin(hop + 1))});
  }
  passed_ = program_.exchange(first_hop_ + hop, std::move(sends), std::move(receives), channel_);
}

void RingLane::end(int hop) {
  if (!last(hop)) program_.wait(first_hop_ + hop, passed_);
}

void RingLane::carry_gradients(Quantity gradient, const std::string& name) {
  gradient_kind_ = gradient;
  mine_ = {program_.buffer(name + " a"), program_.buffer(name + " b")};
  travelling_ = program_.buffer(name + " travelling");
}

void RingLane::end_with_gradients(int hop) {
  if (hop > 0) {
    // The gradient of this hop's cargo comes one hop behind it, hidden by the tile before this
    // step.
    program_.wait(first_hop_ + hop, gradient_passed_);
    add(hop, Accumulate{travelling_, gradient(hop)});
    add(hop, Release{travelling_});
    add(hop, Release{gradient(hop - 1)});
  }
  end(hop);
  if (hops() == 1) return;
  const auto content = [&](int h) { return content_of_(gradient_kind_, seat_.origin(h)); };
  gradient_passed_ =
      program_.exchange(first_hop_ + hop, {{seat_.to(), gradient(hop), content(hop)}},
                        {{seat_.from(), travelling_, content(hop + 1)}}, channel_);
  if (!last(hop)) return;
  program_.wait(first_hop_ + hop, gradient_passed_);  // home
  add(hop, Release{gradient(hop)});
}

}  // namespace ringlab
