#include "ringlab/sim/validate/validate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/data/data.hpp"
#include "ringlab/sim/validate/case.hpp"

namespace ringlab {

using detail::Case;
using detail::Json;

ValidationRow& Case::row(const std::string& quantity, bool exact, double predicted,
                         double printed_value, std::optional<double> tolerance_value,
                         bool relative) const {
  ValidationRow row;
  row.id = id();
  row.quantity = quantity;
  row.exact = exact;
  row.predicted = predicted;
  row.printed = printed_value;
  row.relative = relative && printed_value != 0;
  row.residual = row.relative ? predicted / printed_value - 1 : predicted - printed_value;
  row.judged = tolerance_value.has_value();
  row.tolerance = tolerance_value.value_or(0);
  row.passed = !row.judged || std::fabs(row.residual) <= row.tolerance;  // NaN does not pass
  row.source = json["source"].get<std::string>();
  report.rows.push_back(row);
  return report.rows.back();
}

int ValidationReport::failed(bool exact) const {
  int count = 0;
  for (const ValidationRow& row : rows) count += row.exact == exact && !row.passed;
  return count;
}

ValidationReport validate() {
  ValidationReport report;
  report.constants = {
      {"405B prefill, all in", "510 TFLOP/s a GPU", "META-TTFT-CP1-128000"},
      {"405B ring step", "40 us + bytes / 26 GB/s", "META-T5 send/receive (4 rows, fit)"},
      {"H100 NVLink", "8 us + bytes / 362 GB/s", "P2P-H100 NVLink from 4 MiB (5 rows, fit)"},
      {"H100 two nodes", "7 us + bytes / 34.5 GB/s", "P2P-H100 2-node from 4 MiB (5 rows, fit)"},
      {"A100 products, Megatron", "solved for", "KO-T5-22B, selective"},
      {"A100 products elsewhere", "271 TFLOP/s", "published rate of large products"},
      {"A100 attention", "flash-attention-2-a100",
       "published kernel curve; backward rate from RFA-8xA100 on one GPU"},
      {"H100 attention", "flash-attention-3-h100",
       "published kernel curve; backward rate from RFA-8xH800 on one GPU"},
  };
  // One JSON object a line.
  std::string_view text = data_text("published", "cases", "cases");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \r\t") == std::string_view::npos) continue;
    const Json json = detail::parse_json(line, "published cases");
    const Case c{json, report};
    const std::size_t before = report.rows.size();
    const bool known = detail::predict_balance(c) || detail::predict_memory(c) ||
                       detail::predict_inference(c) || detail::predict_timing(c);
    RINGLAB_ENSURE(known && report.rows.size() > before, "every case is predicted: " + c.id());
    ++report.cases;
  }
  return report;
}

namespace {

std::string number(double value) {
  return std::fabs(value) >= 1e6 && std::fabs(value) < 1e16 && std::floor(value) == value
             ? fmt::format("{:.0f}", value)
             : fmt::format("{:.5g}", value);
}

std::string line_of(const ValidationRow& row) {
  const std::string residual = row.relative ? fmt::format("{:+.2f} %", 100 * row.residual)
                                            : fmt::format("{:+.3g}", row.residual);
  std::string tolerance = !row.judged    ? "-"
                          : row.relative ? fmt::format("{:.3g} %", 100 * row.tolerance)
                                         : fmt::format("{:.3g}", row.tolerance);
  if (row.judged && row.tolerance <= 1e-12) tolerance = "exact";
  std::string line = fmt::format("{:<9}{:<46}{:<38}{:>16}{:>16}{:>11}{:>10}",
                                 !row.judged  ? "shown"
                                 : row.passed ? "ok"
                                              : "OUTSIDE",
                                 row.id, row.quantity, number(row.predicted), number(row.printed),
                                 residual, tolerance);
  if (!row.fixed_by.empty()) line += "  [" + row.fixed_by + "]";
  if (!row.note.empty()) line += "  " + row.note;
  return line + "\n";
}

}  // namespace

std::string to_text(const ValidationReport& report) {
  std::string text;
  for (const bool exact : {true, false}) {
    int rows = 0, judged = 0;
    std::string lines;
    for (const ValidationRow& row : report.rows) {
      if (row.exact != exact) continue;
      ++rows;
      judged += row.judged;
      lines += line_of(row);
    }
    text += fmt::format("{}: {} figures, {} judged, {} outside their tolerance\n",
                        exact ? "exact" : "calibrated", rows, judged, report.failed(exact));
    text += fmt::format("{:<9}{:<46}{:<38}{:>16}{:>16}{:>11}{:>10}\n", "", "case", "figure",
                        "predicted", "printed", "residual", "tolerance");
    text += lines + "\n";
  }
  text += "constants, and what fixed them\n";
  for (const CalibratedConstant& c : report.constants) {
    text += fmt::format("  {:<24}{:<28}{}\n", c.name, c.value, c.fixed_by);
  }
  return text;
}

std::string to_json(const ValidationReport& report) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(), constants = rows;
  for (const ValidationRow& r : report.rows) {
    rows.push_back({{"id", r.id},
                    {"figure", r.quantity},
                    {"exact", r.exact},
                    {"predicted", r.predicted},
                    {"printed", r.printed},
                    {"residual", r.residual},
                    {"relative", r.relative},
                    {"tolerance", r.judged ? nlohmann::ordered_json(r.tolerance) : nullptr},
                    {"passed", r.passed},
                    {"fixed_by", r.fixed_by},
                    {"note", r.note},
                    {"source", r.source}});
  }
  for (const CalibratedConstant& c : report.constants) {
    constants.push_back({{"name", c.name}, {"value", c.value}, {"fixed_by", c.fixed_by}});
  }
  const nlohmann::ordered_json json = {{"cases", report.cases},
                                       {"exact_failed", report.failed(true)},
                                       {"calibrated_outside", report.failed(false)},
                                       {"rows", rows},
                                       {"constants", constants}};
  return json.dump(1) + "\n";
}

}  // namespace ringlab
