// Every published case through the library: exact figures must all hold; of the calibrated ones,
// those that stand outside their tolerance are named here, so that a change cannot add one in
// silence nor a fix go unseen.
#include <set>

#include "ringlab/sim/data/data.hpp"
#include "ringlab/sim/validate/validate.hpp"
#include "tests/catch.hpp"

using namespace ringlab;

namespace {

const ValidationReport& report() {
  static const ValidationReport once = validate();
  return once;
}

}  // namespace

TEST_CASE("every exact figure is predicted") {
  int exact = 0;
  for (const ValidationRow& row : report().rows) {
    if (!row.exact) continue;
    ++exact;
    INFO(row.id << ", " << row.quantity << ": " << row.predicted << " for " << row.printed);
    CHECK(row.judged);
    CHECK(row.passed);
  }
  CHECK(exact > 140);
  CHECK(report().failed(true) == 0);
}

TEST_CASE("no case is left out") {
  std::string_view text = data_text("published", "cases", "cases");
  std::set<std::string> ids;
  for (const ValidationRow& row : report().rows) ids.insert(row.id);
  int lines = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += end > 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  CHECK(lines == 136);
  CHECK(report().cases == lines);
  CHECK(static_cast<int>(ids.size()) == lines);
}

TEST_CASE("calibrated figures name the row that fixed their constants") {
  for (const ValidationRow& row : report().rows) {
    INFO(row.id << ", " << row.quantity);
    CHECK_FALSE(row.source.empty());
    // What is judged rests on constants that are named, or on none: an order, a factor.
    if (!row.exact && row.judged && row.tolerance > 0) CHECK_FALSE(row.fixed_by.empty());
  }
}

TEST_CASE("the calibrated figures outside their tolerance are these") {
  // Megatron's larger models are slower than the 22B one's rate says, kernels on whole tiles skip
  // less than visible pairs do, a ring's merges and launches cost more than a curve of tiles says,
  // and short messages more than a line: none of it is modelled.
  const std::set<std::string> known = {
      "KO-T5-1T / iteration, full recompute [s]",
      "KO-T5-1T / iteration, selective [s]",
      "KO-T5-22B / gain of selective [%]",
      "KO-T5-530B / iteration, full recompute [s]",
      "KO-T5-530B / iteration, selective [s]",
      "META-T4-115200 / pass-KV [ms], from the row of 64000",
      "META-T4-3200 / pass-KV [ms], from the row of 64000",
      "META-T4-4160 / pass-KV [ms], from the row of 64000",
      "META-T5-10-q / closing all-to-all [us]",
      "P2P-H100 2-node-2048 / microseconds",
      "P2P-H100 2-node-65536 / microseconds",
      "RFA-8xA100-fwd / efficiency, contiguous",
      "RFA-8xA100-fwd / efficiency, zigzag",
      "RFA-8xA100-fwd+bwd / efficiency, contiguous",
      "RFA-8xA100-fwd+bwd / efficiency, zigzag",
      "RFA-8xH800-fwd / efficiency, contiguous",
      "RFA-8xH800-fwd / efficiency, zigzag",
      "ST-Table3-1B-16384-N4 / measured speed-up",
      "ST-Table3-1B-32768-N4 / measured speed-up",
      "ST-Table3-1B-65536-N4 / measured speed-up",
      "ST-Table3-1B-98304-N4 / measured speed-up",
      "ST-Table3-3B-16384-N4 / measured speed-up",
      "ST-Table3-3B-32768-N4 / measured speed-up",
      "ST-Table3-3B-65536-N4 / measured speed-up",
      "ST-Table3-7B-16384-N4 / measured speed-up",
      "ST-Table3-7B-32768-N4 / measured speed-up",
      "ST-Table3-7B-65536-N4 / measured speed-up",
      "USP-128K h32 hs32 8xA100 NVLink bs2 qkvpack-u1 / faster than Ulysses 8",
      "USP-128K h32 hs32 8xA100 NVLink bs2 qkvpack-u1 / zigzag over Ulysses 8",
      "USP-128K h32 hs32 8xL20 PCIe bs2 nopack-u1 / zigzag over Ulysses 8",
      "USP-128K h32 hs32 8xL20 PCIe bs2 nopack-u2 / zigzag over Ulysses 8",
      "USP-128K h32 hs32 8xL20 PCIe bs2 nopack-u4 / zigzag over Ulysses 8",
      "USP-128K h32 kv8 hs128 8xL20 PCIe bs1-u1 / zigzag over Ulysses 8",
      "USP-128K h32 kv8 hs128 8xL20 PCIe bs1-u2 / zigzag over Ulysses 8",
      "USP-128K h32 kv8 hs128 8xL20 PCIe bs1-u4 / zigzag over Ulysses 8",
      "USP-128K h64 kv8 hs32 8xA100 NVLink nopack-u1 / faster than Ulysses 8",
      "USP-128K h8 hs128 8xA100 NVLink qkvpack-u1 / faster than Ulysses 8",
      "USP-128K h8 hs128 8xA100 NVLink qkvpack-u1 / zigzag over Ulysses 8",
      "USP-128K h8 hs32 8xA100 NVLink qkvpack-u1 / faster than Ulysses 8",
      "USP-128K h8 hs32 8xA100 NVLink qkvpack-u1 / zigzag over Ulysses 8"};
  std::set<std::string> outside;
  for (const ValidationRow& row : report().rows) {
    if (!row.exact && !row.passed) outside.insert(row.id + " / " + row.quantity);
  }
  for (const std::string& one : outside) {
    INFO("newly outside: " << one);
    CHECK(known.contains(one));
  }
  for (const std::string& one : known) {
    INFO("no longer outside: " << one);
    CHECK(outside.contains(one));
  }
}

TEST_CASE("text and JSON say all of it") {
  const std::string text = to_text(report()), json = to_json(report());
  for (const ValidationRow& row : report().rows) {
    CHECK(text.find(row.id) != std::string::npos);
    CHECK(json.find(row.id) != std::string::npos);
  }
  CHECK(text.find("OUTSIDE") != std::string::npos);
}
