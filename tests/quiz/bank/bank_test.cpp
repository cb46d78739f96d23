// What makes a bank of items fair: enough of each lesson, keys that neither length nor place
// betrays, wrong options that mean something, no two items alike.
#include <array>
#include <cctype>
#include <set>

#include "ringlab/quiz/bank/question.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;
using namespace ringlab::quiz;

constexpr int kLessons = 15;
constexpr std::size_t kItemsPerLesson = 10;
constexpr int kGenerators = 40;
constexpr int kProven = 110;

std::vector<const Item*> items() {
  std::vector<const Item*> all;
  for (const BankLesson& lesson : bank().lessons) {
    for (const Item& item : lesson.items) all.push_back(&item);
  }
  return all;
}

// Characters as a reader sees them: UTF-8 continuation bytes do not count.
std::size_t length(const std::string& text) {
  std::size_t characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return characters;
}

std::set<std::string> words(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      out.insert(word);
      word.clear();
    }
  }
  return out;
}

TEST_CASE("ten items a lesson, forty of them generated") {
  REQUIRE(bank().lessons.size() == kLessons);
  std::set<std::string> drawn;
  for (int number = 1; number <= kLessons; ++number) {
    CAPTURE(number);
    REQUIRE(bank().lesson(number) != nullptr);
    CHECK(bank().lesson(number)->items.size() >= kItemsPerLesson);
  }
  for (const Item* item : items()) {
    if (!item->generator.empty()) drawn.insert(item->id);
  }
  CHECK(static_cast<int>(drawn.size()) >= kGenerators);
}

TEST_CASE("length does not betray the key") {
  // A right option that is longer than every other, or shorter, is a cue that test-takers learn to
  // use; a fair share among three or four options is 25 to 33 %.
  int longest = 0, shortest = 0, fixed = 0;
  for (const Item* item : items()) {
    if (!item->generator.empty()) continue;
    const Question question = make_question(*item, 1);
    const std::size_t key =
        length(question.options[static_cast<std::size_t>(question.right())].text.in("en"));
    bool is_longest = true;
    std::size_t shortest_wrong = 1000, longest_wrong = 0;
    for (const Option& option : question.options) {
      const std::size_t size = length(option.text.in("en"));
      if (option.right) continue;
      is_longest = is_longest && key > size;
      shortest_wrong = std::min(shortest_wrong, size);
      longest_wrong = std::max(longest_wrong, size);
    }
    longest += is_longest;
    shortest += key < shortest_wrong;
    ++fixed;
    // Of like length: none much longer than the rest, in words and not merely in formulas.
    CAPTURE(item->id, key, shortest_wrong, longest_wrong);
    CHECK(static_cast<double>(key) <= 2.0 * static_cast<double>(longest_wrong) + 4);
    CHECK(static_cast<double>(longest_wrong) <= 3.0 * static_cast<double>(key) + 12);
  }
  CAPTURE(longest, shortest, fixed);
  CHECK(longest <= 0.35 * fixed);
  CHECK(shortest <= 0.35 * fixed);
}

TEST_CASE("the place of the key is balanced") {
  // Over many draws of the whole bank. Numbers stand by size, so a bank whose mistakes all err to
  // one side would show here.
  std::array<std::array<double, 4>, 5> counts{};
  std::array<double, 5> all{};
  for (const Item* item : items()) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Question question = make_question(*item, sub_seed(3, seed));
      const std::size_t size = question.options.size();
      ++counts[size][static_cast<std::size_t>(question.right())];
      ++all[size];
    }
  }
  for (std::size_t size = 3; size <= 4; ++size) {
    if (all[size] < 1000) continue;  // fewer than ten such items
    for (std::size_t place = 0; place < size; ++place) {
      const double share = counts[size][place] / all[size];
      CAPTURE(size, place, share);
      // A fair share and a half at most, half of it at least.
      CHECK(share <= 1.5 / static_cast<double>(size));
      CHECK(share >= 0.5 / static_cast<double>(size));
    }
  }
}

