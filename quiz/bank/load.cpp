// Reads the bank's files, strictly: what the schema forbids is refused here too, by file and item.
#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <set>

#include "ringlab/quiz/bank/bank.hpp"
#include "ringlab/quiz/bank/generator.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz {

std::span<const EmbeddedFile> embedded_files();  // made by ringlab_embed

namespace {

using ringlab::detail::Json;

[[noreturn]] void refuse(const std::string& where, const std::string& value,
                         const std::string& remedy) {
  throw InputError(where, value, remedy);
}

// The members of an object: all of `needed`, some of `allowed`, and no other.
void check_keys(const Json& object, const std::string& where,
                const std::vector<std::string>& needed,
                const std::vector<std::string>& allowed = {}) {
  if (!object.is_object()) refuse(where, detail::brief(object), "give an object");
  for (const std::string& key : needed) {
    if (!object.contains(key)) refuse(where, key + " is missing", "see quiz/bank/bank.schema.json");
  }
  for (const auto& [key, value] : object.items()) {
    const auto has = [&key](const auto& list) {
      return std::find(list.begin(), list.end(), key) != list.end();
    };
    if (!has(needed) && !has(allowed)) refuse(where, key, "no such key");
  }
}

std::string string_in(const Json& object, const char* key, const std::string& where) {
  if (!object.contains(key)) return "";
  const Json& value = object[key];
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    refuse(where + "." + key, detail::brief(value), "give a text that is not empty");
  }
  return value;
}

Text text_in(const Json& object, const char* key, const std::string& where) {
  Text text;
  const std::string at = where + "." + key;
  const Json& value = object.at(key);
  if (!value.is_object() || !value.contains("en")) {
    refuse(at, detail::brief(value), "give an object by language code, with 'en' in it");
  }
  for (const auto& [language, words] : value.items()) {
    if (language != "en" && language != "so" && language != "am") {
      refuse(at, language, "languages are en, so and am");
    }
    text.by_language[language] = string_in(value, language.c_str(), at);
  }
  return text;
}

bool is_id(const std::string& id) {
  return !id.empty() && id[0] >= 'a' && id[0] <= 'z' &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == id.npos;
}

Option read_option(const Json& json, bool generated, const std::string& where) {
  const bool right = json.is_object() && json.contains("right");
  std::vector<std::string> needed = {"text"};
  if (generated) needed.push_back("value");
  if (right) {
    needed.push_back("right");
  } else {
    needed.insert(needed.end(), {"misconception", "mend"});
  }
  check_keys(json, where, needed);
  Option option;
  option.text = text_in(json, "text", where);
  option.value = string_in(json, "value", where);
  option.right = right;
  if (right) {
    if (json["right"] != true) refuse(where + ".right", "false", "leave it out of a wrong option");
  } else {
    option.misconception = string_in(json, "misconception", where);
    option.mend = text_in(json, "mend", where);
  }
  return option;
}

Claim read_claim(const Json& json, const std::string& where) {
  const std::vector<std::string> relations = {"equals", "at_least", "at_most", "contains"};
  std::vector<std::string> allowed = {"of",      "fold",  "count", "over",
                                      "against", "minus", "unit",  "within"};
  allowed.insert(allowed.end(), relations.begin(), relations.end());
  check_keys(json, where, {"at"}, allowed);
  Claim claim;
  const auto pointer = [&](const char* key) {
    const std::string text = string_in(json, key, where);
    if (!text.empty() && text[0] != '/') {
      refuse(where + "." + key, text, "give a JSON pointer, such as /per_rank/0/flops");
    }
    return text;
  };
  const auto positive = [&](const char* key) {
    if (!json[key].is_number() || !(json[key] > 0)) {
      refuse(where + "." + key, detail::brief(json[key]), "give a number above 0");
    }
    return json[key].get<double>();
  };
  claim.at = pointer("at");
  claim.over = pointer("over");
  claim.of = string_in(json, "of", where);
  claim.against = string_in(json, "against", where);
  claim.minus = string_in(json, "minus", where);
  if (json.contains("within")) claim.within = positive("within");
  if (json.contains("unit")) {
    // A number, or the name of a value.
    const bool named = json["unit"].is_string();
    claim.unit = named ? string_in(json, "unit", where) : fmt::format("{}", positive("unit"));
  }
  claim.fold = string_in(json, "fold", where);
  const std::vector<std::string> folds = {"", "sum", "max", "min", "imbalance"};
  if (std::find(folds.begin(), folds.end(), claim.fold) == folds.end()) {
    refuse(where + ".fold", claim.fold, "give sum, max, min or imbalance");
  }
  if (json.contains("count")) claim.count = json["count"].dump();
  for (const std::string& relation : relations) {
    if (!json.contains(relation)) continue;
    if (!claim.relation.empty())
      refuse(where, claim.relation + ", " + relation, "give one of them");
    claim.relation = relation;
    claim.value = json[relation].dump();
    if (json[relation].is_object() || json[relation].is_null()) {
      refuse(where + "." + relation, claim.value, "give a number, a text, true, false or a list");
    }
  }
  if (claim.relation.empty()) refuse(where, "no relation", "give equals, at_least, at_most, ..");
  return claim;
}

