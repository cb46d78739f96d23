// The bank's files against its schema, by a validator that knows nothing of our loader; and schema
// and loader must refuse the same damage.
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "ringlab/quiz/bank/bank.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;
using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

bool schema_takes(const Json& document) {
  static const Json text =
      Json::parse(read_file(RINGLAB_BANK "/bank.schema.json", "schema", 1 << 20));
  static valijson::Schema schema;
  static const bool parsed = [] {
    valijson::SchemaParser().populateSchema(Adapter(text), schema);
    return true;
  }();
  return parsed && valijson::Validator().validate(schema, Adapter(document), nullptr);
}

std::string_view misconceptions() {
  for (const EmbeddedFile& file : bank_files()) {
    if (file.name == "misconceptions.json") return file.text;
  }
  return "";
}

bool loader_takes(const Json& document) {
  const std::string text = document.dump();
  const EmbeddedFile files[] = {{"misconceptions.json", misconceptions()},
                                {"lesson-05.json", text}};
  try {
    parse_bank(files);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST_CASE("every file of the bank keeps the schema") {
  int files = 0;
  for (const EmbeddedFile& file : bank_files()) {
    if (file.name == "misconceptions.json") continue;
    CAPTURE(file.name);
    CHECK(schema_takes(Json::parse(file.text)));
    ++files;
  }
  CHECK(files >= 1);
}

TEST_CASE("schema and loader refuse the same damage") {
  Json good;
  for (const EmbeddedFile& file : bank_files()) {
    if (file.name == "lesson-05.json") good = Json::parse(file.text);
  }
  REQUIRE(schema_takes(good));
  REQUIRE(loader_takes(good));
  std::size_t fixed = 0, drawn = 0, shown = 0;
  while (good["items"][fixed].contains("generator")) ++fixed;
  while (!good["items"][drawn].contains("generator")) ++drawn;
  while (!good["items"][shown].contains("show")) ++shown;
  const std::string f = "/items/" + std::to_string(fixed), d = "/items/" + std::to_string(drawn),
                    s = "/items/" + std::to_string(shown);
  const auto wrong = [&](std::size_t item) {
    std::size_t option = 0;
    while (good["items"][item]["options"][option].contains("right")) ++option;
    return std::to_string(option);
  };
  const std::string fw = f + "/options/" + wrong(fixed), dw = d + "/options/" + wrong(drawn);

  struct Damage {
    std::string what;
    Json patch;
  };
  const auto remove = [](const std::string& path) {
    return Json::array({{{"op", "remove"}, {"path", path}}});
  };
  const auto add = [](const std::string& path, const Json& value) {
    return Json::array({{{"op", "add"}, {"path", path}, {"value", value}}});
  };
  const Damage damages[] = {
      {"no lesson", remove("/lesson")},
      {"lesson as text", add("/lesson", "5")},
      {"lesson 0", add("/lesson", 0)},
      {"no title", remove("/title")},
      {"unknown key", add("/extra", 1)},
      {"items no list", add("/items", Json::object())},
      {"no id", remove(f + "/id")},
      {"capital id", add(f + "/id", "Ring")},
      {"empty id", add(f + "/id", "")},
      {"id that begins with a digit", add(f + "/id", "8-ranks")},
      {"no objective", remove(f + "/objective")},
      {"no stem", remove(f + "/stem")},
      {"stem as text", add(f + "/stem", "What?")},
      {"stem without English", remove(f + "/stem/en")},
      {"empty stem", add(f + "/stem/en", "")},
      {"unknown language", add(f + "/stem/xx", "?")},
      {"no explanation", remove(f + "/explanation")},
      {"difficulty 4", add(f + "/difficulty", 4)},
      {"difficulty 1.5", add(f + "/difficulty", 1.5)},
      {"keep_order false", add(f + "/keep_order", false)},
      {"empty show", add(f + "/show", "")},
      {"show without claims", remove(s + "/expects")},
      {"no claims", add(s + "/expects", Json::array())},
      {"claims without show", remove(s + "/show")},
      {"claim without a pointer", remove(s + "/expects/0/at")},
      {"claim that is no pointer", add(s + "/expects/0/at", "flops")},
      {"claim with two relations",
       Json::array({add(s + "/expects/0/equals", 1)[0], add(s + "/expects/0/at_most", 1)[0]})},
      {"claim of nothing", add(s + "/expects/0", {{"at", "/flops"}})},
      {"claim of an object", add(s + "/expects/0", {{"at", "/x"}, {"equals", Json::object()}})},
      {"claim in no unit", add(s + "/expects/0/unit", 0)},
      {"claim folded by a mean", add(s + "/expects/0/fold", "mean")},
      {"claim's unknown key", add(s + "/expects/0/times", 2)},
      {"exit code 4", add(s + "/exit", 4)},
      {"exit code 0", add(s + "/exit", 0)},
      {"empty source", add(f + "/source", "")},
      {"item's unknown key", add(f + "/hint", "?")},
      {"two options", Json::array({remove(f + "/options/0")[0], remove(f + "/options/0")[0]})},
      {"five options", Json::array({add(f + "/options/0", good.at(Json::json_pointer(fw)))[0],
                                    add(f + "/options/0", good.at(Json::json_pointer(fw)))[0]})},
      {"wrong option without misconception", remove(fw + "/misconception")},
      {"wrong option without mend", remove(fw + "/mend")},
      {"right is false", add(fw + "/right", false)},
      {"right and wrong", add(fw + "/right", true)},
      {"option without text", remove(fw + "/text")},
      {"option's unknown key", add(fw + "/score", 1)},
      {"value in a fixed item", add(fw + "/value", "answer")},
      {"no value in a generated item", remove(dw + "/value")},
      {"empty generator", add(d + "/generator", "")},
  };
  for (const Damage& damage : damages) {
    CAPTURE(damage.what);
    const Json bad = good.patch(damage.patch);
    CHECK_FALSE(schema_takes(bad));
    CHECK_FALSE(loader_takes(bad));
  }

  // What a schema cannot say, the loader says.
  const Damage beyond[] = {
      {"another number than the file's", add("/lesson", 6)},
      {"unknown generator", add(d + "/generator", "no_such")},
      {"unknown misconception", add(fw + "/misconception", "no-such")},
      {"an item twice", add("/items/0", good["items"][0])},
      {"an option twice",
       add(fw + "/text", good.at(Json::json_pointer(f + "/options/" +
                                                    (wrong(fixed) == "0" ? "1" : "0") + "/text")))},
  };
  for (const Damage& damage : beyond) {
    CAPTURE(damage.what);
    CHECK(schema_takes(good.patch(damage.patch)));
    CHECK_FALSE(loader_takes(good.patch(damage.patch)));
  }
}

}  // namespace
