#include "ringlab/reference/schedule/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {
namespace {

std::string example(const std::vector<std::string>& axes, int ranks) {
  return fmt::format("give sizes that multiply up to {} ranks, such as {}={},{}=1", ranks,
                     axes.front(), ranks, axes.back());
}

}  // namespace

Degree degree_from(const std::string& text) {
  Degree degree;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equals = part.find('=');
    const std::string number = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (equals == std::string::npos || equals == 0 || number.empty() || number.size() > 6 ||
        number.find_first_not_of("0123456789") != std::string::npos) {
      throw InputError("degree", fmt::format("'{}'", text), "give axes and sizes, such as U=2,R=4");
    }
    degree.emplace_back(part.substr(0, equals), std::stoi(number));
    at = end + 1;
  }
  return degree;
}

std::string to_text(const Degree& degree) {
  std::string text;
  for (const auto& [axis, size] : degree) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", axis, size);
  }
  return text;
}

Mesh::Mesh(const Degree& degree, const std::vector<std::string>& axes, int ranks) {
  int product = 1;
  for (const auto& [name, size] : degree) {
    const bool known = std::find(axes.begin(), axes.end(), name) != axes.end();
    const auto same = [&, wanted = name](const Axis& a) { return a.name == wanted; };
    if (!known || std::any_of(axes_.begin(), axes_.end(), same)) {
      throw InputError("degree", to_text(degree),
                       fmt::format("name each of the axes {} once", fmt::join(axes, ", ")));
    }
    if (size < 1 || size > ranks) throw InputError("degree", to_text(degree), example(axes, ranks));
    axes_.push_back({name, size, product});
    product *= size;
  }
  if (axes_.size() != axes.size() || product != ranks) {
    throw InputError("degree", to_text(degree), example(axes, ranks));
  }
}

const Mesh::Axis& Mesh::axis(const std::string& name) const {
  const auto found =
      std::find_if(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.name == name; });
  RINGLAB_ENSURE(found != axes_.end(), "the mesh has the axis");
  return *found;
}

int Mesh::size(const std::string& name) const {
  return axis(name).size;
}

int Mesh::at(const std::string& name, int rank) const {
  const Axis& a = axis(name);
  return rank / a.stride % a.size;
}

std::vector<int> Mesh::group(const std::string& name, int rank) const {
  const Axis& a = axis(name);
  std::vector<int> ranks;
  for (int c = 0; c < a.size; ++c) ranks.push_back(rank + (c - at(name, rank)) * a.stride);
  return ranks;
}

RingSeat::RingSeat(std::vector<int> group, int rank, Rotation rotation)
    : group_(std::move(group)), step_(rotation == Rotation::next ? 1 : -1) {
  const auto found = std::find(group_.begin(), group_.end(), rank);
  RINGLAB_ENSURE(found != group_.end(), "a rank sits in its own ring");
  seat_ = static_cast<int>(found - group_.begin());
}

int RingSeat::member(int offset) const {
  const int n = size();
  return group_[static_cast<std::size_t>(((seat_ + offset) % n + n) % n)];
}

std::vector<int> all_ranks(int ranks) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace ringlab
