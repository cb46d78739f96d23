#include "ringlab/cuda/execute/program_memory.hpp"

#include <algorithm>

#include "ringlab/cuda/kernels/arguments.hpp"
#include "ringlab/reference/schedule/contents.hpp"

namespace ringlab::cuda {

ProgramMemory::ProgramMemory(const Schedule& schedule, const AttentionRule& rule, int rank,
                             DataType input, Stream& stream)
    : device_(stream.device()) {
  const RankProgram& program = schedule.rank(rank);
  std::vector<std::size_t> bytes(program.buffers.size(), 0);
  std::vector<std::vector<DeviceRun>> uploads;  // lives until they have been read
  Holdings held(schedule, rank);
  const auto measure = [&] {
    for (std::size_t b = 0; b < bytes.size(); ++b) {
      const std::optional<Content>& content = held.of(static_cast<BufferId>(b));
      if (content) bytes[b] = std::max(bytes[b], shape_of(schedule, *content, input).bytes);
    }
  };
  const auto tile = [&](BufferId query, BufferId key_value) {
    for (const BufferId b : {query, key_value}) {
      RINGLAB_ENSURE(held.of(b), "a step reads a buffer that holds something");
      add_places(schedule, *held.of(b), stream, uploads);
    }
  };
  measure();
  for (const Step& step : program.steps) {
    if (const auto* attend = std::get_if<Attend>(&step.action)) {
      tile(attend->query, attend->key_value);
    } else if (const auto* back = std::get_if<AttendBackward>(&step.action)) {
      tile(back->query, back->key_value);
    }
    held.apply(step);
    measure();
  }
  for (const std::size_t b : bytes) buffers_.push_back(allocate(b));

  const std::vector<float> slopes(rule.alibi_slopes.begin(), rule.alibi_slopes.end());
  if (!slopes.empty()) {
    slope_memory_ = allocate(slopes.size() * sizeof(float));
    stream.copy(CopyKind::to_device, slope_memory_.data(), slopes.data(), slope_memory_.bytes());
    slopes_ = slope_memory_.as<float>();
  }
  stream.synchronize();
}

void ProgramMemory::add_places(const Schedule& schedule, const Content& content, Stream& stream,
                               std::vector<std::vector<DeviceRun>>& uploads) {
  const bool of_queries = is_of_queries(content.quantity);
  for (const Places& known : places_) {
    if (known.of_queries == of_queries && known.pieces == content.pieces) return;
  }
  uploads.push_back(device_runs(schedule.tokens_of(content)));
  const std::vector<DeviceRun>& runs = uploads.back();
  Places added{of_queries, content.pieces, allocate(runs.size() * sizeof(DeviceRun)), {}};
  stream.copy(CopyKind::to_device, added.runs.data(), runs.data(), added.runs.bytes());
  added.places = {added.runs.as<DeviceRun>(), static_cast<std::int32_t>(runs.size()),
                  schedule.token_count(content)};
  places_.push_back(std::move(added));
}

TokenPlaces ProgramMemory::places(const Content& content) const {
  for (const Places& known : places_) {
    if (known.of_queries == is_of_queries(content.quantity) && known.pieces == content.pieces) {
      return known.places;
    }
  }
  RINGLAB_ENSURE(false, "every tile's positions were uploaded");
}

DeviceBuffer ProgramMemory::allocate(std::size_t bytes) {
  allocated_ += static_cast<Index>(bytes);
  return DeviceBuffer(device_, bytes);
}

DeviceBuffer ProgramMemory::acquire(std::size_t bytes) {
  for (DeviceBuffer& spare : spare_) {
    if (spare.bytes() < bytes) continue;
    DeviceBuffer found = std::move(spare);
    spare = std::move(spare_.back());
    spare_.pop_back();
    return found;
  }
  return allocate(bytes);
}

void ProgramMemory::give_back(DeviceBuffer buffer) {
  spare_.push_back(std::move(buffer));
}

}  // namespace ringlab::cuda
