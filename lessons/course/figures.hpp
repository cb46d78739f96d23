// References to figures in a lesson's text, and what becomes of them.
//
//   {{ring:/bytes_sent_per_rank/0|bytes}}      one value of the run `ring`, as 12.6 MB
//   {{ring:/a / ring:/b|percent}}              values, + - * / and numbers, from left to right
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ringlab::course {

/// Gives the value of "run:/pointer".
using Lookup = std::function<double(const std::string& reference)>;

/// Replaces every {{...}} of a text. Throws InputError (field `figure`) for one that is not well
/// formed.
std::string fill(const std::string& text, const Lookup& lookup);

/// The references "run:/pointer" in a text, each once, in order.
std::vector<std::string> references(const std::string& text);

/// A value in a format: count, bytes, GB, GiB, percent, factor, number, scientific, seconds.
/// Throws InputError for another one.
std::string format_figure(double value, const std::string& format);

}  // namespace ringlab::course
