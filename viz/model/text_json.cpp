// Languages as JSON files; alone in this file, since reading JSON is slow to compile.
#include <fmt/format.h>

#include "ringlab/reference/io/json.hpp"
#include "ringlab/viz/model/text.hpp"

namespace ringlab::viz {

Texts Texts::from_json(std::string_view json, const std::string& source) {
  const detail::Json object = detail::parse_json(json, source);
  if (!object.is_object()) {
    throw InputError(source, detail::brief(object), "give an object of keys and texts");
  }
  Texts texts = english();
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) throw InputError(key, detail::brief(value), "give a text");
    if (!texts.has(key)) {
      throw InputError(key, "unknown key", "take the keys of the English table");
    }
    const auto text = value.get<std::string>();
    if (placeholders_of(text) != placeholders_of(texts.get(key))) {
      throw InputError(key, detail::brief(value),
                       fmt::format("use the placeholders of '{}'", texts.get(key)));
    }
    texts.table_[key] = text;
  }
  return texts;
}

}  // namespace ringlab::viz
