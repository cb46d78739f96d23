// The bank: what may be asked, as data. Questions that a seed has drawn are in question.hpp.
//
// Files lesson-NN.json hold ten items a lesson, misconceptions.json the mistakes that wrong options
// betray; bank.schema.json says their form, README.md how to write a good one. Every text is an
// object by language code with English in it, so a translation touches no code.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringlab/reference/core/embedded.hpp"

namespace ringlab::quiz {

/// One text in several languages.
struct Text {
  std::map<std::string, std::string> by_language;  // "en", "so", "am"

  /// In this language, or else in English.
  const std::string& in(const std::string& language) const;
  bool operator==(const Text&) const = default;
};

struct Option {
  Text text;
  bool right = false;
  std::string value;          // of a generated item: which of its values this option states
  std::string misconception;  // of a wrong one: an id of misconceptions.json
  Text mend;                  // of a wrong one: the sentence that mends it
};

/// One thing that an item's command shows: a figure of its --json output, and what the right option
/// says of it. A test runs every command and holds every claim, so that no key can drift.
struct Claim {
  std::string at;     // JSON pointer (RFC 6901); a part "*" stands for each member of a list
  std::string of;     // arguments of the command that has it, if not those of `show`
  std::string fold;   // of a list: sum, max, min or imbalance (max over mean); "": as it is
  std::string count;  // of a list: JSON of the value, or list of values, that is counted; "": none
  std::string over;   // pointer of the figure by which it is divided; "": none
  std::string against;  // arguments of the command that has `over` (by default: `at`); "": the same
  std::string minus;    // arguments of the command whose figure at the same place is taken off
  std::string unit;     // number by which it is divided as well: 1e6 for megabytes; "": none
  std::string relation;  // equals, at_least, at_most, contains
  std::string value;     // JSON; of a generated item {name} in it stands for a value
  double within = 0;     // of equals: the relative difference that is allowed, beyond rounding
};

struct Item {
  std::string id;  // unique in the bank, and for ever: statistics and credentials name it
  int lesson = 0;
  Text objective, stem, explanation;
  int difficulty = 1;           // 1 recall, 2 apply, 3 combine
  std::vector<Option> options;  // three or four, one of them right
  bool keep_order = false;      // options stand as written; else the seed shuffles them
  std::string generator;        // "": a fixed item
  std::string show;             // arguments of `ringlab` that show the answer; "": none
  int exit = 0;                 // exit code of that command: 1 where it shows what goes wrong
  std::vector<Claim> expects;   // what its figures must be for the key to be right
  std::string source;           // where the answer stands in print: "arXiv 2310.01889, Table 2"
};

struct Misconception {
  std::string id;
  Text name;           // what is wrongly believed, as a sentence
  std::string source;  // where people were seen to make it: "C4" of the catalogue, or a paper
};

struct BankLesson {
  int number = 0;
  Text title;
  std::vector<Item> items;
};

struct Bank {
  std::vector<BankLesson> lessons;  // ascending
  std::map<std::string, Misconception> misconceptions;
  /// SHA-256, in hex, of all files and of the generators' names and versions: what a credential
  /// names so that its questions can be drawn again.
  std::string hash;

  /// Null for an unknown id.
  const Item* find(std::string_view id) const;
  const BankLesson* lesson(int number) const;
  std::size_t size() const;
};

/// Reads the files of a bank. Throws InputError (field: file and item) for whatever the schema or a
/// cross-reference forbids: an unknown key, an id used twice, no or two right options, a
/// misconception or generator that is not there.
Bank parse_bank(std::span<const EmbeddedFile> files);

/// The bank that the program carries; read once.
const Bank& bank();

/// The files of that bank.
std::span<const EmbeddedFile> bank_files();

}  // namespace ringlab::quiz
