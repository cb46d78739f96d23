// Exercises of lessons 5 to 9: the ring and its bytes, hiding them, balance, gradients, bases.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ringlab/lessons/exercise/problems.hpp"
#include "ringlab/reference/attention/attend.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab::exercise {
namespace {

// --- 5a: the ring, hop by hop --------------------------------------------------------------------

std::vector<Case> ring_cases() {
  std::vector<Case> cases;
  for (const int ranks : {1, 2, 3, 4, 5, 8}) {
    cases.push_back(
        {fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s"), {static_cast<double>(ranks)}});
  }
  return cases;
}

struct Hop {
  int attend, send_to, receive_from;
};

// The programs of all ranks: for each rank its number of hops, then three numbers a hop.
std::optional<std::vector<std::vector<Hop>>> programs_of(const Answer& answer, int ranks) {
  std::vector<std::vector<Hop>> programs;
  std::size_t at = 0;
  for (int r = 0; r < ranks; ++r) {
    if (at >= answer.size()) return std::nullopt;
    const auto hops = static_cast<std::size_t>(answer[at++]);
    if (hops > 10000 || at + 3 * hops > answer.size()) return std::nullopt;
    std::vector<Hop> program;
    for (std::size_t h = 0; h < hops; ++h, at += 3) {
      program.push_back({static_cast<int>(answer[at]), static_cast<int>(answer[at + 1]),
                         static_cast<int>(answer[at + 2])});
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

// Plays the programs together: what is attended to must be here, what is sent must be received.
std::optional<Complaint> judge_ring(const Case& c, const Answer& answer) {
  const int ranks = static_cast<int>(c.input[0]);
  const auto programs = programs_of(answer, ranks);
  if (!programs) return Complaint{"", "no list of hops for each rank", "one"};
  const auto size = static_cast<std::size_t>(ranks);
  std::vector<int> here(size);
  std::vector<std::vector<int>> seen(size, std::vector<int>(size, 0));
  for (std::size_t r = 0; r < size; ++r) here[r] = static_cast<int>(r);
  std::size_t hops = 0;
  for (const auto& program : *programs) hops = std::max(hops, program.size());
  const Hop idle{-1, -1, -1};
  const auto hop_of = [&](std::size_t r, std::size_t h) {
    return h < (*programs)[r].size() ? (*programs)[r][h] : idle;
  };
  const auto is_rank = [&](int rank) { return rank >= 0 && rank < ranks; };
  for (std::size_t h = 0; h < hops; ++h) {
    std::vector<int> next(size, -1);
    for (std::size_t r = 0; r < size; ++r) {
      const std::string where = fmt::format("rank {}, hop {}", r, h);
      const Hop hop = hop_of(r, h);
      if (hop.attend != -1) {
        if (hop.attend != here[r]) {
          return Complaint{
              where, fmt::format("attends to block {}", hop.attend),
              here[r] < 0 ? "no block is here" : fmt::format("block {} is here", here[r])};
        }
        ++seen[r][static_cast<std::size_t>(hop.attend)];
      }
      if (hop.send_to != -1) {
        if (!is_rank(hop.send_to) || hop.send_to == static_cast<int>(r)) {
          return Complaint{where, fmt::format("sends to {}", hop.send_to), "another rank, or -1"};
        }
        const Hop there = hop_of(static_cast<std::size_t>(hop.send_to), h);
        if (there.receive_from != static_cast<int>(r)) {
          return Complaint{
              where, fmt::format("sends to rank {}", hop.send_to),
              fmt::format("rank {} receives from {} at this hop", hop.send_to, there.receive_from)};
        }
      }
      if (hop.receive_from != -1) {
        const bool sent =
            is_rank(hop.receive_from) &&
            hop_of(static_cast<std::size_t>(hop.receive_from), h).send_to == static_cast<int>(r);
        if (!sent) {
          return Complaint{where, fmt::format("waits for rank {}", hop.receive_from),
                           "nobody sends: it would wait for ever"};
        }
        next[r] = here[static_cast<std::size_t>(hop.receive_from)];
      } else {
        next[r] = here[r];
      }
    }
    here = next;
  }
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t b = 0; b < size; ++b) {
      if (seen[r][b] == 1) continue;
      return Complaint{fmt::format("rank {}, block {}", r, b),
                       fmt::format("attended {} times", seen[r][b]), "exactly once"};
    }
  }
  return std::nullopt;
}

std::optional<std::string> second_ring(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const int ranks = static_cast<int>(cases[i].input[0]);
    int sends = 0;
    const auto programs = programs_of(answers[i], ranks);
    for (const auto& program : *programs) {
      for (const Hop& hop : program) sends += hop.send_to != -1;
    }
    if (sends > ranks * (ranks - 1)) {
      return fmt::format("{}: {} transfers where {} will do", cases[i].given, sends,
                         ranks * (ranks - 1));
    }
  }
  return std::nullopt;
}

// --- 5b: bytes that a rank sends -----------------------------------------------------------------

constexpr int kUnevenRanks = 5;

std::vector<Case> bytes_cases() {
  std::vector<Case> cases;
  Draw draw(6);
  for (int i = 0; i < 24; ++i) {
    const double ranks = i == 0 ? 1 : static_cast<double>(draw.integer(2, 16));
    const double kv = static_cast<double>(draw.integer(1, 8));
    const double group = static_cast<double>(draw.integer(1, 4));
    const double dim = static_cast<double>(8 * draw.integer(1, 16));
    const double per_rank = static_cast<double>(draw.integer(1, 4096));
    const double bytes = draw.integer(0, 1) ? 2 : 4;
    Case one{fmt::format("{} ranks with {} tokens each, {} query and {} key/value heads of {}, {} "
                         "bytes a number",
                         ranks, per_rank, kv * group, kv, dim, bytes),
             {ranks}};
    one.input.insert(one.input.end(), static_cast<std::size_t>(ranks), per_rank);
    const double rank = static_cast<double>(i) - ranks * std::floor(i / ranks);
    one.input.insert(one.input.end(), {rank, kv * group, kv, dim, bytes});
    cases.push_back(one);
  }
  for (double rank = 0; rank < kUnevenRanks; ++rank) {
    cases.push_back({fmt::format("5 ranks with 7, 11, 13, 17 and 19 tokens, rank {}, 4 query and 2 "
                                 "key/value heads of 8, 2 bytes a number",
                                 rank),
                     {kUnevenRanks, 7, 11, 13, 17, 19, rank, 4, 2, 8, 2}});
  }
  return cases;
}

// By the ledger of the schedule that the library runs.
std::optional<Complaint> judge_bytes(const Case& c, const Answer& answer) {
  const auto ranks = static_cast<std::size_t>(c.input[0]);
  const double* const in = c.input.data() + 1 + ranks;  // what follows the tokens
  Layout layout;
  Index first = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto tokens = static_cast<Index>(c.input[1 + r]);
    layout.push_back(Positions::contiguous(first, tokens));
    first += tokens;
  }
  const ScheduleProblem problem{layout,
                                layout,
                                static_cast<int>(in[1]),
                                static_cast<int>(in[2]),
                                static_cast<int>(in[3]),
                                Rotation::next,
                                {}};
  const int bytes = static_cast<int>(in[4]);
  const Ledger ledger =
      make_ledger(catalog_entry("ring").forward(problem), {}, {bytes, std::max(bytes, 4)});
  const auto rank = static_cast<std::size_t>(in[0]);
  return compare(answer, {static_cast<double>(ledger.ranks[rank].bytes_sent)}, 0,
                 [&](std::size_t) { return fmt::format("bytes sent by rank {}", rank); });
}

std::optional<std::string> second_bytes(const std::vector<Case>& cases,
                                        const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kUnevenRanks; i < cases.size(); ++i) {
    if (const auto complaint = judge_bytes(cases[i], answers[i])) {
      return fmt::format("{}: {} and not {}", cases[i].given, complaint->right, complaint->found);
    }
  }
  return std::nullopt;
}

// --- 6: the smallest block that hides its transfer -----------------------------------------------

std::vector<Case> block_cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* what, double flops, double link, double q, double kv,
                       double bytes, double causal, double latency = 0) {
    cases.push_back(
        {fmt::format("{}: {:.0f} TFLOP/s, {:.1f} GB/s{}, {:.0f} query and {:.0f} key/value heads "
                     "of 128, {:.0f} bytes, {}",
                     what, flops / 1e12, link / 1e9,
                     latency > 0 ? fmt::format(" and {:.0f} us latency", latency * 1e6) : "", q, kv,
                     bytes, causal != 0 ? "causal and balanced" : "no mask"),
         {flops, link, latency, q, kv, 128, bytes, causal}});
  };
  for (const double causal : {0.0, 1.0}) {
    add("A100 over NVLink", 312e12, 300e9, 32, 32, 2, causal);
    add("A100 over InfiniBand", 312e12, 12.5e9, 32, 32, 2, causal);
    add("H100, 400 TFLOP/s reached", 400e12, 50e9, 32, 32, 2, causal);
    add("the same with grouped heads", 400e12, 50e9, 64, 8, 2, causal);
    add("float32 on the wire", 400e12, 450e9, 64, 8, 4, causal);
    add("tiny", 1e6, 1e6, 1, 1, 4, causal);
  }
  for (const double causal : {0.0, 1.0}) {
    add("H100 over InfiniBand", 400e12, 50e9, 64, 8, 2, causal, 10e-6);
    add("H100 over NVLink", 400e12, 450e9, 64, 8, 2, causal, 3e-6);
    add("across two cities", 400e12, 12.5e9, 64, 8, 2, causal, 2e-3);
  }
  return cases;
}

