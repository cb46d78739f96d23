#include "ringlab/sim/report/csv.hpp"

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

TEST_CASE("a trace as lines, with quotes where they are needed") {
  Trace trace;
  trace.events = {{0, Lane::compute, "attend q0 x kv0", 0, 1500, 0, 0, 7.5e9},
                  {1, Lane::send, "a, \"b\"\nc", -5, 20, 2, 4096, 0}};
  CHECK(to_csv(trace) ==
        "rank,lane,name,start_nanoseconds,end_nanoseconds,hop,bytes,flops\n"
        "0,compute,attend q0 x kv0,0,1500,0,0,7500000000\n"
        "1,send,\"a, \"\"b\"\"\nc\",-5,20,2,4096,0\n");
  CHECK(to_csv({}) == "rank,lane,name,start_nanoseconds,end_nanoseconds,hop,bytes,flops\n");
}

}  // namespace
