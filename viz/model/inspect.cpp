#include "ringlab/viz/model/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ringlab/reference/attention/score.hpp"
#include "ringlab/viz/model/matrix_picture.hpp"

namespace ringlab::viz {
namespace {

constexpr int kComponents = 3;  // of a vector in a formula

std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

// Collects facts in one language.
class Collector {
 public:
  Collector(const Texts& texts, std::string title, int colour = -1) : texts_(texts) {
    facts_.title = std::move(title);
    facts_.colour = colour;
  }
  void add(const char* key, std::string value) {
    facts_.facts.push_back({texts_.say(key), std::move(value)});
  }
  void add(const char* key, Index number) { add(key, grouped(number)); }
  void formula(std::string line) { facts_.formula.push_back(std::move(line)); }
  Facts take() { return std::move(facts_); }

 private:
  const Texts& texts_;
  Facts facts_;
};

std::string time_text(const Story& story, double time) {
  if (story.seconds_per_unit <= 0) return number_text(time);
  return duration_text(time * story.seconds_per_unit);
}

std::string flops_text(double flops) {
  if (flops >= 1e12) return number_text(flops * 1e-12) + "\u00a0TFLOP";
  if (flops >= 1e9) return number_text(flops * 1e-9) + "\u00a0GFLOP";
  return number_text(flops * 1e-6) + "\u00a0MFLOP";
}

std::string state_text(const Texts& texts, Span span, double time) {
  if (time >= span.end) return texts.say("state.done");
  return texts.say(time > span.start ? "state.now" : "state.to_come");
}

std::string share_text(Index pairs, Index square) {
  if (square == 0) return "0";
  return fmt::format("{} / {} ({} %)", grouped(pairs), grouped(square),
                     number_text(100.0 * static_cast<double>(pairs) / static_cast<double>(square)));
}

std::string ranges(const Positions& tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.runs().size(); ++i) {
    const Run& run = tokens.runs()[i];
    if (i == 3) return text + ", \u2026";
    if (i > 0) text += ", ";
    text += run.count == 1 ? fmt::format("{}", run.first)
                           : fmt::format("{}\u2013{}", run.first, run.at(run.count - 1));
    if (run.stride > 1 && run.count > 1) text += fmt::format(" (+{})", run.stride);
  }
  return text.empty() ? "\u2013" : text;
}

std::string vector_text(const double* values, int size) {
  std::string text = "(";
  for (int d = 0; d < std::min(size, kComponents); ++d) {
    text += (d > 0 ? ", " : "") + fmt::format("{:.2f}", values[d]);
  }
  return text + (size > kComponents ? ", \u2026)" : ")");
}

// What a message is on the cluster of the simulated clock.
void add_machine(Collector& c, const Story& story, const Texts& texts, const Flight& flight) {
  const Link& link = story.links.at(at(flight.link));
  if (link.bytes_per_second <= 0) return;
  c.add("fact.real_bytes", bytes_text(static_cast<double>(flight.real_bytes)));
  c.add("fact.link", texts.say("fact.speed", {bytes_text(link.bytes_per_second),
                                              duration_text(link.latency_seconds), link.level}));
}

}  // namespace

Facts facts_of_tile(const Story& story, const Texts& texts, int tile_index, double time) {
  const Tile& tile = story.tiles.at(at(tile_index));
  const int origin = tile.key_value.pieces.empty() ? -1 : tile.key_value.pieces.front().shard;
  Collector c(texts, tile.label, origin);
  c.add("fact.rank", std::to_string(tile.rank));
  c.add("fact.hop", std::to_string(tile.hop));
  c.add("fact.state", state_text(texts, tile.time, time));
  c.add("fact.queries", ranges(story.schedule.tokens_of(tile.query)));
  c.add("fact.keys", ranges(story.schedule.tokens_of(tile.key_value)));
  c.add("fact.pairs", share_text(tile.pairs, tile.square));
  c.add("fact.heads", fmt::format("{}\u2013{}", tile.query.first_head,
                                  tile.query.first_head + tile.query.heads - 1));
  c.add("fact.time", time_text(story, tile.time.end - tile.time.start));
  if (tile.real_flops > 0) c.add("fact.real_flops", flops_text(tile.real_flops));
  const double each = flops_per_pair(story.schedule);
  c.formula(fmt::format("{} \u00b7 {} \u00b7 {} = {} FLOP", grouped(tile.pairs), tile.query.heads,
                        number_text(each, 6), grouped(static_cast<long long>(tile.flops))));
  c.formula(story.schedule.backward
                ? "dS = P \u00b7 (dO\u00b7v \u2212 \u03b4),  P = e^(s \u2212 lse)"
                : "O, lse \u2190 merge(O, lse; softmax(s) v),  s = scale \u00b7 q\u00b7k");
  return c.take();
}

