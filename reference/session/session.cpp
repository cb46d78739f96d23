#include "ringlab/reference/session/session.hpp"

#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/sequence/shard.hpp"

namespace ringlab {

Schedule schedule_of(const Scenario& scenario) {
  const CatalogEntry& entry = catalog_entry(scenario.schedule);
  const ScheduleProblem problem = schedule_problem_of(scenario);
  return scenario.backward ? backward_of(entry, problem) : forward_of(entry, problem);
}

ScheduleProblem schedule_problem_of(const Scenario& scenario) {
  const Layout keys = layout_of(scenario);
  return {query_layout_of(scenario, keys),
          keys,
          scenario.heads,
          scenario.key_value_heads(),
          scenario.head_dim,
          scenario.rotation,
          degree_from(scenario.degree)};
}

Session open_session(Scenario scenario, const std::vector<std::string>& given) {
  Session session;
  session.inputs = open_inputs(scenario, given);
  check(scenario);
  const CatalogEntry& entry = catalog_entry(scenario.schedule);
  const ScheduleProblem problem = schedule_problem_of(scenario);
  session.keys = sequence_of(scenario);
  session.queries = query_sequence_of(scenario);
  session.plan.rule = rule_of(scenario);
  session.plan.rotary_base = scenario.rotary_base;
  session.plan.forward = forward_of(entry, problem);
  if (scenario.backward) session.plan.backward = backward_of(entry, problem);
  session.scenario = std::move(scenario);
  return session;
}

template <class T>
AttentionInput<T> Session::shard(int rank) const {
  const Positions& q = plan.forward.query_layout[static_cast<std::size_t>(rank)];
  const Positions& k = plan.forward.key_layout[static_cast<std::size_t>(rank)];
  AttentionInput<T> input{
      inputs->queries(q).template cast<T>(),
      {inputs->keys(k).template cast<T>(), inputs->values(k).template cast<T>()},
      {}};
  if (plan.backward) input.output_gradient = inputs->output_gradients(q).template cast<T>();
  return input;
}

template <class T>
Tensor<T> whole(const Session& session, const std::vector<Tensor<T>>& shards, bool of_queries) {
  return unshard(shards, of_queries ? session.queries : session.keys,
                 of_queries ? session.plan.forward.query_layout : session.plan.forward.key_layout);
}

template AttentionInput<float> Session::shard<float>(int) const;
template AttentionInput<double> Session::shard<double>(int) const;
template Tensor<float> whole<float>(const Session&, const std::vector<Tensor<float>>&, bool);
template Tensor<double> whole<double>(const Session&, const std::vector<Tensor<double>>&, bool);

}  // namespace ringlab
