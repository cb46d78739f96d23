// A schedule as JSON and back, so that other programs can read, draw or hand in schedules.
#pragma once

#include <string>

#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

/// One JSON object; contents, buffers and exchanges are named by their index.
std::string to_json(const Schedule& schedule);

/// Reads what to_json writes. `name` stands for the text in errors. Throws InputError for anything
/// that is not a schedule; whether it is a right one is check()'s business.
Schedule parse_schedule(const std::string& text, const std::string& name);

}  // namespace ringlab
