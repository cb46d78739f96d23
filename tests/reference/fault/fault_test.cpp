// Every planted fault is noticed, and its symptoms are those that its text names.
#include "ringlab/reference/fault/fault.hpp"

#include <map>
#include <set>

#include "ringlab/reference/schedule/check.hpp"
#include "ringlab/reference/session/symptoms.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Scenario probe(const Fields& own, const Fields& more = {}) {
  Scenario scenario;
  scenario.dtype = ElementType::float64;
  for (const Fields* fields : {&fault_probe(), &own, &more}) {
    for (const auto& [field, value] : *fields) set_field(scenario, field, value);
  }
  return scenario;
}

struct Finished {
  Session session;
  std::vector<AttentionOutput<double>> outputs;
  Symptoms symptoms;

  double lse(Index position) const { return row(position, false)[0]; }
  std::vector<double> out(Index position) const { return row(position, true); }

  std::vector<double> row(Index position, bool of_out) const {
    for (std::size_t r = 0; r < outputs.size(); ++r) {
      const std::vector<Place> places = session.plan.forward.query_layout[r].expand();
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].position != position) continue;
        const Tensor<double>& from = of_out ? outputs[r].result.out : outputs[r].result.lse;
        const double* begin = from.row(static_cast<Index>(i), 0);
        return {begin, begin + from.token_stride()};
      }
    }
    return {};
  }
};

// 1e-9: a run in float64 that is right differs by 1e-15, the least of the faults by 1e-3.
constexpr double kNoticed = 1e-9;

Finished run(const Scenario& scenario, const std::string& fault) {
  Session session = open_session(scenario);
  if (!fault.empty()) plant(planted_fault(fault), session.plan);
  TransportOptions transport;
  transport.timeout = std::chrono::milliseconds(500);
  auto outputs = run_attention_threads<double>(
      session.plan, [&](int rank) { return session.shard<double>(rank); }, transport);
  Symptoms found = symptoms(session, outputs, kNoticed);
  return {std::move(session), std::move(outputs), std::move(found)};
}

Finished run(const std::string& fault, const Fields& more = {}) {
  return run(probe(planted_fault(fault).fields, more), fault);
}

std::vector<Index> wrong_per_rank(const Finished& r) {
  std::vector<Index> wrong;
  for (const RankSymptoms& rank : r.symptoms.ranks) wrong.push_back(rank.wrong_rows);
  return wrong;
}

bool is_wrong(const Finished& r, Index position) {
  const auto& wrong = r.symptoms.wrong_positions;
  return std::find(wrong.begin(), wrong.end(), position) != wrong.end();
}

std::vector<Index> positions(Index first, Index last) {
  std::vector<Index> list;
  for (Index p = first; p <= last; ++p) list.push_back(p);
  return list;
}

bool has_wrong_gradient(const Symptoms& s) {
  return s.query_gradient_error.value_or(0) > kNoticed ||
         s.key_gradient_error.value_or(0) > kNoticed ||
         s.value_gradient_error.value_or(0) > kNoticed;
}

}  // namespace

TEST_CASE("the catalog is whole: every fault has its texts, and no two share a name") {
  std::set<std::string> names;
  std::map<FaultPart, int> parts;
  for (const PlantedFault& fault : fault_catalog()) {
    INFO(fault.name);
    CHECK(names.insert(fault.name).second);
    ++parts[fault.part];
    for (const std::string* text :
         {&fault.title, &fault.symptom, &fault.cause, &fault.seen, &fault.fingerprint}) {
      CHECK(text->size() > 10);
    }
  }
  CHECK(names.size() >= 20);
  CHECK(parts.size() == 5);
  CHECK_THROWS_WITH(planted_fault("merge_newest"), Catch::Contains("merge_newest_only"));
}

TEST_CASE("without a fault the probe is right, forward and backward") {
  const Finished clean = run(probe({{"backward", "true"}}), "");
  CHECK(clean.symptoms.out_error < 1e-14);
  CHECK(clean.symptoms.lse_error < 1e-14);
  CHECK(!has_wrong_gradient(clean.symptoms));
  CHECK(clean.symptoms.wrong_positions.empty());
}

TEST_CASE("every fault is noticed: by the judge, and by the checker where it says so") {
  for (const PlantedFault& fault : fault_catalog()) {
    INFO(fault.name);
    Session session = open_session(probe(fault.fields));
    plant(fault, session.plan);
    std::vector<Finding> findings = check(session.plan.forward, session.plan.rule.mask);
    if (session.plan.backward) {
      for (const Finding& f : check(*session.plan.backward, session.plan.rule.mask)) {
        findings.push_back(f);
      }
    }
    CHECK(!findings.empty() == fault.found_by_checker);
    if (fault.name == "sends_first") continue;  // gives no wrong number: it hangs, see below
    const Symptoms s = run(fault.name).symptoms;
    if (fault.part == FaultPart::gradient) {
      CHECK(s.out_error < kNoticed);
      CHECK(has_wrong_gradient(s));
    } else {
      CHECK(!(s.out_error < 1e-3));
      CHECK(!s.wrong_positions.empty());
    }
  }
}

