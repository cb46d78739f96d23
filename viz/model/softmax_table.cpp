#include "ringlab/viz/model/softmax_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ringlab/reference/attention/score.hpp"
#include "ringlab/reference/io/half.hpp"
#include "ringlab/reference/schedule/collective.hpp"

namespace ringlab::viz {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// The running state of one row; O is kept without the division by l.
struct State {
  float m = kMinusInfinity, l = 0;
  std::vector<float> sum;
};

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

float lse_of(const State& s) {
  return s.l > 0 ? s.m + std::log(s.l) : kMinusInfinity;
}

// exp(old - new), where nothing shrinks to nothing.
float shrink_of(float old_max, float new_max) {
  return old_max == kMinusInfinity ? 0.0f : std::exp(old_max - new_max);
}

std::string n3(double x) {
  return number_text(x, 3);
}
std::string n4(double x) {
  return number_text(x, 4);
}

// Runs all ranks' programs as far as they touch one row of one head.
class Walker {
 public:
  Walker(const Story& story, SoftmaxTable& table)
      : story_(story),
        numbers_(*story.numbers),
        schedule_(story.session.plan.forward),
        rule_(story.session.plan.rule),
        collectives_(schedule_),
        table_(table),
        timed_(!story.schedule.backward) {
    row_ = table.query_position - story.session.queries.at(0).position;
    place_ = story.session.queries.at(row_);
    for (std::size_t s = 0; s < schedule_.query_layout.size(); ++s) {
      Index local = 0;
      for (const Place& p : schedule_.query_layout[s].expand()) {
        if (p == place_) {
          shard_ = static_cast<int>(s);
          local_ = local;
        }
        ++local;
      }
    }
    ranks_.resize(at(schedule_.size()));
  }

