#include "ringlab/reference/schedule/json.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace ringlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kQuantities = {Quantity::query,
                                    Quantity::key_value,
                                    Quantity::partial,
                                    Quantity::output_gradient,
                                    Quantity::row_statistics,
                                    Quantity::query_gradient,
                                    Quantity::key_value_gradient};

// ---- writing
// -------------------------------------------------------------------------------------

Json layout_json(const Layout& layout) {
  Json shards = Json::array();
  for (const Positions& shard : layout) {
    Json runs = Json::array();
    for (const Run& run : shard.runs()) {
      runs.push_back({{"first", run.first},
                      {"stride", run.stride},
                      {"count", run.count},
                      {"document", run.document}});
    }
    shards.push_back(runs);
  }
  return shards;
}

Json moves_json(const std::vector<Move>& moves) {
  Json out = Json::array();
  for (const Move& m : moves) {
    out.push_back({{"peer", m.peer}, {"buffer", m.buffer}, {"content", m.content}});
  }
  return out;
}

struct StepWriter {
  int hop;
  Json operator()(const Attend& a) const {
    return {{"hop", hop},
            {"step", "attend"},
            {"query", a.query},
            {"key_value", a.key_value},
            {"partial", a.partial}};
  }
  Json operator()(const AttendBackward& a) const {
    return {{"hop", hop},
            {"step", "attend_backward"},
            {"query", a.query},
            {"output_gradient", a.output_gradient},
            {"row_statistics", a.row_statistics},
            {"key_value", a.key_value},
            {"query_gradient", a.query_gradient},
            {"key_value_gradient", a.key_value_gradient}};
  }
  Json operator()(const Exchange& e) const {
    return {{"hop", hop},
            {"step", "exchange"},
            {"id", e.id},
            {"channel", e.channel},
            {"sends", moves_json(e.sends)},
            {"receives", moves_json(e.receives)}};
  }
  Json operator()(const Collective& c) const {
    return {{"hop", hop},           {"step", "collective"},  {"id", c.id}, {"kind", name(c.kind)},
            {"channel", c.channel}, {"group", c.group},      {"in", c.in}, {"out", c.out},
            {"sends", c.sends},     {"receives", c.receives}};
  }
  Json operator()(const Wait& w) const { return {{"hop", hop}, {"step", "wait"}, {"id", w.id}}; }
  Json operator()(const Merge& m) const {
    return {{"hop", hop}, {"step", "merge"}, {"from", m.from}, {"into", m.into}};
  }
  Json operator()(const Accumulate& a) const {
    return {{"hop", hop}, {"step", "accumulate"}, {"from", a.from}, {"into", a.into}};
  }
  Json operator()(const Release& r) const {
    return {{"hop", hop}, {"step", "release"}, {"buffer", r.buffer}};
  }
};

// ---- reading
// -------------------------------------------------------------------------------------

// A value together with its path, so that an error can name the field.
class Node {
 public:
  Node(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& remedy) const {
    std::string text = json_.dump();
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    throw InputError(path_, text, remedy);
  }
  Node at(const std::string& key) const {
    if (!json_.is_object()) refuse("give an object");
    const auto found = json_.find(key);
    if (found == json_.end()) throw InputError(path_ + "." + key, "missing", "add this field");
    return {*found, path_ + "." + key};
  }
  template <class Visit>
  void each(Visit visit) const {
    if (!json_.is_array()) refuse("give a list");
    for (std::size_t i = 0; i < json_.size(); ++i) {
      visit(Node(json_[i], fmt::format("{}[{}]", path_, i)));
    }
  }
  Index integer(Index low, Index high) const {
    if (!json_.is_number_integer() || json_.get<double>() < static_cast<double>(low) ||
        json_.get<double>() > static_cast<double>(high)) {
      refuse(fmt::format("give a whole number from {} to {}", low, high));
    }
    return json_.get<Index>();
  }
  int small() const { return static_cast<int>(integer(-1, std::numeric_limits<int>::max())); }
  bool boolean() const {
    if (!json_.is_boolean()) refuse("give true or false");
    return json_.get<bool>();
  }
  std::string text() const {
    if (!json_.is_string()) refuse("give a text");
    return json_.get<std::string>();
  }

