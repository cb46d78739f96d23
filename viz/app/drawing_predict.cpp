// Predictions on the screen: the strip over the transport, the marks in the ring, and what an
// answer does.
//
// A missed prediction feeds the schedule of reviews: the bank's item that asks for the same thing
// comes up in the quiz a day later. Answers that were right, and skipped questions, leave no trace.
#include <algorithm>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/form.hpp"
#include "ringlab/viz/app/parts.hpp"

namespace ringlab::viz {
namespace {

// The item of the bank that asks for what was missed.
const char* item_of(Prediction::Kind kind) {
  switch (kind) {
    case Prediction::Kind::next_block:
      return "ring-block-at-hop";
    case Prediction::Kind::idle_rank:
      return "empty-tiles";
    case Prediction::Kind::next_receiver:
      return "ring-hop-of-block";
  }
  return "";
}

}  // namespace

void App::Parts::follow_story() {
  if (!predicts() || !predictor.follow(story, playback)) return;
  const Predictor::Result& result = *predictor.revealed();
  if (result.right()) return;
  asked.to_review.emplace_back(item_of(result.prediction.kind));
  write_reviews();
}

void App::Parts::write_reviews() {
  if (asked.to_review.empty()) return;
  try {
    std::vector<std::string> left;
    for (const std::string& item : asked.to_review) {
      // While a quiz in a terminal holds the folder they wait for the next time.
      if (!sitting().put_on_review(item, quiz::now_seconds())) left.push_back(item);
    }
    asked.to_review = std::move(left);
  } catch (const InputError&) {
    asked.to_review.clear();  // the quiz tab says what is wrong with the file
  }
}

void App::Parts::set_predict(bool on) {
  settings.predict = on;
  // Its box among the controls.
  const auto found = std::find_if(
      form.begin(), form.end(), [](const FormField& field) { return field.name == kPredictField; });
  if (found != form.end()) {
    found->value = on ? "true" : "false";
    return;
  }
  FormField heading;
  heading.name = texts.get("ui.scene.habits");
  heading.heading = true;
  FormField field;
  field.name = kPredictField;
  field.help = texts.get("ui.transport.predict");
  field.kind = FormField::Kind::flag;
  field.value = on ? "true" : "false";
  form.insert(form.begin(), {heading, field});
}

PredictPanel App::Parts::predict_panel() const {
  PredictPanel panel;
  if (!settings.predict) return panel;
  if (predictor.answered() > 0) {
    panel.tally = texts.say("ui.predict.tally", {std::to_string(predictor.right()),
                                                 std::to_string(predictor.answered())});
  }
  if (const Predictor::Result* result = predictor.revealed()) {
    const Prediction& p = result->prediction;
    panel.mark = result->right() ? PredictPanel::Mark::right : PredictPanel::Mark::wrong;
    panel.said =
        (result->right()
             ? texts.say("ui.predict.right")
             : texts.say("ui.predict.wrong",
                         {option_text(p.options[static_cast<std::size_t>(p.right)], texts)})) +
        " " + texts.say(p.why);
  }
  if (const Prediction* open = predictor.open()) {
    panel.question = texts.say(open->question);
    if (panel.said.empty()) panel.said = texts.get("ui.predict.hint");
    for (const Prediction::Option& option : open->options) {
      const bool block = option.rank < 0;
      panel.options.push_back(
          {block, block ? option.label : option_text(option, texts), option.colour});
    }
  } else if (const Predictor::Result* waiting = predictor.waiting()) {
    const auto& options = waiting->prediction.options;
    panel.question =
        texts.say("ui.predict.wait",
                  {option_text(options[static_cast<std::size_t>(waiting->choice)], texts)});
  } else {
    panel.question = texts.get(playback.playing() ? "ui.predict.playing" : "ui.predict.nothing");
  }
  return panel;
}

void App::Parts::draw_predict(const Ui& ui, const Rect& rect, const PredictPanel& panel) {
  const int option = draw_predict_panel(ui, rect, panel);
  if (option >= 0 && overlay == Overlay::none) answer_prediction(option);
}

void App::Parts::mark_asked(RingPanel& panel) const {
  const Prediction* open = predicts() ? predictor.open() : nullptr;
  if (open == nullptr) return;
  for (const Prediction::Option& option : open->options) {
    if (option.rank >= 0) {
      panel.asked_ranks.push_back(option.rank);
    } else {
      panel.asked_blocks.push_back(option.label);
    }
  }
}

bool App::Parts::answered_by_pointing() {
  const Prediction* open = predicts() ? predictor.open() : nullptr;
  if (open == nullptr) return false;
  const int by_copy = option_of_copy(*open, *story, pointing.picked_copy);
  const int option = by_copy >= 0 ? by_copy : option_of_rank(*open, pointing.picked_rank);
  if (option < 0) return false;
  answer_prediction(option);
  return true;
}

void App::Parts::answer_prediction(int option) {
  if (predictor.open() == nullptr) return;
  predictor.answer(option);
  playback.play();
}

}  // namespace ringlab::viz
