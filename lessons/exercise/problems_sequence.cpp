// Exercises of lessons 1 to 4: memory, tiles, the online softmax, positions.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ringlab/lessons/exercise/problems.hpp"
#include "ringlab/reference/attention/partial.hpp"
#include "ringlab/reference/sequence/layout.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab::exercise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// --- 1: bytes of a key/value cache ---------------------------------------------------------------

std::vector<Case> kv_cases() {
  struct Model {
    const char* name;
    double layers, query_heads, kv_heads, head_dim, bytes;
  };
  const Model models[] = {{"Llama-3 8B", 32, 32, 8, 128, 2},
                          {"Llama-2 7B", 32, 32, 32, 128, 2},
                          {"Llama-3.1 405B", 126, 128, 8, 128, 2},
                          {"one layer in float32", 1, 4, 2, 64, 4}};
  std::vector<Case> cases;
  const auto add = [&](const Model& m, const std::string& question, double tokens, double ranks,
                       double room) {
    cases.push_back(
        {fmt::format("{}: {:.0f} layers, {:.0f} query heads, {:.0f} key/value heads of {:.0f}, "
                     "{:.0f} bytes; {}",
                     m.name, m.layers, m.query_heads, m.kv_heads, m.head_dim, m.bytes, question),
         {m.layers, m.query_heads, m.kv_heads, m.head_dim, m.bytes, tokens, ranks, room}});
  };
  for (const Model& m : models) {
    for (const double tokens : {1.0, 8192.0, 1048576.0}) {
      for (const double ranks : {1.0, 8.0, 3.0}) {
        add(m, fmt::format("{:.0f} tokens over {:.0f} ranks", tokens, ranks), tokens, ranks, 0);
      }
    }
  }
  // The second goal. 131072 bytes are one token of Llama-3 8B: room for none, for one, for nearly
  // two, and for so many that a loop over tokens would not end.
  for (const double room : {131071.0, 131072.0, 262143.0, 40e9, 1e15}) {
    for (const double ranks : {1.0, 3.0, 8.0}) {
      add(models[0], fmt::format("{:.0f} bytes on each of {:.0f} ranks", room, ranks), 0, ranks,
          room);
    }
  }
  return cases;
}

constexpr int kRooms = 15;

// The fullest rank, by the library's own layout.
double right_kv(const Case& c, Index tokens) {
  const auto& in = c.input;
  const Layout layout =
      make_layout(LayoutKind::contiguous, whole_sequence(tokens), static_cast<int>(in[6]));
  Index most = 0;
  for (const Positions& shard : layout) most = std::max(most, shard.size());
  return static_cast<double>(most) * in[0] * in[2] * in[3] * in[4] * 2;
}

std::optional<Complaint> judge_kv(const Case& c, const Answer& answer) {
  return compare(answer, {right_kv(c, static_cast<Index>(c.input[5]))}, 0,
                 [](std::size_t) { return std::string("bytes on the fullest rank"); });
}

// The longest sequence that fits, by search.
std::optional<std::string> second_kv(const std::vector<Case>& cases,
                                     const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kRooms; i < cases.size(); ++i) {
    const double room = cases[i].input[7];
    Index fits = 0, too_long = 1;
    while (right_kv(cases[i], too_long) <= room) too_long *= 2;
    while (too_long - fits > 1) {
      const Index middle = fits + (too_long - fits) / 2;
      (right_kv(cases[i], middle) <= room ? fits : too_long) = middle;
    }
    if (const auto complaint = compare(answers[i], {static_cast<double>(fits)}, 0,
                                       [](std::size_t) { return std::string(); })) {
      return fmt::format("{} hold {} tokens and not {}", cases[i].given, complaint->right,
                         complaint->found);
    }
  }
  return std::nullopt;
}

// --- 2: is a tile empty, partial or full? --------------------------------------------------------

constexpr int kWindows = 60;

