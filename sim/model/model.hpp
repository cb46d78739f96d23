// A transformer as a planner sees it: its shape, and what follows from the shape alone.
//
// Small files in sim/data/models (or the reader's own) hold the shapes. Next: flops.hpp counts the
// work, sim/memory the bytes of a rank.
#pragma once

#include <optional>
#include <string>

#include "ringlab/reference/core/tensor.hpp"

namespace ringlab {

/// Two matrices (up, down) or three (gate, up, down).
enum class MlpKind { plain, gated };
/// Which products add a bias.
enum class BiasKind { none, query_key_value, all };

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1): the cache keeps one
/// latent vector and one rotary key a token, shared by all heads.
struct LatentAttention {
  int key_value = 512;  // width of the cached latent
  int rope = 64;        // width of the rotary part of a key, beside head_dim
  int query = 1536;     // width of the query latent
  int value_dim = 128;  // width of one head's values
  bool operator==(const LatentAttention&) const = default;
};

/// A mixture of experts in the place of the MLP: a factor on its weights and on its work.
struct Experts {
  int count = 0;         // routed experts of a layer
  int active = 0;        // of them, for one token
  int shared = 0;        // experts that every token passes
  int ffn = 0;           // width of one expert
  int dense_layers = 0;  // layers, the first ones, that have a plain MLP of the model's ffn
  bool operator==(const Experts&) const = default;
};

struct Model {
  std::string name;
  int layers = 1, hidden = 1, heads = 1, kv_heads = 1, head_dim = 1;
  int ffn = 1, vocabulary = 1;
  MlpKind mlp = MlpKind::gated;
  BiasKind bias = BiasKind::none;
  bool tied_embedding = false;  // the head is the embedding table
  int learned_positions = 0;    // rows of a table of positions; 0: rotary
  std::optional<Index> window;  // a query sees this many keys, itself among them
  std::optional<LatentAttention> latent;
  std::optional<Experts> experts;
  std::string source;

  /// Weights of the matrix products of one layer's attention: h (2 q + 2 kv) without latents.
  Index attention_weights() const;
  /// Weights of the MLP of a layer, all experts; and those that one token meets.
  Index mlp_weights(int layer) const;
  Index active_mlp_weights(int layer) const;
  /// Weights of matrix products of all layers; what is held, and what one token meets.
  Index matrix_weights() const;
  Index active_matrix_weights() const;
  /// All parameters: matrices, embedding and head, norms, biases, positions, routers.
  Index parameters() const;

  /// Bytes of keys and values (or latents) of one token in all layers.
  Index kv_bytes_per_token(int element_bytes = 2) const;

  /// What sequence parallelism moves and multiplies: with latents, every head has its own keys of
  /// head_dim + rope and values of value_dim, which is as if both had the mean of the two.
  int moved_kv_heads() const { return latent ? heads : kv_heads; }
  int moved_head_dim() const;

  bool operator==(const Model&) const = default;
};

/// A model by preset name (sim/data/models), from a JSON file, or a plain one by its shape
/// ("layers=32,heads=32,kv_heads=8,head_dim=128"; hidden, ffn, vocabulary too). Throws InputError
/// by field: unknown, missing or out of range, heads that kv_heads does not divide.
Model load_model(const std::string& name_or_file);

/// The same from text; `source` names it in messages.
Model parse_model(std::string_view json_text, const std::string& source);

}  // namespace ringlab