TEST_CASE("no two faults give the same output on the probe") {
  std::map<std::vector<double>, std::string> seen;
  for (const PlantedFault& fault : fault_catalog()) {
    if (fault.part == FaultPart::gradient || fault.name == "sends_first") continue;
    // One mask for all, on which each of them shows.
    const Finished r =
        run(probe({{"mask", "causal+window=5:0"}, {"documents", "13+3"}, {"query_tokens", "12"}}),
            fault.name);
    std::vector<double> all;
    for (const auto& output : r.outputs) {
      for (Index i = 0; i < output.result.out.size(); ++i)
        all.push_back(output.result.out.data()[i]);
    }
    const auto [at, is_new] = seen.emplace(all, fault.name);
    INFO(fault.name << " and " << at->second);
    CHECK(is_new);
  }
}

TEST_CASE("merge faults: which rows, and whether the log-sum-exp tells") {
  // Zigzag: rank 0 holds 0, 1, 14, 15; rows 0 and 1 see their home block only.
  for (const char* name : {"merge_newest_only", "merge_lse_added"}) {
    INFO(name);
    const Finished r = run(name);
    CHECK(!is_wrong(r, 0));
    CHECK(!is_wrong(r, 1));
    CHECK(wrong_per_rank(r) == std::vector<Index>{2, 4, 4, 4});
    CHECK(r.symptoms.lse_error > 0.1);
  }
  for (const char* name : {"merge_averaged", "merge_without_rescale"}) {
    INFO(name);
    const Finished r = run(name);
    CHECK(r.symptoms.out_error > 0.05);
    CHECK(r.symptoms.lse_error < 1e-12);
  }
  const Finished base = run("lse_base_two");
  CHECK(!is_wrong(base, 0));
  const Finished clean = run(probe({}), "");
  CHECK(base.lse(0) / clean.lse(0) == Approx(1.442695).epsilon(1e-6));
  const Finished empty = run("lse_of_empty_wins", {{"layout", "contiguous"}});
  // Contiguous rank 0 meets three blocks it does not see: zeros. Rank 3 sees something of each.
  for (const double x : empty.out(2)) CHECK(x == 0);
  CHECK(wrong_per_rank(empty) == std::vector<Index>{4, 4, 4, 0});
}

TEST_CASE("a rounded accumulator is small, and grows with the ring") {
  const Fields longer = {{"tokens", "256"}, {"layout", "contiguous"}};
  const auto error = [&](const char* ranks) {
    Fields fields = longer;
    fields.push_back({"ranks", ranks});
    return run("accumulator_bfloat16", fields).symptoms.out_error;
  };
  // A single rounding of bfloat16 is at most 2^-9 = 2e-3 of a value.
  const double two = error("2"), thirty_two = error("32");
  CHECK(two < 3e-3);
  CHECK(thirty_two > 1.5 * two);
  CHECK(thirty_two < 2e-2);
}

TEST_CASE("mask faults: rows that give them away") {
  CHECK(is_wrong(run("mask_strict_diagonal"), 0));
  for (const double x : run("mask_strict_diagonal").out(0)) CHECK(x == 0);

  CHECK(run("mask_other_direction", {{"ranks", "2"}}).symptoms.wrong_positions.empty());
  CHECK(!run("mask_other_direction").symptoms.wrong_positions.empty());
  CHECK(run("mask_as_contiguous", {{"layout", "contiguous"}}).symptoms.wrong_positions.empty());

  // The window lets a row see itself and three before: rows 0 to 3 do not know of it.
  CHECK(run("window_lost").symptoms.wrong_positions == positions(4, 15));
  CHECK(run("window_off_by_one").symptoms.wrong_positions == positions(4, 15));
  CHECK(run("documents_ignored").symptoms.wrong_positions == positions(5, 15));

  const Finished corner = run("mask_top_left", {{"rotary_base", "0"}});
  const Tensor<double> value = corner.session.inputs->values(Positions::contiguous(0, 1));
  CHECK(corner.out(8)[0] == Approx(value(0, 0, 0)));

  const Finished local = run("mask_local_indices", {{"layout", "contiguous"}});
  CHECK(is_wrong(local, 0));
}

