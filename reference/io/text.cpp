#include "ringlab/reference/io/text.hpp"

#include <algorithm>
#include <system_error>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/limits.hpp"

namespace ringlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kField = "input";

bool is_skipped_folder(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') || name == "build";
}

std::vector<fs::path> text_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    // The status of the link itself: a linked folder could lead in a circle.
    const fs::file_status status = it->symlink_status(error);
    if (error) break;
    if (fs::is_directory(status) && is_skipped_folder(it->path())) {
      it.disable_recursion_pending();
    } else if (fs::is_regular_file(status) && it->file_size(error) <= kLargestTextFile) {
      files.push_back(it->path());
    }
  }
  if (error) {
    throw InputError(kField, folder.string(), "cannot be read (" + error.message() + ")");
  }
  std::sort(files.begin(), files.end());
  return files;
}

void take(TextInput& input, const fs::path& path, std::string_view content, Index limit) {
  const Index held = static_cast<Index>(input.bytes.size());
  const Index count = std::min(limit - held, static_cast<Index>(content.size()));
  if (count <= 0) return;
  input.parts.push_back({path.generic_string(), held, count});
  input.bytes += content.substr(0, static_cast<std::size_t>(count));
}

bool is_text(std::string_view content) {
  return content.find('\0') == std::string_view::npos;
}

}  // namespace

TextInput read_text(const fs::path& path, Index limit_tokens) {
  if (limit_tokens < 1) {
    throw InputError("tokens", std::to_string(limit_tokens), "give 1 or more to read a text");
  }
  TextInput input;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const fs::path& file : text_files_below(path)) {
      if (static_cast<Index>(input.bytes.size()) >= limit_tokens) break;
      const std::string content = read_file(file, kField, kLargestTextFile);
      if (is_text(content)) take(input, file, content, limit_tokens);
    }
  } else {
    const std::string content = read_file(path, kField, kLargestTensorFile);
    if (!is_text(content)) {
      throw InputError(kField, path.string(),
                       "holds a NUL byte, so it is no text; name a text file");
    }
    take(input, path, content, limit_tokens);
  }
  if (input.bytes.empty()) {
    throw InputError(kField, path.string(), "holds no text; name a text file or a folder of them");
  }
  return input;
}

}  // namespace ringlab