  void walk() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int r = 0; r < schedule_.size(); ++r) moved = run(r) || moved;
    }
    std::stable_sort(table_.rows.begin(), table_.rows.end(),
                     [](const SoftmaxRow& a, const SoftmaxRow& b) { return a.time < b.time; });
    for (const BufferId b : schedule_.rank(shard_).partial) {
      const auto found = ranks_[at(shard_)].states.find(b);
      if (found != ranks_[at(shard_)].states.end()) finish(found->second);
    }
    const Partial<float>& result = numbers_.outputs[at(shard_)].result;
    table_.executor_lse = static_cast<double>(result.lse(local_, table_.head, 0));
  }

 private:
  struct Wire {
    int from, to, channel, collective;
    auto operator<=>(const Wire&) const = default;
  };
  struct Awaited {
    Wire wire;
    std::size_t number;
    BufferId buffer;
  };
  struct RankState {
    std::size_t step = 0;
    std::map<BufferId, State> states;  // of the partial results that hold the row
    std::map<BufferId, Content> held;
    std::map<int, std::vector<Awaited>> awaited;  // by exchange or collective
    bool begun = false;
  };

  bool has_row(const Content& content) const {
    if (!is_of_queries(content.quantity) || table_.head < content.first_head ||
        table_.head >= content.first_head + content.heads) {
      return false;
    }
    return std::any_of(content.pieces.begin(), content.pieces.end(), [&](const Piece& p) {
      return p.shard == shard_ && local_ >= p.first && local_ < p.first + p.count;
    });
  }

  bool run(int rank) {
    RankState& mine = ranks_[at(rank)];
    const RankProgram& program = schedule_.rank(rank);
    if (!mine.begun) {
      mine.begun = true;
      for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const ContentId content = program.buffers[b].initially;
        if (content != kNothing) {
          mine.held[static_cast<BufferId>(b)] = schedule_.content(content);
        }
      }
    }
    bool moved = false;
    for (; mine.step < program.steps.size(); ++mine.step, moved = true) {
      const Step& step = program.steps[mine.step];
      if (const auto* attend = std::get_if<Attend>(&step.action)) {
        fold(rank, step.hop, *attend);
      } else if (const auto* exchange = std::get_if<Exchange>(&step.action)) {
        begin(rank, *exchange);
      } else if (const auto* collective = std::get_if<Collective>(&step.action)) {
        begin(rank, *collective);
      } else if (const auto* wait = std::get_if<Wait>(&step.action)) {
        if (!arrive(rank, step.hop, wait->id)) return moved;
      } else if (const auto* merge = std::get_if<Merge>(&step.action)) {
        const auto from = mine.states.find(merge->from);
        if (from != mine.states.end()) {
          join(rank, step.hop, from->second, mine.states[merge->into]);
        }
      } else if (const auto* release = std::get_if<Release>(&step.action)) {
        mine.states.erase(release->buffer);
        mine.held.erase(release->buffer);
      }
    }
    return moved;
  }

  void begin(int rank, const Exchange& exchange) {
    RankState& mine = ranks_[at(rank)];
    for (const Move& move : exchange.sends) {
      const Content& content = schedule_.content(move.content);
      if (content.quantity == Quantity::partial && has_row(content)) {
        mail_[{rank, move.peer, exchange.channel, -1}].push_back(mine.states[move.buffer]);
      }
    }
    for (const Move& move : exchange.receives) {
      const Content& content = schedule_.content(move.content);
      mine.held[move.buffer] = content;
      mine.states.erase(move.buffer);
      if (content.quantity == Quantity::partial && has_row(content)) {
        const Wire wire{move.peer, rank, exchange.channel, -1};
        mine.awaited[exchange.id].push_back({wire, taken_[wire]++, move.buffer});
      }
    }
  }

  void begin(int rank, const Collective& c) {
    RankState& mine = ranks_[at(rank)];
    mine.held[c.out] = schedule_.content(c.receives);
    mine.states.erase(c.out);
    if (schedule_.content(c.sends).quantity != Quantity::partial) return;
    const CollectiveMoves moves = collectives_.moves(rank, c);
    for (const PartMove& move : moves.sends) {
      if (has_row(move.part)) {
        mail_[{rank, move.peer, c.channel, c.id}].push_back(mine.states[c.in]);
      }
    }
    if (moves.own && has_row(*moves.own)) mine.states[c.out] = mine.states[c.in];
    for (const PartMove& move : moves.receives) {
      if (!has_row(move.part)) continue;
      const Wire wire{move.peer, rank, c.channel, c.id};
      mine.awaited[c.id].push_back({wire, taken_[wire]++, c.out});
    }
  }

  // False while a message that carries the row has not been sent.
  bool arrive(int rank, int hop, int id) {
    RankState& mine = ranks_[at(rank)];
    const auto found = mine.awaited.find(id);
    if (found == mine.awaited.end()) return true;
    for (const Awaited& a : found->second) {
      if (mail_[a.wire].size() <= a.number) return false;
    }
    for (const Awaited& a : found->second) {
      const State& state = mail_[a.wire][a.number];
      const auto here = mine.states.find(a.buffer);
      if (here == mine.states.end()) {
        mine.states[a.buffer] = state;
      } else {
        join(rank, hop, state, here->second);  // a collective that sums
      }
    }
    mine.awaited.erase(found);
    return true;
  }

  SoftmaxRow& add(SoftmaxAction action, int rank, int hop, const State& before,
                  const State& after) {
    SoftmaxRow row;
    row.action = action;
    row.rank = rank;
    row.hop = hop;
    if (timed_) row.time = story_.ranks[at(rank)].steps[ranks_[at(rank)].step].end;
    row.m_old = static_cast<double>(before.m);
    row.l_old = static_cast<double>(before.l);
    row.m = static_cast<double>(after.m);
    row.l = static_cast<double>(after.l);
    row.shrink =
        static_cast<double>(before.m == kMinusInfinity ? (after.m == kMinusInfinity ? 1.0f : 0.0f)
                                                       : std::exp(before.m - after.m));
    row.lse = static_cast<double>(lse_of(after));
    for (Index d = 0; d < shown(); ++d) {
      const float sum = at(d) < after.sum.size() ? after.sum[at(d)] : 0.0f;
      row.out.push_back(after.l > 0 ? static_cast<double>(sum / after.l) : 0.0);
    }
    row.hop_text = std::to_string(hop);
    row.m_text = n3(row.m);
    row.l_text = n3(row.l);
    row.shrink_text = before.m == kMinusInfinity ? "\u2013" : n3(row.shrink);
    row.lse_text = n4(row.lse);
    table_.rows.push_back(std::move(row));
    return table_.rows.back();
  }

  Index shown() const { return std::min<Index>(kComponentsShown, rule_.head_dim); }

  float stored(float x) const {
    if (table_.precision == StatePrecision::float32 || !std::isfinite(x)) return x;
    return float_from_bfloat16(bfloat16_from(x));
  }
  void store(State& s) const {
    s.m = stored(s.m);
    s.l = stored(s.l);
    for (float& x : s.sum) x = stored(x);
  }

  void fold(int rank, int hop, const Attend& a) {
    RankState& mine = ranks_[at(rank)];
    const Content query = mine.held.at(a.query);
    if (mine.held.count(a.partial) == 0) {
      mine.held[a.partial] = query;
      mine.held[a.partial].quantity = Quantity::partial;
    }
    if (!has_row(query)) return;
    const Content& block = mine.held.at(a.key_value);
    State& state = mine.states[a.partial];
    const State before = state;
    const int kv_head = rule_.kv_head_of(table_.head);
    const double* q = numbers_.queries.row(row_, table_.head);
    std::vector<std::pair<Index, float>> scores;  // key and score
    float block_max = kMinusInfinity;
    for (const Place& key : schedule_.tokens_of(block).expand()) {
      if (!rule_.mask.visible(place_, key)) continue;
      const double* k = numbers_.key_value.keys.row(key.position, kv_head);
      double dot = 0;
      for (int d = 0; d < rule_.head_dim; ++d) dot += q[d] * k[d];
      const auto s =
          static_cast<float>(score(rule_, table_.head, dot, place_.position, key.position).value);
      scores.emplace_back(key.position, s);
      block_max = std::max(block_max, s);
    }
    state.sum.resize(at(rule_.head_dim), 0.0f);
    float block_sum = 0;
    if (!scores.empty()) {
      state.m = std::max(before.m, block_max);
      const float shrink = shrink_of(before.m, state.m);
      state.l = before.l * shrink;
      for (float& x : state.sum) x *= shrink;
      for (const auto& [key, s] : scores) {
        const float e = std::exp(s - state.m);
        block_sum += e;
        const float kept = e * static_cast<float>(dropout_factor(rule_.dropout, table_.head,
                                                                 place_.position, key));
        const double* v = numbers_.key_value.values.row(key, kv_head);
        for (int d = 0; d < rule_.head_dim; ++d) {
          state.sum[at(d)] += kept * static_cast<float>(v[d]);
        }
      }
      state.l += block_sum;
      store(state);
    }
    SoftmaxRow& row = add(SoftmaxAction::fold, rank, hop, before, state);
    if (timed_) row.tile = tile_of(rank);
    row.visible_keys = static_cast<Index>(scores.size());
    row.block_max = static_cast<double>(block_max);
    if (!block.pieces.empty()) row.origin = block.pieces.front().shard;
    row.block = letters(block);
    fold_formula(row, static_cast<double>(block_sum));
  }

  static std::string letters(const Content& block) {
    if (block.pieces.empty()) return "";
    const int first = block.pieces.front().shard, last = block.pieces.back().shard;
    return first == last ? letter_of(first) : letter_of(first) + "-" + letter_of(last);
  }

  int tile_of(int rank) const {
    const int step = static_cast<int>(ranks_[at(rank)].step);
    for (const int t : story_.ranks[at(rank)].tiles) {
      if (story_.tiles[at(t)].step == step) return t;
    }
    return -1;
  }

  static void fold_formula(SoftmaxRow& row, double block_sum) {
    if (row.visible_keys == 0) {
      row.formula = {"m\u2032 = m,  l\u2032 = l,  O\u2032 = O"};  // no key is visible
      return;
    }
    row.formula = {
        fmt::format("m\u2032 = max(m, max s) = max({}, {}) = {}", n3(row.m_old), n3(row.block_max),
                    n3(row.m)),
        fmt::format("l\u2032 = l \u00b7 e^(m\u2212m\u2032) + \u03a3 e^(s\u2212m\u2032)"),
        fmt::format("   = {} \u00b7 {} + {} = {}", n3(row.l_old), n3(row.shrink), n3(block_sum),
                    n3(row.l)),
        fmt::format("O\u2032 = (O \u00b7 {} \u00b7 {} + \u03a3 e^(s\u2212m\u2032) v) / {}",
                    n3(row.l_old), n3(row.shrink), n3(row.l)),
        fmt::format("lse = m\u2032 + ln l\u2032 = {} + ln {} = {}", n3(row.m), n3(row.l),
                    n4(row.lse))};
  }

  void join(int rank, int hop, const State& from, State& into) {
    const State before = into;
    into.sum.resize(at(rule_.head_dim), 0.0f);
    into.m = std::max(before.m, from.m);
    const float a = shrink_of(before.m, into.m), b = shrink_of(from.m, into.m);
    into.l = before.l * a + from.l * b;
    for (std::size_t d = 0; d < into.sum.size(); ++d) {
      into.sum[d] = into.sum[d] * a + (d < from.sum.size() ? from.sum[d] * b : 0.0f);
    }
    store(into);
    SoftmaxRow& row = add(SoftmaxAction::merge, rank, hop, before, into);
    row.block = "+";
    row.block_max = static_cast<double>(from.m);
    row.formula = {fmt::format("m\u2032 = max(m\u2081, m\u2082) = max({}, {}) = {}", n3(row.m_old),
                               n3(row.block_max), n3(row.m)),
                   fmt::format("l\u2032 = l\u2081 \u00b7 e^(m\u2081\u2212m\u2032) + l\u2082 \u00b7 "
                               "e^(m\u2082\u2212m\u2032)"),
                   fmt::format("   = {} \u00b7 {} + {} \u00b7 {} = {}", n3(row.l_old),
                               n3(static_cast<double>(a)), n3(static_cast<double>(from.l)),
                               n3(static_cast<double>(b)), n3(row.l)),
                   fmt::format("lse = m\u2032 + ln l\u2032 = {} + ln {} = {}", n3(row.m), n3(row.l),
                               n4(row.lse))};
  }

  // A sink takes part in the softmax like a key without a value.
  void finish(State state) {
    if (rule_.sinks.empty()) return;
    const State before = state;
    const auto sink = static_cast<float>(rule_.sinks[at(table_.head)]);
    state.m = std::max(before.m, sink);
    const float shrink = shrink_of(before.m, state.m);
    state.l = before.l * shrink + std::exp(sink - state.m);
    for (float& x : state.sum) x *= shrink;
    store(state);
    RankState& home = ranks_[at(shard_)];
    home.step = home.step > 0 ? home.step - 1 : 0;  // the row stands at the end of the program
    SoftmaxRow& row =
        add(SoftmaxAction::sink, shard_, std::max(0, schedule_.hops - 1), before, state);
    if (timed_) row.time = story_.end;
    row.block = "sink";
    row.block_max = static_cast<double>(sink);
    row.formula = {fmt::format("l\u2032 = {} \u00b7 {} + e^({}\u2212m\u2032) = {}", n3(row.l_old),
                               n3(static_cast<double>(shrink)), n3(row.block_max), n3(row.l))};
  }

  const Story& story_;
  const Numbers& numbers_;
  const Schedule& schedule_;
  const AttentionRule& rule_;
  CollectiveIndex collectives_;
  SoftmaxTable& table_;
  bool timed_;  // false: the clock is that of the backward pass, and all this is over
  Index row_ = 0, local_ = 0;
  int shard_ = 0;
  Place place_;
  std::vector<RankState> ranks_;
  std::map<Wire, std::vector<State>> mail_;
  std::map<Wire, std::size_t> taken_;
};

}  // namespace

