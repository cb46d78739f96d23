#include "exercise.hpp"

struct Model {
  long long layers, query_heads, kv_heads, head_dim, bytes_per_number;
};

double kv_cache_bytes(Model model, long long tokens, long long ranks);
long long longest_sequence(Model model, double bytes, long long ranks);

int main() {
  return serve([](Given& in, Answer& out) {
    Model model{};
    model.layers = in.integer();
    model.query_heads = in.integer();
    model.kv_heads = in.integer();
    model.head_dim = in.integer();
    model.bytes_per_number = in.integer();
    const long long tokens = in.integer(), ranks = in.integer();
    const double room = in.real();
    out.add(room > 0 ? static_cast<double>(longest_sequence(model, room, ranks))
                     : kv_cache_bytes(model, tokens, ranks));
  });
}
