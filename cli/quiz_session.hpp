// A run of the quiz with a person: asks, says at once what an answer means, keeps every answer.
#pragma once

#include <filesystem>
#include <string>

#include "ringlab/quiz/engine/local.hpp"

namespace ringlab::cli {

/// The learner's folder, held by this process alone until it ends.
class QuizFolder {
 public:
  /// Throws InputError if another quiz is writing there.
  QuizFolder();

  std::filesystem::path path() const { return path_; }
  std::filesystem::path progress_file() const { return path_ / "progress.json"; }
  std::filesystem::path exam_folder() const { return path_ / "exams"; }
  /// Where a finished exam is kept.
  std::filesystem::path exam_file(const quiz::Run& run) const;

 private:
  std::filesystem::path path_;
  quiz::FolderLock lock_;
};

/// Asks what is left of a run, from the first open question, and saves after each answer. The exit
/// code: an exam is kGood only when it is passed.
int ask_questions(const QuizFolder& folder, quiz::Progress progress, quiz::RunKind kind,
                  const std::string& language);

}  // namespace ringlab::cli
