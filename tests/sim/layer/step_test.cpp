// A step against what must be true of it: pure compute where nothing else costs, bubbles and
// collectives by their own formulas, and shares that add up.
#include "ringlab/sim/layer/step.hpp"

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cost/collective_cost.hpp"
#include "ringlab/sim/model/flops.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

constexpr double kRate = 500e12;

// Links and memory that cost nothing, one rate for everything.
Machine ideal(const char* name = "4x8xh100") {
  Cluster cluster = load_cluster(name);
  for (Level& level : cluster.levels) level.link = {1e30, 0};
  cluster.gpu.memory_bytes_per_second = 1e30;
  Calibration calibration;
  calibration.reached_flops_per_second = kRate;
  calibration.attention = AttentionCost::constant(kRate);
  return Machine(cluster, calibration);
}

const Model& llama() {
  static const Model model = load_model("llama3-8b");
  return model;
}

}  // namespace

TEST_CASE("where only FLOPs cost, a step takes its FLOPs") {
  const Machine machine = ideal();
  const double s = 65536;
  const double matrices = 2.0 * static_cast<double>(llama().active_matrix_weights());
  const double head = 2.0 * 128256 * 4096;
  const double attention = 4.0 * 32 * 128 * causal_pairs(llama(), s) * 32;
  SECTION("prefill, split over everything but the pipeline") {
    const Workload work{.purpose = Purpose::prefill, .tokens = 65536, .batch = 2};
    for (const Parallel& p :
         {Parallel{.data = 2, .tensor = 4, .context = 4},
          Parallel{.data = 1, .tensor = 8, .context = 4}, Parallel{.data = 2, .context = 16}}) {
      const StepTime step = step_time(machine, llama(), work, p);
      // The head works for the last token of each sequence, on each context rank.
      const double flops = 2 * (s * matrices + attention + head * p.context);
      CHECK(step.total == Approx(flops / kRate / p.gpus()).epsilon(1e-3));
    }
  }
  SECTION("training: three times the products, three and a half times attention") {
    const Workload work{.purpose = Purpose::train, .tokens = 65536, .batch = 4};
    const double flops = 4 * (3 * s * (matrices + head) + 3.5 * attention);
    const Parallel p{.data = 2, .tensor = 4, .context = 4};
    CHECK(step_time(machine, llama(), work, p).total == Approx(flops / kRate / 32).epsilon(1e-3));
    // Full recomputation does the layers' forward pass again.
    Parallel full = p;
    full.recompute = Recompute::full;
    CHECK(step_time(machine, llama(), work, full).total ==
          Approx((flops + 4 * (s * matrices + attention)) / kRate / 32).epsilon(1e-3));
    CHECK(step_time(machine, llama(), work, p).model_flops ==
          Approx(4 * 3 * (s * (matrices + head) + attention)));
  }
  SECTION("a pipeline idles (p - 1) / m of its time, interleaved 1 / v of that") {
    const Workload work{.purpose = Purpose::train, .tokens = 8192, .batch = 16};
    const StepTime one = step_time(machine, llama(), work, {.pipeline = 4});
    CHECK(one.bubble_share == Approx(3.0 / (16 + 3)));
    CHECK(one.shares.pipeline == Approx(one.total * 3 / 19).epsilon(1e-6));
    const StepTime two = step_time(machine, llama(), work, {.pipeline = 4, .interleave = 2});
    CHECK(two.bubble_share == Approx(1.5 / (16 + 1.5)));
  }
}

TEST_CASE("each link's cost stands under its own name, and the shares add up") {
  const Workload work{.purpose = Purpose::train, .tokens = 131072, .batch = 8};
  const Parallel p{.data = 2, .tensor = 4, .pipeline = 2, .context = 2};
  const Machine machine(load_cluster("4x8xh100"));
  const StepTime step = step_time(machine, llama(), work, p);
  double sum = 0;
  for (const Shares::Part& part : Shares::parts()) sum += step.shares.*part.seconds;
  CHECK(sum == Approx(step.total));
  CHECK(step.utilisation > 0.2);
  CHECK(step.utilisation < 0.8);

  // Tensor parallelism inside the node: four collectives each way over a third of a crossbar's
  // data, in 16 layers of the stage and four micro batches of the data rank.
  const GroupPath& path = machine.path({4, 1});
  const double each = direct_exchange_seconds(path, 65536.0 * 4096 * 2 / 4);
  CHECK(step.shares.tensor == Approx(4 * 16 * 8 * each).epsilon(0.02));

  // Slower rails touch what goes between nodes only.
  Cluster slow = machine.cluster();
  slow.levels[1].link.bytes_per_second /= 10;
  const StepTime other = step_time(Machine(slow), llama(), work, p);
  CHECK(other.shares.tensor == step.shares.tensor);
  CHECK(other.shares.matrix == step.shares.matrix);
  CHECK(other.shares.pipeline > step.shares.pipeline);
}

