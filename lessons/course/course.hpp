// The course: its lessons in order, with their texts filled in.
//
// A lesson is a folder: lesson.json (order, minutes, what it needs, which runs of the program it
// quotes), lesson.LANGUAGE.md, exercises. Numbers in a text are references to the program's own
// answers, {{run:/pointer|format}}; figures.json holds those answers, and a test holds figures.json
// against the program. So no text can say what the program does not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringlab::course {

struct Lesson {
  int number = 0;
  std::string folder;  // "03-online-softmax"
  std::string title;
  int minutes = 0;
  int difficulty = 1;  // 1 to 3
  std::vector<int> needs;
  std::vector<std::string> objectives;
  /// Runs that the text quotes: a name and the arguments of `ringlab`, all with --json.
  std::map<std::string, std::string> runs;
  std::string scenario;                // file of the scenario that the picture opens; may be empty
  std::vector<std::string> exercises;  // names
  std::vector<std::string> files;      // that the text works with, put into the learner's folder
};

/// Lessons that stand in this program, by number. Throws InputError for a language without texts.
const std::vector<Lesson>& lessons(const std::string& language = "en");

/// Throws InputError (field `lesson`) that lists the numbers.
const Lesson& lesson(int number, const std::string& language = "en");

/// The text, as it is written.
std::string raw_text(const Lesson& lesson, const std::string& language = "en");
/// The text with every reference replaced by its figure.
std::string text(const Lesson& lesson, const std::string& language = "en");

/// All that a learner reads of a lesson, as Markdown: title, what it takes, objectives, the text,
/// and its exercises with the commands that work on them. `folder` is where the learner's files
/// are.
std::string whole_page(const Lesson& lesson, const std::string& folder = "ringlab-lessons",
                       const std::string& language = "en");

/// What an exercise is called on the command line: "3" if it is the lesson's only one, else "3a".
std::string exercise_id(const Lesson& lesson, std::size_t index);

/// A section of an exercise's text: "title", "task", "nudge", "concept", "neighbour", "why",
/// "second".
std::string exercise_text(const Lesson& lesson, const std::string& exercise,
                          const std::string& section, const std::string& language = "en");

/// A term, the sentence in which it is first used, and the lesson.
struct Term {
  std::string term, sentence;
  int lesson;
};

/// Every term that a lesson marks with [[...]], by name.
std::vector<Term> glossary(const std::string& language = "en");

/// Words of a text, code and tables included, for its reading time.
int word_count(const std::string& text);

}  // namespace ringlab::course
