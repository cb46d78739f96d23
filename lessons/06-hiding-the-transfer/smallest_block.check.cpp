#include "exercise.hpp"

struct Machine {
  double flops_per_second, bytes_per_second, latency_seconds;
};

double smallest_block(Machine machine, Heads heads, double bytes, bool causal);

int main() {
  return serve([](Given& in, Answer& out) {
    Machine machine{};
    machine.flops_per_second = in.real();
    machine.bytes_per_second = in.real();
    machine.latency_seconds = in.real();
    Heads heads;
    heads.query_heads = in.integer();
    heads.kv_heads = in.integer();
    heads.head_dim = in.integer();
    const double bytes = in.real();
    out.add(smallest_block(machine, heads, bytes, in.integer() != 0));
  });
}
