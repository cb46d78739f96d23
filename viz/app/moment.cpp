#include "ringlab/viz/app/moment.hpp"

#include <charconv>
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/model/matrix_picture.hpp"

namespace ringlab::viz {
namespace {

constexpr const char* kForms =
    "give start, end, hop=3, hop=3:arrive, time=1.5, break=7, rank=2, query=37 or head=1, with "
    "commas between";

[[noreturn]] void refuse(const std::string& part, const std::string& remedy = kForms) {
  throw InputError("at", part.empty() ? "\"\"" : part, remedy);
}

double number_of(const std::string& part, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    refuse(part);
  return value;
}

int whole_of(const std::string& part, const std::string& text, int most) {
  const double value = number_of(part, text);
  if (value != std::floor(value)) refuse(part);
  if (value < 0 || value > most) refuse(part, "here it goes from 0 to " + std::to_string(most));
  return static_cast<int>(value);
}

BreakKind kind_of(const std::string& part, const std::string& text) {
  for (const BreakKind kind : {BreakKind::start, BreakKind::send, BreakKind::arrive,
                               BreakKind::attend, BreakKind::merge, BreakKind::home}) {
    if (text == name(kind)) return kind;
  }
  refuse(part, "the kinds are start, send, arrive, attend, merge and home");
}

void go_to_hop(App& app, const std::string& part, const std::string& value) {
  const std::size_t colon = value.find(':');
  const int last = std::max(0, app.story().schedule.hops - 1);
  const int hop = whole_of(part, value.substr(0, colon), last);
  std::optional<BreakKind> kind;
  if (colon != std::string::npos) kind = kind_of(part, value.substr(colon + 1));
  if (!app.playback().go_to_hop(hop, kind)) {
    refuse(part, "rank " + std::to_string(app.playback().focus()) + " has no such break point");
  }
}

void go_to_part(App& app, const std::string& part) {
  Playback& playback = app.playback();
  if (part == "start") return playback.home();
  if (part == "end") return playback.go_to_end();
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos) refuse(part);
  const std::string key = part.substr(0, equals), value = part.substr(equals + 1);
  if (key == "hop") {
    go_to_hop(app, part, value);
  } else if (key == "time") {
    const double time = number_of(part, value);
    if (time < 0 || time > playback.end())
      refuse(part, "this story goes from 0 to " + std::to_string(playback.end()));
    playback.scrub(time);
  } else if (key == "break") {
    const int index = whole_of(part, value, static_cast<int>(playback.breaks().size()) - 1);
    playback.scrub(playback.breaks()[static_cast<std::size_t>(index)].time);
  } else if (key == "rank") {
    app.focus_on(whole_of(part, value, app.story().size() - 1));
  } else if (key == "query") {
    const double query = number_of(part, value);
    if (query != std::floor(query) || query_place(app.story(), static_cast<Index>(query)) < 0)
      refuse(part, "no such query position");
    app.pick_query(static_cast<Index>(query));
  } else if (key == "head") {
    app.pick_head(whole_of(part, value, app.state().scenario.heads - 1));
  } else {
    refuse(part);
  }
}

}  // namespace

void go_to_moment(App& app, const std::string& text) {
  // What says from where it is told comes first: break points are those of a rank.
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  const auto is_rank = [](const std::string& part) { return part.rfind("rank=", 0) == 0; };
  for (const std::string& part : parts) {
    if (is_rank(part)) go_to_part(app, part);
  }
  for (const std::string& part : parts) {
    if (!is_rank(part)) go_to_part(app, part);
  }
}

}  // namespace ringlab::viz
