// `ringlab lesson`: the map of the course, its lessons in the terminal, exercises and hints.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "ringlab/lessons/course/course.hpp"
#include "ringlab/lessons/course/files.hpp"
#include "ringlab/lessons/course/progress.hpp"
#include "ringlab/lessons/course/terminal.hpp"
#include "ringlab/lessons/exercise/check.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

namespace ringlab::cli {
namespace {

namespace fs = std::filesystem;
using course::exercise_id;
using course::Lesson;
using course::Progress;
using exercise::Checked;
using exercise::Problem;
using exercise::Verdict;

struct Options {
  std::string lesson, file, folder = "ringlab-lessons", language = "en";
  bool open = false, glossary = false, plain = false;
};

// An exercise as it is called on the command line: "3" if the lesson has one, else "3a", "3b".
struct Place {
  const Lesson* lesson;
  std::vector<const Problem*> problems;  // the one meant, or all of the lesson
};

int width_of_terminal() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) {
    return std::min<int>(size.ws_col, 100);
  }
  return 80;
}

std::string rendered(const std::string& markdown, int lesson = 0) {
  return course::render(markdown, {width_of_terminal(), is_terminal_out(), lesson});
}

// Through the reader's pager on a terminal; as it is in a pipe.
void show_paged(const std::string& text, bool plain) {
  if (isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 && !plain) {
    const char* pager = std::getenv("PAGER");
    const std::string command = pager && *pager ? pager : "less -FRX 2>/dev/null || cat";
    std::fflush(stdout);
    if (std::FILE* pipe = popen(command.c_str(), "w")) {
      std::fwrite(text.data(), 1, text.size(), pipe);
      if (pclose(pipe) == 0) return;
    }
  }
  fmt::print("{}", text);
}

const Problem& problem_of(const std::string& name) {
  for (const Problem& problem : exercise::problems()) {
    if (problem.name == name) return problem;
  }
  throw InvariantError("no exercise " + name);
}

Place place_of(const Options& options) {
  std::string digits = options.lesson;
  char letter = 0;
  if (!digits.empty() && digits.back() >= 'a' && digits.back() <= 'z') {
    letter = digits.back();
    digits.pop_back();
  }
  if (digits.empty() || digits.size() > 3 ||
      digits.find_first_not_of("0123456789") != std::string::npos) {
    throw InputError("lesson", fmt::format("'{}'", options.lesson),
                     "give a number, such as 3, or an exercise, such as 3a");
  }
  const Lesson& lesson = course::lesson(std::stoi(digits), options.language);
  Place place{&lesson, {}};
  for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
    if (letter == 0 || letter == static_cast<char>('a' + i)) {
      place.problems.push_back(&problem_of(lesson.exercises[i]));
    }
  }
  if (letter != 0 && place.problems.empty()) {
    throw InputError("lesson", options.lesson,
                     fmt::format("lesson {} has {} exercise{}", lesson.number,
                                 lesson.exercises.size(), lesson.exercises.size() == 1 ? "" : "s"));
  }
  return place;
}

const Problem& one_problem(const Options& options, const Place& place) {
  if (place.problems.size() == 1) return *place.problems.front();
  throw InputError(
      "lesson", options.lesson,
      place.problems.empty()
          ? "this lesson has no exercise"
          : fmt::format("say which: {}a or {}b", place.lesson->number, place.lesson->number));
}

std::size_t index_of(const Lesson& lesson, const Problem& problem) {
  std::size_t index = 0;
  while (lesson.exercises[index] != problem.name) ++index;
  return index;
}

std::string section(const Lesson& lesson, const Problem& problem, const char* name,
                    const Options& options) {
  return course::exercise_text(lesson, problem.name, name, options.language);
}

// --- The map -------------------------------------------------------------------------------------

int print_map(const Options& options) {
  const Progress progress(Progress::default_file());
  int done = 0, minutes = 0, all_minutes = 0;
  const Lesson* next = nullptr;
  const auto& lessons = course::lessons(options.language);
  fmt::print("{}\n\n", bold("Long-context attention, from one tile to a cluster"));
  for (const Lesson& lesson : lessons) {
    bool complete = progress.has_read(lesson.number);
    std::string marks;
    for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
      const bool solved = progress.has_solved(lesson.exercises[i]);
      complete = complete && solved;
      marks += fmt::format(" {}{}", exercise_id(lesson, i), solved ? "+" : "-");
    }
    const char* mark = complete ? "+" : progress.has_read(lesson.number) ? "~" : "-";
    fmt::print("  {} {:>2}  {:<44}{:>3} min  {:<3} {}\n", mark, lesson.number, lesson.title,
               lesson.minutes, std::string(static_cast<std::size_t>(lesson.difficulty), '*'),
               dim(marks.empty() ? "" : "exercise" + marks));
    done += complete;
    all_minutes += lesson.minutes;
    if (complete) minutes += lesson.minutes;
    if (!complete && !next) next = &lesson;
  }
  const std::size_t total = lessons.size();
  constexpr std::size_t kWidth = 30;
  const std::size_t filled = kWidth * static_cast<std::size_t>(done) / total;
  std::string bar;
  for (std::size_t i = 0; i < kWidth; ++i) bar += i < filled ? "#" : ".";
  fmt::print("\n  [{}] {} of {} lessons, {} of {} minutes\n", bar, done, total, minutes,
             all_minutes);
  fmt::print("  {}\n", dim("+ done, ~ read, - open; * easy to *** hard"));
  if (next) {
    fmt::print("\nGo on with: ringlab lesson {}\n", next->number);
  } else {
    fmt::print("\nAll done. Show what you know: ringlab quiz\n");
  }
  return kGood;
}

