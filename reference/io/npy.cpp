#include "ringlab/reference/io/npy.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/limits.hpp"

namespace ringlab {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = 1
                                       << 16;  // NumPy itself balks at 10000 unless told otherwise

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<Index>> shape;
};

// A reader of the one Python literal that can stand in a header: a dict of text, bool and tuple.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Header read() {
    Header header;
    expect('{');
    while (!take('}')) {
      const std::string key = text();
      expect(':');
      if (key == "descr") {
        once(header.descr, key);
        if (peek() == '[')
          fail("descr [...]", "save an array of plain numbers, not a structured one");
        header.descr = text();
      } else if (key == "fortran_order") {
        once(header.fortran_order, key);
        header.fortran_order = boolean();
      } else if (key == "shape") {
        once(header.shape, key);
        header.shape = tuple();
      } else {
        fail(fmt::format("header key '{}'", key), "keep descr, fortran_order and shape only");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (peek() != '\0' || at_ < text_.size()) fail(here(), "end the header after its dict");
    if (!header.descr || !header.fortran_order || !header.shape) {
      fail("header", "give descr, fortran_order and shape");
    }
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& value, const std::string& remedy) const {
    throw InputError(source_, value, remedy);
  }
  std::string here() const { return fmt::format("byte {} of the header", at_); }

  template <class Value>
  void once(const std::optional<Value>& value, const std::string& key) const {
    if (value) fail(fmt::format("header key '{}'", key), "this key stands twice; keep one");
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(here(), fmt::format("write '{}' here, as np.save does", wanted));
  }

  std::string text() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(here(), "write a quoted text here, as np.save does");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(here(), "close the quoted text");
    const std::string found(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return found;
  }
  bool boolean() {
    peek();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += std::string_view(word).size();
        return value;
      }
    }
    fail(here(), "write True or False for fortran_order");
  }
  Index integer() {
    peek();
    Index value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) fail(here(), "write whole numbers below 2^63 in the shape");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  std::vector<Index> tuple() {
    std::vector<Index> extents;
    expect('(');
    while (!take(')')) {
      extents.push_back(integer());
      if (!take(',')) {
        if (extents.size() == 1) fail(here(), "write a shape of one extent as (n,)");
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
};

ElementType type_of(const std::string& descr, const std::string& source) {
  if (descr == "<f4") return ElementType::float32;
  if (descr == "<f8") return ElementType::float64;
  if (descr == "<f2") return ElementType::float16;
  if (descr == "<V2") return ElementType::bfloat16;
  const std::string value = fmt::format("descr '{}'", descr.substr(0, 40));
  if (descr.starts_with('>')) {
    throw InputError(source, value, "big-endian: save it as little-endian, e.g. a.astype('<f4')");
  }
  if (descr.find('O') != std::string::npos) {
    throw InputError(source, value, "pickled objects are not read; save an array of numbers");
  }
  throw InputError(source, value,
                   "save it as float32, float64, float16, or bfloat16 of ml_dtypes ('<V2')");
}

const char* descr_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return "<f4";
    case ElementType::float64:
      return "<f8";
    case ElementType::float16:
      return "<f2";
    case ElementType::bfloat16:
      return "<V2";
  }
  throw InvariantError("an element type outside its enumeration");
}

// Column-major bytes to row-major: element i of the output is found by walking the index of C
// order.
std::string c_order(std::string_view bytes, const std::vector<Index>& shape, Index item) {
  std::string out(bytes.size(), '\0');
  std::vector<Index> stride(shape.size()), index(shape.size(), 0);
  Index step = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    stride[a] = step;
    step *= shape[a];
  }
  Index from = 0;
  for (Index to = 0; to < static_cast<Index>(bytes.size()); to += item) {
    bytes.copy(out.data() + to, static_cast<std::size_t>(item),
               static_cast<std::size_t>(from * item));
    for (std::size_t a = shape.size(); a-- > 0;) {
      from += stride[a];
      if (++index[a] < shape[a]) break;
      from -= stride[a] * shape[a];
      index[a] = 0;
    }
  }
  return out;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

}  // namespace

Array parse_npy(std::string_view bytes, const std::string& source) {
  const auto fail = [&](const std::string& value, const std::string& remedy) {
    throw InputError(source, value, remedy);
  };
  if (!bytes.starts_with(kMagic))
    fail("first bytes", "this is no .npy file; write it with np.save");
  if (bytes.size() < 8) fail(fmt::format("{} bytes", bytes.size()), "cut off; copy it again");
  const int major = static_cast<unsigned char>(bytes[6]);
  const int minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    fail(fmt::format("format {}.{}", major, minor), "save it as format 1.0, 2.0 or 3.0");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) {
    fail(fmt::format("{} bytes", bytes.size()), "cut off; copy it again");
  }
  const std::size_t length = little_endian(bytes.substr(8, length_bytes));
  const std::string_view rest = bytes.substr(8 + length_bytes);
  if (length > kLongestHeader) {
    fail(fmt::format("header of {} bytes", length),
         fmt::format("longer than any plain array needs ({}); save it again", kLongestHeader));
  }
  if (length > rest.size()) {
    fail(fmt::format("header of {} bytes, file of {}", length, bytes.size()),
         "cut off; copy it again");
  }
  const Header header = HeaderReader(rest.substr(0, length), source).read();
  const std::string_view data = rest.substr(length);

  Array out;
  out.type = type_of(*header.descr, source);
  out.shape = *header.shape;
  const Index wanted = element_count(out.shape, source) * bytes_of(out.type);
  if (static_cast<Index>(data.size()) != wanted) {
    fail(fmt::format("{} bytes of data for shape {}", data.size(), shape_text(out.shape)),
         fmt::format("{}; the shape needs {}",
                     static_cast<Index>(data.size()) < wanted ? "cut off, copy it again"
                                                              : "too long, save it again",
                     wanted));
  }
  out.bytes = *header.fortran_order && out.shape.size() > 1
                  ? c_order(data, out.shape, bytes_of(out.type))
                  : std::string(data);
  return out;
}

std::string npy_bytes(const Array& array) {
  array.ensure_consistent();
  std::string shape;
  for (const Index extent : array.shape) shape += fmt::format("{}, ", extent);
  if (array.shape.size() == 1) shape.pop_back();
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   descr_of(array.type), shape);
  // NumPy leaves room for the first extent to grow to 21 digits in place, then aligns data to 64.
  if (!array.shape.empty()) {
    header.append(21 - std::to_string(array.shape[0]).size(), ' ');
  }
  const std::size_t before = kMagic.size() + 4;
  header.append(64 - (before + header.size() + 1) % 64, ' ');
  header += '\n';
  RINGLAB_ENSURE(header.size() < 65536, "a header of format 1.0 is shorter than 64 KiB");

  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  return out + header + array.bytes;
}

Array read_npy(const std::filesystem::path& path) {
  return parse_npy(read_file(path, path.string(), kLargestTensorFile), path.string());
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  write_file(path, npy_bytes(array));
}

}  // namespace ringlab