TEST_CASE("every wrong option names its misconception and mends it") {
  std::set<std::string> used;
  for (const Item* item : items()) {
    CAPTURE(item->id);
    std::set<std::string> here;
    for (const Option& option : item->options) {
      if (option.right) continue;
      CHECK(bank().misconceptions.count(option.misconception) == 1);
      CHECK(words(option.mend.in("en")).size() >= 4);
      here.insert(option.misconception);
      used.insert(option.misconception);
    }
    // Each wrong option is another mistake.
    CHECK(here.size() == item->options.size() - 1);
  }
  for (const auto& [id, misconception] : bank().misconceptions) {
    CAPTURE(id);
    CHECK(used.count(id) == 1);
  }
}

TEST_CASE("every key stands on something: a command that proves it, or a named source") {
  // tests/cli/quiz_show_test.py runs the commands; a generated item also has its closed form.
  int proven = 0;
  for (const Item* item : items()) {
    CAPTURE(item->id);
    proven += !item->show.empty();
    if (item->generator.empty()) CHECK((!item->show.empty() || !item->source.empty()));
    // A source says enough to be found: a number of a thread, a paper's, a year.
    if (item->source.empty()) continue;
    const std::string& source = item->source;
    const bool found =
        source.find("arXiv ") != std::string::npos || source.find('#') != std::string::npos ||
        source.find("20") != std::string::npos || source.find("--help") != std::string::npos;
    CHECK(found);
    CHECK(source.back() != '.');
  }
  CAPTURE(proven);
  CHECK(proven >= kProven);
}

TEST_CASE("what a generated item shows is held against its key") {
  // The smallest block is bracketed by a length that hides and one that does not; of a mesh's ring
  // the command shows the next rank.
  const std::set<std::string> around = {"smallest-block-full", "smallest-block-causal",
                                        "mesh-group"};
  for (const Item* item : items()) {
    if (item->generator.empty() || item->show.empty() || around.count(item->id) == 1) continue;
    CAPTURE(item->id);
    std::string key, said = item->show;
    for (const Option& option : item->options) {
      if (option.right) key = "{" + option.value + "}";
    }
    for (const Claim& claim : item->expects) said += " " + claim.at + " " + claim.value;
    CHECK(said.find(key) != std::string::npos);
  }
}

TEST_CASE("no two items are alike") {
  const std::vector<const Item*> all = items();
  std::vector<std::set<std::string>> texts;
  for (const Item* item : all) {
    std::string text = item->stem.in("en");
    for (const Option& option : item->options) text += " " + option.text.in("en");
    texts.push_back(words(text));
  }
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      std::size_t common = 0;
      for (const std::string& word : texts[a]) common += texts[b].count(word);
      const double share = static_cast<double>(common) /
                           static_cast<double>(texts[a].size() + texts[b].size() - common);
      CAPTURE(all[a]->id, all[b]->id, share);
      CHECK(share < 0.7);
    }
  }
}

TEST_CASE("nothing points at other options by their place, and nothing is left unfilled") {
  for (const Item* item : items()) {
    CAPTURE(item->id);
    const Question question = make_question(*item, 5);
    std::string text = question.stem.in("en") + question.explanation.in("en") + question.show;
    for (const Option& option : question.options) {
      const std::string words_of = option.text.in("en");
      CHECK(words_of.find("of the above") == std::string::npos);
      text += words_of + option.mend.in("en");
    }
    if (!item->generator.empty()) CHECK(text.find('{') == std::string::npos);
  }
}

TEST_CASE("the hash names the bank: any change of a byte or a name changes it") {
  CHECK(bank().hash.size() == 64);
  std::vector<EmbeddedFile> files(bank_files().begin(), bank_files().end());
  CHECK(parse_bank(files).hash == bank().hash);
  std::reverse(files.begin(), files.end());
  CHECK(parse_bank(files).hash == bank().hash);
  const std::string longer = std::string(files[0].text) + " ";
  files[0].text = longer;
  CHECK(parse_bank(files).hash != bank().hash);
}

}  // namespace