Facts facts_of_cell(const Story& story, const Texts& texts, int cell_index, int head, double time) {
  const Matrix& m = story.matrix;
  const Cell& cell = m.cells.at(at(cell_index));
  const Segment &q = m.query_segments[at(cell.query)], &k = m.key_segments[at(cell.key)];
  const int tile =
      m.tiles[at(m.class_of_head[at(std::clamp(head, 0, story.schedule.query_heads - 1))])]
             [at(cell_index)];
  Collector c(texts, fmt::format("{} \u00d7 {}", letter_of(q.shard), letter_of(k.shard)),
              tile >= 0 ? story.tiles[at(tile)].rank : -1);
  const auto range = [](const Segment& s) {
    return s.count == 1 ? std::to_string(s.first_position)
                        : fmt::format("{}\u2013{}", s.first_position, s.last_position);
  };
  if (tile >= 0) {
    c.add("fact.rank", std::to_string(story.tiles[at(tile)].rank));
    c.add("fact.hop", std::to_string(story.tiles[at(tile)].hop));
    c.add("fact.state", state_text(texts, story.tiles[at(tile)].time, time));
  }
  c.add("fact.queries", range(q));
  c.add("fact.keys", range(k));
  c.add("fact.pairs", share_text(cell.pairs, cell.square));
  if (tile >= 0) c.add("fact.tile", story.tiles[at(tile)].label);
  return c.take();
}

Facts facts_of_copy(const Story& story, const Texts& texts, int copy_index, double time) {
  const Copy& copy = story.copies.at(at(copy_index));
  Collector c(texts, copy.label, copy.origin);
  const bool flying = copy.flight >= 0 && time < copy.arrives;
  if (flying) {
    const Flight& flight = story.flights[at(copy.flight)];
    c.add("fact.where",
          texts.say("place.link", {std::to_string(flight.from), std::to_string(flight.to)}));
  } else {
    c.add("fact.where", texts.say("place.rank", {std::to_string(copy.rank)}));
  }
  c.add("fact.buffer", story.schedule.rank(copy.rank).buffers[at(copy.buffer)].name);
  c.add("fact.what", texts.say("quantity." + std::string(name(copy.content.quantity))));
  c.add("fact.tokens", ranges(story.schedule.tokens_of(copy.content)));
  c.add("fact.bytes", bytes_text(static_cast<double>(copy.bytes)));
  if (flying) add_machine(c, story, texts, story.flights[at(copy.flight)]);
  c.add("fact.born", time_text(story, copy.born));
  const Index tokens = story.schedule.token_count(copy.content);
  const int dim = story.schedule.head_dim;
  static constexpr std::array<const char*, 7> kShape = {
      "{0} tok \u00b7 {1} h \u00b7 {2} \u00b7 4 B",
      "{0} tok \u00b7 {1} kv \u00b7 2 \u00b7 {2} \u00b7 4 B",
      "{0} tok \u00b7 {1} h \u00b7 ({2} + 1) \u00b7 4 B",
      "{0} tok \u00b7 {1} h \u00b7 {2} \u00b7 4 B",
      "{0} tok \u00b7 {1} h \u00b7 2 \u00b7 4 B",
      "{0} tok \u00b7 {1} h \u00b7 {2} \u00b7 4 B",
      "{0} tok \u00b7 {1} kv \u00b7 2 \u00b7 {2} \u00b7 4 B"};
  c.formula(fill_in(kShape[static_cast<std::size_t>(copy.content.quantity)],
                    {grouped(tokens), std::to_string(copy.content.heads), std::to_string(dim)}) +
            " = " + grouped(copy.bytes) + " B");
  return c.take();
}

