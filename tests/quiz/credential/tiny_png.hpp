// Pictures for tests: a PNG of one grey pixel, made by hand, and an SVG.
#pragma once

#include <zlib.h>

#include <string>

namespace ringlab::quiz::test {

inline constexpr const char* kTinySvg =
    "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\"><g/></svg>\n";

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const auto word = [](unsigned long value) {
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
    return out;
  };
  const std::string body = type + data;
  return word(data.size()) + body +
         word(
             crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
}

inline std::string tiny_png(const std::string& extra = "") {
  // One row: no filter, then the pixel; deflated and stored.
  Bytef packed[64];
  uLongf size = sizeof packed;
  const Bytef row[] = {0, 0x80};
  compress(packed, &size, row, sizeof row);
  return std::string("\x89PNG\r\n\x1a\n", 8) +
         png_chunk("IHDR", std::string("\0\0\0\1\0\0\0\1\x08\0\0\0\0", 13)) + extra +
         png_chunk("IDAT", std::string(reinterpret_cast<char*>(packed), size)) +
         png_chunk("IEND", "");
}

}  // namespace ringlab::quiz::test
