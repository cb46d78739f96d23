// Bytes of a rank against the equations and the figure of arXiv 2205.05198, printed bytes of
// caches, and what each axis must and must not divide.
#include "ringlab/sim/memory/memory.hpp"

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/memory/activations.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

Model gpt(int heads, int hidden, int layers) {
  Model m;
  m.name = "gpt";
  m.layers = layers;
  m.hidden = hidden;
  m.heads = m.kv_heads = heads;
  m.head_dim = hidden / heads;
  m.ffn = 4 * hidden;
  m.vocabulary = 51200;
  m.mlp = MlpKind::plain;
  return m;
}

ActivationRule megatron(int t, bool sequence_parallel, double scores) {
  return {.tensor = t,
          .sequence_parallel = sequence_parallel,
          .recompute = Recompute::none,
          .dropout = true,
          .stored_scores = scores};
}

}  // namespace

TEST_CASE("activations of a layer are the paper's equations") {
  const double h = 12288, a = 96, s = 2048;
  const Model model = gpt(96, 12288, 96);
  for (const int t : {1, 2, 8}) {
    const LayerActivations plain = layer_activations(model, megatron(t, false, s));
    // Equation 2, divided by s b; equation 1 for t = 1.
    CHECK(plain.kept(Recompute::none) == Approx(h * (10 + 24.0 / t + 5 * a * s / (h * t))));
    const LayerActivations sharded = layer_activations(model, megatron(t, true, s));
    CHECK(sharded.kept(Recompute::none) == Approx(h / t * (34 + 5 * a * s / h)));  // equation 4
    CHECK(sharded.kept(Recompute::selective) == Approx(34 * h / t));               // equation 6
    CHECK(plain.kept(Recompute::full) == Approx(2 * h));
  }
  const LayerActivations one = layer_activations(model, megatron(1, false, s));
  CHECK(one.attention == Approx(11 * h));
  CHECK(one.mlp == Approx(19 * h));
  CHECK(one.norms == Approx(4 * h));
}

TEST_CASE("figure 1 of the paper, to 1e-4") {
  struct Row {
    int heads, hidden, layers, t, p, interleave, micro;
    double state, tensor_only, selective;  // GiB
  };
  const std::vector<Row> rows = {
      {64, 6144, 48, 8, 1, 1, 4, 45.5625, 59.25, 9.5625},
      {96, 12288, 96, 8, 8, 3, 1, 45.5625, 66.84375, 12.3515625},
      {128, 20480, 105, 8, 35, 3, 1, 31.640625, 114.0234375, 23.076171875},
      {160, 25600, 128, 8, 64, 1, 1, 32.958984, 131.25, 26.5625},
  };
  const double s = 2048;
  for (const Row& row : rows) {
    INFO(row.hidden);
    const Model model = gpt(row.heads, row.hidden, row.layers);
    const double parameters = static_cast<double>(model.matrix_weights()) / (row.t * row.p);
    const ModelState state = model_state(parameters, 0, 1);
    CHECK((state.weights + state.gradients + state.optimizer) / kGiB ==
          Approx(row.state).epsilon(1e-4));
    // The first stage holds all layers' worth.
    const double held =
        s * row.micro * row.layers * interleave_factor(row.p, row.interleave) / kGiB;
    CHECK(held * layer_activations(model, megatron(row.t, false, s)).kept(Recompute::none) ==
          Approx(row.tensor_only).epsilon(1e-4));
    CHECK(held * layer_activations(model, megatron(row.t, true, s)).kept(Recompute::selective) ==
          Approx(row.selective).epsilon(1e-4));
  }
}

TEST_CASE("a cache takes the published bytes and its transfer the published time") {
  const Model model = load_model("llama3-405b");
  Gpu gpu;
  gpu.memory_bytes = 80e9;
  gpu.host = {55.4e9, 0};
  const Workload work{.purpose = Purpose::decode, .tokens = Index{1} << 20};
  const Parallel eight{.tensor = 8};
  CHECK(8 * cache_bytes(model, work, eight) == Approx(541.2e9).epsilon(1e-3));
  const double each = cache_bytes(model, work, eight);
  CHECK(offload_time(gpu, each, model.layers, 0).transfer_seconds == Approx(1.22).epsilon(2e-3));
  // Nothing computes: all of it is exposed. Enough computes: one layer's part is.
  CHECK(offload_time(gpu, each, model.layers, 0).exposed_seconds == Approx(1.22).epsilon(2e-3));
  CHECK(offload_time(gpu, each, model.layers, 1).exposed_seconds ==
        Approx(1.221 / 126).epsilon(2e-3));
}

