// The traces are decoded by a reader of protocol buffers that was written for this test, and then
// replayed: nodes start when their dependencies are done, a receive when its send is. What comes
// out is held against the ledger and, for the five-line ring, against the closed form.
#include "ringlab/sim/report/chakra.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

struct Field {
  int number = 0;
  std::uint64_t integer = 0;
  std::string bytes;
};

std::uint64_t varint(const std::string& text, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    REQUIRE(at < text.size());
    REQUIRE(shift < 64);
    const auto byte = static_cast<unsigned char>(text[at++]);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
}

std::vector<Field> fields(const std::string& message) {
  std::vector<Field> out;
  for (std::size_t at = 0; at < message.size();) {
    const std::uint64_t key = varint(message, at);
    Field field{static_cast<int>(key >> 3), 0, ""};
    if ((key & 7) == 0) {
      field.integer = varint(message, at);
    } else {
      REQUIRE((key & 7) == 2);
      const std::uint64_t size = varint(message, at);
      REQUIRE(size <= message.size() - at);
      field.bytes = message.substr(at, size);
      at += size;
    }
    out.push_back(field);
  }
  return out;
}

struct Node {
  std::uint64_t id = 0, type = 0, micros = 0;
  std::string name;
  std::vector<std::uint64_t> deps;
  std::map<std::string, std::uint64_t> attr;
};

std::vector<Node> decode(const std::string& file, int rank) {
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < file.size();) {
    const std::uint64_t size = varint(file, at);
    REQUIRE(size <= file.size() - at);
    messages.push_back(file.substr(at, size));
    at += size;
  }
  REQUIRE_FALSE(messages.empty());
  const auto metadata = fields(messages[0]);
  CHECK(metadata.at(0).number == 1);
  CHECK(metadata.at(0).bytes == "0.0.4");
  CHECK(fields(metadata.at(2).bytes).at(1).integer == static_cast<std::uint64_t>(rank));
  std::vector<Node> nodes;
  for (std::size_t i = 1; i < messages.size(); ++i) {
    Node node;
    for (const Field& f : fields(messages[i])) {
      if (f.number == 1) node.id = f.integer;
      if (f.number == 2) node.name = f.bytes;
      if (f.number == 3) node.type = f.integer;
      if (f.number == 5) node.deps.push_back(f.integer);
      if (f.number == 7) node.micros = f.integer;
      if (f.number == 10) {
        const auto attr = fields(f.bytes);
        REQUIRE(attr.size() == 2);
        CHECK((attr[1].number == 11 || attr[1].number == 13 || attr[1].number == 27));
        node.attr[attr[0].bytes] = attr[1].integer;
      }
    }
    CHECK(node.id == i - 1);
    for (const std::uint64_t dep : node.deps) CHECK(dep < node.id);  // no circle
    nodes.push_back(node);
  }
  return nodes;
}

std::vector<std::vector<Node>> decode(const std::vector<std::string>& files) {
  std::vector<std::vector<Node>> out;
  for (std::size_t r = 0; r < files.size(); ++r)
    out.push_back(decode(files[r], static_cast<int>(r)));
  return out;
}

constexpr std::uint64_t kCompute = 4, kSend = 5, kReceive = 6;

// End of the last node if a message takes `seconds(bytes)` from when both its ends are ready, and
// messages do not disturb each other.
double replay(const std::vector<std::vector<Node>>& ranks, const auto& seconds) {
  using Key = std::array<std::uint64_t, 3>;  // source, target, tag
  std::map<Key, std::array<double, 2>> posted;
  std::vector<std::vector<std::optional<double>>> done(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) done[r].resize(ranks[r].size());
  double last = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      for (const Node& node : ranks[r]) {
        if (done[r][node.id]) continue;
        double start = 0;
        bool ready = true;
        for (const std::uint64_t dep : node.deps) {
          ready = ready && done[r][dep];
          if (ready) start = std::max(start, *done[r][dep]);
        }
        if (!ready) continue;
        if (node.type == kCompute) {
          done[r][node.id] =
              start + static_cast<double>(node.attr.at("duration_nanoseconds")) * 1e-9;
        } else {
          const Key key{node.attr.at("comm_src"), node.attr.at("comm_dst"),
                        node.attr.at("comm_tag")};
          auto [place, is_new] = posted.try_emplace(key, std::array<double, 2>{-1, -1});
          (node.type == kSend ? place->second[0] : place->second[1]) = start;
          if (place->second[0] < 0 || place->second[1] < 0) continue;
          done[r][node.id] = std::max(place->second[0], place->second[1]) +
                             seconds(static_cast<double>(node.attr.at("comm_size")));
        }
        moved = true;
        last = std::max(last, *done[r][node.id]);
      }
    }
  }
  for (const auto& rank : done) {
    for (const auto& node : rank) REQUIRE(node);  // nobody waits for ever
  }
  return last;
}

