// `ringlab quiz`: practice, certificate runs and reviews on the terminal or through a pipe.
#include "cli/quiz.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/quiz_session.hpp"
#include "cli/terminal.hpp"
#include "ringlab/quiz/engine/draw.hpp"
#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::cli {
namespace {

struct Options {
  int lesson = 0, count = 10;
  bool restart = false;
  std::string language = "en";
  std::optional<std::uint64_t> seed;
};

std::uint64_t seed_of(const Options& options) {
  if (options.seed) {
    if (*options.seed >= quiz::kSeedEnd) {
      throw InputError("seed", std::to_string(*options.seed), "give less than 2^53");
    }
    return *options.seed;
  }
  return quiz::fresh_seed();
}

void check(const Options& options) {
  if (options.count < 1 || options.count > 1000) {
    throw InputError("count", std::to_string(options.count), "give 1 to 1000");
  }
  if (options.language != "en" && options.language != "so" && options.language != "am") {
    throw InputError("language", options.language, "give en, so or am");
  }
}

// Goes on with an unfinished run, if there is one of this bank that is not to be thrown away.
bool goes_on(const Options& options, std::optional<quiz::Run>& run, const std::string& again) {
  if (!run) return false;
  if (options.restart) {
    run.reset();
    return false;
  }
  if (run->bank_hash != quiz::bank().hash) {
    fmt::print("{}\n", wrapped("An unfinished run was of another version of the questions; a new "
                               "one begins. Its answers stay in your statistics.",
                               terminal_width()));
    run.reset();
    return false;
  }
  fmt::print("{}\n", wrapped(fmt::format("Going on with question {} of {} ({} begins anew).",
                                         run->answers.size() + 1, run->tickets.size(), again),
                             terminal_width()));
  return true;
}

// True if an unfinished run is what was asked for: of this kind, and of this lesson if one is
// named.
bool is_wanted(const quiz::Bank& bank, const quiz::Run& run, quiz::RunKind kind, int lesson) {
  return run.kind == kind &&
         (lesson == 0 ||
          std::all_of(run.tickets.begin(), run.tickets.end(), [&](const quiz::Ticket& ticket) {
            const auto* item = bank.find(ticket.item);
            return item && item->lesson == lesson;
          }));
}

int practise(const Options& options, quiz::RunKind kind) {
  check(options);
  const QuizFolder folder;
  quiz::Progress progress = quiz::load_progress(folder.progress_file());
  const quiz::Bank& bank = quiz::bank();
  const std::int64_t now = quiz::now_seconds();
  if (progress.other && !is_wanted(bank, *progress.other, kind, options.lesson)) {
    fmt::print("{}\n", wrapped("An unfinished run of another kind is closed; its answers stay in "
                               "your statistics.",
                               terminal_width()));
    progress.other.reset();
  }
  const std::string again =
      kind == quiz::RunKind::review ? "quiz review --restart" : "quiz --restart";
  if (!goes_on(options, progress.other, again)) {
    const quiz::Run run =
        begin_practice(bank, progress, kind, options.lesson, options.count, seed_of(options), now);
    if (run.tickets.empty()) {
      const std::int64_t next = next_due_at(progress);
      const std::string more = next == 0 ? "What you miss in a quiz comes back here."
                                         : "Next: " + quiz::time_text(next) + " UTC.";
      fmt::print("{}\n", wrapped("Nothing is due. " + more, terminal_width()));
      return kGood;
    }
    progress.other = run;
  }
  return ask_questions(folder, std::move(progress), kind, options.language);
}

int examine(const Options& options) {
  check(options);
  const QuizFolder folder;
  quiz::Progress progress = quiz::load_progress(folder.progress_file());
  if (!goes_on(options, progress.exam, "quiz exam --restart")) {
    progress.exam = quiz::begin_exam(quiz::bank(), seed_of(options), quiz::now_seconds());
    fmt::print("{}\n",
               wrapped(fmt::format("A certificate run: {} questions from all lessons, {} % pass. "
                                   "Stop with q and go on whenever you like.",
                                   quiz::kExamQuestions, quiz::kPassPercent),
                       terminal_width()));
    quiz::save_progress(folder.progress_file(), progress);
  }
  return ask_questions(folder, std::move(progress), quiz::RunKind::exam, options.language);
}

void add_common(CLI::App& command, Options& options) {
  command.add_flag("--restart", options.restart, "Begin anew, whatever is unfinished");
  command.add_option("--language", options.language, "en, so or am, where there are texts [en]");
  command.add_option("--seed", options.seed, "Draw the same questions again");
}

}  // namespace

void add_quiz(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "quiz", "Take the quiz: every answer is explained at once; make and verify a certificate");
  command->footer(
      "Without a further word: practice, first what is due, then what is new.\n"
      "Example:\n  ringlab quiz --lesson 5");
  command->require_subcommand(0, 1);
  command->add_option("--lesson", options->lesson, "Only this lesson");
  command->add_option("--count", options->count, "How many questions [10]");
  add_common(*command, *options);
  command->callback([command, options, &action] {
    if (!command->get_subcommands().empty()) return;
    action = [options] { return practise(*options, quiz::RunKind::practice); };
  });

  auto exam_options = std::make_shared<Options>();
  CLI::App* exam = command->add_subcommand(
      "exam", "A certificate run: 20 questions from all lessons, 80 % pass");
  exam->footer("Example:\n  ringlab quiz exam");
  add_common(*exam, *exam_options);
  exam->callback(
      [exam_options, &action] { action = [exam_options] { return examine(*exam_options); }; });

  auto review_options = std::make_shared<Options>();
  CLI::App* review = command->add_subcommand("review", "Ask again what was missed and is now due");
  review->footer("Example:\n  ringlab quiz review");
  review->add_option("--count", review_options->count, "How many questions at most [10]");
  add_common(*review, *review_options);
  review->callback([review_options, &action] {
    action = [review_options] { return practise(*review_options, quiz::RunKind::review); };
  });

  add_quiz_stats(*command, action);
  add_quiz_credential(*command, action);
  add_quiz_export(*command, action);
}

}  // namespace ringlab::cli
