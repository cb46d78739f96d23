#include "evidence_gate.hpp"

Decision decide(const std::vector<Target>& targets);

int main() {
  return serve([](Given& in, Answer& out) {
    std::vector<Target> targets(static_cast<std::size_t>(in.integer()));
    const auto maybe = [&]() -> std::optional<double> {
      const bool there = in.integer() != 0;
      const double value = in.real();
      return there ? std::optional(value) : std::nullopt;
    };
    for (Target& target : targets) {
      target.at_most = maybe();
      target.at_least = maybe();
      target.drift_percent = maybe();
      target.baseline = maybe();
      target.measured = in.reals(in.integer());
    }
    const Decision decision = decide(targets);
    out.add(decision.go ? 1 : 0);
    out.add(static_cast<double>(decision.close_first));
  });
}
