// The search against its own parts taken one by one, and against what must be true of any plan.
#include "ringlab/sim/plan/search.hpp"

#include <ctime>
#include <set>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/plan/explain.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

PlanRequest request(const char* model, const char* cluster, Purpose purpose, Index tokens,
                    int batch) {
  PlanRequest r;
  r.model = load_model(model);
  r.cluster = load_cluster(cluster);
  r.work = {.purpose = purpose, .tokens = tokens, .batch = batch};
  return r;
}

std::string refused_field(const PlanRequest& r) {
  try {
    search(r);
  } catch (const InputError& error) {
    return error.field();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("every layout multiplies up, divides what it should, and comes once") {
  const PlanRequest r = request("llama3-8b", "4x8xh100", Purpose::train, 65536, 8);
  std::set<std::string> seen;
  int count = 0;
  for_each_layout(r.model, r.work, 32, kAnyLayout, [&](const Parallel& p) {
    ++count;
    CHECK(p.gpus() == 32);
    CHECK(why_not(r.model, r.work, p).empty());
    CHECK(8 % p.data == 0);
    CHECK(32 % p.tensor == 0);
    CHECK(8 / p.data % p.micro_batch == 0);
    if (p.family == Family::ulysses) CHECK(32 / p.tensor % p.context == 0);
    seen.insert(to_text(p) + " " + std::to_string(p.zero) + name(p.recompute) + " " +
                std::to_string(p.micro_batch) + " " + std::to_string(p.interleave));
  });
  CHECK(static_cast<int>(seen.size()) == count);
  CHECK(count > 500);
  // By hand: of the axes alone, for 32 GPUs of which the batch of 8 takes at most 8 as data.
  std::set<std::string> axes;
  for_each_layout(r.model, r.work, 32, kAnyLayout,
                  [&](const Parallel& p) { axes.insert(axes_text(p)); });
  int expected = 0;
  for (int d = 0; d <= 3; ++d) {
    for (int t = 0; t + d <= 5; ++t) {
      for (int p = 0; p + t + d <= 5; ++p) ++expected;  // the rest is context
    }
  }
  CHECK(static_cast<int>(axes.size()) == expected);
}

TEST_CASE("what is not possible is said with its numbers") {
  const Model model = load_model("llama3-8b");  // 32 layers, 32 and 8 heads, an MLP of 14336
  const Workload train{.purpose = Purpose::train, .tokens = 64, .batch = 6};
  const auto says = [&](const Parallel& p, const char* words) {
    const std::string why = why_not(model, train, p);
    INFO(why);
    CHECK(why.find(words) != std::string::npos);
  };
  CHECK(why_not(model, train, {.data = 3, .tensor = 16, .pipeline = 32, .context = 32}).empty());
  says({.data = 4}, "dp 4 does not divide a batch of 6");
  says({.data = 2, .micro_batch = 2}, "micro batch 2 does not divide 3");
  says({.tensor = 3}, "tp 3 does not divide 32 heads");
  says({.tensor = 64}, "tp 64 does not divide 32 heads");
  says({.pipeline = 33}, "pp 33 is more than 32 layers");
  says({.pipeline = 4, .interleave = 3}, "do not interleave 3 times");
  says({.pipeline = 4, .interleave = 2}, "6 micro batches do not interleave");
  says({.pipeline = 2, .zero = 3}, "ZeRO 3 with a pipeline");
  says({.context = 33}, "cp 33 leaves less than two of 64");
  says({.tensor = 8, .context = 8, .family = Family::ulysses}, "degree 8 does not divide 4");
  says({.context = 8, .family = Family::ulysses_ring, .ulysses = 16}, "does not divide cp 8");
  says({.data = 2, .expert = 2}, "llama3-8b has no experts");
  Model moe = load_model("deepseek-v3");
  CHECK(why_not(moe, train, {.data = 6, .expert = 2}).empty());
  CHECK_FALSE(why_not(moe, train, {.data = 6, .expert = 3}).empty());  // 256 experts
  CHECK_FALSE(why_not(moe, train, {.data = 2, .expert = 4}).empty());  // two ranks
}

TEST_CASE("the best layout is the fastest of all that fit") {
  for (const Purpose purpose : {Purpose::train, Purpose::prefill, Purpose::decode}) {
    const PlanRequest r = request("llama3-8b", "8xh100", purpose, 131072, 4);
    const PlanResult result = search(r);
    const Machine machine(r.cluster);
    double least = 1e300;
    int fitting = 0, layouts = 0;
    for_each_layout(r.model, r.work, 8, kAnyLayout, [&](const Parallel& p) {
      ++layouts;
      if (memory_of(r.model, r.work, p, machine.gpu()).total() > machine.gpu().memory_bytes) {
        return;
      }
      ++fitting;
      least = std::min(least, step_time(machine, r.model, r.work, p).total);
    });
    INFO(name(purpose));
    REQUIRE_FALSE(result.best.empty());
    CHECK(result.best.front().step.total == least);
    CHECK(result.fitting == fitting);
    CHECK(result.layouts == layouts);
    int dropped = 0;
    for (const auto& [part, count] : result.too_large) dropped += count;
    CHECK(dropped + fitting == layouts);
    for (std::size_t i = 1; i < result.best.size(); ++i) {
      CHECK(result.best[i - 1].step.total <= result.best[i].step.total);
    }
  }
}

TEST_CASE("simulation bears out the closed forms of the best layouts") {
  PlanRequest r = request("llama3-8b", "8xh100", Purpose::train, 131072, 1);
  PlanResult result = search(r);
  verify(r, result);
  int simulated = 0;
  for (std::size_t i = 0; i < 10 && i < result.best.size(); ++i) {
    const Candidate& c = result.best[i];
    if (!c.not_simulated.empty()) continue;
    ++simulated;
    INFO(to_text(c.parallel));
    // Inside one node only latencies that overlap differ.
    CHECK(*c.simulated == Approx(c.step.total).epsilon(1e-3));
  }
  CHECK(simulated > 3);
}

TEST_CASE("what does not fit is said by its largest part, with the cluster that would do") {
  const PlanRequest r = request("llama3-405b", "8xh100", Purpose::train, 8192, 8);
  const PlanResult result = search(r);
  CHECK(result.best.empty());
  REQUIRE(result.smallest);
  CHECK(result.smallest->memory.total() > 80e9);
  const int gpus = fewest_gpus(r);
  CHECK(gpus > 8);
  PlanRequest more = r;
  more.cluster = with_gpus(r.cluster, gpus);
  CHECK(some_layout_fits(more));
  more.cluster = with_gpus(r.cluster, gpus / 2);
  CHECK_FALSE(some_layout_fits(more));
  // 18 bytes a parameter can never fit in less.
  CHECK(gpus * 80e9 > 18 * 405.8e9);
}

TEST_CASE("the longest sequence is the last that fits") {
  PlanRequest r = request("llama3-70b", "8xh100", Purpose::prefill, 1024, 1);
  const Index tokens = longest_tokens(r);
  CHECK(tokens % 1024 == 0);
  r.work.tokens = tokens;
  CHECK(some_layout_fits(r));
  r.work.tokens = tokens + 1024;
  CHECK_FALSE(some_layout_fits(r));
  // Weights and cache alone bound it from above: 8 x 80 GB.
  CHECK(static_cast<double>(tokens) * 327680 < 640e9 - 2 * 70.5e9);
  // A cache on the host leaves room for longer ones.
  PlanRequest offloaded = r;
  offloaded.work.offload_cache = true;
  CHECK(longest_tokens(offloaded) > tokens);
}

TEST_CASE("the cheapest plan may leave GPUs unused, the fastest does not cost less") {
  PlanRequest r = request("llama3-8b", "8x8xh100", Purpose::prefill, 32768, 1);
  r.dollars_per_gpu_hour = 2;
  const Candidate fastest = search(r).best.front();
  r.by = Ranking::cost;
  const Candidate cheapest = search(r).best.front();
  CHECK(cheapest.dollars <= fastest.dollars);
  CHECK(cheapest.step.total >= fastest.step.total);
  CHECK(cheapest.parallel.gpus() < 64);
  CHECK(fastest.dollars == Approx(2 * fastest.parallel.gpus() * fastest.step.total / 3600));
}

TEST_CASE("bad requests are refused by field") {
  PlanRequest r = request("llama3-8b", "8xh100", Purpose::prefill, 65536, 1);
  const auto with_layout = [&](const char* text) {
    PlanRequest other = r;
    other.fixed = axes_from(text);
    return refused_field(other);
  };
  CHECK(with_layout("dp=1,tp=4,pp=1,cp=4") == "layout");  // 16 of 8
  CHECK(with_layout("tp=3") == "layout");
  CHECK(with_layout("tp=16") == "layout");
  CHECK(with_layout("dp=8") == "layout");  // a batch of one
  CHECK(with_layout("ep=2") == "layout");  // no experts
  CHECK(with_layout("tp=8") == "nothing");
  PlanRequest long_one = r;
  long_one.work.tokens = 1000000000000000;
  CHECK(refused_field(long_one) == "tokens");
  PlanRequest empty = r;
  empty.work.batch = 0;
  CHECK(refused_field(empty) == "batch");
}

TEST_CASE("plans are explained") {
  const PlanRequest r = request("llama3-8b", "2x8xa100", Purpose::prefill, 262144, 1);
  const PlanResult result = search(r);
  const Binding binding = binding_of(result.best.front().step);
  CHECK(binding.what == "compute");
  CHECK(binding.share > 0.5);
  for (const Alternative& a : alternatives(result)) {
    INFO(a.how);
    CHECK(a.seconds >= result.best.front().step.total);
  }
  const std::vector<OtherHardware> next = next_hardware(r);
  REQUIRE(next.size() == 3);
  CHECK(next[0].name == "h100");
  CHECK(next[0].seconds < result.best.front().step.total);
}

TEST_CASE("large clusters are searched in seconds") {
  const auto cpu_seconds = [](const PlanRequest& r) {
    const std::clock_t before = std::clock();
    const PlanResult result = search(r);
    CHECK(result.layouts > 100);
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  };
  CHECK(cpu_seconds(request("llama3-70b", "128x8xh100", Purpose::train, 1 << 20, 64)) < 2);
  CHECK(cpu_seconds(request("llama3-405b", "2048x8xh100", Purpose::train, 10000000, 16)) < 10);
}
