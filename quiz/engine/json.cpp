#include "ringlab/quiz/engine/json.hpp"

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz {
namespace {

using ringlab::detail::Json;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestProgress = 16u << 20;
constexpr Index kLatest = Index{1} << 40;  // seconds: some 30,000 years
constexpr Index kMostCount = 1000000000;

// One object being read: every member is asked for, and no other may be there.
class Members {
 public:
  Members(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw InputError(where_, detail::brief(object), "give an object");
  }

  const Json& at(const char* key) {
    ++asked_;
    if (!object_.contains(key))
      throw InputError(where_, std::string(key) + " is missing", "add it");
    return object_[key];
  }
  bool has(const char* key) const { return object_.contains(key); }
  Index integer(const char* key, Index most) {
    return detail::integer_from(at(key), where_ + "." + key, 0, most);
  }
  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) throw InputError(where_ + "." + key, detail::brief(value), "give text");
    return value;
  }
  double positive(const char* key, double most) {
    const Json& value = at(key);
    if (!value.is_number() || !(value.get<double>() > 0 && value.get<double>() <= most)) {
      throw InputError(where_ + "." + key, detail::brief(value), "give a number above 0");
    }
    return value;
  }
  const Json& list(const char* key) {
    const Json& value = at(key);
    if (!value.is_array())
      throw InputError(where_ + "." + key, detail::brief(value), "give a list");
    return value;
  }
  void finish() const {
    if (asked_ != object_.size()) throw InputError(where_, "an unknown key", "remove it");
  }

 private:
  const Json& object_;
  std::string where_;
  std::size_t asked_ = 0;
};

template <class Enum, std::size_t N>
Enum enum_from(const std::string& text, const Enum (&all)[N], const std::string& where) {
  for (const Enum one : all) {
    if (text == name(one)) return one;
  }
  throw InputError(where, text, "no such word");
}

constexpr RunKind kKinds[] = {RunKind::practice, RunKind::review, RunKind::exam};
constexpr Confidence kConfidences[] = {Confidence::guess, Confidence::think, Confidence::sure};
constexpr Index kMostSeed = static_cast<Index>(kSeedEnd) - 1;

Json json_of(const Run& run) {
  Json tickets = Json::array(), answers = Json::array();
  for (const Ticket& ticket : run.tickets) {
    tickets.push_back({{"item", ticket.item}, {"seed", ticket.seed}});
  }
  for (const Answer& answer : run.answers) {
    answers.push_back({{"choice", answer.choice},
                       {"confidence", name(answer.confidence)},
                       {"seconds", answer.seconds}});
  }
  return {{"kind", name(run.kind)},
          {"bank_hash", run.bank_hash},
          {"seed", run.seed},
          {"started_at", run.started_at},
          {"finished_at", run.finished_at},
          {"tickets", tickets},
          {"answers", answers}};
}

Run run_from(const Json& json, const std::string& where) {
  Run run;
  Members members(json, where);
  run.kind = enum_from(members.text("kind"), kKinds, where + ".kind");
  run.bank_hash = members.text("bank_hash");
  run.seed = static_cast<std::uint64_t>(members.integer("seed", kMostSeed));
  run.started_at = members.integer("started_at", kLatest);
  run.finished_at = members.integer("finished_at", kLatest);
  for (const Json& one : members.list("tickets")) {
    Members ticket(one, where + ".tickets");
    const std::string item = ticket.text("item");
    run.tickets.push_back({item, static_cast<std::uint64_t>(ticket.integer("seed", kMostSeed))});
    ticket.finish();
  }
  for (const Json& one : members.list("answers")) {
    Members answer(one, where + ".answers");
    Answer read;
    read.choice = static_cast<int>(answer.integer("choice", 3));
    read.confidence = enum_from(answer.text("confidence"), kConfidences, where + ".confidence");
    read.seconds = answer.integer("seconds", kLatest);
    answer.finish();
    run.answers.push_back(read);
  }
  members.finish();
  if (run.answers.size() > run.tickets.size()) {
    throw InputError(where + ".answers", std::to_string(run.answers.size()),
                     "more than the run has questions");
  }
  return run;
}

ItemStatistics statistics_from(const Json& json, const std::string& where) {
  ItemStatistics item;
  Members members(json, where);
  item.asked = static_cast<int>(members.integer("asked", kMostCount));
  item.right = static_cast<int>(members.integer("right", kMostCount));
  item.sure_wrong = static_cast<int>(members.integer("sure_wrong", kMostCount));
  item.guess_right = static_cast<int>(members.integer("guess_right", kMostCount));
  item.seconds = members.integer("seconds", kLatest);
  item.last_at = members.integer("last_at", kLatest);
  const Json& misconceptions = members.at("misconceptions");
  if (!misconceptions.is_object()) throw InputError(where, "misconceptions", "give an object");
  for (const auto& [id, count] : misconceptions.items()) {
    item.misconceptions[id] =
        static_cast<int>(detail::integer_from(count, where + "." + id, 0, kMostCount));
  }
  members.finish();
  return item;
}

}  // namespace

std::string to_json(const Run& run) {
  return json_of(run).dump(1) + "\n";
}

Run parse_run(std::string_view json_text, const std::string& source) {
  return run_from(detail::parse_json(json_text, source), source);
}

std::string to_json(const Progress& progress) {
  Json items = Json::object(), cards = Json::object();
  for (const auto& [id, item] : progress.items) {
    items[id] = {{"asked", item.asked},
                 {"right", item.right},
                 {"sure_wrong", item.sure_wrong},
                 {"guess_right", item.guess_right},
                 {"seconds", item.seconds},
                 {"last_at", item.last_at},
                 {"misconceptions", Json(item.misconceptions)}};
  }
  for (const auto& [id, card] : progress.cards) {
    cards[id] = {{"stability", card.card.stability},
                 {"difficulty", card.card.difficulty},
                 {"last_at", card.last_at},
                 {"due_at", card.due_at}};
  }
  Json json = {{"version", 1}, {"items", items}, {"cards", cards}};
  if (progress.exam) json["exam"] = json_of(*progress.exam);
  if (progress.other) json["other"] = json_of(*progress.other);
  return json.dump(1) + "\n";
}

Progress parse_progress(std::string_view json_text, const std::string& source) {
  const Json json = detail::parse_json(json_text, source);
  Members members(json, source);
  Progress progress;
  if (members.integer("version", kMostCount) != 1) {
    throw InputError(source + ".version", "not 1", "use a newer program");
  }
  const Json& items = members.at("items");
  const Json& cards = members.at("cards");
  if (!items.is_object() || !cards.is_object()) {
    throw InputError(source, "items or cards", "give objects");
  }
  for (const auto& [id, item] : items.items()) {
    progress.items[id] = statistics_from(item, source + "." + id);
  }
  for (const auto& [id, one] : cards.items()) {
    Members card(one, source + "." + id);
    ReviewCard& read = progress.cards[id];
    read.card.stability = card.positive("stability", 1e9);
    read.card.difficulty = card.positive("difficulty", 10);
    read.last_at = card.integer("last_at", kLatest);
    read.due_at = card.integer("due_at", kLatest);
    card.finish();
  }
  if (members.has("exam")) progress.exam = run_from(members.at("exam"), source + ".exam");
  if (members.has("other")) progress.other = run_from(members.at("other"), source + ".other");
  members.finish();
  return progress;
}

Progress load_progress(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  return parse_progress(read_file(path, "progress", kLargestProgress), path.string());
}

void save_progress(const fs::path& path, const Progress& progress) {
  write_file(path, to_json(progress), "progress");
}

}  // namespace ringlab::quiz
