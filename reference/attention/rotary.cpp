#include "ringlab/reference/attention/rotary.hpp"

#include <cmath>

namespace ringlab {

template <class T>
void rotate(Tensor<T>& values, const Positions& positions, double base, bool inverse) {
  if (base <= 0) return;
  RINGLAB_ENSURE(values.tokens() == positions.size(), "one position for each token");
  if (values.head_dim() % 2 != 0) {
    throw InputError("head_dim", std::to_string(values.head_dim()), "give an even one with rotary");
  }
  const Index half = values.head_dim() / 2;
  const std::vector<Place> places = positions.expand();
  for (Index d = 0; d < half; ++d) {
    const double frequency =
        std::pow(base, -2.0 * static_cast<double>(d) / static_cast<double>(values.head_dim()));
    for (Index i = 0; i < values.tokens(); ++i) {
      const double angle =
          static_cast<double>(places[static_cast<std::size_t>(i)].position) * frequency;
      const T c = static_cast<T>(std::cos(angle));
      const T s = static_cast<T>(inverse ? -std::sin(angle) : std::sin(angle));
      for (Index h = 0; h < values.heads(); ++h) {
        T& x = values(i, h, d);
        T& y = values(i, h, d + half);
        const T turned = x * c - y * s;
        y = x * s + y * c;
        x = turned;
      }
    }
  }
}

template void rotate<float>(Tensor<float>&, const Positions&, double, bool);
template void rotate<double>(Tensor<double>&, const Positions&, double, bool);

}  // namespace ringlab
