// Drawing by blueprint and by need, and regrading from the seed alone.
#include "ringlab/quiz/engine/draw.hpp"

#include <set>

#include "tests/catch.hpp"
#include "tests/quiz/engine/small_bank.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using test::small_bank;

TEST_CASE("a certificate run draws every lesson, no item twice, and the same for the same seed") {
  const Bank bank = small_bank(15, 10);
  std::set<std::string> orders;
  std::map<int, int> extra;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto tickets = draw_exam(bank, 20, seed);
    REQUIRE(tickets.size() == 20);
    REQUIRE(tickets == draw_exam(bank, 20, seed));
    std::map<int, int> per_lesson;
    std::set<std::string> items;
    std::string order;
    for (const Ticket& ticket : tickets) {
      items.insert(ticket.item);
      ++per_lesson[bank.find(ticket.item)->lesson];
      order += ticket.item + " ";
      REQUIRE(ticket.seed < kSeedEnd);
    }
    orders.insert(order);
    REQUIRE(items.size() == 20);
    REQUIRE(per_lesson.size() == 15);
    for (const auto& [lesson, count] : per_lesson) {
      REQUIRE((count == 1 || count == 2));
      extra[lesson] += count - 1;
    }
  }
  CHECK(orders.size() == 2000);
  // Five of fifteen lessons give a second item: 667 times each, deviation 21; six of them.
  for (const auto& [lesson, count] : extra) CHECK(std::abs(count - 667) < 127);
}

TEST_CASE("a bank that is too small is refused, and an uneven one is filled up") {
  const Bank bank = small_bank(3, 4);
  CHECK_THROWS_AS(draw_exam(bank, 13, 1), InputError);
  CHECK(draw_exam(bank, 12, 1).size() == 12);
  CHECK(blueprint(bank, 7, 1).at(1) + blueprint(bank, 7, 1).at(2) + blueprint(bank, 7, 1).at(3) ==
        7);
}

TEST_CASE("practice asks first what is due, then what is new") {
  const Bank bank = small_bank(2, 5);
  Progress progress;
  const std::int64_t now = 1000000;
  progress.cards["l2-i3"] = {{1, 5}, 0, now - 10};
  progress.cards["l1-i0"] = {{1, 5}, 0, now - 20};
  progress.cards["l1-i1"] = {{1, 5}, 0, now + 20};
  progress.items["l1-i1"].asked = 1;
  const auto tickets = draw_practice(bank, progress, 0, 9, 4, now);
  REQUIRE(tickets.size() == 9);
  CHECK(tickets[0].item == "l1-i0");
  CHECK(tickets[1].item == "l2-i3");
  // The one that is known and not due comes last, and nine leave it out.
  for (const Ticket& ticket : tickets) CHECK(ticket.item != "l1-i1");
  CHECK(draw_practice(bank, progress, 0, 100, 4, now).back().item == "l1-i1");
  for (const Ticket& ticket : draw_practice(bank, progress, 2, 100, 4, now)) {
    CHECK(bank.find(ticket.item)->lesson == 2);
  }
  CHECK_THROWS_AS(draw_practice(bank, progress, 9, 5, 4, now), InputError);
  CHECK(draw_review(bank, progress, 10, 4, now).size() == 2);
  CHECK(draw_review(bank, progress, 1, 4, now).size() == 1);
}

Run answered(const Bank& bank, std::uint64_t seed, int wrong) {
  Run run = begin_exam(bank, seed, 5000);
  for (const Ticket& ticket : run.tickets) {
    const Question question = question_of(bank, ticket);
    const int right = question.right();
    run.answers.push_back({wrong-- > 0 ? (right + 1) % 3 : right, Confidence::sure, 10});
  }
  run.finished_at = 5000 + 10 * 20;
  return run;
}

TEST_CASE("regrading computes the result again and refuses what the seed does not draw") {
  const Bank bank = small_bank(15, 10);
  CHECK(regrade_exam(bank, answered(bank, 7, 0)).right == 20);
  CHECK(passes(regrade_exam(bank, answered(bank, 7, 4))));
  CHECK_FALSE(passes(regrade_exam(bank, answered(bank, 7, 5))));

  const Run good = answered(bank, 7, 0);
  const auto refuses = [&](auto change, const std::string& field) {
    Run run = good;
    change(run);
    try {
      regrade_exam(bank, run);
      FAIL("not refused: " << field);
    } catch (const InputError& error) {
      CHECK(error.field() == field);
    }
  };
  refuses([](Run& run) { run.seed = 8; }, "tickets");
  refuses([](Run& run) { run.tickets[3].seed ^= 1; }, "tickets");
  refuses([](Run& run) { std::swap(run.tickets[0], run.tickets[1]); }, "tickets");
  refuses([](Run& run) { run.tickets.pop_back(); }, "tickets");
  refuses([](Run& run) { run.answers.pop_back(); }, "answers");
  refuses([](Run& run) { run.answers[0].choice = 3; }, "answers");
  refuses([](Run& run) { run.answers[0].seconds = 201; }, "answers");
  refuses([](Run& run) { run.answers[0].seconds = 11; }, "answers");
  refuses([](Run& run) { run.bank_hash[0] ^= 1; }, "bank_hash");
  refuses([](Run& run) { run.kind = RunKind::practice; }, "kind");
}

}  // namespace
