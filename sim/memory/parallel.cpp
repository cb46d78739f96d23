#include "ringlab/sim/memory/parallel.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

const char* name(Family family) {
  switch (family) {
    case Family::ring:
      return "ring";
    case Family::ulysses:
      return "ulysses";
    case Family::ulysses_ring:
      return "ulysses_ring";
    case Family::all_gather:
      return "all_gather";
  }
  return "?";
}

const char* name(Recompute recompute) {
  switch (recompute) {
    case Recompute::none:
      return "none";
    case Recompute::selective:
      return "selective";
    case Recompute::full:
      return "full";
  }
  return "?";
}

std::string axes_text(const Parallel& p) {
  std::string text =
      fmt::format("dp={},tp={},pp={},cp={}", p.data, p.tensor, p.pipeline, p.context);
  if (p.expert > 1) text += fmt::format(",ep={}", p.expert);
  return text;
}

std::string to_text(const Parallel& p) {
  std::string text = axes_text(p);
  if (p.context > 1) {
    text += fmt::format(" ({}", name(p.family));
    if (p.family == Family::ulysses_ring) {
      text += fmt::format(" U={} {}", p.ulysses, p.ulysses_inside ? "inside" : "outside");
    }
    text += ")";
  }
  return text;
}

Parallel axes_from(const std::string& text) {
  Parallel parallel{.data = 0, .tensor = 0, .pipeline = 0, .context = 0, .expert = 0};
  const std::map<std::string, int*> axes = {{"dp", &parallel.data},
                                            {"tp", &parallel.tensor},
                                            {"pp", &parallel.pipeline},
                                            {"cp", &parallel.context},
                                            {"ep", &parallel.expert}};
  const auto refuse = [&]() -> InputError {
    return {"layout", text, "give sizes of axes, such as dp=2,tp=8,pp=1,cp=4"};
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equals = part.find('=');
    const auto axis = axes.find(part.substr(0, equals));
    if (equals == std::string::npos || axis == axes.end() || *axis->second != 0) throw refuse();
    const char* last = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data() + equals + 1, last, *axis->second);
    if (error != std::errc{} || rest != last || *axis->second < 1 || *axis->second > 1 << 20) {
      throw refuse();
    }
    at = end + 1;
  }
  return parallel;
}

}  // namespace ringlab
