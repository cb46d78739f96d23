// Stands in for nccl.cpp in a build without CUDA or NCCL.
#include "ringlab/cuda/transport/nccl.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cuda {
namespace {

[[noreturn]] void refuse() {
  throw RunError("this program was built without NCCL; install CUDA and NCCL and build again");
}

}  // namespace

bool have_nccl() {
  return false;
}
std::string nccl_version() {
  refuse();
}
NcclId make_nccl_id() {
  refuse();
}
std::unique_ptr<DeviceCommunicator> make_nccl_communicator(Device&, int, int, int, const NcclId&,
                                                           const NcclOptions&) {
  refuse();
}

}  // namespace ringlab::cuda
