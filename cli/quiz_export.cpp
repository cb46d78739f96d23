// `ringlab quiz export`: the bank for Moodle, for QTI systems, for Anki.
#include <fmt/format.h>

#include "cli/quiz.hpp"
#include "ringlab/quiz/export/export.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

namespace ringlab::cli {
namespace {

struct Options {
  std::string format, out;
  quiz::ExportOptions content;
};

int run(const Options& options) {
  using namespace quiz;
  if (options.content.draws < 1 || options.content.draws > 100) {
    throw InputError("draws", std::to_string(options.content.draws), "give 1 to 100");
  }
  std::string content;
  if (options.format == "gift") {
    content = export_gift(bank(), options.content);
  } else if (options.format == "qti") {
    content = export_qti(bank(), options.content);
  } else if (options.format == "anki") {
    content = export_anki(bank(), options.content);
  } else {
    throw InputError("format", options.format, "give gift, qti or anki");
  }
  write_file(options.out, content, "out");
  fmt::print("{} questions in {}\n", export_questions(bank(), options.content).size(), options.out);
  return kGood;
}

}  // namespace

void add_quiz_export(CLI::App& quiz, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = quiz.add_subcommand(
      "export", "Write the questions for Moodle (gift), QTI 2.1 systems (qti) or Anki (anki)");
  command->footer("Example:\n  ringlab quiz export --format gift --out ringlab.gift");
  command->add_option("--format", options->format, "gift, qti or anki")->required();
  command->add_option("--out", options->out, "The file; qti makes a zip")
      ->required()
      ->type_name("FILE");
  command->add_option("--draws", options->content.draws,
                      "How many draws of each generated item [3]");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace ringlab::cli