constexpr int kLatencies = 6;

// By search over n: the first block whose tile takes as long as its transfer, both counted from
// their definitions.
std::optional<Complaint> judge_block(const Case& c, const Answer& answer) {
  const auto& in = c.input;
  const auto surplus = [&](double n) {  // of computation over transfer; above 0: hidden
    const double pairs = in[7] != 0 ? n * n / 2 : n * n;
    const double transfer = in[2] + 2 * n * in[4] * in[5] * in[6] / in[1];
    return (4 * in[5] * in[3] * pairs / in[0]) / transfer - 1;
  };
  constexpr double kEqual = 1e-9;  // a border on a whole number may round to either side
  double low = 0, high = 1;
  while (surplus(high) < -kEqual) high *= 2;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (surplus(middle) >= -kEqual ? high : low) = middle;
  }
  if (!answer.empty() && answer[0] == high + 1 && std::abs(surplus(high)) <= kEqual) {
    return std::nullopt;
  }
  return compare(answer, {high}, 0, [](std::size_t) { return std::string("tokens a rank"); });
}

std::optional<std::string> second_block(const std::vector<Case>& cases,
                                        const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kLatencies; i < cases.size(); ++i) {
    if (const auto complaint = judge_block(cases[i], answers[i])) {
      return fmt::format("{}: {} tokens and not {}", cases[i].given, complaint->right,
                         complaint->found);
    }
  }
  return std::nullopt;
}

