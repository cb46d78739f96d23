// A named range of the host's time that Nsight Systems shows beside the kernels launched in it.
// Without the NVTX headers it is nothing; with them and no profiler it costs a branch.
#pragma once

#include <string>

#if RINGLAB_HAVE_NVTX
#include <nvtx3/nvtx3.hpp>
#endif

namespace ringlab::cuda {

class NvtxRange {
 public:
#if RINGLAB_HAVE_NVTX
  explicit NvtxRange(const std::string& name) : range_(name) {}

 private:
  nvtx3::scoped_range range_;
#else
  explicit NvtxRange(const std::string&) {}
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
#endif
};

}  // namespace ringlab::cuda
