// The lessons' files, carried inside the program: "03-online-softmax/lesson.en.md", ...
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ringlab/reference/core/embedded.hpp"

namespace ringlab {

/// The text of a file. Throws InvariantError for one that is not there.
std::string_view course_file(std::string_view name);
bool has_course_file(std::string_view name);

namespace lesson_files {
std::span<const EmbeddedFile> embedded_files();
}  // namespace lesson_files

}  // namespace ringlab