// --- 7: visible pairs of a rank ------------------------------------------------------------------

constexpr int kHugeShards = 3;

void add_pairs(std::vector<Case>& cases, const std::string& given, const Positions& shard) {
  Case one{given, {}};
  for (const ringlab::Run& run : shard.runs()) {
    one.input.insert(one.input.end(),
                     {static_cast<double>(run.first), static_cast<double>(run.stride),
                      static_cast<double>(run.count)});
  }
  cases.push_back(one);
}

std::vector<Case> pairs_cases() {
  std::vector<Case> cases;
  for (const LayoutKind kind : {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag}) {
    for (const Index tokens : {16, 64, 100}) {
      const Layout layout = make_layout(kind, whole_sequence(tokens), 4);
      for (std::size_t r = 0; r < layout.size(); ++r) {
        add_pairs(cases,
                  fmt::format("rank {} of 4, {} layout, {} tokens", r, ringlab::name(kind), tokens),
                  layout[r]);
      }
    }
  }
  const Index million = 1 << 20;
  for (const LayoutKind kind : {LayoutKind::contiguous, LayoutKind::striped, LayoutKind::zigzag}) {
    add_pairs(cases, fmt::format("rank 3 of 4, {} layout, 2^32 tokens", ringlab::name(kind)),
              make_layout(kind, whole_sequence(4096 * million), 4)[3]);
  }
  return cases;
}