std::vector<Case> tile_cases() {
  std::vector<Case> cases;
  const auto add = [&](double q0, double q1, double k0, double k1, double window = -1) {
    cases.push_back({fmt::format("queries {:.0f} to {:.0f}, keys {:.0f} to {:.0f}{}", q0, q1, k0,
                                 k1, window < 0 ? "" : fmt::format(", window {:.0f}", window)),
                     {q0, q1, k0, k1, window}});
  };
  add(8, 15, 0, 7);
  add(0, 7, 8, 15);
  add(0, 7, 0, 7);
  add(5, 5, 5, 5);
  add(7, 9, 0, 7);  // the last key is the first query: full
  add(7, 9, 0, 8);
  add(4, 7, 7, 9);  // one pair, (7, 7)
  add(4, 7, 8, 9);
  Draw draw(2);
  for (int i = 0; i < 40 + kWindows; ++i) {
    const auto q = static_cast<double>(draw.integer(0, 30)),
               k = static_cast<double>(draw.integer(0, 30));
    const auto more_queries = static_cast<double>(draw.integer(0, 9)),
               more_keys = static_cast<double>(draw.integer(0, 9));
    add(q, q + more_queries, k, k + more_keys,
        i < 40 ? -1 : static_cast<double>(draw.integer(0, 20)));
  }
  return cases;
}

std::optional<Complaint> judge_tile(const Case& c, const Answer& answer) {
  const auto range = [&](std::size_t at) {
    const auto first = static_cast<Index>(c.input[at]);
    return Positions::contiguous(first, static_cast<Index>(c.input[at + 1]) - first + 1);
  };
  Mask mask{.causal = true, .window_left = {}, .window_right = {}};
  if (c.input[4] >= 0) mask.window_left = static_cast<Index>(c.input[4]);
  const TileClass right = classify_tile(mask, range(0), range(2));
  const std::string names[] = {"empty", "partial", "full"};
  const auto expected = static_cast<std::size_t>(right);
  const double found = answer.empty() ? -1 : answer[0];
  if (found == static_cast<double>(expected)) return std::nullopt;
  const bool known = found == 0 || found == 1 || found == 2;
  return Complaint{"", known ? names[static_cast<std::size_t>(found)] : "none of the three",
                   names[expected]};
}

std::optional<std::string> second_tile(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kWindows; i < cases.size(); ++i) {
    if (const auto complaint = judge_tile(cases[i], answers[i])) {
      return fmt::format("{}: {} and not {}", cases[i].given, complaint->right, complaint->found);
    }
  }
  return std::nullopt;
}

// --- 3a: the online softmax ----------------------------------------------------------------------

std::vector<Case> softmax_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& given, const std::vector<double>& scores,
                       const std::vector<double>& values) {
    Case one{given, {static_cast<double>(scores.size())}};
    one.input.insert(one.input.end(), scores.begin(), scores.end());
    one.input.insert(one.input.end(), values.begin(), values.end());
    cases.push_back(one);
  };
  add("scores 0, 0; values 2, 4", {0, 0}, {2, 4});
  add("scores 0, 5; values 1, 2", {0, 5}, {1, 2});
  add("scores 1000, 999; values 1, 2", {1000, 999}, {1, 2});
  add("scores -1000, -1001; values 1, 2", {-1000, -1001}, {1, 2});
  add("one score, -60000; value 7", {-60000}, {7});
  add("no scores at all", {}, {});
  add("scores 3, -inf, 1; values 1, 5, 2", {3, -kInfinity, 1}, {1, 5, 2});
  add("the first score is -inf: -inf, 0; values 9, 4", {-kInfinity, 0}, {9, 4});
  Draw draw(3);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> scores, values;
    const long long count = draw.integer(1, 50);
    for (long long j = 0; j < count; ++j) {
      scores.push_back(draw.real(-30, 30));
      values.push_back(draw.real(-1, 1));
    }
    add(fmt::format("{} scores drawn from -30 to 30", count), scores, values);
  }
  return cases;
}

std::optional<Complaint> judge_softmax(const Case& c, const Answer& answer) {
  const auto count = static_cast<Index>(c.input[0]);
  // One key a time through the library's merge: another way to the same number.
  Partial<double> sum = identity_partial<double>(1, 1, 1);
  for (Index j = 0; j < count; ++j) {
    const double score = c.input[static_cast<std::size_t>(1 + j)];
    if (score == -kInfinity) continue;
    const double value = c.input[static_cast<std::size_t>(1 + count + j)];
    merge(Partial<double>{Tensor<double>(1, 1, 1, value), Tensor<double>(1, 1, 1, score)}, sum);
  }
  // 1e-9: fifty terms in float64 lose some 1e-14; a forgotten rescale loses everything.
  return compare(answer, {sum.out.data()[0], sum.lse.data()[0]}, 1e-9, [](std::size_t i) {
    return std::string(i == 0 ? "the output" : "the log-sum-exp");
  });
}

