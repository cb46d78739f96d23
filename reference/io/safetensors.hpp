// Hugging Face's .safetensors files: named tensors behind one JSON header.
//
// 8 bytes of header length, the header, the data; every tensor names its place in the data. The
// reader trusts none of it: places must tile the data without overlap, hole or remainder, and each
// must be as long as its dtype and shape say.
// Format: huggingface.co/docs/safetensors
#pragma once

#include <filesystem>
#include <map>
#include <string_view>

#include "ringlab/reference/io/array.hpp"

namespace ringlab {

struct SafeTensors {
  std::map<std::string, Array> tensors;
  std::map<std::string, std::string> metadata;  // the header's __metadata__

  /// The tensor of this name. Throws InputError (`source`) that lists the names there are.
  const Array& at(const std::string& name, const std::string& source) const;

  bool operator==(const SafeTensors&) const = default;
};

/// Dtypes F32, F64, F16 and BF16. Throws InputError whose field is the path.
SafeTensors read_safetensors(const std::filesystem::path& path);

/// The same from the bytes of a file. Throws InputError whose field is `source`.
SafeTensors parse_safetensors(std::string_view bytes, const std::string& source);

/// The bytes of a file: wide types first, then by name, so that every tensor is aligned.
std::string safetensors_bytes(const SafeTensors& content);

/// Throws InputError where the file cannot be written.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& content);

}  // namespace ringlab
