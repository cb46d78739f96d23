// Reads a model's shape strictly: what is not a field is refused, with the fields that are.
#include <fmt/format.h>

#include <algorithm>
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

// "layers=40,heads=64,kv_heads=8,head_dim=128" as the JSON of a plain transformer: what is not
// given is as wide as usual, hidden = heads x head_dim and an MLP four times as wide.
std::string json_of_shape(const std::string& text) {
  const std::vector<std::string> names = {"layers",   "hidden", "heads",     "kv_heads",
                                          "head_dim", "ffn",    "vocabulary"};
  Json shape = {{"mlp", "plain"}};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string digits = item.substr(std::min(equals + 1, item.size()));
    const bool known = std::find(names.begin(), names.end(), item.substr(0, equals)) != names.end();
    if (!known || digits.empty() || digits.size() > 9 || shape.contains(item.substr(0, equals)) ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      throw InputError("model", fmt::format("'{}'", text),
                       "give a name, a file, or a shape such as "
                       "layers=32,heads=32,kv_heads=8,head_dim=128");
    }
    shape[item.substr(0, equals)] = std::stoi(digits);
    begin = end + 1;
  }
  const auto or_else = [&shape](const char* name, std::int64_t value) {
    if (!shape.contains(name)) shape[name] = value;
  };
  or_else("layers", 1);
  or_else("heads", 1);
  or_else("head_dim", 128);
  or_else("hidden", shape["heads"].get<std::int64_t>() * shape["head_dim"].get<std::int64_t>());
  or_else("ffn", 4 * shape["hidden"].get<std::int64_t>());
  or_else("vocabulary", 32000);
  return shape.dump();
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
  if (name_or_file.find('=') != std::string::npos && name_or_file.find('/') == std::string::npos &&
      !std::filesystem::exists(name_or_file)) {
    Model model = parse_model(json_of_shape(name_or_file), "model");
    model.name = name_or_file;
    return model;
  }
  return parse_model(detail::preset_or_file("models", name_or_file, "model"), name_or_file);
}

}  // namespace ringlab
