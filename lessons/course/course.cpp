#include "ringlab/lessons/course/course.hpp"

#include <algorithm>
#include <sstream>

#include "ringlab/lessons/course/figures.hpp"
#include "ringlab/lessons/course/files.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::course {
namespace {

using Json = nlohmann::json;

std::string of_language(const Json& texts, const std::string& language) {
  return texts.contains(language) ? texts.at(language).get<std::string>()
                                  : texts.at("en").get<std::string>();
}

Lesson read_lesson(const std::string& folder, const std::string& language) {
  const Json json =
      ringlab::detail::parse_json(course_file(folder + "/lesson.json"), folder + "/lesson.json");
  Lesson lesson;
  lesson.folder = folder;
  lesson.number = json.at("order").get<int>();
  lesson.minutes = json.at("minutes").get<int>();
  lesson.difficulty = json.at("difficulty").get<int>();
  lesson.title = of_language(json.at("title"), language);
  lesson.needs = json.at("needs").get<std::vector<int>>();
  for (const Json& objective : json.at("objectives")) {
    lesson.objectives.push_back(of_language(objective, language));
  }
  lesson.runs = json.at("runs").get<std::map<std::string, std::string>>();
  lesson.scenario = json.value("scenario", "");
  lesson.exercises = json.value("exercises", std::vector<std::string>{});
  lesson.files = json.value("files", std::vector<std::string>{});
  return lesson;
}

std::string text_file(const Lesson& lesson, const std::string& language) {
  return lesson.folder + "/lesson." + language + ".md";
}

std::vector<Lesson> read_lessons(const std::string& language) {
  std::vector<Lesson> found;
  const std::string suffix = "/lesson.json";
  for (const EmbeddedFile& file : lesson_files::embedded_files()) {
    const std::string name(file.name);
    if (!name.ends_with(suffix)) continue;
    Lesson lesson = read_lesson(name.substr(0, name.size() - suffix.size()), language);
    if (has_course_file(text_file(lesson, language))) found.push_back(std::move(lesson));
  }
  if (found.empty()) {
    throw InputError("language", "'" + language + "'", "lessons are there in en");
  }
  std::sort(found.begin(), found.end(),
            [](const Lesson& a, const Lesson& b) { return a.number < b.number; });
  return found;
}

std::string in_any_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The sentence of `text` that holds position `at`, without the marks of Markdown.
std::string sentence_at(const std::string& text, std::size_t at) {
  const auto is_end = [&](std::size_t i) {
    const bool blank_line = text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n';
    const bool stop = (text[i] == '.' || text[i] == '?' || text[i] == ':') && i + 1 < text.size() &&
                      (text[i + 1] == ' ' || text[i + 1] == '\n');
    return blank_line || (stop && text[i] != ':');
  };
  std::size_t begin = at, end = at;
  while (begin > 0 && !is_end(begin - 1)) --begin;
  while (end < text.size() && !is_end(end)) ++end;
  if (end < text.size() && text[end] != '\n') ++end;
  std::string sentence;
  for (std::size_t i = begin; i < end; ++i) {
    const char c = text[i];
    if (c == ']' && text.compare(i, 2, "](") == 0) i = std::min(text.find(')', i), end - 1);
    if (c == '[' || c == ']' || c == '*' || c == '`') continue;
    sentence += c == '\n' ? ' ' : c;
  }
  const std::size_t first = sentence.find_first_not_of(" ->");
  if (first == std::string::npos) return "";
  sentence = sentence.substr(first);
  // A sentence that stands in brackets stands alone here.
  if (sentence.front() == '(' && sentence.find(')') == std::string::npos) sentence.erase(0, 1);
  return sentence;
}

}  // namespace

const std::vector<Lesson>& lessons(const std::string& language) {
  static std::map<std::string, std::vector<Lesson>> known;
  const auto at = known.find(language);
  if (at != known.end()) return at->second;
  return known.emplace(language, read_lessons(language)).first->second;
}

