#include "ringlab/reference/transport/mpi_launch.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/transport/detail/last_words.hpp"

extern char** environ;

namespace ringlab {
namespace {

// Where the ranks leave their last words.
class WordsFile {
 public:
  WordsFile() {
    path_ = (std::filesystem::temp_directory_path() / "ringlab-XXXXXX").string();
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw RunError("no file can be made in the folder for temporary files");
    close(descriptor);
  }
  ~WordsFile() { unlink(path_.c_str()); }
  WordsFile(const WordsFile&) = delete;
  WordsFile& operator=(const WordsFile&) = delete;

  const std::string& path() const { return path_; }

  struct Content {
    bool started = false;
    std::string line;  // the first that is not the note of the start
  };
  Content read() const {
    Content out;
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) {
      if (line == "started") {
        out.started = true;
      } else if (out.line.empty()) {
        out.line = line;
      }
    }
    return out;
  }

 private:
  std::string path_;
};

int run(std::vector<std::string> command) {
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error == ENOENT) throw RunError("mpirun is not there: install Open MPI (openmpi-bin)");
  if (error != 0) throw RunError(fmt::format("mpirun cannot be started: error {}", error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw RunError("mpirun was lost");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

bool under_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

LaunchResult launch_mpi(int ranks, const std::vector<std::string>& arguments) {
  const WordsFile words;
  std::vector<std::string> command = {
      "mpirun", "--quiet",  // its own paragraphs on a failure say less than the line of ours
      "--oversubscribe",
      // A rank has two threads: bound to one core they could not overlap.
      "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
      // Copying out of another process' memory is forbidden in many containers.
      "--mca", "btl_vader_single_copy_mechanism", "none", "-x",
      std::string(detail::kLastWordsFile) + "=" + words.path()};
  if (geteuid() == 0) command.push_back("--allow-run-as-root");
  command.insert(command.end(), {"-np", std::to_string(ranks),
                                 std::filesystem::read_symlink("/proc/self/exe").string()});
  command.insert(command.end(), arguments.begin(), arguments.end());

  const int status = run(std::move(command));
  const WordsFile::Content content = words.read();
  LaunchResult result;
  result.status = status >= 0 && status <= 3 ? status : 3;
  if (status == 0) return result;
  if (!content.started) return {3, fmt::format("mpirun could not start {} ranks", ranks)};
  result.message = content.line;
  if (result.message.empty() && status > 3) {
    result.message = status > 128 ? fmt::format("a rank was ended by signal {}", status - 128)
                                  : fmt::format("the MPI job ended with status {}", status);
  }
  return result;
}

}  // namespace ringlab
