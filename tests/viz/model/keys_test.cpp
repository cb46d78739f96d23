// Every key that the sources of the visualiser name has a text: they are read for literals that
// look like keys, since a missing one would only show on the screen.
#include <filesystem>
#include <regex>
#include <set>

#include "ringlab/reference/core/file.hpp"
#include "ringlab/viz/model/text.hpp"
#include "tests/catch.hpp"

namespace ringlab {
namespace {

namespace fs = std::filesystem;

TEST_CASE("every key in the sources has a text") {
  const viz::Texts& texts = viz::Texts::english();
  // What stands before the first dot of a key.
  std::set<std::string> families;
  for (const std::string& key : texts.keys()) families.insert(key.substr(0, key.find('.')));
  const std::regex literal("\"([a-z_]+)((\\.[a-z0-9_-]+)+)\"");
  int found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(RINGLAB_VIZ_SOURCES)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string source = read_file(entry.path(), "source", 1 << 20);
    for (std::sregex_iterator m(source.begin(), source.end(), literal), end; m != end; ++m) {
      const std::string key = (*m)[1].str() + (*m)[2].str();
      if (families.count((*m)[1].str()) == 0) continue;
      ++found;
      // A literal may also be the beginning of keys that are put together.
      bool known = texts.has(key);
      for (const std::string& other : texts.keys()) {
        known = known || other.starts_with(key + ".") || other.starts_with(key + "_");
      }
      INFO(key << " in " << entry.path().string());
      CHECK(known);
    }
  }
  CHECK(found > 100);
}

}  // namespace
}  // namespace ringlab