// What shows the answer: a command and its claims, neither without the other.
void read_show(const Json& json, const std::string& where, Item& item) {
  item.show = string_in(json, "show", where);
  for (const char* part : {"expects", "exit"}) {
    if (item.show.empty() && json.contains(part)) {
      refuse(where + "." + part, "given", "belongs to a show");
    }
  }
  if (item.show.empty()) return;
  if (json.contains("exit")) {
    item.exit = static_cast<int>(detail::integer_from(json["exit"], where + ".exit", 1, 3));
  }
  if (!json.contains("expects") || !json["expects"].is_array() || json["expects"].empty()) {
    refuse(where + ".expects", "none", "say what the figures of show must be");
  }
  for (const Json& claim : json["expects"]) {
    item.expects.push_back(read_claim(claim, where + ".expects"));
  }
}

Item read_item(const Json& json, int lesson, const std::string& file) {
  const std::string id =
      json.is_object() && json.contains("id") && json["id"].is_string() ? json["id"] : Json("?");
  const std::string where = file + ": " + id;
  check_keys(json, where, {"id", "objective", "difficulty", "stem", "options", "explanation"},
             {"generator", "keep_order", "show", "exit", "expects", "source"});
  if (!is_id(id)) refuse(where, id, "give an id of small letters, digits and '-'");
  Item item;
  item.id = id;
  item.lesson = lesson;
  item.objective = text_in(json, "objective", where);
  item.stem = text_in(json, "stem", where);
  item.explanation = text_in(json, "explanation", where);
  item.difficulty =
      static_cast<int>(detail::integer_from(json["difficulty"], where + ".difficulty", 1, 3));
  item.generator = string_in(json, "generator", where);
  item.source = string_in(json, "source", where);
  read_show(json, where, item);
  if (json.contains("keep_order")) {
    if (json["keep_order"] != true) refuse(where + ".keep_order", "not true", "leave it out");
    item.keep_order = true;
  }
  if (!item.generator.empty() && generators().count(item.generator) == 0) {
    refuse(where + ".generator", item.generator, "no such generator in quiz/bank/generators");
  }
  const Json& options = json["options"];
  if (!options.is_array() || options.size() < 3 || options.size() > 4) {
    refuse(where + ".options", detail::brief(options), "give three or four");
  }
  int right = 0;
  std::set<std::string> texts;
  for (const Json& option : options) {
    item.options.push_back(read_option(option, !item.generator.empty(), where + ".options"));
    right += item.options.back().right;
    texts.insert(item.options.back().text.in("en") + "\n" + item.options.back().value);
  }
  if (right != 1) refuse(where + ".options", fmt::format("{} right", right), "make one right");
  if (texts.size() != item.options.size()) refuse(where + ".options", "two alike", "change one");
  return item;
}

