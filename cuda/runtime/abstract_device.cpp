#include "ringlab/cuda/runtime/abstract_device.hpp"

namespace ringlab::cuda {

const char* name(CopyKind kind) {
  switch (kind) {
    case CopyKind::to_device:
      return "to the device";
    case CopyKind::to_host:
      return "to the host";
    case CopyKind::on_device:
      return "on the device";
  }
  return "?";
}

}  // namespace ringlab::cuda
