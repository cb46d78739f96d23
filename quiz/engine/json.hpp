// Progress and runs as files. A file is written beside and then renamed, so a run that is cut off
// loses at most the answer that was being typed.
#pragma once

#include <filesystem>

#include "ringlab/quiz/engine/progress.hpp"

namespace ringlab::quiz {

/// A run as one JSON object: what `quiz issue` reads, and the evidence of a certificate.
std::string to_json(const Run& run);
/// Throws InputError for what to_json does not write.
Run parse_run(std::string_view json_text, const std::string& source);

std::string to_json(const Progress& progress);
Progress parse_progress(std::string_view json_text, const std::string& source);

/// An empty progress if the file is not there.
Progress load_progress(const std::filesystem::path& path);
void save_progress(const std::filesystem::path& path, const Progress& progress);

}  // namespace ringlab::quiz
