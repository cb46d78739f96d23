#include "tests/quiz/bank/by_hand.hpp"

#include <cmath>

namespace ringlab::quiz::test {
namespace {

// A question's parameters: v("ranks") as a number, v.whole("ranks") as an integer.
struct Given {
  const Values& values;
  double operator()(const std::string& name) const { return std::stod(values.at(name).plain); }
  Index whole(const std::string& name) const { return std::stoll(values.at(name).plain); }
};
using Form = ByHand (*)(const Given&);

// 1 + 2 + .. + n
double triangle(double n) {
  return n * (n + 1) / 2;
}
double shard_of(const Given& v) {
  return v("tokens") / v("ranks");
}
// Bytes of K and V of n tokens, 2 bytes an element.
double block(const Given& v, double n) {
  return n * 2 * v("kv_heads") * v("head_dim") * 2;
}
// exp(b) / (exp(a) + exp(b)) in percent
double softmax_percent(double a, double b) {
  return 100 / (1 + std::exp(a - b));
}
// Products that every visible pair costs: query . key and weight . value, a multiply and an add
// each.
double forward_flops(const Given& v, double pairs) {
  return pairs * v("heads") * 2 * (v("head_dim") + v("head_dim"));
}

const std::map<std::string, Form>& sequence() {
  static const std::map<std::string, Form> forms = {
      // Chunks go 0, 1, .., R-1, R-1, .., 1, 0 over the ranks.
      {"zigzag_owner",
       [](const Given& v) -> ByHand {
         const Index ranks = v.whole("ranks");
         const Index chunk = v.whole("position") * 2 * ranks / v.whole("tokens");
         return double(chunk < ranks ? chunk : 2 * ranks - 1 - chunk);
       }},
      {"striped_position",
       [](const Given& v) -> ByHand { return v("local") * v("ranks") + v("rank"); }},
      // Of the rank's second chunk, counted from the end: rank + 1 chunks before the end it starts.
      {"zigzag_position",
       [](const Given& v) -> ByHand {
         const double chunk = v("tokens") / v("ranks") / 2;
         return v("tokens") - (v("rank") + 1) * chunk + v("local") - chunk;
       }},
      {"zigzag_padding",
       [](const Given& v) -> ByHand {
         const double multiple = 2 * v("ranks");
         return std::ceil(v("tokens") / multiple) * multiple - v("tokens");
       }},
      // Every rank but the last jumps over a gap, and every rank but the first loses its last
      // target.
      {"zigzag_label_shift",
       [](const Given& v) -> ByHand { return (v("ranks") - 1) + (v("ranks") - 1); }},
      {"visible_causal", [](const Given& v) -> ByHand { return triangle(v("tokens")); }},
      // The first W rows grow to W keys, the others have W.
      {"visible_window",
       [](const Given& v) -> ByHand {
         const double w = v("window");
         return triangle(w) + (v("tokens") - w) * w;
       }},
      {"visible_documents",
       [](const Given& v) -> ByHand {
         return triangle(v("a")) + triangle(v("b")) + triangle(v("c"));
       }},
      {"changed_rows", [](const Given& v) -> ByHand { return v("a") + v("b") - v("key"); }},
      // Row i of tiles has min(i, W / tile) + 1 of them.
      {"window_tiles",
       [](const Given& v) -> ByHand {
         const double wide = v("window") / v("tile"), rows = v("tokens") / v("tile");
         return triangle(wide) + (rows - wide) * (wide + 1);
       }},
      {"tile_flops",
       [](const Given& v) -> ByHand { return forward_flops(v, shard_of(v) * shard_of(v)) / 1e9; }},
  };
  return forms;
}

const std::map<std::string, Form>& ring() {
  static const std::map<std::string, Form> forms = {
      // (R - 1) blocks of n tokens.
      {"ring_bytes_sent",
       [](const Given& v) -> ByHand { return (v("ranks") - 1) * block(v, shard_of(v)) / 1e6; }},
      // After h hops the block of rank r - h.
      {"ring_block_at_hop",
       [](const Given& v) -> ByHand {
         const Index ranks = v.whole("ranks");
         return double((v.whole("rank") + ranks - v.whole("hop")) % ranks);
       }},
      {"ring_hop_of_block",
       [](const Given& v) -> ByHand {
         const double way = v("rank") - v("block");
         return way < 0 ? way + v("ranks") : way;
       }},
      // Own, the one at work, the one that comes.
      {"ring_peak_kv", [](const Given& v) -> ByHand { return 3 * block(v, shard_of(v)) / 1e6; }},
      // At hop h the ranks from h on meet an earlier block; to the others it is the future.
      {"ring_missing_hop",
       [](const Given& v) -> ByHand { return (v("ranks") - v("hop")) * shard_of(v); }},
      // Of a group of so many, all but one part in R go out, twice.
      {"all_reduce_bytes",
       [](const Given& v) -> ByHand { return 2 * v("data") * (1 - 1 / v("ranks")); }},
      {"ulysses_bytes",
       [](const Given& v) -> ByHand {
         const double away = shard_of(v) * (1 - 1 / v("ranks"));
         return away *
                (2 * v("head_dim") * (v("heads") + 2 * v("kv_heads")) +
                 4 * v("heads") * (v("head_dim") + 1)) /
                1e6;
       }},
      // Every U-th rank.
      {"mesh_group",
       [](const Given& v) -> ByHand {
         std::string ranks;
         for (Index rank = 0; rank < v.whole("ranks"); ++rank) {
           if ((rank - v.whole("rank")) % v.whole("u") != 0) continue;
           ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
         }
         return ranks;
       }},
      {"double_ring_outer", [](const Given& v) -> ByHand { return v("outer") - 1; }},
      // The own block stays beside the gathered copy of all.
      {"all_gather_peak", [](const Given& v) -> ByHand {
         return (1 + v("ranks")) * block(v, v("tokens") / v("ranks")) / 1e6;
       }}};
  return forms;
}

const std::map<std::string, Form>& softmax() {
  static const std::map<std::string, Form> forms = {
      {"merge_weight",
       [](const Given& v) -> ByHand { return 100 * v("second") / (v("first") + v("second")); }},
      {"merged_lse",
       [](const Given& v) -> ByHand { return std::log(std::exp(v("a")) + std::exp(v("b"))); }},
      {"running_sum",
       [](const Given& v) -> ByHand {
         return v("old_sum") * std::exp(v("old_maximum") - v("maximum")) + v("new_sum");
       }},
      {"two_key_weight", [](const Given& v) -> ByHand { return softmax_percent(v("a"), v("b")); }},
      {"base_two_weight",
       [](const Given& v) -> ByHand {
         return softmax_percent(std::log2(v("first")), std::log2(v("second")));
       }},
      {"base_two_to_natural", [](const Given& v) -> ByHand { return std::log(v("keys")); }},
      {"counted_twice",
       [](const Given& v) -> ByHand { return std::log((v("blocks") + 1) / v("blocks")); }},
      {"global_mean",
       [](const Given& v) -> ByHand {
         return (v("sum_a") + v("sum_b")) / (v("left") + v("right"));
       }},
  };
  return forms;
}

const std::map<std::string, Form>& time_and_work() {
  static const std::map<std::string, Form> forms = {
      // 4 Hq D n^2 / (2 n Hkv D 2)
      {"ring_intensity",
       [](const Given& v) -> ByHand { return shard_of(v) * v("heads") / v("kv_heads"); }},
      // n >= Hkv b F / (2 Hq B), with b = 2.
      {"smallest_block_full",
       [](const Given& v) -> ByHand {
         const double group = v("heads") / v("kv_heads");
         return std::ceil(v("teraflops") * 1e12 / (group * v("gigabytes") * 1e9));
       }},
      {"smallest_block_causal",
       [](const Given& v) -> ByHand {
         const double group = v("heads") / v("kv_heads");
         return std::ceil(2 * v("teraflops") * 1e12 / (group * v("gigabytes") * 1e9));
       }},
      // arXiv 2310.01889, section 3: t_c + (N - 1) max(t_c, t_m).
      {"ring_time",
       [](const Given& v) -> ByHand {
         return v("tile") + (v("ranks") - 1) * std::max(v("tile"), v("transfer"));
       }},
      {"ring_exposed",
       [](const Given& v) -> ByHand {
         return (v("ranks") - 1) * std::max(0.0, v("transfer") - v("tile"));
       }},
      {"contiguous_pairs",
       [](const Given& v) -> ByHand {
         const double n = shard_of(v);
         return v("rank") * n * n + triangle(n);
       }},
      // Rows rank + 1, rank + 1 + R, ... keys long.
      {"striped_pairs",
       [](const Given& v) -> ByHand {
         const double n = shard_of(v);
         return n * (v("rank") + 1) + v("ranks") * triangle(n - 1);
       }},
      {"zigzag_pairs", [](const Given& v) -> ByHand { return triangle(v("tokens")) / v("ranks"); }},
      // The last rank has work at every hop, and no rank has more than it.
      {"contiguous_efficiency",
       [](const Given& v) -> ByHand {
         const double n = shard_of(v), slowest = (v("ranks") - 1) * n * n + triangle(n);
         return 100 * triangle(v("tokens")) / (v("ranks") * slowest);
       }},
      {"empty_tiles", [](const Given& v) -> ByHand { return triangle(v("ranks") - 1); }},
      {"contiguous_slowest",
       [](const Given& v) -> ByHand {
         const double n = shard_of(v), slowest = (v("ranks") - 1) * n * n + triangle(n);
         return slowest / (triangle(v("tokens")) / v("ranks"));
       }},
      // Blocks R - 1 times, float32 gradients R times.
      {"backward_bytes",
       [](const Given& v) -> ByHand { return (3 * v("ranks") - 1) * block(v, shard_of(v)) / 1e6; }},
      // Five products of the forward's two.
      {"backward_flops",
       [](const Given& v) -> ByHand {
         return forward_flops(v, shard_of(v) * shard_of(v)) / 2 * 5 / 1e9;
       }},
      {"backward_messages", [](const Given& v) -> ByHand { return 2 * v("ranks") - 1; }},
  };
  return forms;
}

const std::map<std::string, Form>& memory() {
  static const std::map<std::string, Form> forms = {
      {"score_matrix",
       [](const Given& v) -> ByHand { return v("heads") * v("tokens") * v("tokens") * 2 / 1e9; }},
      {"kv_bytes_per_token",
       [](const Given& v) -> ByHand { return v("layers") * block(v, 1) / 1e3; }},
      {"checkpoint_bytes",
       [](const Given& v) -> ByHand { return v("layers") * shard_of(v) * v("hidden") * 2 / 1e9; }},
      // 2 weight, 4 gradient, 4 master weight, 4 + 4 moments.
      {"model_state_bytes",
       [](const Given& v) -> ByHand { return v("billions") * (2 + 4 + 4 + 4 + 4); }},
      // arXiv 2310.01889, appendix D.
      {"cost_ratio",
       [](const Given& v) -> ByHand {
         return (6 * v("hidden") + v("to")) / (6 * v("hidden") + v("from"));
       }},
      {"logits_bytes",
       [](const Given& v) -> ByHand { return shard_of(v) * v("vocabulary") * (4 + 4) / 1e9; }},
      // arXiv 2205.05198, table 2 without the scores.
      {"tensor_parallel_activations",
       [](const Given& v) -> ByHand { return v("hidden") * (10 + 24 / v("tensor")) / 1e3; }},
      {"sequence_parallel_activations",
       [](const Given& v) -> ByHand { return v("hidden") * 34 / v("tensor") / 1e3; }},
      {"sequences_per_step",
       [](const Given& v) -> ByHand {
         return v("gpus") / (v("tensor") * v("pipeline") * v("context")) * v("steps");
       }},
      {"tokens_of_gpu", [](const Given& v) -> ByHand { return v("tokens") / v("context"); }},
      {"zero_bytes",
       [](const Given& v) -> ByHand {
         const double replicas = v("data") * v("context");
         return v("billions") * (v("stage") == 1 ? 6 + 12 / replicas : 2 + 16 / replicas);
       }},
      // Half of the square, and the diagonal, of which each rank has an equal part.
      {"achieved_rate",
       [](const Given& v) -> ByHand {
         return forward_flops(v, triangle(v("tokens")) / v("ranks")) / (v("microseconds") * 1e6);
       }},
      {"message_time",
       [](const Given& v) -> ByHand {
         return v("latency") + v("megabytes") / v("gigabytes") * 1000;
       }},
      {"cache_of_gpu",
       [](const Given& v) -> ByHand {
         return v("tokens") / v("context") * v("layers") * block(v, 1) / v("tensor") / 1e9;
       }},
      {"query_hop_bytes",
       [](const Given& v) -> ByHand {
         return v("fresh") / v("ranks") * v("heads") * v("head_dim") * 2 / 1e6;
       }},
      // Each step doubles how many are reached.
      {"tree_steps",
       [](const Given& v) -> ByHand {
         double steps = 0;
         for (double reached = 1; reached < v("ranks"); reached *= 2) ++steps;
         return steps;
       }},
      {"offload_seconds",
       [](const Given& v) -> ByHand {
         return v("millions") * v("kilobytes") / v("gpus") / v("gigabytes");
       }},
  };
  return forms;
}

}  // namespace

const std::map<std::string, std::function<ByHand(const Values&)>>& by_hand() {
  static const std::map<std::string, std::function<ByHand(const Values&)>> all = [] {
    std::map<std::string, std::function<ByHand(const Values&)>> map;
    for (const auto& forms : {sequence(), ring(), softmax(), time_and_work(), memory()}) {
      for (const auto& [name, form] : forms) {
        map[name] = [form = form](const Values& values) { return form(Given{values}); };
      }
    }
    return map;
  }();
  return all;
}

}  // namespace ringlab::quiz::test
