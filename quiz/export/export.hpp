// The bank for other programs: GIFT (Moodle and many others), QTI 2.1 (institutions), Anki (cards).
//
// None of them runs our generators, so a generated item goes out as a few draws of it.
#pragma once

#include <string>
#include <vector>

#include "ringlab/quiz/bank/question.hpp"

namespace ringlab::quiz {

struct ExportOptions {
  std::string language = "en";
  int draws = 3;  // of each generated item
};

/// One question to write, under a name that stays the same from export to export.
struct ExportQuestion {
  std::string name;  // the item's id, or id-2 for its second draw
  int lesson = 0;
  Question question;
};

/// Every fixed item, and so many draws of every generated one; no two draws of an item alike.
std::vector<ExportQuestion> export_questions(const Bank& bank, const ExportOptions& options);

/// Why the key is right, and where it stands in print, if the item names a source.
std::string explanation_of(const Question& question, const std::string& language);

/// GIFT text: a category a lesson, feedback for each option, the explanation for all.
std::string export_gift(const Bank& bank, const ExportOptions& options);
/// Text to import into Anki; the name is the first field, so that a later import updates cards.
std::string export_anki(const Bank& bank, const ExportOptions& options);
/// The bytes of a zip with imsmanifest.xml and an assessmentItem a question.
std::string export_qti(const Bank& bank, const ExportOptions& options);

}  // namespace ringlab::quiz
