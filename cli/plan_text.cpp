#include "cli/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "ringlab/sim/plan/explain.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string layout_text(const Parallel& p, Purpose purpose) {
  std::string text = to_text(p);
  if (purpose == Purpose::train) {
    text += fmt::format(" zero {}", p.zero);
    if (p.recompute == Recompute::full) text += ", full recompute";
    if (p.micro_batch > 1) text += fmt::format(", micro batch {}", p.micro_batch);
    if (p.interleave > 1) text += fmt::format(", interleaved {}", p.interleave);
  }
  return text;
}

std::string dollars_text(double dollars) {
  return dollars >= 0.1 ? fmt::format("${:.2f}", dollars) : fmt::format("${:.6f}", dollars);
}

double price_of(const PlanRequest& r) {
  return r.dollars_per_gpu_hour > 0 ? r.dollars_per_gpu_hour : r.cluster.dollars_per_gpu_hour;
}

std::string misfits(const PlanResult& result) {
  std::string text;
  for (const auto& [part, count] : result.too_large) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part, count);
  }
  return text;
}

std::string memory_lines(const Memory& memory, double room) {
  std::string text;
  for (const Memory::Part& part : Memory::parts()) {
    const double bytes = memory.*part.bytes;
    if (bytes > 0) {
      text += fmt::format("    {:<24}{:>12}{:>7.1f} %\n", part.name, bytes_text(bytes),
                          100 * bytes / room);
    }
  }
  return text;
}

Json memory_json(const Memory& memory) {
  Json json;
  for (const Memory::Part& part : Memory::parts()) json[part.name] = memory.*part.bytes;
  return json;
}

Json parallel_json(const Parallel& p) {
  Json json = {{"dp", p.data}, {"tp", p.tensor}, {"pp", p.pipeline}, {"cp", p.context}};
  json["ep"] = p.expert;
  json["family"] = p.context > 1 ? Json(name(p.family)) : Json(nullptr);
  if (p.family == Family::ulysses_ring && p.context > 1) {
    json["ulysses"] = p.ulysses;
    json["ulysses_inside"] = p.ulysses_inside;
  }
  json["zero"] = p.zero;
  json["recompute"] = name(p.recompute);
  json["micro_batch"] = p.micro_batch;
  json["interleave"] = p.interleave;
  return json;
}

Json request_json(const PlanRequest& r) {
  return {{"model", r.model.name},
          {"tokens", r.work.tokens},
          {"batch", r.work.batch},
          {"purpose", name(r.work.purpose)},
          {"cluster", r.cluster.name},
          {"gpus", r.cluster.gpus()},
          {"dollars_per_gpu_hour", price_of(r)}};
}

std::string step_lines(const Candidate& best, const PlanRequest& r) {
  const StepTime& step = best.step;
  std::string text;
  text += fmt::format("  a step takes {}: {} tokens/s, {:.1f} % of the matrix peak",
                      seconds_text(step.total), count_text(step.tokens / step.total),
                      100 * step.utilisation);
  if (best.dollars > 0) {
    text += fmt::format(", {} ({} a million tokens)", dollars_text(best.dollars),
                        dollars_text(best.dollars / step.tokens * 1e6));
  }
  const Binding binding = binding_of(step);
  text += fmt::format("\n  bound by {}: {:.1f} % of the time\n", binding.what, 100 * binding.share);
  for (const Shares::Part& part : Shares::parts()) {
    const double seconds = step.shares.*part.seconds;
    if (seconds > 0) {
      text += fmt::format("    {:<24}{:>12}{:>7.1f} %\n", part.name, seconds_text(seconds),
                          100 * seconds / step.total);
    }
  }
  text +=
      fmt::format("  memory of the fullest rank, of {}\n", bytes_text(r.cluster.gpu.memory_bytes));
  return text + memory_lines(best.memory, r.cluster.gpu.memory_bytes);
}

std::string ranking_lines(const PlanRequest& r, const PlanResult& result) {
  std::string text = fmt::format("{:>3}  {:<66}{:>12}{:>12}{:>10}{:>11}  {}\n", "#", "layout",
                                 "closed form", "simulated", "differs", "memory", "bound by");
  const int count = std::min<int>(r.keep, static_cast<int>(result.best.size()));
  for (int i = 0; i < count; ++i) {
    const Candidate& c = result.best[static_cast<std::size_t>(i)];
    text += fmt::format("{:>3}  {:<66}{:>12}", i + 1, layout_text(c.parallel, r.work.purpose),
                        seconds_text(c.step.total));
    if (c.simulated && c.not_simulated.empty()) {
      text += fmt::format("{:>12}{:>9.2f} %", seconds_text(*c.simulated),
                          100 * (*c.simulated / c.step.total - 1));
    } else {
      text += fmt::format("{:>12}{:>11}", "-", "-");
    }
    text += fmt::format("{:>11}  {}", bytes_text(c.memory.total()), binding_of(c.step).what);
    if (!c.not_simulated.empty()) text += "; " + c.not_simulated;
    text += "\n";
  }
  return text;
}

}  // namespace

