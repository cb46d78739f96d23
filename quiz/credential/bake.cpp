#include "ringlab/quiz/credential/bake.hpp"

#include <zlib.h>

#include <vector>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::quiz {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::string_view kKeyword("openbadgecredential\0", 20);  // with its end
// Keyword, then: not compressed (two bytes), no language, no translated keyword.
constexpr std::string_view kItxtHead("openbadgecredential\0\0\0\0\0", 24);
constexpr std::string_view kOpen =
    "<openbadges:credential xmlns:openbadges=\"https://purl.imsglobal.org/ob/v3p0\"><![CDATA[";
constexpr std::string_view kClose = "]]></openbadges:credential>";

[[noreturn]] void refuse(const std::string& value, const std::string& why) {
  throw InputError("certificate", value, why);
}

std::uint32_t read_word(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i)
    word = (word << 8) | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

std::string word_bytes(std::uint32_t word) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((word >> shift) & 0xff);
  return out;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

struct Chunk {
  std::string_view type, data;
};

// All chunks up to IEND, which must be the end of the file.
std::vector<Chunk> chunks_of(std::string_view png) {
  std::vector<Chunk> chunks;
  std::size_t at = kSignature.size();
  while (at < png.size()) {
    if (png.size() - at < 12) refuse("PNG", "cut off");
    const std::size_t size = read_word(png, at);
    if (size > png.size() - at - 12) refuse("PNG", "cut off");
    const Chunk chunk{png.substr(at + 4, 4), png.substr(at + 8, size)};
    if (checksum(png.substr(at + 4, 4 + size)) != read_word(png, at + 8 + size)) {
      refuse("PNG", "a checksum is wrong: the file was damaged or changed");
    }
    chunks.push_back(chunk);
    at += 12 + size;
    if (chunk.type == "IEND") break;
  }
  if (chunks.empty() || chunks.front().type != "IHDR" || chunks.back().type != "IEND") {
    refuse("PNG", "not whole");
  }
  if (at != png.size()) refuse("PNG", "something stands behind its end");
  return chunks;
}

std::string from_png(std::string_view png) {
  std::string credential;
  int found = 0;
  for (const Chunk& chunk : chunks_of(png)) {
    const bool text = chunk.type == "iTXt" || chunk.type == "tEXt" || chunk.type == "zTXt";
    if (!text || chunk.data.substr(0, kKeyword.size()) != kKeyword) continue;
    if (chunk.type != "iTXt" || chunk.data.substr(0, kItxtHead.size()) != kItxtHead) {
      refuse("PNG", "its credential is not uncompressed text");
    }
    credential = chunk.data.substr(kItxtHead.size());
    ++found;
  }
  if (found != 1) {
    refuse("PNG", found == 0 ? "no credential is in it" : "more than one credential is in it");
  }
  return credential;
}

std::string from_svg(std::string_view svg) {
  const std::size_t open = svg.find(kOpen);
  const std::size_t close = svg.find(kClose);
  if (open == svg.npos || close == svg.npos || close < open) {
    refuse("SVG", "no credential is in it");
  }
  if (svg.find("openbadges:credential", open + kOpen.size()) != close + 5 ||
      svg.find("openbadges:credential", close + kClose.size()) != svg.npos) {
    refuse("SVG", "more than one credential is in it");
  }
  return std::string(svg.substr(open + kOpen.size(), close - open - kOpen.size()));
}

}  // namespace

std::string bake_png(std::string_view png, std::string_view credential) {
  if (png.substr(0, kSignature.size()) != kSignature) {
    throw InputError("picture", "not a PNG", "give a PNG");
  }
  std::string out(kSignature);
  for (const Chunk& chunk : chunks_of(png)) {
    const auto add = [&out](std::string_view type, std::string_view data) {
      const std::string body = std::string(type) + std::string(data);
      out +=
          word_bytes(static_cast<std::uint32_t>(data.size())) + body + word_bytes(checksum(body));
    };
    add(chunk.type, chunk.data);
    if (chunk.type == "IHDR") add("iTXt", std::string(kItxtHead) + std::string(credential));
  }
  return out;
}

std::string bake_svg(std::string_view svg, std::string_view credential) {
  const std::size_t tag = svg.find("<svg");
  const std::size_t end = tag == svg.npos ? tag : svg.find('>', tag);
  if (end == svg.npos) throw InputError("picture", "not an SVG", "give an SVG");
  // The one text that would end the section early; a JSON string may write it otherwise.
  RINGLAB_ENSURE(credential.find("]]>") == credential.npos, "a credential without ]]>");
  return std::string(svg.substr(0, end + 1)) + "\n" + std::string(kOpen) + std::string(credential) +
         std::string(kClose) + std::string(svg.substr(end + 1));
}

std::string unbake(std::string_view file) {
  if (file.size() > kLargestCertificate) refuse("file", "larger than any certificate");
  if (file.substr(0, kSignature.size()) == kSignature) return from_png(file);
  const std::size_t first = file.find_first_not_of(" \t\r\n");
  if (first == file.npos) refuse("file", "empty");
  if (file[first] == '<') return from_svg(file);
  if (file[first] == '{') return std::string(file);
  refuse("file", "neither PNG nor SVG nor JSON");
}

}  // namespace ringlab::quiz
