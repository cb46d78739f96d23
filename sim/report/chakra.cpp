#include "ringlab/sim/report/chakra.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/schedule/collective.hpp"

namespace ringlab {
namespace {

// ---- the wire format of protocol buffers --------------------------------------------------------

class Message {
 public:
  void integer(int field, std::uint64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(value);
  }
  void bytes(int field, const std::string& value) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(value.size());
    bytes_ += value;
  }
  const std::string& content() const { return bytes_; }
  std::string delimited() const {
    Message out;
    out.varint(bytes_.size());
    return out.bytes_ + bytes_;
  }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// ---- et_def.proto -------------------------------------------------------------------------------

namespace global_metadata {
enum { version = 1, attr = 2 };
}
namespace node {
enum { id = 1, name = 2, type = 3, data_deps = 5, duration_micros = 7, attr = 10 };
}
namespace attribute {
enum { name = 1, uint32_val = 11, uint64_val = 13, bool_val = 27, string_val = 29 };
}
enum NodeType : std::uint64_t { kCompute = 4, kSend = 5, kReceive = 6 };

std::string attribute_of(const char* name, int field, std::uint64_t value) {
  Message out;
  out.bytes(attribute::name, name);
  out.integer(field, value);
  return out.content();
}

std::string attribute_of(const char* name, const std::string& value) {
  Message out;
  out.bytes(attribute::name, name);
  out.bytes(attribute::string_val, value);
  return out.content();
}

// ---- one rank -----------------------------------------------------------------------------------

using NodeId = std::uint64_t;

class RankWriter {
 public:
  RankWriter(const Schedule& schedule, const CollectiveIndex& collectives, int rank,
             const RankLedger& ledger, const TileSeconds& seconds, const ElementBytes& element)
      : schedule_(schedule),
        collectives_(collectives),
        rank_(rank),
        ledger_(ledger),
        seconds_(seconds),
        element_(element) {
    Message metadata;
    metadata.bytes(global_metadata::version, "0.0.4");
    metadata.bytes(global_metadata::attr, attribute_of("schedule", schedule.name));
    metadata.bytes(global_metadata::attr,
                   attribute_of("rank", attribute::uint32_val, static_cast<std::uint64_t>(rank)));
    file_ = metadata.delimited();
  }

  std::string write() {
    for (const Step& step : schedule_.rank(rank_).steps) {
      std::visit([&](const auto& action) { take(action); }, step.action);
    }
    RINGLAB_ENSURE(next_tile_ == ledger_.tiles.size(), "every tile of the ledger has its step");
    return std::move(file_);
  }

 private:
  void take(const Attend&) { compute(); }
  void take(const AttendBackward&) { compute(); }
  void take(const Exchange& e) {
    std::vector<NodeId> nodes;
    const std::set<NodeId> after = begin_on(e.channel);
    for (const Move& move : e.sends) {
      nodes.push_back(transfer(kSend, move.peer, schedule_.content(move.content), after));
    }
    for (const Move& move : e.receives) {
      nodes.push_back(transfer(kReceive, move.peer, schedule_.content(move.content), after));
    }
    begun(e.id, e.channel, std::move(nodes));
  }
  void take(const Collective& c) {
    std::vector<NodeId> nodes;
    const std::set<NodeId> after = begin_on(c.channel);
    const CollectiveMoves moves = collectives_.moves(rank_, c);
    for (const PartMove& move : moves.sends) {
      nodes.push_back(transfer(kSend, move.peer, move.part, after));
    }
    for (const PartMove& move : moves.receives) {
      nodes.push_back(transfer(kReceive, move.peer, move.part, after));
    }
    begun(c.id, c.channel, std::move(nodes));
  }
  void take(const Wait& wait) {
    const auto& nodes = by_id_[wait.id];
    front_.insert(nodes.begin(), nodes.end());
  }
  void take(const Merge&) {}
  void take(const Accumulate&) {}
  void take(const Release&) {}