TEST_CASE("ZeRO 3 gathers weights for every micro batch, ZeRO 1 once a step") {
  const Machine machine(load_cluster("4x8xh100"));
  const Workload work{.purpose = Purpose::train, .tokens = 512, .batch = 64};
  const auto weights = [&](int zero) {
    return step_time(machine, llama(), work, {.data = 32, .zero = zero}).shares.weights;
  };
  CHECK(weights(3) > weights(2));
  CHECK(weights(2) > weights(1));
  // Reduce-scatter and all-gather are an all-reduce, of half as wide weights on the way back.
  CHECK(weights(1) <= weights(0));
  // Hidden behind long sequences, but for the last layer's part.
  const Workload longer{.purpose = Purpose::train, .tokens = 131072, .batch = 64};
  const StepTime step = step_time(machine, llama(), longer, {.data = 32, .zero = 1});
  CHECK(step.shares.weights < 0.1 * step.gradient_seconds);
}

TEST_CASE("decoding reads weights and cache once a token") {
  const Machine machine(load_cluster("8xh100"));
  const Workload work{.purpose = Purpose::decode, .tokens = 131072, .batch = 1};
  const StepTime step = step_time(machine, llama(), work, {.tensor = 1});
  const double bytes =
      2 * (static_cast<double>(llama().matrix_weights()) + 128256.0 * 4096) + 131072.0 * 131072;
  CHECK(step.total == Approx(bytes / 3.35e12).epsilon(0.01));
  CHECK(std::string(step.shares.largest()) == "memory traffic");
  // Nothing is left for the matrix units: products of one row wait for their weights.
  CHECK(step.shares.matrix == 0);
  // Sharding the cache shortens its reading and adds the tree's latencies.
  const StepTime sharded = step_time(machine, llama(), work, {.context = 8});
  CHECK(sharded.shares.memory < step.shares.memory);
  CHECK(sharded.shares.context > 0);
  // A cache in the host's memory comes over PCIe, which nothing here can hide.
  Workload offloaded = work;
  offloaded.offload_cache = true;
  CHECK(step_time(machine, llama(), offloaded, {}).shares.host > 0.9 * 131072.0 * 131072 / 55.4e9);
}

TEST_CASE("experts cost their active width, and an exchange where they are spread") {
  const Model model = load_model("deepseek-v3");
  const Machine machine = ideal("8x8xh100");
  const Workload work{.purpose = Purpose::prefill, .tokens = 65536, .batch = 64};
  const StepTime step = step_time(machine, model, work, {.data = 64, .expert = 64});
  const double flops = 65536.0 * 2 * static_cast<double>(model.active_matrix_weights()) +
                       attention_flops(model, causal_pairs(model, 65536)) * 61;
  // Routers aside, which are left out.
  CHECK(step.total == Approx(flops / kRate).epsilon(0.01));
  const Machine real(load_cluster("8x8xh100"));
  CHECK(step_time(real, model, work, {.data = 64, .expert = 64}).shares.expert > 0);
  CHECK(step_time(real, model, work, {.data = 64}).shares.expert == 0);
}

TEST_CASE("clusters grow and shrink by whole nodes") {
  const Cluster node = load_cluster("8xh100");
  CHECK(with_gpus(node, 4).gpus() == 4);
  CHECK(with_gpus(node, 64).gpus() == 64);
  CHECK(with_gpus(node, 64).levels[1].link == load_cluster("8x8xh100").levels[1].link);
  CHECK(with_gpus(load_cluster("16x8xh100"), 16).gpus() == 16);
  CHECK(with_gpus(load_cluster("16x8xh100"), 8).levels.size() == 1);
  CHECK_THROWS_AS(with_gpus(node, 12), InputError);
  CHECK_THROWS_AS(with_gpus(node, 0), InputError);
  CHECK_THROWS_AS(with_gpus(load_cluster("8xl20"), 16), InputError);
  CHECK_THROWS_AS(with_gpus(load_cluster("tpu-v4-64"), 32), InputError);
}