double right_pairs(const Case& c) {
  std::vector<ringlab::Run> runs;
  Index end = 0;
  for (std::size_t i = 0; i + 2 < c.input.size(); i += 3) {
    runs.push_back({static_cast<Index>(c.input[i]), static_cast<Index>(c.input[i + 1]),
                    static_cast<Index>(c.input[i + 2]), 0});
    end = std::max(end, runs.back().at(runs.back().count - 1) + 1);
  }
  const Mask causal{.causal = true, .window_left = {}, .window_right = {}};
  return static_cast<double>(visible_pairs(causal, Positions(runs), Positions::contiguous(0, end)));
}

std::optional<Complaint> judge_pairs(const Case& c, const Answer& answer) {
  return compare(answer, {right_pairs(c)}, 1e-15,
                 [](std::size_t) { return std::string("visible pairs"); });
}

std::optional<std::string> second_pairs(const std::vector<Case>& cases,
                                        const std::vector<Answer>& answers) {
  for (std::size_t i = cases.size() - kHugeShards; i < cases.size(); ++i) {
    if (const auto complaint = judge_pairs(cases[i], answers[i])) {
      return fmt::format("{}: {} and not {}", cases[i].given, complaint->right, complaint->found);
    }
  }
  return std::nullopt;
}

// --- 8: the gradient of the scores ---------------------------------------------------------------

std::vector<Case> gradient_cases() {
  std::vector<Case> cases;
  Draw draw(8);
  for (int i = 0; i < 20; ++i) {
    const long long keys = i == 0 ? 1 : draw.integer(1, 12), dim = draw.integer(1, 6);
    const long long first = draw.integer(0, keys - 1), last = draw.integer(first + 1, keys);
    Case one{fmt::format("{} key{} of {} value{}, block of keys {} to {}", keys,
                         keys == 1 ? "" : "s", dim, dim == 1 ? "" : "s", first, last - 1),
             {static_cast<double>(keys), static_cast<double>(dim), static_cast<double>(first),
              static_cast<double>(last)}};
    for (long long n = 0; n < keys * (1 + dim) + dim; ++n) one.input.push_back(draw.real(-2, 2));
    cases.push_back(one);
  }
  return cases;
}

// By finite differences of sum(dO * O): no formula of gradients is used.
std::optional<Complaint> judge_gradient(const Case& c, const Answer& answer) {
  const auto keys = static_cast<std::size_t>(c.input[0]),
             dim = static_cast<std::size_t>(c.input[1]);
  const auto first = static_cast<std::size_t>(c.input[2]),
             last = static_cast<std::size_t>(c.input[3]);
  const double* const scores = c.input.data() + 4;
  const double* const values = scores + keys;
  const double* const dout = values + keys * dim;
  const auto loss = [&](std::size_t nudged, double by) {
    double sum = 0, total = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      const double weight = std::exp(scores[j] + (j == nudged ? by : 0));
      sum += weight;
      for (std::size_t d = 0; d < dim; ++d) total += weight * values[j * dim + d] * dout[d];
    }
    return total / sum;
  };
  std::vector<double> right;
  constexpr double kStep = 1e-5;
  for (std::size_t j = first; j < last; ++j) {
    right.push_back((loss(j, kStep) - loss(j, -kStep)) / (2 * kStep));
  }
  // 1e-8: central differences of step 1e-5 are good to about 1e-10.
  return compare(answer, right, 1e-8,
                 [&](std::size_t j) { return fmt::format("the gradient of score {}", first + j); });
}

