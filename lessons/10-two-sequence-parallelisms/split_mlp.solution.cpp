#include "split_mlp.hpp"

Passed train(Group& group, const Everywhere& x, const Layer& layer, const Everywhere& dy) {
  const std::size_t ranks = x.size();
  Everywhere normed(ranks), hidden(ranks), share(ranks), dx(ranks), dgain(ranks);
  for (std::size_t r = 0; r < ranks; ++r) normed[r] = scaled(x[r], layer.gain[r]);
  const Everywhere tokens = group.all_gather(normed);
  for (std::size_t r = 0; r < ranks; ++r) {
    hidden[r] = product(tokens[r], layer.a[r]);
    share[r] = product(relu(hidden[r]), layer.b[r]);
  }
  const Everywhere y = group.reduce_scatter(share);

  // The way back: where forward gathered, backward sums and scatters, and the other way round.
  const Everywhere dshare = group.all_gather(dy);
  for (std::size_t r = 0; r < ranks; ++r) {
    const Matrix dhidden = relu_back(product(dshare[r], transposed(layer.b[r])), hidden[r]);
    share[r] = product(dhidden, transposed(layer.a[r]));
  }
  const Everywhere dnormed = group.reduce_scatter(share);
  for (std::size_t r = 0; r < ranks; ++r) {
    dx[r] = scaled(dnormed[r], layer.gain[r]);
    dgain[r] = column_sums(x[r], dnormed[r]);  // of this rank's tokens only
  }
  return {y, dx, group.all_reduce(dgain)};
}
