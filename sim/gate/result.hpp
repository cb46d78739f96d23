// Results as figures with names: the JSON of `run`, `bench` and `sim`, or a trace.
//
// A metric is a path: keys joined by dots. On a list, [2] takes one element, [*] all of them,
// [what=forward,head_dim=64] those with these fields, and .max, .min, .sum, .mean, .median, .length
// make one figure of a list of numbers. A path that leads to several values stands for the worst.
//
//   seconds    dq.max_abs_error    bytes_sent_per_rank.max    rows[what=forward].gflops
//
// A trace (Chrome JSON that ringlab wrote) has these: trace.seconds, .ranks, .events, .flops,
// .bytes_sent, .transfer_hidden, and for each rank trace.per_rank[*].compute_seconds,
// .transfer_seconds, .hidden_seconds, .exposed_seconds.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringlab {

/// A path taken apart; throws InputError (field `field`) for what is no path.
struct MetricPath {
  struct Match {
    std::string key, value;
  };
  struct Segment {
    enum Kind { key, index, all, matching } kind = key;
    std::string name;  // of a key
    std::size_t index_value = 0;
    std::vector<Match> matches;
  };
  std::vector<Segment> segments;

  static MetricPath parse(std::string_view text, const std::string& field);
};

/// A number (NaN where the file says null: no finite number), a truth value or a text.
using Figure = std::variant<double, bool, std::string>;

/// What a path leads to: figures, or the reason why there are none.
struct Finding {
  std::vector<Figure> figures;
  std::string why_none;
};

class Result {
 public:
  /// The result in `text`, a trace if it has traceEvents. Throws InputError (field `source`).
  static Result parse(std::string_view text, std::string label, const std::string& source);
  /// From "LABEL=FILE" or "FILE", whose label is its name without the extension.
  static Result load(const std::string& argument);

  const std::string& label() const { return label_; }
  const std::string& source() const { return source_; }
  Finding find(const MetricPath& path) const;

  struct Document;  // JSON, kept out of this header

 private:
  std::string label_, source_;
  std::shared_ptr<const Document> document_;
};

}  // namespace ringlab
