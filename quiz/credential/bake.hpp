// A credential inside a picture, as Open Badges 3.0 (section 5.3) bakes it: one uncompressed iTXt
// chunk `openbadgecredential` of a PNG, or one element <openbadges:credential> of an SVG.
#pragma once

#include <string>
#include <string_view>

namespace ringlab::quiz {

/// Files larger than this are no certificates.
inline constexpr std::uint64_t kLargestCertificate = 8u << 20;  // bytes

/// The picture with the credential in it. Throws InputError (field `picture`) for no PNG.
std::string bake_png(std::string_view png, std::string_view credential);
/// The same for an SVG; the credential stands right after the <svg ...> tag.
std::string bake_svg(std::string_view svg, std::string_view credential);

/// The credential in a file: a baked PNG, a baked SVG, or the JSON itself. Throws InputError (field
/// `certificate`): a damaged PNG (every chunk's checksum is checked), none or several credentials.
std::string unbake(std::string_view file);

}  // namespace ringlab::quiz
