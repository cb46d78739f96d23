#include "ringlab/reference/session/session.hpp"

#include <unistd.h>

#include <limits>

#include "ringlab/reference/io/safetensors.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

Scenario small_scenario() {
  Scenario s;
  s.tokens = 96;
  s.heads = 4;
  s.kv_heads = 2;
  s.head_dim = 16;
  s.ranks = 4;
  s.backward = true;
  return s;
}

std::vector<AttentionOutput<float>> run(const Session& session) {
  return run_attention_threads<float>(session.plan,
                                      [&](int rank) { return session.shard<float>(rank); });
}

}  // namespace

TEST_CASE("verification passes a right run and sees a single wrong value") {
  Scenario scenario = small_scenario();
  scenario.rotary_base = 10000;
  const Session session = open_session(scenario);
  const auto outputs = run(session);
  for (const VerifyMode mode :
       {VerifyMode{VerifyMode::full, 0}, VerifyMode{VerifyMode::rows, 10}}) {
    const Verification right = verify(session, outputs, mode);
    CHECK(right.out.rel_frobenius_error <= 1e-6);
    CHECK(right.query_gradient->rel_frobenius_error <= 3e-6);
    CHECK(right.key_gradient->rel_frobenius_error <= 3e-6);
    CHECK(right.value_gradient->rel_frobenius_error <= 3e-6);
    CHECK(right.out.rows == (mode.kind == VerifyMode::full ? 96 : 10));
    CHECK(right.verified == (mode.kind == VerifyMode::full ? "full" : "rows=10"));
  }
  const VerifyMode full{VerifyMode::full, 0};
  auto wrong = outputs;
  wrong[2].result.out(3, 1, 5) += 0.01f;
  CHECK(verify(session, wrong, full).out.max_abs_error == Approx(0.01).epsilon(1e-3));
  wrong = outputs;
  wrong[1].key_value_gradient.keys(0, 0, 0) += 0.01f;
  CHECK(verify(session, wrong, full).key_gradient->max_abs_error == Approx(0.01).epsilon(1e-3));
  wrong = outputs;
  wrong[0].result.out(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isinf(verify(session, wrong, full).out.max_abs_error));
}

TEST_CASE("new tokens and the cached prefix are laid out each by themselves") {
  Scenario scenario = small_scenario();
  scenario.query_tokens = 16;
  const Session session = open_session(scenario);
  for (int r = 0; r < 4; ++r) {
    CHECK(session.plan.forward.query_layout[static_cast<std::size_t>(r)].size() == 4);
    CHECK(session.plan.forward.key_layout[static_cast<std::size_t>(r)].size() == 24);
  }
  CHECK(verify(session, run(session), {VerifyMode::full, 0}).out.rel_frobenius_error <= 1e-6);
}

TEST_CASE("tensors from a file decide the sizes, and a wish against them is refused") {
  const auto path = std::filesystem::temp_directory_path() /
                    ("ringlab_session_test." + std::to_string(::getpid()) + ".safetensors");
  Scenario made = small_scenario();
  const Session source = open_session(made);
  SafeTensors file;
  const auto put = [&](const char* name, const Tensor<double>& x) {
    file.tensors[name] = array_from(x.cast<float>(), ElementType::float32);
  };
  put("q", source.inputs->queries(source.queries));
  put("k", source.inputs->keys(source.keys));
  put("v", source.inputs->values(source.keys));
  write_safetensors(path, file);
  Scenario scenario;
  scenario.input = path.string();
  const Session session = open_session(scenario);
  CHECK(session.scenario.tokens == 96);
  CHECK(session.scenario.key_value_heads() == 2);
  CHECK(session.shard<float>(1).query == source.shard<float>(1).query);
  scenario.tokens = 95;
  CHECK_THROWS_AS(open_session(scenario, {"tokens"}), InputError);
  std::filesystem::remove(path);
}

TEST_CASE("what a schedule cannot do is refused by name") {
  const auto field_of = [](const Scenario& s) -> std::string {
    try {
      open_session(s);
    } catch (const InputError& error) {
      return error.field();
    }
    return "accepted";
  };
  Scenario s = small_scenario();
  s.schedule = "decode_tree";
  CHECK(field_of(s) == "backward");
  s = small_scenario();
  s.schedule = "ulysses";
  s.ranks = 3;
  CHECK(field_of(s) == "degree");
  s = small_scenario();
  s.degree = "U=2,R=2";
  CHECK(field_of(s) == "degree");
  s.schedule = "ulysses_ring";
  CHECK(field_of(s) == "accepted");
  s.degree = "U=3,R=2";
  CHECK(field_of(s) == "degree");
  s.degree = "U=two";
  CHECK(field_of(s) == "degree");
  s.degree = "U=2,U=2";
  CHECK(field_of(s) == "degree");
}