std::optional<std::string> second_gradient(const std::vector<Case>& cases,
                                           const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& in = cases[i].input;
    const double least = (in[3] - in[2]) * (1 + in[1]), reads = answers[i].back();
    if (reads > least) {
      return fmt::format("{}: you read {:.0f} numbers where {:.0f} will do", cases[i].given, reads,
                         least);
    }
  }
  return std::nullopt;
}

// --- 9: which base is this log-sum-exp in? -------------------------------------------------------

std::vector<Case> base_cases() {
  std::vector<Case> cases;
  Draw draw(9);
  const auto add = [&](const std::string& given, double factor, double noise, bool scrambled) {
    const long long rows = 40;
    std::vector<double> right, found;
    for (long long i = 0; i < rows; ++i) {
      right.push_back(draw.real(-4, 9));
      found.push_back(scrambled ? draw.real(-4, 9)
                                : right.back() * factor + draw.real(-noise, noise));
    }
    Case one{given, {static_cast<double>(rows)}, {scrambled ? 0 : factor}};
    one.input.insert(one.input.end(), right.begin(), right.end());
    one.input.insert(one.input.end(), found.begin(), found.end());
    cases.push_back(one);
  };
  const double ln2 = std::numbers::ln2;
  for (int i = 0; i < 4; ++i) {
    add("a kernel in base 2", 1 / ln2, 0, false);
    add("a kernel in base e", 1, 0, false);
    add("base 2, rounded to bfloat16", 1 / ln2, 0.02, false);
    add("a natural one converted once too often", ln2, 0, false);
    add("another mistake altogether", 1, 0, true);
  }
  // In half of the cases the first rows tell nothing: log-sum-exps close to zero.
  for (Case& one : cases) {
    if (draw.integer(0, 1) == 0) continue;
    const double factor = one.kept[0] == 0 ? 1 : one.kept[0];
    for (std::size_t i = 1; i < 3; ++i) {
      one.input[i] = draw.real(-0.05, 0.05);
      one.input[i + 40] = factor * one.input[i];
    }
  }
  return cases;
}

std::optional<Complaint> judge_base(const Case& c, const Answer& answer) {
  return compare(answer, {c.kept[0]}, 1e-3, [](std::size_t) { return std::string("the factor"); });
}

std::optional<std::string> second_base(const std::vector<Case>& cases,
                                       const std::vector<Answer>& answers) {
  double rows = 0;
  for (const Answer& answer : answers) rows += answer.back();
  const double mean = rows / static_cast<double>(cases.size());
  if (mean <= 4) return std::nullopt;
  return fmt::format("you look at {:.1f} rows of a case on average; four are enough", mean);
}

}  // namespace

void add_ring_problems(std::vector<Problem>& list) {
  list.push_back({"ring_builder", "05-the-ring",
                  "std::vector<Hop> ring(long long rank, long long ranks)", ring_cases, judge_ring,
                  second_ring});
  list.push_back({"ring_bytes", "05-the-ring",
                  "double ring_bytes(const std::vector<long long>& tokens, long long rank, Heads "
                  "heads, long long bytes)",
                  bytes_cases, judge_bytes, second_bytes, kUnevenRanks});
  list.push_back({"smallest_block", "06-hiding-the-transfer",
                  "double smallest_block(Machine machine, Heads heads, double bytes, bool causal)",
                  block_cases, judge_block, second_block, kLatencies});
  list.push_back({"visible_pairs", "07-causal-balance",
                  "double visible_pairs(const std::vector<Run>& shard)", pairs_cases, judge_pairs,
                  second_pairs, kHugeShards});
  list.push_back({"score_gradients", "08-the-way-back",
                  "std::vector<double> score_gradients(const ScoreRow& row, long long first, "
                  "long long last)",
                  gradient_cases, judge_gradient, second_gradient});
  list.push_back({"lse_base", "09-numerics", "double lse_factor(Rows& rows)", base_cases,
                  judge_base, second_base});
}

}  // namespace ringlab::exercise
