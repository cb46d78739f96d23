#include "ringlab/sim/plan/legal.hpp"

#include <fmt/format.h>

#include <vector>

namespace ringlab {
namespace {

std::vector<int> divisors(int n) {
  std::vector<int> list;
  for (int d = 1; d <= n; ++d) {
    if (n % d == 0) list.push_back(d);
  }
  return list;
}

// A micro batch larger than this many tokens a rank only costs memory.
constexpr double kEnoughTokens = 16384;

struct Choices {
  std::vector<int> zero, micro, interleave, expert;
  std::vector<Recompute> recompute;
};

struct ContextChoice {
  Family family = Family::ring;
  int ulysses = 1;
  bool inside = true;
};

std::vector<ContextChoice> context_choices(const Workload& work, int context) {
  if (context == 1 || work.purpose == Purpose::decode) return {{}};
  std::vector<ContextChoice> list = {{Family::ring}, {Family::ulysses}, {Family::all_gather}};
  for (const int u : divisors(context)) {
    if (u == 1 || u == context) continue;
    list.push_back({Family::ulysses_ring, u, true});
    list.push_back({Family::ulysses_ring, u, false});
  }
  return list;
}

}  // namespace

std::string why_not(const Model& model, const Workload& work, const Parallel& p) {
  const int heads = model.heads, kv = model.moved_kv_heads();
  if (heads % p.tensor != 0) return fmt::format("tp {} does not divide {} heads", p.tensor, heads);
  if (kv % p.tensor != 0 && p.tensor % kv != 0) {
    return fmt::format("tp {} does not divide {} key/value heads", p.tensor, kv);
  }
  const int width = model.experts ? model.experts->ffn : model.ffn;
  if (width % p.tensor != 0 || model.ffn % p.tensor != 0) {
    return fmt::format("tp {} does not divide an MLP of {}", p.tensor, width);
  }
  if (p.pipeline > model.layers) {
    return fmt::format("pp {} is more than {} layers", p.pipeline, model.layers);
  }
  if (work.batch % p.data != 0) {
    return fmt::format("dp {} does not divide a batch of {}", p.data, work.batch);
  }
  const int share = work.batch / p.data;
  if (share % p.micro_batch != 0) {
    return fmt::format("micro batch {} does not divide {} sequences a data rank", p.micro_batch,
                       share);
  }
  if (p.interleave > 1 && (p.pipeline == 1 || model.layers % (p.pipeline * p.interleave) != 0 ||
                           share / p.micro_batch % p.pipeline != 0)) {
    return fmt::format("{} layers and {} micro batches do not interleave {} times over {} stages",
                       model.layers, share / p.micro_batch, p.interleave, p.pipeline);
  }
  if (work.purpose != Purpose::train && p.interleave > 1) return "only training interleaves";
  if (work.tokens < 2 * Index{p.context}) {
    return fmt::format("cp {} leaves less than two of {} tokens a rank", p.context, work.tokens);
  }
  if (p.context > 1 && work.purpose != Purpose::decode) {
    const int own = heads / p.tensor;
    const int u = p.family == Family::ulysses        ? p.context
                  : p.family == Family::ulysses_ring ? p.ulysses
                                                     : 1;
    if (own % u != 0) return fmt::format("Ulysses degree {} does not divide {} heads", u, own);
    if (p.context % u != 0) {
      return fmt::format("Ulysses degree {} does not divide cp {}", u, p.context);
    }
  }
  if (p.expert > 1) {
    if (!model.experts) return fmt::format("{} has no experts", model.name);
    if (model.experts->count % p.expert != 0 || p.replicas() % p.expert != 0) {
      return fmt::format("ep {} does not divide {} experts and {} ranks of the same weights",
                         p.expert, model.experts->count, p.replicas());
    }
  }
  if (p.zero >= 2 && p.pipeline > 1) return fmt::format("ZeRO {} with a pipeline", p.zero);
  return {};
}

void for_each_layout(const Model& model, const Workload& work, int gpus, const Parallel& fixed,
                     const std::function<void(const Parallel&)>& visit) {
  const bool training = work.purpose == Purpose::train;
  const std::vector<int> all = divisors(gpus);
  const auto axis = [](int given, int value) { return given == 0 || given == value; };
  for (const int tensor : all) {
    if (!axis(fixed.tensor, tensor) || model.heads % tensor != 0) continue;
    for (const int pipeline : all) {
      if (gpus / tensor % pipeline != 0 || !axis(fixed.pipeline, pipeline)) continue;
      for (const int context : all) {
        const int rest = gpus / tensor / pipeline;
        if (rest % context != 0 || !axis(fixed.context, context)) continue;
        Parallel p{
            .data = rest / context, .tensor = tensor, .pipeline = pipeline, .context = context};
        if (!axis(fixed.data, p.data)) continue;
        p.zero = 0;
        if (!why_not(model, work, p).empty()) continue;
        Choices choices{{0}, {1}, {1}, {1}, {Recompute::selective}};
        if (training) {
          if (p.replicas() > 1) choices.zero = {0, 1, 2, 3};
          choices.recompute = {Recompute::selective, Recompute::full};
          if (pipeline > 1) choices.interleave = {1, 2, 4};
        }
        const double tokens = work.purpose == Purpose::decode ? 1 : tokens_of_rank(work, p);
        for (const int micro : {2, 4, 8}) {
          if (tokens * micro <= kEnoughTokens) choices.micro.push_back(micro);
        }
        // Decoding reads the weights once for all of a rank's sequences together.
        if (work.purpose == Purpose::decode) choices.micro = {work.batch / p.data};
        if (model.experts) {
          choices.expert.clear();
          for (const int e : divisors(model.experts->count)) {
            if (axis(fixed.expert, e)) choices.expert.push_back(e);
          }
        } else if (!axis(fixed.expert, 1)) {
          continue;
        }
        for (const ContextChoice& c : context_choices(work, context)) {
          p.family = c.family;
          p.ulysses = c.ulysses;
          p.ulysses_inside = c.inside;
          for (const int zero : choices.zero) {
            for (const Recompute recompute : choices.recompute) {
              for (const int micro : choices.micro) {
                for (const int interleave : choices.interleave) {
                  for (const int expert : choices.expert) {
                    p.zero = zero;
                    p.recompute = recompute;
                    p.micro_batch = micro;
                    p.interleave = interleave;
                    p.expert = expert;
                    if (why_not(model, work, p).empty()) visit(p);
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace ringlab
