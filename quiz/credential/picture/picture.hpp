// The certificate as a picture, to print and frame. Pure functions of what it says.
#pragma once

#include "ringlab/quiz/credential/certificate.hpp"

namespace ringlab::quiz {

struct PictureOptions {
  std::string language = "en";  // en, so or am
  bool self_issued = true;      // signed with the learner's own key
};

/// A4 on its side. The QR code holds the certificate's id. Throws InputError: an unknown language,
/// a name for which there is no font.
std::string picture_svg(const Bank& bank, const Certificate& certificate,
                        const PictureOptions& options);
/// The same at 216 dots an inch.
std::string picture_png(const Bank& bank, const Certificate& certificate,
                        const PictureOptions& options);

/// A name in the composed form (NFC). Throws InputError (field `name`) for what is no UTF-8.
std::string composed_name(const std::string& name);

}  // namespace ringlab::quiz
