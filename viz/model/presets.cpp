#include "ringlab/viz/model/presets.hpp"

namespace ringlab::viz {
namespace {

Scenario small_ring() {
  Scenario s;
  s.tokens = 128;
  s.ranks = 8;
  s.heads = 4;
  s.head_dim = 32;
  s.mask.causal = false;
  s.layout = LayoutKind::contiguous;
  return s;
}

Scenario causal_ring(LayoutKind layout) {
  Scenario s = small_ring();
  s.mask.causal = true;
  s.layout = layout;
  return s;
}

Preset preset(const std::string& name, Scenario scenario, StoryOptions options = {},
              Index query = 100) {
  Preset p{name, "preset." + name + ".title", "preset." + name + ".words", {}};
  p.state.scenario = std::move(scenario);
  p.state.options = options;
  p.state.view.preset = name;
  p.state.view.query = query;
  return p;
}

Preset plain() {
  return preset("plain", small_ring());
}
Preset causal_contiguous() {
  return preset("causal-contiguous", causal_ring(LayoutKind::contiguous));
}
Preset causal_striped() {
  return preset("causal-striped", causal_ring(LayoutKind::striped));
}
Preset causal_zigzag() {
  return preset("causal-zigzag", causal_ring(LayoutKind::zigzag));
}

Preset slow_link() {
  StoryOptions o;
  o.slow_link_from = 2;
  o.slow_link_to = 3;
  o.slow_link_factor = 3;
  return preset("slow-link", small_ring(), o);
}

Preset straggler() {
  StoryOptions o;
  o.slow_rank = 5;
  o.slow_rank_factor = 2;
  return preset("straggler", small_ring(), o);
}

Preset grouped_heads() {
  Scenario s = causal_ring(LayoutKind::zigzag);
  s.heads = 8;
  s.kv_heads = 2;
  StoryOptions o;
  o.transfer_ratio = 0.3;  // 8 key/value heads would send four times as much: 1.2
  return preset("grouped-heads", s, o);
}

Preset documents() {
  Scenario s = causal_ring(LayoutKind::zigzag_per_document);
  s.documents = {40, 56, 32};
  return preset("documents", s);
}

Preset window() {
  Scenario s = causal_ring(LayoutKind::contiguous);
  s.mask.window_left = 31;
  return preset("window", s);
}

Preset bidirectional() {
  Scenario s = small_ring();
  s.schedule = "bidirectional_ring";
  StoryOptions o;
  o.transfer_ratio = 0.5;
  return preset("bidirectional", s, o);
}

Preset ulysses() {
  Scenario s = causal_ring(LayoutKind::contiguous);
  s.heads = 8;
  s.schedule = "ulysses";
  StoryOptions o;
  o.transfer_ratio = 0.3;
  return preset("ulysses", s, o);
}

Preset all_gather() {
  Scenario s = causal_ring(LayoutKind::zigzag);
  s.schedule = "all_gather";
  return preset("all-gather", s);
}

Preset double_ring() {
  Scenario s = causal_ring(LayoutKind::zigzag);
  s.schedule = "double_ring";
  s.degree = "I=4,O=2";
  StoryOptions o;
  o.transfer_ratio = 0.9;
  return preset("double-ring", s, o);
}

Preset two_nodes() {
  StoryOptions o;
  o.clock = Clock::simulated;
  o.cluster = "2x4xh100";
  o.simulated_tokens = 131072;
  return preset("two-nodes", causal_ring(LayoutKind::zigzag), o);
}

Preset query_ring() {
  Scenario s = causal_ring(LayoutKind::zigzag);
  s.tokens = 256;
  s.query_tokens = 64;
  s.schedule = "query_ring";
  return preset("query-ring", s, {}, 230);
}

Preset decode() {
  Scenario s = small_ring();
  s.tokens = 512;
  s.query_tokens = 1;
  s.mask.causal = true;
  s.schedule = "decode_tree";
  StoryOptions o;
  o.transfer_ratio = 0.3;
  return preset("decode", s, o, 511);
}

Preset backward() {
  Scenario s = causal_ring(LayoutKind::zigzag);
  s.backward = true;
  return preset("backward", s);
}

Preset many_ranks() {
  Scenario s = causal_ring(LayoutKind::zigzag);
  s.tokens = 1024;
  s.ranks = 64;
  s.heads = 2;
  s.head_dim = 16;
  return preset("many-ranks", s, {}, 1000);
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      plain(),     causal_contiguous(), causal_striped(), causal_zigzag(), slow_link(),
      straggler(), grouped_heads(),     documents(),      window(),        bidirectional(),
      ulysses(),   all_gather(),        double_ring(),    two_nodes(),     query_ring(),
      decode(),    backward(),          many_ranks()};
  return all;
}

const Preset& preset_named(const std::string& name) {
  std::string names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names += (names.empty() ? "" : ", ") + preset.name;
  }
  throw InputError("preset", "'" + name.substr(0, 60) + "'", "use one of: " + names);
}

}  // namespace ringlab::viz