 private:
  const Json& json_;
  std::string path_;
};

constexpr Index kLargest = Index{1} << 40;

Layout read_layout(const Node& node) {
  Layout layout;
  node.each([&](const Node& shard) {
    std::vector<Run> runs;
    shard.each([&](const Node& run) {
      runs.push_back({run.at("first").integer(0, kLargest), run.at("stride").integer(1, kLargest),
                      run.at("count").integer(0, kLargest), run.at("document").small()});
    });
    layout.emplace_back(runs);
  });
  return layout;
}

std::vector<Move> read_moves(const Node& node) {
  std::vector<Move> moves;
  node.each([&](const Node& m) {
    moves.push_back({m.at("peer").small(), m.at("buffer").small(), m.at("content").small()});
  });
  return moves;
}

Content read_content(const Node& node, const Schedule& schedule) {
  Content content;
  const Node quantity = node.at("quantity");
  const auto known = [&](Quantity q) { return name(q) == quantity.text(); };
  const auto found = std::find_if(kQuantities.begin(), kQuantities.end(), known);
  if (found == kQuantities.end()) quantity.refuse("use query, key_value, partial, ...");
  content.quantity = *found;
  const bool queries = is_of_queries(content.quantity);
  const Layout& layout = queries ? schedule.query_layout : schedule.key_layout;
  node.at("pieces").each([&](const Node& piece) {
    const int shard =
        static_cast<int>(piece.at("shard").integer(0, static_cast<Index>(layout.size()) - 1));
    const Index size = layout[static_cast<std::size_t>(shard)].size();
    const Index first = piece.at("first").integer(0, size);
    content.pieces.push_back({shard, first, piece.at("count").integer(0, size - first)});
  });
  const int all = queries ? schedule.query_heads : schedule.kv_heads;
  content.first_head = static_cast<int>(node.at("first_head").integer(0, all));
  content.heads = static_cast<int>(node.at("heads").integer(0, all - content.first_head));
  return content;
}

std::vector<int> read_numbers(const Node& node) {
  std::vector<int> numbers;
  node.each([&](const Node& n) { numbers.push_back(n.small()); });
  return numbers;
}

CollectiveKind read_kind(const Node& node) {
  for (const CollectiveKind kind :
       {CollectiveKind::all_gather, CollectiveKind::all_to_all, CollectiveKind::reduce_scatter}) {
    if (node.text() == name(kind)) return kind;
  }
  node.refuse("use all_gather, all_to_all or reduce_scatter");
}

std::vector<BufferId> read_buffers(const Node& node, std::size_t buffers) {
  std::vector<BufferId> list;
  node.each([&](const Node& n) {
    list.push_back(static_cast<BufferId>(n.integer(0, static_cast<Index>(buffers) - 1)));
  });
  return list;
}

Action read_action(const Node& node) {
  const Node kind = node.at("step");
  const auto id = [&](const char* key) { return node.at(key).small(); };
  if (kind.text() == "attend") return Attend{id("query"), id("key_value"), id("partial")};
  if (kind.text() == "attend_backward") {
    return AttendBackward{id("query"),     id("output_gradient"), id("row_statistics"),
                          id("key_value"), id("query_gradient"),  id("key_value_gradient")};
  }
  if (kind.text() == "exchange") {
    return Exchange{id("id"), read_moves(node.at("sends")), read_moves(node.at("receives")),
                    id("channel")};
  }
  if (kind.text() == "collective") {
    return Collective{id("id"),
                      read_kind(node.at("kind")),
                      read_numbers(node.at("group")),
                      id("in"),
                      id("out"),
                      id("sends"),
                      id("receives"),
                      id("channel")};
  }
  if (kind.text() == "wait") return Wait{id("id")};
  if (kind.text() == "merge") return Merge{id("from"), id("into")};
  if (kind.text() == "accumulate") return Accumulate{id("from"), id("into")};
  if (kind.text() == "release") return Release{id("buffer")};
  kind.refuse(
      "use attend, attend_backward, exchange, collective, wait, merge, accumulate or release");
}

