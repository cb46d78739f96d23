#include "ringlab/viz/model/proof.hpp"

#include <algorithm>
#include <cmath>

namespace ringlab::viz {
namespace {

// Relative to the norm, as `ringlab run` allows: float32 rounds at 6e-8 a step and folds up to
// sixteen blocks; the backward has three products in a row and a difference of sums. More ranks
// fold more blocks, and the scores of a text reach 36.
double bound_of(const Story& story, bool forward) {
  const double blocks = std::max(1.0, story.size() / 16.0);
  const bool text = !story.session.inputs->text().empty();
  return (forward ? 1e-6 : 3e-6) * blocks * (text ? 5 : 1);
}

struct Spot {
  Index row = -1;
  int head = 0, component = 0, rank = 0;
  double found = 0, right = 0, difference = -1;
};

// Follows the largest difference of one tensor of the forward result.
template <class Pick>
ProofLine compare(const Story& story, const char* quantity, const Tensor<double>& right,
                  Pick pick) {
  const Session& session = story.session;
  const Index first = session.keys.size() - session.queries.size();
  Spot worst;
  double difference = 0, norm = 0;
  bool misplaced = false;
  for (int r = 0; r < story.size(); ++r) {
    const Tensor<float>& found = pick(story.numbers->outputs[static_cast<std::size_t>(r)]);
    Index local = 0;
    for (const Place& place :
         session.plan.forward.query_layout[static_cast<std::size_t>(r)].expand()) {
      const Index row = place.position - first;
      for (int h = 0; h < static_cast<int>(right.heads()); ++h) {
        for (int d = 0; d < static_cast<int>(right.head_dim()); ++d) {
          const auto a = static_cast<double>(found(local, h, d));
          const double b = right(row, h, d);
          if (!std::isfinite(a) || !std::isfinite(b)) {
            misplaced = misplaced || !((std::isnan(a) && std::isnan(b)) || a == b);
            continue;
          }
          difference += (a - b) * (a - b);
          norm += b * b;
          if (std::abs(a - b) > worst.difference) {
            worst = {place.position, h, d, r, a, b, std::abs(a - b)};
          }
        }
      }
      ++local;
    }
  }
  ProofLine line;
  line.quantity = quantity;
  line.largest = misplaced ? INFINITY : std::max(0.0, worst.difference);
  line.relative = misplaced ? INFINITY : norm > 0 ? std::sqrt(difference / norm) : 0;
  line.bound = bound_of(story, true);
  line.good = line.relative <= line.bound;
  line.position = worst.row;
  line.head = worst.head;
  line.component = worst.component;
  line.rank = worst.rank;
  line.found = worst.found;
  line.right = worst.right;
  line.words = {
      worst.row < 0 ? "proof.nothing" : "proof.line",
      {line.quantity, number_text(line.largest, 2), std::to_string(line.position),
       std::to_string(line.head), std::to_string(line.component), std::to_string(line.rank),
       number_text(line.found, 8), number_text(line.right, 8)}};
  return line;
}

ProofLine gradient(const Story& story, const char* quantity, const Difference& difference) {
  ProofLine line;
  line.quantity = quantity;
  line.largest = difference.max_abs_error;
  line.relative = difference.rel_frobenius_error;
  line.bound = bound_of(story, false);
  // Where a gradient is a difference that cancels to nothing, its rounding is all there is.
  line.good = line.relative <= line.bound || line.largest <= line.bound;
  line.words = {"proof.gradient",
                {quantity, number_text(line.largest, 2), number_text(line.relative, 2)}};
  return line;
}

}  // namespace

Proof make_proof(const Story& story) {
  Proof proof;
  if (!story.numbers) {
    proof.why_not = {"note.no_numbers", {}};
    return proof;
  }
  using Output = AttentionOutput<float>;
  const Numbers& numbers = *story.numbers;
  proof.lines.push_back(
      compare(story, "O", numbers.right.out,
              [](const Output& o) -> const Tensor<float>& { return o.result.out; }));
  proof.lines.push_back(
      compare(story, "lse", numbers.right.lse,
              [](const Output& o) -> const Tensor<float>& { return o.result.lse; }));
  const Verification& v = numbers.verification;
  if (v.query_gradient) proof.lines.push_back(gradient(story, "dQ", *v.query_gradient));
  if (v.key_gradient) proof.lines.push_back(gradient(story, "dK", *v.key_gradient));
  if (v.value_gradient) proof.lines.push_back(gradient(story, "dV", *v.value_gradient));
  for (const ProofLine& line : proof.lines) proof.good = proof.good && line.good;
  return proof;
}

}  // namespace ringlab::viz
