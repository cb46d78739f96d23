#include "ringlab/sim/gate/result.hpp"

#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/trace/chrome.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

Finding find(const std::string& document, const std::string& path) {
  return Result::parse(document, "r", "r.json").find(MetricPath::parse(path, "metric"));
}

std::vector<double> numbers(const std::string& document, const std::string& path) {
  const Finding finding = find(document, path);
  INFO(finding.why_none);
  CHECK(finding.why_none.empty());
  std::vector<double> out;
  for (const Figure& figure : finding.figures) out.push_back(std::get<double>(figure));
  return out;
}

constexpr const char* kDocument = R"({
  "seconds": 1.5, "exact": true, "schedule": "ring", "hole": null, "whole": 7,
  "dq": {"max_abs_error": 2e-7},
  "bytes": [4, 1, 3, 2], "three": [5, 1, 9], "empty": [], "mixed": [1, "x"], "holes": [1, null],
  "grid": [[1, 2], [3, 4]],
  "rows": [{"what": "forward", "head_dim": 64, "causal": true, "gflops": 40},
           {"what": "forward", "head_dim": 128, "causal": false, "gflops": 50},
           {"what": "backward", "head_dim": 64, "causal": true, "gflops": 30},
           {"what": "odd", "head_dim": 64}]})";

TEST_CASE("a path leads to figures") {
  using List = std::vector<double>;
  CHECK(numbers(kDocument, "seconds") == List{1.5});
  CHECK(numbers(kDocument, "whole") == List{7});
  CHECK(numbers(kDocument, "dq.max_abs_error") == List{2e-7});
  CHECK(numbers(kDocument, "bytes[2]") == List{3});
  CHECK(numbers(kDocument, "bytes[*]") == List{4, 1, 3, 2});
  CHECK(numbers(kDocument, "bytes.max") == List{4});
  CHECK(numbers(kDocument, "bytes.min") == List{1});
  CHECK(numbers(kDocument, "bytes.sum") == List{10});
  CHECK(numbers(kDocument, "bytes.mean") == List{2.5});
  CHECK(numbers(kDocument, "bytes.median") == List{2.5});
  CHECK(numbers(kDocument, "three.median") == List{5});
  CHECK(numbers(kDocument, "bytes.length") == List{4});
  CHECK(numbers(kDocument, "empty.length") == List{0});
  CHECK(numbers(kDocument, "grid[1][0]") == List{3});
  CHECK(numbers(kDocument, "grid[*].max") == List{2, 4});
  CHECK(numbers(kDocument, "rows[what=forward].gflops") == List{40, 50});
  CHECK(numbers(kDocument, "rows[what=forward,head_dim=128].gflops") == List{50});
  CHECK(numbers(kDocument, "rows[causal=true].gflops") == List{40, 30});
  CHECK(find(kDocument, "exact").figures == std::vector<Figure>{true});
  CHECK(find(kDocument, "schedule").figures == std::vector<Figure>{std::string("ring")});
}

TEST_CASE("null is a number that is none, and spreads") {
  for (const char* path : {"hole", "holes[1]", "holes.max", "holes.sum", "holes.median"}) {
    CAPTURE(path);
    const std::vector<double> found = numbers(kDocument, path);
    REQUIRE(found.size() == 1);
    CHECK(std::isnan(found[0]));
  }
}

TEST_CASE("a path that leads nowhere says why, and one dead branch spoils the rest") {
  const std::pair<const char*, const char*> cases[] = {
      {"second", "no 'second'"},
      {"dq.max", "no 'dq.max'"},
      {"dq", "is an object"},
      {"bytes", "is a list"},
      {"seconds.max", "is a number"},
      {"seconds[0]", "not a list"},
      {"bytes[4]", "4 elements"},
      {"bytes.maximum", "a list, which has no 'maximum'"},
      {"mixed.max", "text"},
      {"empty.max", "empty"},
      {"empty[*]", "no element"},
      {"rows[what=sideways].gflops", "no element"},
      {"rows[*].gflops", "rows[3].gflops"},
      {"rows[head_dim=64].gflops", "rows[3].gflops"},
      {"rows.max", "an object"},
  };
  for (const auto& [path, words] : cases) {
    CAPTURE(path);
    const Finding finding = find(kDocument, path);
    CHECK(finding.figures.empty());
    CHECK_THAT(finding.why_none, Catch::Contains(words));
  }
}

TEST_CASE("a trace is a result") {
  Trace trace;
  // Rank 0 computes 0..100 and sends 50..150: half hidden. Rank 1 only receives.
  trace.events = {{0, Lane::compute, "attend", 1000, 1100, 0, 0, 7e6},
                  {0, Lane::send, "kv0", 1050, 1150, 0, 4096, 0},
                  {1, Lane::receive, "kv0", 1050, 1150, 0, 4096, 0}};
  const std::string text = to_chrome_json(trace);
  CHECK(numbers(text, "trace.seconds")[0] == Approx(150e-9));
  CHECK(numbers(text, "trace.ranks") == std::vector<double>{2});
  CHECK(numbers(text, "trace.events") == std::vector<double>{3});
  CHECK(numbers(text, "trace.flops") == std::vector<double>{7e6});
  CHECK(numbers(text, "trace.bytes_sent") == std::vector<double>{4096});
  CHECK(numbers(text, "trace.transfer_hidden")[0] == Approx(50.0 / 200));
  const auto exposed = numbers(text, "trace.per_rank[*].exposed_seconds");
  REQUIRE(exposed.size() == 2);
  CHECK(exposed[0] == Approx(50e-9));
  CHECK(exposed[1] == Approx(100e-9));
  CHECK(numbers(text, "trace.per_rank[rank=0].compute_seconds")[0] == Approx(100e-9));
  // A run of no events took no time that one could gate.
  CHECK(find(to_chrome_json({}), "trace.seconds").figures.empty());
}

TEST_CASE("a label comes from the argument or the file's name") {
  const auto folder = std::filesystem::temp_directory_path() / "ringlab_gate_result";
  std::filesystem::create_directories(folder);
  write_file(folder / "run8.trial=2.json", R"({"seconds": 1})");
  const std::string file = (folder / "run8.trial=2.json").string();
  CHECK(Result::load(file).label() == "run8.trial=2");
  CHECK(Result::load("big=" + file).label() == "big");
  CHECK_THROWS_AS(Result::load((folder / "none.json").string()), InputError);
  write_file(folder / "list.json", "[1]");
  CHECK_THROWS_AS(Result::load((folder / "list.json").string()), InputError);
  write_file(folder / "twice.json", R"({"seconds": 1, "seconds": 2})");
  CHECK_THROWS_AS(Result::load((folder / "twice.json").string()), InputError);
  write_file(folder / "foreign.json", R"({"traceEvents": []})");
  CHECK_THROWS_AS(Result::load((folder / "foreign.json").string()), InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
