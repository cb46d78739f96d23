// The exercise of lesson 10: an MLP divided over a tensor group, tokens divided outside of it.
#include <fmt/format.h>

#include <cmath>

#include "ringlab/lessons/exercise/problems.hpp"

namespace ringlab::exercise {
namespace {

// The undivided layer, as the case describes it.
struct Whole {
  std::size_t ranks, tokens, width, hidden;
  std::vector<double> x, gain, a, b, dy;

  explicit Whole(const Case& c)
      : ranks(static_cast<std::size_t>(c.input[0])),
        tokens(static_cast<std::size_t>(c.input[1])),
        width(static_cast<std::size_t>(c.input[2])),
        hidden(static_cast<std::size_t>(c.input[3])) {
    auto at = c.input.begin() + 4;
    for (auto [list, count] : {std::pair{&x, tokens * width},
                               {&gain, width},
                               {&a, width * hidden},
                               {&b, hidden * width},
                               {&dy, tokens * width}}) {
      list->assign(at, at + static_cast<std::ptrdiff_t>(count));
      at += static_cast<std::ptrdiff_t>(count);
    }
  }

  std::vector<double> y() const {
    std::vector<double> result(tokens * width, 0);
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t f = 0; f < hidden; ++f) {
        double sum = 0;
        for (std::size_t w = 0; w < width; ++w) {
          sum += x[t * width + w] * gain[w] * a[w * hidden + f];
        }
        if (sum <= 0) continue;
        for (std::size_t w = 0; w < width; ++w) result[t * width + w] += sum * b[f * width + w];
      }
    }
    return result;
  }

  // The slope of dy . y along one number of this layer, which is left as it was.
  double slope(double& number) const {
    constexpr double kStep = 1e-6;
    const double before = number;
    double loss[2];
    for (const int side : {0, 1}) {
      number = before + (side == 0 ? -kStep : kStep);
      loss[side] = 0;
      const std::vector<double> all = y();
      for (std::size_t i = 0; i < all.size(); ++i) loss[side] += dy[i] * all[i];
    }
    number = before;
    return (loss[1] - loss[0]) / (2 * kStep);
  }
};

std::vector<Case> mlp_cases() {
  std::vector<Case> cases;
  Draw draw(10);
  const std::vector<std::array<int, 4>> shapes = {{1, 2, 3, 4}, {2, 2, 1, 2}, {2, 4, 3, 4},
                                                  {3, 6, 4, 6}, {4, 4, 5, 8}, {4, 8, 6, 4},
                                                  {8, 8, 2, 16}};
  for (const auto& [ranks, tokens, width, hidden] : shapes) {
    Case one{fmt::format("{} rank{}, {} tokens of {} numbers, {} columns inside", ranks,
                         ranks == 1 ? "" : "s", tokens, width, hidden),
             {static_cast<double>(ranks), static_cast<double>(tokens), static_cast<double>(width),
              static_cast<double>(hidden)}};
    const int numbers = 2 * tokens * width + width + 2 * width * hidden;
    for (int i = 0; i < numbers; ++i) one.input.push_back(draw.real(-1, 1));
    cases.push_back(one);
  }
  return cases;
}

std::optional<Complaint> judge_mlp(const Case& c, const Answer& answer) {
  Whole whole(c);
  std::vector<double> right = whole.y();
  for (double& number : whole.x) right.push_back(whole.slope(number));
  std::vector<double> dgain;
  for (double& number : whole.gain) dgain.push_back(whole.slope(number));
  for (std::size_t r = 0; r < whole.ranks; ++r)
    right.insert(right.end(), dgain.begin(), dgain.end());
  const std::size_t rows = whole.tokens * whole.width;
  // 1e-7: relu is linear but for its kink, so central differences of step 1e-6 err by the rounding
  // of a loss of size 10, divided by the step: 1e-9.
  return compare(answer, right, 1e-7, [&](std::size_t i) {
    if (i >= 2 * rows) {
      return fmt::format("rank {}, gain {}, gradient", (i - 2 * rows) / whole.width,
                         (i - 2 * rows) % whole.width);
    }
    const std::size_t token = i % rows / whole.width;
    return fmt::format("rank {}, token {}, {} {}", token / (whole.tokens / whole.ranks), token,
                       i < rows ? "y" : "gradient of x", i % whole.width);
  });
}

std::optional<std::string> second_mlp(const std::vector<Case>& cases,
                                      const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& in = cases[i].input;
    // Four collectives of all tokens, each once round; the all-reduce of the gain's gradient.
    const double least = (in[0] - 1) / in[0] * in[2] * (4 * in[1] + 2), sent = answers[i].back();
    if (sent > least * (1 + 1e-9)) {
      return fmt::format("{}: a rank sends {:.6g} numbers where {:.6g} will do", cases[i].given,
                         sent, least);
    }
  }
  return std::nullopt;
}

}  // namespace

void add_layer_problems(std::vector<Problem>& list) {
  list.push_back({"split_mlp", "10-two-sequence-parallelisms",
                  "Passed train(Group& group, const Everywhere& x, const Layer& layer, const "
                  "Everywhere& dy)",
                  mlp_cases, judge_mlp, second_mlp});
}

}  // namespace ringlab::exercise
