#include "ringlab/reference/scenario/layout_file.hpp"

#include "tests/catch.hpp"

namespace {

using namespace ringlab;

Layout parsed(const std::string& text, Index tokens, int ranks,
              const std::vector<Index>& documents = {}) {
  const Positions sequence = whole_sequence(tokens, documents);
  const Layout layout = parse_layout(text, "l.json", sequence, ranks);
  check_partition(layout, sequence);
  return layout;
}

TEST_CASE("owners and shards say the same layout") {
  const Layout striped = make_layout(LayoutKind::striped, whole_sequence(5), 2);
  CHECK(parsed(R"({"owners": [0, 1, 0, 1, 0]})", 5, 2) == striped);
  CHECK(parsed(R"({"shards": [[{"first": 0, "stride": 2, "count": 3}],
                              [{"first": 1, "stride": 2, "count": 2}]]})",
               5, 2) == striped);
}

TEST_CASE("a run that crosses documents is cut where they end") {
  const std::vector<Index> documents = {3, 1, 4};
  const Layout layout = parsed(
      R"({"shards": [[{"first": 0, "stride": 3, "count": 3}],
                     [{"first": 1, "stride": 3, "count": 3}, {"first": 5, "count": 1},
                      {"first": 2, "count": 1}], []]})",
      8, 3, documents);
  const std::vector<Place> first = {{0, 0}, {3, 1}, {6, 2}};
  const std::vector<Place> second = {{1, 0}, {4, 2}, {7, 2}, {5, 2}, {2, 0}};
  CHECK(layout[0].expand() == first);
  CHECK(layout[1].expand() == second);  // the local order is the file's
  CHECK(layout[2].empty());
}

TEST_CASE("every layout of the house survives the way through a file") {
  for (const auto kind : {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag,
                          LayoutKind::zigzag_per_document}) {
    const Positions sequence = whole_sequence(23, {7, 1, 15});
    const Layout layout = make_layout(kind, sequence, 4);
    std::string text;
    for (const Positions& shard : layout) {
      std::string runs;
      for (const Run& run : shard.runs()) {
        runs += std::string(runs.empty() ? "" : ",") + "{\"first\":" + std::to_string(run.first) +
                ",\"stride\":" + std::to_string(run.stride) +
                ",\"count\":" + std::to_string(run.count) + "}";
      }
      text += std::string(text.empty() ? "" : ",") + "[" + runs + "]";
    }
    CHECK(parsed("{\"shards\":[" + text + "]}", 23, 4, {7, 1, 15}) == layout);
  }
}

TEST_CASE("no tokens are held by nobody") {
  CHECK(parsed(R"({"owners": []})", 0, 2) == Layout(2));
  CHECK(parsed(R"({"shards": [[], []]})", 0, 2) == Layout(2));
}

}  // namespace
