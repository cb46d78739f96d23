#include "ringlab/reference/fault/all.hpp"
#include "ringlab/reference/fault/faulty.hpp"

namespace ringlab::fault {
namespace {

struct Rule {
  static void change(AttentionRule& rule) { rule.mask.documents = false; }
};

}  // namespace

PlantedFault documents_ignored() {
  return {"documents_ignored",
          FaultPart::mask,
          "packed documents see each other",
          "Single documents are right; of packed ones the first is right and every later one "
          "wrong, and the loss is off.",
          "The batch form of the ring has no document boundaries, so a packed row was one "
          "document.",
          "axolotl-ai-cloud/axolotl #3608",
          "All rows of the first document are exact; moving a key of it moves rows of the others.",
          {{"documents", "5+7+4"}},
          false,
          [](AttentionPlan& plan) {
            if (!plan.rule.mask.documents) {
              detail::cannot_show("of packed documents, without any",
                                  "give --documents, such as 5+7+4");
            }
            detail::use<detail::WrongRule<Rule>>(plan);
          }};
}

}  // namespace ringlab::fault
