#include "cli/quiz_session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <sstream>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/terminal.hpp"
#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

extern char** environ;

namespace ringlab::cli {
namespace {

using namespace quiz;
using Clock = std::chrono::steady_clock;

void say(const std::string& text, int indent = 0, const std::string& first = "") {
  fmt::print("{}\n", wrapped(text, terminal_width(), indent, first));
}

void print_question(const Bank& bank, const Question& question, std::size_t number,
                    std::size_t count, const std::string& language) {
  const BankLesson* lesson = bank.lesson(question.item->lesson);
  fmt::print("\n{}\n", dim(wrapped(fmt::format("Question {} of {} - lesson {}: {}", number, count,
                                               lesson->number, lesson->title.in(language)),
                                   terminal_width())));
  fmt::print("{}\n\n", bold(wrapped(question.stem.in(language), terminal_width())));
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    say(question.options[i].text.in(language), 5, "  " + option_letter(static_cast<int>(i)) + ") ");
  }
  fmt::print("\n");
}

void print_feedback(const Feedback& said) {
  fmt::print("\n{}\n", bold(coloured(said.verdict, said.right ? Colour::green : Colour::red)));
  if (!said.right) {
    say(said.misconception, 2, "  Believed: ");
    say(said.mend, 2, "  But: ");
    say(said.right_option, 2, "  Right is ");
  }
  say(said.explanation, 2, "  Why: ");
  if (!said.source.empty()) say(said.source, 2, "  Source: ");
  if (!said.show.empty()) say(said.show + "  (s runs it)", 4, "  Show me: ");
}

void print_help(std::size_t options) {
  const std::string last = option_letter(static_cast<int>(options) - 1);
  say("a to " + last +
      " answers; add ! if you are sure (b!), ? if you guess (b?). How sure you "
      "are decides when a question comes back.");
  say("s runs the command that shows the last answer; q stops, and everything so far is kept.");
}

// Runs the program itself with the arguments of `show`; the quiz's own input stays untouched.
void show(const std::string& command) {
  std::istringstream words(command);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  std::vector<char*> argv;
  for (std::string& one : arguments) argv.push_back(one.data());
  argv.push_back(nullptr);
  std::fflush(stdout);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed == 0) waitpid(child, &status, 0);
  // Exit code 1 is an answer, too: a run that differs, a schedule that is not proven. So is 3 where
  // the run is meant to fail.
  const bool ran = failed == 0 && WIFEXITED(status) && WEXITSTATUS(status) != kBadInput;
  if (!ran) say("That did not run; type it yourself: " + command);
}

struct Reply {
  int choice;
  Confidence confidence;
};

// "b", "b!", "B ?", "2": nothing for anything else.
std::optional<Reply> parse_reply(std::string line, std::size_t options) {
  Reply reply{-1, Confidence::think};
  if (!line.empty() && (line.back() == '!' || line.back() == '?')) {
    reply.confidence = line.back() == '!' ? Confidence::sure : Confidence::guess;
    line.pop_back();
    while (!line.empty() && line.back() == ' ') line.pop_back();
  }
  if (line.size() != 1) return std::nullopt;
  const char c = line[0];
  if (c >= 'a' && c <= 'd') reply.choice = c - 'a';
  if (c >= 'A' && c <= 'D') reply.choice = c - 'A';
  if (c >= '1' && c <= '4') reply.choice = c - '1';
  if (reply.choice < 0 || reply.choice >= static_cast<int>(options)) return std::nullopt;
  return reply;
}

// Asks until there is an answer; nothing to stop. `shown` is the last command to show.
std::optional<Reply> reply_to(std::size_t options, const std::string& shown) {
  const std::string prompt = fmt::format("a-{}, with ! sure or ? guess, h help: ",
                                         option_letter(static_cast<int>(options) - 1));
  for (;;) {
    const auto line = ask(prompt);
    if (!line || *line == "q" || *line == "Q") return std::nullopt;
    if (const auto reply = parse_reply(*line, options)) return reply;
    if (*line == "s" && !shown.empty()) {
      show(shown);
    } else {
      print_help(options);
    }
  }
}

