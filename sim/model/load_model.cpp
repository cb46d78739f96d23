// Reads a model's shape strictly: what is not a field is refused, with the fields that are.
#include <fmt/format.h>

#include <filesystem>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/sim/cluster/json_fields.hpp"
#include "ringlab/sim/model/model.hpp"

namespace ringlab {
namespace {

using detail::Json;
using detail::JsonFields;

// Bounds that keep the number of parameters, and every product on the way, within 64 bits.
constexpr int kMostWidth = 1 << 17;
constexpr int kMostLayers = 1 << 12;
constexpr int kMostVocabulary = 1 << 24;
constexpr int kMostExperts = 1 << 12;

int count(JsonFields& fields, const std::string& field, int most) {
  return fields.integer(field, 1, most);
}

int count_or(JsonFields& fields, const std::string& field, int most, int other) {
  return fields.has(field) ? fields.integer(field, 0, most) : other;
}

template <class Kind>
Kind choice(JsonFields& fields, const std::string& field, const std::string& other,
            const std::vector<std::pair<std::string, Kind>>& choices) {
  const std::string text = fields.text_or(field, other);
  std::string names;
  for (const auto& [name, kind] : choices) {
    if (name == text) return kind;
    names += (names.empty() ? "" : ", ") + name;
  }
  throw InputError(fields.name(field), text, "use one of: " + names);
}

}  // namespace

Model parse_model(std::string_view json_text, const std::string& source) {
  const Json json = detail::parse_json(json_text, source);
  JsonFields fields(json, "");
  Model m;
  m.name = fields.text_or("name", std::filesystem::path(source).stem().string());
  m.layers = count(fields, "layers", kMostLayers);
  m.hidden = count(fields, "hidden", kMostWidth);
  m.heads = count(fields, "heads", 1 << 12);
  m.kv_heads = fields.has("kv_heads") ? count(fields, "kv_heads", 1 << 12) : m.heads;
  m.head_dim = count(fields, "head_dim", 1 << 12);
  m.ffn = count(fields, "ffn", 1 << 20);
  m.vocabulary = count(fields, "vocabulary", kMostVocabulary);
  m.mlp = choice<MlpKind>(fields, "mlp", "gated",
                          {{"plain", MlpKind::plain}, {"gated", MlpKind::gated}});
  m.bias = choice<BiasKind>(fields, "bias", "none",
                            {{"none", BiasKind::none},
                             {"query_key_value", BiasKind::query_key_value},
                             {"all", BiasKind::all}});
  m.tied_embedding = fields.flag_or("tied_embedding", false);
  m.learned_positions = count_or(fields, "learned_positions", 1 << 30, 0);
  if (fields.has("window")) m.window = count(fields, "window", 1 << 30);
  m.source = fields.text_or("source", "");
  if (fields.has("latent")) {
    JsonFields inner(fields.at("latent"), "latent");
    m.latent =
        LatentAttention{count(inner, "key_value", kMostWidth), count_or(inner, "rope", 1 << 12, 0),
                        count(inner, "query", kMostWidth), count(inner, "value_dim", 1 << 12)};
    inner.finish();
  }
  if (fields.has("experts")) {
    JsonFields inner(fields.at("experts"), "experts");
    m.experts = Experts{count(inner, "count", kMostExperts), count(inner, "active", kMostExperts),
                        count_or(inner, "shared", kMostExperts, 0), count(inner, "ffn", kMostWidth),
                        count_or(inner, "dense_layers", kMostLayers, 0)};
    inner.finish();
    if (m.experts->active > m.experts->count) {
      throw InputError("experts.active", std::to_string(m.experts->active),
                       fmt::format("give at most count, {}", m.experts->count));
    }
    if (m.experts->dense_layers > m.layers) {
      throw InputError("experts.dense_layers", std::to_string(m.experts->dense_layers),
                       fmt::format("give at most layers, {}", m.layers));
    }
  }
  fields.finish();
  if (m.heads % m.kv_heads != 0) {
    throw InputError("kv_heads", std::to_string(m.kv_heads),
                     fmt::format("give a divisor of heads, {}", m.heads));
  }
  return m;
}

Model load_model(const std::string& name_or_file) {
  return parse_model(detail::preset_or_file("models", name_or_file, "model"), name_or_file);
}

}  // namespace ringlab
