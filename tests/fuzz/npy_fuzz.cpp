// libFuzzer's way into the .npy reader; see targets.hpp for what must hold, run.sh to run it.
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ringlab::fuzz::npy({reinterpret_cast<const char*>(data), size});
  return 0;
}
