// Reads the fields of one JSON object: each is named in the message that refuses it, and one that
// nobody asked for is refused as well.
#pragma once

#include <set>

#include "ringlab/reference/io/json.hpp"

namespace ringlab::detail {

class JsonFields {
 public:
  /// `place` opens the names of fields: "levels[0]".
  JsonFields(const Json& object, std::string place);

  bool has(const std::string& key) const { return object_.contains(key); }
  /// The value of a field that must be there.
  const Json& at(const std::string& key);
  double number(const std::string& key, double least, double most);
  double number_or(const std::string& key, double other, double least, double most);
  int integer(const std::string& key, int least, int most);
  std::string text(const std::string& key);
  std::string text_or(const std::string& key, const std::string& other);
  bool flag_or(const std::string& key, bool other);
  /// Refuses fields that were not read.
  void finish() const;
  std::string name(const std::string& key) const;

 private:
  const Json& object_;
  std::string place_;
  std::set<std::string> read_;
};

/// The text of a preset of `folder`, or of a file if the name looks like a path.
std::string preset_or_file(const std::string& folder, const std::string& name_or_file,
                           const std::string& what);

}  // namespace ringlab::detail
