// A bank of made-up items of three options: item I of lesson L is "lL-iI".
#pragma once

#include "ringlab/quiz/bank/bank.hpp"

namespace ringlab::quiz::test {

inline Text english(const std::string& text) {
  return {{{"en", text}}};
}

inline Bank small_bank(int lessons, int items) {
  Bank bank;
  bank.hash = "hash of a small bank";
  bank.misconceptions["odd"] = {"odd", english("Odd belief."), "C1"};
  bank.misconceptions["even"] = {"even", english("Even belief."), "C2"};
  for (int l = 1; l <= lessons; ++l) {
    BankLesson lesson;
    lesson.number = l;
    lesson.title = english("Lesson " + std::to_string(l));
    for (int i = 0; i < items; ++i) {
      Item item;
      item.id = "l" + std::to_string(l) + "-i" + std::to_string(i);
      item.lesson = l;
      item.objective = english("Objective");
      item.stem = english("Question " + item.id + "?");
      item.explanation = english("Because.");
      item.show = "run --ranks 2";
      item.options.resize(3);
      item.options[0].text = english("good");
      item.options[0].right = true;
      item.options[1].text = english("odd");
      item.options[1].misconception = "odd";
      item.options[1].mend = english("Mend the odd.");
      item.options[2].text = english("even");
      item.options[2].misconception = "even";
      item.options[2].mend = english("Mend the even.");
      lesson.items.push_back(item);
    }
    bank.lessons.push_back(lesson);
  }
  return bank;
}

}  // namespace ringlab::quiz::test
