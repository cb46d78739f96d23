// The shapes of published models: parameters as their model cards count them, bytes of keys and
// values as printed, work as another counter of FLOPs counts it.
#include "ringlab/sim/model/model.hpp"

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/data/data.hpp"
#include "ringlab/sim/model/flops.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

// Throws nothing, or an error of this field.
void refused(const std::string& field, const std::string& json) {
  INFO(json);
  try {
    parse_model(json, "m.json");
    FAIL("not refused");
  } catch (const InputError& error) {
    CHECK(error.field() == field);
  }
}

std::string tiny(const std::string& more, const std::string& head_dim = "8") {
  return "{\"layers\": 2, \"hidden\": 16, \"heads\": 4, \"head_dim\": " + head_dim +
         ", \"ffn\": 32, \"vocabulary\": 10" + more + "}";
}

}  // namespace

TEST_CASE("parameters are those of the model cards") {
  // The safetensors index of each repository, exact.
  CHECK(load_model("llama2-7b").parameters() == 6738415616);
  CHECK(load_model("llama2-13b").parameters() == 13015864320);
  CHECK(load_model("llama2-70b").parameters() == 68976648192);
  CHECK(load_model("llama3-8b").parameters() == 8030261248);
  CHECK(load_model("llama3-70b").parameters() == 70553706496);
  CHECK(load_model("llama3-405b").parameters() == 405853388800);
  CHECK(load_model("mistral-7b").parameters() == 7241732096);
  CHECK(load_model("qwen2.5-7b").parameters() == 7615616512);
  CHECK(load_model("qwen2.5-72b").parameters() == 72706203648);
  // Printed to the last digit shown: 671 billion, 37 of them for one token; GPT-3 is 175 billion.
  const Model deepseek = load_model("deepseek-v3");
  CHECK(deepseek.parameters() / 1000000000 == 671);
  CHECK(static_cast<double>(deepseek.active_matrix_weights() +
                            Index{deepseek.vocabulary} * deepseek.hidden) ==
        Approx(37e9).margin(0.5e9));
  CHECK(static_cast<double>(load_model("gpt3-175b").parameters()) == Approx(175e9).margin(0.5e9));
}

TEST_CASE("a plain model by its shape is the published one of that shape") {
  // GPT-3's, but for what a plain shape does not say: biases and learned positions.
  const Model shape =
      load_model("layers=96,heads=96,head_dim=128,hidden=12288,ffn=49152,vocabulary=51200");
  CHECK(shape.matrix_weights() == load_model("gpt3-175b").matrix_weights());
  CHECK(shape.kv_bytes_per_token() == 4718592);
  // Widths that follow from the heads: the cache of Llama-3 70B needs no more than these.
  const Model grouped = load_model("layers=80,heads=64,kv_heads=8,head_dim=128");
  CHECK(grouped.hidden == 8192);
  CHECK(grouped.ffn == 32768);
  CHECK(grouped.kv_bytes_per_token() == 327680);
  for (const char* wrong : {"layers=2,depth=3", "layers=", "layers=2,,heads=4", "layers=2,layers=2",
                            "layers=-2", "layers=2.5", "layers=99999999999", "=3"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(load_model(wrong), InputError);
  }
  CHECK_THROWS_AS(load_model("layers=2,heads=4,kv_heads=3"), InputError);
}

TEST_CASE("keys and values of a token take the printed bytes") {
  // Published table, bfloat16: grouped heads, plain heads, latents.
  const std::vector<std::pair<std::string, Index>> printed = {
      {"llama2-7b", 524288},  {"llama2-13b", 819200}, {"llama2-70b", 327680},
      {"llama3-8b", 131072},  {"llama3-70b", 327680}, {"llama3-405b", 516096},
      {"gpt3-175b", 4718592}, {"qwen2.5-7b", 57344},  {"qwen2.5-72b", 327680},
      {"mistral-7b", 131072}, {"deepseek-v3", 70272},
  };
  CHECK(printed.size() == data_names("models").size());
  for (const auto& [name, bytes] : printed) {
    INFO(name);
    CHECK(load_model(name).kv_bytes_per_token() == bytes);
    CHECK(load_model(name).kv_bytes_per_token(1) * 2 == bytes);
    CHECK_FALSE(load_model(name).source.empty());
  }
}

TEST_CASE("training work is that of another counter, to the last digit") {
  const Model model = load_model("llama2-7b");
  CHECK(training_flops_square(model, {512, 1024, 2048}) == 153555818250240);
  CHECK(training_flops_square(model, {4096, 4096, 4096}) == 575955114393600);
  CHECK_THROWS_AS(training_flops_square(load_model("llama3-405b"), {Index{1} << 30}), InputError);
}

TEST_CASE("forward work is a third of training work where tables cost nothing") {
  // Training counts both tables as matrices, the forward pass only the head.
  const Model model = load_model("llama2-7b");
  const double s = 4096;
  const double forward = forward_flops(model, s, s * s, s);
  const double table = 2.0 * model.vocabulary * model.hidden * s;
  CHECK(3 * (forward + table) ==
        Approx(static_cast<double>(training_flops_square(model, {4096}))).epsilon(1e-12));
}

TEST_CASE("causal pairs are those of a loop over queries") {
  Model model = load_model("llama2-7b");
  for (const std::optional<Index> window : {std::optional<Index>{}, std::optional<Index>{5}}) {
    model.window = window;
    for (int cached : {0, 3, 9}) {
      for (int tokens : {1, 4, 7, 20}) {
        double pairs = 0;
        for (int i = cached + 1; i <= cached + tokens; ++i) {
          pairs += static_cast<double>(window ? std::min<Index>(i, *window) : i);
        }
        CHECK(causal_pairs(model, tokens, cached) == pairs);
      }
    }
  }
}

TEST_CASE("a shape that is wrong is refused by field") {
  CHECK(parse_model(tiny(""), "m.json").kv_heads == 4);
  refused("layers", R"({"hidden": 16})");
  refused("hiden", tiny(R"(, "hiden": 3)"));
  refused("kv_heads", tiny(R"(, "kv_heads": 3)"));
  refused("kv_heads", tiny(R"(, "kv_heads": 0)"));
  refused("head_dim", tiny("", "-1"));
  refused("head_dim", tiny("", "1e9"));
  refused("head_dim", tiny("", "\"8\""));
  refused("mlp", tiny(R"(, "mlp": "swiglu")"));
  refused("bias", tiny(R"(, "bias": true)"));
  refused("tied_embedding", tiny(R"(, "tied_embedding": 1)"));
  refused("window", tiny(R"(, "window": 0)"));
  refused("latent", tiny(R"(, "latent": 512)"));
  refused("latent.key_value", tiny(R"(, "latent": {"rope": 64})"));
  refused("latent.width", tiny(R"(, "latent": {"key_value": 8, "rope": 4, "query": 8,
                                   "value_dim": 8, "width": 1})"));
  refused("experts.active", tiny(R"(, "experts": {"count": 2, "active": 3, "ffn": 8})"));
  refused("experts.dense_layers",
          tiny(R"(, "experts": {"count": 4, "active": 2, "ffn": 8, "dense_layers": 3})"));
  refused("m.json", "[1");
  CHECK_THROWS_AS(load_model("llama4"), InputError);
  CHECK_THROWS_AS(load_model("missing.json"), InputError);
}
