// The English texts of the quiz and of predictions; questions and answers of the quiz itself are
// those of its bank.
#include "ringlab/viz/model/text_panels.hpp"

namespace ringlab::viz {

void add_quiz_texts(std::map<std::string, std::string, std::less<>>& table) {
  table.insert({
      {"ui.pane.quiz", "Quiz"},

      // The page of choices. go_on: {0} the next question, {1} of how many. due: {0} how many.
      // next_due: {0} days. lesson: {0} number, {1} title. seen: {0} items seen, {1} of how many.
      {"ui.quiz.choose", "What do you want to be asked?"},
      {"ui.quiz.go_on", "Go on with question {0} of {1}"},
      {"ui.quiz.all", "Practise all lessons"},
      {"ui.quiz.review", "Review what is due: {0}"},
      {"ui.quiz.review_none", "Review: nothing is due"},
      {"ui.quiz.next_due", "What you missed comes back in {0}."},
      {"ui.quiz.hours", "{0} h"},
      {"ui.quiz.days", "{0} days"},
      {"ui.quiz.never_due", "What you miss or guess comes back here, days later."},
      {"ui.quiz.one_lesson", "Or one lesson"},
      {"ui.quiz.lesson", "{0}  {1}"},
      {"ui.quiz.seen", "{0}/{1}"},
      {"ui.quiz.kept_nowhere", "Answers are kept only as long as this program runs."},

      // A question. place: {0} number, {1} of how many, {2} lesson, {3} its title. score: {0}
      // right, {1} answered.
      {"ui.quiz.place", "Question {0} of {1}"},
      {"ui.quiz.from_lesson", "Lesson {0}: {1}"},
      {"ui.quiz.score", "{0} of {1} right"},
      {"ui.quiz.how_sure", "How sure are you?"},
      {"ui.quiz.sure", "sure"},
      {"ui.quiz.think", "think so"},
      {"ui.quiz.guess", "guess"},
      {"ui.quiz.stop", "Other questions"},

      // What is said of an answer.
      {"ui.quiz.right", "Right"},
      {"ui.quiz.wrong", "Not quite"},
      {"ui.quiz.right_is", "Right is"},
      {"ui.quiz.believed", "Believed: {0}"},
      {"ui.quiz.but", "But: {0}"},
      {"ui.quiz.show", "Show me"},
      {"ui.quiz.shown", "Set in the picture: play it."},
      {"ui.quiz.copy", "Copy"},
      {"ui.quiz.run_it", "Run this in a terminal to see it:"},
      {"ui.quiz.next", "Next question"},
      {"ui.quiz.finish", "To the result"},

      // The end. lesson_score: {0} lesson, {1} right, {2} asked, {3} title.
      {"ui.quiz.end", "Done"},
      {"ui.quiz.all_right", "All of it was right."},
      {"ui.quiz.missed", "What you missed or guessed comes back: open the review tomorrow."},
      {"ui.quiz.lesson_score", "Lesson {0}: {1} of {2} right"},
      {"ui.quiz.again", "Another round"},

      // What did not happen.
      {"ui.quiz.locked",
       "A quiz is open in another program: this answer waits until that one has ended. Then "
       "click again."},
      {"ui.quiz.nothing_due", "Nothing is due yet."},
      {"ui.quiz.copied", "The command is on the clipboard."},

      // Predictions. option: {0} a block or rank in words. block and queries: {0} rank. idle: {0}
      // hop. receiver: {0} what.
      {"predict.option", "{0}"},
      {"predict.ask.block", "Which block does rank {0} compute with next?"},
      {"predict.ask.queries", "Whose queries does rank {0} compute with next?"},
      {"predict.ask.idle", "Who will have nothing to do in hop {0}?"},
      {"predict.ask.receiver", "Which rank gets {0} next?"},
      // came, own: {0} hop, {1} rank, {2} what, {3} visible pairs, {4} all pairs, {5} from.
      {"predict.why.came",
       "In hop {0} rank {1} computes with {2}, which came from rank {5}: {3} of {4} pairs are "
       "visible."},
      {"predict.why.own",
       "In hop {0} rank {1} computes with {2}, its own: {3} of {4} pairs are visible."},
      // idle: {0} hop, {1} rank, {2} ranks that work, {3} pairs x heads.
      {"predict.why.idle",
       "In hop {0} rank {1} has no visible pair, while {2} ranks compute {3}, counted over all "
       "heads."},
      // receiver: {0} from, {1} what, {2} to, {3} hop, {4} bytes.
      {"predict.why.receiver", "Rank {0} sends {1} to rank {2} in hop {3}: {4}."},
      {"ui.predict.right", "Right."},
      {"ui.predict.wrong", "Not quite: {0}."},
      {"ui.predict.hint", "Click an answer, here or in the picture. Space skips."},
      {"ui.predict.wait", "You said {0}. Watch."},
      {"ui.predict.nothing", "Nothing to predict here: Space goes on."},
      {"ui.predict.playing", "Watch."},
      {"ui.predict.tally", "{0} of {1} right"},
      {"ui.predict.no_room", "Predictions need a higher window."},
      {"ui.transport.predict", "Predict, then reveal: a question at each break point (X)"},
      {"ui.scene.habits", "Questions"},

      {"ui.key.predict", "Predictions on or off"},
      {"ui.key.answer", "Answer a prediction or the quiz"},
      {"ui.key.quiz_next", "Quiz: next question; how sure; show me"},
      {"ui.help.predict", "A prediction: an answer that can be clicked in the picture."},
      {"ui.help.right", "Right, and not right."},
      {"ui.help.covered", "While predictions are asked, the timeline hides what is to come."},
  });
}

}  // namespace ringlab::viz