Facts facts_of_flight(const Story& story, const Texts& texts, int flight_index, double time) {
  const Flight& f = story.flights.at(at(flight_index));
  const int origin = f.content.pieces.empty() ? -1 : f.content.pieces.front().shard;
  Collector c(texts, f.label, origin);
  c.add("fact.where", texts.say("place.link", {std::to_string(f.from), std::to_string(f.to)}));
  c.add("fact.hop", std::to_string(f.hop));
  c.add("fact.state", state_text(texts, f.time, time));
  c.add("fact.bytes", bytes_text(static_cast<double>(f.bytes)));
  c.add("fact.time", time_text(story, f.time.end - f.time.start));
  c.add("fact.hidden", number_text(100 * f.hidden) + " %");
  add_machine(c, story, texts, f);
  return c.take();
}

Facts facts_of_rank(const Story& story, const Texts& texts, const Frame& frame, int rank) {
  const RankNow& now = frame.ranks.at(at(rank));
  const RankLedger& ledger = story.ledger.ranks[at(rank)];
  static constexpr std::array<const char*, 4> kDoing = {"doing.idle", "doing.computing",
                                                        "doing.waiting", "doing.finished"};
  Collector c(texts, texts.say("place.rank", {std::to_string(rank)}), rank);
  c.add("fact.doing", texts.say(kDoing[static_cast<std::size_t>(now.doing)]));
  c.add("fact.hop", std::to_string(now.hop));
  c.add("fact.queries", ranges(story.schedule.query_layout[at(rank)]));
  c.add("fact.keys", ranges(story.schedule.key_layout[at(rank)]));
  c.add("fact.work", fmt::format("{} / {}", grouped(now.pair_heads), grouped(ledger.pair_heads)));
  c.add("fact.sent", fmt::format("{} / {}", bytes_text(static_cast<double>(now.bytes_sent)),
                                 bytes_text(static_cast<double>(ledger.bytes_sent))));
  c.add("fact.memory", fmt::format("{} / {}", bytes_text(static_cast<double>(now.memory_total)),
                                   bytes_text(static_cast<double>(ledger.peak_bytes))));
  return c.take();
}

Facts facts_of_score(const Story& story, const Texts& texts, int head, Index query, Index key) {
  const Index q = query_position(story, query), k = key_position(story, key);
  Collector c(texts, fmt::format("q {} \u00b7 k {}", q, k));
  const AttentionRule& rule = story.session.plan.rule;
  head = std::clamp(head, 0, rule.query_heads - 1);
  const Index row = q - story.session.queries.at(0).position;
  const bool visible = rule.mask.visible(story.session.queries.at(row), story.session.keys.at(k));
  c.add("fact.visible", texts.say(visible ? "word.yes" : "word.no"));
  c.add("fact.head", std::to_string(head));
  if (!story.numbers || !visible) return c.take();
  const Numbers& n = *story.numbers;
  const double* a = n.queries.row(row, head);
  const double* b = n.key_value.keys.row(k, rule.kv_head_of(head));
  double dot = 0;
  for (int d = 0; d < rule.head_dim; ++d) dot += a[d] * b[d];
  const double s = score(rule, head, dot, q, k).value;
  const double lse = n.right.lse(row, head, 0);
  c.add("fact.score", number_text(s, 4));
  c.add("fact.weight", number_text(std::exp(s - lse), 3));
  c.formula(fmt::format("q = {}", vector_text(a, rule.head_dim)));
  c.formula(fmt::format("k = {}", vector_text(b, rule.head_dim)));
  c.formula(fmt::format("s = {} \u00b7 {} = {}", number_text(rule.scale, 4), number_text(dot, 4),
                        number_text(rule.scale * dot, 4)));
  if (rule.soft_cap > 0 || !rule.alibi_slopes.empty()) {
    c.formula(fmt::format("s\u2032 = {}", number_text(s, 4)));
  }
  c.formula(fmt::format("p = e^({} \u2212 {}) = {}", number_text(s, 4), number_text(lse, 4),
                        number_text(std::exp(s - lse), 3)));
  return c.take();
}

}  // namespace ringlab::viz
