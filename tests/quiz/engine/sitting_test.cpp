// A learner at the quiz: pages, answers that are written at once, two programs on one folder.
#include "ringlab/quiz/engine/sitting.hpp"

#include <atomic>
#include <filesystem>
#include <thread>

#include "ringlab/quiz/engine/json.hpp"
#include "tests/catch.hpp"
#include "tests/quiz/engine/small_bank.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
namespace fs = std::filesystem;
using Page = Sitting::Page;
using Refusal = Sitting::Refusal;

constexpr std::int64_t kNow = 1'750'000'000, kDay = 86400;

struct Folder {
  explicit Folder(const std::string& name) : path(fs::temp_directory_path() / name) {
    fs::remove_all(path);
  }
  ~Folder() { fs::remove_all(path); }
  Progress progress() const { return load_progress(path / "progress.json"); }
  fs::path path;
};

// Option of the question that is shown.
int wrong(const Sitting& sitting) {
  return (sitting.question().right() + 1) % 3;
}

TEST_CASE("a practice goes from the choice over questions and answers to the end") {
  const Bank bank = test::small_bank(2, 3);
  Sitting sitting(bank, {});
  sitting.choose(kNow);
  CHECK(sitting.page() == Page::choose);
  REQUIRE(sitting.overview().lessons.size() == 2);
  CHECK(sitting.overview().lessons[1].number == 2);
  CHECK(sitting.overview().lessons[1].sum.items == 3);
  CHECK(sitting.overview().due == 0);
  CHECK(sitting.overview().open_of == 0);

  REQUIRE(sitting.begin(RunKind::practice, 2, 10, 7, kNow));
  CHECK(sitting.count() == 3);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(sitting.page() == Page::question);
    CHECK(sitting.number() == i + 1);
    CHECK(sitting.question().item->lesson == 2);
    const bool right = i != 1;
    const int choice = right ? sitting.question().right() : wrong(sitting);
    REQUIRE(sitting.answer(choice, Confidence::sure, kNow + 10 * i + 4));
    REQUIRE(sitting.page() == Page::answered);
    CHECK(sitting.number() == i + 1);
    CHECK(sitting.choice() == choice);
    CHECK(sitting.said().right == right);
    CHECK(sitting.said().mend.empty() == right);
    CHECK(sitting.score().asked == i + 1);
    sitting.next(kNow + 10 * (i + 1));
  }
  CHECK(sitting.page() == Page::end);
  CHECK(sitting.score().right == 2);
  // From the moment a question is shown until its answer.
  for (const Answer& answer : sitting.run().answers) CHECK(answer.seconds == 4);
  CHECK(sitting.run().finished_at >= sitting.run().started_at + 12);

  sitting.choose(kNow);
  CHECK(sitting.overview().lessons[1].sum.seen == 3);
  CHECK(sitting.overview().lessons[1].sum.right == 2);
  CHECK(sitting.overview().open_of == 0);
  CHECK(sitting.overview().next_due == kNow + 14 + kDay);
}

TEST_CASE("a review asks what is due, and says so when nothing is") {
  const Bank bank = test::small_bank(2, 3);
  Sitting sitting(bank, {});
  CHECK_FALSE(sitting.begin(RunKind::review, 0, 10, 1, kNow));
  CHECK(sitting.refusal() == Refusal::nothing_due);
  CHECK(sitting.page() == Page::choose);
  REQUIRE(sitting.begin(RunKind::practice, 0, 1, 1, kNow));
  const std::string missed = sitting.question().item->id;
  REQUIRE(sitting.answer(wrong(sitting), Confidence::think, kNow));
  sitting.choose(kNow + kDay);
  CHECK(sitting.overview().due == 1);
  REQUIRE(sitting.begin(RunKind::review, 0, 10, 1, kNow + kDay));
  CHECK(sitting.count() == 1);
  CHECK(sitting.question().item->id == missed);
}