// --- Reading -------------------------------------------------------------------------------------

int open_picture(const Lesson& lesson, const CLI::App& app) {
  const auto commands = app.get_subcommands(nullptr);
  if (std::none_of(commands.begin(), commands.end(),
                   [](const CLI::App* command) { return command->get_name() == "viz"; })) {
    throw InputError("open", "--open", "this program was built without the visualiser");
  }
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  execl(program.c_str(), "ringlab", "viz", "--lesson", std::to_string(lesson.number).c_str(),
        static_cast<char*>(nullptr));
  throw RunError("cannot start " + program);
}

int read_lesson(const Options& options, const CLI::App& app) {
  const Place place = place_of(options);
  if (options.open) return open_picture(*place.lesson, app);  // the page stands there
  show_paged(rendered(course::whole_page(*place.lesson, options.folder, options.language),
                      place.lesson->number),
             options.plain);
  Progress(Progress::default_file()).set_read(place.lesson->number);
  return kGood;
}

int print_glossary(const Options& options) {
  std::string page = "# Glossary\n\n";
  for (const course::Term& term : course::glossary(options.language)) {
    page += fmt::format("- **{}** (lesson {}): {}\n", term.term, term.lesson, term.sentence);
  }
  show_paged(rendered(page), options.plain);
  return kGood;
}

// --- Exercises -----------------------------------------------------------------------------------

fs::path file_of(const Options& options, const Problem& problem) {
  return options.file.empty() ? fs::path(options.folder) / (problem.name + ".cpp")
                              : fs::path(options.file);
}

int start(const Options& options) {
  const Place place = place_of(options);
  if (place.problems.empty() && place.lesson->files.empty()) one_problem(options, place);  // throws
  std::error_code ignored;
  fs::create_directories(options.folder, ignored);
  for (const std::string& name : place.lesson->files) {
    write_file(fs::path(options.folder) / name, course_file(place.lesson->folder + "/" + name),
               "folder");
    fmt::print("{} is there\n", (fs::path(options.folder) / name).string());
  }
  for (const Problem* problem : place.problems) {
    const fs::path file = file_of(options, *problem);
    if (fs::exists(file)) {
      fmt::print("{} is there already and was left as it is\n", file.string());
      continue;
    }
    write_file(file, course_file(place.lesson->folder + "/" + problem->name + ".exercise.cpp"),
               "folder");
    // The headers too, so that an editor finds what the file includes.
    write_file(file.parent_path() / "exercise.hpp", course_file("exercise/harness.hpp"), "folder");
    const std::string header = problem->name + ".hpp";
    if (has_course_file(place.lesson->folder + "/" + header)) {
      write_file(file.parent_path() / header, course_file(place.lesson->folder + "/" + header),
                 "folder");
    }
    fmt::print("{} is yours to fill in; then: ringlab lesson check {}\n", file.string(),
               exercise_id(*place.lesson, index_of(*place.lesson, *problem)));
  }
  return kGood;
}

void print_indented(const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    fmt::print("    {}\n", text.substr(begin, end - begin));
    begin = end + 1;
  }
}

