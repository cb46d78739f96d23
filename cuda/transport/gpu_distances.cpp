// Distances from NVML, which comes with the driver: loaded if it is there, so that nothing has to
// be linked that a machine without a GPU lacks.
#include <dlfcn.h>

#include <memory>

#include "ringlab/cuda/transport/ring_order.hpp"

namespace ringlab::cuda {
namespace {

// As nvml.h declares them (NVML API reference, "Device Queries").
using NvmlDevice = void*;
constexpr int kSuccess = 0, kNvlink = 2, kPeerOk = 0;

class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), dlclose_if) {
    find(init_, "nvmlInit_v2");
    find(shutdown_, "nvmlShutdown");
    find(device_, "nvmlDeviceGetHandleByPciBusId_v2");
    find(ancestor_, "nvmlDeviceGetTopologyCommonAncestor");
    find(peers_, "nvmlDeviceGetP2PStatus");
    ready_ = library_ && init_ && shutdown_ && device_ && ancestor_ && init_() == kSuccess;
  }
  ~Nvml() {
    if (ready_) shutdown_();
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool ready() const { return ready_; }
  bool find_device(const std::string& bus_id, NvmlDevice& device) const {
    return device_(bus_id.c_str(), &device) == kSuccess;
  }
  bool distance(NvmlDevice a, NvmlDevice b, int& distance) const {
    int status = -1;
    if (peers_ && peers_(a, b, kNvlink, &status) == kSuccess && status == kPeerOk) {
      distance = 1;
      return true;
    }
    return ancestor_(a, b, &distance) == kSuccess;
  }

 private:
  static void dlclose_if(void* library) {
    if (library) dlclose(library);
  }
  template <class Function>
  void find(Function*& function, const char* name) {
    if (library_) function = reinterpret_cast<Function*>(dlsym(library_.get(), name));
  }

  std::unique_ptr<void, void (*)(void*)> library_;
  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*device_)(const char*, NvmlDevice*) = nullptr;
  int (*ancestor_)(NvmlDevice, NvmlDevice, int*) = nullptr;
  int (*peers_)(NvmlDevice, NvmlDevice, int, int*) = nullptr;
  bool ready_ = false;
};

}  // namespace

std::optional<DistanceMatrix> gpu_distances(const std::vector<std::string>& bus_ids) {
  const Nvml nvml;
  if (!nvml.ready()) return std::nullopt;
  std::vector<NvmlDevice> devices(bus_ids.size());
  for (std::size_t i = 0; i < bus_ids.size(); ++i) {
    if (!nvml.find_device(bus_ids[i], devices[i])) return std::nullopt;
  }
  DistanceMatrix distances(bus_ids.size(), std::vector<int>(bus_ids.size(), 0));
  for (std::size_t a = 0; a < devices.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!nvml.distance(devices[a], devices[b], distances[a][b])) return std::nullopt;
      distances[b][a] = distances[a][b];
    }
  }
  return distances;
}

}  // namespace ringlab::cuda
