// Every stub fails, every solution passes and meets its second goal, and every hint is there.
#include <sys/resource.h>

#include "ringlab/lessons/course/course.hpp"
#include "tests/lessons/exercise/support.hpp"

using namespace ringlab;
using namespace ringlab::exercise;

namespace {

// Processor time of this process and of all that it has waited for: what a check takes on a machine
// that does nothing else, however busy this one is.
double seconds_of_work() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return seconds;
}

}  // namespace

TEST_CASE("every lesson has an exercise, and every exercise a lesson that names it") {
  CHECK(problems().size() >= 12);
  std::size_t named = 0;
  for (const course::Lesson& lesson : course::lessons()) {
    INFO(lesson.folder);
    CHECK(!lesson.exercises.empty());
    for (const std::string& name : lesson.exercises) {
      CHECK(problem_named(name).lesson == lesson.folder);
      ++named;
    }
  }
  CHECK(named == problems().size());
}

TEST_CASE("every stub fails and builds, every solution passes within ten seconds") {
  for (const Problem& problem : problems()) {
    INFO(problem.name);
    const Checked stub = check_text(problem, file_of(problem, "exercise"));
    INFO(stub.trouble);
    CHECK(stub.verdict == Verdict::wrong);
    CHECK(!stub.given.empty());
    CHECK(!stub.complaint.right.empty());
    CHECK(stub.complaint.found != stub.complaint.right);

    const double before = seconds_of_work();
    const Checked solution = check_text(problem, file_of(problem, "solution"));
    INFO(solution.trouble << solution.given << " " << solution.complaint.where << " "
                          << solution.complaint.found << " for " << solution.complaint.right);
    CHECK(solution.verdict == Verdict::right);
    CHECK(solution.passed == solution.cases);
    CHECK(solution.cases >= 6);
    INFO(solution.second.value_or(""));
    CHECK(solution.has_second);
    CHECK(!solution.second);
    CHECK(seconds_of_work() - before < 10);
    CHECK(seconds_of_work() - before > 0.01);  // the compiler's work is counted
  }
}

TEST_CASE("every exercise has its task, four hints, the reason and a second goal") {
  for (const course::Lesson& lesson : course::lessons()) {
    for (const std::string& name : lesson.exercises) {
      for (const char* section :
           {"title", "task", "nudge", "concept", "neighbour", "why", "second"}) {
        INFO(name << " " << section);
        CHECK(course::exercise_text(lesson, name, section).size() > 8);
      }
    }
  }
}

TEST_CASE("the classic mistakes are caught, at the row or hop where they show") {
  // The maximum is not kept.
  Checked c = spoilt("online_softmax", "m = s;\n    }", "m = s;\n    }\n    m = 0;");
  CHECK(c.verdict == Verdict::wrong);
  // The output is not rescaled.
  c = spoilt("online_softmax", "acc *= shrink;", "");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.complaint.where == "the output");

  c = spoilt("merge_partials",
             "if (a.lse == -INFINITY) return b;\n  if (b.lse == -INFINITY) return a;", "");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.given.find("both") != std::string::npos);

  // Counted round the wrong way: the block is not there.
  c = spoilt("ring_builder", "(rank - hop + ranks)", "(rank + hop)");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.complaint.where.find("hop 1") != std::string::npos);
  CHECK(c.complaint.found.find("attends to block") != std::string::npos);

  c = spoilt("ring_bytes", "ranks - 1", "ranks");
  CHECK(c.verdict == Verdict::wrong);
  c = spoilt("ring_bytes", "kv_heads", "query_heads");
  CHECK(c.verdict == Verdict::wrong);
  c = spoilt("tile_class", "last_key <= first_query", "last_key < first_query");
  CHECK(c.complaint.right == "full");
  c = spoilt("score_gradients", "(dp - delta)", "dp");
  CHECK(c.complaint.where.find("the gradient of score ") == 0);
  c = spoilt("group_mesh", "rank / stride % size", "rank % size");
  CHECK(c.verdict == Verdict::wrong);
}

TEST_CASE("tensor and sequence parallelism: what is not summed, and what is not gathered") {
  // Each rank keeps the gradient of its own tokens: right on one rank, wrong on two.
  Checked c = spoilt("split_mlp", "group.all_reduce(dgain)", "dgain");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.given.find("2 ranks") == 0);
  CHECK(c.complaint.where == "rank 0, gain 0, gradient");
  // The gradient of what was gathered is a sum over all who got it, not one's own term.
  c = spoilt("split_mlp", "const Everywhere dnormed = group.reduce_scatter(share)",
             "Everywhere dnormed = share;\n"
             "  for (std::size_t r = 0; r < ranks; ++r)\n"
             "    dnormed[r] = rows_of(share[r], r * x[r].rows, x[r].rows)");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.complaint.where.find("gradient of x") != std::string::npos);
  // Shapes that do not fit are told as such.
  c = spoilt("split_mlp", "group.all_gather(dy)", "dy");
  CHECK(c.verdict == Verdict::no_answer);
  CHECK(c.printed.find("relu_back: rows differ: 1 and 2") != std::string::npos);
}

TEST_CASE("exhibits that look alike are told apart") {
  // The mean over a group of four is three quarters off, not half.
  Checked c =
      spoilt("name_the_fault", "1 - static_cast<double>(run.kv_heads) / run.query_heads", "0.5");
  CHECK(c.complaint.found == "gradient_one_hop_too_far");
  CHECK(c.complaint.right == "gradient_group_mean");
  // The second chunk lies at tokens / ranks in a contiguous layout alone.
  c = spoilt("name_the_fault", "run.chunk()", "run.tokens / run.ranks");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.given.find("zigzag") != std::string::npos);
  c = spoilt("name_the_fault", "first < 0 ?", "first > 0 ?");
  CHECK(c.verdict == Verdict::wrong);
}

TEST_CASE("a gate is not to be talked round") {
  const auto held = [](const Checked& c, const char* given) {
    INFO(c.given << ": " << c.complaint.found << " for " << c.complaint.right);
    CHECK(c.verdict == Verdict::wrong);
    CHECK(c.given.find(given) != std::string::npos);
  };
  held(spoilt("evidence_gate", "if (std::isnan(value)) return INFINITY;", ""), "NaN");
  held(spoilt("evidence_gate", "if (!known && unmeasured < 0)", "if (false)"), "not measured");
  held(spoilt("evidence_gate", "(value - bound) / std::fabs(bound)", "value - bound"),
       "at least 1, measured 0.7");
  held(spoilt("evidence_gate", "miss > largest", "miss >= largest && miss > 0"),
       "at most 1, measured 2; target 1: at most 2, measured 4");
  held(spoilt("evidence_gate", "const double value : t.measured",
              "const double value : std::vector<double>{t.measured.begin(), t.measured.begin() + "
              "(t.measured.empty() ? 0 : 1)}"),
       "target 0: at most 2, measured 1 and 2.5 and 1");
}

TEST_CASE("what does not build is told by the compiler, without our paths") {
  const Checked c =
      check_text(problem_named("ring_bytes"), "#include \"exercise.hpp\"\nint x = ;\n");
  CHECK(c.verdict == Verdict::does_not_build);
  CHECK(c.trouble.find("ring_bytes.cpp:2") != std::string::npos);
  CHECK(c.trouble.find("/tmp") == std::string::npos);
  CHECK(check_text(problem_named("ring_bytes"), "").verdict == Verdict::does_not_build);
}
