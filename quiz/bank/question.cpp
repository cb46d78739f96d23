#include "ringlab/quiz/bank/question.hpp"

#include <algorithm>
#include <set>

namespace ringlab::quiz {
namespace {

constexpr int kTries = 1000;

// Puts the values into a text: {name}, and {{ for a brace.
std::string fill(const std::string& text, const Values& values, std::string Value::*form) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '{') {
      out += '{';
      ++i;
      continue;
    }
    const std::size_t end = text.find('}', i);
    RINGLAB_ENSURE(end != std::string::npos, "an open brace in: " + text);
    const auto value = values.find(text.substr(i + 1, end - i - 1));
    RINGLAB_ENSURE(value != values.end(), "a value that the generator does not state, in: " + text);
    out += value->second.*form;
    i = end;
  }
  return out;
}

Text fill(const Text& text, const Values& values) {
  Text out;
  for (const auto& [language, words] : text.by_language) {
    out.by_language[language] = fill(words, values, &Value::text);
  }
  return out;
}

Claim fill(Claim claim, const Values& values) {
  for (std::string* text : {&claim.at, &claim.of, &claim.count, &claim.over, &claim.against,
                            &claim.minus, &claim.unit, &claim.value}) {
    *text = fill(*text, values, &Value::plain);
  }
  return claim;
}

bool distinct(const std::vector<Option>& options) {
  std::set<std::string> texts;
  for (const Option& option : options) texts.insert(option.text.in("en"));
  return texts.size() == options.size();
}

bool all_numbers(const std::vector<Option>& options, const Values& values) {
  return std::all_of(options.begin(), options.end(), [&](const Option& option) {
    return !option.value.empty() && values.at(option.value).is_number;
  });
}

}  // namespace

int Question::right() const {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i].right) return static_cast<int>(i);
  }
  RINGLAB_ENSURE(false, "every question has a right option");
  return -1;
}

Question make_question(const Item& item, std::uint64_t seed) {
  Question question{&item,        seed,      item.stem,    item.explanation,
                    item.options, item.show, item.expects, {}};
  Random random(seed);
  if (!item.generator.empty()) {
    const Generator& generator = generators().at(item.generator);
    int tries = 0;
    do {
      RINGLAB_ENSURE(++tries <= kTries, "a draw of " + item.id + " with distinct options");
      question.values = generator.draw(random);
      for (std::size_t i = 0; i < item.options.size(); ++i) {
        const Option& option = item.options[i];
        RINGLAB_ENSURE(question.values.count(option.value) == 1,
                       "generator " + item.generator + " states the value " + option.value);
        question.options[i].text = fill(option.text, question.values);
        question.options[i].mend = fill(option.mend, question.values);
      }
    } while (!distinct(question.options));
    question.stem = fill(item.stem, question.values);
    question.explanation = fill(item.explanation, question.values);
    question.show = fill(item.show, question.values, &Value::plain);
    for (Claim& claim : question.expects) claim = fill(claim, question.values);
  }
  if (all_numbers(question.options, question.values)) {
    std::stable_sort(question.options.begin(), question.options.end(),
                     [&](const Option& a, const Option& b) {
                       return question.values.at(a.value).order < question.values.at(b.value).order;
                     });
  } else if (!item.keep_order) {
    random.shuffle(question.options);
  }
  return question;
}

}  // namespace ringlab::quiz