TEST_CASE("faults of the rule: the first row, the heads, the home rank") {
  CHECK(run("scale_forgotten").symptoms.wrong_positions == positions(1, 15));
  const Finished heads = run("kv_head_modulo"), clean = run(probe({}), "");
  CHECK(is_wrong(heads, 0));
  // head_dim 8: heads 0 and 3 read the same key/value head by either rule, 1 and 2 do not.
  CHECK(heads.out(9)[0] == Approx(clean.out(9)[0]));
  CHECK(heads.out(9)[3 * 8] == Approx(clean.out(9)[3 * 8]));
  CHECK(heads.out(9)[1 * 8] != Approx(clean.out(9)[1 * 8]));
  CHECK(heads.out(9)[2 * 8] != Approx(clean.out(9)[2 * 8]));
  CHECK(wrong_per_rank(run("rotary_local_positions", {{"layout", "contiguous"}})) ==
        std::vector<Index>{0, 4, 4, 4});
}

TEST_CASE("faults of the schedule: the last rank, the own shard, ln 2") {
  CHECK(wrong_per_rank(run("last_hop_skipped")) == std::vector<Index>{0, 0, 0, 4});
  CHECK(wrong_per_rank(run("local_block_only", {{"layout", "contiguous"}})) ==
        std::vector<Index>{0, 4, 4, 4});
  const Finished stale = run("stale_block", {{"layout", "contiguous"}});
  const Finished clean = run(probe({{"layout", "contiguous"}}), "");
  CHECK(stale.lse(2) - clean.lse(2) == Approx(std::log(2)).epsilon(1e-9));
  CHECK(!is_wrong(stale, 2));  // counted twice, the weights within the block stay

  // Nothing wrong comes out of a circle of waits; the run says so after its timeout.
  CHECK_THROWS_AS(run("sends_first"), RunError);
}

TEST_CASE("faults of the gradients: which of the three is right") {
  const auto errors = [](const std::string& name, const Fields& more = {}) {
    const Symptoms s = run(name, more).symptoms;
    return std::vector<double>{*s.query_gradient_error, *s.key_gradient_error,
                               *s.value_gradient_error};
  };
  for (const char* name :
       {"gradient_one_hop_too_far", "gradient_last_hop_lost", "gradient_group_mean"}) {
    INFO(name);
    CHECK(errors(name)[0] < kNoticed);
    CHECK(errors(name)[1] > 0.1);
    CHECK(errors(name)[2] > 0.1);
  }
  CHECK(errors("gradient_group_mean")[1] == Approx(0.5).epsilon(1e-9));
  CHECK(errors("gradient_group_mean")[2] == Approx(0.5).epsilon(1e-9));
  const auto delta = errors("delta_per_hop");
  CHECK(delta[0] > 0.1);
  CHECK(delta[1] > 0.1);
  CHECK(delta[2] < kNoticed);
  for (const char* name : {"lse_per_hop", "gradient_local_kv"}) {
    INFO(name);
    for (const double error : errors(name)) CHECK(error > 0.3);
  }

  // dK of rank r is that of rank r - 1, number by number.
  const Finished far = run("gradient_one_hop_too_far", {{"rotary_base", "0"}});
  const Finished clean = run(probe({{"backward", "true"}, {"rotary_base", "0"}}), "");
  for (std::size_t r = 0; r < 4; ++r) {
    const auto& found = far.outputs[r].key_value_gradient.keys;
    const auto& right = clean.outputs[(r + 3) % 4].key_value_gradient.keys;
    for (Index i = 0; i < found.size(); ++i) CHECK(found.data()[i] == right.data()[i]);
  }
}

TEST_CASE("what cannot show a fault is refused by name") {
  const auto refused = [](const std::string& fault, const Fields& fields) {
    Session session = open_session(probe(fields));
    CHECK_THROWS_WITH(plant(planted_fault(fault), session.plan), Catch::StartsWith("fault: "));
  };
  refused("merge_newest_only", {{"schedule", "all_gather"}});
  refused("mask_local_indices", {{"mask", "none"}});
  refused("window_lost", {});
  refused("documents_ignored", {});
  refused("mask_top_left", {});
  refused("scale_forgotten", {{"scale", "1"}});
  refused("kv_head_modulo", {{"kv_heads", "4"}});
  refused("rotary_local_positions", {{"rotary_base", "0"}});
  refused("last_hop_skipped", {{"ranks", "1"}});
  refused("delta_per_hop", {});
  refused("gradient_group_mean", {{"backward", "true"}, {"kv_heads", "4"}});
  refused("gradient_one_hop_too_far", {{"backward", "true"}, {"tokens", "15"}});
  refused("mask_other_direction", {{"tokens", "15"}});
}
