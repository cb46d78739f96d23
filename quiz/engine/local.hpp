// What is not pure about a quiz: the learner's folder and who may write there, the clock, chance.
//
// Whoever writes progress holds the folder's lock from reading to writing, so of two programs that
// are open at once neither can lose an answer of the other.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "ringlab/quiz/engine/progress.hpp"

namespace ringlab::quiz {

/// $XDG_DATA_HOME/ringlab/quiz, or ~/.local/share/ringlab/quiz; empty where there is no home.
std::filesystem::path data_path();
/// The same, made if it is not there. Throws InputError (field `data folder`).
std::filesystem::path data_folder();

/// A folder held by this object alone, among all programs, while it lives.
class FolderLock {
 public:
  /// Nothing if somebody else holds it. Throws InputError for a folder that cannot be written.
  static std::optional<FolderLock> attempt(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_ = -1;
};

/// Where progress is kept: in progress.json of a folder, or in memory.
class ProgressStore {
 public:
  /// An empty path keeps it in memory: for pictures, scripts and tests.
  explicit ProgressStore(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  bool in_memory() const { return folder_.empty(); }
  /// Throws InputError for a file that cannot be read.
  Progress read() const;
  /// Reads, changes and writes, all under the lock. False, and nothing has happened, while another
  /// program holds that. Throws InputError.
  bool change(const std::function<void(Progress&)>& edit);

 private:
  std::filesystem::path folder_;
  Progress memory_;
};

/// Seconds since 1970.
std::int64_t now_seconds();
/// "2026-11-30 09:15" in UTC.
std::string time_text(std::int64_t seconds);
/// Any number below kSeedEnd.
std::uint64_t fresh_seed();

}  // namespace ringlab::quiz
