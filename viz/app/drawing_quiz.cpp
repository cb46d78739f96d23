// The quiz tab: the learner's sitting as the panel's struct, and what a click does to it.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/viz/app/parts.hpp"

namespace ringlab::viz {
namespace {

using Page = quiz::Sitting::Page;
using What = QuizAsk::What;

constexpr int kQuestions = 10;  // of a round, as in `ringlab quiz`
constexpr const char* kLanguage = "en";

constexpr std::array<quiz::Confidence, 3> kConfidence{
    quiz::Confidence::sure, quiz::Confidence::think, quiz::Confidence::guess};

std::string number(int value) {
  return std::to_string(value);
}

std::string in_words(const Texts& texts, std::int64_t seconds) {
  const auto hours = static_cast<int>(std::max<std::int64_t>(1, (seconds + 3599) / 3600));
  return hours < 48 ? texts.say("ui.quiz.hours", {number(hours)})
                    : texts.say("ui.quiz.days", {number(hours / 24)});
}

void show_choices(const Texts& texts, const quiz::Sitting::Overview& all, bool in_memory,
                  QuizPanel& panel) {
  if (all.open_of > 0) {
    panel.go_on = texts.say("ui.quiz.go_on", {number(all.open_at), number(all.open_of)});
  }
  panel.can_review = all.due > 0;
  panel.review = panel.can_review ? texts.say("ui.quiz.review", {number(all.due)})
                                  : std::string(texts.get("ui.quiz.review_none"));
  const std::int64_t wait = all.next_due - quiz::now_seconds();
  if (all.next_due == 0) {
    panel.review_note = texts.get("ui.quiz.never_due");
  } else if (wait > 0) {
    panel.review_note = texts.say("ui.quiz.next_due", {in_words(texts, wait)});
  }
  if (in_memory) panel.kept_note = texts.get("ui.quiz.kept_nowhere");
  for (const auto& [lesson, sum] : all.lessons) {
    panel.lessons.push_back(
        {lesson, quiz::bank().lesson(lesson)->title.in(kLanguage),
         texts.say("ui.quiz.seen", {number(sum.seen), number(sum.items)}),
         static_cast<float>(sum.seen) / static_cast<float>(std::max(1, sum.items))});
  }
}

void show_question(const Texts& texts, const quiz::Sitting& sitting, QuizPanel& panel) {
  const quiz::Question& question = sitting.question();
  const quiz::BankLesson* lesson = quiz::bank().lesson(question.item->lesson);
  panel.place = texts.say("ui.quiz.place", {number(sitting.number()), number(sitting.count())});
  panel.lesson =
      texts.say("ui.quiz.from_lesson", {number(lesson->number), lesson->title.in(kLanguage)});
  panel.stem = question.stem.in(kLanguage);
  for (const quiz::Option& option : question.options) {
    panel.options.push_back(option.text.in(kLanguage));
  }
  panel.right = question.right();
}

void show_result(const Texts& texts, const quiz::Sitting& sitting, const quiz::Score& score,
                 QuizPanel& panel) {
  panel.result = panel.score;
  bool shaky = false;
  for (std::size_t i = 0; i < sitting.run().answers.size(); ++i) {
    shaky = shaky || sitting.run().answers[i].confidence == quiz::Confidence::guess;
  }
  for (const quiz::Score::Lesson& lesson : score.lessons) {
    if (lesson.right == lesson.asked) continue;
    shaky = true;
    panel.lines.push_back(
        texts.say("ui.quiz.lesson_score",
                  {number(lesson.number), number(lesson.right), number(lesson.asked)}));
  }
  if (score.right == score.asked) panel.lines.emplace_back(texts.get("ui.quiz.all_right"));
  if (shaky) panel.lines.emplace_back(texts.get("ui.quiz.missed"));
}

}  // namespace

quiz::Sitting& App::Parts::sitting() {
  if (!asked.sitting) {
    asked.sitting.emplace(quiz::bank(), asked.folder);
    asked.sitting->choose(quiz::now_seconds());
  }
  return *asked.sitting;
}

void App::Parts::draw_quiz(const Ui& ui, const Rect& rect) {
  QuizPanel panel;
  panel.turned = std::exchange(asked.turned, false);
  panel.confidence = asked.confidence;
  try {
    const quiz::Sitting& s = sitting();
    if (s.refusal() == quiz::Sitting::Refusal::locked) panel.notice = ui.t("ui.quiz.locked");
    if (s.refusal() == quiz::Sitting::Refusal::nothing_due) {
      panel.notice = ui.t("ui.quiz.nothing_due");
    }
    const quiz::Score& score = s.score();
    if (score.asked > 0) {
      panel.score = texts.say("ui.quiz.score", {number(score.right), number(score.asked)});
      panel.progress = static_cast<float>(score.asked) / static_cast<float>(s.count());
    }
    switch (s.page()) {
      case Page::choose:
        panel.page = QuizPanel::Page::choose;
        show_choices(texts, s.overview(), asked.folder.empty(), panel);
        break;
      case Page::question:
        panel.page = QuizPanel::Page::question;
        show_question(texts, s, panel);
        break;
      case Page::answered: {
        panel.page = QuizPanel::Page::answered;
        show_question(texts, s, panel);
        const quiz::Feedback said = s.said(kLanguage);
        panel.chosen = s.choice();
        panel.misconception = said.misconception;
        panel.mend = said.mend;
        panel.explanation = said.explanation;
        panel.command = said.show;
        panel.is_scene = asked.scene.has_value();
        panel.shown = asked.shown;
        panel.last = s.run().finished();
        break;
      }
      case Page::end:
        panel.page = QuizPanel::Page::end;
        show_result(texts, s, score, panel);
        break;
    }
  } catch (const InputError& error) {
    // A file of progress that cannot be read: said here, for nothing can be asked before it is.
    panel.page = QuizPanel::Page::end;
    panel.notice = error.what();
  }
  const QuizAsk ask = draw_quiz_panel(ui, rect, panel);
  if (ask.what != What::nothing) asked.ask = ask;
}

void App::Parts::do_quiz(const QuizAsk& ask) {
  if (ask.what == What::nothing) return;
  const std::int64_t now = quiz::now_seconds();
  try {
    quiz::Sitting& s = sitting();
    const Page page = s.page();
    const int number_before = page == Page::choose ? 0 : s.number();
    const auto begin = [&](quiz::RunKind kind, int lesson) {
      // Pictures, scripts and tests ask the same each time.
      const std::uint64_t seed = asked.folder.empty() ? ++asked.rounds : quiz::fresh_seed();
      s.begin(kind, lesson, kQuestions, seed, now);
    };
    switch (ask.what) {
      case What::nothing:
        break;
      case What::go_on:
        if (!s.resume(now)) s.choose(now);
        break;
      case What::all:
        begin(quiz::RunKind::practice, 0);
        break;
      case What::lesson:
        begin(quiz::RunKind::practice, ask.value);
        break;
      case What::review:
        begin(quiz::RunKind::review, 0);
        break;
      case What::confidence:
        asked.confidence = ask.value;
        break;
      case What::option:
        if (s.answer(ask.value, kConfidence[static_cast<std::size_t>(asked.confidence)], now)) {
          const std::string command = s.said(kLanguage).show;
          asked.shown = false;
          asked.scene.reset();
          if (scene_of_command && !command.empty()) asked.scene = scene_of_command(command);
          asked.confidence = 1;
        }
        break;
      case What::show:
        if (asked.scene) {
          tell_as_watched(*asked.scene);
          if (!notes.empty()) say("ui.lesson.changed", {std::to_string(notes.size())});
          asked.shown = true;
          if (tabbed) tabs.only = 1;
        }
        break;
      case What::copy:
        ImGui::SetClipboardText(s.said(kLanguage).show.c_str());
        say("ui.quiz.copied");
        break;
      case What::next:
        s.next(now);
        break;
      case What::choose:
        s.choose(now);
        break;
    }
    asked.turned = s.page() != page || (page != Page::choose && s.number() != number_before);
  } catch (const InputError& error) {
    say("ui.toast.refused", {error.what()});
  }
}

void App::Parts::press_quiz(Command command) {
  const bool answer = command >= Command::answer_1 && command <= Command::answer_4;
  const int option = static_cast<int>(command) - static_cast<int>(Command::answer_1);
  if (const Prediction* open = predictor.open(); answer && predicts() && open != nullptr) {
    if (option < static_cast<int>(open->options.size())) answer_prediction(option);
    return;
  }
  if (!quiz_is_open() || !asked.sitting) return;
  const quiz::Sitting& s = *asked.sitting;
  const Page page = s.page();
  if (answer) {
    if (page == Page::question && option < static_cast<int>(s.question().options.size())) {
      do_quiz({What::option, option});
    }
  } else if (command == Command::quiz_sure) {
    if (page == Page::question) do_quiz({What::confidence, (asked.confidence + 1) % 3});
  } else if (command == Command::quiz_show) {
    if (page == Page::answered && asked.scene) do_quiz({What::show});
  } else if (page == Page::choose) {
    do_quiz({s.overview().open_of > 0 ? What::go_on : What::all});
  } else if (page == Page::answered) {
    do_quiz({What::next});
  } else if (page == Page::end) {
    do_quiz({What::choose});
  }
}

}  // namespace ringlab::viz
