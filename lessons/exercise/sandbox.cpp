#include "ringlab/lessons/exercise/sandbox.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "ringlab/lessons/exercise/filter.hpp"
#include "ringlab/reference/core/error.hpp"

namespace ringlab::exercise {
namespace {

using Clock = std::chrono::steady_clock;

// One end of a pipe, closed when it is no longer needed.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw RunError(std::string("no pipe: ") + strerror(errno));
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

void limit(int what, std::uint64_t value) {
  const rlimit both{value, value};
  if (setrlimit(static_cast<__rlimit_resource_t>(what), &both) != 0) _exit(126);
}

// In the child, between fork and exec: system calls only, no memory is taken.
[[noreturn]] void become(char* const* arguments, const char* folder, const Limits& limits,
                         const std::array<int, 4>& descriptors) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Out of the way first: a pipe may have been given one of the numbers 0 to 3.
  std::array<int, 4> high{};
  for (std::size_t i = 0; i < 4; ++i) high[i] = fcntl(descriptors[i], F_DUPFD, 10);
  for (int i = 0; i < 4; ++i) {
    if (dup2(high[static_cast<std::size_t>(i)], i) < 0) _exit(126);
    ::close(high[static_cast<std::size_t>(i)]);
  }
  const auto seconds =
      limits.processor.count() > 0 ? limits.processor.count() : limits.wall.count() / 1000 + 1;
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(seconds));
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_CORE, 0);
  if (chdir(folder) != 0) _exit(126);
  if (limits.filtered && !install_filter()) _exit(125);
  execvp(arguments[0], arguments);
  _exit(127);
}

// Takes what is there; false at the end of the stream.
bool take(int fd, std::string& into) {
  char chunk[16384];
  const ssize_t count = ::read(fd, chunk, sizeof chunk);
  if (count > 0) into.append(chunk, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

class Child {
 public:
  Child(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
        const Limits& limits)
      : limits_(limits) {
    std::vector<std::string> copies = arguments;
    std::vector<char*> pointers;
    for (std::string& argument : copies) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const std::string place = folder.string();
    Pipe in, out, error, answers;
    pid_ = fork();
    if (pid_ < 0) throw RunError(std::string("no child process: ") + strerror(errno));
    if (pid_ == 0) {
      become(pointers.data(), place.c_str(), limits,
             {in.read.get(), out.write.get(), error.write.get(), answers.write.get()});
    }
    setpgid(pid_, pid_);  // both sides say so, whoever comes first
    in_ = std::move(in.write);
    streams_[0] = std::move(out.read);
    streams_[1] = std::move(error.read);
    streams_[2] = std::move(answers.read);
    fcntl(in_.get(), F_SETFL, O_NONBLOCK);
  }

  ~Child() {
    if (pid_ > 0) end();
  }

  Outcome finish(const std::string& input) {
    Outcome outcome;
    const auto deadline = Clock::now() + limits_.wall;
    const bool complete = exchange(input, deadline, outcome);
    int status = 0;
    if (complete) {
      // All streams are closed, which a program may do and live on.
      while (waitpid(pid_, &status, WNOHANG) == 0) {
        if (Clock::now() > deadline) {
          outcome.ending = Ending::out_of_time;
          break;
        }
        usleep(1000);
      }
      if (outcome.ending == Ending::exited) {
        kill(-pid_, SIGKILL);  // whoever is left of its group
        pid_ = -1;
        describe(status, outcome);
        return outcome;
      }
    }
    end();
    return outcome;
  }

 private:
  void end() {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  // Feeds and reads until the streams end; false if a limit was passed, named in `outcome`.
  bool exchange(const std::string& input, Clock::time_point deadline, Outcome& outcome) {
    std::size_t given = 0;
    std::string* const texts[] = {&outcome.out, &outcome.error, &outcome.answers};
    for (;;) {
      std::array<pollfd, 4> polled{};
      for (std::size_t i = 0; i < 3; ++i) polled[i] = {streams_[i].get(), POLLIN, 0};
      polled[3] = {in_.get(), POLLOUT, 0};
      if (!streams_[0].is_open() && !streams_[1].is_open() && !streams_[2].is_open()) return true;
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) {
        outcome.ending = Ending::out_of_time;
        return false;
      }
      const int ready = poll(polled.data(), polled.size(), static_cast<int>(left.count()) + 1);
      if (ready < 0 && errno != EINTR) throw RunError(std::string("poll: ") + strerror(errno));
      if (ready <= 0) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        if (polled[i].revents == 0) continue;
        if (!take(streams_[i].get(), *texts[i])) streams_[i].close();
        if (texts[i]->size() > limits_.output_bytes) {
          texts[i]->resize(limits_.output_bytes);
          outcome.ending = Ending::too_much_output;
          return false;
        }
      }
      if (polled[3].revents != 0) {
        const ssize_t count = ::write(in_.get(), input.data() + given, input.size() - given);
        if (count > 0) given += static_cast<std::size_t>(count);
        if (given == input.size() || (count < 0 && errno != EAGAIN && errno != EINTR)) in_.close();
      }
    }
  }

  void describe(int status, Outcome& outcome) const {
    if (WIFEXITED(status)) {
      outcome.code = WEXITSTATUS(status);
      if (outcome.code == 125) throw RunError("the kernel does not take a filter of system calls");
      return;
    }
    outcome.code = WTERMSIG(status);
    outcome.ending = outcome.code == SIGSYS    ? Ending::forbidden_call
                     : outcome.code == SIGXCPU ? Ending::out_of_time
                                               : Ending::crashed;
  }

  const Limits& limits_;
  pid_t pid_ = -1;
  Descriptor in_;
  std::array<Descriptor, 3> streams_;
};

// A child that ends early must not end us by SIGPIPE.
class IgnorePipeSignal {
 public:
  IgnorePipeSignal() { sigaction(SIGPIPE, &ignore(), &before_); }
  ~IgnorePipeSignal() { sigaction(SIGPIPE, &before_, nullptr); }

 private:
  static const struct sigaction& ignore() {
    static const struct sigaction action = [] {
      struct sigaction a {};
      a.sa_handler = SIG_IGN;
      return a;
    }();
    return action;
  }
  struct sigaction before_ {};
};

}  // namespace

Outcome run_limited(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                    const std::string& input, const Limits& limits) {
  const IgnorePipeSignal ignore;
  return Child(arguments, folder, limits).finish(input);
}

}  // namespace ringlab::exercise
