// Every word that the model says, in one table by key, so that a language is one more table.
//
// A text holds placeholders {0}, {1}, ...; arguments are ready text (numbers with their units), so
// a translation is never a format string. What happens is kept as a Sentence (key and arguments)
// and becomes words only where it is drawn.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringlab::viz {

/// Something to say, in no language yet.
struct Sentence {
  std::string key;
  std::vector<std::string> arguments;
  bool operator==(const Sentence&) const = default;
};

class Texts {
 public:
  /// The built-in table, which has every key.
  static const Texts& english();
  /// A flat JSON object key -> text. Keys that it lacks are taken from English. Throws InputError:
  /// by `source` for text that is no such object, by the key for one that English does not have or
  /// whose placeholders differ from English.
  static Texts from_json(std::string_view json, const std::string& source);

  /// The text of a key as it stands; empty if there is none.
  std::string_view get(std::string_view key) const;
  /// The text of a key with its placeholders filled in; "<key>" if there is none. An argument
  /// "@KEY|X" stands for the text of KEY with {0} = X.
  std::string say(std::string_view key, const std::vector<std::string>& arguments = {}) const;
  std::string say(const Sentence& sentence) const { return say(sentence.key, sentence.arguments); }
  bool has(std::string_view key) const { return table_.find(key) != table_.end(); }
  /// Keys in order.
  std::vector<std::string> keys() const;

 private:
  std::map<std::string, std::string, std::less<>> table_;
};

/// `text` with {0}, {1}, ... replaced; a placeholder without an argument stays as it is.
std::string fill_in(std::string_view text, const std::vector<std::string>& arguments);

/// The numbers of the placeholders in a text, ascending, each once.
std::vector<int> placeholders_of(std::string_view text);

/// 49152 -> "49 152" (groups of three, no-break spaces between).
std::string grouped(long long number);
/// 49152 -> "49.2 kB"; decimal units.
std::string bytes_text(double bytes);
/// 0.00123 -> "1.23 ms".
std::string duration_text(double seconds, int digits = 3);
/// Significant digits as a person wants them: "0.583", "4.2e-07", "-inf".
std::string number_text(double value, int digits = 3);

}  // namespace ringlab::viz