const Lesson& lesson(int number, const std::string& language) {
  std::string numbers;
  for (const Lesson& one : lessons(language)) {
    if (one.number == number) return one;
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(one.number);
  }
  throw InputError("lesson", std::to_string(number), "give one of " + numbers);
}

std::string raw_text(const Lesson& lesson, const std::string& language) {
  return std::string(course_file(text_file(lesson, language)));
}

std::string text(const Lesson& lesson, const std::string& language) {
  const std::string raw = raw_text(lesson, language);
  const std::string file = lesson.folder + "/figures.json";
  if (references(raw).empty()) return raw;
  const Json figures = ringlab::detail::parse_json(course_file(file), file);
  return fill(raw, [&](const std::string& reference) {
    if (!figures.contains(reference)) {
      throw InvariantError(file + " has no " + reference + "; make the figures anew");
    }
    return figures.at(reference).get<double>();
  });
}

std::string whole_page(const Lesson& lesson, const std::string& folder,
                       const std::string& language) {
  std::string page = "# " + std::to_string(lesson.number) + ". " + lesson.title + "\n\n";
  page += std::to_string(lesson.minutes) + " minutes, difficulty " +
          std::to_string(lesson.difficulty) + " of 3";
  for (std::size_t i = 0; i < lesson.needs.size(); ++i) {
    page += (i == 0 ? "; needs lesson " : ", ") + std::to_string(lesson.needs[i]);
  }
  page += "\n\nAfter this lesson you can:\n\n";
  for (const std::string& objective : lesson.objectives) page += "- " + objective + "\n";
  page += "\n" + text(lesson, language);
  for (std::size_t i = 0; i < lesson.exercises.size(); ++i) {
    const std::string& name = lesson.exercises[i];
    const std::string id = exercise_id(lesson, i);
    page += "\n## Exercise " + id + ": " + exercise_text(lesson, name, "title", language) + "\n\n" +
            exercise_text(lesson, name, "task", language) + "\n\n- `ringlab lesson start " + id +
            "` puts the file to fill in into `" + folder + "`\n- `ringlab lesson check " + id +
            "` judges it, `ringlab lesson hint " + id + "` helps\n";
  }
  return page;
}

std::string exercise_id(const Lesson& lesson, std::size_t index) {
  std::string id = std::to_string(lesson.number);
  if (lesson.exercises.size() > 1) id += static_cast<char>('a' + index);
  return id;
}

std::string exercise_text(const Lesson& lesson, const std::string& exercise,
                          const std::string& section, const std::string& language) {
  std::string name = lesson.folder + "/" + exercise + "." + language + ".md";
  if (!has_course_file(name)) name = lesson.folder + "/" + exercise + ".en.md";
  const std::string all(course_file(name));
  const std::string heading = "# " + section + "\n";
  std::size_t begin = all.find(heading);
  if (begin == std::string::npos) throw InvariantError(name + " has no section " + section);
  begin += heading.size();
  std::size_t end = all.find("\n# ", begin);
  if (end == std::string::npos) end = all.size();
  std::string found = all.substr(begin, end - begin);
  while (!found.empty() && found.back() == '\n') found.pop_back();
  return found;
}

std::vector<Term> glossary(const std::string& language) {
  std::vector<Term> terms;
  for (const Lesson& one : lessons(language)) {
    const std::string all = text(one, language);
    for (std::size_t at = 0; (at = all.find("[[", at)) != std::string::npos; at += 2) {
      const std::size_t end = all.find("]]", at);
      if (end == std::string::npos) break;
      terms.push_back({all.substr(at + 2, end - at - 2), sentence_at(all, at), one.number});
    }
  }
  std::sort(terms.begin(), terms.end(),
            [](const Term& a, const Term& b) { return in_any_case(a.term) < in_any_case(b.term); });
  return terms;
}

int word_count(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  int count = 0;
  while (words >> word) {
    // Rules of tables and marks of lists are looked at, not read.
    count += std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c); });
  }
  return count;
}

}  // namespace ringlab::course