  void compute() {
    const TileWork& tile = ledger_.tiles[next_tile_++];
    if (tile.pairs == 0) return;
    const double nanoseconds = seconds_(rank_, tile) * 1e9;
    RINGLAB_ENSURE(nanoseconds >= 0 && nanoseconds < 9e18, "a tile takes a time");
    const auto whole = static_cast<std::uint64_t>(std::llround(nanoseconds));
    Message out = begin(kCompute,
                        fmt::format("attend {} x {}", label(schedule_, tile.query),
                                    label(schedule_, tile.key_value)),
                        front_);
    out.integer(node::duration_micros, (whole + 999) / 1000);
    out.bytes(node::attr, attribute_of("is_cpu_op", attribute::bool_val, 0));
    out.bytes(node::attr, attribute_of("num_ops", attribute::uint64_val,
                                       static_cast<std::uint64_t>(tile.flops)));
    const Index memory =
        bytes_of(schedule_, tile.query, element_) + bytes_of(schedule_, tile.key_value, element_);
    out.bytes(node::attr, attribute_of("tensor_size", attribute::uint64_val,
                                       static_cast<std::uint64_t>(memory)));
    out.bytes(node::attr, attribute_of("duration_nanoseconds", attribute::uint64_val, whole));
    front_ = {end(out)};
  }

  NodeId transfer(NodeType type, int peer, const Content& content, const std::set<NodeId>& after) {
    const int source = type == kSend ? rank_ : peer, target = type == kSend ? peer : rank_;
    Message out = begin(type,
                        fmt::format("{} {} {} {}", type == kSend ? "send" : "receive",
                                    label(schedule_, content), type == kSend ? "to" : "from", peer),
                        after);
    const auto attr = [&](const char* name, int field, std::uint64_t value) {
      out.bytes(node::attr, attribute_of(name, field, value));
    };
    attr("is_cpu_op", attribute::bool_val, 0);
    attr("comm_size", attribute::uint64_val,
         static_cast<std::uint64_t>(bytes_of(schedule_, content, element_)));
    attr("comm_src", attribute::uint32_val, static_cast<std::uint64_t>(source));
    attr("comm_dst", attribute::uint32_val, static_cast<std::uint64_t>(target));
    attr("comm_tag", attribute::uint32_val, tags_[{source, target}]++);
    return end(out);
  }

  std::set<NodeId> begin_on(int channel) const {
    std::set<NodeId> after = front_;
    const auto last = by_channel_.find(channel);
    if (last != by_channel_.end()) after.insert(last->second.begin(), last->second.end());
    return after;
  }
  void begun(int id, int channel, std::vector<NodeId> nodes) {
    if (!nodes.empty()) by_channel_[channel] = nodes;
    by_id_[id] = std::move(nodes);
  }

  Message begin(NodeType type, const std::string& name, const std::set<NodeId>& after) {
    Message out;
    out.integer(node::id, next_node_);
    out.bytes(node::name, name);
    out.integer(node::type, type);
    for (const NodeId id : after) out.integer(node::data_deps, id);
    return out;
  }
  NodeId end(const Message& message) {
    file_ += message.delimited();
    return next_node_++;
  }

  const Schedule& schedule_;
  const CollectiveIndex& collectives_;
  int rank_;
  const RankLedger& ledger_;
  const TileSeconds& seconds_;
  const ElementBytes& element_;
  std::string file_;
  NodeId next_node_ = 0;
  std::size_t next_tile_ = 0;
  std::set<NodeId> front_;  // what the next step has to wait for
  std::map<int, std::vector<NodeId>> by_id_, by_channel_;
  std::map<std::pair<int, int>, std::uint64_t> tags_;
};

}  // namespace

std::vector<std::string> to_chakra(const Schedule& schedule, const Mask& mask,
                                   const TileSeconds& seconds, const ElementBytes& element) {
  const Ledger ledger = make_ledger(schedule, mask, element);
  const CollectiveIndex collectives(schedule);
  std::vector<std::string> files;
  for (int rank = 0; rank < schedule.size(); ++rank) {
    files.push_back(RankWriter(schedule, collectives, rank,
                               ledger.ranks[static_cast<std::size_t>(rank)], seconds, element)
                        .write());
  }
  return files;
}

void write_chakra(const std::filesystem::path& folder, const std::string& name,
                  const std::vector<std::string>& files) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) {
    throw InputError("chakra", folder.string(), "name a folder that can be made");
  }
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    write_file(folder / fmt::format("{}.{}.et", name, rank), files[rank], "chakra");
  }
}

}  // namespace ringlab
