#include "ringlab/lessons/course/files.hpp"

#include "ringlab/reference/core/error.hpp"

namespace ringlab {

bool has_course_file(std::string_view name) {
  for (const EmbeddedFile& file : lesson_files::embedded_files()) {
    if (file.name == name) return true;
  }
  return false;
}

std::string_view course_file(std::string_view name) {
  for (const EmbeddedFile& file : lesson_files::embedded_files()) {
    if (file.name == name) return file.text;
  }
  throw InvariantError("the course has no file '" + std::string(name) + "'");
}

}  // namespace ringlab
