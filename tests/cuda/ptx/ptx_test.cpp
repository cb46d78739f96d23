// Every wrapper of inline PTX by its CPU twin, against arithmetic written down plainly.
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "ringlab/cuda/ptx/copy_async.hpp"
#include "ringlab/cuda/ptx/exponential.hpp"
#include "ringlab/cuda/ptx/matrix.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::cuda;
using on_cpu::FiberOrder;
using on_cpu::GridOptions;

namespace {

const GridOptions kOrders[] = {
    {0, FiberOrder::forward, 1}, {0, FiberOrder::backward, 1}, {1, FiberOrder::shuffled, 1}};

void run_warp(const GridOptions& options, const auto& kernel) {
  on_cpu::run_grid(options, {1, 1, 1}, {32, 1, 1}, 4096, kernel);
}

// Small whole numbers: every product and sum is exact in either type.
float whole(int i) {
  return static_cast<float>((i * 7 + i * i) % 13 - 6);
}

template <class T>
void check_product() {
  float a[16][16], b[16][8], c[16][8];
  for (int i = 0; i < 256; ++i) a[i / 16][i % 16] = whole(i);
  for (int i = 0; i < 128; ++i) b[i / 8][i % 8] = whole(i + 5);
  for (int i = 0; i < 128; ++i) c[i / 8][i % 8] = whole(i + 9);
  for (const GridOptions& options : kOrders) {
    float found[16][8] = {};
    run_warp(options, [&] {
      // The layout as the manual words it, lane by lane.
      const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
      ptx::FragmentA fa;
      ptx::FragmentB fb;
      ptx::FragmentC fc;
      for (int i = 0; i < 8; i += 2) {  // a_i: row group for i in {0,1,4,5}, else group + 8
        const int row = i == 0 || i == 4 ? group : group + 8;
        const int column = thread * 2 + (i >= 4 ? 8 : 0);
        fa.x[i / 2] = ptx::pack<T>(a[row][column], a[row][column + 1]);
      }
      for (int i = 0; i < 4; i += 2) {  // b_i: row thread * 2 (+ 8 for i >= 2), column group
        const int row = thread * 2 + (i >= 2 ? 8 : 0);
        fb.x[i / 2] = ptx::pack<T>(b[row][group], b[row + 1][group]);
      }
      for (int i = 0; i < 4; ++i) {  // c_i: row group for i < 2, else group + 8
        fc.x[i] = c[i < 2 ? group : group + 8][thread * 2 + (i & 1)];
      }
      ptx::multiply_add<T>(fc, fa, fb);
      for (int i = 0; i < 4; ++i) {
        found[i < 2 ? group : group + 8][thread * 2 + (i & 1)] = fc.x[i];
      }
    });
    int wrong = 0;
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 8; ++j) {
        float sum = c[i][j];
        for (int k = 0; k < 16; ++k) sum += a[i][k] * b[k][j];
        wrong += found[i][j] != sum;
      }
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("the matrix product of a warp is the plain product, exactly") {
  check_product<BFloat16>();
  check_product<Float16>();
}

TEST_CASE("a matrix product without a whole warp is refused") {
  CHECK_THROWS_AS(on_cpu::run_grid({}, {1, 1, 1}, {16, 1, 1}, 0,
                                   [] {
                                     ptx::FragmentC c{};
                                     ptx::multiply_add<Float16>(c, {}, {});
                                   }),
                  InvariantError);
}

TEST_CASE("ldmatrix hands out four 8x8 matrices, as they are or transposed") {
  for (const GridOptions& options : kOrders) {
    int wrong = 0;
    run_warp(options, [&] {
      auto* values = reinterpret_cast<std::uint16_t*>(dynamic_smem());  // [32 rows, 8]
      const int lane = static_cast<int>(threadIdx.x);
      for (int i = 0; i < 8; ++i) {
        values[lane * 8 + i] = static_cast<std::uint16_t>(lane * 8 + i);
      }
      block_sync();
      std::uint32_t plain[4], turned[4];
      ptx::load_matrices<false>(values + lane * 8, plain);
      ptx::load_matrices<true>(values + lane * 8, turned);
      const auto at = [](int matrix, int row, int column) {
        return static_cast<std::uint32_t>((matrix * 8 + row) * 8 + column);
      };
      const int g = lane / 4, t = lane % 4;
      for (int m = 0; m < 4; ++m) {
        wrong += plain[m] != (at(m, g, 2 * t) | at(m, g, 2 * t + 1) << 16);
        wrong += turned[m] != (at(m, 2 * t, g) | at(m, 2 * t + 1, g) << 16);
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("copies of 4, 8 and 16 bytes, whole or zero, land when their group is waited for") {
  alignas(16) float source[4] = {1, 2, 3, 4};
  for (const GridOptions& options : kOrders) {
    int wrong = 0, still_away = 0;
    run_warp(options, [&] {
      if (threadIdx.x != 0) return;
      float* shared = reinterpret_cast<float*>(dynamic_smem());
      ptx::copy_async<16>(shared, source);
      ptx::copy_async_commit();
      ptx::copy_async<8>(shared + 4, source);
      ptx::copy_async<4>(shared + 8, source);
      ptx::copy_async<16>(shared + 12, source, false);
      ptx::copy_async_commit();
      still_away += std::isnan(shared[0]);
      ptx::copy_async_wait<1>();
      for (int i = 0; i < 4; ++i) wrong += shared[i] != source[i];
      still_away += std::isnan(shared[8]);
      ptx::copy_async_wait<0>();
      wrong += shared[4] != 1 || shared[5] != 2 || !std::isnan(shared[6]);
      wrong += shared[8] != 1 || !std::isnan(shared[9]);
      for (int i = 12; i < 16; ++i) wrong += shared[i] != 0;
    });
    CHECK(wrong == 0);
    if (options.fiber_order != FiberOrder::shuffled) CHECK(still_away == 2);
  }
}

TEST_CASE("conversions round once to nearest even, and packing puts the first value low") {
  CHECK(ptx::from_float<BFloat16>(1.0F + 1.0F / 256).bits == 0x3f80);  // a tie, to even
  CHECK(ptx::from_float<BFloat16>(1.0F + 3.0F / 256).bits == 0x3f82);
  CHECK(ptx::from_float<Float16>(65504).bits == 0x7bff);
  CHECK(ptx::from_float<Float16>(65520).bits == 0x7c00);
  CHECK(std::isnan(ptx::to_float(ptx::from_float<Float16>(NAN))));
  CHECK(std::isnan(ptx::to_float(ptx::from_float<BFloat16>(NAN))));
  CHECK(ptx::pack<BFloat16>(1, -2) == 0xc0003f80u);
  CHECK(ptx::pack<Float16>(1, -2) == 0xc0003c00u);
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {  // what fits comes back as it was
    const BFloat16 b{static_cast<std::uint16_t>(bits)};
    const Float16 h{static_cast<std::uint16_t>(bits)};
    const float x = ptx::to_float(b), y = ptx::to_float(h);
    if (!std::isnan(x) && ptx::from_float<BFloat16>(x).bits != bits) FAIL("bf16 " << bits);
    if (!std::isnan(y) && ptx::from_float<Float16>(y).bits != bits) FAIL("f16 " << bits);
  }
}

TEST_CASE("2^x: exact for whole numbers, zero for -inf and what would be subnormal, NaN kept") {
  CHECK(ptx::exp2_approximate(0) == 1);
  CHECK(ptx::exp2_approximate(-3) == 0.125F);
  CHECK(ptx::exp2_approximate(-INFINITY) == 0);
  CHECK(ptx::exp2_approximate(-127) == 0);
  CHECK(ptx::exp2_approximate(INFINITY) == INFINITY);
  CHECK(std::isnan(ptx::exp2_approximate(NAN)));
  CHECK(std::abs(ptx::exp2_approximate(0.3F) - std::exp2(0.3)) < 2e-7);
}
