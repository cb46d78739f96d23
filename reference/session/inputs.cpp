#include "ringlab/reference/session/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/io/safetensors.hpp"
#include "ringlab/reference/io/text.hpp"
#include "ringlab/reference/workload/gaussian.hpp"
#include "ringlab/reference/workload/induction.hpp"

namespace ringlab {
namespace {

// Streams of one seed.
enum Stream { kQuery, kKey, kValue, kOutputGradient };

class GaussianInputs : public Inputs {
 public:
  explicit GaussianInputs(const Scenario& s)
      : seed_(s.seed), heads_(s.heads), kv_heads_(s.key_value_heads()), head_dim_(s.head_dim) {}
  Tensor<double> queries(const Positions& p) const override { return draw(kQuery, p, heads_); }
  Tensor<double> keys(const Positions& p) const override { return draw(kKey, p, kv_heads_); }
  Tensor<double> values(const Positions& p) const override { return draw(kValue, p, kv_heads_); }
  Tensor<double> output_gradients(const Positions& p) const override {
    return draw(kOutputGradient, p, heads_);
  }

 private:
  Tensor<double> draw(int stream, const Positions& p, int heads) const {
    return gaussian_tensor<double>(seed_, stream, p, heads, head_dim_);
  }
  std::uint64_t seed_;
  int heads_, kv_heads_, head_dim_;
};

class TextInputs : public GaussianInputs {
 public:
  TextInputs(const Scenario& s, std::string text)
      : GaussianInputs(s), text_(std::move(text)), head_dim_(s.head_dim) {}
  Tensor<double> queries(const Positions& p) const override { return input(p).queries; }
  Tensor<double> keys(const Positions& p) const override { return input(p).keys; }
  Tensor<double> values(const Positions& p) const override { return input(p).values; }
  const std::string& text() const override { return text_; }

 private:
  InductionInput<double> input(const Positions& p) const {
    return induction_input<double>(text_, p, head_dim_);
  }
  std::string text_;
  int head_dim_;
};

class FileInputs : public GaussianInputs {
 public:
  FileInputs(const Scenario& s, Tensor<double> q, Tensor<double> k, Tensor<double> v,
             Tensor<double> output_gradient)
      : GaussianInputs(s),
        first_query_(s.tokens - q.tokens()),
        q_(std::move(q)),
        k_(std::move(k)),
        v_(std::move(v)),
        output_gradient_(std::move(output_gradient)) {}
  Tensor<double> queries(const Positions& p) const override { return rows(q_, p, first_query_); }
  Tensor<double> keys(const Positions& p) const override { return rows(k_, p, 0); }
  Tensor<double> values(const Positions& p) const override { return rows(v_, p, 0); }
  Tensor<double> output_gradients(const Positions& p) const override {
    return output_gradient_.size() > 0 ? rows(output_gradient_, p, first_query_)
                                       : GaussianInputs::output_gradients(p);
  }

 private:
  static Tensor<double> rows(const Tensor<double>& whole, const Positions& p, Index first) {
    Tensor<double> out(p.size(), whole.heads(), whole.head_dim());
    Index row = 0;
    for (const Place& place : p.expand()) {
      const double* from = whole.row(place.position - first, 0);
      std::copy(from, from + whole.token_stride(), out.row(row++, 0));
    }
    return out;
  }
  Index first_query_;
  Tensor<double> q_, k_, v_, output_gradient_;
};

// Sets a field that the input decides; a user's different wish is refused by name.
template <class T>
class Decided {
 public:
  Decided(const std::vector<std::string>& given, const std::string& input)
      : given_(given), input_(input) {}
  void set(const char* field, T& value, T decided) const {
    const bool was_given = std::find(given_.begin(), given_.end(), field) != given_.end();
    if (was_given && value != decided) {
      throw InputError(field, fmt::format("{}", value),
                       fmt::format("'{}' has {}; leave the field out", input_, decided));
    }
    value = decided;
  }

 private:
  const std::vector<std::string>& given_;
  const std::string& input_;
};

bool is_given(const std::vector<std::string>& given, const char* field) {
  return std::find(given.begin(), given.end(), field) != given.end();
}

std::unique_ptr<Inputs> open_text(Scenario& s, const std::vector<std::string>& given) {
  const Index limit = is_given(given, "tokens") ? s.tokens : Index{1} << 30;
  std::string text = read_text(s.input, limit).bytes;
  const auto length = static_cast<Index>(text.size());
  if (is_given(given, "tokens") && length < s.tokens) {
    throw InputError("tokens", std::to_string(s.tokens),
                     fmt::format("'{}' has {} bytes of text; give that or less", s.input, length));
  }
  s.tokens = length;
  const Decided<int> decided(given, s.input);
  decided.set("heads", s.heads, 1);
  int kv_heads = s.key_value_heads();
  decided.set("kv_heads", kv_heads, 1);
  s.kv_heads = 1;
  if (!is_given(given, "head_dim")) s.head_dim = 128;
  if (!is_given(given, "scale")) s.scale = 1;
  return std::make_unique<TextInputs>(s, std::move(text));
}

std::unique_ptr<Inputs> open_tensors(Scenario& s, const std::vector<std::string>& given) {
  const SafeTensors file = read_safetensors(s.input);
  const auto tensor = [&](const char* name) {
    return tensor_from<double>(file.at(name, s.input), s.input + ":" + name);
  };
  Tensor<double> q = tensor("q"), k = tensor("k"), v = tensor("v");
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw InputError("input", fmt::format("{} ({})", s.input, what), remedy);
  };
  if (!k.same_shape(v)) refuse("k and v differ in shape", "give both [tokens, kv_heads, head_dim]");
  if (q.head_dim() != k.head_dim()) refuse("q and k differ in head_dim", "give both the same");
  if (q.tokens() > k.tokens()) {
    refuse("more queries than keys", "the queries are the last positions of the keys' sequence");
  }
  Tensor<double> output_gradient;
  if (file.tensors.count("dout") > 0) {
    output_gradient = tensor("dout");
    if (!output_gradient.same_shape(q)) refuse("dout and q differ in shape", "give both the same");
  }
  const Decided<Index> counts(given, s.input);
  const Decided<int> numbers(given, s.input);
  counts.set("tokens", s.tokens, k.tokens());
  numbers.set("heads", s.heads, static_cast<int>(q.heads()));
  int kv_heads = s.key_value_heads();
  numbers.set("kv_heads", kv_heads, static_cast<int>(k.heads()));
  s.kv_heads = kv_heads;
  numbers.set("head_dim", s.head_dim, static_cast<int>(q.head_dim()));
  Index queries = s.query_tokens.value_or(q.tokens());
  counts.set("query_tokens", queries, q.tokens());
  if (q.tokens() < k.tokens()) s.query_tokens = q.tokens();
  return std::make_unique<FileInputs>(s, std::move(q), std::move(k), std::move(v),
                                      std::move(output_gradient));
}

}  // namespace

const std::string& Inputs::text() const {
  static const std::string none;
  return none;
}

std::unique_ptr<Inputs> open_inputs(Scenario& scenario, const std::vector<std::string>& given) {
  if (scenario.input.empty()) return std::make_unique<GaussianInputs>(scenario);
  const std::string suffix = ".safetensors";
  if (scenario.input.ends_with(suffix)) return open_tensors(scenario, given);
  return open_text(scenario, given);
}

}  // namespace ringlab
