// Predict, then reveal: one question before a story runs on from a break point.
//
// A prediction is a pure function of (story, rank, break point). Its answer is read from the
// story's tiles and flights, is not on the screen yet, and will be when motion stops next; nothing
// here knows an algorithm. Where the story gives nothing to ask there is no question.
#pragma once

#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

struct Prediction {
  enum class Kind {
    next_block,     // what the rank computes with next
    idle_rank,      // who has nothing to do in the next hop
    next_receiver,  // which rank gets a block next
  };
  /// A block, or a rank.
  struct Option {
    int rank = -1;      // -1: a block
    std::string label;  // of a block: the letter on it, as Copy::short_label
    std::string what;   // in words, as an argument of a Sentence
    int colour = 0;
    bool operator==(const Option&) const = default;
  };

  Kind kind = Kind::next_block;
  int rank = 0;                       // from which the story is told
  int break_index = 0;                // of that rank
  double asked_at = 0, shown_at = 0;  // times of this break point and of the next one
  int hop = 0;                        // that it is about
  Sentence question, why;
  std::vector<Option> options;  // three or four, in the order of their letters or numbers
  int right = 0;                // index of the only right one
  bool operator==(const Prediction&) const = default;
};
const char* name(Prediction::Kind kind);

/// What to ask when the story stands at this break point; nothing at the last one, and where no
/// question has one right answer among three.
std::optional<Prediction> predict(const Story& story, int rank, int break_index);

/// Index of the option that is this rank, or this copy of a block; -1 if none is.
int option_of_rank(const Prediction& prediction, int rank);
int option_of_copy(const Prediction& prediction, const Story& story, int copy);

/// "rank 3", "block D" or "queries D".
std::string option_text(const Prediction::Option& option, const Texts& texts);

}  // namespace ringlab::viz
