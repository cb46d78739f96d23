// Which questions a run asks: by blueprint for a certificate, by need for practice.
#pragma once

#include "ringlab/quiz/engine/progress.hpp"

namespace ringlab::quiz {

/// How many questions each lesson gives, by lesson number: as evenly as `count` allows, the rest to
/// lessons that the seed picks. Throws InputError (field `questions`) if the bank is too small.
std::map<int, int> blueprint(const Bank& bank, int count, std::uint64_t seed);

/// Tickets of a certificate run: a pure function of (bank, count, seed), no item twice, lessons
/// mixed.
std::vector<Ticket> draw_exam(const Bank& bank, int count, std::uint64_t seed);

/// Tickets of a practice run: what is due first, then what was never asked, then the rest, at most
/// `count`; only of one lesson unless `lesson` is 0. Throws InputError (field `lesson`) for one
/// that the bank does not have.
std::vector<Ticket> draw_practice(const Bank& bank, const Progress& progress, int lesson, int count,
                                  std::uint64_t seed, std::int64_t now);

/// Tickets of a review: what is due, at most `count`.
std::vector<Ticket> draw_review(const Bank& bank, const Progress& progress, int count,
                                std::uint64_t seed, std::int64_t now);

/// A practice (of one lesson unless `lesson` is 0) or review that begins now; without tickets if
/// nothing is due.
Run begin_practice(const Bank& bank, const Progress& progress, RunKind kind, int lesson, int count,
                   std::uint64_t seed, std::int64_t now);

/// An exam that begins now.
Run begin_exam(const Bank& bank, std::uint64_t seed, std::int64_t now);

/// Regrades a finished exam from its seed alone. Throws InputError: `bank_hash` of another bank,
/// `tickets` that the seed does not draw, `answers` missing or impossible, times that run
/// backwards.
Score regrade_exam(const Bank& bank, const Run& run);

}  // namespace ringlab::quiz
