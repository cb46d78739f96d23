// A passed certificate run over a made-up bank, and certificates of it.
#pragma once

#include "ringlab/quiz/credential/certificate.hpp"
#include "ringlab/quiz/engine/draw.hpp"
#include "tests/quiz/engine/small_bank.hpp"

namespace ringlab::quiz::test {

inline constexpr std::int64_t kNow = 1796000000;  // late in 2026

inline const Bank& exam_bank() {
  static const Bank bank = small_bank(15, 10);
  return bank;
}

/// A run with so many wrong answers that ended an hour before kNow.
inline Run finished_run(int wrong = 2, std::uint64_t seed = 77) {
  Run run = begin_exam(exam_bank(), seed, kNow - 7200);
  for (const Ticket& ticket : run.tickets) {
    const Question question = question_of(exam_bank(), ticket);
    const int right = question.right();
    run.answers.push_back({wrong-- > 0 ? (right + 1) % 3 : right, Confidence::think, 60});
  }
  run.finished_at = kNow - 3600;
  return run;
}

inline std::string signed_certificate(const SigningKey& key, const std::string& name = "አበበ Cabdi",
                                      std::int64_t now = kNow) {
  const Certificate certificate = certificate_of(exam_bank(), finished_run(), name,
                                                 key.public_key(), "A learner's own key", now);
  return signed_json(certificate, key);
}

}  // namespace ringlab::quiz::test
