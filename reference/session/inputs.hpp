// The numbers that a scenario names: Gaussian, a text, or tensors from a file; any tokens of them,
// so that a rank makes its own shard and the judge makes the whole.
#pragma once

#include <memory>

#include "ringlab/reference/scenario/scenario.hpp"

namespace ringlab {

class Inputs {
 public:
  virtual ~Inputs() = default;

  /// Rows of these positions, [positions, heads, head_dim], before rotary. The same position gives
  /// the same row whatever it is asked together with.
  virtual Tensor<double> queries(const Positions& positions) const = 0;
  virtual Tensor<double> keys(const Positions& positions) const = 0;
  virtual Tensor<double> values(const Positions& positions) const = 0;
  virtual Tensor<double> output_gradients(const Positions& positions) const = 0;

  /// The text, where the input is one; else empty.
  virtual const std::string& text() const;
};

/// Fills in what the input decides (a text: tokens, one head, head_dim 128, scale 1; a file:
/// tokens, heads, head_dim), unless it was given, and opens it. `given` names the fields that the
/// user set. Throws InputError where a given field and the input disagree.
std::unique_ptr<Inputs> open_inputs(Scenario& scenario, const std::vector<std::string>& given);

}  // namespace ringlab
