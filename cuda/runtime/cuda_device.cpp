// The CUDA runtime behind Device.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cmath>

#include "ringlab/cuda/runtime/check.hpp"
#include "ringlab/cuda/runtime/find_devices.hpp"
#include "ringlab/cuda/runtime/spin.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {

void detail::cuda_call_failed(const char* call, cudaError_t error, const char* file, int line) {
  throw RunError(fmt::format("{} gave {} ({}) at {}:{}", call, cudaGetErrorName(error),
                             cudaGetErrorString(error), file, line));
}

namespace {

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index) : index_(index) {
    use();
    cudaDeviceProp properties{};
    RINGLAB_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    name_ = fmt::format("{} (device {})", properties.name, index);
  }

  std::string name() const override { return name_; }
  bool is_gpu() const override { return true; }

  void* allocate(std::size_t bytes) override {
    use();
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();  // not sticky, but it would be reported by the next launch
      throw RunError(
          fmt::format("{}: no memory left for {} bytes; give fewer tokens or heads", name_, bytes));
    }
    RINGLAB_CUDA_CHECK(error);
    return memory;
  }
  void release(void* memory) noexcept override { (void)cudaFree(memory); }

  StreamHandle make_stream(const std::string&) override {
    use();
    cudaStream_t stream = nullptr;
    RINGLAB_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return {stream};
  }
  void destroy_stream(StreamHandle stream) noexcept override {
    (void)cudaStreamDestroy(raw(stream));
  }
  EventHandle make_event(const std::string&) override {
    use();
    cudaEvent_t event = nullptr;
    RINGLAB_CUDA_CHECK(cudaEventCreate(&event));
    return {event};
  }
  void destroy_event(EventHandle event) noexcept override { (void)cudaEventDestroy(raw(event)); }

  void copy(StreamHandle stream, CopyKind kind, void* to, const void* from,
            std::size_t bytes) override {
    use();
    const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                    cudaMemcpyDeviceToDevice};
    RINGLAB_CUDA_CHECK(
        cudaMemcpyAsync(to, from, bytes, kinds[static_cast<int>(kind)], raw(stream)));
  }
  void copy_rows(StreamHandle stream, void* to, std::size_t to_pitch, const void* from,
                 std::size_t from_pitch, std::size_t width, std::size_t rows) override {
    use();
    RINGLAB_CUDA_CHECK(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows,
                                         cudaMemcpyDeviceToDevice, raw(stream)));
  }
  void fill_bytes(StreamHandle stream, void* memory, int byte, std::size_t bytes) override {
    use();
    RINGLAB_CUDA_CHECK(cudaMemsetAsync(memory, byte, bytes, raw(stream)));
  }
  void delay(StreamHandle stream, std::int64_t nanoseconds) override {
    use();
    launch_spin(stream, nanoseconds);
    RINGLAB_CUDA_CHECK(cudaGetLastError());
  }

  void record(StreamHandle stream, EventHandle event) override {
    use();
    RINGLAB_CUDA_CHECK(cudaEventRecord(raw(event), raw(stream)));
  }
  void wait(StreamHandle stream, EventHandle event) override {
    use();
    RINGLAB_CUDA_CHECK(cudaStreamWaitEvent(raw(stream), raw(event), 0));
  }
  bool happened(EventHandle event) override {
    use();
    const cudaError_t error = cudaEventQuery(raw(event));
    if (error == cudaErrorNotReady) {
      (void)cudaGetLastError();
      return false;
    }
    RINGLAB_CUDA_CHECK(error);
    return true;
  }
  void synchronize(StreamHandle stream) override {
    use();
    RINGLAB_CUDA_CHECK(cudaStreamSynchronize(raw(stream)));
  }
  void synchronize(EventHandle event) override {
    use();
    RINGLAB_CUDA_CHECK(cudaEventSynchronize(raw(event)));
  }
  std::int64_t nanoseconds_between(EventHandle from, EventHandle to) override {
    use();
    float milliseconds = 0;
    RINGLAB_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, raw(from), raw(to)));
    return std::llround(static_cast<double>(milliseconds) * 1e6);
  }

 private:
  // The current device belongs to the host thread, and others of this process may have changed it.
  void use() const { RINGLAB_CUDA_CHECK(cudaSetDevice(index_)); }
  static cudaStream_t raw(StreamHandle stream) { return static_cast<cudaStream_t>(stream.queue); }
  static cudaEvent_t raw(EventHandle event) { return static_cast<cudaEvent_t>(event.event); }

  int index_;
  std::string name_;
};

}  // namespace

DeviceCount count_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return {count, ""};
  (void)cudaGetLastError();
  int driver = 0, runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  const std::string advice =
      "; --device cpu_cuda runs the same program on the CPU, from the same kernel sources";
  if (driver == 0) {
    return {0,
            "no NVIDIA driver was found (libcuda.so.1 does not load), so no GPU can be used: "
            "run on a machine with an NVIDIA GPU and its driver" +
                advice};
  }
  if (driver / 1000 < runtime / 1000) {
    return {0, fmt::format("the driver serves CUDA {}.{}, and this program was built with {}.{}: "
                           "install a newer driver",
                           driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10) +
                   advice};
  }
  const std::string what =
      error == cudaSuccess ? "there is none" : std::string(cudaGetErrorString(error));
  return {0, fmt::format("a driver is there, but no GPU ({}): check nvidia-smi and "
                         "CUDA_VISIBLE_DEVICES",
                         what) +
                 advice};
}

std::unique_ptr<Device> open_device(int index) {
  const DeviceCount found = count_devices();
  if (found.count == 0) throw RunError(found.why_none);
  if (index < 0 || index >= found.count) {
    throw RunError(fmt::format("GPU {} was asked for, and there are {}", index, found.count));
  }
  return std::make_unique<CudaDevice>(index);
}

std::string device_bus_id(int index) {
  char text[32] = {};
  RINGLAB_CUDA_CHECK(cudaDeviceGetPCIBusId(text, sizeof(text), index));
  return text;
}

DeviceFigures device_figures(int index) {
  cudaDeviceProp properties{};
  RINGLAB_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  int kilohertz = 0;
  RINGLAB_CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index));
  DeviceFigures figures{properties.name, properties.major, properties.minor,
                        properties.multiProcessorCount};
  // FLOPs of a multiprocessor in a clock, from the CUDA programming guide and the white papers.
  struct Rate {
    int major, minor;
    double tensor, scalar;
  };
  for (const Rate& rate : {Rate{8, 0, 2048, 128}, Rate{8, 6, 512, 256}, Rate{8, 9, 1024, 256},
                           Rate{9, 0, 4096, 256}}) {
    if (rate.major != figures.major || rate.minor != figures.minor) continue;
    const double clocks = 1e3 * kilohertz * figures.multiprocessors;
    figures.tensor_flops_per_second = rate.tensor * clocks;
    figures.float_flops_per_second = rate.scalar * clocks;
  }
  return figures;
}

}  // namespace ringlab::cuda
