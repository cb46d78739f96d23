// Holds the simulator and the planner against published figures, one by one.
//
// Exact rows (counts, closed forms, memory) test the code. Calibrated rows test a model of real
// machines: their constants are few, each is fixed by the row named beside it, and none is tuned
// per row. A row that no tolerance was stated for is shown and not judged. A published row that
// does not agree with itself says so in its note.
#pragma once

#include <string>
#include <vector>

namespace ringlab {

struct ValidationRow {
  std::string id;        // of the case
  std::string quantity;  // "iteration, full recompute [s]"
  bool exact = false;
  double predicted = 0, printed = 0;
  double residual = 0;  // relative: predicted / printed - 1; absolute: the difference
  double tolerance = 0;
  bool relative = true;
  bool judged = true;
  bool passed = true;
  std::string fixed_by;  // constants that the prediction rests on; empty: none
  std::string note;
  std::string source;
};

/// A figure that was chosen to fit a published one.
struct CalibratedConstant {
  std::string name, value, fixed_by;
};

struct ValidationReport {
  std::vector<ValidationRow> rows;
  std::vector<CalibratedConstant> constants;
  int cases = 0;
  int failed(bool exact) const;
};

/// Runs every case of sim/data/published. Throws InvariantError for a case that nothing here
/// predicts.
ValidationReport validate();

/// The table as text, exact and calibrated apart.
std::string to_text(const ValidationReport& report);
/// One JSON object.
std::string to_json(const ValidationReport& report);

}  // namespace ringlab
