// One run through some questions: which were drawn, what was answered, what it comes to.
//
// A run is data: seed, tickets and answers. Its questions are drawn again from it, its result is
// computed again, so nothing about it has to be believed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ringlab/quiz/bank/question.hpp"

namespace ringlab::quiz {

/// Seeds of a run and its tickets lie below this, so that every JSON reader keeps them.
inline constexpr std::uint64_t kSeedEnd = std::uint64_t{1} << 53;

/// A question that will be asked.
struct Ticket {
  std::string item;
  std::uint64_t seed = 0;
  bool operator==(const Ticket&) const = default;
};

enum class Confidence { guess, think, sure };

const char* name(Confidence confidence);

struct Answer {
  int choice = 0;  // index of the option in the order shown
  Confidence confidence = Confidence::think;
  std::int64_t seconds = 0;  // from the question to the answer
  bool operator==(const Answer&) const = default;
};

enum class RunKind { practice, review, exam };

const char* name(RunKind kind);

struct Run {
  RunKind kind = RunKind::practice;
  std::string bank_hash;
  std::uint64_t seed = 0;
  std::int64_t started_at = 0;   // seconds since 1970, UTC
  std::int64_t finished_at = 0;  // of the last answer; 0 while questions are open
  std::vector<Ticket> tickets;
  std::vector<Answer> answers;  // of the first tickets, in order

  bool finished() const { return answers.size() == tickets.size(); }
  bool operator==(const Run&) const = default;
};

/// The question of a ticket. Throws InputError (field `item`) if the bank does not have it.
Question question_of(const Bank& bank, const Ticket& ticket);

struct Score {
  int right = 0, asked = 0;
  struct Lesson {
    int number = 0, right = 0, asked = 0;
  };
  std::vector<Lesson> lessons;  // ascending
};

/// What the answers given so far come to. Throws InputError for an answer that its question does
/// not offer.
Score score_of(const Bank& bank, const Run& run);

/// A certificate run: so many questions, of which so many per cent must be right.
inline constexpr int kExamQuestions = 20;
inline constexpr int kPassPercent = 80;

/// True for kPassPercent or more.
bool passes(const Score& score);

/// What is said of one answer, at once.
struct Feedback {
  bool right = false;
  std::string verdict;        // "Right." or "Not quite."
  std::string misconception;  // of a wrong choice: what it betrays; else empty
  std::string mend;           // of a wrong choice: the sentence that mends it
  std::string right_option;   // of a wrong choice: the letter and text of the right one
  std::string explanation;
  std::string source;  // where it stands in print, or ""
  std::string show;    // the command that shows it, or ""
};

Feedback feedback(const Bank& bank, const Question& question, int choice,
                  const std::string& language = "en");

/// "a" for the first option.
std::string option_letter(int index);

}  // namespace ringlab::quiz