std::string request_text(const PlanRequest& r) {
  return fmt::format("{}, {} tokens, batch {}, {}, on {} ({} GPU{})", r.model.name, r.work.tokens,
                     r.work.batch, name(r.work.purpose), r.cluster.name, r.cluster.gpus(),
                     r.cluster.gpus() == 1 ? "" : "s");
}

std::string plan_text(const PlanRequest& r, const PlanResult& result) {
  std::string text = bold(request_text(r)) + "\n";
  text += fmt::format("{} layouts, {} fit", result.layouts, result.fitting);
  if (result.fitting < result.layouts) {
    text += fmt::format("; of the others the largest part is: {}", misfits(result));
  }
  const Candidate& best = result.best.front();
  text += fmt::format("\n\nbest by {}: {}\n", r.by == Ranking::time ? "time" : "cost",
                      bold(layout_text(best.parallel, r.work.purpose)));
  text += step_lines(best, r) + "\n" + ranking_lines(r, result);
  text += "\nwhat would change the answer\n";
  for (const Alternative& a : alternatives(result)) {
    text += fmt::format("  {:<26}{}: {:.2f} times as long", a.how,
                        layout_text(a.parallel, r.work.purpose), a.seconds / best.step.total);
    text += a.slower_by.empty() ? "\n" : fmt::format(", more for {}\n", a.slower_by);
  }
  if (const auto tokens = ring_over_ulysses(r, best.parallel)) {
    text += fmt::format("  {:<26}{}\n", "ring against Ulysses",
                        *tokens == 0 ? "the ring is faster at every length"
                        : std::isinf(*tokens)
                            ? "Ulysses is faster at every length"
                            : fmt::format("the ring is faster from {:.0f} tokens on", *tokens));
  }
  for (const OtherHardware& other : next_hardware(r)) {
    text += fmt::format("  {:<26}", fmt::format("{} {}", r.cluster.gpus(), other.name));
    text += other.fits ? fmt::format("{}: {:.2f} times as long\n",
                                     layout_text(other.parallel, r.work.purpose),
                                     other.seconds / best.step.total)
                       : "does not fit\n";
  }
  text +=
      "\nsimulated: the attention of one context group, hop by hop; composed of closed forms: "
      "products,\nmemory traffic, tensor collectives, pipeline, gradient reduction (hidden behind "
      "the last backward\npass where that is long enough), optimizer\n";
  return text;
}

std::string plan_json(const PlanRequest& r, const PlanResult& result) {
  Json json = request_json(r);
  json["fits"] = true;
  json["layouts"] = result.layouts;
  json["fitting"] = result.fitting;
  json["too_large"] = result.too_large;
  Json list = Json::array();
  const int count = std::min<int>(r.keep, static_cast<int>(result.best.size()));
  for (int i = 0; i < count; ++i) {
    const Candidate& c = result.best[static_cast<std::size_t>(i)];
    Json shares;
    for (const Shares::Part& part : Shares::parts()) {
      shares[part.name] = c.step.shares.*part.seconds;
    }
    const Binding binding = binding_of(c.step);
    list.push_back({{"layout", parallel_json(c.parallel)},
                    {"seconds", c.step.total},
                    {"simulated_seconds", c.simulated ? Json(*c.simulated) : Json(nullptr)},
                    {"not_simulated", c.not_simulated},
                    {"tokens_per_second", c.step.tokens / c.step.total},
                    {"utilisation", c.step.utilisation},
                    {"dollars", c.dollars},
                    {"bound_by", binding.what},
                    {"bound_share", binding.share},
                    {"seconds_by_part", shares},
                    {"memory_bytes", memory_json(c.memory)}});
  }
  json["best"] = list;
  Json others = Json::array();
  for (const Alternative& a : alternatives(result)) {
    others.push_back({{"how", a.how},
                      {"layout", parallel_json(a.parallel)},
                      {"seconds", a.seconds},
                      {"more_for", a.slower_by}});
  }
  json["alternatives"] = others;
  if (const auto tokens = ring_over_ulysses(r, result.best.front().parallel)) {
    json["ring_beats_ulysses_from_tokens"] = std::isinf(*tokens) ? Json(nullptr) : Json(*tokens);
  }
  Json hardware = Json::array();
  for (const OtherHardware& other : next_hardware(r)) {
    hardware.push_back({{"gpu", other.name},
                        {"fits", other.fits},
                        {"seconds", other.fits ? Json(other.seconds) : Json(nullptr)}});
  }
  json["next_hardware"] = hardware;
  json["simulated"] = "attention of one context group, hop by hop";
  json["composed"] =
      "products, memory traffic, tensor collectives, pipeline, gradient reduction, optimizer";
  return json.dump(1) + "\n";
}

