// Every stub fails, every solution passes and meets its second goal, and every hint is there.
#include "ringlab/lessons/course/course.hpp"
#include "ringlab/lessons/course/files.hpp"
#include "ringlab/lessons/exercise/check.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::exercise;

namespace {

std::string file_of(const Problem& problem, const char* kind) {
  return std::string(course_file(problem.lesson + "/" + problem.name + "." + kind + ".cpp"));
}

const Problem& problem_named(const std::string& name) {
  for (const Problem& problem : problems()) {
    if (problem.name == name) return problem;
  }
  throw std::logic_error("no problem " + name);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

// The solution with one thing wrong.
Checked spoilt(const std::string& problem, const std::string& what, const std::string& with) {
  const Problem& p = problem_named(problem);
  return check_text(p, replaced(file_of(p, "solution"), what, with));
}

}  // namespace

TEST_CASE("there are at least twelve exercises, each named by its lesson") {
  CHECK(problems().size() >= 12);
  std::size_t named = 0;
  for (const course::Lesson& lesson : course::lessons()) {
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

    const Checked solution = check_text(problem, file_of(problem, "solution"));
    INFO(solution.trouble << solution.given << " " << solution.complaint.where << " "
                          << solution.complaint.found << " for " << solution.complaint.right);
    CHECK(solution.verdict == Verdict::right);
    CHECK(solution.passed == solution.cases);
    CHECK(solution.cases >= 6);
    INFO(solution.second.value_or(""));
    CHECK(!solution.second);
    CHECK(solution.build_seconds + solution.run_seconds < 10);
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

  c = spoilt("ring_bytes", "(ranks - 1)", "ranks");
  CHECK(c.verdict == Verdict::wrong);
  c = spoilt("ring_bytes", "kv_heads", "query_heads");
  CHECK(c.verdict == Verdict::wrong);
  c = spoilt("tile_class", "last_key <= first_query", "last_key < first_query");
  CHECK(c.complaint.right == "full");
  c = spoilt("score_gradients", "(dp[j] - delta)", "dp[j]");
  CHECK(c.complaint.where == "the gradient of score 0");
  c = spoilt("group_mesh", "rank / stride % size", "rank % size");
  CHECK(c.verdict == Verdict::wrong);
}

TEST_CASE("a right answer that could be better is right, and told its second goal") {
  // Two passes over the scores.
  Checked c = spoilt("online_softmax", "double m = -INFINITY, l = 0",
                     "for (long long j = 0; j < row.size(); ++j) row.score(j);\n"
                     "  double m = -INFINITY, l = 0");
  CHECK(c.verdict == Verdict::right);
  CHECK(c.second.value_or("").find("2.0 times") != std::string::npos);

  // The block is passed on once more than anybody needs it.
  c = spoilt("ring_builder", "const bool last = hop == ranks - 1;",
             "const bool last = ranks == 1;");
  CHECK(c.verdict == Verdict::right);
  CHECK(c.second.value_or("").find("4 transfers where 2 will do") != std::string::npos);

  c = spoilt("position_runs", "if (!runs.empty())", "if (false)");
  CHECK(c.verdict == Verdict::right);
  CHECK(c.second.value_or("").find("runs where") != std::string::npos);

  // A loop over tokens never ends on a billion of them; the goal is missed, the answer stands.
  c = spoilt("visible_pairs", "const double n = static_cast<double>(run.count);",
             "volatile double sink = 0;\n"
             "    for (long long i = 0; i < 4 * run.count; ++i) sink = sink + 1;\n"
             "    const double n = static_cast<double>(run.count);");
  CHECK(c.verdict == Verdict::right);
  CHECK(c.second.value_or("").find("2^32") != std::string::npos);
}

TEST_CASE("what does not build is told by the compiler, without our paths") {
  const Checked c =
      check_text(problem_named("ring_bytes"), "#include \"exercise.hpp\"\nint x = ;\n");
  CHECK(c.verdict == Verdict::does_not_build);
  CHECK(c.trouble.find("ring_bytes.cpp:2") != std::string::npos);
  CHECK(c.trouble.find("/tmp") == std::string::npos);
  CHECK(check_text(problem_named("ring_bytes"), "").verdict == Verdict::does_not_build);
}
