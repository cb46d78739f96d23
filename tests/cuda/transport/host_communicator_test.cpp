#include "ringlab/cuda/transport/host_communicator.hpp"

#include <array>

#include "ringlab/cuda/on_cpu/streams.hpp"
#include "ringlab/cuda/transport/local_wire.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;

TEST_CASE("host memory goes over a device wire, cut differently on both sides") {
  CpuDevice device(2);
  LocalWire wire(device, 2);
  HostCommunicator a(wire.rank(0)), b(wire.rank(1));
  const std::array<int, 6> sent = {1, 2, 3, 4, 5, 6};
  std::array<int, 6> received = {};
  const auto out = std::as_bytes(std::span(sent));
  const auto in = std::as_writable_bytes(std::span(received));
  const auto ta = a.begin(0, {{1, {out.first(4), out.subspan(4, 0), out.subspan(4)}, "x"}}, {});
  const auto tb = b.begin(0, {}, {{0, {in.first(16), in.subspan(16)}, "x"}});
  b.wait(tb);
  CHECK(received == sent);
  CHECK(a.wait(ta).sends.size() == 1);
}
