// Follows a story that is played, asks at its break points, and reveals: the state between two
// frames that predictions need.
#pragma once

#include "ringlab/viz/model/playback.hpp"
#include "ringlab/viz/model/predict.hpp"

namespace ringlab::viz {

class Predictor {
 public:
  struct Result {
    Prediction prediction;
    int choice = 0;
    bool right() const { return choice == prediction.right; }
  };

  /// Once a frame. True in the frame in which an answer is revealed. A story or rank that changes,
  /// or time that goes back, drops an answer that was not revealed yet.
  bool follow(const std::shared_ptr<const Story>& story, const Playback& playback);

  /// The question that stands: motion has stopped at a break point that has one.
  const Prediction* open() const { return open_ ? &*open_ : nullptr; }
  /// Answered, and not revealed yet.
  const Result* waiting() const { return waiting_ ? &*waiting_ : nullptr; }
  /// Revealed at the break point where the story stands, or from which it plays on.
  const Result* revealed() const { return revealed_ ? &*revealed_ : nullptr; }

  /// Answers the open question; the caller lets the story play on.
  void answer(int option);

  /// Of all answers that were revealed, in any story.
  int right() const { return right_; }
  int answered() const { return answered_; }

 private:
  std::shared_ptr<const Story> story_;
  int focus_ = -1;
  double time_ = 0;
  int asked_index_ = -1, revealed_index_ = -1;  // break points
  std::optional<Prediction> open_, asked_;      // the last question, also while it plays on
  std::optional<Result> waiting_, revealed_;
  int right_ = 0, answered_ = 0;
};

}  // namespace ringlab::viz
