// Answers against figures that are known from elsewhere.
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/plan/answer.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

PlanRequest request(const char* cluster, Index tokens, const char* layout = "") {
  PlanRequest r;
  r.model = load_model("llama3-8b");
  r.cluster = load_cluster(cluster);
  r.work = {.purpose = Purpose::prefill, .tokens = tokens, .batch = 1};
  if (*layout) r.fixed = axes_from(layout);
  return r;
}

}  // namespace

TEST_CASE("every question has an answer, and another name is refused") {
  for (const Question& q : questions()) {
    INFO(q.name);
    const Answer a = answer(q.name, request("8xh100", 65536));
    CHECK_FALSE(a.title.empty());
    CHECK_FALSE(a.rows.empty());
    CHECK_FALSE(a.conclusions.empty());
    for (const auto& row : a.rows) {
      CHECK(row.size() <= a.columns.size());
      for (const Cell& cell : row) CHECK(std::isfinite(cell.value));
    }
  }
  CHECK_THROWS_AS(answer("everything", request("8xh100", 65536)), InputError);
  CHECK_THROWS_AS(answer("balance", request("8xh100", 65536, "dp=1,tp=8,pp=1,cp=1")), InputError);
}

TEST_CASE("traffic is that of the closed forms") {
  const Answer a = answer("family", request("8xh100", 65536));
  // 8192 tokens a rank, 32 and 8 heads of 128: seven blocks of K and V in 16 bits.
  CHECK(a.rows[0][1].value == 7.0 * 8192 * 2 * 8 * 128 * 2);
  // Ulysses: Q, K, V there in 16 bits, O and log-sum-exp back in float32, seven eighths of it.
  CHECK(a.rows[1][1].value == 7.0 / 8 * 8192 * (48 * 128 * 2 + 32 * 129 * 4));
  CHECK(a.rows[2][1].value == a.rows[0][1].value);
}

TEST_CASE("contiguous is as bad as it is known to be") {
  const Answer a = answer("balance", request("8xh100", 65536));
  // 2 - 1/R = 1.875 times the mean; (R/2) / (R - 1/2) = 53.3 % of lock step.
  CHECK(a.rows[0][1].value == Approx(1.875).epsilon(1e-3));
  CHECK(a.rows[0][2].value == Approx(0.5333).epsilon(1e-3));
  CHECK(a.rows[2][1].value == 1);
  CHECK(a.rows[2][2].value == Approx(1));
}

TEST_CASE("grouped heads save their factor, and queries are less to move than keys") {
  const Answer heads = answer("grouped", request("8xh100", 65536));
  CHECK(heads.rows[1][3].value == 4 * heads.rows[0][3].value);
  const Answer decode = answer("decode", request("8xh100", 65536));
  CHECK(decode.rows[0][1].value > 1000 * decode.rows[2][1].value);
  CHECK(decode.rows[2][3].value < decode.rows[0][3].value);
}

TEST_CASE("Ulysses belongs on the fast links") {
  const Answer a = answer("placement", request("4x8xh100", 131072));
  REQUIRE(a.rows.size() > 2);
  // U=8 inside the node beats U=8 across nodes.
  double inside = 0, outside = 0;
  for (const auto& row : a.rows) {
    if (row.size() < a.columns.size()) continue;
    if (row[0].words.starts_with("U=8 inside")) inside = row[3].value;
    if (row[0].words.starts_with("U=8 outside")) outside = row[3].value;
  }
  CHECK(inside > 0);
  CHECK(inside < outside);
}

TEST_CASE("a length is padded to what its cutting needs") {
  const Answer a = answer("padding", request("8xh100", 100000, "tp=2"));
  // cp 4, tp 2: 8 for equal parts, 8 for zigzag, 1024 for whole tiles of 128.
  CHECK(a.rows[0][1].value == 8);
  CHECK(a.rows[2][1].value == 8);
  CHECK(a.rows[3][1].value == 1024);
  CHECK(a.rows[3][3].value == 100352);
}

TEST_CASE("context cuts the cache and leaves the weights") {
  const Answer a = answer("memory", request("8xh100", 131072));
  const auto row = [&](const char* part) {
    for (const auto& r : a.rows) {
      if (r[0].words == part) return r;
    }
    return a.rows.back();
  };
  CHECK(row("key/value cache")[1].value == 131072.0 * 131072);
  CHECK(row("key/value cache")[4].value == row("key/value cache")[1].value / 8);
  CHECK(row("weights")[4].value == row("weights")[1].value);
}