std::optional<std::string> second_softmax(const std::vector<Case>& cases,
                                          const std::vector<Answer>& answers) {
  double scores = 0, reads = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    scores += cases[i].input[0];
    reads += answers[i].size() > 2 ? answers[i][2] : 0;
  }
  if (reads <= scores) return std::nullopt;
  return fmt::format("you read each score {:.1f} times; once is enough", reads / scores);
}

// --- 3b: merging two partial results -------------------------------------------------------------

std::vector<Case> merge_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& given, double a, double b) {
    cases.push_back({given, {3, a, 1, 2, 3, b, 3, 2, -1}});
  };
  add("lse 0 and 0, out (1, 2, 3) and (3, 2, -1)", 0, 0);
  add("lse 0 and 5, out (1, 2, 3) and (3, 2, -1)", 0, 5);
  add("lse 5 and 0, out (1, 2, 3) and (3, 2, -1)", 5, 0);
  add("lse 0 and 800: exp(800) is infinite", 0, 800);
  add("lse -900 and -901: exp(-900) is zero", -900, -901);
  add("lse -inf and 2: the first has seen no key", -kInfinity, 2);
  add("lse 2 and -inf: the second has seen no key", 2, -kInfinity);
  cases.push_back({"both have seen no key", {2, -kInfinity, 0, 0, -kInfinity, 0, 0}});
  Draw draw(4);
  for (int i = 0; i < 20; ++i) {
    const double a = draw.real(-10, 10), b = draw.real(-10, 10);
    add(fmt::format("lse {:.3f} and {:.3f}", a, b), a, b);
  }
  return cases;
}

std::optional<Complaint> judge_merge(const Case& c, const Answer& answer) {
  const auto dim = static_cast<Index>(c.input[0]);
  const auto partial = [&](std::size_t at) {
    Partial<double> p = identity_partial<double>(1, 1, dim);
    p.lse.data()[0] = c.input[at];
    for (Index d = 0; d < dim; ++d) p.out.data()[d] = c.input[at + 1 + static_cast<std::size_t>(d)];
    return p;
  };
  Partial<double> sum = partial(1);
  merge(partial(2 + static_cast<std::size_t>(dim)), sum);
  std::vector<double> right(sum.out.data(), sum.out.data() + dim);
  right.push_back(sum.lse.data()[0]);
  return compare(answer, right, 1e-12, [&](std::size_t i) {
    return i < static_cast<std::size_t>(dim) ? fmt::format("out[{}]", i) : std::string("lse");
  });
}

std::optional<std::string> second_merge(const std::vector<Case>& cases,
                                        const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double exponentials = answers[i].back();
    if (exponentials > 1) {
      return fmt::format("{}: {:.0f} calls of exp; one is enough", cases[i].given, exponentials);
    }
  }
  return std::nullopt;
}

// --- 4a: positions as runs -----------------------------------------------------------------------

std::vector<Case> run_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& given, const std::vector<Index>& positions) {
    Case one{given, {}};
    for (const Index p : positions) one.input.push_back(static_cast<double>(p));
    cases.push_back(one);
  };
  add("no positions", {});
  add("positions 7", {7});
  add("positions 4 5 6 7", {4, 5, 6, 7});
  add("positions 1 4 7 10", {1, 4, 7, 10});
  add("positions 0 1 14 15", {0, 1, 14, 15});
  add("positions 0 1 2 10 20 30", {0, 1, 2, 10, 20, 30});
  for (const LayoutKind kind : {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag}) {
    const Layout layout = make_layout(kind, whole_sequence(100), 4);
    for (std::size_t r = 0; r < layout.size(); ++r) {
      std::vector<Index> positions;
      for (const Place& place : layout[r].expand()) positions.push_back(place.position);
      add(fmt::format("rank {} of 4, {} layout, 100 tokens", r, ringlab::name(kind)), positions);
    }
  }
  return cases;
}

std::optional<Complaint> judge_runs(const Case& c, const Answer& answer) {
  std::size_t at = 0;
  for (std::size_t i = 0; i + 2 < answer.size(); i += 3) {
    for (double n = 0; n < answer[i + 2]; ++n) {
      const double position = answer[i] + n * answer[i + 1];
      const auto run = fmt::format("position {} of run {}", number_text(n), i / 3);
      if (at >= c.input.size()) return Complaint{run, number_text(position), "no more positions"};
      if (position != c.input[at]) {
        return Complaint{run, number_text(position), number_text(c.input[at])};
      }
      ++at;
    }
  }
  if (at == c.input.size()) return std::nullopt;
  return Complaint{"after the last run", "nothing", number_text(c.input[at])};
}

