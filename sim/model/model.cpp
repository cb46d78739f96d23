#include "ringlab/sim/model/model.hpp"

namespace ringlab {
namespace {

Index matrices_of(MlpKind kind) {
  return kind == MlpKind::gated ? 3 : 2;
}

}  // namespace

Index Model::attention_weights() const {
  const Index h = hidden, q = Index{heads} * head_dim;
  if (!latent) return h * (2 * q + 2 * Index{kv_heads} * head_dim);
  const LatentAttention& a = *latent;
  return h * a.query + Index{a.query} * heads * (head_dim + a.rope)  // queries, down and up
         + h * (a.key_value + a.rope)                                // latent and rotary key
         + Index{a.key_value} * heads * (head_dim + a.value_dim)     // keys and values, up
         + Index{heads} * a.value_dim * h;                           // output
}

Index Model::mlp_weights(int layer) const {
  if (!experts || layer < experts->dense_layers) return matrices_of(mlp) * hidden * ffn;
  return matrices_of(mlp) * hidden * experts->ffn * (experts->count + experts->shared) +
         Index{hidden} * experts->count;  // and the router
}

Index Model::active_mlp_weights(int layer) const {
  if (!experts || layer < experts->dense_layers) return mlp_weights(layer);
  return matrices_of(mlp) * hidden * experts->ffn * (experts->active + experts->shared) +
         Index{hidden} * experts->count;
}

Index Model::matrix_weights() const {
  Index sum = layers * attention_weights();
  for (int layer = 0; layer < layers; ++layer) sum += mlp_weights(layer);
  return sum;
}

Index Model::active_matrix_weights() const {
  Index sum = layers * attention_weights();
  for (int layer = 0; layer < layers; ++layer) sum += active_mlp_weights(layer);
  return sum;
}

Index Model::parameters() const {
  const Index h = hidden, kv = Index{kv_heads} * head_dim, q = Index{heads} * head_dim;
  Index sum = matrix_weights() + Index{vocabulary} * h * (tied_embedding ? 1 : 2);
  sum += Index{learned_positions} * h;
  // Two norms a layer and one at the end; with biases a norm has a shift as well as a scale.
  const Index norm = bias == BiasKind::all ? 2 * h : h;
  sum += norm * (2 * layers + 1);
  if (latent) sum += Index{layers} * (latent->query + latent->key_value);
  if (bias != BiasKind::none) sum += layers * (q + 2 * kv);
  if (bias == BiasKind::all) sum += layers * (h + ffn + h);                    // output, up, down
  if (experts) sum += Index{layers - experts->dense_layers} * experts->count;  // router's shift
  return sum;
}

Index Model::kv_bytes_per_token(int element_bytes) const {
  const Index width = latent ? latent->key_value + latent->rope : 2 * Index{kv_heads} * head_dim;
  return layers * width * element_bytes;
}

int Model::moved_head_dim() const {
  return latent ? (head_dim + latent->rope + latent->value_dim) / 2 : head_dim;
}

}  // namespace ringlab
