// Breaks the kernels on purpose and asserts that the checks notice.
//
// The kernel sources are compiled here a second time, with their barriers, waits and logarithm
// behind macros. So no fault lives in the shipped source, and every barrier is tried, not a chosen
// one: a barrier that could be taken away unnoticed is either needless or untested.
#include <map>
#include <set>

#include "ringlab/cuda/ptx/copy_async.hpp"
#include "ringlab/cuda/runtime/launch.hpp"
#include "tests/catch.hpp"
#include "tests/cuda/kernels/device_case.hpp"

using namespace ringlab;
using namespace ringlab::test;
using on_cpu::FiberOrder;
using on_cpu::GridOptions;

namespace {

/// A place in the sources where something may be left out.
struct Site {
  std::string file, kind;
  int line = 0;
  auto operator<=>(const Site&) const = default;
};

enum class Fault { none, missing, divergent, base_two };

Fault fault = Fault::none;
Site fault_site;
std::set<Site> visited;

Site site_of(const char* file, int line, const char* kind) {
  const std::string path = file;
  return {path.substr(path.rfind('/') + 1), kind, line};
}

// True if this thread is to leave out what stands at the site.
bool left_out(const Site& site) {
  visited.insert(site);
  if (site != fault_site) return false;
  return fault == Fault::missing || (fault == Fault::divergent && threadIdx.x % 32 < 16);
}

void block_sync_at(const char* file, int line) {
  if (!left_out(site_of(file, line, "block_sync"))) cuda::block_sync();
}
void warp_sync_at(const char* file, int line) {
  if (!left_out(site_of(file, line, "warp_sync"))) cuda::warp_sync();
}
float log_of(float x) {
  return fault == Fault::base_two ? std::log2(x) : std::log(x);
}

}  // namespace

namespace ringlab::cuda::ptx {
template <int kLine>
struct WaitAt {
  template <int kPending>
  static void wait() {
    // Forward and backward differ in the line.
    if (!left_out(site_of("", kLine, "copy_async_wait"))) copy_async_wait<kPending>();
  }
};
}  // namespace ringlab::cuda::ptx

#define block_sync() block_sync_at(__FILE__, __LINE__)
#define warp_sync() warp_sync_at(__FILE__, __LINE__)
#define copy_async_wait WaitAt<__LINE__>::wait
#define logf(x) log_of(x)
#include "cuda/kernels/backward_v1.cu"
#include "cuda/kernels/backward_v2.cu"
#include "cuda/kernels/backward_v3_bf16.cu"
#include "cuda/kernels/backward_v3_f16.cu"
#include "cuda/kernels/forward_v1.cu"
#include "cuda/kernels/forward_v2.cu"
#include "cuda/kernels/forward_v3_bf16.cu"
#include "cuda/kernels/forward_v3_f16.cu"
#include "cuda/kernels/rows.cu"
#undef block_sync
#undef warp_sync
#undef copy_async_wait
#undef logf

namespace {

// Several tiles a side, hidden pairs, two hops; and a NaN in V or in dO, for the way around the
// tensor cores: each spoils few enough rows for the others to tell.
enum class Poison { none, value, output_gradient };

DeviceProblem problem_for(DataType type, Poison poison) {
  Case c;
  c.id = 3;
  c.tokens = c.query_tokens = 260;
  c.ranks = 2;
  c.documents = {260};
  c.layout_kind = LayoutKind::zigzag;
  c.rule.query_heads = 2;
  c.rule.head_dim = 32;
  c.rule.scale = default_scale(32);
  c.rule.mask.causal = true;
  c.rule.sinks = {0.5, -1};
  Inputs inputs = inputs_of(c);
  if (poison == Poison::value) inputs.key_value.values(240, 0, 5) = NAN;
  if (poison == Poison::output_gradient) inputs.output_gradient(197, 1, 6) = NAN;
  return {c, type, inputs};
}

// What one order of threads makes of the current fault: "right", "wrong", or the error's message.
std::string outcome(const DeviceProblem& problem, Rung rung, const GridOptions& order) {
  const WithOptions with(order);
  try {
    return right(errors_of(problem, kernels_of(rung)), problem.type) ? "right" : "wrong";
  } catch (const RunError& error) {
    return error.what();
  }
}

const GridOptions kOrders[] = {{0, FiberOrder::forward, 1},
                               {0, FiberOrder::backward, 1},
                               {1, FiberOrder::shuffled, 1},
                               {2, FiberOrder::shuffled, 1},
                               {3, FiberOrder::shuffled, 1}};

DataType type_for(Rung rung) {
  return rung == Rung::v3 ? DataType::bf16 : DataType::f32;
}

struct Planted {
  explicit Planted(Fault which, const Site& site = {}) {
    fault = which;
    fault_site = site;
  }
  ~Planted() { fault = Fault::none; }
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;
};

}  // namespace

TEST_CASE("every barrier and every wait is needed, and its absence is noticed") {
  std::map<std::string, int> tried;
  for (const Rung rung : {Rung::v2, Rung::v3}) {
    std::vector<DeviceProblem> problems;
    for (const Poison poison : {Poison::none, Poison::value, Poison::output_gradient}) {
      problems.push_back(problem_for(type_for(rung), poison));
    }
    const auto all_right = [&] {
      for (const DeviceProblem& problem : problems) {
        for (const GridOptions& order : kOrders) {
          if (outcome(problem, rung, order) != "right") return false;
        }
      }
      return true;
    };
    visited.clear();
    REQUIRE(all_right());
    const std::set<Site> sites = visited;
    for (const Site& site : sites) {
      ++tried[site.kind];
      const Planted planted(Fault::missing, site);
      INFO("without " << site.kind << " of " << site.file << ":" << site.line);
      CHECK_FALSE(all_right());
    }
  }
  // Of blocks: two a tile in three kernels, twice. Of warps: one in each kernel of v2, two in the
  // way around the tensor cores of v3, and that of the sinks, met twice.
  CHECK(tried["block_sync"] == 12);
  CHECK(tried["warp_sync"] == 7);
  CHECK(tried["copy_async_wait"] == 3);
}

TEST_CASE("half of a warp that passes a barrier by is reported") {
  for (const Rung rung : {Rung::v2, Rung::v3}) {
    const DeviceProblem problem = problem_for(type_for(rung), Poison::none);
    visited.clear();
    REQUIRE(outcome(problem, rung, {}) == "right");
    const std::set<Site> sites = visited;
    for (const Site& site : sites) {
      if (site.kind != "block_sync") continue;
      const Planted planted(Fault::divergent, site);
      INFO("half pass " << site.file << ":" << site.line);
      CHECK_THAT(outcome(problem, rung, {}), Catch::Matchers::Contains("block_sync"));
    }
  }
}

TEST_CASE("an lse in base 2 is noticed in every rung") {
  for (const Rung rung : {Rung::v1, Rung::v2, Rung::v3}) {
    const DeviceProblem problem = problem_for(type_for(rung), Poison::none);
    CHECK(outcome(problem, rung, {}) == "right");
    const Planted planted(Fault::base_two);
    CHECK(outcome(problem, rung, {}) == "wrong");
  }
}
