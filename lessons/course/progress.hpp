// What a learner has done: kept in one small file.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace ringlab::course {

class Progress {
 public:
  /// Reads the file; one that is missing is an empty progress. Throws InputError (field `progress`)
  /// for one that is broken.
  explicit Progress(std::filesystem::path file);

  /// $RINGLAB_HOME/lessons.json, else in $XDG_DATA_HOME/ringlab, else ~/.local/share/ringlab.
  static std::filesystem::path default_file();

  bool has_read(int lesson) const { return read_.count(lesson) > 0; }
  bool has_solved(const std::string& exercise) const { return solved_.count(exercise) > 0; }
  /// Hints already given for an exercise.
  int hints(const std::string& exercise) const;

  /// Each change is written at once; a folder that cannot be written is an InputError (field
  /// `progress`).
  void set_read(int lesson);
  void set_solved(const std::string& exercise);
  void set_hints(const std::string& exercise, int count);

 private:
  void save() const;

  std::filesystem::path file_;
  std::set<int> read_;
  std::set<std::string> solved_;
  std::map<std::string, int> hints_;
};

}  // namespace ringlab::course
