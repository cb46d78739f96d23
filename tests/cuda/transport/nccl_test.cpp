// That NCCL and the CUDA runtime are linked where they are, and that their absence has words. What
// they do is not tested here: it takes GPUs.
#include "ringlab/cuda/transport/nccl.hpp"

#include "ringlab/cuda/runtime/find_devices.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;

TEST_CASE("NCCL answers, or its absence is told") {
  if (have_nccl()) {
    CHECK_THAT(nccl_version(), Catch::StartsWith("2."));
  } else {
    CHECK_THROWS_WITH(nccl_version(), Catch::Contains("built without NCCL"));
  }
}

TEST_CASE("where there is no GPU, it is said why and what to do") {
  const DeviceCount found = count_devices();
  if (found.count > 0) {
    CHECK(found.why_none.empty());
    CHECK_THROWS_AS(open_device(found.count), RunError);
    return;
  }
  CHECK_THAT(found.why_none, Catch::Contains("--device cpu_cuda"));
  CHECK_THROWS_WITH(open_device(0), found.why_none);
}
