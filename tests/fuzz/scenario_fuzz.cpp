// libFuzzer's way into the readers of scenarios, layout files and masks; see targets.hpp for what
// must hold, run.sh to run it.
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ringlab::fuzz::scenario(bytes);
  ringlab::fuzz::layout(bytes);
  ringlab::fuzz::mask(bytes);
  return 0;
}