TEST_CASE("an unfinished run goes on where it was, in another program too") {
  const Bank bank = test::small_bank(1, 3);
  const Folder folder("ringlab_sitting_resume");
  {
    Sitting first(bank, folder.path);
    REQUIRE(first.begin(RunKind::practice, 0, 3, 5, kNow));
    REQUIRE(first.answer(wrong(first), Confidence::guess, kNow + 1));
  }
  Sitting second(bank, folder.path);
  second.choose(kNow);
  CHECK(second.overview().open_at == 2);
  CHECK(second.overview().open_of == 3);
  REQUIRE(second.resume(kNow));
  CHECK(second.number() == 2);
  CHECK(second.score().asked == 1);
  REQUIRE(second.answer(second.question().right(), Confidence::sure, kNow));
  second.next(kNow);
  REQUIRE(second.answer(second.question().right(), Confidence::sure, kNow));
  // Finished: nothing is open any more.
  CHECK_FALSE(folder.progress().other);
  CHECK_FALSE(second.resume(kNow));
}

TEST_CASE("while another program holds the folder an answer is refused, not lost") {
  const Bank bank = test::small_bank(1, 3);
  const Folder folder("ringlab_sitting_locked");
  Sitting sitting(bank, folder.path);
  REQUIRE(sitting.begin(RunKind::practice, 0, 3, 5, kNow));
  {
    const auto other = FolderLock::attempt(folder.path);
    REQUIRE(other);
    CHECK_FALSE(FolderLock::attempt(folder.path));
    CHECK_FALSE(sitting.answer(0, Confidence::sure, kNow));
    CHECK(sitting.refusal() == Refusal::locked);
    CHECK(sitting.page() == Page::question);
    CHECK(folder.progress().items.empty());
  }
  REQUIRE(sitting.answer(0, Confidence::sure, kNow));
  CHECK(sitting.refusal() == Refusal::none);
  CHECK(folder.progress().items.size() == 1);
}

TEST_CASE("a run that another program began is kept, and the answer counts all the same") {
  const Bank bank = test::small_bank(2, 3);
  const Folder folder("ringlab_sitting_two");
  Sitting a(bank, folder.path), b(bank, folder.path);
  REQUIRE(a.begin(RunKind::practice, 1, 3, 1, kNow));
  REQUIRE(b.begin(RunKind::practice, 2, 3, 2, kNow));
  REQUIRE(a.answer(0, Confidence::sure, kNow));
  const Progress progress = folder.progress();
  REQUIRE(progress.other);
  CHECK(*progress.other == b.run());
  CHECK(progress.items.count(a.question().item->id) == 1);
  // And it goes on to its own end.
  a.next(kNow);
  REQUIRE(a.answer(0, Confidence::sure, kNow));
  a.next(kNow);
  REQUIRE(a.answer(0, Confidence::sure, kNow));
  a.next(kNow);
  CHECK(a.page() == Page::end);
  CHECK(*folder.progress().other == b.run());
}

TEST_CASE("many answers from two programs at once are all there in the end") {
  const Bank bank = test::small_bank(2, 60);
  const Folder folder("ringlab_sitting_storm");
  std::atomic<int> given{0};
  const auto learner = [&](int lesson) {
    Sitting sitting(bank, folder.path);
    while (!sitting.begin(RunKind::practice, lesson, 60, 3, kNow)) {
    }
    while (sitting.page() != Page::end) {
      while (!sitting.answer(0, Confidence::guess, kNow)) {
      }
      ++given;
      sitting.next(kNow);
    }
  };
  std::thread one(learner, 1), two(learner, 2);
  one.join();
  two.join();
  const Progress progress = folder.progress();
  CHECK(given == 120);
  CHECK(progress.items.size() == 120);
  for (const auto& [id, item] : progress.items) CHECK(item.asked == 1);
}

TEST_CASE("what is put on review is due a day later, once, and counts as no answer") {
  const Bank bank = test::small_bank(1, 2);
  Sitting sitting(bank, {});
  REQUIRE(sitting.put_on_review("l1-i1", kNow));
  REQUIRE(sitting.put_on_review("l1-i1", kNow + 5));
  sitting.choose(kNow + kDay - 1);
  CHECK(sitting.overview().due == 0);
  sitting.choose(kNow + kDay);
  CHECK(sitting.overview().due == 1);
  CHECK(sitting.overview().lessons[0].sum.asked == 0);
  CHECK_THROWS(sitting.put_on_review("no-such", kNow));
}

}  // namespace
