#include "ringlab/viz/model/predictor.hpp"

#include "ringlab/reference/core/error.hpp"

namespace ringlab::viz {

bool Predictor::follow(const std::shared_ptr<const Story>& story, const Playback& playback) {
  if (story != story_ || playback.focus() != focus_) {
    story_ = story;
    focus_ = playback.focus();
    asked_index_ = revealed_index_ = -1;
    asked_.reset();
    waiting_.reset();
    revealed_.reset();
  } else if (playback.time() < time_) {
    waiting_.reset();
  }
  time_ = playback.time();
  bool reveals = false;
  if (waiting_ && time_ >= waiting_->prediction.shown_at) {
    revealed_ = std::move(waiting_);
    waiting_.reset();
    revealed_index_ = revealed_->prediction.break_index + 1;
    ++answered_;
    right_ += revealed_->right();
    reveals = true;
  }
  const int index = playback.break_index();
  if (revealed_ && index != revealed_index_) revealed_.reset();

  open_.reset();
  const auto& breaks = playback.breaks();
  const bool stands = !playback.playing() && index < static_cast<int>(breaks.size()) &&
                      breaks[static_cast<std::size_t>(index)].time == time_;
  if (!stands || waiting_) return reveals;
  if (index != asked_index_) {
    asked_ = predict(*story_, focus_, index);
    asked_index_ = index;
  }
  open_ = asked_;
  return reveals;
}

void Predictor::answer(int option) {
  RINGLAB_ENSURE(open_ && option >= 0 && option < static_cast<int>(open_->options.size()),
                 "an option of an open question");
  waiting_ = Result{*open_, option};
  revealed_.reset();
  open_.reset();
}

}  // namespace ringlab::viz