std::string misfit_text(const PlanRequest& r, const Candidate& smallest, int gpus) {
  const double room = r.cluster.gpu.memory_bytes;
  std::string text = bold(request_text(r)) + "\n";
  text +=
      fmt::format("nothing fits: even {} needs {} on a rank of {}, and the largest part is {}\n",
                  to_text(smallest.parallel), bytes_text(smallest.memory.total()), bytes_text(room),
                  smallest.memory.largest());
  text += memory_lines(smallest.memory, room);
  text += gpus > 0
              ? fmt::format("the smallest cluster of this kind that would do has {} GPUs\n", gpus)
              : "no larger cluster of this kind would do\n";
  return text;
}

std::string misfit_json(const PlanRequest& r, const Candidate& smallest, int gpus) {
  Json json = request_json(r);
  json["fits"] = false;
  json["smallest"] = {{"layout", parallel_json(smallest.parallel)},
                      {"memory_bytes", memory_json(smallest.memory)},
                      {"largest_part", smallest.memory.largest()}};
  json["gpus_needed"] = gpus > 0 ? Json(gpus) : Json(nullptr);
  return json.dump(1) + "\n";
}

namespace {

std::string cell_text(const Cell& cell) {
  switch (cell.unit) {
    case Cell::text:
      return cell.words;
    case Cell::count:
      return fmt::format("{:.10g}", cell.value);
    case Cell::bytes:
      return bytes_text(cell.value);
    case Cell::seconds:
      return seconds_text(cell.value);
    case Cell::percent:
      return fmt::format("{:.1f} %", 100 * cell.value);
    case Cell::factor:
      return fmt::format("{:.3f}", cell.value);
  }
  return "?";
}

}  // namespace

std::string answer_text(const Answer& answer) {
  std::string text = bold(answer.title) + "\n\n";
  std::vector<std::size_t> widths;
  std::vector<bool> numbers;  // columns of figures stand to the right
  for (std::size_t c = 0; c < answer.columns.size(); ++c) {
    std::size_t width = answer.columns[c].size();
    bool figures = false;
    for (const auto& row : answer.rows) {
      // A reason takes what it needs, to the right of its row.
      const bool reason = row.size() < answer.columns.size() && c + 1 == row.size();
      if (c >= row.size() || reason) continue;
      width = std::max(width, cell_text(row[c]).size());
      figures = figures || row[c].unit != Cell::text;
    }
    widths.push_back(width);
    numbers.push_back(figures);
  }
  const auto line = [&](const auto& cells, auto&& words) {
    std::string out;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string cell = words(cells[c]);
      const std::string pad(widths[c] > cell.size() ? widths[c] - cell.size() : 0, ' ');
      const bool right = numbers[c] && cells.size() == widths.size();
      out += (c > 0 ? "  " : "") + (right ? pad + cell : cell + pad);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
  };
  text += line(answer.columns, [](const std::string& column) { return column; });
  for (const auto& row : answer.rows) text += line(row, cell_text);
  if (!answer.conclusions.empty()) text += "\n";
  for (const std::string& sentence : answer.conclusions) text += sentence + "\n";
  return text;
}

std::string answer_json(const std::string& question, const Answer& answer) {
  Json rows = Json::array();
  for (const auto& row : answer.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) {
      cells.push_back(cell.unit == Cell::text ? Json(cell.words) : Json(cell.value));
    }
    rows.push_back(cells);
  }
  const Json json = {{"question", question},
                     {"title", answer.title},
                     {"columns", answer.columns},
                     {"rows", rows},
                     {"conclusions", answer.conclusions}};
  return json.dump(1) + "\n";
}

}  // namespace ringlab::cli
