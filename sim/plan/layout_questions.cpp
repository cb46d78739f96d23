// Questions about whole layouts: axes, batch, padding, hiding, memory, decoding.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/layer/hiding.hpp"
#include "ringlab/sim/plan/answer.hpp"

namespace ringlab {

const std::vector<Question>& questions() {
  static const std::vector<Question> list = {
      {"family", "ring, Ulysses, all-gather or a hybrid, and of what degree?",
       detail::which_family},
      {"slower", "why is the ring slower or hungrier than one GPU?", detail::why_slower},
      {"axes", "tensor, sequence, context, data, pipeline: what does each shard and send?",
       detail::which_axis},
      {"batch", "what is the effective batch, and how many tokens has a rank?", detail::what_batch},
      {"padding", "what must the length be a multiple of?", detail::what_padding},
      {"hide", "from which length does the ring hide its traffic?", detail::when_hidden},
      {"memory", "does a context axis cut memory, and what is left?", detail::what_memory},
      {"balance", "is zigzag or striped needed, and how bad is contiguous?", detail::which_balance},
      {"grouped", "are grouped key/value heads expanded before the ring?", detail::which_heads},
      {"decode", "is a ring of any use for decoding?", detail::which_decode},
      {"placement", "where on the network do ring and Ulysses go?", detail::which_placement},
  };
  return list;
}

Answer answer(const std::string& question, const PlanRequest& request) {
  std::string names;
  for (const Question& q : questions()) {
    if (q.name == question) return q.answer(request);
    names += (names.empty() ? "" : ", ") + q.name;
  }
  throw InputError("question", question, "use one of: " + names);
}

namespace detail {

Parallel context_layout(const PlanRequest& r) {
  Parallel p = r.fixed;
  p.data = std::max(1, p.data);
  p.tensor = std::max(1, p.tensor);
  p.pipeline = std::max(1, p.pipeline);
  p.expert = std::max(1, p.expert);
  const int others = p.data * p.tensor * p.pipeline;
  if (p.context == 0 && r.cluster.gpus() % others == 0) p.context = r.cluster.gpus() / others;
  if (p.context < 1 || p.gpus() != r.cluster.gpus()) {
    throw InputError("layout", axes_text(p),
                     fmt::format("make the axes multiply up to the {} GPUs of {}", r.cluster.gpus(),
                                 r.cluster.name));
  }
  p.zero = 1;
  // The other axes must be possible; the question is about the context axis.
  Parallel ring = p;
  ring.family = Family::ring;
  Workload work = r.work;
  work.batch = std::max(work.batch, p.data);
  const std::string why = why_not(r.model, work, ring);
  if (!why.empty()) throw InputError("layout", axes_text(p), why);
  return p;
}

Answer which_axis(const PlanRequest& r) {
  const int n = r.cluster.gpus();
  Answer a;
  a.title = fmt::format(
      "Which axis first? {}, {} tokens, degree {} of each; bytes that a rank "
      "sends in one layer's forward pass.",
      r.model.name, r.work.tokens, n);
  a.columns = {"axis", "shards", "sends", "bytes", "weights a rank", "gradients to sum"};
  const double s = static_cast<double>(r.work.tokens), h = r.model.hidden;
  const double share = (n - 1.0) / n;
  const auto weights = [&](const Parallel& p) { return 2 * parameters_of_rank(r.model, p); };
  const Parallel whole;
  Parallel tensor;
  tensor.tensor = n;
  const bool heads = r.model.heads % n == 0;
  const std::string reason = fmt::format("{} does not divide {} heads", n, r.model.heads);
  if (heads) {
    a.rows.push_back({words("tp"), words("heads, MLP width, weights"), words("2 all-reduces"),
                      bytes(2 * 2 * share * s * h * 2), bytes(weights(tensor)),
                      words("norms' only with sp")});
    a.rows.push_back({words("tp + sp"), words("and norms, residuals"),
                      words("2 all-gathers, 2 reduce-scatters"), bytes(4 * share * s * h * 2),
                      bytes(weights(tensor)), words("norms', over tp")});
  } else {
    a.rows.push_back({words("tp"), words("ruled out: " + reason)});
  }
  AttentionShape shape{s / n, static_cast<double>(r.model.heads),
                       static_cast<double>(r.model.moved_kv_heads()),
                       static_cast<double>(r.model.moved_head_dim())};
  a.rows.push_back({words("cp ring"), words("the sequence"), words("K and V, hop by hop"),
                    bytes(attention_bytes_sent(shape, Family::ring, n, 1, false)),
                    bytes(weights(whole)), words("all, over cp x dp")});
  if (heads) {
    a.rows.push_back({words("cp ulysses"), words("the sequence; heads inside attention"),
                      words("Q, K, V and O, all-to-all"),
                      bytes(attention_bytes_sent(shape, Family::ulysses, n, n, false)),
                      bytes(weights(whole)), words("all, over cp x dp")});
  } else {
    a.rows.push_back({words("cp ulysses"), words("ruled out: " + reason)});
  }
  a.rows.push_back({words("dp"), words("the batch"), words("nothing"), bytes(0),
                    bytes(weights(whole)), words("all, over dp")});
  Parallel pipeline;
  pipeline.pipeline = std::min(n, r.model.layers);
  a.rows.push_back({words("pp"), words("the layers"), words("activations, at stage borders"),
                    bytes(s * h * 2 / r.model.layers * (pipeline.pipeline - 1)),
                    bytes(weights(pipeline)), words("own layers', over dp")});
  a.conclusions.push_back(
      "first tp with sp inside a node (it cuts weights and activations, and needs the fastest "
      "links), then cp for length, dp for batch, pp for what is left");
  a.conclusions.push_back("pp's bytes are those of its borders, spread over the layers");
  return a;
}

Answer what_batch(const PlanRequest& r) {
  Answer a;
  a.title = fmt::format("What is the effective batch on {} GPUs? {} sequences of {} tokens a step.",
                        r.cluster.gpus(), r.work.batch, r.work.tokens);
  a.columns = {"layout",        "data ranks",   "sequences a data rank", "micro batches of 1",
               "tokens a rank", "tokens a step"};
  const int others = std::max(1, r.fixed.tensor) * std::max(1, r.fixed.pipeline);
  for (int cp = 1; cp * others <= r.cluster.gpus(); cp *= 2) {
    if (r.cluster.gpus() % (cp * others) != 0) continue;
    Parallel p;
    p.tensor = std::max(1, r.fixed.tensor);
    p.pipeline = std::max(1, r.fixed.pipeline);
    p.context = cp;
    p.data = r.cluster.gpus() / others / cp;
    const std::string why = why_not(r.model, r.work, p);
    if (!why.empty()) {
      a.rows.push_back({words(axes_text(p)), words("ruled out: " + why)});
      continue;
    }
    const double share = static_cast<double>(r.work.batch) / p.data;
    a.rows.push_back({words(axes_text(p)), count(p.data), count(share), count(share),
                      count(tokens_of_rank(r.work, p)),
                      count(static_cast<double>(r.work.tokens) * r.work.batch)});
  }
  a.conclusions.push_back(
      "sequences a step = micro batch x micro batches x dp, with dp = GPUs / (tp pp cp): ranks of "
      "one context group share their sequences, so a longer cp is a smaller dp, not a larger "
      "batch");
  return a;
}

Answer what_padding(const PlanRequest& r) {
  const Parallel p = context_layout(r);
  Answer a;
  a.title = fmt::format("What must the length be a multiple of? {} tokens over cp {} and tp {}.",
                        r.work.tokens, p.context, p.tensor);
  a.columns = {"layout", "multiple", "why", "padded length", "padding"};
  const Index sp = p.tensor;  // sequence parallelism cuts a rank's part again
  const auto row = [&](const char* layout, Index multiple, const char* why) {
    const Index padded = (r.work.tokens + multiple - 1) / multiple * multiple;
    a.rows.push_back({words(layout), count(static_cast<double>(multiple)), words(why),
                      count(static_cast<double>(padded)),
                      count(static_cast<double>(padded - r.work.tokens))});
  };
  row("contiguous", p.context * sp, "equal parts: cp x tp");
  row("striped", p.context * sp, "equal parts: cp x tp");
  row("zigzag", std::lcm(Index{2} * p.context, p.context * sp),
      "two chunks a rank: lcm(2 cp, cp tp)");
  row("zigzag, kernels of 128", std::lcm(Index{2} * p.context * 128, p.context * sp),
      "chunks of whole tiles: 2 cp x 128");
  a.conclusions.push_back(
      "zigzag_per_document needs its multiple of every document, not of the packed row");
  a.conclusions.push_back(
      "RingLab itself pads nothing: chunks may differ by a token and shards may be empty");
  return a;
}

Answer when_hidden(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  const Parallel p = context_layout(r);
  const double heads = static_cast<double>(r.model.heads) / p.tensor;
  AttentionTile tile{1, 1, 4096, 4096, static_cast<int>(heads), r.model.moved_head_dim(), false};
  tile.square_heads = 4096.0 * 4096 * heads;
  Answer a;
  a.columns = {"link", "mask", "forward from", "backward from", "of the whole", "hidden here"};
  double rate = 0;
  for (std::size_t l = 0; l < r.cluster.levels.size(); ++l) {
    const Level& level = r.cluster.levels[l];
    for (const bool causal : {false, true}) {
      tile.pair_heads = tile.square_heads * (causal ? 0.5 : 1);
      HidingProblem hiding{.query_heads = heads};
      hiding.kv_heads = std::max(1.0, static_cast<double>(r.model.moved_kv_heads()) / p.tensor);
      hiding.head_dim = r.model.moved_head_dim();
      hiding.flops_per_second =
          4 * tile.pair_heads * tile.head_dim / machine.attention().seconds(tile);
      hiding.link = level.link;
      hiding.causal = causal;
      if (!causal) rate = hiding.flops_per_second;
      const double forward = hidden_from_tokens(hiding);
      hiding.backward = true;
      tile.backward = true;
      hiding.flops_per_second =
          10 * tile.pair_heads * tile.head_dim / machine.attention().seconds(tile);
      tile.backward = false;
      const double backward = hidden_from_tokens(hiding);
      a.rows.push_back({words(level.name), words(causal ? "causal, balanced" : "full"),
                        count(std::ceil(forward)), count(std::ceil(backward)),
                        count(std::ceil(forward) * p.context),
                        words(tokens_of_rank(r.work, p) >= forward ? "yes" : "no")});
    }
  }
  a.title = fmt::format(
      "From which length a rank does a ring hide its traffic? {}, attention at "
      "{:.0f} TFLOP/s, {} tokens a rank here.",
      r.model.name, rate * 1e-12, tokens_of_rank(r.work, p));
  a.conclusions.push_back(
      "n >= Hkv b F / (2 Hq BW) for full tiles, twice that causal, and the link's latency on top");
  return a;
}

Answer what_memory(const PlanRequest& r) {
  Answer a;
  a.title = fmt::format(
      "Does a context axis cut memory, and what is left? {}, {} tokens, {}, "
      "bytes of the fullest rank.",
      r.model.name, r.work.tokens, name(r.work.purpose));
  a.columns = {"part"};
  std::vector<Memory> each;
  for (int cp = 1; cp <= r.cluster.gpus(); cp *= 2) {
    const int others = std::max(1, r.fixed.tensor);
    if (r.cluster.gpus() % (others * cp) != 0) continue;
    Parallel p;
    p.tensor = others;
    p.context = cp;
    p.zero = r.work.purpose == Purpose::train ? 1 : 0;
    p.recompute = Recompute::full;
    if (!why_not(r.model, r.work, p).empty()) continue;
    a.columns.push_back(fmt::format("cp {}", cp));
    each.push_back(memory_of(r.model, r.work, p, r.cluster.gpu));
  }
  for (const Memory::Part& part : Memory::parts()) {
    std::vector<Cell> row = {words(part.name)};
    double most = 0;
    for (const Memory& memory : each) {
      row.push_back(bytes(memory.*part.bytes));
      most = std::max(most, memory.*part.bytes);
    }
    if (most > 0) a.rows.push_back(row);
  }
  std::vector<Cell> sum = {words("all parts")}, fits = {words("fits")};
  for (const Memory& memory : each) {
    sum.push_back(bytes(memory.total()));
    fits.push_back(words(memory.total() <= r.cluster.gpu.memory_bytes ? "yes" : "no"));
  }
  a.rows.push_back(sum);
  a.rows.push_back(fits);
  a.conclusions.push_back(
      "cp divides activations, log-sum-exps and cache; weights stay whole, and gradients and "
      "optimizer state shrink only by ZeRO over the same ranks (stage 1 here, full recomputation)");
  a.conclusions.push_back(fmt::format(
      "logits are worked on some at a time; whole, with their gradient, they would take {:.0f} GB "
      "over cp",
      8e-9 * r.model.vocabulary * static_cast<double>(r.work.tokens)));
  return a;
}

Answer which_decode(const PlanRequest& r) {
  const Machine machine(r.cluster, r.calibration);
  const Parallel p = context_layout(r);
  Answer a;
  a.title = fmt::format(
      "Is a ring of any use for decoding? One new token a sequence, {} cached, "
      "batch {}, cp {} on {}.",
      r.work.tokens, r.work.batch, p.context, r.cluster.name);
  a.columns = {"way", "sent by a rank, one layer", "transfers, one layer", "a step"};
  Workload work = r.work;
  work.purpose = Purpose::decode;
  Parallel q = p;
  q.micro_batch = std::max(1, work.batch / std::max(1, p.data));
  const StepTime step = step_time(machine, r.model, work, q);
  const double heads = static_cast<double>(r.model.heads) / p.tensor, d = r.model.moved_head_dim();
  const double kv = std::max(1.0, static_cast<double>(r.model.moved_kv_heads()) / p.tensor);
  const LinkSpec hop = machine.path({p.context, p.tensor}).ring_hop;
  const double batch = q.micro_batch;
  if (p.context > 1) {
    // Passing keys and values: every rank sees every block, for one query.
    const double block = batch * tokens_of_rank(work, p) * 2 * kv * d * 2;
    const double pass = (p.context - 1) * hop.seconds(block);
    const int layers = layers_of_stage(r.model, p);
    const double without = step.total - layers * step.layer.forward.context;
    a.rows.push_back({words("keys and values round the ring"), bytes((p.context - 1) * block),
                      seconds(pass), seconds(without + layers * pass)});
    const double query = batch * heads * d * 2, result = batch * heads * (d + 1) * 4;
    const double ring = (p.context - 1) * hop.seconds(query) + p.context * hop.seconds(result);
    a.rows.push_back({words("queries and results round the ring"),
                      bytes((p.context - 1) * query + p.context * result), seconds(ring),
                      seconds(without + layers * ring)});
    const double steps = std::ceil(std::log2(p.context));
    a.rows.push_back({words("queries down a tree, results up"), bytes(steps * (query + result)),
                      seconds(step.layer.forward.context), seconds(step.total)});
    a.conclusions.push_back(fmt::format(
        "a query is Hq D = {:.0f} numbers, a rank's block n 2 Hkv D = {:.3g}: move the queries",
        heads * d, block / 2 / batch));
  }
  Parallel tensor = q;
  tensor.tensor = r.cluster.gpus();
  tensor.context = tensor.data = tensor.pipeline = 1;
  tensor.micro_batch = work.batch;
  if (why_not(r.model, work, tensor).empty()) {
    const StepTime other = step_time(machine, r.model, work, tensor);
    a.rows.push_back({words(fmt::format("tp {}, no context axis", tensor.tensor)), words("-"),
                      seconds(other.layer.forward.tensor), seconds(other.total)});
  }
  a.conclusions.push_back(
      "a context axis spreads the reading of the cache, and reads all weights on every rank; the "
      "tensor axis spreads both, as far as there are key/value heads");
  return a;
}

}  // namespace detail
}  // namespace ringlab
