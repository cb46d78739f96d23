// The commands that show an answer, for many seeds: fields and bounds of their scenarios. What they
// print is held against the key by tests/cli/quiz_show_test.py, for a handful of seeds.
#include <sstream>

#include "ringlab/quiz/bank/question.hpp"
#include "ringlab/reference/schedule/catalog.hpp"
#include "ringlab/reference/session/session.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;

struct Shown {
  std::string command;
  bool compare = false;
  Scenario scenario;
};

// The scenario that a command line describes. Throws InputError like the program itself.
Shown shown(const std::string& arguments) {
  Shown out;
  std::istringstream words(arguments);
  words >> out.command;
  std::string word;
  while (words >> word) {
    if (word.rfind("--", 0) != 0) {
      out.compare = word == "compare";
      if (!out.compare) out.scenario.schedule = word;
    } else if (word == "--backward") {
      out.scenario.backward = true;
    } else if (word != "--check") {
      std::string value;
      words >> value;
      const bool of_the_run = word == "--fault" || word == "--tolerance" || word == "--verify";
      if (!of_the_run) set_field(out.scenario, word.substr(2), value);
    }
  }
  check(out.scenario);
  return out;
}

TEST_CASE("what shows an answer is a command that the program takes") {
  int commands = 0;
  for (const BankLesson& lesson : bank().lessons) {
    for (const Item& item : lesson.items) {
      if (item.show.empty()) continue;
      for (std::uint64_t seed = 0; seed < (item.generator.empty() ? 1 : 50); ++seed) {
        const std::string arguments = make_question(item, sub_seed(11, seed)).show;
        CAPTURE(item.id, arguments);
        const std::string name = arguments.substr(0, arguments.find(' '));
        // No command that opens a window, reads files or measures time: it must show the same in
        // any terminal, in any folder.
        const bool known = name == "run" || name == "schedule" || name == "sim" || name == "plan" ||
                           name == "merge";
        CHECK(known);
        ++commands;
        if (name != "run" && name != "schedule") continue;
        Shown command;
        REQUIRE_NOTHROW(command = shown(arguments));
        // A run computes every pair; 4096 tokens take about a second.
        if (command.command == "run") CHECK(command.scenario.tokens <= 4096);
        if (!command.compare) CHECK_NOTHROW(schedule_of(command.scenario));
      }
    }
  }
  CHECK(commands > 1000);
}

}  // namespace
