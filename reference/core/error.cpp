#include "ringlab/reference/core/error.hpp"

#include <fmt/format.h>

namespace ringlab {

InputError::InputError(std::string field, std::string value, std::string remedy)
    : std::runtime_error(fmt::format("{}: {}: {}", field, value, remedy)),
      field_(std::move(field)),
      value_(std::move(value)),
      remedy_(std::move(remedy)) {}

namespace detail {

void invariant_failed(const char* condition, const char* file, int line, const std::string& why) {
  throw InvariantError(fmt::format("{}:{}: '{}' does not hold: {}", file, line, condition, why));
}

}  // namespace detail
}  // namespace ringlab
