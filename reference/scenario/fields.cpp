#include "ringlab/reference/scenario/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ringlab/reference/scenario/mask_text.hpp"

namespace ringlab::detail {
namespace {

constexpr double kMostTokens = 2147483647;
constexpr double kMostExact = 9007199254740991;  // 2^53 - 1

FieldType whole(double least, double most) {
  return {FieldKind::whole, {{least, most}}, {}, false};
}
FieldType number(std::vector<Range> ranges) {
  return {FieldKind::number, std::move(ranges), {}, false};
}
FieldType list(FieldKind kind, Range range) {
  return {kind, {range}, {}, false};
}
FieldType plain(FieldKind kind) {
  return {kind, {}, {}, false};
}
FieldType choice(std::vector<std::string> names) {
  return {FieldKind::choice, {}, std::move(names), false};
}
FieldType or_null(FieldType type) {
  type.nullable = true;
  return type;
}

// The types that a plain member is kept as, on its way to a FieldValue and back.
template <class T>
struct Kept {
  using type = T;
};
template <>
struct Kept<int> {
  using type = Index;
};
template <>
struct Kept<std::uint64_t> {
  using type = Index;
};

template <auto member>
FieldValue get(const Scenario& s) {
  using T = std::decay_t<decltype(s.*member)>;
  return static_cast<typename Kept<T>::type>(s.*member);
}
template <auto member>
void set(Scenario& s, const FieldValue& value) {
  using T = std::decay_t<decltype(s.*member)>;
  s.*member = static_cast<T>(std::get<typename Kept<T>::type>(value));
}
template <auto member>
FieldValue get_optional(const Scenario& s) {
  using T = typename std::decay_t<decltype(s.*member)>::value_type;
  if (!(s.*member)) return std::monostate{};
  return static_cast<typename Kept<T>::type>(*(s.*member));
}
template <auto member>
void set_optional(Scenario& s, const FieldValue& value) {
  using T = typename std::decay_t<decltype(s.*member)>::value_type;
  if (std::holds_alternative<std::monostate>(value)) {
    (s.*member).reset();
  } else {
    s.*member = static_cast<T>(std::get<typename Kept<T>::type>(value));
  }
}

template <auto member>
Field row(const char* name, FieldType type, const char* help) {
  return {name, std::move(type), help, get<member>, set<member>};
}
template <auto member>
Field optional_row(const char* name, FieldType type, const char* help) {
  return {name, or_null(std::move(type)), help, get_optional<member>, set_optional<member>};
}

std::vector<Field> make_fields() {
  using S = Scenario;
  const Range finite;
  std::vector<Field> f;
  f.push_back(row<&S::tokens>("tokens", whole(0, kMostTokens), "Length of the whole sequence."));
  f.push_back(row<&S::heads>("heads", whole(1, 65536), "Number of query heads."));
  f.push_back(optional_row<&S::kv_heads>(
      "kv_heads", whole(1, 65536),
      "Number of key/value heads, a divisor of heads; null: as many as heads."));
  f.push_back(row<&S::head_dim>("head_dim", whole(1, 65536), "Width of one head."));
  f.push_back(row<&S::ranks>("ranks", whole(1, 4096), "Number of ranks that share the sequence."));
  f.push_back(
      {"layout", choice({"contiguous", "striped", "zigzag", "zigzag_per_document", "custom"}),
       "Which rank holds which tokens.",
       [](const S& s) -> FieldValue { return std::string(name(s.layout)); },
       [](S& s, const FieldValue& v) { s.layout = layout_kind_from(std::get<std::string>(v)); }});
  f.push_back(row<&S::layout_file>(
      "layout_file", plain(FieldKind::text),
      "JSON file with the owner of each token or the runs of each rank, for layout custom."));
  f.push_back({"mask", plain(FieldKind::mask),
               "Which keys a query sees, e.g. causal+window=127:0+prefix=16; * is no bound.",
               [](const S& s) -> FieldValue { return to_text(s.mask); },
               [](S& s, const FieldValue& v) { s.mask = mask_from(std::get<std::string>(v)); }});
  f.push_back(row<&S::documents>(
      "documents", list(FieldKind::whole_list, {1, kMostTokens}),
      "Lengths of the packed documents, which see only themselves; empty: one document."));
  f.push_back(optional_row<&S::query_tokens>(
      "query_tokens", whole(0, kMostTokens),
      "The queries are the last so many positions, as in decoding; null: all."));
  f.push_back(row<&S::schedule>("schedule", plain(FieldKind::name), "Name of the algorithm."));
  f.push_back(
      {"rotation", choice({"next", "previous"}), "The neighbour to which blocks travel in a ring.",
       [](const S& s) -> FieldValue { return std::string(name(s.rotation)); },
       [](S& s, const FieldValue& v) {
         s.rotation = std::get<std::string>(v) == "next" ? Rotation::next : Rotation::previous;
       }});
  f.push_back(row<&S::degree>(
      "degree", plain(FieldKind::text),
      "Sizes of the schedule's mesh, innermost first, e.g. U=2,R=4; empty: its own choice."));
  f.push_back(
      {"dtype", choice({"float32", "float64", "float16", "bfloat16"}),
       "Type of the numbers of the run; 16-bit inputs are for the CUDA devices.",
       [](const S& s) -> FieldValue { return std::string(name(s.dtype)); },
       [](S& s, const FieldValue& v) { s.dtype = element_type_from(std::get<std::string>(v)); }});
  f.push_back(optional_row<&S::scale>(
      "scale", number({{-kAnyFinite, 0, false, true}, {0, kAnyFinite, true, false}}),
      "Factor of q . k; null: 1 / sqrt(head_dim)."));
  f.push_back(row<&S::soft_cap>("soft_cap", number({{0, kAnyFinite}}),
                                "Scores are capped to c tanh(s / c); 0: not."));
  f.push_back(row<&S::sinks>("sinks", list(FieldKind::number_list, finite),
                             "One sink logit for each query head; empty: none."));
  f.push_back(row<&S::alibi>("alibi", plain(FieldKind::flag),
                             "Lower scores by distance, with the slopes of the ALiBi paper."));
  f.push_back(row<&S::rotary_base>("rotary_base", number({{0, 0}, {1, kAnyFinite, true, false}}),
                                   "Base of the rotary embedding, e.g. 10000; 0: none."));
  f.push_back(row<&S::dropout>("dropout", number({{0, 1, false, true}}),
                               "Probability with which an attention weight is dropped."));
  f.push_back(row<&S::seed>("seed", whole(0, kMostExact), "Seed of every random draw."));
  f.push_back(row<&S::backward>("backward", plain(FieldKind::flag), "Also compute the gradients."));
  f.push_back(row<&S::input>(
      "input", plain(FieldKind::text),
      "Text file, folder of text, or .safetensors with q, k, v; empty: Gaussian numbers."));
  f.push_back(row<&S::hardware>("hardware", plain(FieldKind::text),
                                "Name of a cluster for the simulator; empty: none."));
  return f;
}

// Edit distance (Levenshtein), one row at a time.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

const std::vector<Field>& fields() {
  static const std::vector<Field> table = make_fields();
  return table;
}

const Field& field_named(const std::string& wanted) {
  const std::string short_name = wanted.substr(0, 60);
  const Field* nearest = nullptr;
  std::string known;
  for (const Field& field : fields()) {
    if (field.name == wanted) return field;
    if (!nearest || distance(short_name, field.name) < distance(short_name, nearest->name)) {
      nearest = &field;
    }
    known += (known.empty() ? "" : ", ") + field.name;
  }
  throw InputError(short_name.empty() ? "\"\"" : short_name, "unknown field",
                   fmt::format("did you mean {}? The fields are {}", nearest->name, known));
}

}  // namespace ringlab::detail
