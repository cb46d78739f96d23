// One accelerator as a planner sees it: peaks from its data sheet, and what is reached in practice.
#pragma once

#include <string>

namespace ringlab {

/// A transfer of n bytes takes latency_seconds + n / bytes_per_second (alpha-beta model).
struct LinkSpec {
  double bytes_per_second = 0;  // one way
  double latency_seconds = 0;
  double seconds(double bytes) const { return latency_seconds + bytes / bytes_per_second; }
  bool operator==(const LinkSpec&) const = default;
};

struct Gpu {
  std::string name;                     // "h100"
  double flops_per_second = 0;          // dense 16-bit matrix peak of the data sheet
  double reached_flops_per_second = 0;  // large matrix products in practice; <= the peak
  double memory_bytes = 0;
  double memory_bytes_per_second = 0;
  LinkSpec host;          // to the CPU's memory: PCIe or chip-to-chip, one way
  LinkSpec scale_up;      // to its neighbours in the node (NVLink), one way; zero: none
  int scale_up_gpus = 0;  // how many GPUs such a network joins at most
  LinkSpec nic;           // its own network card, one way; zero: none
  std::string source;     // where the figures come from
  bool operator==(const Gpu&) const = default;
};

/// A GPU by preset name (sim/data/gpus) or from a JSON file. Throws InputError by field.
Gpu load_gpu(const std::string& name_or_file);

/// JSON that load_gpu reads back.
std::string to_json(const Gpu& gpu);

}  // namespace ringlab