int finish(const QuizFolder& folder, const Bank& bank, const Run& run) {
  const Score score = score_of(bank, run);
  fmt::print("\n{}\n", bold(fmt::format("{} of {} right", score.right, score.asked)));
  for (const Score::Lesson& lesson : score.lessons) {
    if (lesson.right == lesson.asked) continue;
    say(fmt::format("lesson {}: {} of {}", lesson.number, lesson.right, lesson.asked), 4, "  ");
  }
  if (run.kind != RunKind::exam) {
    say("What you missed comes back: ringlab quiz review");
    return kGood;
  }
  const std::string file = folder.exam_file(run).string();
  if (passes(score)) {
    say(fmt::format("Passed: {} % are enough. Your certificate:", kPassPercent));
    say("ringlab quiz certificate --name \"YOUR NAME\"", 4, "  ");
    fmt::print("Transcript, for an instructor to sign:\n  {}\n", file);
    return kGood;
  }
  say(
      fmt::format("Not passed: {} % are needed. Practise what was missed (ringlab quiz review), "
                  "then try again.",
                  kPassPercent));
  return kNo;
}

FolderLock held(const std::filesystem::path& folder) {
  std::optional<FolderLock> lock = FolderLock::attempt(folder);
  if (!lock) {
    throw InputError("quiz", folder.string(), "another quiz is open there; finish that one first");
  }
  return std::move(*lock);
}

}  // namespace

QuizFolder::QuizFolder() : path_(data_folder()), lock_(held(path_)) {}

std::filesystem::path QuizFolder::exam_file(const Run& run) const {
  std::string when = time_text(run.started_at);
  for (char& c : when) {
    if (c == ' ') c = 'T';
    if (c == ':') c = '-';
  }
  return exam_folder() / fmt::format("{}-{:08x}.json", when, run.seed & 0xffffffff);
}

int ask_questions(const QuizFolder& folder, Progress progress, RunKind kind,
                  const std::string& language) {
  const Bank& all = bank();
  std::optional<Run>& slot = progress.run_of(kind);
  RINGLAB_ENSURE(slot.has_value(), "a run to ask");
  std::string shown;
  if (!slot->answers.empty()) {
    const std::string last = question_of(all, slot->tickets[slot->answers.size() - 1]).show;
    if (!last.empty()) shown = "ringlab " + last;
  }
  while (!slot->finished()) {
    const std::size_t index = slot->answers.size();
    const Question question = question_of(all, slot->tickets[index]);
    print_question(all, question, index + 1, slot->tickets.size(), language);
    const auto from = Clock::now();
    const auto reply = reply_to(question.options.size(), shown);
    if (!reply) {
      say(fmt::format("Stopped after {} of {}; nothing is lost, the same command goes on.", index,
                      slot->tickets.size()));
      return kind == RunKind::exam ? kNo : kGood;
    }
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - from).count();
    const Answer answer{reply->choice, reply->confidence, seconds};
    const std::int64_t now = now_seconds();
    give_answer(progress, *slot, question, answer, now);
    // The transcript stands before the run is closed: cut off in between, it is written again.
    if (slot->finished() && kind == RunKind::exam) {
      std::filesystem::create_directories(folder.exam_folder());
      write_file(folder.exam_file(*slot), to_json(*slot), "transcript");
    }
    const Run run = *slot;
    if (slot->finished()) slot.reset();
    save_progress(folder.progress_file(), progress);
    const Feedback said = feedback(all, question, answer.choice, language);
    print_feedback(said);
    shown = said.show;
    if (run.finished()) return finish(folder, all, run);
  }
  RINGLAB_ENSURE(false, "a finished run is not kept as an open one");
  return kFailed;
}

}  // namespace ringlab::cli
