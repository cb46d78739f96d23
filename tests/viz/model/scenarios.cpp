#include "tests/viz/model/scenarios.hpp"

namespace ringlab::test {

SceneCase make_scene(int id) {
  const auto& catalog = schedule_catalog();
  const CatalogEntry& entry = catalog[static_cast<std::size_t>(id) % catalog.size()];
  SceneCase scene{fit_case(make_case(id), entry), {}, {}};
  Case& c = scene.c;
  if (c.layout_kind == LayoutKind::custom) c.layout_kind = LayoutKind::striped;

  Scenario& s = scene.scenario;
  s.tokens = c.tokens;
  s.heads = c.rule.query_heads;
  s.kv_heads = c.rule.kv_heads;
  s.head_dim = c.rule.head_dim;
  s.ranks = c.ranks;
  s.layout = c.layout_kind;
  s.mask = c.rule.mask;
  s.mask.documents = false;
  if (c.rule.mask.documents) s.documents = c.documents;
  if (c.query_tokens != c.tokens) s.query_tokens = c.query_tokens;
  s.schedule = entry.name;
  const ScheduleProblem problem = problem_for(c, entry);
  s.rotation = problem.rotation;
  s.degree = to_text(problem.degree);
  s.scale = c.rule.scale;
  s.soft_cap = c.rule.soft_cap;
  s.sinks = c.rule.sinks;
  s.alibi = !c.rule.alibi_slopes.empty();
  s.rotary_base = c.rotary_base;
  s.dropout = c.rule.dropout.probability;
  s.seed = 1 + static_cast<std::uint64_t>(id);
  s.backward = entry.backward != nullptr && id % 4 == 2;

  scene.options.numbers = false;
  scene.options.transfer_ratio = std::array{0.6, 1.7, 0.0, 0.1}[static_cast<std::size_t>(id) % 4];
  if (id % 3 == 1) {
    scene.options.slow_rank = id % c.ranks;
    scene.options.slow_link_from = 0;
    scene.options.slow_link_to = c.ranks - 1;
  }
  return scene;
}

}  // namespace ringlab::test