RankProgram read_program(const Node& node, const Schedule& schedule) {
  RankProgram program;
  node.at("buffers").each([&](const Node& buffer) {
    const Index contents = static_cast<Index>(schedule.contents.size());
    program.buffers.push_back(
        {buffer.at("name").text(),
         static_cast<ContentId>(buffer.at("initially").integer(kNothing, contents - 1))});
  });
  node.at("steps").each([&](const Node& step) {
    program.steps.push_back({step.at("hop").small(), read_action(step)});
  });
  program.partial = read_buffers(node.at("partial"), program.buffers.size());
  program.query_gradient = read_buffers(node.at("query_gradient"), program.buffers.size());
  program.key_value_gradient = read_buffers(node.at("key_value_gradient"), program.buffers.size());
  return program;
}

}  // namespace

std::string to_json(const Schedule& schedule) {
  Json json = {{"name", schedule.name},
               {"backward", schedule.backward},
               {"hops", schedule.hops},
               {"query_heads", schedule.query_heads},
               {"kv_heads", schedule.kv_heads},
               {"head_dim", schedule.head_dim},
               {"key_value_blocks", schedule.key_value_blocks},
               {"query_layout", layout_json(schedule.query_layout)},
               {"key_layout", layout_json(schedule.key_layout)}};
  json["contents"] = Json::array();
  for (const Content& c : schedule.contents) {
    Json pieces = Json::array();
    for (const Piece& p : c.pieces) {
      pieces.push_back({{"shard", p.shard}, {"first", p.first}, {"count", p.count}});
    }
    json["contents"].push_back({{"quantity", name(c.quantity)},
                                {"pieces", pieces},
                                {"first_head", c.first_head},
                                {"heads", c.heads}});
  }
  json["ranks"] = Json::array();
  for (const RankProgram& program : schedule.ranks) {
    Json buffers = Json::array(), steps = Json::array();
    for (const Buffer& b : program.buffers) {
      buffers.push_back({{"name", b.name}, {"initially", b.initially}});
    }
    for (const Step& step : program.steps) {
      steps.push_back(std::visit(StepWriter{step.hop}, step.action));
    }
    json["ranks"].push_back({{"buffers", buffers},
                             {"steps", steps},
                             {"partial", program.partial},
                             {"query_gradient", program.query_gradient},
                             {"key_value_gradient", program.key_value_gradient}});
  }
  return json.dump(1) + "\n";
}

Schedule parse_schedule(const std::string& text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError("schedule", source, "this is not JSON; export one again");
  const Node root(json, "schedule");
  Schedule schedule;
  schedule.name = root.at("name").text();
  schedule.backward = root.at("backward").boolean();
  schedule.hops = static_cast<int>(root.at("hops").integer(0, 1 << 20));
  schedule.query_heads = static_cast<int>(root.at("query_heads").integer(1, 1 << 16));
  schedule.kv_heads = static_cast<int>(root.at("kv_heads").integer(1, schedule.query_heads));
  if (schedule.query_heads % schedule.kv_heads != 0) {
    root.at("kv_heads").refuse("give a divisor of query_heads");
  }
  schedule.head_dim = static_cast<int>(root.at("head_dim").integer(1, 1 << 16));
  schedule.key_value_blocks = static_cast<int>(root.at("key_value_blocks").integer(1, 1 << 20));
  schedule.query_layout = read_layout(root.at("query_layout"));
  schedule.key_layout = read_layout(root.at("key_layout"));
  root.at("contents").each([&](const Node& c) {
    schedule.contents.push_back(read_content(c, schedule));
  });
  root.at("ranks").each(
      [&](const Node& r) { schedule.ranks.push_back(read_program(r, schedule)); });
  if (schedule.query_layout.size() != schedule.ranks.size() ||
      schedule.key_layout.size() != schedule.ranks.size()) {
    throw InputError("schedule.ranks", fmt::format("{} programs", schedule.ranks.size()),
                     "give one program, query shard and key shard for each rank");
  }
  return schedule;
}

}  // namespace ringlab
