#include "ringlab/reference/transport/detail/control.hpp"

#include <cstring>
#include <type_traits>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::detail {
namespace {

// Texts are cut such that a message stays below the size up to which every MPI sends eagerly: a
// control message must leave even if its receiver is busy.
constexpr std::size_t kLongestText = 1500;
constexpr std::size_t kLongestLabel = 24;
constexpr std::size_t kLongestPath = 64;

class Writer {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(const std::string& text, std::size_t longest) {
    const std::string cut = text.substr(0, longest);
    put(static_cast<std::uint32_t>(cut.size()));
    out_ += cut;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(const std::string& in) : in_(in) {}
  template <class T>
  T get() {
    T value{};
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string get_text() {
    const std::size_t length = get<std::uint32_t>();
    const char* start = take(length);
    return {start, length};
  }

 private:
  const char* take(std::size_t count) {
    if (in_.size() - used_ < count) throw RunError("a control message is cut short");
    used_ += count;
    return in_.data() + (used_ - count);
  }
  const std::string& in_;
  std::size_t used_ = 0;
};

}  // namespace

std::string pack(const Control& c) {
  Writer w;
  w.put(c.kind);
  w.put(c.hop);
  w.put(c.origin);
  w.put(c.bytes);
  w.put(c.wait);
  w.put(c.index);
  w.put_text(c.text, c.kind == Control::Kind::ready ? kLongestLabel : kLongestText);
  w.put(static_cast<std::uint32_t>(std::min(c.path.size(), kLongestPath)));
  for (std::size_t i = 0; i < c.path.size() && i < kLongestPath; ++i) {
    const Link& link = c.path[i];
    w.put(link.rank);
    w.put(link.peer);
    w.put(link.hop);
    w.put(link.side);
    w.put_text(link.label, kLongestLabel);
  }
  return w.take();
}

Control unpack(const std::string& bytes) {
  Reader r(bytes);
  Control c;
  c.kind = r.get<Control::Kind>();
  c.hop = r.get<std::int32_t>();
  c.origin = r.get<std::int32_t>();
  c.bytes = r.get<std::uint64_t>();
  c.wait = r.get<std::uint64_t>();
  c.index = r.get<std::uint64_t>();
  c.text = r.get_text();
  const std::size_t links = r.get<std::uint32_t>();
  for (std::size_t i = 0; i < links; ++i) {
    Link link;
    link.rank = r.get<int>();
    link.peer = r.get<int>();
    link.hop = r.get<int>();
    link.side = r.get<Side>();
    link.label = r.get_text();
    c.path.push_back(std::move(link));
  }
  return c;
}

}  // namespace ringlab::detail
