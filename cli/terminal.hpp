// Text for a person on a terminal of any width, and a line of answer back from one.
#pragma once

#include <optional>
#include <string>

namespace ringlab::cli {

/// Columns of the terminal at standard output, at least 20; 80 where it is none.
int terminal_width();

/// Breaks a text at spaces so that no line is wider than `width`, which counts characters, not
/// bytes; a longer word stands alone. Lines begin with `indent` spaces, the first with `first`.
std::string wrapped(const std::string& text, int width, int indent = 0,
                    const std::string& first = "");

enum class Colour { red = 31, green = 32, yellow = 33, cyan = 36 };

/// The text in a colour where standard output is a terminal that takes colours.
std::string coloured(const std::string& text, Colour colour);

/// Prints the prompt and reads one line, without blanks around it; nothing at the end of the input.
/// What comes from a pipe is printed behind the prompt, as a terminal would.
std::optional<std::string> ask(const std::string& prompt);

}  // namespace ringlab::cli
