#include "ringlab/lessons/course/progress.hpp"

#include <cstdlib>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::course {
namespace {

namespace fs = std::filesystem;

}  // namespace

fs::path Progress::default_file() {
  const auto variable = [](const char* name) -> const char* {
    const char* value = std::getenv(name);
    return value && *value ? value : nullptr;
  };
  if (const char* home = variable("RINGLAB_HOME")) return fs::path(home) / "lessons.json";
  if (const char* data = variable("XDG_DATA_HOME")) {
    return fs::path(data) / "ringlab" / "lessons.json";
  }
  const char* home = variable("HOME");
  return fs::path(home ? home : ".") / ".local" / "share" / "ringlab" / "lessons.json";
}

Progress::Progress(fs::path file) : file_(std::move(file)) {
  if (!fs::exists(file_)) return;
  const nlohmann::json json =
      ringlab::detail::parse_json(read_file(file_, "progress", 1 << 20), file_.string());
  try {
    read_ = json.at("read").get<std::set<int>>();
    solved_ = json.at("solved").get<std::set<std::string>>();
    hints_ = json.at("hints").get<std::map<std::string, int>>();
  } catch (const nlohmann::json::exception&) {
    throw InputError("progress", file_.string(), "is not a learner's progress; move it away");
  }
}

int Progress::hints(const std::string& exercise) const {
  const auto at = hints_.find(exercise);
  return at == hints_.end() ? 0 : at->second;
}

void Progress::set_read(int lesson) {
  if (read_.insert(lesson).second) save();
}

void Progress::set_solved(const std::string& exercise) {
  if (solved_.insert(exercise).second) save();
}

void Progress::set_hints(const std::string& exercise, int count) {
  hints_[exercise] = count;
  save();
}

void Progress::save() const {
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);
  const nlohmann::json json = {{"read", read_}, {"solved", solved_}, {"hints", hints_}};
  write_file(file_, json.dump(1) + "\n", "progress");
}

}  // namespace ringlab::course