TEST_CASE("each axis divides what it should and nothing else") {
  const Model model = load_model("llama3-8b");
  Gpu gpu;
  gpu.memory_bytes = 80e9;
  const Workload work{.purpose = Purpose::train, .tokens = 65536, .batch = 8};
  const auto memory = [&](const Parallel& p) { return memory_of(model, work, p, gpu); };
  const Memory one = memory({.zero = 0});

  SECTION("weights and state") {
    // 8.03e9 parameters less the norms, which no matrix holds.
    CHECK(one.weights == Approx(2 * 8030261248.0).epsilon(1e-4));
    CHECK(one.gradients == 2 * one.weights);
    CHECK(one.optimizer == 6 * one.weights);
    const Memory data = memory({.data = 8, .zero = 0});
    CHECK(data.weights == one.weights);
    CHECK(data.optimizer == one.optimizer);
    for (int zero = 0; zero <= 3; ++zero) {
      const Memory sharded = memory({.data = 4, .context = 2, .zero = zero});
      CHECK(sharded.optimizer == Approx(one.optimizer / (zero >= 1 ? 8 : 1)));
      CHECK(sharded.gradients == Approx(one.gradients / (zero >= 2 ? 8 : 1)));
      if (zero < 3) CHECK(sharded.weights == one.weights);
      // The shard, and two layers whole.
      if (zero == 3) CHECK(sharded.weights == Approx(one.weights / 8 + 4 * 218103808.0));
    }
  }
  SECTION("context parallelism divides the sequence, not the model") {
    const Memory cp = memory({.context = 8, .zero = 0});
    CHECK(cp.activations == Approx(one.activations / 8));
    CHECK(cp.log_sum_exp == Approx(one.log_sum_exp / 8));
    CHECK(cp.weights == one.weights);
    CHECK(cp.optimizer == one.optimizer);
    // An all-gather holds every block, a ring three.
    const Memory gathered = memory({.context = 8, .family = Family::all_gather, .zero = 0});
    CHECK(gathered.blocks > 2 * cp.blocks);
  }
  SECTION("tensor and sequence parallelism") {
    const Memory tp = memory({.tensor = 8, .sequence_parallel = true, .zero = 0});
    CHECK(tp.weights == Approx(one.weights / 8));
    CHECK(tp.activations == Approx(one.activations / 8));
    const Memory plain = memory({.tensor = 8, .sequence_parallel = false, .zero = 0});
    // 8 h a token and layer stay whole: two inputs of products and two norms.
    CHECK(plain.activations - tp.activations == Approx(8.0 * 4096 * (1 - 1.0 / 8) * 65536 * 32));
  }
  SECTION("the first stage of a pipeline holds all layers' worth of activations") {
    const Memory pp = memory({.pipeline = 4, .zero = 0});
    CHECK(pp.activations == Approx(one.activations));
    const Memory interleaved = memory({.pipeline = 4, .zero = 0, .interleave = 2});
    CHECK(interleaved.activations == Approx(one.activations * (1 + 3.0 / 8)));
    // With fewer micro batches than stages, no more than there are.
    CHECK(memory({.data = 8, .pipeline = 4, .zero = 0}).activations == Approx(one.activations / 4));
  }
  SECTION("full recomputation keeps the inputs of layers") {
    const Memory full = memory({.zero = 0, .recompute = Recompute::full});
    CHECK(full.activations == Approx(2.0 * 4096 * 65536 * 32));
    CHECK(full.log_sum_exp == 0);
    CHECK(full.working > one.working);
  }
  SECTION("logits whole or some at a time") {
    Workload whole = work;
    whole.whole_logits = true;
    CHECK(memory_of(model, whole, {}, gpu).logits == Approx(65536 * 8.0 * 128256));
    CHECK(one.logits == Approx(4096 * 8.0 * 128256));
    CHECK(memory({.tensor = 8}).logits == Approx(one.logits / 8));
  }
  SECTION("the parts add up") {
    double sum = 0;
    for (const Memory::Part& part : Memory::parts()) sum += one.*part.bytes;
    CHECK(sum == Approx(one.total()));
    CHECK(std::string(one.largest()) == "activations kept");
  }
}

TEST_CASE("caches share heads, not latents, and forget beyond a window") {
  const Workload work{.purpose = Purpose::decode, .tokens = 100000, .batch = 4};
  const Model grouped = load_model("llama3-70b"), latent = load_model("deepseek-v3"),
              window = load_model("mistral-7b");
  const double one = cache_bytes(grouped, work, {});
  CHECK(one == 4 * 100000 * 327680.0);
  CHECK(cache_bytes(grouped, work, {.tensor = 8}) == one / 8);
  CHECK(cache_bytes(grouped, work, {.tensor = 16}) == one / 8);  // eight heads, copied
  CHECK(cache_bytes(grouped, work, {.data = 2, .context = 2}) == one / 4);
  CHECK(cache_bytes(grouped, work, {.pipeline = 4}) == one / 4);
  CHECK(cache_bytes(latent, work, {.tensor = 8}) == 4 * 100000 * 70272.0);
  CHECK(cache_bytes(window, work, {}) == 4 * 4096 * 131072.0);
}

TEST_CASE("experts spread over the ranks that hold the same weights") {
  const Model model = load_model("deepseek-v3");
  const double all = parameters_of_rank(model, {});
  CHECK(all == Approx(671e9).epsilon(1e-2));
  const double spread = parameters_of_rank(model, {.data = 64, .expert = 64});
  // 58 layers of 256 experts of 3 * 7168 * 2048 weights.
  const double experts = 58.0 * 256 * 3 * 7168 * 2048;
  CHECK(all - spread == Approx(experts * (1 - 1.0 / 64)).epsilon(1e-3));
}

TEST_CASE("axes are read from text") {
  const Parallel p = axes_from("dp=2,tp=8,cp=4");
  CHECK(p.data == 2);
  CHECK(p.tensor == 8);
  CHECK(p.pipeline == 0);
  CHECK(p.context == 4);
  for (const char* bad :
       {"dp", "dp=", "dp=0", "dp=-1", "dp=2,dp=2", "xp=2", "dp=2x", "dp=9999999999"}) {
    INFO(bad);
    CHECK_THROWS_AS(axes_from(bad), InputError);
  }
}