BankLesson read_lesson(const EmbeddedFile& file) {
  const std::string name(file.name);
  const Json json = detail::parse_json(file.text, name);
  check_keys(json, name, {"lesson", "title", "items"});
  BankLesson lesson;
  lesson.number = static_cast<int>(detail::integer_from(json["lesson"], name + ".lesson", 1, 99));
  if (name != fmt::format("lesson-{:02}.json", lesson.number)) {
    refuse(name, std::to_string(lesson.number), "the file's name has another number");
  }
  lesson.title = text_in(json, "title", name);
  if (!json["items"].is_array()) refuse(name, "items", "give a list");
  for (const Json& item : json["items"]) {
    lesson.items.push_back(read_item(item, lesson.number, name));
  }
  return lesson;
}

void read_misconceptions(const EmbeddedFile& file, Bank& bank) {
  const std::string name(file.name);
  const Json json = detail::parse_json(file.text, name);
  check_keys(json, name, {"misconceptions"});
  if (!json["misconceptions"].is_array()) refuse(name, "misconceptions", "give a list");
  for (const Json& one : json["misconceptions"]) {
    check_keys(one, name, {"id", "name", "source"});
    const Misconception read{string_in(one, "id", name), text_in(one, "name", name),
                             string_in(one, "source", name)};
    if (!is_id(read.id)) refuse(name, read.id, "give an id of small letters, digits and '-'");
    if (!bank.misconceptions.emplace(read.id, read).second) refuse(name, read.id, "stands twice");
  }
}

void check_references(const Bank& bank) {
  std::set<std::string> ids;
  for (const BankLesson& lesson : bank.lessons) {
    for (const Item& item : lesson.items) {
      if (!ids.insert(item.id).second) refuse(item.id, "stands twice", "give each item its own id");
      for (const Option& option : item.options) {
        if (!option.right && bank.misconceptions.count(option.misconception) == 0) {
          refuse(item.id, option.misconception, "no such misconception in misconceptions.json");
        }
      }
    }
  }
}

std::string hash_of(std::span<const EmbeddedFile> files) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  // Each part after its length, so that no two lists of parts look the same.
  const auto add = [&state](std::string_view part) {
    const std::string length = fmt::format("{}:", part.size());
    for (const std::string_view bytes : {std::string_view(length), part}) {
      crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(bytes.data()),
                                bytes.size());
    }
  };
  std::map<std::string_view, std::string_view> sorted;
  for (const EmbeddedFile& file : files) sorted[file.name] = file.text;
  for (const auto& [name, text] : sorted) {
    add(name);
    add(text);
  }
  for (const auto& [name, generator] : generators()) {
    add(name);
    add(std::to_string(generator.version));
  }
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256_final(&state, hash);
  std::string hex;
  for (const unsigned char byte : hash) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace

const std::string& Text::in(const std::string& language) const {
  static const std::string kNone;
  auto found = by_language.find(language);
  if (found == by_language.end()) found = by_language.find("en");
  return found == by_language.end() ? kNone : found->second;
}

const Item* Bank::find(std::string_view id) const {
  for (const BankLesson& one : lessons) {
    for (const Item& item : one.items) {
      if (item.id == id) return &item;
    }
  }
  return nullptr;
}

const BankLesson* Bank::lesson(int number) const {
  for (const BankLesson& one : lessons) {
    if (one.number == number) return &one;
  }
  return nullptr;
}

std::size_t Bank::size() const {
  std::size_t items = 0;
  for (const BankLesson& one : lessons) items += one.items.size();
  return items;
}

Bank parse_bank(std::span<const EmbeddedFile> files) {
  Bank bank;
  for (const EmbeddedFile& file : files) {
    if (file.name == "misconceptions.json") {
      read_misconceptions(file, bank);
    } else {
      bank.lessons.push_back(read_lesson(file));
    }
  }
  std::sort(bank.lessons.begin(), bank.lessons.end(),
            [](const BankLesson& a, const BankLesson& b) { return a.number < b.number; });
  check_references(bank);
  bank.hash = hash_of(files);
  return bank;
}

std::span<const EmbeddedFile> bank_files() {
  return embedded_files();
}

const Bank& bank() {
  static const Bank read = parse_bank(bank_files());
  return read;
}

}  // namespace ringlab::quiz
