// The commands that show an answer: the program must take them, and they must be quick.
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
      set_field(out.scenario, word.substr(2), value);
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
        Shown command;
        REQUIRE_NOTHROW(command = shown(arguments));
        const bool known = command.command == "run" || command.command == "schedule";
        CHECK(known);
        // A run computes every pair; 4096 tokens take about a second.
        if (command.command == "run") CHECK(command.scenario.tokens <= 4096);
        if (!command.compare) CHECK_NOTHROW(schedule_of(command.scenario));
        ++commands;
      }
    }
  }
  CHECK(commands > 1000);
}

}  // namespace
