// `ringlab plan`: which layout for a model, a length and a cluster, and why.
#include <fmt/format.h>

#include <cmath>

#include "cli/command.hpp"
#include "cli/plan_text.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/data/data.hpp"

namespace ringlab::cli {
namespace {

struct Options {
  std::string model = "llama3-8b", cluster = "8xh100", tokens = "131072", gpus, purpose = "prefill";
  std::string by = "time", layout, question, calibration;
  int batch = 1;
  double dollars = 0;
  bool offload = false, whole_logits = false, json = false;
};

// "131072", "128K", "1M": K is 1024 and M is 1024 K.
Index tokens_from(const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = used > 0 ? text.substr(used) : "?";
  if (unit == "K" || unit == "k") value *= 1024;
  if (unit == "M") value *= 1024 * 1024;
  const bool known = unit.empty() || unit == "K" || unit == "k" || unit == "M";
  if (!known || !(value >= 1) || std::floor(value) != value || value > 0x1p40) {
    throw InputError("tokens", text,
                     "give a whole number up to 2^40, such as 131072, 128K or 1M, or max");
  }
  return static_cast<Index>(value);
}

int gpus_from(const std::string& text) {
  std::size_t used = 0;
  int value = 0;
  try {
    value = std::stoi(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || value < 1) {
    throw InputError("gpus", text, "give a whole number, or min");
  }
  return value;
}

Purpose purpose_from(const std::string& text) {
  for (const Purpose purpose : {Purpose::train, Purpose::prefill, Purpose::decode}) {
    if (text == name(purpose)) return purpose;
  }
  throw InputError("purpose", text, "use one of: train, prefill, decode");
}

PlanRequest request_from(const Options& o) {
  PlanRequest r;
  r.model = load_model(o.model);
  r.cluster = load_cluster(o.cluster);
  if (!o.gpus.empty() && o.gpus != "min") r.cluster = with_gpus(r.cluster, gpus_from(o.gpus));
  if (!o.calibration.empty()) {
    r.calibration = load_calibration(o.calibration);
    Cluster checked = r.cluster;
    r.calibration->apply_to(checked);
  }
  r.work.purpose = purpose_from(o.purpose);
  r.work.batch = o.batch;
  if (o.tokens != "max") r.work.tokens = tokens_from(o.tokens);
  r.work.offload_cache = o.offload;
  r.work.whole_logits = o.whole_logits;
  if (o.offload && r.work.purpose == Purpose::train) {
    throw InputError("offload_cache", "true", "training has no key/value cache; leave it out");
  }
  if (o.offload && r.cluster.gpu.host.bytes_per_second <= 0) {
    throw InputError("offload_cache", "true", r.cluster.gpu.name + " has no link to a host");
  }
  if (!(o.dollars >= 0) || !std::isfinite(o.dollars)) {
    throw InputError("dollars_per_gpu_hour", fmt::format("{}", o.dollars), "give 0 or more");
  }
  r.dollars_per_gpu_hour = o.dollars;
  if (o.by == "cost") {
    r.by = Ranking::cost;
    if (o.dollars <= 0 && r.cluster.dollars_per_gpu_hour <= 0) {
      throw InputError("by", "cost", "give --dollars-per-gpu-hour as well");
    }
  } else if (o.by != "time") {
    throw InputError("by", o.by, "use time or cost");
  }
  if (!o.layout.empty()) r.fixed = axes_from(o.layout);
  return r;
}

int misfit(const PlanRequest& r, const Options& o) {
  Candidate smallest;
  some_layout_fits(r, &smallest);
  PlanRequest free = r;
  free.fixed = kAnyLayout;
  const int gpus = fewest_gpus(free);
  const std::string text = o.json ? misfit_json(r, smallest, gpus) : misfit_text(r, smallest, gpus);
  fmt::print("{}", text);
  return kNo;
}

int run(const Options& o) {
  PlanRequest r = request_from(o);
  if (!o.question.empty()) {
    if (o.tokens == "max") throw InputError("tokens", "max", "a question needs a length");
    const Answer told = answer(o.question, r);
    const std::string text = o.json ? answer_json(o.question, told) : answer_text(told);
    fmt::print("{}", text);
    return kGood;
  }
  if (o.tokens == "max" && o.gpus == "min") {
    throw InputError("tokens", "max",
                     "the most tokens and the fewest GPUs are not to be had at once");
  }
  if (o.tokens == "max") {
    const Index most = longest_tokens(r);
    if (most == 0) {
      r.work.tokens = 1024;
      return misfit(r, o);
    }
    r.work.tokens = most;
    if (!o.json) fmt::print("the longest sequence that fits: {} tokens\n\n", most);
  }
  if (o.gpus == "min") {
    const int gpus = fewest_gpus(r);
    if (gpus == 0) return misfit(r, o);
    r.cluster = with_gpus(r.cluster, gpus);
    if (!o.json) fmt::print("the fewest GPUs that fit, in doublings: {}\n\n", gpus);
  }
  PlanResult result = search(r);
  if (result.best.empty()) return misfit(r, o);
  verify(r, result);
  const std::string text = o.json ? plan_json(r, result) : plan_text(r, result);
  fmt::print("{}", text);
  return kGood;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& one : names) text += (text.empty() ? "" : ", ") + one;
  return text;
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("plan", "Search layouts that fit, and say why");
  command->footer(
      "Example:\n  ringlab plan --model llama3-70b --tokens 1M --cluster 8xh100 --purpose prefill");
  command
      ->add_option("--model", o->model,
                   "A JSON file, a shape (layers=32,heads=32,kv_heads=8,head_dim=128, also "
                   "hidden, ffn, vocabulary), or one of: " +
                       joined(data_names("models")))
      ->type_name("NAME|FILE|SHAPE");
  command
      ->add_option("--tokens", o->tokens,
                   "Length of a sequence: 131072, 128K, 1M (K is 1024), or max: what fits")
      ->type_name("N");
  command->add_option("--batch", o->batch, "Sequences of a step, of all data ranks together")
      ->type_name("N");
  command
      ->add_option("--cluster", o->cluster,
                   "A JSON file, GPUs of a part (8xh100, 16x8xh100: nodes of 8), or one of: " +
                       joined(data_names("clusters")))
      ->type_name("NAME|FILE");
  command->add_option("--gpus", o->gpus, "So many GPUs of the kind, or min: the fewest that fit")
      ->type_name("N");
  command->add_option("--purpose", o->purpose, "train, prefill or decode")->type_name("NAME");
  command->add_option("--layout", o->layout, "Axes that are given: dp=2,tp=8,pp=1,cp=4")
      ->type_name("AXES");
  command->add_option("--by", o->by, "Rank by time, or by cost")->type_name("NAME");
  command->add_option("--dollars-per-gpu-hour", o->dollars, "Price of one GPU")
      ->type_name("NUMBER");
  command
      ->add_option("--calibration", o->calibration, "Measured figures in the place of the data's")
      ->type_name("FILE");
  command->add_flag("--offload-cache", o->offload, "Keys and values wait in the host's memory");
  command->add_flag("--whole-logits", o->whole_logits, "Logits of all tokens at once");
  std::string asked;
  for (const Question& q : questions()) asked += "\n  " + q.name + ": " + q.asks;
  command->add_option("--question", o->question, "Answer one question instead:" + asked)
      ->type_name("NAME");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace ringlab::cli
