// Text as a sequence of tokens: one byte is one token.
//
// A folder is read as one sequence, its files in the order of their paths, so that the same tree
// gives the same tokens on every machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ringlab/reference/core/tensor.hpp"

namespace ringlab {

struct TextPart {
  std::string path;  // as given, then as found below it
  Index first = 0;   // position of its first byte in the sequence
  Index count = 0;   // bytes taken
  bool operator==(const TextPart&) const = default;
};

struct TextInput {
  std::string bytes;
  std::vector<TextPart> parts;  // in order; none is empty
};

/// Reads the first `limit_tokens` bytes of a file, or of a folder's text files.
///
/// In a folder, hidden folders and folders called `build` are not entered, symbolic links are not
/// followed, and files that hold a NUL byte or more than 16 MiB are passed over.
/// Throws InputError (field `input`) where no byte is left, the path is missing, or a file that is
/// named itself holds a NUL byte.
TextInput read_text(const std::filesystem::path& path, Index limit_tokens);

}  // namespace ringlab
