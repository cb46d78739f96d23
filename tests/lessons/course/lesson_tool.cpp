// Holds every lesson against the program: each figure that a text quotes, and each command that it
// shows with its output.
//   lesson_tool PROGRAM LESSONS           shows every difference; ends with 1 if there is one
//   lesson_tool PROGRAM LESSONS --accept  shows every difference and stores it
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "ringlab/lessons/course/figures.hpp"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string program;
bool accept = false;
int differences = 0, commands = 0, figures_held = 0;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void differs(const std::string& where, const std::string& before, const std::string& after) {
  ++differences;
  std::cout << "--- " << where << ": stored\n" << before << "--- received\n" << after;
}

struct Ran {
  std::string out;
  int code;
};

fs::path lesson_folder;
std::vector<std::string> lesson_files;

// Runs a command as a reader would type it, in a scratch folder that holds the lesson's files.
Ran run(const std::string& command, bool with_errors) {
  std::string copies = "mkdir ringlab-lessons; ";
  for (const std::string& file : lesson_files) {
    copies += "cp '" + (lesson_folder / file).string() + "' ringlab-lessons; ";
  }
  const std::string script = "ringlab() { '" + program + "' \"$@\"; }; cd \"$(mktemp -d)\"; " +
                             "export RINGLAB_HOME=$PWD; " + copies + "{ " + command + "; }" +
                             (with_errors ? " 2>&1" : "") + " </dev/null";
  std::string quoted;
  for (const char c : script) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  Ran ran{"", 0};
  std::FILE* pipe = popen(("bash -c '" + quoted + "'").c_str(), "r");
  if (!pipe) return {"cannot start bash", 127};
  char chunk[4096];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, pipe)) ran.out.append(chunk, n);
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  ++commands;
  return ran;
}

// What is not the same on every machine: rounding errors and times.
std::string masked(const std::string& text) {
  static const std::regex rounding("[0-9.]+e-(0[6-9]|[1-9][0-9])");
  static const std::regex time("(^|\n)time  [^\n]*");
  return std::regex_replace(std::regex_replace(text, rounding, "~"), time, "$1time ~");
}

// --- Figures -------------------------------------------------------------------------------------

void hold_figures(const fs::path& folder, const std::map<std::string, std::string>& runs,
                  const std::string& text) {
  Json figures = Json::object();
  std::map<std::string, Json> answers;
  for (const std::string& reference : ringlab::course::references(text)) {
    const std::size_t colon = reference.find(':');
    const std::string name = reference.substr(0, colon);
    // A space would end the reference: it is written as %20.
    const std::string pointer =
        std::regex_replace(reference.substr(colon + 1), std::regex("%20"), " ");
    if (!runs.count(name)) {
      differs(folder.filename().string(), "", "no run is called '" + name + "'\n");
      continue;
    }
    if (!answers.count(name)) {
      const Ran ran = run("ringlab " + runs.at(name), false);
      answers[name] = Json::parse(ran.out, nullptr, false);
      if (answers[name].is_discarded()) {
        differs(folder.filename().string(), "", "run '" + name + "' gives no JSON:\n" + ran.out);
        answers[name] = Json::object();
      }
    }
    const Json::json_pointer at(pointer);
    if (!answers[name].contains(at) || !answers[name].at(at).is_number()) {
      differs(folder.filename().string(), "", reference + " is no number\n");
      continue;
    }
    figures[reference] = answers[name].at(at);
    ++figures_held;
  }
  for (const auto& [name, arguments] : runs) {
    if (!answers.count(name)) {
      differs(folder.filename().string(), "", "run '" + name + "' is quoted nowhere\n");
    }
  }
  const std::string received = figures.empty() ? "" : figures.dump(1) + "\n";
  const std::string stored = read(folder / "figures.json");
  if (received == stored) return;
  differs((folder / "figures.json").string(), stored, received);
  if (accept && !received.empty()) write(folder / "figures.json", received);
}

// --- Commands ------------------------------------------------------------------------------------

// The text with the outputs of its commands as they are now.
std::string with_outputs(const std::string& text, const std::string& where) {
  std::istringstream in(text);
  std::string out, line;
  bool in_code = false;
  while (std::getline(in, line)) {
    out += line + "\n";
    if (line.rfind("```", 0) == 0) in_code = !in_code;
    if (!in_code || line.rfind("$ ", 0) != 0) continue;
    std::string stored, next;
    std::streampos at = in.tellg();
    while (std::getline(in, next) && next.rfind("```", 0) != 0 && next.rfind("$ ", 0) != 0) {
      stored += next + "\n";
      at = in.tellg();
    }
    in.clear();
    in.seekg(at);
    const Ran ran = run(line.substr(2), true);
    if (ran.code > 1) differs(where + ": " + line, "", "fails: " + ran.out);
    std::string received = ran.out;
    if (!received.empty() && received.back() != '\n') received += '\n';
    if (ran.code != 0) received += "(exit code " + std::to_string(ran.code) + ")\n";
    if (masked(stored) == masked(received)) {
      out += stored;
    } else {
      differs(where + ": " + line, stored, received);
      out += received;
    }
  }
  return out;
}

// Commands within sentences: they work, whatever they print.
void hold_inline(const std::string& text, const std::string& where) {
  static const std::regex inline_command("`(ringlab [^`\n]+)`");
  std::string joined = std::regex_replace(text, std::regex("```[^`]*```"), "");
  std::replace(joined.begin(), joined.end(), '\n', ' ');
  for (std::sregex_iterator i(joined.begin(), joined.end(), inline_command), end; i != end; ++i) {
    const std::string command = (*i)[1];
    if (command.find("NN") != std::string::npos || command.find("NAME") != std::string::npos ||
        command.find("FILE") != std::string::npos || command.rfind("ringlab viz", 0) == 0) {
      continue;  // placeholders, and what needs a screen
    }
    const Ran ran = run(command, true);
    if (ran.code > 1) differs(where + ": " + command, "", ran.out);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "use: lesson_tool PROGRAM LESSONS [--accept]\n";
    return 2;
  }
  program = fs::absolute(argv[1]).string();
  accept = argc > 3 && std::string(argv[3]) == "--accept";
  int lessons = 0;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(argv[2])) {
    if (fs::exists(entry.path() / "lesson.json")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    ++lessons;
    const Json lesson = Json::parse(read(folder / "lesson.json"));
    lesson_folder = fs::absolute(folder);
    lesson_files = lesson.value("files", std::vector<std::string>{});
    const fs::path file = folder / "lesson.en.md";
    const std::string text = read(file);
    hold_figures(folder, lesson.at("runs").get<std::map<std::string, std::string>>(), text);
    const std::string now = with_outputs(text, file.string());
    if (now != text && accept) write(file, now);
    hold_inline(now, file.string());
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().string().ends_with(".en.md") && entry.path() != file) {
        hold_inline(read(entry.path()), entry.path().string());
      }
    }
  }
  std::cout << lessons << " lessons, " << figures_held << " figures, " << commands << " commands, "
            << differences << (accept ? " stored anew\n" : " different\n");
  return differences == 0 || accept ? 0 : 1;
}