SoftmaxTable softmax_table(const Story& story, Index query_position, int head,
                           StatePrecision precision) {
  const Index queries = story.session.queries.size();
  const Index first = story.session.keys.size() - queries;
  if (query_position < first || query_position >= first + queries) {
    throw InputError("query", std::to_string(query_position),
                     fmt::format("give a position from {} to {}", first, first + queries - 1));
  }
  if (head < 0 || head >= story.schedule.query_heads) {
    throw InputError("head", std::to_string(head),
                     fmt::format("give a head from 0 to {}", story.schedule.query_heads - 1));
  }
  SoftmaxTable table;
  table.query_position = query_position;
  table.head = head;
  table.precision = precision;
  if (!story.numbers) {
    table.why_not = {"note.no_numbers", {}};
    return table;
  }
  Walker(story, table).walk();
  const Index row = query_position - first;
  const Partial<double>& right = story.numbers->right;
  table.right_lse = right.lse(row, head, 0);
  for (Index d = 0; d < std::min<Index>(kComponentsShown, right.out.head_dim()); ++d) {
    table.right_out.push_back(right.out(row, head, d));
  }
  table.empty_row = std::isinf(table.right_lse);
  const double last = table.rows.empty() ? -INFINITY : table.rows.back().lse;
  table.lse_error = table.empty_row && std::isinf(last) ? 0 : std::abs(last - table.right_lse);
  table.right_text = number_text(table.right_lse, 6);
  return table;
}

int rows_done(const SoftmaxTable& table, double time) {
  const auto after = std::upper_bound(table.rows.begin(), table.rows.end(), time,
                                      [](double t, const SoftmaxRow& row) { return t < row.time; });
  return static_cast<int>(after - table.rows.begin());
}

}  // namespace ringlab::viz
