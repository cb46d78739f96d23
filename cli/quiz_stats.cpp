// `ringlab quiz stats`: what the learner knows, what is due, which mistakes come back.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/quiz.hpp"
#include "cli/terminal.hpp"
#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/quiz/engine/local.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;
using namespace quiz;

// How often each misconception was betrayed, the most frequent first.
std::vector<std::pair<int, std::string>> misconceptions_of(const Progress& progress) {
  std::map<std::string, int> counts;
  for (const auto& [id, item] : progress.items) {
    for (const auto& [misconception, count] : item.misconceptions) counts[misconception] += count;
  }
  std::vector<std::pair<int, std::string>> out;
  for (const auto& [id, count] : counts) out.emplace_back(count, id);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return out;
}

Json json_of(const Progress& progress, std::int64_t now) {
  Json lessons = Json::array(), items = Json::object(), misconceptions = Json::object();
  for (const BankLesson& lesson : bank().lessons) {
    const LessonSum sum = sum_of(lesson, progress, now);
    lessons.push_back({{"lesson", lesson.number},
                       {"items", sum.items},
                       {"seen", sum.seen},
                       {"asked", sum.asked},
                       {"right", sum.right},
                       {"due", sum.due}});
  }
  for (const auto& [id, item] : progress.items) {
    items[id] = {{"asked", item.asked},
                 {"right", item.right},
                 {"sure_wrong", item.sure_wrong},
                 {"guess_right", item.guess_right},
                 {"seconds", item.seconds}};
  }
  for (const auto& [count, id] : misconceptions_of(progress)) misconceptions[id] = count;
  return {{"bank_hash", bank().hash},
          {"lessons", lessons},
          {"items", items},
          {"misconceptions", misconceptions}};
}

int stats(bool json) {
  const Progress progress = load_progress(data_folder() / "progress.json");
  const std::int64_t now = now_seconds();
  if (json) {
    fmt::print("{}\n", json_of(progress, now).dump(1));
    return kGood;
  }
  if (progress.items.empty()) {
    fmt::print("No answers yet; begin with: ringlab quiz\n");
    return kGood;
  }
  fmt::print("lesson   seen  right of asked   due\n");
  LessonSum all;
  for (const BankLesson& lesson : bank().lessons) {
    const LessonSum sum = sum_of(lesson, progress, now);
    fmt::print("{:>6}  {:>2}/{:<2}  {:>5} of {:<5}  {:>4}\n", lesson.number, sum.seen, sum.items,
               sum.right, sum.asked, sum.due);
    all.asked += sum.asked;
    all.right += sum.right;
    all.due += sum.due;
  }
  fmt::print("\n{} of {} answers right; {} due for review\n", all.right, all.asked, all.due);
  const auto misconceptions = misconceptions_of(progress);
  if (!misconceptions.empty()) fmt::print("\nWhat wrong answers had in common:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(5, misconceptions.size()); ++i) {
    const auto& [count, id] = misconceptions[i];
    const auto found = bank().misconceptions.find(id);
    if (found == bank().misconceptions.end()) continue;  // of an older bank
    fmt::print("{}\n", wrapped(found->second.name.in("en"), terminal_width(), 7,
                               fmt::format("{:>4} x ", count)));
  }
  return kGood;
}

}  // namespace

void add_quiz_stats(CLI::App& quiz, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      quiz.add_subcommand("stats", "What you know, what is due, which mistakes come back");
  command->footer("Example:\n  ringlab quiz stats");
  command->add_flag("--json", *json, "One JSON object on standard output");
  command->callback([json, &action] { action = [json] { return stats(*json); }; });
}

}  // namespace ringlab::cli