ScheduleProblem problem(int ranks, Index tokens) {
  ScheduleProblem p;
  p.query_heads = 4;
  p.kv_heads = 4;
  p.head_dim = 16;
  p.query_layout = p.key_layout = make_layout(LayoutKind::zigzag, whole_sequence(tokens), ranks);
  return p;
}

TEST_CASE("the ring's trace, replayed, takes the time of the closed form") {
  for (const int ranks : {1, 2, 4, 8}) {
    const Schedule schedule = forward_of(catalog_entry("ring"), problem(ranks, 64 * ranks));
    const double block = 2.0 * 64 * 4 * 16 * 4;  // K and V of 64 tokens, float32
    for (const double compute : {1e-6, 5e-6}) {
      const double link = 3e-6;
      const auto files = to_chakra(schedule, Mask{}, [&](int, const TileWork&) { return compute; });
      const double total =
          replay(decode(files), [&](double bytes) { return link * bytes / block; });
      // The first block is there; each later one is on the way while the one before is computed.
      CHECK(total == Approx(compute + (ranks - 1) * std::max(compute, link)).epsilon(1e-9));
    }
  }
}

TEST_CASE("every schedule's trace holds the work and the bytes of its ledger, and ends") {
  int schedules = 0;
  for (const bool backward : {false, true}) {
    for (const CatalogEntry& entry : schedule_catalog()) {
      if (backward && !entry.backward) continue;
      const std::string& name = entry.name;
      const ScheduleProblem p = problem(4, 64);
      const Schedule schedule = backward ? backward_of(entry, p) : forward_of(entry, p);
      ++schedules;
      CAPTURE(name, backward);
      Mask mask;
      mask.causal = true;
      const Ledger ledger = make_ledger(schedule, mask, {2, 4});
      const auto ranks = decode(to_chakra(
          schedule, mask, [](int, const TileWork& tile) { return tile.flops * 1e-12; }, {2, 4}));
      std::map<std::array<std::uint64_t, 3>, std::array<std::uint64_t, 2>> wire;
      for (std::size_t r = 0; r < ranks.size(); ++r) {
        const RankLedger& expected = ledger.ranks[r];
        std::uint64_t sent = 0, received = 0, messages = 0, operations = 0;
        for (const Node& node : ranks[r]) {
          if (node.type == kCompute) {
            operations += node.attr.at("num_ops");
            CHECK(node.micros >= 1);
            continue;
          }
          const std::uint64_t bytes = node.attr.at("comm_size");
          const bool is_send = node.type == kSend;
          CHECK((is_send || node.type == kReceive));
          (is_send ? sent : received) += bytes;
          messages += is_send;
          CHECK(node.attr.at(is_send ? "comm_src" : "comm_dst") == r);
          auto& pair =
              wire[{node.attr.at("comm_src"), node.attr.at("comm_dst"), node.attr.at("comm_tag")}];
          CHECK(pair[is_send ? 0 : 1] == 0);
          pair[is_send ? 0 : 1] = bytes;
        }
        CHECK(sent == static_cast<std::uint64_t>(expected.bytes_sent));
        CHECK(received == static_cast<std::uint64_t>(expected.bytes_received));
        CHECK(messages == static_cast<std::uint64_t>(expected.messages_sent));
        CHECK(static_cast<double>(operations) == expected.flops);
      }
      for (const auto& [key, bytes] : wire) CHECK(bytes[0] == bytes[1]);
      CHECK(replay(ranks, [](double bytes) { return bytes * 1e-9; }) > 0);
    }
  }
  CHECK(schedules >= 8);
}

TEST_CASE("files are named as ASTRA-sim looks for them") {
  const auto folder = std::filesystem::temp_directory_path() / "ringlab_chakra_test";
  std::filesystem::remove_all(folder);
  write_chakra(folder, "ring", {"a", "bc"});
  CHECK(read_file(folder / "ring.0.et", "file", 10) == "a");
  CHECK(read_file(folder / "ring.1.et", "file", 10) == "bc");
  write_file(folder / "in_the_way", "x");
  CHECK_THROWS_AS(write_chakra(folder / "in_the_way", "ring", {"a"}), InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
