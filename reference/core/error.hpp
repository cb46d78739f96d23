// The three ways in which something can go wrong, one exception type each.
//
// InputError      the caller's fault: exit code 2. Names the field, the value and the remedy.
// RunError        the world's fault (a rank died, a link is silent): exit code 3.
// InvariantError  our fault: carries the condition that broke, in release builds too.
#pragma once

#include <stdexcept>
#include <string>

namespace ringlab {

/// Bad input; `what()` reads "field: value: remedy".
class InputError : public std::runtime_error {
 public:
  InputError(std::string field, std::string value, std::string remedy);

  const std::string& field() const { return field_; }
  const std::string& value() const { return value_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string field_, value_, remedy_;
};

/// A run that could not go on: a rank that died, a message of the wrong size, a link without
/// progress.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A broken invariant of this library; `what()` holds the condition as text and its place.
class InvariantError : public std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {
[[noreturn]] void invariant_failed(const char* condition, const char* file, int line,
                                   const std::string& why);
}

}  // namespace ringlab

/// Throws InvariantError unless `condition` holds, in every build type.
#define RINGLAB_ENSURE(condition, why)                                                          \
  do {                                                                                          \
    if (!(condition)) ::ringlab::detail::invariant_failed(#condition, __FILE__, __LINE__, why); \
  } while (false)
