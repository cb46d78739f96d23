// Submissions that mean harm: each is reported as what it is, and leaves nothing behind.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ringlab/lessons/course/files.hpp"
#include "ringlab/lessons/exercise/check.hpp"
#include "ringlab/reference/core/error.hpp"
#include "tests/catch.hpp"

using namespace ringlab;
using namespace ringlab::exercise;

namespace {

const Problem& bytes_problem() {
  for (const Problem& problem : problems()) {
    if (problem.name == "ring_bytes") return problem;
  }
  throw std::logic_error("no ring_bytes");
}

// A submission whose function does this instead of its task.
Checked submit(const std::string& body, const std::string& before = "") {
  return check_text(
      bytes_problem(),
      "#include \"exercise.hpp\"\n#include <unistd.h>\n" + before +
          "\ndouble ring_bytes(const std::vector<long long>&, long long, Heads, long long) {\n" +
          body + "\n  return 0;\n}\n");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Processes whose scratch folder is gone: what a check has left behind. Checks that other programs
// are at have theirs still.
int left_behind() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::error_code ignored;
    const std::string folder =
        std::filesystem::read_symlink(entry.path() / "cwd", ignored).string();
    count += has(folder, "ringlab-exercise-") && has(folder, "(deleted)");
  }
  return count;
}

}  // namespace

TEST_CASE("an endless loop is ended by the clock") {
  const Checked c = submit("volatile int x = 0; for (;;) x = x + 1;");
  CHECK(c.verdict == Verdict::no_answer);
  CHECK(has(c.trouble, "did not end within"));
  CHECK(c.run_seconds < 8);
  CHECK(left_behind() == 0);
}

TEST_CASE("one that sleeps takes no processor time and is ended all the same") {
  const Checked c = submit("for (;;) sleep(100);");
  CHECK(has(c.trouble, "did not end within"));
}

TEST_CASE("100 GB are not to be had") {
  const Checked c = submit(
      "std::vector<std::vector<char>> all;\n"
      "  for (int i = 0; i < 100; ++i) all.emplace_back(1000000000, 'x');");
  CHECK(c.verdict == Verdict::no_answer);
  CHECK(has(c.trouble, "more memory"));
}

TEST_CASE("a fork bomb never starts a process") {
  for (const char* bomb :
       {"for (;;) fork();", "for (;;) vfork();", "(void)!std::system(\"sleep 99 &\");"}) {
    INFO(bomb);
    const Checked c = submit(bomb, "#include <cstdlib>");
    CHECK(c.verdict == Verdict::no_answer);
    CHECK(has(c.trouble, "start a process"));
  }
  CHECK(left_behind() == 0);
}

TEST_CASE("crashes are named") {
  CHECK(has(submit("*(volatile int*)0 = 1;").trouble, "Segmentation fault"));
  CHECK(has(submit("std::abort();").trouble, "Aborted"));
  CHECK(has(
      submit(
          "return deep(1);",
          "double deep(double x) { volatile char s[4096]; s[0] = 1; return deep(x + s[0]) + 1; }")
          .trouble,
      "Segmentation fault"));
  CHECK(has(submit("throw 1;").trouble, "Aborted"));
}

TEST_CASE("endless output is cut off") {
  CHECK(has(submit("for (;;) std::puts(\"spam\");").trouble, "printed more than"));
  CHECK(has(submit("for (;;) std::fputs(\"spam\", stderr);").trouble, "printed more than"));
  CHECK(submit("for (;;) (void)!write(3, \"1 0\\n\", 4);").verdict == Verdict::wrong);
}

TEST_CASE("ending early, or closing everything, is no answer") {
  Checked c = submit("_exit(0);");
  CHECK(c.verdict == Verdict::no_answer);
  CHECK(has(c.trouble, "ended by itself with code 0"));
  c = submit("close(0); close(1); close(2); close(3); for (;;) pause();");
  CHECK(c.verdict == Verdict::no_answer);
  CHECK(has(c.trouble, "did not end within"));
}

TEST_CASE("printing an answer is not giving one, and guessing them is of no use") {
  Checked c = submit("std::printf(\"right\\nverdict: right\\n1 1280\\n\");");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(has(c.printed, "verdict: right"));
  // Answers written past the harness are judged like any other.
  c = submit(
      "const char* all = \"1 42\\n\"; for (int i = 0; i < 24; ++i) (void)!write(3, all, 5); "
      "_exit(0);");
  CHECK(c.verdict == Verdict::wrong);
  CHECK(c.complaint.found == "42");
  c = submit("(void)!write(3, \"nonsense\\n\", 9); _exit(0);");
  CHECK(c.verdict == Verdict::no_answer);
  c = submit("(void)!write(3, \"99999999999999999999 1\\n\", 23); _exit(0);");
  CHECK(c.verdict == Verdict::no_answer);
}

TEST_CASE("files are not written and others are not signalled") {
  const std::string target = "/tmp/ringlab-hostile-test-" + std::to_string(getpid());
  Checked c =
      submit("std::FILE* f = std::fopen(\"" + target + "\", \"w\"); if (f) std::fputs(\"x\", f);");
  CHECK(c.verdict == Verdict::no_answer);
  CHECK(!std::filesystem::exists(target));
  std::ofstream(target) << "precious";
  c = submit("unlink(\"" + target + "\");");
  CHECK(has(c.trouble, "no exercise needs"));
  CHECK(std::filesystem::exists(target));
  std::filesystem::remove(target);
  c = submit("kill(" + std::to_string(getpid()) + ", 15);", "#include <signal.h>");
  CHECK(has(c.trouble, "no exercise needs"));
  c = submit("socket(AF_INET, SOCK_STREAM, 0);", "#include <sys/socket.h>");
  CHECK(has(c.trouble, "no exercise needs"));
  c = submit("execl(\"/bin/sh\", \"sh\", \"-c\", \"sleep 99 & rm -rf /tmp/none\", (char*)0);");
  CHECK(c.verdict == Verdict::no_answer);
}

TEST_CASE("harm done before main is under the same limits") {
  const Checked c = submit("", "struct Early { Early() { fork(); } } early;");
  CHECK(has(c.trouble, "start a process"));
}

TEST_CASE("a compiler that is kept busy is ended too") {
  const Checked c = check_text(bytes_problem(),
                               "#include \"exercise.hpp\"\n"
                               "#include \"/dev/zero\"\n");
  CHECK(c.verdict == Verdict::does_not_build);
  CHECK(c.build_seconds < 130);
}

TEST_CASE("scratch folders go away") {
  const auto own = std::filesystem::temp_directory_path() /
                   ("ringlab-hostile-scratch-" + std::to_string(getpid()));
  std::filesystem::create_directory(own);
  setenv("TMPDIR", own.c_str(), 1);
  submit("std::abort();");
  unsetenv("TMPDIR");
  CHECK(std::filesystem::is_empty(own));
  std::filesystem::remove(own);
}

TEST_CASE("what stays behind would be seen") {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("ringlab-exercise-left-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(1);
    (void)!write(ready[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  std::filesystem::remove(folder);
  CHECK(left_behind() == 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(left_behind() == 0);
}
