#include "ringlab/quiz/engine/draw.hpp"

#include <algorithm>
#include <set>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {
namespace {

Ticket ticket(const std::string& item, std::uint64_t seed, std::size_t index) {
  return {item, sub_seed(seed, index + 1) % kSeedEnd};
}

std::vector<Ticket> tickets_for(const std::vector<std::string>& ids, std::uint64_t seed) {
  std::vector<Ticket> tickets;
  for (const std::string& id : ids) tickets.push_back(ticket(id, seed, tickets.size()));
  return tickets;
}

}  // namespace

std::map<int, int> blueprint(const Bank& bank, int count, std::uint64_t seed) {
  if (count < 1 || static_cast<std::size_t>(count) > bank.size()) {
    throw InputError("questions", std::to_string(count),
                     "the bank has " + std::to_string(bank.size()));
  }
  std::map<int, int> counts;
  std::vector<int> numbers;
  for (const BankLesson& lesson : bank.lessons) {
    counts[lesson.number] = 0;
    numbers.push_back(lesson.number);
  }
  Random random(sub_seed(seed, 0));
  // Round by round, each lesson one, in an order that the seed makes anew each time.
  for (int given = 0; given < count;) {
    random.shuffle(numbers);
    for (const int number : numbers) {
      const std::size_t size = bank.lesson(number)->items.size();
      if (given == count || static_cast<std::size_t>(counts[number]) == size) continue;
      ++counts[number];
      ++given;
    }
  }
  return counts;
}

std::vector<Ticket> draw_exam(const Bank& bank, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> ids;
  for (const auto& [number, wanted] : blueprint(bank, count, seed)) {
    std::vector<std::string> items;
    for (const Item& item : bank.lesson(number)->items) items.push_back(item.id);
    random.shuffle(items);
    ids.insert(ids.end(), items.begin(), items.begin() + wanted);
  }
  random.shuffle(ids);
  return tickets_for(ids, seed);
}

std::vector<Ticket> draw_practice(const Bank& bank, const Progress& progress, int lesson, int count,
                                  std::uint64_t seed, std::int64_t now) {
  if (lesson != 0 && bank.lesson(lesson) == nullptr) {
    std::string numbers;
    for (const BankLesson& one : bank.lessons) numbers += " " + std::to_string(one.number);
    throw InputError("lesson", std::to_string(lesson), "the bank has lessons" + numbers);
  }
  const auto wanted = [&](const std::string& id) {
    return lesson == 0 || bank.find(id)->lesson == lesson;
  };
  std::vector<std::string> ids;
  for (const std::string& id : due_items(progress, bank, now)) {
    if (wanted(id)) ids.push_back(id);
  }
  std::set<std::string> taken(ids.begin(), ids.end());
  std::vector<std::string> fresh, known;
  for (const BankLesson& one : bank.lessons) {
    for (const Item& item : one.items) {
      if (!wanted(item.id) || taken.count(item.id) > 0) continue;
      (progress.items.count(item.id) == 0 ? fresh : known).push_back(item.id);
    }
  }
  Random random(seed);
  random.shuffle(fresh);
  random.shuffle(known);
  ids.insert(ids.end(), fresh.begin(), fresh.end());
  ids.insert(ids.end(), known.begin(), known.end());
  if (ids.size() > static_cast<std::size_t>(count)) ids.resize(static_cast<std::size_t>(count));
  return tickets_for(ids, seed);
}

std::vector<Ticket> draw_review(const Bank& bank, const Progress& progress, int count,
                                std::uint64_t seed, std::int64_t now) {
  std::vector<std::string> ids = due_items(progress, bank, now);
  if (ids.size() > static_cast<std::size_t>(count)) ids.resize(static_cast<std::size_t>(count));
  return tickets_for(ids, seed);
}

Run begin_practice(const Bank& bank, const Progress& progress, RunKind kind, int lesson, int count,
                   std::uint64_t seed, std::int64_t now) {
  RINGLAB_ENSURE(kind != RunKind::exam && seed < kSeedEnd,
                 "a practice, and a seed that JSON keeps");
  Run run{kind, bank.hash, seed, now, 0, {}, {}};
  run.tickets = kind == RunKind::review ? draw_review(bank, progress, count, seed, now)
                                        : draw_practice(bank, progress, lesson, count, seed, now);
  return run;
}

Run begin_exam(const Bank& bank, std::uint64_t seed, std::int64_t now) {
  RINGLAB_ENSURE(seed < kSeedEnd, "a seed that JSON keeps");
  return {RunKind::exam, bank.hash, seed, now, 0, draw_exam(bank, kExamQuestions, seed), {}};
}

Score regrade_exam(const Bank& bank, const Run& run) {
  if (run.kind != RunKind::exam) {
    throw InputError("kind", name(run.kind), "only a certificate run can be regraded");
  }
  if (run.bank_hash != bank.hash) {
    throw InputError("bank_hash", run.bank_hash.substr(0, 16),
                     "this program's bank is " + bank.hash.substr(0, 16) +
                         "; use the version of the program that drew the run");
  }
  if (run.seed >= kSeedEnd || run.tickets != draw_exam(bank, kExamQuestions, run.seed)) {
    throw InputError("tickets", std::to_string(run.seed), "the seed draws other questions");
  }
  if (!run.finished()) {
    throw InputError("answers", std::to_string(run.answers.size()),
                     "the run has " + std::to_string(run.tickets.size()) + " questions; finish it");
  }
  std::int64_t seconds = 0;
  for (const Answer& answer : run.answers) {
    if (answer.seconds < 0 || answer.seconds > run.finished_at - run.started_at) {
      throw InputError("answers", std::to_string(answer.seconds), "longer than the run took");
    }
    seconds += answer.seconds;
  }
  if (seconds > run.finished_at - run.started_at) {
    throw InputError("answers", std::to_string(seconds), "seconds in all, more than the run took");
  }
  return score_of(bank, run);
}

}  // namespace ringlab::quiz
