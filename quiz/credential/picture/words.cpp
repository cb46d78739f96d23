#include "ringlab/quiz/credential/picture/words.hpp"

#include <ctime>

#include "ringlab/reference/core/embedded.hpp"
#include "ringlab/reference/io/json.hpp"

namespace ringlab::quiz {

namespace picture_data {
std::span<const EmbeddedFile> embedded_files();
}

namespace detail {
namespace {

void fill(std::string& text, const std::string& name, const std::string& value) {
  const std::string hole = "{" + name + "}";
  const std::size_t at = text.find(hole);
  RINGLAB_ENSURE(at != std::string::npos, hole + " in: " + text);
  text.replace(at, hole.size(), value);
}

}  // namespace

CertificateWords certificate_words(const std::string& language, bool self_issued, int right,
                                   int asked, std::int64_t issued_at) {
  const nlohmann::json all =
      ringlab::detail::parse_json(picture_data::embedded_files()[0].text, "words.json");
  if (!all.contains(language)) throw InputError("language", language, "give en, so or am");
  const nlohmann::json& words = all[language];
  CertificateWords out{words["title"],
                       words["before_name"],
                       words["after_name"],
                       words["subject"],
                       words["score"],
                       words["date"],
                       words[self_issued ? "self_issuer" : "issuer"],
                       words[self_issued ? "self_meaning" : "meaning"],
                       words["verify"]};
  fill(out.score, "right", std::to_string(right));
  fill(out.score, "asked", std::to_string(asked));
  const std::time_t time = static_cast<std::time_t>(issued_at);
  std::tm parts{};
  gmtime_r(&time, &parts);
  fill(out.date, "day", std::to_string(parts.tm_mday));
  fill(out.date, "month", words["months"][static_cast<std::size_t>(parts.tm_mon)]);
  fill(out.date, "year", std::to_string(parts.tm_year + 1900));
  return out;
}

}  // namespace detail
}  // namespace ringlab::quiz
