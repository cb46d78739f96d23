#include "ringlab/reference/core/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path, const std::string& what, std::uint64_t limit_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw InputError(what, path.string(), "no such file; check the path");
  }
  if (fs::is_directory(status)) {
    throw InputError(what, path.string(), "this is a folder; name a file");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(what, path.string(), "cannot be read; check its permissions");
  std::string content;
  char chunk[1 << 16];
  while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
    content.append(chunk, static_cast<std::size_t>(in.gcount()));
    if (content.size() > limit_bytes) {
      throw InputError(what, path.string(),
                       fmt::format("larger than {} bytes; give a smaller file", limit_bytes));
    }
  }
  return content;
}

void write_file(const fs::path& path, std::string_view content, const std::string& what) {
  const auto refuse = [&](const std::string& remedy) {
    throw InputError(what, path.string(), remedy);
  };
  std::error_code error;
  if (fs::is_directory(path, error)) refuse("a folder stands there; name a file");
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error)) refuse("its folder does not exist; make it first");

  const fs::path beside = parent / fmt::format(".{}.{}.part", path.filename().string(), ::getpid());
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out) {
      const std::string reason = std::strerror(errno);
      fs::remove(beside, error);
      refuse("cannot be written (" + reason + "); check permissions and free space");
    }
  }
  fs::rename(beside, path, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove(beside, error);
    refuse("cannot be replaced (" + reason + ")");
  }
}

}  // namespace ringlab