int report(const Lesson& lesson, const Problem& problem, const Checked& c, const Options& options,
           Progress& progress) {
  const std::string id = exercise_id(lesson, index_of(lesson, problem));
  if (!c.printed.empty()) {
    fmt::print("your code printed:\n");
    print_indented(c.printed);
  }
  switch (c.verdict) {
    case Verdict::does_not_build:
      fmt::print("{}\n", bold("does not build"));
      print_indented(c.trouble);
      return kNo;
    case Verdict::no_answer:
      fmt::print("{}: {}\n", bold("no answer"), c.trouble);
      if (!c.given.empty()) fmt::print("  in case {} of {}: {}\n", c.passed + 1, c.cases, c.given);
      break;
    case Verdict::wrong:
      fmt::print("{} in case {} of {}\n", bold("not yet right"), c.passed + 1, c.cases);
      fmt::print("  given  {}\n", c.given);
      if (!c.complaint.where.empty()) fmt::print("  at     {}\n", c.complaint.where);
      fmt::print("  yours  {}\n  right  {}\n", c.complaint.found, c.complaint.right);
      break;
    case Verdict::right:
      fmt::print("{}: all {} cases, built in {:.1f} s\n\n", bold("right"), c.cases,
                 c.build_seconds);
      fmt::print("{}",
                 rendered("**Why it is right.** " + section(lesson, problem, "why", options)));
      fmt::print("\n{}",
                 rendered("**Second goal.** " + section(lesson, problem, "second", options)));
      if (c.second) {
        fmt::print("{}", rendered("Not met yet: " + *c.second + "."));
      } else if (c.has_second) {
        fmt::print("Met.\n");
      }
      progress.set_solved(problem.name);
      return kGood;
  }
  if (progress.hints(problem.name) < 4) fmt::print("help: ringlab lesson hint {}\n", id);
  return kNo;
}

int check_exercises(const Options& options) {
  const Place place = place_of(options);
  if (place.problems.empty() || !options.file.empty()) one_problem(options, place);
  Progress progress(Progress::default_file());
  int code = kGood;
  for (const Problem* problem : place.problems) {
    const fs::path file = file_of(options, *problem);
    if (!fs::exists(file)) {
      throw InputError(
          "file", file.string(),
          fmt::format("is not there; make it with: ringlab lesson start {}", options.lesson));
    }
    fmt::print(stderr, "checking {} ...\n", file.string());
    const Checked checked = exercise::check(*problem, file);
    if (report(*place.lesson, *problem, checked, options, progress) != kGood) code = kNo;
  }
  return code;
}

int hint(const Options& options) {
  const Place place = place_of(options);
  const Problem& problem = one_problem(options, place);
  Progress progress(Progress::default_file());
  constexpr const char* kSections[] = {"nudge", "concept", "neighbour"};
  constexpr const char* kTitles[] = {"A nudge", "The concept", "A worked neighbour"};
  const int given = std::min(progress.hints(problem.name), 3);
  for (int i = 0; i <= given && i < 3; ++i) {
    fmt::print("{}", rendered(fmt::format("**{}.** {}", kTitles[i],
                                          section(*place.lesson, problem, kSections[i], options))));
    fmt::print("\n");
  }
  if (given == 3) {
    fmt::print("{}\n\n{}", bold("A solution"),
               course_file(place.lesson->folder + "/" + problem.name + ".solution.cpp"));
  } else {
    fmt::print("{}\n",
               dim(given == 2 ? "Once more for a solution." : "Once more for the next hint."));
  }
  progress.set_hints(problem.name, std::min(given + 1, 4));
  return kGood;
}

}  // namespace

void add_lesson(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("lesson", "Learn: lessons to read, exercises to do");
  command->footer(
      "Example:\n  ringlab lesson           the map\n  ringlab lesson 3         read it\n"
      "  ringlab lesson start 3a  get the file to fill in\n  ringlab lesson check 3a  judge it");
  command->add_option("lesson", options->lesson, "Which lesson to read [the map of all]")
      ->type_name("NN");
  command->add_flag("--open", options->open,
                    "Open the lesson in the visualiser, beside its scenes");
  command->add_flag("--glossary", options->glossary, "Every term, where it is first used");
  command->add_flag("--no-pager", options->plain, "Print without a pager");
  command->add_option("--language", options->language, "Language of the texts [en]")
      ->type_name("CODE");
  command->callback([options, &action, &app, command] {
    if (!command->get_subcommands().empty()) return;  // that one's action stands already
    action = [options, &app] {
      if (options->glossary) return print_glossary(*options);
      return options->lesson.empty() ? print_map(*options) : read_lesson(*options, app);
    };
  });

  const auto add = [&](const char* name, const char* help, int (*job)(const Options&)) {
    CLI::App* sub = command->add_subcommand(name, help);
    sub->add_option("lesson", options->lesson, "An exercise: 3, 3a")->type_name("NN")->required();
    sub->add_option("--language", options->language, "Language of the texts [en]")
        ->type_name("CODE");
    sub->final_callback([options, job, &action] { action = [=] { return job(*options); }; });
    return sub;
  };
  CLI::App* starting = add("start", "Put an exercise's file into your folder", start);
  CLI::App* checking = add("check", "Build your file, run it and judge it", check_exercises);
  add("hint", "One more hint: a nudge, the concept, a neighbour, a solution", hint);
  for (CLI::App* sub : {starting, checking}) {
    sub->add_option("--folder", options->folder, "Where your files are [ringlab-lessons]")
        ->type_name("DIR");
  }
  checking->add_option("file", options->file, "Your file [in the folder, by the exercise's name]")
      ->type_name("FILE");
}

}  // namespace ringlab::cli
