// Prints what the bank claims to show, one JSON object a line: the command, its exit code, and what
// its figures must be. A fixed item stands once, a generated one for so many seeds.
//
//   quiz_claims_tool [SEEDS]
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "ringlab/quiz/bank/question.hpp"

int main(int argc, char** argv) {
  using namespace ringlab::quiz;
  using Json = nlohmann::ordered_json;
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5;
  for (const BankLesson& lesson : bank().lessons) {
    for (const Item& item : lesson.items) {
      for (std::uint64_t seed = 0; seed < (item.generator.empty() ? 1 : seeds); ++seed) {
        const Question question = make_question(item, sub_seed(17, seed));
        Json claims = Json::array();
        for (const Claim& claim : question.expects) {
          Json one = {{"at", claim.at},
                      {"relation", claim.relation},
                      {"value", Json::parse(claim.value)},
                      {"unit", claim.unit.empty() ? 1.0 : std::stod(claim.unit)},
                      {"within", claim.within}};
          if (!claim.of.empty()) one["of"] = claim.of;
          if (!claim.minus.empty()) one["minus"] = claim.minus;
          if (!claim.fold.empty()) one["fold"] = claim.fold;
          if (!claim.count.empty()) one["count"] = Json::parse(claim.count);
          if (!claim.over.empty()) one["over"] = claim.over;
          if (!claim.against.empty()) one["against"] = claim.against;
          claims.push_back(one);
        }
        const Json line = {
            {"item", item.id},
            {"generated", !item.generator.empty()},
            {"source", item.source},
            {"key", question.options[static_cast<std::size_t>(question.right())].text.in("en")},
            {"show", question.show},
            {"exit", item.exit},
            {"expects", claims}};
        std::printf("%s\n", line.dump().c_str());
      }
    }
  }
  return 0;
}
