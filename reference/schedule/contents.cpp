#include "ringlab/reference/schedule/contents.hpp"

namespace ringlab {

Holdings::Holdings(const Schedule& schedule, int rank) : schedule_(schedule) {
  for (const Buffer& buffer : schedule.rank(rank).buffers) {
    held_.push_back(buffer.initially == kNothing
                        ? std::nullopt
                        : std::optional<Content>(schedule.content(buffer.initially)));
  }
}

void Holdings::fill(BufferId buffer, Quantity quantity, BufferId like) {
  std::optional<Content>& held = held_[static_cast<std::size_t>(buffer)];
  const std::optional<Content>& source = of(like);
  if (held || !source) return;
  held = source;
  held->quantity = quantity;
}

void Holdings::apply(const Step& step) {
  if (const auto* attend = std::get_if<Attend>(&step.action)) {
    fill(attend->partial, Quantity::partial, attend->query);
  } else if (const auto* back = std::get_if<AttendBackward>(&step.action)) {
    fill(back->query_gradient, Quantity::query_gradient, back->query);
    fill(back->key_value_gradient, Quantity::key_value_gradient, back->key_value);
  } else if (const auto* exchange = std::get_if<Exchange>(&step.action)) {
    for (const Move& move : exchange->receives) {
      held_[static_cast<std::size_t>(move.buffer)] = schedule_.content(move.content);
    }
  } else if (const auto* collective = std::get_if<Collective>(&step.action)) {
    held_[static_cast<std::size_t>(collective->out)] = schedule_.content(collective->receives);
  } else if (const auto* merge = std::get_if<Merge>(&step.action)) {
    fill(merge->into, Quantity::partial, merge->from);
  } else if (const auto* add = std::get_if<Accumulate>(&step.action)) {
    if (const std::optional<Content>& from = of(add->from))
      fill(add->into, from->quantity, add->from);
  } else if (const auto* release = std::get_if<Release>(&step.action)) {
    held_[static_cast<std::size_t>(release->buffer)].reset();
  }
}

}  // namespace ringlab
