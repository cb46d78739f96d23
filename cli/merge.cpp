// `ringlab merge`: partial results of one row become one, by the library's own merge.
//
// What a ring does at every hop, with numbers to touch: each block's log-sum-exp, its share of the
// attention, and what comes out if the log-sum-exps are in base 2 and nobody says so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "ringlab/reference/attention/partial.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBlocks = 4096;

struct Options {
  std::vector<std::string> lse, maximum, sum, out;
  std::string base = "e";
  bool json = false;
};

double number_from(const std::string& flag, const std::string& text) {
  std::size_t used = 0;
  double value = NAN;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const bool finite = std::isfinite(value) || (flag == "lse" && value == -INFINITY);
  if (used == 0 || used != text.size() || !finite ||
      (std::isfinite(value) && std::abs(value) > 1e12)) {
    throw InputError(flag, fmt::format("'{}'", text),
                     flag == "lse" ? "give numbers, or -inf, with commas between them"
                                   : "give numbers with commas between them");
  }
  return value;
}

std::vector<double> numbers_from(const std::string& flag, const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) numbers.push_back(number_from(flag, text));
  return numbers;
}

// Each block's maximum and natural log-sum-exp; a log-sum-exp that is given passes for its maximum.
struct Blocks {
  std::vector<double> maximum, lse;
};

Blocks blocks_of(const Options& o, double base) {
  if (o.lse.empty() == o.sum.empty()) {
    throw InputError("lse", o.lse.empty() ? "missing" : "given with --sum",
                     "give each block's log-sum-exp, or its sum of exponentials; for n equal keys "
                     "that is n");
  }
  Blocks blocks;
  if (!o.lse.empty()) {
    if (!o.maximum.empty()) {
      throw InputError("maximum", "given with --lse",
                       "it belongs to --sum; a log-sum-exp has its own");
    }
    for (const double lse : numbers_from("lse", o.lse)) blocks.lse.push_back(lse * std::log(base));
    blocks.maximum = blocks.lse;
  } else {
    if (o.base != "e") throw InputError("base", o.base, "belongs to --lse; a sum has no base");
    const std::vector<double> sums = numbers_from("sum", o.sum);
    blocks.maximum = numbers_from("maximum", o.maximum);
    if (blocks.maximum.empty()) blocks.maximum.assign(sums.size(), 0);
    if (blocks.maximum.size() != sums.size()) {
      throw InputError("maximum", fmt::format("{} of them", blocks.maximum.size()),
                       fmt::format("give one for each of {} sums", sums.size()));
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] < 0) throw InputError("sum", fmt::format("{}", sums[i]), "give 0 or more");
      blocks.lse.push_back(blocks.maximum[i] + std::log(sums[i]));
    }
  }
  if (blocks.lse.size() > kMostBlocks) {
    throw InputError("lse", fmt::format("{} blocks", blocks.lse.size()),
                     fmt::format("give at most {}", kMostBlocks));
  }
  return blocks;
}

struct Merged {
  double lse = 0, out = 0;
  std::vector<double> shares;
};

// Block i's output is the i-th unit vector, and its own output behind it: what the merge makes of
// the units are the shares.
Merged merged(const std::vector<double>& lse, const std::vector<double>& out) {
  const Index blocks = static_cast<Index>(lse.size());
  Partial<double> into = identity_partial<double>(1, 1, blocks + 1);
  for (Index i = 0; i < blocks; ++i) {
    Partial<double> block = identity_partial<double>(1, 1, blocks + 1);
    const std::size_t at = static_cast<std::size_t>(i);
    if (std::isfinite(lse[at])) {
      block.out.data()[i] = 1;
      block.out.data()[blocks] = out.empty() ? 0 : out[at];
    }
    block.lse.data()[0] = lse[at];
    merge(block, into);
  }
  const double* o = into.out.data();
  return {into.lse.data()[0], o[blocks], std::vector<double>(o, o + blocks)};
}

// JSON has no infinity; null is the log-sum-exp of no keys.
Json number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

int run(const Options& o) {
  const double base = o.base == "e" ? std::exp(1.0) : 2.0;
  if (o.base != "e" && o.base != "2") {
    throw InputError("base", fmt::format("'{}'", o.base), "use e or 2");
  }
  const Blocks blocks = blocks_of(o, base);
  const std::vector<double>&lse = blocks.lse, out = numbers_from("out", o.out);
  if (!out.empty() && out.size() != lse.size()) {
    throw InputError("out", fmt::format("{} of them", out.size()),
                     fmt::format("give one for each of {} blocks", lse.size()));
  }
  const Merged right = merged(lse, out);
  const double largest = *std::max_element(blocks.maximum.begin(), blocks.maximum.end());
  std::vector<double> in_base_two = lse;
  double naive = 0, relative_sum = 0;
  for (double& one : in_base_two) {
    naive += std::exp(one);
    relative_sum += std::isfinite(one) ? std::exp(one - largest) : 0;
    one /= std::log(2.0);
  }
  const bool overflows = !std::isfinite(static_cast<float>(naive));
  const Merged mixed = merged(in_base_two, out);
  if (o.json) {
    Json json = {{"blocks", lse.size()},
                 {"lse", number(right.lse)},
                 {"empty", !std::isfinite(right.lse)},
                 {"shares", right.shares},
                 {"maximum", number(largest)},
                 {"sum_over_maximum", relative_sum},
                 {"overflows_float32_without_maximum", overflows}};
    if (!out.empty()) json["out"] = right.out;
    json["base_2_taken_for_natural"] = {{"lse", number(mixed.lse)}, {"shares", mixed.shares}};
    if (!out.empty()) json["base_2_taken_for_natural"]["out"] = mixed.out;
    fmt::print("{}\n", json.dump(1));
    return kGood;
  }
  fmt::print("{:>6}{:>16}{:>12}{:>28}\n", "block", "lse", "share", "if base 2 passes for e");
  for (std::size_t i = 0; i < lse.size(); ++i) {
    fmt::print("{:>6}{:>16.6g}{:>10.4f} %{:>26.4f} %\n", i, lse[i], 100 * right.shares[i],
               100 * mixed.shares[i]);
  }
  fmt::print("\nlog-sum-exp  {:.9g}, the largest maximum {:.6g} and log({:.6g})\n", right.lse,
             largest, relative_sum);
  if (!out.empty()) fmt::print("output       {:.9g}\n", right.out);
  if (!std::isfinite(right.lse)) fmt::print("no block has seen a key: output 0\n");
  if (overflows) {
    fmt::print("without taking the largest one out, float32 overflows: exp ends at 88.7\n");
  }
  return kGood;
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("merge", "Merge partial results of one row, and say who has which share");
  command->footer(
      "Examples:\n  ringlab merge --lse 8.03,4.16      two blocks by their log-sum-exps\n"
      "  ringlab merge --sum 3072,64        blocks of so many keys with equal scores\n"
      "  ringlab merge --maximum 3,5 --sum 12,4 --out 0.5,-1");
  const auto list = [&](const char* flag, std::vector<std::string>& into, const char* help) {
    command->add_option(flag, into, help)
        ->delimiter(',')
        ->type_name("A,B,...")
        ->allow_extra_args(false);
  };
  list("--lse", o->lse, "Log-sum-exp of each block; -inf: it has seen no key");
  list("--sum", o->sum, "Instead: each block's sum of exponentials");
  list("--maximum", o->maximum, "... relative to this maximum [0]");
  list("--out", o->out, "Output of each block");
  command->add_option("--base", o->base, "Base of the given log-sum-exps: e or 2 [e]");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace ringlab::cli
