// One published case on its way through the predictions.
#pragma once

#include <optional>
#include <string>

#include "ringlab/reference/io/json.hpp"
#include "ringlab/sim/validate/validate.hpp"

namespace ringlab::detail {

struct Case {
  const Json& json;
  ValidationReport& report;

  std::string id() const { return json["id"].get<std::string>(); }
  const Json& inputs() const { return json["inputs"]; }
  const Json& expected() const { return json["expected"]; }
  const Json& tolerance() const { return json["tol"]; }
  double in(const char* field) const { return inputs()[field].get<double>(); }
  int whole(const char* field) const { return inputs()[field].get<int>(); }
  double printed(const char* field) const { return expected()[field].get<double>(); }

  /// Adds a row; the caller may set its note and what fixed its constants.
  ValidationRow& row(const std::string& quantity, bool exact, double predicted, double printed,
                     std::optional<double> tolerance, bool relative) const;
  ValidationRow& exact(const std::string& quantity, double predicted, double printed,
                       double relative_tolerance = 1e-12) const {
    return row(quantity, true, predicted, printed, relative_tolerance, true);
  }
  ValidationRow& exact_within(const std::string& quantity, double predicted, double printed,
                              double absolute_tolerance) const {
    return row(quantity, true, predicted, printed, absolute_tolerance, false);
  }
  ValidationRow& timed(const std::string& quantity, double predicted, double printed,
                       double relative_tolerance) const {
    return row(quantity, false, predicted, printed, relative_tolerance, true);
  }
  ValidationRow& timed_within(const std::string& quantity, double predicted, double printed,
                              double absolute_tolerance) const {
    return row(quantity, false, predicted, printed, absolute_tolerance, false);
  }
  /// Shown, not judged: no tolerance was ever stated.
  ValidationRow& shown(const std::string& quantity, double predicted, double printed) const {
    return row(quantity, false, predicted, printed, {}, true);
  }
};

/// Each predicts the cases whose ids begin with its own prefixes, and says whether it did.
bool predict_balance(const Case& c);    // RA-*, ST-*, BAL-*, RFA-*
bool predict_memory(const Case& c);     // KO-*, KV-*, FLOPS-*, L3-*
bool predict_inference(const Case& c);  // META-*
bool predict_timing(const Case& c);     // JAX-*, P2P-*, USP-*

}  // namespace ringlab::detail
