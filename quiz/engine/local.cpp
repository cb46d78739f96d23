#include "ringlab/quiz/engine/local.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <random>
#include <utility>

#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {
namespace {

namespace fs = std::filesystem;

void make(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw InputError("data folder", folder.string(),
                     "cannot be made (" + error.message() + "); set XDG_DATA_HOME");
  }
}

}  // namespace

fs::path data_path() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data != nullptr && fs::path(data).is_absolute()) return fs::path(data) / "ringlab" / "quiz";
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".local" / "share" / "ringlab" / "quiz";
}

fs::path data_folder() {
  const fs::path folder = data_path();
  if (folder.empty()) {
    throw InputError("data folder", "HOME is not set", "set HOME or XDG_DATA_HOME");
  }
  make(folder);
  return folder;
}

std::optional<FolderLock> FolderLock::attempt(const fs::path& folder) {
  make(folder);
  const int file = ::open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    throw InputError("data folder", folder.string(), "cannot be written; set XDG_DATA_HOME");
  }
  FolderLock lock(file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

Progress ProgressStore::read() const {
  return in_memory() ? memory_ : load_progress(folder_ / "progress.json");
}

bool ProgressStore::change(const std::function<void(Progress&)>& edit) {
  if (in_memory()) {
    edit(memory_);
    return true;
  }
  const std::optional<FolderLock> lock = FolderLock::attempt(folder_);
  if (!lock) return false;
  const Progress before = read();
  Progress after = before;
  edit(after);
  if (after != before) save_progress(folder_ / "progress.json", after);
  return true;
}

std::int64_t now_seconds() {
  return static_cast<std::int64_t>(std::time(nullptr));
}

std::string time_text(std::int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return ((std::uint64_t{device()} << 32) | device()) % kSeedEnd;
}

}  // namespace ringlab::quiz
