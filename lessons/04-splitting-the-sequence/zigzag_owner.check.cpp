#include "exercise.hpp"

long long zigzag_owner(long long position, long long tokens, long long ranks);

int main() {
  return serve([](Given& in, Answer& out) {
    const long long position = in.integer(), tokens = in.integer(), ranks = in.integer();
    out.add(static_cast<double>(zigzag_owner(position, tokens, ranks)));
  });
}