std::optional<std::string> second_runs(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<Place> places;
    for (const double p : cases[i].input) places.push_back({static_cast<Index>(p), 0});
    const std::size_t best = Positions::from_places(places).runs().size();
    const std::size_t yours = answers[i].size() / 3;
    if (yours > best) {
      return fmt::format("{}: you need {} runs where {} will do", cases[i].given, yours, best);
    }
  }
  return std::nullopt;
}

// --- 4b: who owns a token in a zigzag layout? ----------------------------------------------------

void add_owner(std::vector<Case>& cases, Index position, Index tokens, int ranks) {
  cases.push_back(
      {fmt::format("position {}, {} tokens, {} ranks", position, tokens, ranks),
       {static_cast<double>(position), static_cast<double>(tokens), static_cast<double>(ranks)}});
}

constexpr int kUnevenOwners = 23;

std::vector<Case> owner_cases() {
  std::vector<Case> cases;
  for (Index p = 0; p < 16; ++p) add_owner(cases, p, 16, 4);
  for (Index p = 0; p < 8; ++p) add_owner(cases, p, 8, 1);
  for (Index p = 0; p < 24; p += 3) add_owner(cases, p, 24, 3);
  Draw draw(5);
  for (int i = 0; i < 20; ++i) {
    const int ranks = static_cast<int>(draw.integer(2, 64));
    const Index tokens = 2 * ranks * draw.integer(1, 1000);
    add_owner(cases, draw.integer(0, tokens - 1), tokens, ranks);
  }
  for (Index p = 0; p < kUnevenOwners; ++p) add_owner(cases, p, kUnevenOwners, 3);
  return cases;
}

double right_owner(const Case& c) {
  const auto position = static_cast<Index>(c.input[0]);
  const Layout layout =
      make_layout(LayoutKind::zigzag, whole_sequence(static_cast<Index>(c.input[1])),
                  static_cast<int>(c.input[2]));
  for (std::size_t r = 0; r < layout.size(); ++r) {
    for (const Run& run : layout[r].runs()) {
      if (position >= run.first && position < run.first + run.count) return static_cast<double>(r);
    }
  }
  return -1;
}

std::optional<Complaint> judge_owner(const Case& c, const Answer& answer) {
  return compare(answer, {right_owner(c)}, 0, [](std::size_t) { return std::string("rank"); });
}

std::optional<std::string> second_owner(const std::vector<Case>& cases,
                                        const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kUnevenOwners; i < cases.size(); ++i) {
    if (const auto complaint = judge_owner(cases[i], answers[i])) {
      return fmt::format("lengths that 2 R does not divide: {} is on rank {} and not on {}",
                         cases[i].given, complaint->right, complaint->found);
    }
  }
  return std::nullopt;
}

}  // namespace

void add_sequence_problems(std::vector<Problem>& list) {
  list.push_back({"kv_cache_bytes", "01-one-gpu-is-not-enough",
                  "double kv_cache_bytes(Model model, long long tokens, long long ranks)", kv_cases,
                  judge_kv, second_kv, kRooms});
  list.push_back({"tile_class", "02-a-matrix-of-tiles",
                  "Tile tile_class(long long first_query, long long last_query, "
                  "long long first_key, long long last_key, long long window)",
                  tile_cases, judge_tile, second_tile, kWindows});
  list.push_back({"online_softmax", "03-online-softmax", "Result attend(Row& row)", softmax_cases,
                  judge_softmax, second_softmax});
  list.push_back({"merge_partials", "03-online-softmax",
                  "Partial merge(const Partial& a, const Partial& b)", merge_cases, judge_merge,
                  second_merge});
  list.push_back({"position_runs", "04-splitting-the-sequence",
                  "std::vector<Run> runs_of(const std::vector<long long>& positions)", run_cases,
                  judge_runs, second_runs});
  list.push_back({"zigzag_owner", "04-splitting-the-sequence",
                  "long long zigzag_owner(long long position, long long tokens, long long ranks)",
                  owner_cases, judge_owner, second_owner, kUnevenOwners});
}

}  // namespace ringlab::exercise
