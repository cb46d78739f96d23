// Runs one rank's program of a schedule on a device: the twin of reference/execute/program.hpp.
//
// It is the same interpreter of steps over contents, and knows no algorithm either. Only the time
// differs: a step queues its work and goes on. Tiles go to a compute stream; an exchange goes to
// the communication stream behind what the compute stream holds at that step, so it runs beside the
// tiles that follow; `wait` puts the compute stream behind the exchange. The host never blocks on
// the device before the end.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ringlab/cuda/execute/kernel_set.hpp"
#include "ringlab/cuda/transport/device_communicator.hpp"
#include "ringlab/reference/execute/program.hpp"

namespace ringlab::cuda {

struct DeviceOptions {
  DataType type = DataType::f32;  // of Q, K, V and dO; everything else is float32
  std::optional<Rung> rung;       // unset: best_rung(type)
  /// Partial results and gradients travel in 16 bits (the inputs' type if that is 16-bit, else
  /// bfloat16); lse and delta stay float32. What it costs in accuracy grows with the ring.
  bool wire16 = false;
  const KernelSet* kernels = nullptr;  // unset: those of the communicator's device

  Rung rung_used() const { return rung.value_or(best_rung(type)); }
};

class DeviceProgram {
 public:
  /// Uploads what the program starts from. Throws InputError for what no kernel supports, before
  /// any memory is got. Schedule, rule and communicator outlive it.
  DeviceProgram(const Schedule& schedule, const AttentionRule& rule, ProgramInputs<float> inputs,
                DeviceCommunicator& communicator, const DeviceOptions& options);
  ~DeviceProgram();
  DeviceProgram(DeviceProgram&&) noexcept;

  /// Queues steps until the end, or until a wait for a group that another rank of this thread has
  /// to complete first. True if anything was queued.
  bool advance();
  bool finished() const;
  /// Blocks until the device is done; results, counts and times.
  ProgramResult<float> finish();
  /// What was allocated on the device for it.
  Index allocated_bytes() const;

 private:
  class Interpreter;
  std::unique_ptr<Interpreter> interpreter_;
};

/// Runs the programs of all ranks that this thread drives, one for each communicator. Throws
/// RunError for a deadlock, with who waits for whom.
std::vector<ProgramResult<float>> run_programs(const Schedule& schedule, const AttentionRule& rule,
                                               std::vector<ProgramInputs<float>> inputs,
                                               const std::vector<DeviceCommunicator*>& ranks,
                                               const DeviceOptions& options);

/// The kernels of the communicator's device. Throws RunError for a GPU in a build without CUDA.
const KernelSet& kernels_of(const Device& device);

}  // namespace ringlab::cuda
