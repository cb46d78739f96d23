// The run with real numbers, and full attention in float64 beside it.
#include "ringlab/reference/attention/full.hpp"
#include "ringlab/reference/attention/rotary.hpp"
#include "ringlab/reference/schedule/collective.hpp"
#include "ringlab/viz/model/build.hpp"

namespace ringlab::viz::detail {
namespace {

Tensor<double> rounded(const Tensor<double>& x) {
  return x.cast<float>().cast<double>();
}

// Of the run and of the judge, which knows no empty tiles.
double flops_of(const Session& session, const Ledger& ledger) {
  const AttentionRule& rule = session.plan.rule;
  const double square = static_cast<double>(session.queries.size()) *
                        static_cast<double>(session.keys.size()) * rule.query_heads;
  const double judge = square * rule.head_dim * (session.plan.backward ? 30.0 : 8.0);
  double run = 0;
  for (const RankLedger& rank : ledger.ranks) run += rank.flops;
  return judge + run;
}

// How many events a rank's program leaves in a trace: one for each tile and each end of a message.
std::ptrdiff_t events_of(const Schedule& schedule, int rank) {
  const CollectiveIndex collectives(schedule);
  std::size_t events = 0;
  for (const Step& step : schedule.rank(rank).steps) {
    if (std::holds_alternative<Attend>(step.action)) ++events;
    if (const auto* exchange = std::get_if<Exchange>(&step.action)) {
      events += exchange->sends.size() + exchange->receives.size();
    } else if (const auto* collective = std::get_if<Collective>(&step.action)) {
      const CollectiveMoves moves = collectives.moves(rank, *collective);
      events += moves.sends.size() + moves.receives.size();
    }
  }
  return static_cast<std::ptrdiff_t>(events);
}

}  // namespace

void run_numbers(Story& story) {
  if (!story.options.numbers) return;
  const Session& session = story.session;
  const double flops = flops_of(session, story.ledger);
  if (flops > Limits::kFlopsOfNumbers) {
    story.notes.push_back({"note.too_much_work",
                           {number_text(flops / 1e9), number_text(Limits::kFlopsOfNumbers / 1e9)}});
    return;
  }
  Numbers numbers;
  numbers.outputs = run_attention_threads<float>(
      session.plan, [&](int rank) { return session.shard<float>(rank); });
  for (int r = 0; r < story.size(); ++r) {
    const std::vector<TraceEvent>& events = numbers.outputs[static_cast<std::size_t>(r)].events;
    const std::ptrdiff_t passed = session.plan.backward ? events_of(session.plan.forward, r) : 0;
    numbers.trace.events.insert(numbers.trace.events.end(), events.begin() + passed, events.end());
  }
  sort_events(numbers.trace);
  const double base = session.plan.rotary_base;
  numbers.queries = rounded(session.inputs->queries(session.queries));
  rotate(numbers.queries, session.queries, base);
  numbers.key_value = {rounded(session.inputs->keys(session.keys)),
                       rounded(session.inputs->values(session.keys))};
  rotate(numbers.key_value.keys, session.keys, base);
  numbers.right = full_attention(session.plan.rule, numbers.queries, session.queries,
                                 numbers.key_value, session.keys);
  numbers.verification = verify(session, numbers.outputs, {});
  story.measured = numbers.trace;
  story.numbers = std::move(numbers);
}

}  // namespace ringlab::viz::detail
