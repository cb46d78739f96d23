#include "ringlab/reference/io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"
#include "ringlab/reference/io/limits.hpp"

namespace ringlab {
namespace {

using detail::Json;

constexpr std::uint64_t kLongestHeader = 100'000'000;  // the official reader's own bound
constexpr const char* kMetadata = "__metadata__";

// One tensor of the header, not yet cut out of the data.
struct Entry {
  std::string name;
  ElementType type = ElementType::float32;
  std::vector<Index> shape;
  Index begin = 0, end = 0;  // bytes of the data
};

const char* dtype_of(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return "F32";
    case ElementType::float64:
      return "F64";
    case ElementType::float16:
      return "F16";
    case ElementType::bfloat16:
      return "BF16";
  }
  throw InvariantError("an element type outside its enumeration");
}

std::string quoted(const std::string& name) {
  return detail::brief(Json(name));
}

class HeaderReader {
 public:
  HeaderReader(const std::string& source, Index data_bytes)
      : source_(source), data_bytes_(data_bytes) {}

  std::map<std::string, std::string> metadata(const Json& value) const {
    std::map<std::string, std::string> out;
    if (!value.is_object()) fail(kMetadata, "make it an object of texts");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) fail(fmt::format("{} {}", kMetadata, quoted(key)), "make it a text");
      out[key] = text.get<std::string>();
    }
    return out;
  }

  Entry entry(const std::string& tensor, const Json& value) const {
    Entry out;
    out.name = tensor;
    const std::string where = "tensor " + quoted(tensor);
    if (!value.is_object()) fail(where, "make it an object of dtype, shape and data_offsets");
    out.type = dtype(member(value, where, "dtype"), where);
    out.shape = integers(member(value, where, "shape"), where + ": shape");
    const Json& places = member(value, where, "data_offsets");
    const std::vector<Index> offsets = integers(places, where + ": data_offsets");
    if (offsets.size() != 2) fail(where + ": data_offsets", "give two numbers, [begin, end]");
    out.begin = offsets[0];
    out.end = offsets[1];
    if (out.begin > out.end || out.end > data_bytes_) {
      fail(fmt::format("{}: data_offsets [{}, {}]", where, out.begin, out.end),
           fmt::format("out of range: 0 <= begin <= end <= {}, the bytes of data in the file",
                       data_bytes_));
    }
    const Index wanted = element_count(out.shape, source_) * bytes_of(out.type);
    if (out.end - out.begin != wanted) {
      fail(fmt::format("{}: {} bytes for shape {}", where, out.end - out.begin,
                       shape_text(out.shape)),
           fmt::format("the shape needs {} bytes of {}", wanted, name(out.type)));
    }
    return out;
  }

  // Sorted by place, the tensors follow each other exactly and fill the data.
  void check_tiling(std::vector<Entry>& entries) const {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    Index filled = 0;
    for (const Entry& entry : entries) {
      if (entry.begin != filled) {
        fail(fmt::format("tensor {}: data_offsets [{}, {}]", quoted(entry.name), entry.begin,
                         entry.end),
             fmt::format("{}: begin at {}, where the tensor before it ends",
                         entry.begin < filled ? "overlap" : "hole", filled));
      }
      filled = entry.end;
    }
    if (filled != data_bytes_) {
      fail(fmt::format("{} bytes of data", data_bytes_),
           fmt::format("the header accounts for {}; write the file again", filled));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& value, const std::string& remedy) const {
    throw InputError(source_, value, remedy);
  }

  const Json& member(const Json& object, const std::string& where, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(fmt::format("{}: no {}", where, key), "write the file again");
    return *found;
  }

  ElementType dtype(const Json& value, const std::string& where) const {
    for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::float16,
                                   ElementType::bfloat16}) {
      if (value == dtype_of(type)) return type;
    }
    fail(fmt::format("{}: dtype {}", where, detail::brief(value)),
         "save it as F32, F64, F16 or BF16");
  }

  std::vector<Index> integers(const Json& value, const std::string& where) const {
    std::vector<Index> out;
    if (!value.is_array()) fail(where, "give a list of whole numbers");
    for (const Json& item : value) {
      if (!item.is_number_unsigned() || item.get<std::uint64_t>() > std::uint64_t{1} << 62) {
        fail(fmt::format("{} {}", where, detail::brief(item)), "give whole numbers from 0 to 2^62");
      }
      out.push_back(item.get<Index>());
    }
    return out;
  }

  const std::string& source_;
  Index data_bytes_;
};

}  // namespace

