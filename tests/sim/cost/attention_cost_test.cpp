// Tile times from curves: between measured points, at their ends, and on parts without one.
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cost/attention_cost.hpp"
#include "ringlab/sim/data/data.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

AttentionTile square(double tokens, bool full, bool backward = false) {
  const double pairs = tokens * tokens * 32;
  return {full ? pairs : pairs / 2, pairs, tokens, tokens, 32, 128, backward};
}

double rate(const AttentionCost& cost, const AttentionTile& tile) {
  // Without the launch, which the files put at 5 us.
  return tile.pair_heads * tile.head_dim * (tile.backward ? 10 : 4) / (cost.seconds(tile) - 5e-6);
}

std::string field_of(const std::string& text) {
  try {
    AttentionCost::parse(text, "curve");
  } catch (const InputError& error) {
    return error.field();
  }
  return "";
}

}  // namespace

TEST_CASE("a part's own curve gives the published rates back") {
  const AttentionCost a100 = AttentionCost::for_gpu(load_gpu("a100"));
  CHECK(rate(a100, square(4096, true)) == Approx(222e12));
  CHECK(rate(a100, square(4096, false)) == Approx(198e12));
  CHECK(rate(a100, square(16384, true)) == Approx(223e12));
  const AttentionCost h100 = AttentionCost::for_gpu(load_gpu("h100"));
  CHECK(rate(h100, square(4096, false)) == Approx(579e12));
  CHECK(rate(h100, square(16384, false)) == Approx(616e12));
  CHECK(rate(h100, square(8192, false)) == Approx((579e12 + 616e12) / 2));  // half way in log
  CHECK(rate(h100, square(100, true)) == Approx(638e12));                   // the curve's ends hold
  CHECK(rate(h100, square(1e6, true)) == Approx(648e12));
  CHECK(h100.provenance() == "flash-attention-3-h100, measured on this part");
  CHECK(rate(AttentionCost::load("cudnn-h100"), square(4096, true)) == Approx(609e12));
}

TEST_CASE("forward and backward together take what one GPU was measured to take") {
  // 373.4 forward and 94.7 forward + backward iterations a second on an A100: a ratio of 3.94; on
  // an H800 591.5 and 154.7, of 3.82. The files round the rates to two digits: 1 %.
  for (const auto& [part, forward, both] :
       {std::tuple{"a100", 373.4, 94.7}, std::tuple{"h800", 591.5, 154.7}}) {
    const AttentionCost cost = AttentionCost::for_gpu(load_gpu(part));
    const double f = cost.seconds(square(8192, false)) - 5e-6;
    const double b = cost.seconds(square(8192, false, true)) - 5e-6;
    CHECK((f + b) / f == Approx(forward / both).epsilon(0.01));
  }
}

TEST_CASE("a part without a curve takes one in the ratio of the peaks, and says so") {
  const AttentionCost b200 = AttentionCost::for_gpu(load_gpu("b200"));
  CHECK(rate(b200, square(16384, true)) == Approx(648e12 * 2250 / 989));
  CHECK_THAT(b200.provenance(), Catch::Matchers::Contains("not measured"));
  Gpu own = load_gpu("rtx4090");
  own.name = "a part of mine";  // nearest in peak: the A100's curve
  CHECK(rate(AttentionCost::for_gpu(own), square(4096, true)) == Approx(222e12 * 165 / 312));
}

TEST_CASE("empty tiles are free, and bad curves are refused by field") {
  const AttentionCost cost = AttentionCost::constant(1e12, 3e-6);
  AttentionTile tile = square(1000, true);
  CHECK(cost.seconds(tile) == Approx(3e-6 + 1e6 * 32 * 128 * 4 / 1e12));
  tile.pair_heads = 0;
  CHECK(cost.seconds(tile) == 0);
  for (const std::string& name : data_names("kernels")) CHECK_NOTHROW(AttentionCost::load(name));
  CHECK(field_of("{\"name\": \"x\"}") == "forward");
  CHECK(field_of("{\"name\": \"x\", \"forward\": []}") == "forward");
  CHECK(field_of(R"({"name": "x", "forward": [{"tile_tokens": 1, "full_flops_per_second": 0}]})") ==
        "forward[0].full_flops_per_second");
  CHECK(field_of(R"({"name": "x", "forward": [{"tile_tokens": 2, "full_flops_per_second": 1e12},
                                               {"tile_tokens": 2, "full_flops_per_second": 1e12}]})") ==
        "forward[1].tile_tokens");
  CHECK(field_of(R"({"name": "x", "speed": 1,
                     "forward": [{"tile_tokens": 2, "full_flops_per_second": 1e12}]})") == "speed");
}
