#include "ringlab/quiz/credential/picture/picture.hpp"

#include <fmt/format.h>

#include "ringlab/quiz/credential/picture/ornaments.hpp"
#include "ringlab/quiz/credential/picture/words.hpp"

namespace ringlab::quiz {
namespace {

using namespace detail;

constexpr double kPixelsPerPoint = 3;
constexpr double kMiddle = kWidth / 2;

std::vector<bool> right_answers(const Bank& bank, const Run& run) {
  std::vector<bool> right;
  for (std::size_t i = 0; i < run.answers.size(); ++i) {
    right.push_back(question_of(bank, run.tickets[i]).right() == run.answers[i].choice);
  }
  return right;
}

void draw_heading(cairo_t* cr, const CertificateWords& words) {
  draw_text(cr, "RINGLAB", kMiddle + 3, 84, {.size = 14, .ink = kGold, .spacing = 7});
  draw_text(cr, words.title, kMiddle, 140, {.size = 54});
}

void draw_statement(cairo_t* cr, const CertificateWords& words, const Certificate& certificate) {
  draw_text(cr, words.before_name, kMiddle, 184, {.size = 16, .ink = kGrey, .italic = true});
  draw_text(cr, certificate.name, kMiddle, 236, {.size = 42, .widest = 600});
  set_ink(cr, kGold);
  cairo_set_line_width(cr, 0.8);
  cairo_move_to(cr, kMiddle - 200, 252);
  cairo_line_to(cr, kMiddle + 200, 252);
  cairo_stroke(cr);
  draw_text(cr, words.after_name, kMiddle, 282, {.size = 16, .ink = kGrey, .italic = true});
  draw_text(cr, words.subject, kMiddle, 318, {.size = 27, .bold = true, .widest = 660});
  const bool english = words.subject == "Sequence Parallelism and Ring Attention";
  if (!english) {
    draw_text(cr, "Sequence Parallelism and Ring Attention", kMiddle, 340,
              {.size = 14, .ink = kGrey, .italic = true});
  }
  draw_text(cr, words.score + "  ·  " + words.date, kMiddle, english ? 350 : 366, {.size = 15});
}

void draw_foot(cairo_t* cr, const CertificateWords& words, const Certificate& certificate,
               const std::vector<bool>& right) {
  // Left: the id, to scan and to read.
  draw_qr(cr, certificate.id, 70, 408, 96);
  draw_text(cr, certificate.short_id, 118, 519, {.size = 8.5, .monospace = true});

  // Middle: one bead an answer, the score in their ring.
  draw_seal(cr, kMiddle, 450, 52, right);
  draw_text(cr, fmt::format("{}/{}", certificate.score.right, certificate.score.asked), kMiddle,
            456, {.size = 18});

  // Right: who signed.
  constexpr double kRight = kWidth - 72;
  draw_text(cr, certificate.issuer_name, kRight - 95, 455, {.size = 15, .widest = 190});
  set_ink(cr, kNavy);
  cairo_set_line_width(cr, 0.6);
  cairo_move_to(cr, kRight - 190, 463);
  cairo_line_to(cr, kRight, 463);
  cairo_stroke(cr);
  draw_text(cr, words.issuer, kRight - 95, 479, {.size = 11, .ink = kGrey, .italic = true});
  const std::string key = certificate.issuer.substr(8);
  draw_text(cr, key.substr(0, 24), kRight - 95, 495,
            {.size = 6.5, .ink = kGrey, .monospace = true});
  draw_text(cr, key.substr(24), kRight - 95, 504, {.size = 6.5, .ink = kGrey, .monospace = true});

  draw_text(cr, words.meaning, kMiddle, 532, {.size = 9.5, .ink = kGrey, .italic = true});
  draw_text(cr, words.verify + ":  ringlab quiz verify FILE", kMiddle, 545,
            {.size = 8.5, .ink = kGrey});
}

std::function<void(cairo_t*)> drawing(const Bank& bank, const Certificate& certificate,
                                      const PictureOptions& options) {
  const CertificateWords words =
      certificate_words(options.language, options.self_issued, certificate.score.right,
                        certificate.score.asked, certificate.issued_at);
  const std::vector<bool> right = right_answers(bank, certificate.run);
  return [words, right, certificate](cairo_t* cr) {
    draw_paper(cr);
    draw_rosette(cr, kMiddle, kHeight / 2, 236, {kGold.red, kGold.green, kGold.blue, 0.15});
    draw_border(cr);
    draw_heading(cr, words);
    draw_statement(cr, words, certificate);
    draw_foot(cr, words, certificate, right);
  };
}

}  // namespace

std::string picture_svg(const Bank& bank, const Certificate& certificate,
                        const PictureOptions& options) {
  return to_svg(drawing(bank, certificate, options));
}

std::string picture_png(const Bank& bank, const Certificate& certificate,
                        const PictureOptions& options) {
  return to_png(drawing(bank, certificate, options), kPixelsPerPoint);
}

std::string composed_name(const std::string& name) {
  return composed(name, "name");
}

}  // namespace ringlab::quiz