const Array& SafeTensors::at(const std::string& tensor, const std::string& source) const {
  const auto found = tensors.find(tensor);
  if (found != tensors.end()) return found->second;
  std::string known;
  for (const auto& [other, array] : tensors) known += (known.empty() ? "" : ", ") + quoted(other);
  throw InputError(source, "no tensor " + quoted(tensor),
                   tensors.empty() ? "the file is empty" : "it holds " + known.substr(0, 200));
}

SafeTensors parse_safetensors(std::string_view bytes, const std::string& source) {
  const auto fail = [&](const std::string& value, const std::string& remedy) {
    throw InputError(source, value, remedy);
  };
  if (bytes.size() < 8) {
    fail(fmt::format("{} bytes", bytes.size()), "too short for a .safetensors file; copy it again");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  const std::string stated = fmt::format("header of {} bytes", length);
  if (length > kLongestHeader) {
    fail(stated, fmt::format("longer than {} bytes; this is no .safetensors file", kLongestHeader));
  }
  if (length > bytes.size() - 8) {
    fail(stated, fmt::format("the file has only {} bytes; copy it again", bytes.size()));
  }
  const std::string_view header = bytes.substr(8, length);
  const std::string_view data = bytes.substr(8 + length);
  if (!header.starts_with('{')) fail("first byte of the header", "begin the header with '{'");

  const Json parsed = detail::parse_json(header, source);
  const HeaderReader reader(source, static_cast<Index>(data.size()));
  SafeTensors out;
  std::vector<Entry> entries;
  for (const auto& [key, value] : parsed.items()) {
    if (key == kMetadata) {
      out.metadata = reader.metadata(value);
    } else {
      entries.push_back(reader.entry(key, value));
    }
  }
  reader.check_tiling(entries);
  for (Entry& entry : entries) {
    const std::string_view part = data.substr(static_cast<std::size_t>(entry.begin),
                                              static_cast<std::size_t>(entry.end - entry.begin));
    out.tensors[entry.name] = {entry.type, std::move(entry.shape), std::string(part)};
  }
  return out;
}

std::string safetensors_bytes(const SafeTensors& content) {
  std::vector<const std::pair<const std::string, Array>*> order;
  for (const auto& item : content.tensors) {
    RINGLAB_ENSURE(item.first != kMetadata, "__metadata__ is no name for a tensor");
    order.push_back(&item);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return bytes_of(a->second.type) > bytes_of(b->second.type);
  });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!content.metadata.empty()) header[kMetadata] = content.metadata;
  std::string data;
  for (const auto* item : order) {
    const Array& array = item->second;
    array.ensure_consistent();
    const std::size_t begin = data.size();
    data += array.bytes;
    header[item->first] = {{"dtype", dtype_of(array.type)},
                           {"shape", array.shape},
                           {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string out;
  for (int byte = 0; byte < 8; ++byte) {
    out += static_cast<char>(std::uint64_t{text.size()} >> (8 * byte) & 0xff);
  }
  return out + text + data;
}

SafeTensors read_safetensors(const std::filesystem::path& path) {
  return parse_safetensors(read_file(path, path.string(), kLargestTensorFile), path.string());
}

void write_safetensors(const std::filesystem::path& path, const SafeTensors& content) {
  write_file(path, safetensors_bytes(content));
}

}  // namespace ringlab
