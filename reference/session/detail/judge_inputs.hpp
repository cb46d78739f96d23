// Float64 copies of the inputs as a run in T saw them: what a result is judged by.
#pragma once

#include "ringlab/reference/attention/rotary.hpp"
#include "ringlab/reference/session/session.hpp"

namespace ringlab::detail {

/// Rounded to T, turned by their positions, in float64.
template <class T>
class JudgeInputs {
 public:
  explicit JudgeInputs(const Session& session) : session_(session) {}

  Tensor<double> queries(const Positions& p) const {
    return rotated(session_.inputs->queries(p), p);
  }
  KeyValue<double> key_values(const Positions& p) const {
    return {rotated(session_.inputs->keys(p), p), rounded(session_.inputs->values(p))};
  }
  Tensor<double> output_gradients(const Positions& p) const {
    return rounded(session_.inputs->output_gradients(p));
  }

 private:
  bool is_narrow() const { return bytes_of(session_.scenario.dtype) == 2; }
  Tensor<double> narrowed(const Tensor<float>& x) const {
    return tensor_from<double>(array_from(x, session_.scenario.dtype), "input");
  }
  Tensor<double> rounded(const Tensor<double>& x) const {
    const Tensor<T> seen = x.template cast<T>();
    return is_narrow() ? narrowed(seen.template cast<float>()) : seen.template cast<double>();
  }
  Tensor<double> rotated(const Tensor<double>& x, const Positions& p) const {
    const double base = session_.plan.rotary_base;
    if (is_narrow()) {  // a device takes what was turned in float32 and rounded then
      Tensor<float> seen = x.template cast<float>();
      rotate(seen, p, base);
      return narrowed(seen);
    }
    Tensor<double> turned = rounded(x);
    rotate(turned, p, base);
    return turned;
  }
  const Session& session_;
};

}  // namespace ringlab::detail
